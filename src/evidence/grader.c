/*-------------------------------------------------------------------------
 *
 * grader.c
 *		Calls graders, which say how good a raw result is.
 *
 * Rule: doc/spec/quality.md §2. grade.c grades results of the shipped tools.
 * Functions that users registered grade those of other tools.
 *
 * Promises: a user's grader runs with the rights of the caller, by its
 * registered name, and only while it has the same owner.  No grader can give
 * Verified.  When a fact is made, a grader's failure is contained like a
 * tool's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "base/funcargs.h"
#include "base/owner.h"
#include "evidence/bound_function.h"
#include "evidence/grade.h"
#include "evidence/grader.h"
#include "evidence/handler_settings.h"

static _Noreturn void
BadGrade(const char *grader, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("grader %s returned %s", grader, what)));
}

/* Returns the result type of graders, that of answer.grade, whatever the extension's schema is. */
static Oid
GradedType(Oid *quality, Oid *strength)
{
	static const Oid types[] = {TEXTOID, JSONBOID};
	Oid			function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum("grade"),
										   PointerGetDatum(buildoidvector(types, lengthof(types))),
										   ObjectIdGetDatum(AnswerSchema()));
	Oid			type = get_func_rettype(function);
	Oid			row = get_typ_typrelid(type);

	*quality = get_atttype(row, get_attnum(row, "quality"));
	*strength = get_atttype(row, get_attnum(row, "strength"));
	return type;
}

/* Converts a value of a SQL enum to the C enum; -1 if it is null. */
static int
GradedWord(Datum value, bool isnull, Oid type, VocabularyLabels labels)
{
	Vocabulary	vocabulary = {0};

	if (isnull)
		return -1;
	VocabularyLookup(&vocabulary, type, labels);
	return VocabularyIndex(&vocabulary, DatumGetObjectId(value));
}

static Span
GradedText(Datum value, bool isnull)
{
	return isnull ? (Span) {"", 0} : Utf8OfText(DatumGetTextPCopy(value));
}

/*
 * Calls a user's grader for an observation, with the rights of the caller or, if it is
 * a tenant's, of the role that registered it.  The result is in the caller's memory
 * context.
 */
void
GraderCall(const Grader *registered, Jsonb *observation, Graded *graded)
{
	Oid			quality_type;
	Oid			strength_type;
	Oid			type = GradedType(&quality_type, &strength_type);
	const char *grader = registered->name;
	Oid			function;
	int			level = SettleSettings();
	HeapTupleData tuple;
	TupleDesc	desc;
	Datum		row;
	Datum		values[4];
	bool		nulls[4];
	bool		isnull;
	Oid			user;
	int			rights;
	int			quality;
	int			strength;

	(void) SettleHandler(grader, false);
	BoundRightsTake(registered->tenant, registered->registered_by, &user, &rights);
	function = BoundFunction(grader, registered->owner, type);
	row = BoundCall(function, JsonbPGetDatum(observation), &isnull);
	AtEOXact_GUC(false, level);
	SetUserIdAndSecContext(user, rights);	/* in case it took another role: see deadline.c */
	if (isnull)
		BadGrade(grader, "no quality");
	tuple.t_data = DatumGetHeapTupleHeader(row);
	tuple.t_len = HeapTupleHeaderGetDatumLength(tuple.t_data);
	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(tuple.t_data),
								  HeapTupleHeaderGetTypMod(tuple.t_data));
	if (HeapTupleHeaderGetTypeId(tuple.t_data) != type || desc->natts != 4 ||
		TupleDescAttr(desc, 0)->atttypid != TEXTOID ||
		TupleDescAttr(desc, 1)->atttypid != quality_type ||
		TupleDescAttr(desc, 2)->atttypid != strength_type ||
		TupleDescAttr(desc, 3)->atttypid != TEXTOID)
		BadGrade(grader, "something else than answer_graded");
	heap_deform_tuple(&tuple, desc, values, nulls);
	ReleaseTupleDesc(desc);
	graded->class_name = GradedText(values[0], nulls[0]);
	graded->reason = GradedText(values[3], nulls[3]);
	quality = GradedWord(values[1], nulls[1], quality_type, quality_labels);
	strength = GradedWord(values[2], nulls[2], strength_type, strength_labels);
	if (quality < 0)
		BadGrade(grader, "no quality");
	if (quality == QUALITY_VERIFIED)
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("grader %s returned Verified", grader),
				 errdetail("A tool reaches Strong at most; Verified is derived from several entries.")));
	graded->quality = (Quality) quality;
	graded->strength = (Strength) Max(strength, 0);
}

/* A grader's call whose failure is contained. */
typedef struct ContainedGrade
{
	Grader		grader;
	Jsonb	   *observation;
	Quality		quality;
} ContainedGrade;

static void
GradeContained(void *arg)
{
	ContainedGrade *contained = arg;
	Graded		graded;

	GraderCall(&contained->grader, contained->observation, &graded);
	contained->quality = graded.quality;
}

/*
 * Finds the quality of a raw result.  Returns false if the tool has no grader.  If the
 * grader does not accept it as an observation, the quality is None.  For our own tools
 * about graded or derived results, the result itself has the quality.
 */
bool
FactQuality(const Tool *tool, const JsonView *raw, const CallTerms *terms, Quality *quality)
{
	Grade		grade;
	GradeError	error;
	Span		word;
	int			index;

	*quality = QUALITY_NONE;
	if (tool->builtin)
	{
		if (!JsonViewGetString(raw, "quality", &word))
			return false;
		index = VocabularyByLabel(quality_labels, word.str, word.len);
		*quality = (Quality) Max(index, 0);
		return index >= 0;
	}
	if (!tool->graded)
		return false;
	if (raw->type == JVIEW_ABSENT)
		return true;
	if (tool->grader)
	{
		ContainedGrade contained = {.grader = {tool->grader, tool->grader_owner, tool->grader_tenant, tool->grader_by},
			.observation = JsonViewToJsonb(raw, false)};
		CallFailure failure;

		if (CallContained(GradeContained, &contained, terms->deadline, terms->deadline_ms,
						  &failure))
			*quality = contained.quality;
		else
			ToolLogFailure(tool, "grader of tool", &failure);
	}
	else if (GradeObservation(tool->name, raw, &grade, &error) == GRADE_OK)
		*quality = grade.quality;
	return true;
}
