#!/bin/sh
# tiers: check test
# See jsontestsuite.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/jsontestsuite.py"
