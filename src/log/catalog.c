/*-------------------------------------------------------------------------
 *
 * catalog.c
 *		Compares the extension's objects in the catalog with those that were
 *		shipped.
 *
 * Triggers, constraints and functions guard what is stored.  Queries read it, and a
 * policy, a rule, or a view instead of a table could answer them with something else.
 * So an audit begins with these objects.  It describes each object in one line of
 * text, and compares the SHA-256 of that line with the one that the library was built
 * with.  That is in manifest.h, which make writes from sql/catalog.sha256, which
 * test/manifest.sh makes with the same query.  The database cannot change the
 * library.  The library does not have the lines themselves; to see what a line should
 * be, create the extension in another database.
 *
 * A line has what PostgreSQL 15 to 18 show in the same way.  They print views and
 * bodies of SQL functions differently.  So of these only the words are compared,
 * without qualification, and the objects that they depend on (before 16, a view also
 * depends on itself).  Since 18 a NOT NULL is a constraint, too; here it is part of
 * its column.  Nor does a line depend on the session: see ForgetSettings.
 *
 * A partition of answer.receipt that answer_receipt_partition() made is not in the
 * manifest.  It is compared with its parent and with what the function makes.  Each
 * difference gives a line; without a difference there is none.
 *
 * Promises: reads nothing but the catalog.  Raises an error only for row security
 * that hides rows from the role that audits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "base/grow.h"
#include "base/sha256.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "log/catalog.h"
#include "log/log_table.h"
#include "log/audit_part.h"

#define SCHEMA_MARK		"@extschema@"
#define MAX_SHOWN		200		/* bytes of a line to show at most */

/*
 * The extension's objects, and what belongs to them.  "relation" has every table that is
 * compared with the manifest; "part" every partition, of answer.receipt or of a table
 * that somebody has partitioned; "made" the partitions of receipts that somebody made,
 * which are compared with what the function makes.
 */
#define OBJECTS \
"ours AS (SELECT e.oid, e.extnamespace AS place, e.extversion AS version," \
" 'answer'::regnamespace::oid AS answer FROM pg_extension e WHERE e.extname = 'answer_eval')," \
" member AS (SELECT d.classid, d.objid FROM pg_depend d, ours" \
" WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = ours.oid AND d.deptype = 'e')," \
" part AS (SELECT r.oid AS root, 'answer.' || quote_ident(r.relname) AS name, r.relname = 'receipt' AS has_receipts, c.oid, c.relkind, c.relpersistence, c.relowner, c.relacl," \
"  c.relhastriggers, c.relhasindex, c.relchecks, EXISTS (SELECT FROM member m WHERE m.classid = 'pg_class'::regclass AND m.objid = c.oid) AS is_member" \
"  FROM ours, pg_class r, pg_partition_tree(r.oid) p JOIN pg_class c ON c.oid = p.relid WHERE r.relnamespace = ours.answer AND r.relkind = 'p' AND p.level > 0)," \
" relation AS (SELECT c.*, 'answer.' || quote_ident(c.relname) AS name FROM pg_class c, ours" \
" WHERE c.relnamespace = ours.answer AND c.relkind NOT IN ('i', 'I', 't')" \
" AND c.oid NOT IN (SELECT oid FROM part WHERE has_receipts AND NOT is_member))," \
" made AS (SELECT p.oid, format('partition %s of %s', p.oid::regclass, p.name) AS name, p.root, p.relkind, p.relowner, p.relacl FROM part p WHERE p.has_receipts AND NOT p.is_member)"

/*
 * Every stored expression of an object of ours: its object, the tree that the server
 * executes, the relation that it may name because it belongs to it, and whether it is
 * of an index made on request.
 */
static const char tree_query[] =
OBJECTS ","
" place AS (SELECT oid, name FROM relation UNION ALL SELECT oid, name FROM made)"
" SELECT 'relation ' || r.name, w.ev_action::text, r.oid, false FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid WHERE r.relkind = 'v' AND w.rulename = '_RETURN'"
" UNION ALL SELECT format('rule %I on %s', w.rulename, r.name), w.ev_action::text || w.ev_qual::text, r.oid, false FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid WHERE r.relkind <> 'v' OR w.rulename <> '_RETURN'"
" UNION ALL SELECT format('index %I on %s', c.relname, r.name), concat(i.indexprs::text, i.indpred::text), 0,"
"  EXISTS (SELECT FROM on_request q WHERE q.relation = r.name AND quote_ident(c.relname) LIKE q.index)"
"  FROM place r JOIN pg_index i ON i.indrelid = r.oid JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL"
" UNION ALL SELECT format('statistics %I on %s', x.stxname, r.name), x.stxexprs::text, 0, false FROM place r JOIN pg_statistic_ext x ON x.stxrelid = r.oid WHERE x.stxexprs IS NOT NULL"
" UNION ALL SELECT format('constraint %I on %s', k.conname, r.name), k.conbin::text, 0, false FROM place r JOIN pg_constraint k ON k.conrelid = r.oid WHERE k.conbin IS NOT NULL"
" UNION ALL SELECT format('trigger %I on %s', t.tgname, r.name), t.tgqual::text, 0, false FROM place r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE t.tgqual IS NOT NULL"
" UNION ALL SELECT format('policy %I on %s', p.polname, r.name), concat(p.polqual::text, p.polwithcheck::text), 0, false FROM relation r JOIN pg_policy p ON p.polrelid = r.oid"
" UNION ALL SELECT format('default of %s.%I', r.name, a.attname), d.adbin::text, 0, false FROM place r JOIN pg_attribute a ON a.attrelid = r.oid JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum"
" UNION ALL SELECT format('function %s.%I(%s)', p.pronamespace::regnamespace, p.proname, pg_get_function_identity_arguments(p.oid)), concat(p.prosqlbody::text, p.proargdefaults::text), 0, false"
"  FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid WHERE p.prosqlbody IS NOT NULL OR p.proargdefaults IS NOT NULL";

/*
 * One line per object: its kind and name, and its definition.  The parts that are
 * compared by their words are in separate columns: see LineState().
 */
static const char line_query[] =
OBJECTS ","
/* without the indexes' names, which depend on the partition's */
" shipped_index AS (SELECT substring(pg_get_indexdef(i.indexrelid) FROM ' USING .*') AS definition, i.indisunique FROM part p JOIN pg_index i ON i.indrelid = p.oid WHERE p.has_receipts AND p.is_member),"
" made_index AS (SELECT m.oid, m.name, i.indexrelid, substring(pg_get_indexdef(i.indexrelid) FROM ' USING .*') AS definition, i.indisunique,"
"  i.indisvalid AND i.indisready AND i.indislive AND i.indimmediate AS good FROM made m JOIN pg_index i ON i.indrelid = m.oid),"
" policy AS (SELECT p.polrelid, p.polname, format('%s, permissive %s, of %s: using ', p.polcmd, p.polpermissive,"
"  (SELECT array_agg(o::regrole ORDER BY o) FROM unnest(p.polroles) o)) AS state,"
"  coalesce(pg_get_expr(p.polqual, p.polrelid), '') AS reads, coalesce(pg_get_expr(p.polwithcheck, p.polrelid), '') AS writes FROM pg_policy p),"
/* our types, and arrays of them */
" kin AS (SELECT unnest(ARRAY[t.oid, t.typarray]) AS oid FROM pg_type t WHERE t.oid IN (SELECT objid FROM member WHERE classid = 'pg_type'::regclass)"
"  OR t.typrelid IN (SELECT oid FROM relation) AND t.typrelid <> 0)"

