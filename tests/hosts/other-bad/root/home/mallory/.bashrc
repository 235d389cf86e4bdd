export HISTFILE=/dev/null
export HSA_ENABLE_SDMA=0
