/*-------------------------------------------------------------------------
 *
 * compat.h
 *		Hides what differs between the server versions this extension supports.
 *
 * PostgreSQL 15 to 18.  Every difference lives here under one name, so that
 * no other file asks for PG_VERSION_NUM.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_COMPAT_H
#define ANSWER_EVAL_COMPAT_H

#if PG_VERSION_NUM < 150000
#error "answer_eval needs PostgreSQL 15 or later"
#endif

/*
 * We hide symbols (see the Makefile).  From 16 on the server's own macros mark
 * what SQL calls as visible; for 15 we do.
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

/* From 16 on what a value of varying length is has a header of its own. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* From 16 on stringToQualifiedNameList takes where to report soft errors. */
#if PG_VERSION_NUM >= 160000
#define COMPAT_NAME_LIST_CONTEXT , NULL
#else
#define COMPAT_NAME_LIST_CONTEXT
#endif

/* From 16 on one function checks privileges on objects of most kinds. */
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

/* From 16 on all settings come as an array that was made for the caller. */
#if PG_VERSION_NUM >= 160000
#define CompatGucVariables(count) get_guc_variables(count)
#else
#define CompatGucVariables(count) (*(count) = GetNumConfigOptions(), get_guc_variables())
#endif

/* Numbers the transactions of this process.  From 17 on the number stands elsewhere. */
#if PG_VERSION_NUM >= 170000
#define CompatLocalTransactionId() (MyProc->vxid.lxid)
#else
#define CompatLocalTransactionId() (MyProc->lxid)
#endif

/* From 18 on a scan of an index can be told where to count for EXPLAIN. */
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

/* The pages of a bitmap, one after the other.  From 18 on the offsets of one are taken out of it apart; -1: all of them. */
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

/* Of the entries of all indexes for a new row, which raise if a key is there and nobody takes word of it: from 16 on only summaries can be asked for, from 18 on one looks for others than a row. */
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

/* From 16 on what the server knows of a session is looked up under another name. */
#if PG_VERSION_NUM >= 160000
#define CompatLocalBackend(index) pgstat_get_local_beentry_by_index(index)
#else
#define CompatLocalBackend(index) pgstat_fetch_stat_local_beentry(index)
#endif

/* From 18 on the magic block carries the module's name and version. */
#if PG_VERSION_NUM >= 180000
#define ANSWER_EVAL_MODULE_MAGIC(name_, version_) \
	PG_MODULE_MAGIC_EXT(.name = name_, .version = version_)
#else
#define ANSWER_EVAL_MODULE_MAGIC(name_, version_) PG_MODULE_MAGIC
#endif

#endif							/* ANSWER_EVAL_COMPAT_H */
