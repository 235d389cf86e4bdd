# SPDX-License-Identifier: GPL-2.0-or-later
# What a run of the tests left out, and why. Sourced by ./dev.
# shellcheck shell=bash

# Reads ctest's log, which holds the whole output of every test program.
report_skipped() {
  [[ -r $1 ]] || return 0
  awk '
    /^\[ RUN      \] /  { name = $4; reason = ""; taking = 0 }
    /: Skipped$/        { taking = 1; next }
    taking && /^$/      { taking = 0 }
    /^\[  SKIPPED \] .* \([0-9]+ ms\)$/ {
      if (count++ == 0) print "\nSkipped here:"
      print "  " name ": " (reason == "" ? "no reason given" : reason)
      taking = 0
    }
    taking              { reason = reason (reason == "" ? "" : " ") $0 }
    END { if (count == 0) print "\nNothing was skipped."; print "" }
  ' "$1"
}