" SELECT 'relation ' || r.name, format('kind %s, persistence %s, row security %s %s, children %s, part %s, extension %s%s',"
"  CASE r.relkind WHEN 'p' THEN 'r' ELSE r.relkind END, r.relpersistence, r.relrowsecurity, r.relforcerowsecurity,"
"  CASE WHEN r.relkind = 'p' THEN 0 ELSE (SELECT count(*) FROM pg_inherits i WHERE i.inhparent = r.oid) END,"
"  EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = r.oid),"
"  EXISTS (SELECT FROM member m WHERE m.classid = 'pg_class'::regclass AND m.objid = r.oid),"
/* flags that make the server ignore what is there */
"  CASE WHEN NOT r.relhastriggers AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = r.oid) THEN ', its triggers do not fire' ELSE '' END"
"  || CASE WHEN NOT r.relhasindex AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = r.oid) THEN ', its indexes are not used' ELSE '' END"
"  || CASE WHEN r.relchecks <> (SELECT count(*) FROM pg_constraint k WHERE k.conrelid = r.oid AND k.contype = 'c') THEN ', its checks are not made' ELSE '' END"
"  || CASE WHEN r.relkind = 'p' AND r.relname = 'receipt' THEN ', by ' || pg_get_partkeydef(r.oid) ELSE '' END"
"  || CASE r.relkind WHEN 'v' THEN coalesce(' with ' || r.reloptions::text, '') || ': ' ELSE '' END), CASE r.relkind WHEN 'v' THEN pg_get_viewdef(r.oid) END, NULL"
" FROM relation r"

" UNION ALL SELECT format('policy %I on %s', p.polname, r.name), p.state, p.reads, p.writes FROM relation r JOIN policy p ON p.polrelid = r.oid"
" UNION ALL SELECT format('policy %I on %s', c.polname, m.name), c.state, c.reads, c.writes FROM made m JOIN policy c ON c.polrelid = m.oid"
"  WHERE NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = m.root AND p.polname = c.polname)"

" UNION ALL SELECT format('function %I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),"
"  format('%s(%s) returns %s, kind %s, volatile %s, strict %s, definer %s, leakproof %s, parallel %s, cost %s, rows %s, settings %s, extension %s%s%s%s: %s',"
"   l.lanname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), p.prokind, p.provolatile, p.proisstrict, p.prosecdef,"
"   p.proleakproof, p.proparallel, p.procost, p.prorows, p.proconfig,"
"   p.oid IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass), ' in ' || p.probin,"
"   (SELECT format(', steps %s %s %s %s %s %s %s %s %s', g.aggtransfn::regproc, g.aggfinalfn::regproc, g.aggcombinefn::regproc, g.aggserialfn::regproc,"
"    g.aggdeserialfn::regproc, g.aggmtransfn::regproc, g.aggtranstype::regtype, g.agginitval, g.aggkind) FROM pg_aggregate g WHERE p.prokind = 'a' AND g.aggfnoid = p.oid),"
"   ', support ' || nullif(p.prosupport::regproc::text, '-'), CASE WHEN p.prosqlbody IS NULL THEN p.prosrc END), pg_get_function_sqlbody(p.oid), NULL"
" FROM ours, pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang"
" WHERE p.oid IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass) OR p.pronamespace = ours.answer"
" OR p.pronamespace = ours.place AND p.proname IN"
"  (SELECT q.proname FROM pg_proc q JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = q.oid)"

" UNION ALL SELECT o.object, o.state, NULL, NULL FROM ("
"SELECT 'dump of ' || r.name, CASE WHEN r.relkind = 'p' THEN 'all rows' WHEN d.id IS NULL THEN 'no rows' ELSE coalesce(nullif(d.condition, ''), 'all rows') END"
" FROM relation r LEFT JOIN (SELECT x.id, x.condition FROM pg_extension e, unnest(e.extconfig, e.extcondition) x (id, condition) WHERE e.extname = 'answer_eval') d ON d.id = r.oid"
" WHERE r.relkind IN ('r', 'p')"

" UNION ALL SELECT * FROM (SELECT format('partition %s of %s', p.oid::regclass, p.name), concat_ws(', ', CASE WHEN p.relkind = 'f' THEN 'it is a foreign table' END,"
"  CASE WHEN p.relpersistence <> 'p' THEN 'it is not logged' END,"
"  CASE WHEN NOT p.relhastriggers AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = p.oid) THEN 'its triggers do not fire' END,"
"  CASE WHEN NOT p.relhasindex AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = p.oid) THEN 'its indexes are not used' END,"
"  CASE WHEN p.relchecks <> (SELECT count(*) FROM pg_constraint k WHERE k.conrelid = p.oid AND k.contype = 'c') THEN 'its checks are not made' END) AS state FROM part p) p WHERE p.state <> ''"
" UNION ALL SELECT format('index%s on %s', s.definition, m.name), 'it is not there, or not valid' FROM made m, shipped_index s"
"  WHERE NOT EXISTS (SELECT FROM made_index i WHERE i.oid = m.oid AND i.good AND i.definition = s.definition AND i.indisunique = s.indisunique)"
" UNION ALL SELECT format('index %I on %s', c.relname, i.name), pg_get_indexdef(i.indexrelid) FROM made_index i JOIN pg_class c ON c.oid = i.indexrelid"
"  WHERE NOT EXISTS (SELECT FROM shipped_index s WHERE s.definition = i.definition AND s.indisunique = i.indisunique)"
" UNION ALL SELECT format('constraint %I on %s', k.conname, m.name), pg_get_constraintdef(k.oid) FROM made m JOIN pg_constraint k ON k.conrelid = m.oid WHERE k.contype NOT IN ('n', 't', 'p') AND k.coninhcount = 0"
" UNION ALL SELECT format('statistics %I on %s', x.stxname, m.name), pg_get_statisticsobjdef(x.oid) FROM made m JOIN pg_statistic_ext x ON x.stxrelid = m.oid"
" UNION ALL SELECT format('samples of bodies in %s', m.name), 'the planner keeps them' FROM made m JOIN pg_attribute a ON a.attrelid = m.oid WHERE a.attname = 'body' AND coalesce(a.attstattarget, -1) <> 0"
" UNION ALL SELECT format('trigger %I on partition %s of %s', t.tgname, p.oid::regclass, p.name), 'it is not there, or does not fire' FROM part p JOIN pg_trigger t ON t.tgrelid = p.root AND NOT t.tgisinternal AND (t.tgtype & 1 = 1 OR p.has_receipts)"
"  WHERE NOT EXISTS (SELECT FROM pg_trigger c WHERE c.tgrelid = p.oid AND c.tgfoid = t.tgfoid AND c.tgtype = t.tgtype AND c.tgenabled = t.tgenabled AND c.tgqual IS NULL)"
" UNION ALL SELECT format('trigger %I on partition %s of %s', t.tgname, p.oid::regclass, p.name), pg_get_triggerdef(t.oid) FROM part p JOIN pg_trigger t ON t.tgrelid = p.oid"
"  WHERE t.tgfoid >= 16384 AND NOT EXISTS (SELECT FROM pg_trigger c WHERE c.tgrelid = p.root AND c.tgfoid = t.tgfoid)"
" UNION ALL SELECT format('rule %I on partition %s of %s', w.rulename, p.oid::regclass, p.name), pg_get_ruledef(w.oid) FROM part p JOIN pg_rewrite w ON w.ev_class = p.oid"
" UNION ALL SELECT format('row security on %s', m.name), 'it is not as on the parent' FROM made m JOIN pg_class c ON c.oid = m.oid JOIN pg_class r ON r.oid = m.root"
"  WHERE c.relrowsecurity <> r.relrowsecurity OR c.relforcerowsecurity <> r.relforcerowsecurity"
" UNION ALL SELECT format('policy %I on %s', p.polname, m.name), 'it is not there, or not as on the parent' FROM made m JOIN policy p ON p.polrelid = m.root"
"  WHERE NOT EXISTS (SELECT FROM policy c WHERE c.polrelid = m.oid AND c.polname = p.polname AND (c.state, c.reads, c.writes) = (p.state, p.reads, p.writes))"

