#!/usr/bin/env bash
# Takes the pictures in this folder, with a private server and Chromium: pages of receipts, one of each kind and one that
# was changed, and the dashboard over doc/images/sample.sql; each at the size of a desk (1280 x 900) and of a phone
# (390 x 844), light and dark. The phone is in the name of a picture, or else it is a desk.
#
#     doc/images/pictures.sh [FOLDER]
#
# The receipts are documents of test/corpus. With FOLDER the pictures go there. pngquant, where it is there, makes them smaller.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/../../test/lib/common.sh"
FOLDER=$(realpath "${1:-$(dirname "$0")}")
CORPUS=$ROOT/test/corpus/receipts
# What stands in a picture's name, and the document of the corpus.
RECEIPTS='answer checks-mixed
question question
decision decision2-judged
refused decision2-contradicted
plan plan2-judged
assessment quality
packet packet
run run2-judged
change change-environment-promote
forgotten tombstone'

ensure_server_packages chromium-headless-shell
make_work_dir
stage_build "$WORK"
server_start "$WORK"
fresh_database pictures

# receipt_page NAME: the page of a document of the corpus.
receipt_page() {
	python3 - "$CORPUS" "$1" <<'PY' | psql -X -qAt -v ON_ERROR_STOP=1 -f -
import glob, json, sys
folder, name = sys.argv[1:]
keys = {key["key_id"]: key for path in sorted(glob.glob(folder + "/keys*.json")) for key in json.load(open(path, encoding="utf-8"))}
quoted = ["'%s'" % text.replace("'", "''") for text in (open("%s/%s.json" % (folder, name), encoding="utf-8").read(), json.dumps(list(keys.values())))]
print("SELECT answer.receipt_html(%s::jsonb, %s::jsonb, NULL, NULL);" % tuple(quoted))
PY
}

say "$RECEIPTS" | while read -r name document; do
	receipt_page "$document" >"$WORK/receipt-$name.html"
done
sed 's/twice on a weekday/three times on a weekday/' "$WORK/receipt-decision.html" >"$WORK/receipt-tampered.html"
psql -X -q -v ON_ERROR_STOP=1 -f "$ROOT/doc/images/sample.sql" >"$WORK/log/sample.log"
psql -X -qAt -c "SELECT answer_dashboard_page('{\"title\": \"Harbour answers\", \"receipts\": 8, \"link\": \"/v1/receipts/{id}\"}')" >"$WORK/dashboard.html"
chmod 644 "$WORK"/*.html

# A page is at rest when it says what it found; where it has nothing to say it is at once.
REST='(async () => { const at = document.getElementById("result"); for (let i = 0; at && i < 600 && !/^[\u2713\u2717\u2013]/.test(at.textContent); i++) await new Promise((done) => setTimeout(done, 50)); })()'
for page in "$WORK"/*.html; do
	for scheme in light dark; do
		name=$(basename "$page" .html)
		python3 - "$page" "$REST" "$scheme" "$WORK/$name" <<'PY'
import json, sys
page, rest, scheme, name = sys.argv[1:]
for phone, width, height in (("", 1280, 900), ("-phone", 390, 844)):
    print(json.dumps({"page": page, "expression": rest, "width": width, "height": height, "scheme": scheme, "picture": "%s%s-%s.png" % (name, phone, scheme)}))
PY
	done
done | python3 "$ROOT/test/oracle/browser.py" >"$WORK/log/browser.log"
if grep -q '"failure"' "$WORK/log/browser.log"; then
	die "a picture was not taken: $(grep -m1 '"failure"' "$WORK/log/browser.log")"
fi
for picture in "$WORK"/*.png; do
	if command -v pngquant >/dev/null; then
		pngquant --force --speed 1 --strip --output "$FOLDER/$(basename "$picture")" 32 "$picture"
	else
		cp "$picture" "$FOLDER/"
	fi
done
