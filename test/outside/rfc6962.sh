#!/bin/sh
# tiers: check test
# See rfc6962.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/rfc6962.py"
