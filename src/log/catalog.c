/*-------------------------------------------------------------------------
 *
 * catalog.c
 *		The extension's own objects, as the catalog has them and as they were shipped.
 *
 * What is stored is guarded by triggers, constraints
 * and functions, and read by queries that a policy, a rule or a view in a
 * table's place could answer with something else.  So an audit begins with these:
 * it describes each object in one line of text, and holds the SHA-256 of that line
 * against the one that the library was built with (manifest.h, which make writes of
 * sql/catalog.sha256, made by test/manifest.sh from the same query).  The library is
 * not the database's to change.  What a line should say is not in the library: an
 * extension that is created in another database says it.
 *
 * A line holds what PostgreSQL 15 to 18 tell alike.  They write views and
 * bodies of SQL functions differently, so of these the words alone are
 * compared, without what qualifies them, and the objects that they depend on
 * (before 16, a view depends on itself as well).  From 18 on a NOT NULL is a
 * constraint, too: what it does stands with its column.  Nor does a line depend on
 * the session: see RunQuery.
 *
 * A partition of answer.receipt that answer_receipt_partition() made is in no
 * manifest.  What there is of it is held against its parent, and against what the
 * function makes; a line tells where it differs, and none where it does not.
 *
 * Promises: reads nothing but the catalog, and raises over nothing in it but
 * row security that hides rows from whoever audits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "base/sha256.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "log/catalog.h"
#include "log/log_table.h"
#include "log/audit_part.h"

#define SCHEMA_MARK		"@extschema@"
#define MAX_SHOWN		200		/* bytes of a line that are worth showing */

/*
 * One line an object: its kind and name, and all that it is.  Runs with a
 * search_path of pg_catalog alone, so that names come with their schema.
 *
 * The words of views and SQL bodies: from 16 on less is qualified than before,
 * and white space and parentheses are the deparser's own.  And so is the AS
 * before the alias of what is changed: 15.19 has it, 15.18 had not.
 */
#define WORDS(text) \
	"regexp_replace(regexp_replace(regexp_replace(" text ", '([[:<:]][a-z_0-9]+|\"([^\"]|\"\")+\")[.]', '', 'g')," \
	" '[\\s()]+', ' ', 'g'), '[[:<:]]((DELETE FROM|UPDATE|INSERT INTO)( ONLY)? [^ ]+) AS ', '\\1 ', 'g')"

