/*-------------------------------------------------------------------------
 *
 * compat.h
 *		Hides what differs between the server versions that this extension
 *		supports.
 *
 * They are PostgreSQL 15 to 18.  Every difference has one name here, and no
 * other file looks at PG_VERSION_NUM.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_COMPAT_H
#define ANSWER_EVAL_COMPAT_H

#if PG_VERSION_NUM < 150000
#error "answer_eval needs PostgreSQL 15 or later"
#endif

/*
 * We hide symbols (see the Makefile).  Since 16 the server's own macros make the
 * functions that SQL calls visible; for 15 we do it here.
 */
#if PG_VERSION_NUM < 160000
#include "fmgr.h"
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))
#undef PG_FUNCTION_INFO_V1
#define PG_FUNCTION_INFO_V1(funcname) \
extern PGDLLEXPORT Datum funcname(PG_FUNCTION_ARGS); \
extern PGDLLEXPORT const Pg_finfo_record * CppConcat(pg_finfo_,funcname)(void); \
const Pg_finfo_record * \
CppConcat(pg_finfo_,funcname) (void) \
{ \
	static const Pg_finfo_record my_finfo = { 1 }; \
	return &my_finfo; \
} \
extern int no_such_variable
#endif

/* Since 16 varlena macros have a header of their own. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* Since 16 stringToQualifiedNameList takes an argument for soft errors. */
#if PG_VERSION_NUM >= 160000
#define COMPAT_NAME_LIST_CONTEXT , NULL
#else
#define COMPAT_NAME_LIST_CONTEXT
#endif

/* Since 16 one function checks privileges on most kinds of objects. */
#if PG_VERSION_NUM >= 160000
#include "catalog/pg_namespace_d.h"
#include "catalog/pg_proc_d.h"
#define CompatSchemaAclcheck(schema, role, mode) \
	object_aclcheck(NamespaceRelationId, schema, role, mode)
#define CompatFunctionAclcheck(function, role, mode) \
	object_aclcheck(ProcedureRelationId, function, role, mode)
#else
#define CompatSchemaAclcheck(schema, role, mode) \
	pg_namespace_aclcheck(schema, role, mode)
#define CompatFunctionAclcheck(function, role, mode) \
	pg_proc_aclcheck(function, role, mode)
#endif

/* Since 16 all settings come in an array that is made for the caller. */
#if PG_VERSION_NUM >= 160000
#define CompatGucVariables(count) get_guc_variables(count)
#else
#define CompatGucVariables(count) (*(count) = GetNumConfigOptions(), get_guc_variables())
#endif

/* The number of this process's current transaction.  Since 17 it is in another struct. */
#if PG_VERSION_NUM >= 170000
#define CompatLocalTransactionId() (MyProc->vxid.lxid)
#else
#define CompatLocalTransactionId() (MyProc->lxid)
#endif

/* Since 18 an index scan takes an argument that says where to count for EXPLAIN. */
#if PG_VERSION_NUM >= 180000
#define CompatIndexBeginScan(table, index, snapshot, nkeys) \
	index_beginscan(table, index, snapshot, NULL, nkeys, 0)
#else
#define CompatIndexBeginScan(table, index, snapshot, nkeys) \
	index_beginscan(table, index, snapshot, nkeys, 0)
#endif

#if PG_VERSION_NUM >= 180000
#define CompatIndexBeginScanBitmap(index, snapshot, nkeys) \
	index_beginscan_bitmap(index, snapshot, NULL, nkeys)
#else
#define CompatIndexBeginScanBitmap(index, snapshot, nkeys) \
	index_beginscan_bitmap(index, snapshot, nkeys)
#endif

/*
 * Iterates over the pages of a bitmap.  Since 18 a separate call extracts a page's
 * offsets.  The count is -1 if the page is lossy, that is, if all of its rows may match.
 */
#if PG_VERSION_NUM >= 180000
#define CompatBitmapIterator TBMPrivateIterator
#define CompatBitmapPage TBMIterateResult
#define CompatBitmapBegin(bitmap) tbm_begin_private_iterate(bitmap)
#define CompatBitmapNext(iterator, page) tbm_private_iterate(iterator, page)
#define CompatBitmapBlock(page) ((page)->blockno)
#define CompatBitmapOffsets(page, offsets, max) \
	((page)->lossy ? -1 : tbm_extract_page_tuple(page, offsets, max))
#define CompatBitmapEnd(iterator) tbm_end_private_iterate(iterator)
#else
#define CompatBitmapIterator TBMIterator
#define CompatBitmapPage TBMIterateResult *
#define CompatBitmapBegin(bitmap) tbm_begin_iterate(bitmap)
#define CompatBitmapNext(iterator, page) ((*(page) = tbm_iterate(iterator)) != NULL)
#define CompatBitmapBlock(page) ((*(page))->blockno)
#define CompatBitmapOffsets(page, to, max) \
	((*(page))->ntuples < 0 ? -1 : \
	 (memcpy(to, (*(page))->offsets, sizeof(OffsetNumber) * (*(page))->ntuples), (*(page))->ntuples))
#define CompatBitmapEnd(iterator) tbm_end_iterate(iterator)
#endif

/*
 * Inserts the index entries of a new row.  A duplicate key is an error unless the caller
 * asks to be told of conflicts.  Since 16 the call can be limited to summarizing indexes;
 * since 18 the check for conflicts can ignore one row.
 */
#if PG_VERSION_NUM >= 160000
#define CompatInsertIndexTuples(result, slot, estate, conflict) \
	ExecInsertIndexTuples(result, slot, estate, false, (conflict) != NULL, conflict, NIL, false)
#else
#define CompatInsertIndexTuples(result, slot, estate, conflict) \
	ExecInsertIndexTuples(result, slot, estate, false, (conflict) != NULL, conflict, NIL)
#endif
#if PG_VERSION_NUM >= 180000
#define CompatCheckIndexConstraints(result, slot, estate, conflict) \
	ExecCheckIndexConstraints(result, slot, estate, conflict, NULL, NIL)
#else
#define CompatCheckIndexConstraints(result, slot, estate, conflict) \
	ExecCheckIndexConstraints(result, slot, estate, conflict, NIL)
#endif

/* Since 16 the function that looks up the status of a session has another name. */
#if PG_VERSION_NUM >= 160000
#define CompatLocalBackend(index) pgstat_get_local_beentry_by_index(index)
#else
#define CompatLocalBackend(index) pgstat_fetch_stat_local_beentry(index)
#endif

/* Since 18 the magic block carries the module's name and version. */
#if PG_VERSION_NUM >= 180000
#define ANSWER_EVAL_MODULE_MAGIC(name_, version_) \
	PG_MODULE_MAGIC_EXT(.name = name_, .version = version_)
#else
#define ANSWER_EVAL_MODULE_MAGIC(name_, version_) PG_MODULE_MAGIC
#endif

#endif							/* ANSWER_EVAL_COMPAT_H */
