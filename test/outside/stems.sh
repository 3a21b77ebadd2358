#!/bin/sh
# tiers: test
# See stems.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/stems.py"
