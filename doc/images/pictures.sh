#!/usr/bin/env bash
# Takes the pictures in this folder, of a page over doc/images/sample.sql, with a private server and Chromium:
#
#     doc/images/pictures.sh
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/../../test/lib/common.sh"
FOLDER=$(realpath "$(dirname "$0")")

ensure_server_packages chromium-headless-shell
make_work_dir
stage_build "$WORK"
server_start "$WORK"
fresh_database pictures
psql -X -q -v ON_ERROR_STOP=1 -f "$FOLDER/sample.sql" >"$WORK/log/sample.log"
psql -X -qAt -c "SELECT answer_dashboard_html('{\"title\": \"Harbour answers\", \"receipts\": 8}')" >"$WORK/dashboard.html"
chmod 644 "$WORK/dashboard.html"
python3 "$ROOT/test/oracle/browser.py" <<JSON
{"page": "$WORK/dashboard.html", "expression": "0", "width": 1060, "height": 1100, "scheme": "light", "picture": "$WORK/light.png"}
{"page": "$WORK/dashboard.html", "expression": "0", "width": 390, "height": 1396, "scheme": "dark", "picture": "$WORK/dark.png"}
JSON
cp "$WORK/light.png" "$FOLDER/dashboard.png"
cp "$WORK/dark.png" "$FOLDER/dashboard-phone.png"
