#!/bin/sh
# tiers: check test
# See dsse.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/dsse.py"