" UNION ALL SELECT format('%s %s.%I', k.kind, r.name, a.attname), CASE k.kind WHEN 'column' THEN"
"  format('%s%s', format_type(a.atttypid, a.atttypmod),"
"   ' collation ' || nullif(l.collname::text, 'default'))"
"  ELSE format('%s%s%s%s%s%s', CASE WHEN a.attnotnull THEN 'not null' ELSE 'null' END,"
"   CASE WHEN (a.attrelid, a.attnum) IN (SELECT k.conrelid, unnest(k.conkey) FROM pg_constraint k WHERE k.contype = 'n' AND NOT k.convalidated) THEN ', not valid' END,"
"   ' identity ' || nullif(a.attidentity::text, ''), ' generated ' || nullif(a.attgenerated::text, ''),"
"   ' default ' || (SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d WHERE a.atthasdef AND d.adrelid = a.attrelid AND d.adnum = a.attnum),"
"   CASE WHEN a.attstattarget = 0 THEN ', no samples' END) END"
" FROM (VALUES ('column'), ('what goes into column')) k (kind), relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped"
"  LEFT JOIN pg_collation l ON l.oid = a.attcollation WHERE r.relkind <> 'S' AND (k.kind = 'column' OR r.relkind <> 'v')"

" UNION ALL SELECT format('constraint %I on %s', k.conname, r.name), format('%s, valid %s', pg_get_constraintdef(k.oid), k.convalidated)"
" FROM relation r JOIN pg_constraint k ON k.conrelid = r.oid WHERE k.contype NOT IN ('n', 't')"

" UNION ALL SELECT format('index %I on %s', c.relname, r.name), format('%s, valid %s %s %s, at once %s', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisready, i.indislive, i.indimmediate)"
" FROM relation r JOIN pg_index i ON i.indrelid = r.oid JOIN pg_class c ON c.oid = i.indexrelid"
" WHERE NOT i.indisvalid OR NOT EXISTS (SELECT FROM on_request q WHERE q.relation = r.name AND pg_get_indexdef(i.indexrelid) ~ q.definition)"

" UNION ALL SELECT format('trigger %I on %s', t.tgname, r.name), format('%s, enabled %s', pg_get_triggerdef(t.oid), t.tgenabled)"
" FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT t.tgisinternal OR t.tgfoid >= 16384"

" UNION ALL SELECT format('statistics %I on %s', x.stxname, r.name), pg_get_statisticsobjdef(x.oid) FROM relation r JOIN pg_statistic_ext x ON x.stxrelid = r.oid"

" UNION ALL SELECT format('rule %I on %s', w.rulename, r.name), pg_get_ruledef(w.oid)"
" FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid WHERE w.rulename <> '_RETURN' OR r.relkind NOT IN ('v', 'm')"

/* a cast of our types is called wherever a query writes them as text or json */
" UNION ALL SELECT format('cast from %s to %s', format_type(c.castsource, NULL), format_type(c.casttarget, NULL)), format('%s %s %s', c.castfunc::regprocedure, c.castcontext, c.castmethod)"
" FROM pg_cast c WHERE c.castsource IN (SELECT oid FROM kin) OR c.casttarget IN (SELECT oid FROM kin)"
" UNION ALL SELECT format('operator class %s %s.%I for type %s', a.amname, o.opcnamespace::regnamespace, o.opcname, format_type(o.opcintype, NULL)), format('default %s', o.opcdefault)"
" FROM pg_opclass o JOIN pg_am a ON a.oid = o.opcmethod JOIN member m ON m.classid = 'pg_type'::regclass AND m.objid = o.opcintype"

/* who else may change tables, or call what was revoked; a missing privilege is no finding */
" UNION ALL SELECT DISTINCT format('right of %s to %s relation %s', CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END, g.privilege_type, r.name), ''"
" FROM (SELECT oid, name, relowner, relacl FROM relation UNION ALL SELECT oid, name, relowner, relacl FROM made) r LEFT JOIN pg_attribute a ON a.attrelid = r.oid AND a.attacl IS NOT NULL,"
"  LATERAL (SELECT * FROM aclexplode(r.relacl) UNION ALL SELECT * FROM aclexplode(a.attacl)) g"
" WHERE g.grantee <> r.relowner AND g.privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER')"
" UNION ALL SELECT format('right of %s to CREATE in schema answer', CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END), ''"
" FROM ours JOIN pg_namespace n ON n.oid = ours.answer, aclexplode(n.nspacl) g WHERE g.grantee <> n.nspowner AND g.privilege_type = 'CREATE'"
" UNION ALL SELECT format('right of PUBLIC to EXECUTE function %s.%I(%s)', p.pronamespace::regnamespace, p.proname, pg_get_function_identity_arguments(p.oid)), ''"
" FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g WHERE g.grantee = 0"

" UNION ALL SELECT format('event trigger %I', t.evtname), format('%s on %s', t.evtfoid::regprocedure, t.evtevent) FROM pg_event_trigger t"
" WHERE t.evtenabled <> 'D' AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_event_trigger'::regclass AND d.objid = t.oid AND d.deptype = 'e')"
" UNION ALL SELECT format('event trigger %I', t.evtname), format('%s on %s of %s, enabled %s', t.evtfoid::regprocedure, t.evtevent, array_to_string(t.evttags, ', '), t.evtenabled)"
" FROM pg_event_trigger t JOIN member m ON m.classid = 'pg_event_trigger'::regclass AND m.objid = t.oid"

" UNION ALL SELECT 'type ' || format_type(t.oid, NULL), format('%s by %s %s%s%s', t.typtype, t.typinput, t.typoutput,"
"  (SELECT ' ' || string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid),"
"  (SELECT ' ' || string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum)"
"   FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped))"
" FROM member m JOIN pg_type t ON m.classid = 'pg_type'::regclass AND m.objid = t.oid"
" WHERE t.typtype IN ('e', 'd', 'r', 'b') AND t.typelem = 0 OR t.typtype = 'c' AND EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c')"

/* what would let a session's changes bypass the triggers */
" UNION ALL SELECT format('setting session_replication_role of %s', coalesce('role ' || quote_ident(a.rolname), 'every role')), 'set'"
" FROM pg_db_role_setting s LEFT JOIN pg_roles a ON a.oid = s.setrole"
" WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))"
" AND EXISTS (SELECT FROM unnest(s.setconfig) c WHERE lower(split_part(c, '=', 1)) = 'session_replication_role')"
" UNION ALL SELECT 'setting session_replication_role of the server, or of who audits', s.reset_val FROM pg_settings s WHERE s.name = 'session_replication_role' AND s.reset_val <> 'origin'"

") o (object, state)";

/*
 * Returns a query for the rows that the script inserts into tables and marks as the
 * extension's, for every table that has such a mark, as its directory declares.
 */
