# answer_eval: adjudicates claims inside PostgreSQL.
#
#   make demo              shows it working, on a private throw-away server
#   make gateway           the same over HTTP, until it is interrupted
#   make one T=sql/keys    one test, or several (T='pgtap/log tap/keys'), with kept objects
#   make check             the inner loop: every area once, at most 2 minutes on 2 processors
#   make test              all normal tests, at most 6 minutes on 2 processors
#   make test-long         slow tests: crashes, large comparisons, fuzzing, sanitizers, other versions
#   make && make install   into the server of PG_CONFIG
#   make installcheck      pg_regress against that running server
#   make manifest          after a change of sql/: what the audit expects of the catalog
#   make dist              the committed files as answer_eval-VERSION.zip for PGXN

EXTENSION = answer_eval
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" answer_eval.control)

# The objects by directory. Each directory may use only those above it (doc/architecture.md); a test checks the
# includes.
OBJS = src/module.o \
	src/base/funcargs.o src/base/locks.o src/base/owner.o src/base/spi_query.o src/base/settings.o src/base/index_probe.o src/base/kept_tables.o src/base/tenant.o src/base/tenant_plan.o src/base/enums.o src/base/rfc3339.o src/base/fold.o src/base/sha256.o src/base/base64.o src/base/jsonview.o src/base/canonical.o src/base/closest.o src/base/deadline.o src/base/snapshot.o src/base/subtransaction.o src/base/writes.o src/base/option.o src/base/distributed.o \
	src/check/operator.o src/check/request_error.o src/check/check.o src/check/check_explain.o src/check/check_row.o src/check/composite.o src/check/request.o \
	src/keys/ed25519.o src/keys/key_folder.o src/keys/passphrase.o src/keys/key_file.o src/keys/keyring.o src/keys/row_mac.o \
	src/document/kind.o src/document/signed.o src/document/chain.o src/document/rfc3161.o src/document/anchor.o src/document/verify.o src/document/store.o \
	src/document/forgotten.o src/document/tombstone.o src/document/mint.o src/document/dsse.o src/document/attach.o src/document/change.o \
	src/document/retention.o src/document/drop.o src/document/receipt_page.o src/document/row_writer.o src/document/row_sum.o src/document/stored_row.o src/document/content_record.o \
	src/evidence/confidence.o src/evidence/grade.o src/evidence/handler_settings.o src/evidence/bound_function.o \
	src/evidence/tool.o src/evidence/tool_help.o src/evidence/grader.o src/evidence/fact.o src/evidence/fact_memory.o src/evidence/call.o src/evidence/record.o \
	src/route/question.o src/route/pattern.o src/route/pattern_pack.o src/route/route.o src/route/route_table.o \
	src/log/merkle.o src/log/note.o src/log/last_signed.o src/log/proof.o src/log/log_table.o \
	src/log/seal.o src/log/recorded.o src/log/recorded_audit.o src/log/log_function.o src/log/witness.o src/log/audit.o src/log/catalog.o src/log/detach.o src/log/detached.o src/log/finding.o src/log/audit_part.o src/log/reference_audit.o src/log/content_audit.o \
	src/reading/words.o src/reading/stem.o src/reading/decision_rules.o src/reading/quantity.o src/reading/segment.o src/reading/value.o src/reading/text.o \
	src/reading/text_score.o src/reading/near_copy.o src/reading/reading_explain.o \
	src/quality/tool_output.o src/quality/quality_rules.o src/quality/subject.o src/quality/quality_assess.o src/quality/quality_tables.o src/quality/quality_audit.o src/quality/investigation.o src/quality/quality_receipt.o \
	src/eval/answer_receipt.o src/eval/eval.o src/eval/eval_each.o src/eval/progress.o \
	src/judge/judgement.o src/judge/panel.o src/judge/judge.o src/judge/signed_judgement.o src/judge/pinned.o src/judge/ask_judge.o src/judge/given_judgement.o src/judge/external_judgement.o src/judge/judge_assess.o src/judge/judge_audit.o \
	src/ground/item_search.o src/ground/sketch.o src/ground/status.o src/ground/folded_text.o src/ground/decision_config.o src/ground/weighing.o src/ground/judge_pairs.o src/ground/text_set.o src/ground/chunk.o src/ground/risk.o src/ground/citation.o src/ground/statement.o src/ground/conflict.o src/ground/decision.o \
	src/ground/document.o src/ground/document_fact.o src/ground/chunk_search.o src/ground/extract.o src/ground/question_options.o src/ground/portable_numbers.o src/ground/request_config.o src/ground/receipt_parts.o src/ground/pinned_rules.o src/ground/earlier_receipt.o src/ground/counted_columns.o src/ground/decision_receipt.o src/ground/judging.o src/ground/waiting_rows.o src/ground/retrieve.o src/ground/receipt_cache.o src/ground/environment.o src/ground/current_rules.o src/ground/sample.o src/ground/grounded.o src/ground/document_audit.o \
	src/graph/veracity.o src/graph/packet_schema.o src/graph/packet.o src/graph/synthesis.o src/graph/html.o src/graph/validate.o src/graph/load.o src/graph/node_search.o \
	src/graph/packet_request.o src/graph/build.o src/graph/packet_receipt.o src/graph/packet_function.o src/graph/graph_audit.o \
	src/plan/reference.o src/plan/condition.o src/plan/ground_conf.o src/plan/freshness.o src/plan/marker.o src/plan/ttl.o src/plan/tokens.o \
	src/plan/ir.o src/plan/forecast.o src/plan/schedule.o src/plan/plan_locks.o src/plan/rate.o src/plan/budget.o src/plan/tool_spec.o src/plan/origin.o src/plan/measure.o src/plan/invoke.o src/plan/plan_request.o src/plan/ground_verify.o src/plan/synth_answer.o src/plan/text_status.o src/plan/verifier.o src/plan/memory.o src/plan/trace.o src/plan/course.o src/plan/stored_run.o src/plan/run_audit.o src/plan/plan_audit.o src/plan/tool_replay.o src/plan/plan_receipt.o src/plan/plan_cache.o src/plan/kernel.o src/plan/kernel_step.o src/plan/kernel_end.o src/plan/prepare.o src/plan/execute.o src/plan/resume.o src/plan/trace_verify.o \
	src/plan/archive.o src/plan/replay_bundle.o \
	src/gate/suite_case.o src/gate/case_score.o src/gate/metrics.o src/gate/gate.o src/gate/run_receipt.o src/gate/trial.o src/gate/gate_audit.o src/gate/suite_run.o src/gate/pin_judgements.o \
	src/gate/candidate.o src/gate/environment_step.o src/gate/config_version.o src/gate/intoto.o src/gate/tune.o src/gate/explore.o src/gate/evolve.o \
	src/dashboard/latency.o src/dashboard/correction.o src/dashboard/receipt_columns.o src/dashboard/rollup_audit.o
