#!/bin/sh
# tiers: check test
# See spec_vectors.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/spec_vectors.py"
