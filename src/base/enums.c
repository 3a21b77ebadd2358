/*-------------------------------------------------------------------------
 *
 * enums.c
 *		The closed vocabularies: C enums and the SQL enums that mirror them.
 *
 * A value of a SQL enum is an OID that differs between databases.  So each
 * function looks its labels up once and keeps them with its call site.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_enum.h"
#include "utils/syscache.h"

#include "base/enums.h"

VocabularyLabels outcome_labels =
{
	"holds", "fails", "not_evaluable", NULL
};

VocabularyLabels verdict_labels =
{
	"supported", "contradicted", "value", "not_evaluable",
	"evidence_unavailable", "outside_evidence_coverage", "not_checked", NULL
};

VocabularyLabels composite_labels =
{
	"supported", "contradicted", "insufficient_evidence", "evidenced",
	"outside_evidence_coverage", NULL
};

VocabularyLabels quality_labels =
{
	"None", "Weak", "Moderate", "Strong", "Verified", NULL
};

VocabularyLabels strength_labels =
{
	"None", "Low", "Medium", "High", NULL
};

VocabularyLabels gap_labels =
{
	"missing", "weak", "unverified", NULL
};

/* Returns the kind of gap if this quality is reached and more is needed. */
GapKind
GapOfQuality(Quality have)
{
	if (have == QUALITY_NONE)
		return GAP_MISSING;
	return have == QUALITY_STRONG ? GAP_UNVERIFIED : GAP_WEAK;
}

/*
 * Fills in the OIDs, unless they are there already.  "type" is set only when all are
 * there: a missing label raises an error, some vocabularies live as long as the
 * session, and a type OID that was in use before can be reused.
 */
void
VocabularyLookup(Vocabulary *vocabulary, Oid type, VocabularyLabels labels)
{
	if (vocabulary->type == type)
		return;
	vocabulary->type = InvalidOid;
	for (int i = 0; labels[i] != NULL; i++)
	{
		HeapTuple	tuple = SearchSysCache2(ENUMTYPOIDNAME, ObjectIdGetDatum(type),
											CStringGetDatum(labels[i]));

		if (!HeapTupleIsValid(tuple))
			elog(ERROR, "enum %u has no label \"%s\"", type, labels[i]);
		vocabulary->oids[i] = ((Form_pg_enum) GETSTRUCT(tuple))->oid;
		ReleaseSysCache(tuple);
	}
	vocabulary->type = type;
}

/* Returns the value of the C enum for an OID. */
int
VocabularyIndex(const Vocabulary *vocabulary, Oid value)
{
	for (int i = 0; i < VOCABULARY_MAX; i++)
	{
		if (vocabulary->oids[i] == value)
			return i;
	}
	elog(ERROR, "%u is no value of enum %u", value, vocabulary->type);
}

/* Returns the value of the C enum for a label, or -1. */
int
VocabularyByLabel(VocabularyLabels labels, const char *label, int len)
{
	for (int i = 0; labels[i] != NULL; i++)
	{
		if (strlen(labels[i]) == (size_t) len && memcmp(labels[i], label, len) == 0)
			return i;
	}
	return -1;
}

/* For functions that use fn_extra only for this vocabulary. */
Oid
VocabularyOid(FunctionCallInfo fcinfo, Oid type, VocabularyLabels labels, int value)
{
	Vocabulary *vocabulary = fcinfo->flinfo->fn_extra;

	if (vocabulary == NULL)
	{
		vocabulary = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(Vocabulary));
		fcinfo->flinfo->fn_extra = vocabulary;
	}
	VocabularyLookup(vocabulary, type, labels);
	return vocabulary->oids[value];
}
