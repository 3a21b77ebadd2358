#!/bin/sh
# tiers: check test
# See wycheproof.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/wycheproof.py"