MODULE_big = answer_eval

SQL_PARTS = \
	sql/base/header.sql sql/base/option.sql sql/base/kept.sql sql/base/tenants.sql sql/base/canonical.sql \
	sql/check/operator.sql sql/check/check.sql sql/check/composite.sql \
	sql/keys/keyring.sql \
	sql/document/receipt.sql sql/document/row_sum.sql sql/document/retention.sql sql/document/anchor.sql sql/document/receipt_page.sql \
	sql/evidence/evidence.sql sql/evidence/builtin.sql \
	sql/route/route.sql sql/route/suggest.sql \
	sql/log/log.sql sql/log/recorded.sql sql/log/log_page.sql \
	sql/reading/explain.sql \
	sql/quality/types.sql sql/quality/quality_tables.sql sql/quality/quality_functions.sql sql/quality/grants.sql \
	sql/eval/eval.sql sql/eval/show.sql \
	sql/judge/judge.sql \
	sql/ground/ground_functions.sql sql/ground/conflict.sql sql/ground/rules.sql sql/ground/decision.sql sql/ground/documents.sql sql/ground/fact.sql sql/ground/edge.sql sql/ground/sample.sql \
	sql/graph/graph_functions.sql sql/graph/graph_tables.sql sql/graph/load.sql sql/graph/search.sql sql/graph/packet.sql \
	sql/plan/plan_functions.sql sql/plan/tools.sql sql/plan/budget.sql sql/plan/memory.sql sql/plan/shipped.sql sql/plan/trace.sql sql/plan/plan_run.sql \
	sql/plan/bundle.sql \
	sql/gate/suite.sql sql/gate/suite_run.sql sql/gate/gate.sql sql/gate/config.sql sql/gate/export.sql sql/gate/baseline.sql sql/gate/tune.sql sql/gate/evolve.sql \
	sql/dashboard/rollup.sql sql/dashboard/slo.sql sql/dashboard/views.sql sql/dashboard/dashboard_page.sql \
	sql/recordable.sql sql/change.sql sql/tenant.sql sql/golden.sql sql/guard.sql