static char *
SeedQuery(void)
{
	return psprintf("SELECT format('row %%s of answer.%%s', s.name, s.place) COLLATE \"C\", s.state FROM (%s) s (place, name, state)",
					AuditPartsUnion(offsetof(AuditPart, shipped)));
}

#define SEED_OBJECT		"row "
#define RIGHT_OBJECT	"right of "

/* Objects that do not have the same owner as the others. */
static const char owner_query[] =
"WITH ours AS (SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid"
" WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'answer_eval'),"
" owned AS (SELECT 'relation answer.' || quote_ident(c.relname) AS object, c.relowner AS owner FROM pg_class c"
"  WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind IN ('r', 'p', 'v')"
" UNION ALL SELECT format('partition %s of answer.receipt', c.oid::regclass), c.relowner FROM pg_partition_tree('answer.receipt') p JOIN pg_class c ON c.oid = p.relid"
"  WHERE c.relnamespace <> 'answer'::regnamespace"
" UNION ALL SELECT format('function %s.%I', p.pronamespace::regnamespace, p.proname), p.proowner FROM pg_proc p JOIN ours o ON o.classid = 'pg_proc'::regclass AND o.objid = p.oid"
" UNION ALL SELECT 'type ' || format_type(t.oid, NULL), t.typowner FROM pg_type t JOIN ours o ON o.classid = 'pg_type'::regclass AND o.objid = t.oid WHERE t.typtype = 'e'"
" UNION ALL SELECT 'schema answer', n.nspowner FROM pg_namespace n WHERE n.nspname = 'answer'),"
" most AS (SELECT owner FROM owned GROUP BY owner ORDER BY count(*) DESC, owner LIMIT 1)"
" SELECT format('%s belongs to %s, the other objects of the extension to %s', object,"
"  quote_ident(pg_get_userbyid(owned.owner)), quote_ident(pg_get_userbyid(most.owner)))"
" FROM owned, most WHERE owned.owner <> most.owner ORDER BY object COLLATE \"C\"";

/* An object of the script, and the SHA-256 of its line, with SCHEMA_MARK instead of the schema's name. */
typedef struct Shipped
{
	const char *object;
	const char *sha256;			/* in hexadecimal */
	const char *marks;			/* the offsets of SCHEMA_MARK in bytes, separated by commas */
	const char *characters;		/* for a shipped row, its characters outside ASCII, escaped as in JSON */
} Shipped;

static const Shipped manifest[] =
{
#include "log/manifest.h"
};

/* What is expected of an object in this database. */
typedef struct Expected
{
	char	   *object;
	const Shipped *shipped;
	bool		row_security;	/* was it shipped without, and has it because there are tenants? */
} Expected;

/* A line about an existing object. */
typedef struct Line
{
	char	   *object;
	char	   *state;
} Line;

typedef struct Lines
{
	Line	   *list;
	uint64		count;
} Lines;

/* Something that the code of an object refers to. */
typedef struct Call
{
	char	   *part;			/* the object with the code */
	char	   *what;
	char	   *order;			/* the sort key, without the name of the extension's schema */
} Call;

typedef struct Calls
{
	Call	   *list;
	uint64		count;
	uint64		space;
	char	   *prefix;			/* the name of the extension's schema, and a point */
} Calls;

/*
 * Until AtEOXact_GUC(), names are looked up in pg_catalog only, and queries are parsed
 * and values written as if nobody had changed a setting.
 */
static int
ForgetSettings(void)
{
	static const struct
	{
		const char *name;
		const char *value;
	}			settings[] =
	{
		{"search_path", "pg_catalog, pg_temp"},
		{"standard_conforming_strings", "on"},
		{"quote_all_identifiers", "off"},
		{"IntervalStyle", "postgres"},
		{"DateStyle", "ISO, MDY"},
		{"TimeZone", "UTC"},
		{"bytea_output", "hex"},
		{"extra_float_digits", "1"},
		{"array_nulls", "on"},
		{"transform_null_equals", "off"},
		/* the estimated cost is high enough for compilation */
		{"jit", "off"}
	};
	int			level = NewGUCNestLevel();

	for (size_t i = 0; i < lengthof(settings); i++)
		(void) set_config_option(settings[i].name, settings[i].value, PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
	return level;
}

static QueryRows
RunQuery(const char *query)
{
	int			level = ForgetSettings();
	QueryRows	rows = QueryRunText(query, 0, NULL, NULL, true, 0);

	AtEOXact_GUC(true, level);
	return rows;
}

/*
 * plans
 */

/*
 * The long queries are planned once per session.  A plan contains what names in it meant
 * when it was made, and the bodies of SQL functions.  The server replans after some
 * changes of these, not after all: it assumes that its own functions do not change, and
 * does not consider casts.  Somebody could change one, audit, and change it back.  All
 * later audits of that session, which a pooler shares, would then miss changes as well.
 * So we replan after every change, and every rollback of a change, of a catalog that
 * gives names their meaning.
 */
enum
{
	KEPT_LINES,
	KEPT_TREES,
	KEPT_SEEDS,
	KEPT_OWNERS,
	NKEPT
};

static FixedQuery kept_queries[NKEPT];
static bool plans_are_old = true;
static bool query_runs = false;

/* Invalidation callback.  Nothing may be freed here. */
static void
NoteChange(Datum arg, int cache, uint32 hash)
{
	plans_are_old = true;
}

static void
WatchMeanings(void)
{
	static const int caches[] = {PROCOID, OPEROID, CASTSOURCETARGET, TYPEOID, NAMESPACEOID, COLLOID, LANGOID, AGGFNOID, AMOPOPID, CLAOID};
	static bool watched = false;

	if (watched)
		return;
	watched = true;
	for (size_t i = 0; i < lengthof(caches); i++)
		CacheRegisterSyscacheCallback(caches[i], NoteChange, (Datum) 0);
}

static void
ForgetPlans(void)
{
	for (size_t i = 0; i < lengthof(kept_queries); i++)
	{
		SPIPlanPtr	plan = kept_queries[i].plan;

		kept_queries[i].plan = NULL;
		if (plan)
			SPI_freeplan(plan);
	}
	plans_are_old = false;
}

/*
 * Adds to a query the indexes that a function of ours makes on request, which are not in
 * the manifest.
 */
static char *
WithRequested(const char *query)
{
	return psprintf("WITH on_request (relation, index, definition) AS (%s), %s",
					AuditPartsUnion(offsetof(AuditPart, indexes)), query);
}

/*
 * Runs one of the long queries by its cached plan.  An audit within another audit makes a
 * plan of its own, because the cached one is in use.
 */
static QueryRows
RunKept(int which, const char *text)
{
	FixedQuery *kept = &kept_queries[which];
	int			level = ForgetSettings();
	QueryRows	rows;

	if (query_runs)
	{
		rows = QueryRunText(text, 0, NULL, NULL, true, 0);
		AtEOXact_GUC(true, level);
		return rows;
	}
	WatchMeanings();
	if (plans_are_old)
		ForgetPlans();
	if (kept->text == NULL)
		kept->text = MemoryContextStrdup(TopMemoryContext, text);
	query_runs = true;
	PG_TRY();
	{
		rows = QueryRun(kept, NULL, NULL, true, 0);
	}
	PG_FINALLY();
	{
		query_runs = false;
	}
	PG_END_TRY();
	AtEOXact_GUC(true, level);
	return rows;
}

static char *
ReadValue(const QueryRows *rows, uint64 row, int column)
{
	char	   *value = SPI_getvalue(rows->table->vals[row], rows->table->tupdesc, column);

	return value ? value : pstrdup("");
}

/* Returns a column of text, or of a type stored as text; NULL if it is null. */
static char *
ReadTextColumn(const QueryRows *rows, uint64 row, int column)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(rows->table->vals[row], rows->table->tupdesc, column, &isnull);

	return isnull ? NULL : TextDatumGetCString(datum);
}

