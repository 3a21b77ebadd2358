#!/bin/sh
# Writes the verifier as one file, which needs nothing beside it:
#
#     sh tools/verify/join.sh >answer-verify && chmod +x answer-verify
#
# make does the same. The file has the code of the modules unchanged, in the order of the list below. The docstring at the top
# of a module becomes a comment. Imports from Python's library are collected at the top; imports of other modules are dropped.
# The same modules give the same bytes.

# A module imports only from modules before it, and no two define the same name. test/tap/document_verifier.pl checks both.
modules="
document/json_text document/members document/portable_number document/canonical document/small_text
df_verify_1/report document/retention
answer_eval/operators answer_eval/check answer_eval/composite answer_eval/answer
timestamp/der timestamp/token
keys/ed25519 keys/openssl keys/given
reading/characters reading/segments reading/tokens reading/phrases reading/stem reading/names reading/values
reading/sentence reading/text reading/near_copies reading/text_score
decision/decision_rules decision/shipped_rules decision/pinned_rules decision/chunk decision/risk decision/decision_settings
judgement/judgements judgement/sentences
decision/conflict decision/decide decision/signed_decision
quality/grade quality/quality_rules quality/subject quality/assess
packet/veracity packet/form packet/signed_packet
plan/condition plan/confidence plan/ground_verify plan/synthesis plan/marker
plan/plan plan/tool_spec plan/origin plan/cited_text plan/course plan/signed_plan
gate/gate gate/step gate/proposal gate/change gate/case_score gate/run
df_verify_1/kinds df_verify_1/anchor df_verify_1/signature df_verify_1/receipt
plan/bundle
log/merkle log/note log/proof
command/files command/output command/main
"

cd "$(dirname "$0")" || exit
files=$(for module in $modules; do echo "$module.py"; done)
{
	echo '#!/usr/bin/env python3'
	cat __init__.py
	echo
	grep -h "^import " $files | LC_ALL=C sort -u
	awk '
		function print_line(text) {
			if (text == "") { blank++; return }
			while (blank-- > 0) print ""
			blank = 0
			print text
		}
		FNR == 1 {
			blank = 2
			print_line("# " rule)
			print_line("# tools/verify/" FILENAME)
			print_line("#")
			is_page = is_begin = 1
			sub(/^"""/, "")
		}
		is_page {
			is_page = !sub(/"""$/, "")
			if (is_page || $0 != "") print_line($0 == "" ? "#" : "# " $0)
			if (!is_page) print_line("# " rule)
			next
		}
		/^(import|from) / { is_import = /\($/; next }
		is_import { is_import = !/\)$/; next }
		is_begin && $0 != "" { blank = 1; is_begin = 0 }
		{ print_line($0) }
	' rule=-------------------------------------------------------------------------- $files
}
