#!/bin/sh
# tiers: test
# See quality.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/quality.py"