static const char catalog_query[] =
"ours AS (SELECT e.oid, e.extnamespace AS place, e.extversion AS version,"
" 'answer'::regnamespace::oid AS answer FROM pg_extension e WHERE e.extname = 'answer_eval'),"
" member AS (SELECT d.classid, d.objid FROM pg_depend d, ours"
" WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = ours.oid AND d.deptype = 'e'),"
/* what is a partition: of answer.receipt, or of a table that somebody made one of partitions */
" part AS (SELECT r.oid AS root, 'answer.' || quote_ident(r.relname) AS name, r.relname = 'receipt' AS has_receipts, c.oid, c.relkind, c.relpersistence, c.relowner, c.relacl,"
"  c.relhastriggers, c.relhasindex, c.relchecks, EXISTS (SELECT FROM member m WHERE m.classid = 'pg_class'::regclass AND m.objid = c.oid) AS is_member"
"  FROM ours, pg_class r, pg_partition_tree(r.oid) p JOIN pg_class c ON c.oid = p.relid WHERE r.relnamespace = ours.answer AND r.relkind = 'p' AND p.level > 0),"
/* partitions of receipts that somebody made are held against what the function makes; every other table against the manifest */
" relation AS (SELECT c.*, 'answer.' || quote_ident(c.relname) AS name FROM pg_class c, ours"
" WHERE c.relnamespace = ours.answer AND c.relkind NOT IN ('i', 'I', 't')"
" AND c.oid NOT IN (SELECT oid FROM part WHERE has_receipts AND NOT is_member)),"
" made AS (SELECT p.oid, format('partition %s of %s', p.oid::regclass, p.name) AS name, p.root, p.relkind, p.relowner, p.relacl FROM part p WHERE p.has_receipts AND NOT p.is_member),"
/* without their names, which depend on the partition's */
" shipped_index AS (SELECT substring(pg_get_indexdef(i.indexrelid) FROM ' USING .*') AS definition, i.indisunique FROM part p JOIN pg_index i ON i.indrelid = p.oid WHERE p.has_receipts AND p.is_member),"
" made_index AS (SELECT m.oid, m.name, i.indexrelid, substring(pg_get_indexdef(i.indexrelid) FROM ' USING .*') AS definition, i.indisunique,"
"  i.indisvalid AND i.indisready AND i.indislive AND i.indimmediate AS good FROM made m JOIN pg_index i ON i.indrelid = m.oid),"
" policy AS (SELECT p.polrelid, p.polname, format('%s, permissive %s, of %s: using %s, with check %s', p.polcmd, p.polpermissive,"
"  (SELECT array_agg(o::regrole ORDER BY o) FROM unnest(p.polroles) o), " WORDS("pg_get_expr(p.polqual, p.polrelid)") ", " WORDS("pg_get_expr(p.polwithcheck, p.polrelid)") ") AS state,"
"  concat_ws(' / ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) AS expressions"
"  FROM pg_policy p),"
" place AS (SELECT oid, name FROM relation UNION ALL SELECT oid, name FROM made),"
/* every expression that is kept with an object of ours, as the tree that the server runs */
" tree AS (SELECT 'relation ' || r.name AS part, w.ev_action::text AS nodes, r.oid AS self FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid WHERE r.relkind = 'v' AND w.rulename = '_RETURN'"
" UNION ALL SELECT format('rule %I on %s', w.rulename, r.name), w.ev_action::text || w.ev_qual::text, r.oid FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid WHERE r.relkind <> 'v' OR w.rulename <> '_RETURN'"
" UNION ALL SELECT format('index %I on %s', c.relname, r.name), concat(i.indexprs::text, i.indpred::text), 0 FROM place r JOIN pg_index i ON i.indrelid = r.oid JOIN pg_class c ON c.oid = i.indexrelid"
" UNION ALL SELECT format('statistics %I on %s', x.stxname, r.name), x.stxexprs::text, 0 FROM place r JOIN pg_statistic_ext x ON x.stxrelid = r.oid"
" UNION ALL SELECT format('constraint %I on %s', k.conname, r.name), k.conbin::text, 0 FROM place r JOIN pg_constraint k ON k.conrelid = r.oid"
" UNION ALL SELECT format('trigger %I on %s', t.tgname, r.name), t.tgqual::text, 0 FROM place r JOIN pg_trigger t ON t.tgrelid = r.oid"
" UNION ALL SELECT format('policy %I on %s', p.polname, r.name), concat(p.polqual::text, p.polwithcheck::text), 0 FROM relation r JOIN pg_policy p ON p.polrelid = r.oid"
" UNION ALL SELECT format('default of %s.%I', r.name, a.attname), d.adbin::text, 0 FROM place r JOIN pg_attribute a ON a.attrelid = r.oid JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum"
" UNION ALL SELECT format('function %s.%I(%s)', p.pronamespace::regnamespace, p.proname, pg_get_function_identity_arguments(p.oid)), concat(p.prosqlbody::text, p.proargdefaults::text), 0"
"  FROM pg_proc p JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid),"
/* what it names that the server does not bring, whose OIDs have five digits, and operators that are not what they were made for */
" called AS (SELECT t.part, CASE m.n[1] WHEN 'relid' THEN 'relation ' || m.n[2]::oid::regclass WHEN 'opno' THEN 'operator ' || m.n[2]::oid::regoperator ELSE 'function ' || m.n[2]::oid::regprocedure END AS what"
"  FROM tree t, regexp_matches(t.nodes, ':(relid|funcid|aggfnoid|winfnoid|opno|opfuncid) (\\d{5,})', 'g') m (n) WHERE m.n[2]::oid >= 16384 AND m.n[2]::oid <> t.self"
/* an index that is made on request can cast by what pgvector brings */
"  AND NOT (EXISTS (SELECT FROM on_request q WHERE t.part LIKE format('index %s on %s', q.index, replace(q.relation, '_', '\\_'))) AND EXISTS (SELECT FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang AND l.lanname = 'c'"
"   JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'vector'"
"   WHERE m.n[1] = 'funcid' AND p.oid = m.n[2]::oid))"
"  UNION SELECT t.part, format('operator %s as function %s', m.n[1]::oid::regoperator, m.n[2]::oid::regprocedure)"
"  FROM tree t, regexp_matches(t.nodes, ':opno (\\d+) :opfuncid (\\d+)', 'g') m (n)"
"  WHERE m.n[2] <> '0' AND NOT EXISTS (SELECT FROM pg_operator o WHERE o.oid = m.n[1]::oid AND o.oprcode = m.n[2]::oid))"

