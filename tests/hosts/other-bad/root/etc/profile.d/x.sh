HISTSIZE=0
set +o history
