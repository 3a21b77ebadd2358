#!/bin/sh
# tiers: test
# See receipts.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/receipts.py"