" SELECT l.object, l.state FROM (SELECT 'relation ' || r.name, format('kind %s, persistence %s, row security %s %s, children %s, part %s, extension %s%s',"
"  CASE r.relkind WHEN 'p' THEN 'r' ELSE r.relkind END, r.relpersistence, r.relrowsecurity, r.relforcerowsecurity,"
"  CASE WHEN r.relkind = 'p' THEN 0 ELSE (SELECT count(*) FROM pg_inherits i WHERE i.inhparent = r.oid) END,"
"  EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = r.oid),"
"  EXISTS (SELECT FROM member m WHERE m.classid = 'pg_class'::regclass AND m.objid = r.oid),"
/* flags that have the server pass over what is there */
"  CASE WHEN NOT r.relhastriggers AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = r.oid) THEN ', its triggers do not fire' ELSE '' END"
"  || CASE WHEN NOT r.relhasindex AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = r.oid) THEN ', its indexes are not used' ELSE '' END"
"  || CASE WHEN r.relchecks <> (SELECT count(*) FROM pg_constraint k WHERE k.conrelid = r.oid AND k.contype = 'c') THEN ', its checks are not made' ELSE '' END"
"  || CASE WHEN r.relkind = 'p' AND r.relname = 'receipt' THEN ', by ' || pg_get_partkeydef(r.oid) ELSE '' END"
"  || CASE r.relkind WHEN 'v' THEN coalesce(' with ' || r.reloptions::text, '') || ': ' || " WORDS("pg_get_viewdef(r.oid)") " ELSE '' END)"
" FROM relation r"

/* in an order that the name of the extension's schema has no part in */
" UNION ALL SELECT format('code that %s calls', c.part), string_agg(c.what, ', ' ORDER BY replace(c.what, s.prefix, '') COLLATE \"C\", c.what COLLATE \"C\")"
"  FROM called c, (SELECT quote_ident(n.nspname) || '.' AS prefix FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'answer_eval') s GROUP BY c.part"

" UNION ALL SELECT 'dump of ' || r.name, CASE r.relkind WHEN 'p' THEN 'all rows' ELSE coalesce((SELECT coalesce(nullif(x.condition, ''), 'all rows') FROM pg_extension e,"
"  unnest(e.extconfig, e.extcondition) x (id, condition) WHERE e.extname = 'answer_eval' AND x.id = r.oid), 'no rows') END FROM relation r WHERE r.relkind IN ('r', 'p')"

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
"  WHERE NOT EXISTS (SELECT FROM policy c WHERE c.polrelid = m.oid AND c.polname = p.polname AND c.state = p.state AND c.expressions = p.expressions)"
" UNION ALL SELECT format('policy %I on %s', c.polname, m.name), c.state FROM made m JOIN policy c ON c.polrelid = m.oid"
"  WHERE NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = m.root AND p.polname = c.polname)"

