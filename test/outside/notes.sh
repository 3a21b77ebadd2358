#!/bin/sh
# See notes.py beside this.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/notes.py"
