#!/bin/sh
# tiers: check test
# See df_verify.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/df_verify.py"