/* Returns a line of the manifest with the name of the extension's schema. */
static char *
NameInSchema(const char *text, const char *schema)
{
	const char *mark;
	StringInfoData out;

	initStringInfo(&out);
	while ((mark = strstr(text, SCHEMA_MARK)) != NULL)
	{
		appendBinaryStringInfo(&out, text, mark - text);
		appendStringInfoString(&out, schema);
		text = mark + strlen(SCHEMA_MARK);
	}
	appendStringInfoString(&out, text);
	return out.data;
}

static int
CompareExpected(const void *a, const void *b)
{
	return strcmp(((const Expected *) a)->object, ((const Expected *) b)->object);
}

static int
CompareLines(const void *a, const void *b)
{
	const Line *left = a;
	const Line *right = b;
	int			order = strcmp(left->object, right->object);

	return order != 0 ? order : strcmp(left->state, right->state);
}

static bool
Begins(const char *object, const char *beginning)
{
	return strncmp(object, beginning, strlen(beginning)) == 0;
}

/*
 * words
 *
 * Of views and SQL bodies only words are compared, because since 16 fewer names are
 * qualified, and the deparser chooses white space and parentheses.  It also chooses
 * whether there is an AS before the alias of a changed table: 15.19 writes it, 15.18 did
 * not.
 */