" UNION ALL SELECT format('%s %s.%I', k.kind, r.name, a.attname), CASE k.kind WHEN 'column' THEN"
"  format('%s%s', format_type(a.atttypid, a.atttypmod),"
"   ' collation ' || nullif((SELECT collname::text FROM pg_collation WHERE oid = a.attcollation), 'default'))"
"  ELSE format('%s%s%s%s%s%s', CASE WHEN a.attnotnull THEN 'not null' ELSE 'null' END,"
"   CASE WHEN EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated AND a.attnum = ANY (k.conkey)) THEN ', not valid' END,"
"   ' identity ' || nullif(a.attidentity::text, ''), ' generated ' || nullif(a.attgenerated::text, ''),"
"   ' default ' || (SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d WHERE a.atthasdef AND d.adrelid = a.attrelid AND d.adnum = a.attnum),"
"   CASE WHEN a.attstattarget = 0 THEN ', no samples' END) END"
" FROM (VALUES ('column'), ('what goes into column')) k (kind), relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE r.relkind <> 'S' AND (k.kind = 'column' OR r.relkind <> 'v')"

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

" UNION ALL SELECT format('policy %I on %s', p.polname, r.name), p.state FROM relation r JOIN policy p ON p.polrelid = r.oid"

/* a cast of our types is called wherever a query has them written as text or json */
" UNION ALL SELECT format('cast from %s to %s', format_type(c.castsource, NULL), format_type(c.casttarget, NULL)), format('%s %s %s', c.castfunc::regprocedure, c.castcontext, c.castmethod)"
" FROM pg_cast c WHERE EXISTS (SELECT FROM pg_type t WHERE (t.oid IN (SELECT objid FROM member WHERE classid = 'pg_type'::regclass)"
"  OR t.typrelid IN (SELECT oid FROM relation) AND t.typrelid <> 0) AND (c.castsource IN (t.oid, t.typarray) OR c.casttarget IN (t.oid, t.typarray)))"
" UNION ALL SELECT format('operator class %s %s.%I for type %s', a.amname, o.opcnamespace::regnamespace, o.opcname, format_type(o.opcintype, NULL)), format('default %s', o.opcdefault)"
" FROM pg_opclass o JOIN pg_am a ON a.oid = o.opcmethod JOIN member m ON m.classid = 'pg_type'::regclass AND m.objid = o.opcintype"

/* who else may change tables, or call what was revoked: a right less than shipped is no finding */
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

" UNION ALL SELECT format('function %I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),"
"  format('%s(%s) returns %s, kind %s, volatile %s, strict %s, definer %s, leakproof %s, parallel %s, cost %s, rows %s, settings %s, extension %s%s%s%s: %s',"
"   l.lanname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), p.prokind, p.provolatile, p.proisstrict, p.prosecdef,"
"   p.proleakproof, p.proparallel, p.procost, p.prorows, p.proconfig,"
"   p.oid IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass), ' in ' || p.probin,"
"   (SELECT format(', steps %s %s %s %s %s %s %s %s %s', g.aggtransfn::regproc, g.aggfinalfn::regproc, g.aggcombinefn::regproc, g.aggserialfn::regproc,"
"    g.aggdeserialfn::regproc, g.aggmtransfn::regproc, g.aggtranstype::regtype, g.agginitval, g.aggkind) FROM pg_aggregate g WHERE p.prokind = 'a' AND g.aggfnoid = p.oid),"
"   ', support ' || nullif(p.prosupport::regproc::text, '-'), coalesce(" WORDS("pg_get_function_sqlbody(p.oid)") ", p.prosrc))"
" FROM ours, pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang"
" WHERE p.oid IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass) OR p.pronamespace = ours.answer"
" OR p.pronamespace = ours.place AND p.proname IN"
"  (SELECT q.proname FROM pg_proc q JOIN member m ON m.classid = 'pg_proc'::regclass AND m.objid = q.oid)"

/* what would have a session's changes pass the triggers by */
" UNION ALL SELECT format('setting session_replication_role of %s', coalesce('role ' || quote_ident(a.rolname), 'every role')), 'set'"
" FROM pg_db_role_setting s LEFT JOIN pg_roles a ON a.oid = s.setrole"
" WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))"
" AND EXISTS (SELECT FROM unnest(s.setconfig) c WHERE lower(split_part(c, '=', 1)) = 'session_replication_role')"
" UNION ALL SELECT 'setting session_replication_role of the server, or of who audits', s.reset_val FROM pg_settings s WHERE s.name = 'session_replication_role' AND s.reset_val <> 'origin'"