# Files that a part includes by a line `-- include FILE`.
SQL_INCLUDED = examples/golden/documents.json examples/golden/cases.json

DATA_built = sql/answer_eval--$(EXTVERSION).sql
# Update scripts, written by hand from 1.0.0 on, one per release (CONTRIBUTING.md).
DATA = $(wildcard sql/upgrade/answer_eval--*--*.sql)
# The manual, with the files that its pages link to; install-manual says where it is installed.
MANUAL = README.md CHANGELOG.md CONTRIBUTING.md LICENSE \
	$(wildcard doc/*.md doc/images/*.png doc/spec/*.md doc/spec/vectors/*.json examples/*.* examples/*/*.*)
SCRIPTS = tools/answer-graph-load
# All modules of the verifier, joined into the one file that an auditor reads and runs.
SCRIPTS_built = tools/verify/answer-verify

PG_CPPFLAGS += -I$(srcdir)/src -DANSWER_EVAL_VERSION='"$(EXTVERSION)"'
# Only functions that SQL calls are exported. compat.h supplies for 15 what later servers have.
PG_CPPFLAGS += -fvisibility=hidden
SHLIB_LINK += -lcrypto
# Headers that are generated from files which people edit, and from the catalog.
RULES_HEADERS = $(patsubst %.json,%.h,$(wildcard src/reading/shipped_rules*.json))
MADE_HEADERS = src/log/manifest.h src/document/receipt_page_texts.h $(RULES_HEADERS)
# Writes the header dependencies of each object for the next make, even if the caller sets flags of its own.
override PG_CFLAGS += -MMD -MP

# A test file is named after the directory that it tests, or begins with house_ if it tests rules for all
# directories. house_install needs a database without the extension. In one database some files see what others
# leave; run alone, each is independent (test/lib/regress.sql). The last file tests who may do what.
REGRESS_FIRST = house_install base_canonical check_operator check check_composite evidence keys document_receipt document_forget \
	document_timestamp document document_partition log eval route quality
