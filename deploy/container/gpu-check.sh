#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Entry point of a container: the program starts only where the GPUs that it was given compute.
#   ENTRYPOINT ["/usr/local/bin/gpu-check.sh"]   CMD ["vllm", "serve", "…"]
# The image holds /usr/sbin/gpuharden and /usr/libexec/gpuharden/gpu-worker; the container runtime brings the driver's library.
set -eu
/usr/sbin/gpuharden gpu --quick --ok-if busy,in-use,out-of-memory
exec "$@"