") l (object, state) ORDER BY l.object COLLATE \"C\", l.state COLLATE \"C\"";

/*
 * The rows that the script puts into tables, which say of themselves that they are
 * the extension's: of every table that has a column for it, as its directory tells.
 */
static char *
SeedQuery(void)
{
	return psprintf("SELECT format('row %%s of answer.%%s', s.name, s.place) COLLATE \"C\", s.state FROM (%s) s (place, name, state)",
					AuditPartsUnion(offsetof(AuditPart, shipped)));
}

/* Indexes that a function of ours makes on request are in no manifest. */
static char *
CatalogQuery(void)
{
	return psprintf("WITH on_request (relation, index, definition) AS (%s), %s",
					AuditPartsUnion(offsetof(AuditPart, indexes)), catalog_query);
}

#define SEED_OBJECT		"row "
#define RIGHT_OBJECT	"right of "

/* Objects that do not belong to whom the others do. */
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

/* An object of the script, and the SHA-256 of what the catalog says of it with SCHEMA_MARK for the name of the schema. */
typedef struct Shipped
{
	const char *object;
	const char *sha256;			/* in hexadecimal digits */
	const char *marks;			/* the bytes at which SCHEMA_MARK stands, with commas */
	const char *characters;		/* of a shipped row, those that are not in ASCII, as JSON escapes them */
} Shipped;

static const Shipped manifest[] =
{
#include "log/manifest.h"
};

/* What is expected of an object here. */
typedef struct Expected
{
	char	   *object;
	const Shipped *shipped;
	bool		row_security;	/* it is shipped without, and has it since there are tenants */
} Expected;

/* What is there. */
typedef struct Line
{
	char	   *object;
	char	   *state;
} Line;

/*
 * Runs a query whose names are found in pg_catalog alone, and which is read,
 * and whose values are written, as if nobody had chosen any setting.
 */
static QueryRows
RunQuery(const char *query)
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
		/* dear enough by its estimate to be compiled */
		{"jit", "off"}
	};
	int			level = NewGUCNestLevel();
	QueryRows	rows;

	for (size_t i = 0; i < lengthof(settings); i++)
		(void) set_config_option(settings[i].name, settings[i].value, PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
	rows = QueryRunText(query, 0, NULL, NULL, true, 0);
	AtEOXact_GUC(true, level);
	return rows;
}

static char *
ReadValue(const QueryRows *rows, uint64 row, int column)
{
	char	   *value = SPI_getvalue(rows->table->vals[row], rows->table->tupdesc, column);

	return value ? value : pstrdup("");
}

/* A line of the manifest, with the schema that the extension is installed in. */
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

static bool
IsSeed(const char *object)
{
	return Begins(object, SEED_OBJECT);
}

/*
 * lines in ASCII
 */

/* A text as UTF-8; as it is where that cannot be made of it, which raises nothing here. */
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
 * A line of a shipped row as the manifest has it, whatever the encoding of the
 * database: as JSON writes what is not ASCII.  Bytes that are no text have a form of
 * their own.
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

/* Can the database hold these, which are written as JSON escapes?  What it cannot was not put there. */
static bool
CanBeHere(const char *characters)
{
	for (const char *p = strstr(characters, "\\u"); p; p = strstr(p + 1, "\\u"))
	{
		unsigned char utf8[5] = "";

		/* of units of a pair no character of this one is made, and none was shipped */
		unicode_to_utf8((pg_wchar) strtoul(pnstrdup(p + 2, 4), NULL, 16), utf8);
		if (!IsRepresentable(SpanOfCString((char *) utf8)))
			return false;
	}
	return true;
}

/* Once there are tenants, row security is on wherever a policy is shipped for it. */
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

/* How the extension's schema stands in what is described; of rows, in ASCII. */
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

