#!/bin/sh
# tiers: check test
# See notes.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/notes.py"