static bool
IsLowerWord(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Is it part of a word? All bytes outside ASCII are, in every encoding. */
static bool
IsWord(char c)
{
	return IsLowerWord(c) || (c >= 'A' && c <= 'Z') || IS_HIGHBIT_SET(c);
}

static bool
IsBetweenWords(char c)
{
	return IsAsciiSpace(c) || c == '(' || c == ')';
}

/* If a text begins with a name and a point, returns what comes after them; otherwise NULL. */
static const char *
AfterName(const char *text)
{
	while (IsLowerWord(*text))
		text++;
	return *text == '.' ? text + 1 : NULL;
}

/*
 * Does the same for a quoted name.  If the search for the end of a quoted name ended
 * without a point, all searches from earlier places end there too.  That is cached, so
 * that no text is searched twice.
 */
static const char *
AfterQuoted(const char *text, const char **in_vain)
{
	const char *p = text + 1;

	while (p[0] == '"' && p[1] == '"')
		p += 2;
	if (*p == '"')
		return p > text + 1 && p[1] == '.' ? p + 2 : NULL;
	if (p < *in_vain)
		return NULL;
	while (*p && (*p != '"' || p[1] == '"'))
		p += *p == '"' ? 2 : 1;
	if (*p == '"' && p[1] == '.')
		return p + 2;
	*in_vain = p;
	return NULL;
}

/* Removes qualification of names, and replaces white space and parentheses by one space. */
static char *
Unqualified(const char *text)
{
	char	   *words = palloc(strlen(text) + 1);
	char	   *out = words;
	const char *in_vain = text;
	int			quotes = 0;		/* number of quotes directly before this place */

	for (const char *p = text, *after; *p; p = after)
	{
		after = NULL;
		if (IsLowerWord(*p) && (p == text || !IsWord(p[-1])))
			after = AfterName(p);
		else if (*p == '"' && quotes < 2)	/* after two in a row, there is no name to be found */
			after = AfterQuoted(p, &in_vain);
		quotes = *p == '"' && after == NULL ? quotes + 1 : 0;
		if (after)
			continue;
		after = p + 1;
		if (!IsBetweenWords(*p))
			*out++ = *p;
		else if (out == words || out[-1] != ' ')
			*out++ = ' ';
	}
	*out = '\0';
	return words;
}

static const char *
AfterBeginning(const char *text, const char *beginning)
{
	return text && Begins(text, beginning) ? text + strlen(beginning) : NULL;
}

/* If the next word is followed by AS, returns the position of AS; otherwise NULL. */
static const char *
AsAfterWord(const char *text)
{
	const char *end;

	if (text == NULL || *text != ' ')
		return NULL;
	end = text + 1 + strcspn(text + 1, " ");
	return end > text + 1 && Begins(end, " AS ") ? end : NULL;
}

/*
 * If a text begins with a change of a table that has an alias, returns the position of
 * its AS; otherwise NULL.
 */
static const char *
AsOfChange(const char *text)
{
	static const char *const changes[] = {"DELETE FROM", "UPDATE", "INSERT INTO"};

	for (size_t i = 0; i < lengthof(changes); i++)
	{
		const char *table = AfterBeginning(text, changes[i]);
		const char *as = AsAfterWord(AfterBeginning(table, " ONLY"));

		if (as == NULL)
			as = AsAfterWord(table);
		if (as)
			return as;
	}
	return NULL;
}

static char *
WordsOf(const char *text)
{
	char	   *words = Unqualified(text);
	char	   *out = words;

	for (const char *p = words; *p;)
	{
		const char *as = p == words || !IsWord(p[-1]) ? AsOfChange(p) : NULL;

		if (as == NULL)
		{
			*out++ = *p++;
			continue;
		}
		memmove(out, p, as - p);
		out += as - p;
		*out++ = ' ';
		p = as + strlen(" AS ");
	}
	*out = '\0';
	return words;
}

/*
 * code
 *
 * What trees refer to that is not the server's own, and operators that do not call the
 * functions they were made for.
 */

/* Returns the server's name for a function or operator. */
static char *
NameOf(PGFunction out, const char *kind, Oid oid)
{
	return psprintf("%s %s", kind, DatumGetCString(DirectFunctionCall1(out, ObjectIdGetDatum(oid))));
}

/* A field of a tree whose value is an OID. */
typedef struct TreeField
{
	const char *name;
	const char *kind;
	PGFunction	out;
} TreeField;

static const TreeField tree_fields[] = {
	{":opno", "operator", regoperatorout},
	{":opfuncid", "function", regprocedureout},
	{":funcid", "function", regprocedureout},
	{":relid", "relation", regclassout},
	{":aggfnoid", "function", regprocedureout},
	{":winfnoid", "function", regprocedureout}
};

#define BLANKS	" \n\t"			/* white space between words of a tree */

#define OPERATOR_FIELD	(&tree_fields[0])
#define OPERATOR_FUNCTION	(&tree_fields[1])
#define FUNCTION_FIELD	(&tree_fields[2])

/*
 * Returns the field that a text begins with, and where the text after its value begins;
 * NULL if it is not such a field.
 */
static const TreeField *
ReadField(const char *text, Oid *oid, const char **after)
{
	for (size_t i = 0; i < lengthof(tree_fields); i++)
	{
		const char *value = text[1] == tree_fields[i].name[1] ? AfterBeginning(text, tree_fields[i].name) : NULL;
		const char *digits = value ? value + strspn(value, BLANKS) : NULL;
		char	   *end;

		if (digits == value || *digits < '0' || *digits > '9')
			continue;
		*oid = (Oid) strtoul(digits, &end, 10);
		*after = end;
		return &tree_fields[i];
	}
	return NULL;
}

static char *
Without(const char *text, const char *part)
{
	char	   *rest = pstrdup(text);
	const Size	len = strlen(part);

	for (char *p = strstr(rest, part); p; p = strstr(p, part))
		memmove(p, p + len, strlen(p + len) + 1);
	return rest;
}

static void
AddCall(Calls *calls, char *part, char *what)
{
	GROW_ARRAY(calls->list, calls->count, calls->space, 1024);
	calls->list[calls->count++] = (Call) {.part = part,.what = what,.order = Without(what, calls->prefix)};
}

/* Does a function belong to pgvector? An index that is made on request can cast with it. */
static bool
IsOfVector(Oid function)
{
	Oid			vector = get_extension_oid("vector", true);
	HeapTuple	tuple;
	Oid			language;

	if (!OidIsValid(vector) || getExtensionOfObject(ProcedureRelationId, function) != vector)
		return false;
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		return false;
	language = ((Form_pg_proc) GETSTRUCT(tuple))->prolang;
	ReleaseSysCache(tuple);
	return language == ClanguageId;
}

/* Does an operator call the function that it was made for? */
static bool
IsFunctionOf(Oid operator, Oid function)
{
	return function == InvalidOid || get_opcode(operator) == function;
}

static void
AddCallsOfTree(Calls *calls, char *part, const char *tree, Oid self, bool requested)
{
	Oid			operator = InvalidOid;
	const char *operator_end = NULL;

	for (const char *p = strchr(tree, ':'); p; p = strchr(p + 1, ':'))
	{
		Oid			oid;
		const char *end;
		const TreeField *field = ReadField(p, &oid, &end);

		if (field == NULL)
			continue;
		if (field == OPERATOR_FUNCTION && operator_end && operator_end + strspn(operator_end, BLANKS) == p && !IsFunctionOf(operator, oid))
			AddCall(calls, part, psprintf("%s as %s", NameOf(regoperatorout, "operator", operator),
										  NameOf(regprocedureout, "function", oid)));
		operator = oid;
		operator_end = field == OPERATOR_FIELD ? end : NULL;
		if (oid < FirstNormalObjectId || oid == self || (requested && field == FUNCTION_FIELD && IsOfVector(oid)))
			continue;
		AddCall(calls, part, NameOf(field->out, field->kind, oid));
	}
}

static int
CompareCalls(const void *a, const void *b)
{
	const Call *left = a;
	const Call *right = b;
	int			order = strcmp(left->part, right->part);

	if (order == 0)
		order = strcmp(left->order, right->order);
	return order != 0 ? order : strcmp(left->what, right->what);
}

static Calls
CallsOfTrees(const char *schema)
{
	QueryRows	rows = RunKept(KEPT_TREES, WithRequested(tree_query));
	Calls		calls = {.space = 1024,.prefix = psprintf("%s.", schema)};

	calls.list = palloc(sizeof(Call) * calls.space);
	for (uint64 i = 0; i < rows.count; i++)
	{
		char	   *tree = ReadTextColumn(&rows, i, 2);
		SPITupleTable *table = rows.table;

		CHECK_FOR_INTERRUPTS();
		if (tree == NULL)
			continue;
		AddCallsOfTree(&calls, ReadValue(&rows, i, 1), tree,
					   DatumGetObjectId(ColumnDatum(table, i, 3)),
					   ColumnBool(table, i, 4));
		pfree(tree);
	}
	QueryFree(&rows);
	qsort(calls.list, calls.count, sizeof(Call), CompareCalls);
	return calls;
}

/* Adds one line for everything that the code of an object refers to, without duplicates. */
static void
AddCalls(Lines *lines, const Calls *calls)
{
	for (uint64 i = 0; i < calls->count;)
	{
		const char *part = calls->list[i].part;
		const char *last = NULL;
		StringInfoData all;

		initStringInfo(&all);
		for (; i < calls->count && strcmp(calls->list[i].part, part) == 0; i++)
		{
			if (last && strcmp(calls->list[i].what, last) == 0)
				continue;
			appendStringInfo(&all, "%s%s", last ? ", " : "", calls->list[i].what);
			last = calls->list[i].what;
		}
		lines->list[lines->count++] = (Line) {.object = psprintf("code that %s calls", part),.state = all.data};
	}
}

/*
 * lines in ASCII
 */

/* Returns a text in UTF-8, or unchanged if it cannot be converted.  Never raises an error. */
static Span
Utf8OfLine(char *line)
{
	int			encoding = GetDatabaseEncoding();
	int			len = strlen(line);
	Oid			proc;
	unsigned char *utf8;

	if (encoding == PG_UTF8 || encoding == PG_SQL_ASCII || (Size) len > MaxAllocSize / MAX_CONVERSION_GROWTH - 1)
		return SpanOf(line, len);
	proc = FindDefaultConversionProc(encoding, PG_UTF8);
	utf8 = palloc((Size) len * MAX_CONVERSION_GROWTH + 1);
	if (!OidIsValid(proc) ||
		pg_do_encoding_conversion_buf(proc, encoding, PG_UTF8, (unsigned char *) line, len, utf8,
									  len * MAX_CONVERSION_GROWTH + 1, true) != len)
		return SpanOf(line, len);
	return SpanOfCString((char *) utf8);
}

static void
AppendUnit(StringInfo out, pg_wchar unit)
{
	appendStringInfo(out, "\\u%04x", unit);
}

/*
 * Returns the line of a shipped row as in the manifest, whatever the encoding of the
 * database: characters outside ASCII are escaped as in JSON.  Bytes that are not valid
 * text have a special form.
 */
static char *
InAscii(char *line)
{
	Span		utf8;
	StringInfoData out;

	if (SpanIsText(SpanOfCString(line)))
		return line;
	utf8 = Utf8OfLine(line);
	initStringInfo(&out);
	for (int i = 0; i < utf8.len;)
	{
		const unsigned char *p = (const unsigned char *) utf8.str + i;
		int			len = pg_utf_mblen(p);
		pg_wchar	code;

		if (!IS_HIGHBIT_SET(*p))
			appendStringInfoChar(&out, (char) *p);
		else if (len > utf8.len - i || !pg_utf8_islegal(p, len))
		{
			appendStringInfo(&out, "\\x%02x", *p);
			len = 1;
		}
		else if ((code = utf8_to_unicode(p)) < 0x10000)
			AppendUnit(&out, code);
		else
		{
			AppendUnit(&out, 0xD800 + ((code - 0x10000) >> 10));
			AppendUnit(&out, 0xDC00 + ((code - 0x10000) & 0x3FF));
		}
		i += len;
	}
	return out.data;
}

/*
 * Can the database's encoding represent these characters, given as JSON escapes? If not,
 * the script did not insert the row.
 */
static bool
CanBeHere(const char *characters)
{
	for (const char *p = strstr(characters, "\\u"); p; p = strstr(p + 1, "\\u"))
	{
		unsigned char utf8[5] = "";

		/* a surrogate pair would give no valid character here, but none was shipped */
		unicode_to_utf8((pg_wchar) strtoul(pnstrdup(p + 2, 4), NULL, 16), utf8);
		if (!IsRepresentable(SpanOfCString((char *) utf8)))
			return false;
	}
	return true;
}

/*
 * Once there are tenants, row security is expected to be on for every table with a
 * shipped policy.
 */
static void
ExpectRowSecurity(Expected *expected, int count)
{
	static const char policy[] = "policy tenant_reads on ";

	for (int i = 0; i < count; i++)
	{
		Expected	relation;
		Expected   *found;

		if (!Begins(expected[i].object, policy))
			continue;
		relation.object = psprintf("relation %s", expected[i].object + strlen(policy));
		found = bsearch(&relation, expected, count, sizeof(Expected), CompareExpected);
		if (found)
			found->row_security = true;
	}
}

/* Returns the name of the extension's schema as in descriptions; for rows, in ASCII. */
static char *
SchemaOfExtension(bool seeds)
{
	char	   *schema;
	QueryRows	rows;

	rows = RunQuery("SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace"
					" WHERE e.extname = 'answer_eval'");
	schema = ReadValue(&rows, 0, 1);
	QueryFree(&rows);
	return seeds ? InAscii(schema) : schema;
}

/* Returns what is expected of shipped rows, or of everything else, sorted. */
static Expected *
ExpectedObjects(bool seeds, const char *schema, int *count)
{
	Expected   *expected = palloc0(sizeof(Expected) * lengthof(manifest));

	*count = 0;
	for (size_t i = 0; i < lengthof(manifest); i++)
	{
		if (Begins(manifest[i].object, SEED_OBJECT) != seeds || (seeds && !CanBeHere(manifest[i].characters)))
			continue;
		expected[*count].object = NameInSchema(manifest[i].object, schema);
		expected[*count].shipped = &manifest[i];
		(*count)++;
	}
	qsort(expected, *count, sizeof(Expected), CompareExpected);
	if (TenantsExist())
		ExpectRowSecurity(expected, *count);
	return expected;
}

/*
 * Returns a line in its shipped form, with SCHEMA_MARK instead of the schema's name at
 * the expected offsets.  The offsets are needed because the name may also occur
 * elsewhere as a word.  Returns NULL if something else is at one of them.
 */
static char *
WithMarks(const char *state, const char *marks, const char *schema)
{
	const Size	schema_len = strlen(schema);
	StringInfoData out;

	initStringInfo(&out);
	while (*marks)
	{
		char	   *next;
		Size		len = strtoul(marks, &next, 10) - out.len;

		marks = *next == ',' ? next + 1 : next;
		if (strnlen(state, len) < len || strncmp(state + len, schema, schema_len) != 0)
			return NULL;
		appendBinaryStringInfo(&out, state, len);
		appendStringInfoString(&out, SCHEMA_MARK);
		state += len + schema_len;
	}
	appendStringInfoString(&out, state);
	return out.data;
}

/*
 * Inverts row security in a line.  If it should be on, the line is compared in its
 * shipped form, with "off".
 */
static void
TurnRowSecurity(char *state)
{
	static const char row_security[] = "row security ";
	char	   *found = strstr(state, row_security);

	if (found)
		found[strlen(row_security)] = found[strlen(row_security)] == 't' ? 'f' : 't';
}

static bool
IsAsExpected(const Expected *expected, const char *state, const char *schema)
{
	char	   *text = WithMarks(state, expected->shipped->marks, schema);
	uint8		sha256[SHA256_LENGTH];
	char		hex[2 * SHA256_LENGTH];

	if (text == NULL)
		return false;
	if (expected->row_security)
		TurnRowSecurity(text);
	Sha256(text, strlen(text), sha256);
	hex_encode((char *) sha256, SHA256_LENGTH, hex);
	pfree(text);
	return memcmp(hex, expected->shipped->sha256, sizeof(hex)) == 0;
}

/*
 * Could a difference in this object make the audit read something else than is stored,
 * or run somebody's code? The planner runs functions that an index, a constraint or
 * statistics call with constants.
 */
static bool
CanMislead(const char *object)
{
	static const char *const kinds[] = {
		"relation ", "column ", "rule ", "function answer.", "type ", "cast ", "operator class ",
		"partition ", "code that relation ", "code that rule ", "code that index ",
		"code that statistics ", "code that constraint "
	};

	for (size_t i = 0; i < lengthof(kinds); i++)
	{
		if (Begins(object, kinds[i]))
			return true;
	}
	return false;
}

/* Returns the line of an object, shortened for a report. */
static char *
ShownLine(const char *state)
{
	int			len = strlen(state);

	if (len <= MAX_SHOWN)
		return pstrdup(state);
	return psprintf("%.*s... (%d bytes)", pg_mbcliplen(state, len, MAX_SHOWN), state, len);
}

static void
ReportDifference(Audit *audit, const char *object, bool is_shipped, const char *state)
{
	const char *detail;

	if (state == NULL)
		detail = psprintf("%s is gone", object);
	else if (is_shipped)
		detail = psprintf("%s is not what the extension ships: it is \"%s\"", object, ShownLine(state));
	else
		detail = psprintf("%s is not part of the extension%s%s", object, *state ? ": " : "", ShownLine(state));
	AuditReport(audit, -1, NULL, "catalog", detail);
}

/*
 * Returns the line for a row of line_query.  The words of a view, a body or a policy's
 * expressions come last.
 */
static char *
LineState(const QueryRows *rows, uint64 row)
{
	char	   *state = ReadValue(rows, row, 2);
	char	   *first = ReadTextColumn(rows, row, 3);
	char	   *second = ReadTextColumn(rows, row, 4);

	if (first == NULL)
		return state;
	if (second == NULL)
		return psprintf("%s%s", state, WordsOf(first));
	return psprintf("%s%s, with check %s", state, WordsOf(first), WordsOf(second));
}

static Lines
NewLines(uint64 space)
{
	return (Lines) {.list = palloc_extended(sizeof(Line) * Max(space, 1), MCXT_ALLOC_HUGE)};
}

/* Returns the lines of the shipped rows that exist, in ASCII, in the order of the manifest. */
static Lines
FoundSeeds(void)
{
	QueryRows	rows = RunKept(KEPT_SEEDS, SeedQuery());
	Lines		found = NewLines(rows.count);

	for (uint64 i = 0; i < rows.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		found.list[i].object = InAscii(ReadValue(&rows, i, 1));
		found.list[i].state = InAscii(ReadValue(&rows, i, 2));
	}
	found.count = rows.count;
	QueryFree(&rows);
	qsort(found.list, found.count, sizeof(Line), CompareLines);
	return found;
}

/* Returns the lines of all other existing objects, in the order of the manifest. */
static Lines
FoundObjects(const char *schema)
{
	int			level = ForgetSettings();
	QueryRows	rows = RunKept(KEPT_LINES, WithRequested(line_query));
	Calls		calls = CallsOfTrees(schema);
	Lines		found = NewLines(rows.count + calls.count);

	for (uint64 i = 0; i < rows.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		found.list[i].object = ReadValue(&rows, i, 1);
		found.list[i].state = LineState(&rows, i);
	}
	found.count = rows.count;
	QueryFree(&rows);
	AddCalls(&found, &calls);
	AtEOXact_GUC(true, level);
	qsort(found.list, found.count, sizeof(Line), CompareLines);
	return found;
}

/*
 * Notes what must not be done because an object differs from the shipped one; returns
 * false if it can mislead.
 */
static bool
JudgeDifference(const char *object, CatalogFindings *findings)
{
	if (Begins(object, "function ") || Begins(object, "code that function "))
		findings->functions_good = false;
	/* a trigger can be deferred to the end of the transaction, and run with the auditor's rights */
	if (strstr(object, "answer.log_audit"))
		findings->may_record = false;
	return !CanMislead(object);
}

/* Compares what exists with what was shipped; returns false if something can mislead. */
static bool
CompareLinesOf(Audit *audit, bool seeds, CatalogFindings *findings)
{
	char	   *schema = SchemaOfExtension(seeds);
	int			nexpected;
	Expected   *expected = ExpectedObjects(seeds, schema, &nexpected);
	Lines		found = seeds ? FoundSeeds() : FoundObjects(schema);
	uint64		n = 0;
	bool		leads = true;

	for (int i = 0; i < nexpected || n < found.count;)
	{
		int			order = n == found.count ? -1 : i == nexpected ? 1 : strcmp(expected[i].object, found.list[n].object);
		const char *object = order <= 0 ? expected[i].object : found.list[n].object;
		bool		good;

		CHECK_FOR_INTERRUPTS();
		if (order < 0)
			good = Begins(object, RIGHT_OBJECT);	/* a missing privilege that was shipped */
		else
			good = order == 0 && IsAsExpected(&expected[i], found.list[n].state, schema);
		if (!good)
		{
			ReportDifference(audit, object, order <= 0, order < 0 ? NULL : found.list[n].state);
			leads = JudgeDifference(object, findings) && leads;
		}
		i += order <= 0;
		n += order >= 0;
	}
	return leads;
}

static void
CompareOwners(Audit *audit)
{
	QueryRows	rows;

	rows = RunKept(KEPT_OWNERS, owner_query);
	for (uint64 i = 0; i < rows.count; i++)
		AuditReport(audit, -1, NULL, "catalog", ReadValue(&rows, i, 1));
	QueryFree(&rows);
}

/*
 * Locks the tables and views until the transaction ends, so that nothing can replace
 * them between the audit of the catalog and the reading of rows.
 */
static void
LockRelations(void)
{
	static FixedQuery query = {
		.text = "SELECT c.oid FROM pg_catalog.pg_class c"
		" WHERE c.relnamespace OPERATOR(pg_catalog.=) 'answer'::pg_catalog.regnamespace"
		" AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,v}'::pg_catalog.\"char\"[]) ORDER BY c.oid"
	};
	QueryRows	rows = QueryRun(&query, NULL, NULL, true, 0);

	for (uint64 i = 0; i < rows.count; i++)
	{
		LockRelationOid(DatumGetObjectId(ColumnDatum(rows.table, i, 1)), AccessShareLock);
	}
	QueryFree(&rows);
}

/*
 * Reports functions, operators and casts that somebody made in pg_catalog.  They are
 * chosen before the server's own if they fit an argument's type better.  This query is
 * written so that none of them can fit.
 */
static void
ReportStrangers(Audit *audit)
{
	static FixedQuery query = {
		.text = "SELECT o.kind, o.id FROM ("
		"SELECT 'a function', 1255::pg_catalog.oid, oid FROM pg_catalog.pg_proc WHERE pronamespace OPERATOR(pg_catalog.=) 11::pg_catalog.oid"
		" UNION ALL SELECT 'an operator', 2617::pg_catalog.oid, oid FROM pg_catalog.pg_operator WHERE oprnamespace OPERATOR(pg_catalog.=) 11::pg_catalog.oid"
		" UNION ALL SELECT 'a cast', 2605::pg_catalog.oid, oid FROM pg_catalog.pg_cast"
		" WHERE castsource OPERATOR(pg_catalog.<) 16384::pg_catalog.oid AND casttarget OPERATOR(pg_catalog.<) 16384::pg_catalog.oid"
		") o (kind, class, id) WHERE o.id OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid"
		" AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid OPERATOR(pg_catalog.=) o.class"
		" AND d.objid OPERATOR(pg_catalog.=) o.id AND d.deptype OPERATOR(pg_catalog.=) 'e'::pg_catalog.\"char\")"
	};
	QueryRows	rows = QueryRun(&query, NULL, NULL, true, 0);

	for (uint64 i = 0; i < rows.count; i++)
		AuditReport(audit, -1, NULL, "catalog",
					psprintf("%s of pg_catalog, OID %s, is neither the server's nor an extension's",
							 ReadValue(&rows, i, 1), ReadValue(&rows, i, 2)));
	QueryFree(&rows);
}

/*
 * Raises an error if row security hides rows from the role that audits.  It would see
 * only what somebody wants it to see.
 */
static void
RequireAllRows(void)
{
	static FixedQuery query = {
		.text = "SELECT c.oid FROM pg_catalog.pg_class c"
		" WHERE c.relnamespace OPERATOR(pg_catalog.=) 'answer'::pg_catalog.regnamespace"
		" AND c.relrowsecurity"
	};
	QueryRows	rows = QueryRun(&query, NULL, NULL, true, 0);

	for (uint64 i = 0; i < rows.count; i++)
	{
		Oid			table = DatumGetObjectId(ColumnDatum(rows.table, i, 1));

		if (check_enable_rls(table, InvalidOid, true) != RLS_ENABLED)
			continue;
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("row security on table answer.%s could hide rows from this audit",
						get_rel_name(table)),
				 errhint("Audit as a superuser or a role with BYPASSRLS, or as the owner of the extension. It enables row security itself once there are tenants.")));
	}
	QueryFree(&rows);
}