/* What is expected of shipped rows, or of everything else, in order. */
static Expected *
ExpectedObjects(bool seeds, const char *schema, int *count)
{
	Expected   *expected = palloc0(sizeof(Expected) * lengthof(manifest));

	*count = 0;
	for (size_t i = 0; i < lengthof(manifest); i++)
	{
		if (IsSeed(manifest[i].object) != seeds || (seeds && !CanBeHere(manifest[i].characters)))
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
 * What is there as it was shipped: with SCHEMA_MARK for the schema's name at the
 * places where that is expected, for the name can be a word that stands elsewhere,
 * too.  NULL if something else stands at one of them.
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

/* Takes row security that is on for off, as it was shipped; and off for on, which is not what is expected. */
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
 * Can what the audit would read of it be something else than is stored, or code
 * of somebody's be run by reading?  The planner runs what an index, a
 * constraint or statistics call with constants.
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

/* What the catalog says of an object, as far as it is worth showing. */
static char *
Shown(const char *state)
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
		detail = psprintf("%s is not what the extension ships: it is \"%s\"", object, Shown(state));
	else
		detail = psprintf("%s is not part of the extension%s%s", object, *state ? ": " : "", Shown(state));
	AuditReport(audit, -1, NULL, "catalog", detail);
}

/* The lines that a query gives, in the order of the manifest; those of rows in ASCII. */
static Line *
FoundLines(const char *query, bool seeds, uint64 *count)
{
	QueryRows	rows = RunQuery(query);
	Line	   *lines = palloc_extended(sizeof(Line) * Max(rows.count, 1), MCXT_ALLOC_HUGE);

	*count = rows.count;
	for (uint64 i = 0; i < rows.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		lines[i].object = ReadValue(&rows, i, 1);
		lines[i].state = ReadValue(&rows, i, 2);
		if (!seeds)
			continue;
		lines[i].object = InAscii(lines[i].object);
		lines[i].state = InAscii(lines[i].state);
	}
	QueryFree(&rows);
	if (seeds)
		qsort(lines, *count, sizeof(Line), CompareLines);
	return lines;
}

/* Notes what must not be done with an object that is not what was shipped; false if it misleads. */
static bool
JudgeDifference(const char *object, CatalogFindings *findings)
{
	if (Begins(object, "function ") || Begins(object, "code that function "))
		findings->functions_good = false;
	/* a trigger can wait for the end of the transaction, and run with the auditor's rights */
	if (strstr(object, "answer.log_audit"))
		findings->may_record = false;
	return !CanMislead(object);
}

/* Holds what is there against what was shipped; false if something misleads. */
static bool
CompareLinesOf(Audit *audit, const char *query, bool seeds, CatalogFindings *findings)
{
	char	   *schema = SchemaOfExtension(seeds);
	int			nexpected;
	Expected   *expected = ExpectedObjects(seeds, schema, &nexpected);
	uint64		nfound;
	Line	   *found = FoundLines(query, seeds, &nfound);
	uint64		n = 0;
	bool		leads = true;

	for (int i = 0; i < nexpected || n < nfound;)
	{
		int			order = n == nfound ? -1 : i == nexpected ? 1 : strcmp(expected[i].object, found[n].object);
		const char *object = order <= 0 ? expected[i].object : found[n].object;
		bool		good;

		CHECK_FOR_INTERRUPTS();
		if (order < 0)
			good = Begins(object, RIGHT_OBJECT);	/* a right less than was shipped */
		else
			good = order == 0 && IsAsExpected(&expected[i], found[n].state, schema);
		if (!good)
		{
			ReportDifference(audit, object, order <= 0, order < 0 ? NULL : found[n].state);
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

	rows = RunQuery(owner_query);
	for (uint64 i = 0; i < rows.count; i++)
		AuditReport(audit, -1, NULL, "catalog", ReadValue(&rows, i, 1));
	QueryFree(&rows);
}

/*
 * Keeps the tables and views what they are until the transaction ends: nothing
 * takes their place between the look at the catalog and the reading of rows.
 */
static void
LockRelations(void)
{
	static FixedQuery query = {
		.text = "SELECT c.oid FROM pg_catalog.pg_class c"
		" WHERE c.relnamespace OPERATOR(pg_catalog.=) 'answer'::pg_catalog.regnamespace"
		" AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,v}'::pg_catalog.\"char\"[]) ORDER BY c.oid",
		.nargs = 0
	};
	QueryRows	rows;

	rows = QueryRun(&query, NULL, NULL, true, 0);
	for (uint64 i = 0; i < rows.count; i++)
	{
		bool		isnull;

		LockRelationOid(DatumGetObjectId(SPI_getbinval(rows.table->vals[i], rows.table->tupdesc,
													   1, &isnull)), AccessShareLock);
	}
	QueryFree(&rows);
}

/*
 * Functions, operators and casts that somebody made in pg_catalog are found
 * before the server's own by whatever fits them better.  Asked for in a way that
 * none of them can fit.
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
		" AND d.objid OPERATOR(pg_catalog.=) o.id AND d.deptype OPERATOR(pg_catalog.=) 'e'::pg_catalog.\"char\")",
		.nargs = 0
	};
	QueryRows	rows;

	rows = QueryRun(&query, NULL, NULL, true, 0);
	for (uint64 i = 0; i < rows.count; i++)
		AuditReport(audit, -1, NULL, "catalog",
					psprintf("%s of pg_catalog, OID %s, is neither the server's nor an extension's",
							 ReadValue(&rows, i, 1), ReadValue(&rows, i, 2)));
	QueryFree(&rows);
}

/*
 * Raises where row security hides rows from whoever audits: he would be shown
 * what somebody wants him to see.
 */
static void
RequireAllRows(void)
{
	static FixedQuery query = {
		.text = "SELECT c.oid FROM pg_catalog.pg_class c"
		" WHERE c.relnamespace OPERATOR(pg_catalog.=) 'answer'::pg_catalog.regnamespace"
		" AND c.relrowsecurity",
		.nargs = 0
	};
	QueryRows	rows;

	rows = QueryRun(&query, NULL, NULL, true, 0);
	for (uint64 i = 0; i < rows.count; i++)
	{
		bool		isnull;
		Oid			table = DatumGetObjectId(SPI_getbinval(rows.table->vals[i],
														   rows.table->tupdesc, 1, &isnull));

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

/* Is the library of the version that is installed? */
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
 * Audits the extension's own objects.  False if one of them can answer the
 * audit's queries with something else than is stored: then nothing is read by it.
 * Tells as well whether the functions are all ours, so that they may be called,
 * and whether the audit may be recorded.
 *
 * The catalog is looked at as it is now, for that is what the server goes by,
 * however old the snapshot is that rows are read with.
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
	leads = VersionsAgree(audit) && CompareLinesOf(audit, CatalogQuery(), false, findings);
	CompareOwners(audit);
	PopActiveSnapshot();
	/* these are rows, so they are read only where that leads to them */
	return leads && CompareLinesOf(audit, SeedQuery(), true, findings);
}

static void
PutLines(ReturnSetInfo *result, const char *query, bool seeds)
{
	uint64		count;
	Line	   *lines = FoundLines(query, seeds, &count);

	for (uint64 i = 0; i < count; i++)
	{
		bool		nulls[2] = {false, false};
		Datum		values[2] = {CStringGetTextDatum(lines[i].object), CStringGetTextDatum(lines[i].state)};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/* answer.catalog(): the lines that an audit compares. */
PG_FUNCTION_INFO_V1(answer_eval_catalog);
Datum
answer_eval_catalog(PG_FUNCTION_ARGS)
{
	InitMaterializedSRF(fcinfo, 0);
	SPI_connect();
	PutLines((ReturnSetInfo *) fcinfo->resultinfo, CatalogQuery(), false);
	PutLines((ReturnSetInfo *) fcinfo->resultinfo, SeedQuery(), true);
	SPI_finish();
	return (Datum) 0;
}
