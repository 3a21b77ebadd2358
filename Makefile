# answer_eval: claims adjudicated where the data lives.
#
#   make demo              see it work, on a private throw-away server
#   make check             the inner loop: every area once, at most 3 minutes on 2 processors
#   make test              everything that must be believed, at most 6 minutes; likewise
#   make test-long         what takes its time: kills, large comparisons, fuzzing, sanitizers, other versions
#   make && make install   into the server of PG_CONFIG
#   make installcheck      pg_regress against that running server
#   make manifest          after a change of sql/: what the audit expects of the catalog

EXTENSION = answer_eval
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" answer_eval.control)

# The rooms, in the order in which they build on each other (doc/architecture.md).
OBJS = \
	src/module.o \
	src/jsonview.o \
	src/argument.o \
	src/sha256.o \
	src/canonical.o \
	src/instant.o \
	src/vocabulary.o \
	src/operator.o \
	src/check.o \
	src/grade.o \
	src/output.o \
	src/rules.o \
	src/assess.o \
	src/composite.o \
	src/request.o \
	src/question.o \
	src/pattern.o \
	src/route.o \
	src/confidence.o \
	src/deadline.o \
	src/query.o \
	src/binding.o \
	src/settle.o \
	src/snapshot.o \
	src/evidence.o \
	src/signature.o \
	src/timestamp.o \
	src/anchor.o \
	src/kind.o \
	src/verify.o \
	src/forget.o \
	src/receipt.o \
	src/change.o \
	src/router.o \
	src/envelope.o \
	src/merkle.o \
	src/checkpoint.o \
	src/proof.o \
	src/mark.o \
	src/log.o \
	src/audit.o \
	src/catalog.o \
	src/state.o \
	src/eval.o \
	src/quality.o \
	src/kinds.o
MODULE_big = answer_eval

SQL_ROOMS = \
	sql/header.sql \
	sql/canonical.sql \
	sql/operator.sql \
	sql/check.sql \
	sql/composite.sql \
	sql/evidence.sql \
	sql/signature.sql \
	sql/receipt.sql \
	sql/timestamp.sql \
	sql/log.sql \
	sql/eval.sql \
	sql/builtin.sql \
	sql/route.sql \
	sql/quality.sql \
	sql/show.sql \
	sql/change.sql \
	sql/guard.sql

DATA_built = sql/answer_eval--$(EXTVERSION).sql
# Written by hand from 1.0.0 on, one a release (CONTRIBUTING.md).
DATA = $(wildcard sql/upgrade/answer_eval--*--*.sql)
DOCS = $(wildcard doc/*.md)
SCRIPTS = tools/answer-verify

PG_CPPFLAGS += -DANSWER_EVAL_VERSION='"$(EXTVERSION)"'
# Only what SQL calls is exported; compat.h does for 15 what later servers do.
PG_CPPFLAGS += -fvisibility=hidden
SHLIB_LINK += -lcrypto

# These in this order, for one or the other needs what an earlier one has made; then any other file; at the end who may do what.
REGRESS_FIRST = install canonical operator check composite evidence signature receipt forget timestamp document log eval route quality
REGRESS_LAST = privilege
REGRESS = $(REGRESS_FIRST) $(filter-out $(REGRESS_FIRST) $(REGRESS_LAST),$(sort $(basename $(notdir $(wildcard test/sql/*.sql))))) $(REGRESS_LAST)
# Not the top folder: pg_regress of 15 would take sql/NAME.sql there for a test.
REGRESS_OUTPUT ?= test
REGRESS_OPTS = --inputdir=test --outputdir=$(REGRESS_OUTPUT) --load-extension=plpgsql
EXTRA_CLEAN = $(DATA_built)

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)
# These look after PostgreSQL by themselves. PGXS has a target `check` of its own, which says that there is none.
SCRIPTED = demo check test test-long test-matrix check-asan check-valgrind bench fuzz manifest
ifneq ($(filter-out $(SCRIPTED),$(or $(MAKECMDGOALS),all)),)
include $(PGXS)
else
check:
	./test/run.sh check
endif

$(OBJS): $(wildcard src/*.h)

# Under another name until it is complete: make takes what an interruption left for done.
sql/answer_eval--$(EXTVERSION).sql: $(SQL_ROOMS) answer_eval.control
	cat $(SQL_ROOMS) > $@.part && mv $@.part $@

# What the audit holds the catalog against; to be made anew whenever sql/ changes.
manifest:
	./test/manifest.sh src/manifest.h

.PHONY: $(SCRIPTED) list-regress

# For test/run.sh, which runs one of them after those that come before it.
list-regress:
	@echo $(REGRESS)

demo:
	./examples/demo.sh

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