# gate_suite leaves documents under keys of suites. Other files that read whole tables would count them.
REGRESS_LAST = gate_suite house_privilege
REGRESS = $(REGRESS_FIRST) $(filter-out $(REGRESS_FIRST) $(REGRESS_LAST),$(sort $(basename $(notdir $(wildcard test/sql/*.sql))))) $(REGRESS_LAST)
# Not the top folder, because pg_regress of 15 would take sql/NAME.sql there for a test.
REGRESS_OUTPUT ?= test
REGRESS_OPTS = --inputdir=test --outputdir=$(REGRESS_OUTPUT) --load-extension=plpgsql
EXTRA_CLEAN = $(DATA_built) $(OBJS:.o=.d) $(MADE_HEADERS)

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)
# These targets find PostgreSQL by themselves. PGXS also has a target `check`, which only says that it does
# nothing.
SCRIPTED = demo gateway one check test test-long test-matrix check-asan check-valgrind bench fuzz manifest dist
ifneq ($(filter-out $(SCRIPTED),$(or $(MAKECMDGOALS),all)),)
include $(PGXS)
else
check:
	./test/run.sh check
endif

-include $(OBJS:.o=.d)
$(OBJS): Makefile

# The manual is installed in a folder of its own, with the same subfolders, so that links between pages work. DOCS
# of PGXS would put all pages into the one folder that all extensions share. Its uninstall looks for pages and
# programs under their folders in the source.
manual = $(DESTDIR)$(docdir)/$(docmoduledir)/answer_eval
ifneq (,$(strip $(MANUAL)))
install: install-manual
uninstall: uninstall-manual
endif
install-manual:
	for folder in $(sort $(dir $(MANUAL))); do $(MKDIR_P) "$(manual)/$$folder" || exit; done
	for file in $(MANUAL); do $(INSTALL_DATA) "$(srcdir)/$$file" "$(manual)/$$file" || exit; done
uninstall-manual:
	rm -rf '$(manual)'
ifneq (,$(strip $(SCRIPTS) $(SCRIPTS_built)))
uninstall: uninstall-scripts
endif
uninstall-scripts:
	rm -f $(addprefix '$(DESTDIR)$(bindir)'/,$(notdir $(SCRIPTS) $(SCRIPTS_built)))

# Written under another name first, because make would take a file left by an interruption for complete.
sql/answer_eval--$(EXTVERSION).sql: $(SQL_PARTS) $(SQL_INCLUDED) answer_eval.control
	awk '/^-- include / { while ((got = (getline line < $$3)) > 0) print line; if (got < 0) exit 1; next } { print }' $(SQL_PARTS) > $@.part && mv $@.part $@

tools/verify/answer-verify: tools/verify/join.sh tools/verify/__init__.py $(wildcard tools/verify/*/*.py)
	sh tools/verify/join.sh >$@.part && chmod +x $@.part && mv $@.part $@

# A symbolic link. Some programs that unpack archives do not create links: PGXN's client writes a file instead.
installcheck: | test/expected/.
test/expected/.:
	rm -f test/expected && ln -s ../expected test/expected

# What the audit compares the catalog with. The lines are committed, because only a server can say what the
# catalog contains after the script has run, and a build must not need one. They must be made anew whenever sql/
# changes. The header is made from them.
src/log/catalog.o src/log/catalog.bc: src/log/manifest.h
src/log/manifest.h: sql/catalog.sha256 Makefile
	awk -F '\t' '/^[^#]/ { gsub(/\\/, "&&"); gsub(/"/, "\\\\&"); printf "{\"%s\", \"%s\", \"%s\", \"%s\"},\n", $$2, $$1, $$3, $$4 }' sql/catalog.sha256 > $@.part && mv $@.part $@

# The texts that the library contains, as C strings.
QUOTED = LC_ALL=C awk '{ gsub(/[\\"?]/, "\\\\&"); print "\"" $$0 "\\n\"" }'
PAGE_STYLE = src/document/receipt_page.css
PAGE_SCRIPTS = $(addprefix src/document/receipt_,crypto.js verify.js rules.js show.js)
src/document/receipt_page.o src/document/receipt_page.bc: src/document/receipt_page_texts.h
src/document/receipt_page_texts.h: src/document/receipt_page.html $(PAGE_STYLE) $(PAGE_SCRIPTS) Makefile
	{ echo 'static const char page_text[] =' && $(QUOTED) src/document/receipt_page.html && \
	echo '; static const char page_style[] =' && $(QUOTED) $(PAGE_STYLE) && \
	echo '; static const char page_script[] =' && $(QUOTED) $(PAGE_SCRIPTS) && echo ';'; } > $@.part && mv $@.part $@
# Rules that were shipped before are kept next to the current ones, as shipped_rules_N.json.
src/reading/decision_rules.o src/reading/decision_rules.bc: $(RULES_HEADERS)
$(RULES_HEADERS): %.h: %.json Makefile
	{ echo 'static const char $(notdir $*)[] =' && $(QUOTED) $< && echo ';'; } > $@.part && mv $@.part $@

manifest:
	./test/manifest.sh sql/catalog.sha256

# Made by git, so it has only committed files; .gitattributes lists what is left out.
DIST = answer_eval-$(EXTVERSION).zip
dist:
	@test -z "`git status --porcelain`" || { echo "commit first: a release has what is committed" >&2; exit 1; }
	git archive --format=zip --prefix=$(DIST:.zip=)/ -o $(DIST) HEAD

.PHONY: $(SCRIPTED) list-regress install-manual uninstall-manual uninstall-scripts

# For test/run.sh, which runs one of these files after those that precede it.
list-regress:
	@echo $(REGRESS)

demo:
	./examples/demo.sh

gateway:
	./examples/gateway.sh

one:
	@test -n "$(T)" || { echo "say which: make one T=sql/keys; test/run.sh test --list has the names" >&2; exit 1; }
	./test/run.sh check $(T)

test:
	./test/run.sh test

test-long:
	./test/run.sh long

test-matrix:
	./test/matrix.sh

check-asan:
	./test/asan.sh

check-valgrind:
	./test/valgrind.sh

bench:
	./test/bench/run.sh

fuzz:
	./test/fuzz/run.sh