/* Does the library have the version of the installed extension? */
static bool
VersionsAgree(Audit *audit)
{
	char	   *installed;
	QueryRows	rows;

	rows = RunQuery("SELECT extversion FROM pg_extension WHERE extname = 'answer_eval'");
	installed = rows.count > 0 ? ReadValue(&rows, 0, 1) : pstrdup("");
	QueryFree(&rows);
	if (strcmp(installed, ANSWER_EVAL_VERSION) == 0)
		return true;
	AuditReport(audit, -1, NULL, "catalog",
				psprintf("extension answer_eval is of version \"%s\", the library of version \"%s\": run ALTER EXTENSION answer_eval UPDATE; its objects were not compared",
						 installed, ANSWER_EVAL_VERSION));
	return false;
}

/*
 * Audits the extension's own objects.  Returns false if one of them can answer the
 * audit's queries with something else than is stored: then the audit must not use it.
 * Also finds out whether all functions are ours, so that they may be called, and
 * whether the audit may be recorded.
 *
 * The catalog is read in its present state, however old the snapshot for reading rows
 * is, because the server uses the present state.
 */
bool
AuditCatalog(Audit *audit, CatalogFindings *findings)
{
	bool		leads;

	findings->functions_good = true;
	findings->may_record = true;
	LockRelations();
	PushActiveSnapshot(GetLatestSnapshot());
	RequireAllRows();
	ReportStrangers(audit);
	leads = VersionsAgree(audit) && CompareLinesOf(audit, false, findings);
	CompareOwners(audit);
	PopActiveSnapshot();
	/* these are in rows, so they are read only if that is safe */
	return leads && CompareLinesOf(audit, true, findings);
}

static void
PutLines(ReturnSetInfo *result, Lines lines)
{
	for (uint64 i = 0; i < lines.count; i++)
	{
		bool		nulls[2] = {false, false};
		Datum		values[2] = {CStringGetTextDatum(lines.list[i].object), CStringGetTextDatum(lines.list[i].state)};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/* answer.catalog(): returns the lines that an audit compares */
PG_FUNCTION_INFO_V1(answer_eval_catalog);
Datum
answer_eval_catalog(PG_FUNCTION_ARGS)
{
	InitMaterializedSRF(fcinfo, 0);
	SPI_connect();
	PutLines((ReturnSetInfo *) fcinfo->resultinfo, FoundObjects(SchemaOfExtension(false)));
	PutLines((ReturnSetInfo *) fcinfo->resultinfo, FoundSeeds());
	SPI_finish();
	return (Datum) 0;
}
