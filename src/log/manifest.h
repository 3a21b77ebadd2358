/*-------------------------------------------------------------------------
 *
 * manifest.h
 *		The extension's objects as sql/ makes them: written by test/manifest.sh.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_MANIFEST_H
#define ANSWER_EVAL_MANIFEST_H

static const struct
{
	const char *object;
	const char *state;
}			manifest[] =
{
	{"code that constraint graph_embedding_embedding on answer.graph_embedding calls",
	"function answer.embedding_check(real[])"},
	{"code that function answer.baseline_digest(rows jsonb) calls",
	"function answer.portable(jsonb), function @extschema@.answer_digest(jsonb)"},
	{"code that function answer.budget_prune(tenants text[]) calls",
	"relation answer.budget_reservation"},
	{"code that function answer.document_facts_of(tenant text, filter jsonb) calls",
	"function answer.documents_of(text,jsonb), relation answer.document_fact"},
	{"code that function answer.document_set_version(tenant text) calls",
	"relation answer.document_set"},
	{"code that function answer.documents_of(tenant text, filter jsonb) calls",
	"function answer.document_filter(text,jsonb), function answer.search_items(text,text,text), relation answer.document"},
	{"code that function answer.evolve_changes(config jsonb) calls",
	"function answer.evolve_knobs()"},
	{"code that function answer.evolve_is_low_risk(\"from\" jsonb, change jsonb) calls",
	"function answer.evolve_knobs()"},
	{"code that function answer.graph_node_of(tenant text, project text, id text) calls",
	"function answer.graph_key(text,text,text), relation answer.graph_edge, relation answer.graph_node"},
	{"code that function answer.judge_assessed(tenant text, name text, revision integer) calls",
	"relation answer.judge_assessment"},
	{"code that function answer.judges_of(tenant text) calls",
	"function answer.judge_assessed(text,text,integer), relation answer.judge"},
	{"code that function answer.receipt_of(tenants text[], receipt_id text, issued_at timestamp with time zone) calls",
	"function answer.anchor(bytea,bytea,timestamp with time zone), function answer.refuse_detached(text,timestamp with time zone), relation answer.anchor, relation answer.receipt"},
	{"code that function answer.run_intoto_of(tenants text[], run text) calls",
	"function answer.run_intoto(jsonb), function answer.run_verified(text[],text)"},
	{"code that function answer.run_put(tenant text, run_id text, started_at timestamp with time zone, took bigint[]) calls",
	"relation answer.run_timing"},
	{"code that function answer.suite_load_put(tenant text, name text, cases jsonb, documents jsonb, now timestamp with time zone) calls",
	"function answer.suite_store(text,text,jsonb,jsonb,timestamp with time zone,integer)"},
	{"code that function answer.suites_of(tenants text[]) calls",
	"relation answer.suite"},
	{"code that function answer.tool_call_prune(tenants text[]) calls",
	"relation answer.tool_call"},
	{"code that function answer.tool_graph_node(args jsonb) calls",
	"function answer.grade_graph_node(jsonb), function @extschema@.answer_graph_node(text,text)"},
	{"code that function answer.tool_setting(args jsonb) calls",
	"function answer.tool_setting_value(text)"},
	{"code that function answer.trace_erase(tenant text, trace_id text) calls",
	"relation answer.memory_entry, relation answer.plan_event"},
	{"code that function answer.trace_of(tenants text[], reader oid, id text, after_seq integer, sig_text boolean) calls",
	"function answer.trace_readable(text[],oid,text), relation answer.plan_event, relation answer.plan_run"},
	{"code that function @extschema@.answer_dashboard_html(options jsonb) calls",
	"function answer.dashboard_page(jsonb)"},
	{"code that function @extschema@.answer_key_registry() calls",
	"relation answer.signing_key"},
	{"code that function @extschema@.answer_verify_document(document jsonb, keys jsonb) calls",
	"function @extschema@.answer_verify(jsonb,jsonb)"},
	{"code that index graph_edge_to on answer.graph_edge calls",
	"function answer.graph_key(text,text,text)"},
	{"code that index graph_node_source on answer.graph_node calls",
	"function answer.graph_key(text,text,text)"},
	{"code that policy tenant_adds on answer.anchor calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.anchor_request calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.baseline calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.baseline_row calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.budget_cap calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.budget_period calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.budget_reservation calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.chunk calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.chunk_embedding calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.chunk_item calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.chunk_search calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.config_sample calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.decision_cache calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.document calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.document_fact calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.document_set calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.environment_head calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.evidence calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.evidence_series calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.graph_edge calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.graph_embedding calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.graph_loose calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.graph_node calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.graph_search calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.graph_set calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.investigation calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.judge calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.judge_assessment calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.judge_version calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.judgement calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.memory_entry calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.memory_policy calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.packet_log calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.plan calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.plan_event calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.plan_run calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.plan_step calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.quality_entry calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.quality_tool calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.receipt calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.receipt_default calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.retrieval calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup_correction calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup_day calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup_hour calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup_kept calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup_key calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup_latency calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup_minute calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup_new calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup_refusal calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.rollup_word calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.route calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.route_state calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.route_table calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.run_timing calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.run_work calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.run_work_case calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.suite calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.suite_case calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.tombstone calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.tool calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.tool_bucket calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_adds on answer.tool_call calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.anchor calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.anchor_request calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.baseline calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.baseline_row calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.budget_cap calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.budget_period calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.budget_reservation calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.chunk calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.chunk_embedding calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.chunk_item calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.chunk_search calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.config_sample calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.decision_cache calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.document calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.document_fact calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.document_set calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.environment_head calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.evidence calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.evidence_series calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.graph_edge calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.graph_embedding calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.graph_loose calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.graph_node calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.graph_search calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.graph_set calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.investigation calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.judge calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.judge_assessment calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.judge_version calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.judgement calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.memory_entry calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.memory_policy calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.packet_log calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.plan calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.plan_event calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.plan_run calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.plan_step calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.quality_entry calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.quality_tool calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.receipt calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.receipt_default calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.retrieval calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup_correction calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup_day calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup_hour calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup_kept calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup_key calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup_latency calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup_minute calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup_new calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup_refusal calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.rollup_word calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.route calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.route_state calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.route_table calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.run_timing calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.run_work calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.run_work_case calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.suite calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.suite_case calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.tombstone calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.tool calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.tool_bucket calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_changes on answer.tool_call calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_permits on answer.anchor calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.anchor_request calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.baseline calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.baseline_row calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.budget_cap calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.budget_period calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.budget_reservation calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.chunk calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.chunk_embedding calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.chunk_item calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.chunk_search calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.config_sample calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.decision_cache calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.document calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.document_fact calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.document_set calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.environment_head calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.evidence calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.evidence_series calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.graph_edge calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.graph_embedding calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.graph_loose calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.graph_node calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.graph_search calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.graph_set calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.investigation calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.judge calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.judge_assessment calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.judge_version calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.judgement calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.memory_entry calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.memory_policy calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.packet_log calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.plan calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.plan_event calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.plan_run calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.plan_step calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.quality_entry calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.quality_tool calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.receipt calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.receipt_default calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.retrieval calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup_correction calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup_day calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup_hour calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup_kept calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup_key calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup_latency calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup_minute calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup_new calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup_refusal calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.rollup_word calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.route calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.route_state calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.route_table calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.run_timing calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.run_work calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.run_work_case calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.suite calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.suite_case calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.tombstone calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.tool calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.tool_bucket calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_permits on answer.tool_call calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.anchor calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.anchor_request calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.baseline calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.baseline_row calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.budget_cap calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.budget_period calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.budget_reservation calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.chunk calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.chunk_embedding calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.chunk_item calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.chunk_search calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.config_sample calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.decision_cache calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.document calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.document_fact calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.document_set calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.environment_head calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.evidence calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.evidence_series calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.graph_edge calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.graph_embedding calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.graph_loose calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.graph_node calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.graph_search calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.graph_set calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.investigation calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.judge calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.judge_assessment calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.judge_version calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.judgement calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.memory_entry calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.memory_policy calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.packet_log calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.plan calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.plan_event calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.plan_run calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.plan_step calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.quality_entry calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.quality_tool calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.receipt calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.receipt_default calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.retrieval calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup_correction calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup_day calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup_hour calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup_kept calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup_key calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup_latency calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup_minute calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup_new calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup_refusal calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.rollup_word calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.route calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.route_state calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.route_table calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.run_timing calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.run_work calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.run_work_case calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.suite calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.suite_case calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.tombstone calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.tool calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.tool_bucket calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_reads on answer.tool_call calls",
	"function answer.tenant_reads()"},
	{"code that policy tenant_removes on answer.anchor calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.anchor_request calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.baseline calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.baseline_row calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.budget_cap calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.budget_period calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.budget_reservation calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.chunk calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.chunk_embedding calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.chunk_item calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.chunk_search calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.config_sample calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.decision_cache calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.document calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.document_fact calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.document_set calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.environment_head calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.evidence calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.evidence_series calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.graph_edge calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.graph_embedding calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.graph_loose calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.graph_node calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.graph_search calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.graph_set calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.investigation calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.judge calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.judge_assessment calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.judge_version calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.judgement calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.memory_entry calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.memory_policy calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.packet_log calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.plan calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.plan_event calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.plan_run calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.plan_step calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.quality_entry calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.quality_tool calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.receipt calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.receipt_default calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.retrieval calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup_correction calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup_day calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup_hour calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup_kept calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup_key calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup_latency calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup_minute calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup_new calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup_refusal calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.rollup_word calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.route calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.route_state calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.route_table calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.run_timing calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.run_work calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.run_work_case calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.suite calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.suite_case calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.tombstone calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.tool calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.tool_bucket calls",
	"function @extschema@.answer_tenant()"},
	{"code that policy tenant_removes on answer.tool_call calls",
	"function @extschema@.answer_tenant()"},
	{"code that relation answer.baseline_measure calls",
	"relation answer.baseline, relation answer.baseline_row"},
	{"code that relation answer.budget calls",
	"relation answer.budget_cap, relation answer.budget_period"},
	{"code that relation answer.change calls",
	"function @extschema@.answer_digest(jsonb), relation answer.receipt"},
	{"code that relation answer.change_state calls",
	"function answer.judge_assessed(text,text,integer), function answer.portable(jsonb), function answer.row_digest(text,record), function @extschema@.answer_digest(jsonb), relation answer.baseline, relation answer.budget_cap, relation answer.decision_rule, relation answer.document_set, relation answer.graph_set, relation answer.judge, relation answer.memory_entry, relation answer.memory_policy, relation answer.plan, relation answer.quality_authority, relation answer.quality_class, relation answer.quality_compatibility, relation answer.quality_intent, relation answer.quality_requirement, relation answer.quality_tool, relation answer.recorded_rows, relation answer.rollup_pruned, relation answer.route, relation answer.signing_key, relation answer.source, relation answer.suite, relation answer.tenant, relation answer.tenant_role, relation answer.tombstone, relation answer.tool, relation answer.witness_key"},
	{"code that relation answer.config calls",
	"function answer.shipped_config(), function @extschema@.answer_digest(jsonb), relation answer.receipt"},
	{"code that relation answer.config_step calls",
	"relation answer.receipt"},
	{"code that relation answer.dashboard_budgets calls",
	"function answer.dashboard_budgets()"},
	{"code that relation answer.dashboard_checks calls",
	"function answer.dashboard_checks()"},
	{"code that relation answer.dashboard_evidence calls",
	"function answer.dashboard_evidence()"},
	{"code that relation answer.dashboard_gates calls",
	"function answer.dashboard_gates()"},
	{"code that relation answer.dashboard_intents calls",
	"function answer.dashboard_intents()"},
	{"code that relation answer.dashboard_keys calls",
	"function answer.dashboard_keys()"},
	{"code that relation answer.dashboard_latency calls",
	"function answer.dashboard_latency()"},
	{"code that relation answer.dashboard_log calls",
	"function answer.dashboard_log()"},
	{"code that relation answer.dashboard_open calls",
	"function answer.dashboard_open()"},
	{"code that relation answer.dashboard_reasons calls",
	"function answer.dashboard_reasons()"},
	{"code that relation answer.dashboard_slo calls",
	"function answer.dashboard_slo()"},
	{"code that relation answer.dashboard_sources calls",
	"function answer.dashboard_sources()"},
	{"code that relation answer.dashboard_suites calls",
	"function answer.dashboard_suites()"},
	{"code that relation answer.dashboard_tools calls",
	"function answer.dashboard_tools()"},
	{"code that relation answer.dashboard_verdicts calls",
	"function answer.dashboard_verdicts()"},
	{"code that relation answer.decision_reason calls",
	"relation answer.receipt"},
	{"code that relation answer.decision_rules calls",
	"function answer.shipped_decision_rules(), relation answer.decision_rule"},
	{"code that relation answer.environment calls",
	"function answer.shipped_environments(), relation answer.receipt"},
	{"code that relation answer.eval_progress calls",
	"function answer.eval_progress_rows()"},
	{"code that relation answer.evolve_proposal calls",
	"relation answer.receipt"},
	{"code that relation answer.graph_project calls",
	"relation answer.graph_node, relation answer.graph_set"},
	{"code that relation answer.memory calls",
	"relation answer.memory_entry"},
	{"code that relation answer.open_investigation calls",
	"function answer.assessment_of(bigint,text,text,text), relation answer.investigation"},
	{"code that relation answer.quality_rule calls",
	"function answer.tenant_shared(), relation answer.quality_authority, relation answer.quality_class, relation answer.quality_compatibility, relation answer.quality_intent, relation answer.quality_requirement, relation answer.quality_tool"},
	{"code that relation answer.quality_rules calls",
	"function answer.tenant_shared(), relation answer.quality_authority, relation answer.quality_class, relation answer.quality_compatibility, relation answer.quality_intent, relation answer.quality_requirement, relation answer.quality_tool"},
	{"code that relation answer.receipt_check calls",
	"relation answer.receipt"},
	{"code that relation answer.receipt_refusal calls",
	"relation answer.receipt"},
	{"code that relation answer.recordable calls",
	"function answer.recorded_item(integer,text,bytea), function answer.recorded_reading(text,text), function answer.row_digest(text,record), relation answer.evidence, relation answer.investigation, relation answer.judgement, relation answer.quality_entry"},
	{"code that relation answer.retention calls",
	"relation answer.receipt"},
	{"code that relation answer.rollup_point calls",
	"relation answer.rollup, relation answer.rollup_single"},
	{"code that relation answer.rollup_single calls",
	"function answer.latency_bag(bigint), relation answer.rollup_kept, relation answer.rollup_new"},
	{"code that relation answer.run calls",
	"relation answer.receipt, relation answer.run_timing"},
	{"code that relation answer.run_case calls",
	"relation answer.receipt, relation answer.run"},
	{"code that relation answer.run_progress calls",
	"relation answer.run_work"},
	{"code that relation answer.tenant_anchor calls",
	"function answer.tenant_reads(), relation answer.anchor"},
	{"code that relation answer.tenant_baseline calls",
	"function answer.tenant_reads(), relation answer.baseline"},
	{"code that relation answer.tenant_budget calls",
	"function answer.tenant_reads(), relation answer.budget_cap, relation answer.budget_period"},
	{"code that relation answer.tenant_chunk calls",
	"function answer.tenant_reads(), relation answer.chunk"},
	{"code that relation answer.tenant_config calls",
	"function answer.shipped_config(), function answer.tenant_reads(), function answer.tenant_shared(), function @extschema@.answer_digest(jsonb), relation answer.receipt"},
	{"code that relation answer.tenant_config_step calls",
	"function answer.tenant_reads(), relation answer.receipt"},
	{"code that relation answer.tenant_document calls",
	"function answer.tenant_reads(), relation answer.document"},
	{"code that relation answer.tenant_document_fact calls",
	"function answer.tenant_reads(), relation answer.document_fact"},
	{"code that relation answer.tenant_environment calls",
	"function answer.shipped_environments(), function answer.tenant_reads(), function answer.tenant_shared(), relation answer.receipt"},
	{"code that relation answer.tenant_evidence calls",
	"function answer.tenant_reads(), relation answer.evidence"},
	{"code that relation answer.tenant_evolve_proposal calls",
	"function answer.tenant_reads(), relation answer.receipt"},
	{"code that relation answer.tenant_graph_edge calls",
	"function answer.tenant_reads(), relation answer.graph_edge"},
	{"code that relation answer.tenant_graph_node calls",
	"function answer.tenant_reads(), relation answer.graph_node"},
	{"code that relation answer.tenant_graph_project calls",
	"function answer.tenant_reads(), relation answer.graph_node, relation answer.graph_set"},
	{"code that relation answer.tenant_investigation calls",
	"function answer.tenant_reads(), relation answer.investigation"},
	{"code that relation answer.tenant_judge calls",
	"function answer.tenant_reads(), function answer.tenant_shared(), relation answer.judge"},
	{"code that relation answer.tenant_judge_assessment calls",
	"function answer.tenant_reads(), function answer.tenant_shared(), relation answer.judge_assessment"},
	{"code that relation answer.tenant_judgement calls",
	"function answer.tenant_reads(), relation answer.judgement"},
	{"code that relation answer.tenant_memory calls",
	"function answer.tenant_reads(), relation answer.memory_entry"},
	{"code that relation answer.tenant_open_investigation calls",
	"function answer.assessment_of(bigint,text,text,text), function answer.tenant_reads(), relation answer.investigation"},
	{"code that relation answer.tenant_packet_log calls",
	"function answer.tenant_reads(), relation answer.packet_log"},
	{"code that relation answer.tenant_plan calls",
	"function answer.tenant_reads(), function answer.tenant_shared(), relation answer.plan"},
	{"code that relation answer.tenant_plan_event calls",
	"function answer.tenant_reads(), relation answer.plan_event"},
	{"code that relation answer.tenant_plan_run calls",
	"function answer.tenant_reads(), relation answer.plan_run"},
	{"code that relation answer.tenant_quality_entry calls",
	"function answer.tenant_reads(), relation answer.quality_entry"},
	{"code that relation answer.tenant_quality_tool calls",
	"function answer.tenant_reads(), function answer.tenant_shared(), relation answer.quality_tool"},
	{"code that relation answer.tenant_receipt calls",
	"function answer.tenant_reads(), relation answer.receipt"},
	{"code that relation answer.tenant_route calls",
	"function answer.tenant_reads(), function answer.tenant_shared(), relation answer.route"},
	{"code that relation answer.tenant_route_table calls",
	"function answer.tenant_reads(), function answer.tenant_shared(), relation answer.route_table"},
	{"code that relation answer.tenant_run calls",
	"function answer.tenant_reads(), relation answer.receipt, relation answer.run_timing"},
	{"code that relation answer.tenant_run_case calls",
	"function answer.tenant_reads(), relation answer.receipt, relation answer.run_timing"},
	{"code that relation answer.tenant_run_progress calls",
	"function answer.tenant_reads(), relation answer.run_work"},
	{"code that relation answer.tenant_suite calls",
	"function answer.tenant_reads(), relation answer.suite"},
	{"code that relation answer.tenant_suite_case calls",
	"function answer.tenant_reads(), relation answer.suite_case"},
	{"code that relation answer.tenant_tombstone calls",
	"function answer.tenant_reads(), relation answer.tombstone"},
	{"code that relation answer.tenant_tool calls",
	"function answer.tenant_reads(), function answer.tenant_shared(), relation answer.tool"},
	{"code that relation answer.tenant_tool_latency calls",
	"function answer.tenant_reads(), relation answer.tool_call"},
	{"code that relation answer.tool_latency calls",
	"relation answer.tool_call"},
	{"column answer.anchor.attached_at",
	"timestamp with time zone"},
	{"column answer.anchor.imprint",
	"bytea"},
	{"column answer.anchor.receipt_id",
	"text"},
	{"column answer.anchor.tenant",
	"text"},
	{"column answer.anchor.token",
	"bytea"},
	{"column answer.anchor.token_digest",
	"text"},
	{"column answer.anchor_request.nonce",
	"text"},
	{"column answer.anchor_request.policy",
	"text"},
	{"column answer.anchor_request.receipt_id",
	"text"},
	{"column answer.anchor_request.requested_at",
	"timestamp with time zone"},
	{"column answer.anchor_request.tenant",
	"text"},
	{"column answer.baseline.digest",
	"text collation C"},
	{"column answer.baseline.loaded_at",
	"timestamp with time zone"},
	{"column answer.baseline.loaded_by",
	"text"},
	{"column answer.baseline.name",
	"text collation C"},
	{"column answer.baseline.questions",
	"integer"},
	{"column answer.baseline.tenant",
	"text collation C"},
	{"column answer.baseline.version",
	"integer"},
	{"column answer.baseline_measure.answers",
	"bigint"},
	{"column answer.baseline_measure.citation_rate",
	"numeric"},
	{"column answer.baseline_measure.cited",
	"bigint"},
	{"column answer.baseline_measure.contradiction_rate",
	"numeric"},
	{"column answer.baseline_measure.contradictory",
	"bigint"},
	{"column answer.baseline_measure.cost_per_verified_answer",
	"numeric"},
	{"column answer.baseline_measure.cost_usd",
	"numeric"},
	{"column answer.baseline_measure.digest",
	"text collation C"},
	{"column answer.baseline_measure.name",
	"text collation C"},
	{"column answer.baseline_measure.p50_ms",
	"double precision"},
	{"column answer.baseline_measure.p95_ms",
	"double precision"},
	{"column answer.baseline_measure.questions",
	"integer"},
	{"column answer.baseline_measure.tenant",
	"text collation C"},
	{"column answer.baseline_measure.verified",
	"bigint"},
	{"column answer.baseline_measure.version",
	"integer"},
	{"column answer.baseline_row.answered",
	"boolean"},
	{"column answer.baseline_row.cited",
	"boolean"},
	{"column answer.baseline_row.contradictory",
	"boolean"},
	{"column answer.baseline_row.cost_usd",
	"numeric"},
	{"column answer.baseline_row.latency_ms",
	"numeric"},
	{"column answer.baseline_row.name",
	"text collation C"},
	{"column answer.baseline_row.question",
	"text collation C"},
	{"column answer.baseline_row.tenant",
	"text collation C"},
	{"column answer.baseline_row.version",
	"integer"},
	{"column answer.budget.cost_cap_usd",
	"numeric"},
	{"column answer.budget.period",
	"text collation C"},
	{"column answer.budget.reserved_usd",
	"numeric"},
	{"column answer.budget.spent_usd",
	"numeric"},
	{"column answer.budget.tenant",
	"text collation C"},
	{"column answer.budget_cap.cost_cap_usd",
	"numeric"},
	{"column answer.budget_cap.period",
	"text collation C"},
	{"column answer.budget_cap.tenant",
	"text collation C"},
	{"column answer.budget_period.period",
	"text collation C"},
	{"column answer.budget_period.reserved_usd",
	"numeric"},
	{"column answer.budget_period.spent_usd",
	"numeric"},
	{"column answer.budget_period.starts_on",
	"date"},
	{"column answer.budget_period.tenant",
	"text collation C"},
	{"column answer.budget_reservation.backend_start",
	"timestamp with time zone"},
	{"column answer.budget_reservation.charged_ms",
	"numeric"},
	{"column answer.budget_reservation.charged_usd",
	"numeric"},
	{"column answer.budget_reservation.day",
	"date"},
	{"column answer.budget_reservation.pending_since",
	"timestamp with time zone"},
	{"column answer.budget_reservation.pid",
	"integer"},
	{"column answer.budget_reservation.reserved_ms",
	"numeric"},
	{"column answer.budget_reservation.reserved_usd",
	"numeric"},
	{"column answer.budget_reservation.settled_at",
	"timestamp with time zone"},
	{"column answer.budget_reservation.step_ms",
	"numeric"},
	{"column answer.budget_reservation.step_usd",
	"numeric"},
	{"column answer.budget_reservation.tenant",
	"text collation C"},
	{"column answer.budget_reservation.trace_id",
	"text collation C"},
	{"column answer.change.action",
	"text"},
	{"column answer.change.after",
	"jsonb"},
	{"column answer.change.after_digest",
	"text"},
	{"column answer.change.before_digest",
	"text"},
	{"column answer.change.issued_at",
	"timestamp with time zone"},
	{"column answer.change.kind",
	"text"},
	{"column answer.change.name",
	"text"},
	{"column answer.change.receipt_id",
	"text"},
	{"column answer.change.revision",
	"integer"},
	{"column answer.change.tenant",
	"text"},
	{"column answer.change_state.kind",
	"text"},
	{"column answer.change_state.name",
	"text collation C"},
	{"column answer.change_state.shipped",
	"boolean"},
	{"column answer.change_state.state",
	"jsonb"},
	{"column answer.change_state.tenant",
	"text"},
	{"column answer.checkpoint.edge",
	"bytea"},
	{"column answer.checkpoint.key_id",
	"text"},
	{"column answer.checkpoint.note",
	"bytea"},
	{"column answer.checkpoint.origin",
	"text"},
	{"column answer.checkpoint.previous_size",
	"bigint"},
	{"column answer.checkpoint.root_hash",
	"bytea"},
	{"column answer.checkpoint.sealed_at",
	"timestamp with time zone"},
	{"column answer.checkpoint.tree_size",
	"bigint"},
	{"column answer.chunk.anchor",
	"text"},
	{"column answer.chunk.chunk_id",
	"text"},
	{"column answer.chunk.content_hash",
	"text"},
	{"column answer.chunk.doc_id",
	"text"},
	{"column answer.chunk.ordinal",
	"integer"},
	{"column answer.chunk.section",
	"text"},
	{"column answer.chunk.tenant",
	"text"},
	{"column answer.chunk.text",
	"text"},
	{"column answer.chunk.title",
	"text"},
	{"column answer.chunk.uri",
	"text"},
	{"column answer.chunk.version",
	"integer"},
	{"column answer.chunk_embedding.chunk_id",
	"text collation C"},
	{"column answer.chunk_embedding.content_hash",
	"text"},
	{"column answer.chunk_embedding.embedding",
	"real[]"},
	{"column answer.chunk_embedding.tenant",
	"text"},
	{"column answer.chunk_item.chunks",
	"bigint"},
	{"column answer.chunk_item.item",
	"bytea"},
	{"column answer.chunk_item.tenant",
	"text"},
	{"column answer.chunk_search.\"timestamp\"",
	"timestamp with time zone"},
	{"column answer.chunk_search.chunk_id",
	"text collation C"},
	{"column answer.chunk_search.doc_id",
	"text"},
	{"column answer.chunk_search.items",
	"bytea[]"},
	{"column answer.chunk_search.ordinal",
	"integer"},
	{"column answer.chunk_search.sketch",
	"bytea"},
	{"column answer.chunk_search.tenant",
	"text"},
	{"column answer.chunk_search.title_items",
	"bytea[]"},
	{"column answer.chunk_search.version",
	"integer"},
	{"column answer.config.author",
	"text"},
	{"column answer.config.config",
	"jsonb"},
	{"column answer.config.config_id",
	"text"},
	{"column answer.config.created_at",
	"timestamp with time zone"},
	{"column answer.config.digest",
	"text"},
	{"column answer.config.parent",
	"text"},
	{"column answer.config.reason",
	"text"},
	{"column answer.config.receipt_id",
	"text"},
	{"column answer.config.seed",
	"boolean"},
	{"column answer.config.tenant",
	"text"},
	{"column answer.config_sample.asked_by",
	"text collation C"},
	{"column answer.config_sample.environment",
	"text collation C"},
	{"column answer.config_sample.issued_at",
	"timestamp with time zone"},
	{"column answer.config_sample.receipt_id",
	"text collation C"},
	{"column answer.config_sample.revision",
	"integer"},
	{"column answer.config_sample.tenant",
	"text collation C"},
	{"column answer.config_step.action",
	"text"},
	{"column answer.config_step.active_after",
	"text"},
	{"column answer.config_step.active_before",
	"text"},
	{"column answer.config_step.baseline_run",
	"text"},
	{"column answer.config_step.by_role",
	"text"},
	{"column answer.config_step.candidate_run",
	"text"},
	{"column answer.config_step.config_id",
	"text"},
	{"column answer.config_step.environment",
	"text"},
	{"column answer.config_step.failures",
	"jsonb"},
	{"column answer.config_step.issued_at",
	"timestamp with time zone"},
	{"column answer.config_step.outcome",
	"text"},
	{"column answer.config_step.reason",
	"text"},
	{"column answer.config_step.receipt_id",
	"text"},
	{"column answer.config_step.revision",
	"integer"},
	{"column answer.config_step.samples",
	"jsonb"},
	{"column answer.config_step.stage",
	"text"},
	{"column answer.config_step.tenant",
	"text"},
	{"column answer.cosignature.added_at",
	"timestamp with time zone"},
	{"column answer.cosignature.line",
	"bytea"},
	{"column answer.cosignature.tree_size",
	"bigint"},
	{"column answer.cosignature.vkey",
	"text"},
	{"column answer.dashboard_budgets.cost_cap_usd",
	"double precision"},
	{"column answer.dashboard_budgets.period",
	"text"},
	{"column answer.dashboard_budgets.reserved_usd",
	"double precision"},
	{"column answer.dashboard_budgets.spent_usd",
	"double precision"},
	{"column answer.dashboard_budgets.tenant",
	"text"},
	{"column answer.dashboard_budgets.used",
	"double precision"},
	{"column answer.dashboard_checks.\"time\"",
	"timestamp with time zone"},
	{"column answer.dashboard_checks.metric",
	"text"},
	{"column answer.dashboard_checks.tenant",
	"text"},
	{"column answer.dashboard_checks.value",
	"double precision"},
	{"column answer.dashboard_evidence.\"time\"",
	"timestamp with time zone"},
	{"column answer.dashboard_evidence.metric",
	"text"},
	{"column answer.dashboard_evidence.tenant",
	"text"},
	{"column answer.dashboard_evidence.value",
	"double precision"},
	{"column answer.dashboard_gates.\"time\"",
	"timestamp with time zone"},
	{"column answer.dashboard_gates.action",
	"text"},
	{"column answer.dashboard_gates.config",
	"text"},
	{"column answer.dashboard_gates.detail",
	"text"},
	{"column answer.dashboard_gates.environment",
	"text"},
	{"column answer.dashboard_gates.failures",
	"bigint"},
	{"column answer.dashboard_gates.metric",
	"text"},
	{"column answer.dashboard_gates.outcome",
	"text"},
	{"column answer.dashboard_gates.receipt_id",
	"text"},
	{"column answer.dashboard_gates.stage",
	"text"},
	{"column answer.dashboard_gates.state",
	"text"},
	{"column answer.dashboard_gates.suite",
	"text"},
	{"column answer.dashboard_gates.tenant",
	"text"},
	{"column answer.dashboard_gates.value",
	"double precision"},
	{"column answer.dashboard_intents.\"time\"",
	"timestamp with time zone"},
	{"column answer.dashboard_intents.documents",
	"double precision"},
	{"column answer.dashboard_intents.intent",
	"text"},
	{"column answer.dashboard_intents.schema",
	"text"},
	{"column answer.dashboard_intents.tenant",
	"text"},
	{"column answer.dashboard_intents.verdict",
	"text"},
	{"column answer.dashboard_keys.active_from",
	"timestamp with time zone"},
	{"column answer.dashboard_keys.age_days",
	"double precision"},
	{"column answer.dashboard_keys.compromised_after",
	"timestamp with time zone"},
	{"column answer.dashboard_keys.documents",
	"double precision"},
	{"column answer.dashboard_keys.file_present",
	"boolean"},
	{"column answer.dashboard_keys.key_id",
	"text"},
	{"column answer.dashboard_keys.last_signed_at",
	"timestamp with time zone"},
	{"column answer.dashboard_keys.retired_at",
	"timestamp with time zone"},
	{"column answer.dashboard_keys.status",
	"text"},
	{"column answer.dashboard_latency.\"time\"",
	"timestamp with time zone"},
	{"column answer.dashboard_latency.metric",
	"text"},
	{"column answer.dashboard_latency.tenant",
	"text"},
	{"column answer.dashboard_latency.value",
	"double precision"},
	{"column answer.dashboard_log.last_audit_at",
	"timestamp with time zone"},
	{"column answer.dashboard_log.last_audit_defects",
	"bigint"},
	{"column answer.dashboard_log.last_audit_size",
	"bigint"},
	{"column answer.dashboard_log.last_seal_at",
	"timestamp with time zone"},
	{"column answer.dashboard_log.last_witnessed_at",
	"timestamp with time zone"},
	{"column answer.dashboard_log.last_witnessed_size",
	"bigint"},
	{"column answer.dashboard_log.leaves",
	"bigint"},
	{"column answer.dashboard_log.oldest_unsealed_at",
	"timestamp with time zone"},
	{"column answer.dashboard_log.unsealed",
	"bigint"},
	{"column answer.dashboard_log.witnesses",
	"bigint"},
	{"column answer.dashboard_open.age_hours",
	"double precision"},
	{"column answer.dashboard_open.complete",
	"boolean"},
	{"column answer.dashboard_open.coverage",
	"text"},
	{"column answer.dashboard_open.gaps",
	"bigint"},
	{"column answer.dashboard_open.intent",
	"text"},
	{"column answer.dashboard_open.investigation",
	"bigint"},
	{"column answer.dashboard_open.next_class",
	"text"},
	{"column answer.dashboard_open.next_tool",
	"text"},
	{"column answer.dashboard_open.opened_at",
	"timestamp with time zone"},
	{"column answer.dashboard_open.tenant",
	"text"},
	{"column answer.dashboard_reasons.\"time\"",
	"timestamp with time zone"},
	{"column answer.dashboard_reasons.metric",
	"text"},
	{"column answer.dashboard_reasons.tenant",
	"text"},
	{"column answer.dashboard_reasons.value",
	"double precision"},
	{"column answer.dashboard_slo.\"time\"",
	"timestamp with time zone"},
	{"column answer.dashboard_slo.metric",
	"text"},
	{"column answer.dashboard_slo.tenant",
	"text"},
	{"column answer.dashboard_slo.value",
	"double precision"},
	{"column answer.dashboard_sources.confidence",
	"double precision"},
	{"column answer.dashboard_sources.facts",
	"double precision"},
	{"column answer.dashboard_sources.last_cited_at",
	"timestamp with time zone"},
	{"column answer.dashboard_sources.source",
	"text"},
	{"column answer.dashboard_sources.tenant",
	"text"},
	{"column answer.dashboard_sources.weak",
	"double precision"},
	{"column answer.dashboard_suites.\"time\"",
	"timestamp with time zone"},
	{"column answer.dashboard_suites.cases",
	"integer"},
	{"column answer.dashboard_suites.environment",
	"text"},
	{"column answer.dashboard_suites.false_accept_rate",
	"double precision"},
	{"column answer.dashboard_suites.false_accepts",
	"bigint"},
	{"column answer.dashboard_suites.false_refusals",
	"bigint"},
	{"column answer.dashboard_suites.false_refuse_rate",
	"double precision"},
	{"column answer.dashboard_suites.of_active",
	"boolean"},
	{"column answer.dashboard_suites.passed",
	"integer"},
	{"column answer.dashboard_suites.run_id",
	"text"},
	{"column answer.dashboard_suites.state",
	"text"},
	{"column answer.dashboard_suites.suite",
	"text"},
	{"column answer.dashboard_suites.tenant",
	"text"},
	{"column answer.dashboard_suites.version",
	"integer"},
	{"column answer.dashboard_tools.\"time\"",
	"timestamp with time zone"},
	{"column answer.dashboard_tools.calls",
	"double precision"},
	{"column answer.dashboard_tools.mean_ms",
	"double precision"},
	{"column answer.dashboard_tools.outcome",
	"text"},
	{"column answer.dashboard_tools.tenant",
	"text"},
	{"column answer.dashboard_tools.tool",
	"text"},
	{"column answer.dashboard_verdicts.\"time\"",
	"timestamp with time zone"},
	{"column answer.dashboard_verdicts.metric",
	"text"},
	{"column answer.dashboard_verdicts.tenant",
	"text"},
	{"column answer.dashboard_verdicts.value",
	"double precision"},
	{"column answer.decision_cache.expires_at",
	"timestamp with time zone"},
	{"column answer.decision_cache.hits",
	"bigint"},
	{"column answer.decision_cache.issued_at",
	"timestamp with time zone"},
	{"column answer.decision_cache.key",
	"text collation C"},
	{"column answer.decision_cache.last_hit_at",
	"timestamp with time zone"},
	{"column answer.decision_cache.receipt_id",
	"text"},
	{"column answer.decision_cache.sig",
	"jsonb"},
	{"column answer.decision_cache.tenant",
	"text collation C"},
	{"column answer.decision_reason.\"time\"",
	"timestamp with time zone"},
	{"column answer.decision_reason.confidence",
	"double precision"},
	{"column answer.decision_reason.degraded",
	"boolean"},
	{"column answer.decision_reason.intent",
	"text"},
	{"column answer.decision_reason.reason",
	"text"},
	{"column answer.decision_reason.receipt_id",
	"text"},
	{"column answer.decision_reason.risk_level",
	"text"},
	{"column answer.decision_reason.tenant",
	"text"},
	{"column answer.decision_reason.took",
	"interval"},
	{"column answer.decision_reason.verdict",
	"text"},
	{"column answer.decision_rule.\"position\"",
	"integer"},
	{"column answer.decision_rule.detail",
	"jsonb"},
	{"column answer.decision_rule.entry",
	"text"},
	{"column answer.decision_rule.excluded",
	"boolean"},
	{"column answer.decision_rule.list",
	"text"},
	{"column answer.decision_rule.seed",
	"boolean"},
	{"column answer.decision_rules.rules",
	"jsonb"},
	{"column answer.document.\"timestamp\"",
	"timestamp with time zone"},
	{"column answer.document.chunks",
	"integer"},
	{"column answer.document.content_hash",
	"text"},
	{"column answer.document.doc_id",
	"text"},
	{"column answer.document.loaded_at",
	"timestamp with time zone"},
	{"column answer.document.loaded_by",
	"text"},
	{"column answer.document.tenant",
	"text"},
	{"column answer.document.title",
	"text"},
	{"column answer.document.url",
	"text"},
	{"column answer.document.version",
	"integer"},
	{"column answer.document_fact.added_at",
	"timestamp with time zone"},
	{"column answer.document_fact.attribute",
	"text"},
	{"column answer.document_fact.by",
	"text"},
	{"column answer.document_fact.chunk_id",
	"text collation C"},
	{"column answer.document_fact.digest",
	"text collation C"},
	{"column answer.document_fact.doc_id",
	"text collation C"},
	{"column answer.document_fact.key",
	"text collation C"},
	{"column answer.document_fact.quote",
	"text"},
	{"column answer.document_fact.role",
	"text"},
	{"column answer.document_fact.scope",
	"text"},
	{"column answer.document_fact.subject",
	"text"},
	{"column answer.document_fact.tenant",
	"text collation C"},
	{"column answer.document_fact.unit",
	"text"},
	{"column answer.document_fact.value",
	"text"},
	{"column answer.document_fact.version",
	"integer"},
	{"column answer.document_set.chunks",
	"bigint"},
	{"column answer.document_set.sum",
	"bytea"},
	{"column answer.document_set.tenant",
	"text"},
	{"column answer.document_set.version",
	"bigint"},
	{"column answer.environment.active",
	"text"},
	{"column answer.environment.canary",
	"text"},
	{"column answer.environment.canary_samples",
	"integer"},
	{"column answer.environment.canary_share",
	"numeric"},
	{"column answer.environment.history",
	"text[]"},
	{"column answer.environment.most_different_percent",
	"integer"},
	{"column answer.environment.moved_at",
	"timestamp with time zone"},
	{"column answer.environment.name",
	"text"},
	{"column answer.environment.receipt_id",
	"text"},
	{"column answer.environment.revision",
	"integer"},
	{"column answer.environment.rules",
	"jsonb"},
	{"column answer.environment.seed",
	"boolean"},
	{"column answer.environment.shadow",
	"text"},
	{"column answer.environment.shadow_samples",
	"integer"},
	{"column answer.environment.suite",
	"text"},
	{"column answer.environment.tenant",
	"text"},
	{"column answer.environment_head.environment",
	"text collation C"},
	{"column answer.environment_head.revision",
	"integer"},
	{"column answer.environment_head.tenant",
	"text collation C"},
	{"column answer.eval_progress.done",
	"bigint"},
	{"column answer.eval_progress.pid",
	"integer"},
	{"column answer.eval_progress.refused",
	"bigint"},
	{"column answer.eval_progress.requests",
	"bigint"},
	{"column answer.eval_progress.role",
	"text"},
	{"column answer.eval_progress.started_at",
	"timestamp with time zone"},
	{"column answer.evidence.args",
	"jsonb"},
	{"column answer.evidence.args_digest",
	"text collation C"},
	{"column answer.evidence.digest",
	"text collation C"},
	{"column answer.evidence.expires",
	"timestamp with time zone"},
	{"column answer.evidence.observed_at",
	"timestamp with time zone"},
	{"column answer.evidence.raw",
	"jsonb"},
	{"column answer.evidence.recorded_at",
	"timestamp with time zone"},
	{"column answer.evidence.source",
	"text"},
	{"column answer.evidence.tenant",
	"text"},
	{"column answer.evidence.tool",
	"text"},
	{"column answer.evidence_series.args_digest",
	"text collation C"},
	{"column answer.evidence_series.source",
	"text"},
	{"column answer.evidence_series.tenant",
	"text"},
	{"column answer.evidence_series.tool",
	"text"},
	{"column answer.evolve_proposal.base",
	"text"},
	{"column answer.evolve_proposal.before",
	"jsonb"},
	{"column answer.evolve_proposal.by_role",
	"text"},
	{"column answer.evolve_proposal.change",
	"jsonb"},
	{"column answer.evolve_proposal.config_id",
	"text"},
	{"column answer.evolve_proposal.environment",
	"text"},
	{"column answer.evolve_proposal.issued_at",
	"timestamp with time zone"},
	{"column answer.evolve_proposal.proposal",
	"text"},
	{"column answer.evolve_proposal.reason",
	"text"},
	{"column answer.evolve_proposal.receipt_id",
	"text"},
	{"column answer.evolve_proposal.revision",
	"integer"},
	{"column answer.evolve_proposal.slo",
	"jsonb"},
	{"column answer.evolve_proposal.state",
	"text"},
	{"column answer.evolve_proposal.tenant",
	"text"},
	{"column answer.evolve_proposal.validation",
	"jsonb"},
	{"column answer.graph_edge.from_id",
	"text collation C"},
	{"column answer.graph_edge.project",
	"text collation C"},
	{"column answer.graph_edge.tenant",
	"text collation C"},
	{"column answer.graph_edge.to_id",
	"text collation C"},
	{"column answer.graph_edge.type",
	"text collation C"},
	{"column answer.graph_embedding.embedding",
	"real[]"},
	{"column answer.graph_embedding.id",
	"text collation C"},
	{"column answer.graph_embedding.project",
	"text collation C"},
	{"column answer.graph_embedding.tenant",
	"text collation C"},
	{"column answer.graph_loose.from_id",
	"text collation C"},
	{"column answer.graph_loose.project",
	"text collation C"},
	{"column answer.graph_loose.tenant",
	"text collation C"},
	{"column answer.graph_loose.to_id",
	"text collation C"},
	{"column answer.graph_loose.type",
	"text collation C"},
	{"column answer.graph_node.content_hash",
	"text collation C"},
	{"column answer.graph_node.doc_type",
	"text collation C"},
	{"column answer.graph_node.docstring",
	"text"},
	{"column answer.graph_node.end_line",
	"integer"},
	{"column answer.graph_node.extraction_method",
	"text collation C"},
	{"column answer.graph_node.id",
	"text collation C"},
	{"column answer.graph_node.indexed_at",
	"timestamp with time zone"},
	{"column answer.graph_node.labels",
	"text[] collation C"},
	{"column answer.graph_node.last_modified",
	"bigint"},
	{"column answer.graph_node.loaded_at",
	"timestamp with time zone"},
	{"column answer.graph_node.name",
	"text collation C"},
	{"column answer.graph_node.path",
	"text collation C"},
	{"column answer.graph_node.project",
	"text collation C"},
	{"column answer.graph_node.source_path",
	"text collation C"},
	{"column answer.graph_node.start_line",
	"integer"},
	{"column answer.graph_node.tenant",
	"text collation C"},
	{"column answer.graph_node.text",
	"text"},
	{"column answer.graph_project.documents",
	"bigint"},
	{"column answer.graph_project.edges",
	"bigint"},
	{"column answer.graph_project.extraction_methods",
	"text[] collation C"},
	{"column answer.graph_project.first_indexed_at",
	"timestamp with time zone"},
	{"column answer.graph_project.last_indexed_at",
	"timestamp with time zone"},
	{"column answer.graph_project.loaded_at",
	"timestamp with time zone"},
	{"column answer.graph_project.nodes",
	"bigint"},
	{"column answer.graph_project.project",
	"text collation C"},
	{"column answer.graph_project.sources",
	"bigint"},
	{"column answer.graph_project.tenant",
	"text collation C"},
	{"column answer.graph_project.version",
	"bigint"},
	{"column answer.graph_search.id",
	"text collation C"},
	{"column answer.graph_search.items",
	"bytea[]"},
	{"column answer.graph_search.labels",
	"text[] collation C"},
	{"column answer.graph_search.path",
	"text collation C"},
	{"column answer.graph_search.project",
	"text collation C"},
	{"column answer.graph_search.sketch",
	"bytea"},
	{"column answer.graph_search.tenant",
	"text collation C"},
	{"column answer.graph_search.title_items",
	"bytea[]"},
	{"column answer.graph_set.edges",
	"bigint"},
	{"column answer.graph_set.nodes",
	"bigint"},
	{"column answer.graph_set.project",
	"text collation C"},
	{"column answer.graph_set.sum",
	"bytea"},
	{"column answer.graph_set.tenant",
	"text collation C"},
	{"column answer.graph_set.version",
	"bigint"},
	{"column answer.investigation.closed_at",
	"timestamp with time zone"},
	{"column answer.investigation.intent",
	"text"},
	{"column answer.investigation.investigation",
	"bigint"},
	{"column answer.investigation.opened_at",
	"timestamp with time zone"},
	{"column answer.investigation.opened_by",
	"text"},
	{"column answer.investigation.outcome",
	"@extschema@.answer_investigation_outcome"},
	{"column answer.investigation.question",
	"text"},
	{"column answer.investigation.subject",
	"text"},
	{"column answer.investigation.tenant",
	"text"},
	{"column answer.judge.deadline_ms",
	"integer"},
	{"column answer.judge.handler",
	"text"},
	{"column answer.judge.handler_digest",
	"text"},
	{"column answer.judge.handler_owner",
	"text"},
	{"column answer.judge.kinds",
	"text[]"},
	{"column answer.judge.max_chars",
	"integer"},
	{"column answer.judge.max_pairs",
	"integer"},
	{"column answer.judge.model",
	"text"},
	{"column answer.judge.name",
	"text collation C"},
	{"column answer.judge.registered_by",
	"text"},
	{"column answer.judge.revision",
	"integer"},
	{"column answer.judge.role",
	"text"},
	{"column answer.judge.seed",
	"boolean"},
	{"column answer.judge.tenant",
	"text collation C"},
	{"column answer.judge.version",
	"text collation C"},
	{"column answer.judge.weights_digest",
	"text"},
	{"column answer.judge_assessment.assessed_at",
	"timestamp with time zone"},
	{"column answer.judge_assessment.assessed_by",
	"text"},
	{"column answer.judge_assessment.assessment",
	"jsonb"},
	{"column answer.judge_assessment.balanced_accuracy",
	"numeric"},
	{"column answer.judge_assessment.judge",
	"text collation C"},
	{"column answer.judge_assessment.kind",
	"text collation C"},
	{"column answer.judge_assessment.n",
	"integer"},
	{"column answer.judge_assessment.pairs",
	"text collation C"},
	{"column answer.judge_assessment.revision",
	"integer"},
	{"column answer.judge_assessment.tenant",
	"text collation C"},
	{"column answer.judge_assessment.version",
	"text collation C"},
	{"column answer.judge_version.handler",
	"text"},
	{"column answer.judge_version.handler_digest",
	"text"},
	{"column answer.judge_version.model",
	"text"},
	{"column answer.judge_version.name",
	"text collation C"},
	{"column answer.judge_version.registered_at",
	"timestamp with time zone"},
	{"column answer.judge_version.registered_by",
	"text"},
	{"column answer.judge_version.revision",
	"integer"},
	{"column answer.judge_version.tenant",
	"text collation C"},
	{"column answer.judge_version.version",
	"text collation C"},
	{"column answer.judge_version.weights_digest",
	"text"},
	{"column answer.judgement.by",
	"text"},
	{"column answer.judgement.judge",
	"text collation C"},
	{"column answer.judgement.judge_tenant",
	"text collation C"},
	{"column answer.judgement.judged_at",
	"timestamp with time zone"},
	{"column answer.judgement.kind",
	"text collation C"},
	{"column answer.judgement.origin",
	"text collation C"},
	{"column answer.judgement.pair",
	"text collation C"},
	{"column answer.judgement.relation",
	"text collation C"},
	{"column answer.judgement.revision",
	"integer"},
	{"column answer.judgement.score",
	"numeric"},
	{"column answer.judgement.tenant",
	"text collation C"},
	{"column answer.judgement.version",
	"text collation C"},
	{"column answer.log_audit.audited_at",
	"timestamp with time zone"},
	{"column answer.log_audit.defects",
	"bigint"},
	{"column answer.log_audit.from_size",
	"bigint"},
	{"column answer.log_audit.root_hash",
	"bytea"},
	{"column answer.log_audit.to_size",
	"bigint"},
	{"column answer.log_leaf.digest",
	"bytea"},
	{"column answer.log_leaf.issued_at",
	"timestamp with time zone"},
	{"column answer.log_leaf.leaf_index",
	"bigint"},
	{"column answer.log_leaf.receipt_id",
	"text"},
	{"column answer.log_tile.hashes",
	"bytea"},
	{"column answer.log_tile.level",
	"smallint"},
	{"column answer.log_tile.tile",
	"bigint"},
	{"column answer.memory.digest",
	"text collation C"},
	{"column answer.memory.expires_at",
	"timestamp with time zone"},
	{"column answer.memory.key",
	"text collation C"},
	{"column answer.memory.provenance",
	"jsonb"},
	{"column answer.memory.reported_by",
	"text[] collation C"},
	{"column answer.memory.tenant",
	"text collation C"},
	{"column answer.memory.trace_id",
	"text collation C"},
	{"column answer.memory.ttl",
	"text collation C"},
	{"column answer.memory.value",
	"jsonb"},
	{"column answer.memory.written_at",
	"timestamp with time zone"},
	{"column answer.memory_entry.digest",
	"text collation C"},
	{"column answer.memory_entry.expires_at",
	"timestamp with time zone"},
	{"column answer.memory_entry.key",
	"text collation C"},
	{"column answer.memory_entry.provenance",
	"jsonb"},
	{"column answer.memory_entry.reported_by",
	"text[] collation C"},
	{"column answer.memory_entry.tenant",
	"text collation C"},
	{"column answer.memory_entry.trace_id",
	"text collation C"},
	{"column answer.memory_entry.ttl",
	"text collation C"},
	{"column answer.memory_entry.value",
	"jsonb"},
	{"column answer.memory_entry.written_at",
	"timestamp with time zone"},
	{"column answer.memory_policy.key_prefix",
	"text collation C"},
	{"column answer.memory_policy.reported",
	"boolean"},
	{"column answer.memory_policy.tenant",
	"text collation C"},
	{"column answer.of_all_tenants.name",
	"text collation C"},
	{"column answer.of_all_tenants.relation",
	"oid"},
	{"column answer.open_investigation.agreement",
	"@extschema@.answer_agreement"},
	{"column answer.open_investigation.complete",
	"boolean"},
	{"column answer.open_investigation.coverage",
	"text"},
	{"column answer.open_investigation.explanation",
	"text"},
	{"column answer.open_investigation.gap",
	"@extschema@.answer_quality_gap[]"},
	{"column answer.open_investigation.intent",
	"text"},
	{"column answer.open_investigation.investigation",
	"bigint"},
	{"column answer.open_investigation.level",
	"@extschema@.answer_confidence"},
	{"column answer.open_investigation.next_class",
	"text"},
	{"column answer.open_investigation.next_tool",
	"text"},
	{"column answer.open_investigation.opened_at",
	"timestamp with time zone"},
	{"column answer.open_investigation.quality",
	"@extschema@.answer_quality_level"},
	{"column answer.open_investigation.question",
	"text"},
	{"column answer.open_investigation.subject",
	"text"},
	{"column answer.open_investigation.tenant",
	"text"},
	{"column answer.packet_log.at",
	"timestamp with time zone"},
	{"column answer.packet_log.content_hash",
	"text collation C"},
	{"column answer.packet_log.project",
	"text collation C"},
	{"column answer.packet_log.query_id",
	"text collation C"},
	{"column answer.packet_log.question",
	"text"},
	{"column answer.packet_log.score",
	"integer"},
	{"column answer.packet_log.status",
	"text collation C"},
	{"column answer.packet_log.tenant",
	"text collation C"},
	{"column answer.plan.digest",
	"text collation C"},
	{"column answer.plan.plan",
	"jsonb"},
	{"column answer.plan.plan_id",
	"text collation C"},
	{"column answer.plan.registered_at",
	"timestamp with time zone"},
	{"column answer.plan.registered_by",
	"text"},
	{"column answer.plan.seed",
	"boolean"},
	{"column answer.plan.tenant",
	"text collation C"},
	{"column answer.plan.version",
	"integer"},
	{"column answer.plan_event.event",
	"jsonb"},
	{"column answer.plan_event.plan_id",
	"text collation C"},
	{"column answer.plan_event.seq",
	"integer"},
	{"column answer.plan_event.step",
	"text collation C"},
	{"column answer.plan_event.tenant",
	"text collation C"},
	{"column answer.plan_event.trace_id",
	"text collation C"},
	{"column answer.plan_event.ts_end",
	"timestamp with time zone"},
	{"column answer.plan_run.evaluated_at",
	"timestamp with time zone"},
	{"column answer.plan_run.expires_at",
	"timestamp with time zone"},
	{"column answer.plan_run.finished_at",
	"timestamp with time zone"},
	{"column answer.plan_run.issued_at",
	"timestamp with time zone"},
	{"column answer.plan_run.plan_id",
	"text collation C"},
	{"column answer.plan_run.receipt_id",
	"text collation C"},
	{"column answer.plan_run.request_digest",
	"text collation C"},
	{"column answer.plan_run.request_id",
	"text collation C"},
	{"column answer.plan_run.role",
	"text collation C"},
	{"column answer.plan_run.started_at",
	"timestamp with time zone"},
	{"column answer.plan_run.state",
	"jsonb"},
	{"column answer.plan_run.status",
	"text collation C"},
	{"column answer.plan_run.tenant",
	"text collation C"},
	{"column answer.plan_run.trace_id",
	"text collation C"},
	{"column answer.plan_run.verdict",
	"text collation C"},
	{"column answer.plan_step.inputs",
	"jsonb"},
	{"column answer.plan_step.outputs",
	"jsonb"},
	{"column answer.plan_step.seq",
	"integer"},
	{"column answer.plan_step.tenant",
	"text collation C"},
	{"column answer.plan_step.trace_id",
	"text collation C"},
	{"column answer.quality_authority.class",
	"text"},
	{"column answer.quality_authority.observation",
	"jsonb"},
	{"column answer.quality_authority.quality",
	"@extschema@.answer_quality_level"},
	{"column answer.quality_authority.seed",
	"boolean"},
	{"column answer.quality_authority.tool",
	"text"},
	{"column answer.quality_class.\"position\"",
	"integer"},
	{"column answer.quality_class.class",
	"text"},
	{"column answer.quality_class.description",
	"text"},
	{"column answer.quality_class.identifier_tool",
	"text"},
	{"column answer.quality_class.relevance",
	"@extschema@.answer_quality_relevance"},
	{"column answer.quality_class.seed",
	"boolean"},
	{"column answer.quality_class.tool",
	"text"},
	{"column answer.quality_class.verify_tool",
	"text"},
	{"column answer.quality_compatibility.class",
	"text"},
	{"column answer.quality_compatibility.quality",
	"@extschema@.answer_quality_level"},
	{"column answer.quality_compatibility.same_target",
	"boolean"},
	{"column answer.quality_compatibility.same_tool",
	"boolean"},
	{"column answer.quality_compatibility.seed",
	"boolean"},
	{"column answer.quality_compatibility.with_class",
	"text"},
	{"column answer.quality_compatibility.with_quality",
	"@extschema@.answer_quality_level"},
	{"column answer.quality_entry.class",
	"text"},
	{"column answer.quality_entry.digest",
	"text"},
	{"column answer.quality_entry.entry",
	"bytea"},
	{"column answer.quality_entry.exact_match_count",
	"bigint"},
	{"column answer.quality_entry.investigation",
	"bigint"},
	{"column answer.quality_entry.match_count",
	"bigint"},
	{"column answer.quality_entry.observation",
	"jsonb"},
	{"column answer.quality_entry.phrase_match",
	"boolean"},
	{"column answer.quality_entry.quality",
	"@extschema@.answer_quality_level"},
	{"column answer.quality_entry.query",
	"text"},
	{"column answer.quality_entry.reason",
	"text"},
	{"column answer.quality_entry.recorded_at",
	"timestamp with time zone"},
	{"column answer.quality_entry.run",
	"text"},
	{"column answer.quality_entry.sources",
	"text[]"},
	{"column answer.quality_entry.strength",
	"@extschema@.answer_strength_level"},
	{"column answer.quality_entry.target",
	"text"},
	{"column answer.quality_entry.tenant",
	"text"},
	{"column answer.quality_entry.tool",
	"text"},
	{"column answer.quality_intent.description",
	"text"},
	{"column answer.quality_intent.intent",
	"text"},
	{"column answer.quality_intent.seed",
	"boolean"},
	{"column answer.quality_requirement.class",
	"text"},
	{"column answer.quality_requirement.intent",
	"text"},
	{"column answer.quality_requirement.quality",
	"@extschema@.answer_quality_level"},
	{"column answer.quality_requirement.seed",
	"boolean"},
	{"column answer.quality_rule.a",
	"text"},
	{"column answer.quality_rule.b",
	"text"},
	{"column answer.quality_rule.c",
	"text"},
	{"column answer.quality_rule.kind",
	"integer"},
	{"column answer.quality_rule.name",
	"text"},
	{"column answer.quality_rule.observation",
	"jsonb"},
	{"column answer.quality_rule.place",
	"integer"},
	{"column answer.quality_rule.quality",
	"@extschema@.answer_quality_level"},
	{"column answer.quality_rule.relevance",
	"@extschema@.answer_quality_relevance"},
	{"column answer.quality_rule.same_target",
	"boolean"},
	{"column answer.quality_rule.same_tool",
	"boolean"},
	{"column answer.quality_rule.with_quality",
	"@extschema@.answer_quality_level"},
	{"column answer.quality_rules.rules",
	"jsonb"},
	{"column answer.quality_tool.class",
	"text"},
	{"column answer.quality_tool.description",
	"text"},
	{"column answer.quality_tool.family",
	"text"},
	{"column answer.quality_tool.grader",
	"text"},
	{"column answer.quality_tool.grader_owner",
	"text"},
	{"column answer.quality_tool.registered_by",
	"text"},
	{"column answer.quality_tool.seed",
	"boolean"},
	{"column answer.quality_tool.tenant",
	"text"},
	{"column answer.quality_tool.tool",
	"text"},
	{"column answer.receipt.body",
	"jsonb"},
	{"column answer.receipt.citation_given",
	"boolean"},
	{"column answer.receipt.citation_required",
	"boolean"},
	{"column answer.receipt.confidence",
	"double precision"},
	{"column answer.receipt.contradicted",
	"boolean"},
	{"column answer.receipt.cost_usd",
	"numeric"},
	{"column answer.receipt.degraded",
	"boolean"},
	{"column answer.receipt.given",
	"boolean"},
	{"column answer.receipt.grounded",
	"integer"},
	{"column answer.receipt.intent",
	"text"},
	{"column answer.receipt.issued_at",
	"timestamp with time zone"},
	{"column answer.receipt.key_id",
	"text"},
	{"column answer.receipt.prevented",
	"boolean"},
	{"column answer.receipt.receipt_id",
	"text"},
	{"column answer.receipt.refusal",
	"text"},
	{"column answer.receipt.schema",
	"text"},
	{"column answer.receipt.sentences",
	"integer"},
	{"column answer.receipt.supported",
	"boolean"},
	{"column answer.receipt.tenant",
	"text"},
	{"column answer.receipt.took",
	"interval"},
	{"column answer.receipt.unjudged",
	"boolean"},
	{"column answer.receipt.verdict",
	"text"},
	{"column answer.receipt_check.confidence",
	"double precision"},
	{"column answer.receipt_check.facts",
	"integer"},
	{"column answer.receipt_check.intent",
	"text"},
	{"column answer.receipt_check.issued_at",
	"timestamp with time zone"},
	{"column answer.receipt_check.place",
	"integer"},
	{"column answer.receipt_check.receipt_id",
	"text"},
	{"column answer.receipt_check.required",
	"boolean"},
	{"column answer.receipt_check.sqlstate",
	"text"},
	{"column answer.receipt_check.tenant",
	"text"},
	{"column answer.receipt_check.tool",
	"text"},
	{"column answer.receipt_check.verdict",
	"text"},
	{"column answer.receipt_default.body",
	"jsonb"},
	{"column answer.receipt_default.citation_given",
	"boolean"},
	{"column answer.receipt_default.citation_required",
	"boolean"},
	{"column answer.receipt_default.confidence",
	"double precision"},
	{"column answer.receipt_default.contradicted",
	"boolean"},
	{"column answer.receipt_default.cost_usd",
	"numeric"},
	{"column answer.receipt_default.degraded",
	"boolean"},
	{"column answer.receipt_default.given",
	"boolean"},
	{"column answer.receipt_default.grounded",
	"integer"},
	{"column answer.receipt_default.intent",
	"text"},
	{"column answer.receipt_default.issued_at",
	"timestamp with time zone"},
	{"column answer.receipt_default.key_id",
	"text"},
	{"column answer.receipt_default.prevented",
	"boolean"},
	{"column answer.receipt_default.receipt_id",
	"text"},
	{"column answer.receipt_default.refusal",
	"text"},
	{"column answer.receipt_default.schema",
	"text"},
	{"column answer.receipt_default.sentences",
	"integer"},
	{"column answer.receipt_default.supported",
	"boolean"},
	{"column answer.receipt_default.tenant",
	"text"},
	{"column answer.receipt_default.took",
	"interval"},
	{"column answer.receipt_default.unjudged",
	"boolean"},
	{"column answer.receipt_default.verdict",
	"text"},
	{"column answer.receipt_refusal.asked",
	"text"},
	{"column answer.receipt_refusal.intent",
	"text"},
	{"column answer.receipt_refusal.issued_at",
	"timestamp with time zone"},
	{"column answer.receipt_refusal.reason",
	"text"},
	{"column answer.receipt_refusal.receipt_id",
	"text"},
	{"column answer.receipt_refusal.schema",
	"text"},
	{"column answer.receipt_refusal.tenant",
	"text"},
	{"column answer.receipt_refusal.verdict",
	"text"},
	{"column answer.recordable.item",
	"bytea"},
	{"column answer.recordable.recorded_at",
	"timestamp with time zone"},
	{"column answer.recorded_rows.cluster",
	"text"},
	{"column answer.recorded_rows.covered_until",
	"timestamp with time zone"},
	{"column answer.recorded_rows.items",
	"bytea"},
	{"column answer.recorded_rows.next_xid",
	"bigint"},
	{"column answer.recorded_rows.number",
	"bigint"},
	{"column answer.recorded_rows.sealed_at",
	"timestamp with time zone"},
	{"column answer.retention.first_issued_at",
	"text"},
	{"column answer.retention.issued_at",
	"timestamp with time zone"},
	{"column answer.retention.kept_in",
	"text"},
	{"column answer.retention.last_issued_at",
	"text"},
	{"column answer.retention.leaves",
	"jsonb"},
	{"column answer.retention.partition",
	"text"},
	{"column answer.retention.receipt_id",
	"text"},
	{"column answer.retention.receipts",
	"bigint"},
	{"column answer.retrieval.expires_at",
	"timestamp with time zone"},
	{"column answer.retrieval.retrieval_id",
	"text collation C"},
	{"column answer.retrieval.retrieved_at",
	"timestamp with time zone"},
	{"column answer.retrieval.role",
	"text collation C"},
	{"column answer.retrieval.sig",
	"jsonb"},
	{"column answer.retrieval.state",
	"jsonb"},
	{"column answer.retrieval.tenant",
	"text collation C"},
	{"column answer.rollup.answers",
	"bigint"},
	{"column answer.rollup.cited",
	"bigint"},
	{"column answer.rollup.confidence",
	"numeric"},
	{"column answer.rollup.contradicted",
	"bigint"},
	{"column answer.rollup.cost_usd",
	"numeric"},
	{"column answer.rollup.costed",
	"bigint"},
	{"column answer.rollup.costed_verified",
	"bigint"},
	{"column answer.rollup.documents",
	"bigint"},
	{"column answer.rollup.given",
	"bigint"},
	{"column answer.rollup.grain",
	"smallint"},
	{"column answer.rollup.grounded",
	"bigint"},
	{"column answer.rollup.intent",
	"text collation C"},
	{"column answer.rollup.prevented",
	"bigint"},
	{"column answer.rollup.required",
	"bigint"},
	{"column answer.rollup.schema",
	"text collation C"},
	{"column answer.rollup.sentences",
	"bigint"},
	{"column answer.rollup.starts_at",
	"timestamp with time zone"},
	{"column answer.rollup.supported",
	"bigint"},
	{"column answer.rollup.tenant",
	"text collation C"},
	{"column answer.rollup.unjudged",
	"bigint"},
	{"column answer.rollup.verdict",
	"text collation C"},
	{"column answer.rollup_correction.contradicted",
	"boolean"},
	{"column answer.rollup_correction.issued_at",
	"timestamp with time zone"},
	{"column answer.rollup_correction.judge",
	"text collation C"},
	{"column answer.rollup_correction.pair",
	"text collation C"},
	{"column answer.rollup_correction.receipt_id",
	"text collation C"},
	{"column answer.rollup_correction.tenant",
	"text collation C"},
	{"column answer.rollup_day.answers",
	"bigint"},
	{"column answer.rollup_day.cited",
	"bigint"},
	{"column answer.rollup_day.confidence",
	"numeric"},
	{"column answer.rollup_day.contradicted",
	"bigint"},
	{"column answer.rollup_day.cost_usd",
	"numeric"},
	{"column answer.rollup_day.costed",
	"bigint"},
	{"column answer.rollup_day.costed_verified",
	"bigint"},
	{"column answer.rollup_day.documents",
	"bigint"},
	{"column answer.rollup_day.given",
	"bigint"},
	{"column answer.rollup_day.grain",
	"smallint"},
	{"column answer.rollup_day.grounded",
	"bigint"},
	{"column answer.rollup_day.intent",
	"text collation C"},
	{"column answer.rollup_day.prevented",
	"bigint"},
	{"column answer.rollup_day.required",
	"bigint"},
	{"column answer.rollup_day.schema",
	"text collation C"},
	{"column answer.rollup_day.sentences",
	"bigint"},
	{"column answer.rollup_day.starts_at",
	"timestamp with time zone"},
	{"column answer.rollup_day.supported",
	"bigint"},
	{"column answer.rollup_day.tenant",
	"text collation C"},
	{"column answer.rollup_day.unjudged",
	"bigint"},
	{"column answer.rollup_day.verdict",
	"text collation C"},
	{"column answer.rollup_hour.answers",
	"bigint"},
	{"column answer.rollup_hour.cited",
	"bigint"},
	{"column answer.rollup_hour.confidence",
	"numeric"},
	{"column answer.rollup_hour.contradicted",
	"bigint"},
	{"column answer.rollup_hour.cost_usd",
	"numeric"},
	{"column answer.rollup_hour.costed",
	"bigint"},
	{"column answer.rollup_hour.costed_verified",
	"bigint"},
	{"column answer.rollup_hour.documents",
	"bigint"},
	{"column answer.rollup_hour.given",
	"bigint"},
	{"column answer.rollup_hour.grain",
	"smallint"},
	{"column answer.rollup_hour.grounded",
	"bigint"},
	{"column answer.rollup_hour.intent",
	"text collation C"},
	{"column answer.rollup_hour.prevented",
	"bigint"},
	{"column answer.rollup_hour.required",
	"bigint"},
	{"column answer.rollup_hour.schema",
	"text collation C"},
	{"column answer.rollup_hour.sentences",
	"bigint"},
	{"column answer.rollup_hour.starts_at",
	"timestamp with time zone"},
	{"column answer.rollup_hour.supported",
	"bigint"},
	{"column answer.rollup_hour.tenant",
	"text collation C"},
	{"column answer.rollup_hour.unjudged",
	"bigint"},
	{"column answer.rollup_hour.verdict",
	"text collation C"},
	{"column answer.rollup_kept.citation_given",
	"boolean"},
	{"column answer.rollup_kept.citation_required",
	"boolean"},
	{"column answer.rollup_kept.confidence",
	"double precision"},
	{"column answer.rollup_kept.contradicted",
	"boolean"},
	{"column answer.rollup_kept.corrects",
	"smallint"},
	{"column answer.rollup_kept.cost_usd",
	"numeric"},
	{"column answer.rollup_kept.given",
	"boolean"},
	{"column answer.rollup_kept.grounded",
	"integer"},
	{"column answer.rollup_kept.intent",
	"text"},
	{"column answer.rollup_kept.issued_at",
	"timestamp with time zone"},
	{"column answer.rollup_kept.key_id",
	"text"},
	{"column answer.rollup_kept.pairs",
	"text[]"},
	{"column answer.rollup_kept.prevented",
	"boolean"},
	{"column answer.rollup_kept.receipt_id",
	"text"},
	{"column answer.rollup_kept.refusal",
	"text"},
	{"column answer.rollup_kept.schema",
	"text"},
	{"column answer.rollup_kept.sentences",
	"integer"},
	{"column answer.rollup_kept.supported",
	"boolean"},
	{"column answer.rollup_kept.tenant",
	"text"},
	{"column answer.rollup_kept.took",
	"interval"},
	{"column answer.rollup_kept.unjudged",
	"boolean"},
	{"column answer.rollup_kept.verdict",
	"text"},
	{"column answer.rollup_kept.words",
	"jsonb"},
	{"column answer.rollup_key.documents",
	"bigint"},
	{"column answer.rollup_key.first_at",
	"timestamp with time zone"},
	{"column answer.rollup_key.key_id",
	"text collation C"},
	{"column answer.rollup_key.last_at",
	"timestamp with time zone"},
	{"column answer.rollup_key.tenant",
	"text collation C"},
	{"column answer.rollup_latency.grain",
	"smallint"},
	{"column answer.rollup_latency.intent",
	"text collation C"},
	{"column answer.rollup_latency.latency",
	"bytea"},
	{"column answer.rollup_latency.starts_at",
	"timestamp with time zone"},
	{"column answer.rollup_latency.tenant",
	"text collation C"},
	{"column answer.rollup_latency.whole",
	"boolean"},
	{"column answer.rollup_minute.answers",
	"bigint"},
	{"column answer.rollup_minute.cited",
	"bigint"},
	{"column answer.rollup_minute.confidence",
	"numeric"},
	{"column answer.rollup_minute.contradicted",
	"bigint"},
	{"column answer.rollup_minute.cost_usd",
	"numeric"},
	{"column answer.rollup_minute.costed",
	"bigint"},
	{"column answer.rollup_minute.costed_verified",
	"bigint"},
	{"column answer.rollup_minute.documents",
	"bigint"},
	{"column answer.rollup_minute.given",
	"bigint"},
	{"column answer.rollup_minute.grain",
	"smallint"},
	{"column answer.rollup_minute.grounded",
	"bigint"},
	{"column answer.rollup_minute.intent",
	"text collation C"},
	{"column answer.rollup_minute.prevented",
	"bigint"},
	{"column answer.rollup_minute.required",
	"bigint"},
	{"column answer.rollup_minute.schema",
	"text collation C"},
	{"column answer.rollup_minute.sentences",
	"bigint"},
	{"column answer.rollup_minute.starts_at",
	"timestamp with time zone"},
	{"column answer.rollup_minute.supported",
	"bigint"},
	{"column answer.rollup_minute.tenant",
	"text collation C"},
	{"column answer.rollup_minute.unjudged",
	"bigint"},
	{"column answer.rollup_minute.verdict",
	"text collation C"},
	{"column answer.rollup_new.citation_given",
	"boolean"},
	{"column answer.rollup_new.citation_required",
	"boolean"},
	{"column answer.rollup_new.confidence",
	"double precision"},
	{"column answer.rollup_new.contradicted",
	"boolean"},
	{"column answer.rollup_new.corrects",
	"smallint"},
	{"column answer.rollup_new.cost_usd",
	"numeric"},
	{"column answer.rollup_new.given",
	"boolean"},
	{"column answer.rollup_new.grounded",
	"integer"},
	{"column answer.rollup_new.intent",
	"text"},
	{"column answer.rollup_new.issued_at",
	"timestamp with time zone"},
	{"column answer.rollup_new.key_id",
	"text"},
	{"column answer.rollup_new.pairs",
	"text[]"},
	{"column answer.rollup_new.prevented",
	"boolean"},
	{"column answer.rollup_new.receipt_id",
	"text"},
	{"column answer.rollup_new.refusal",
	"text"},
	{"column answer.rollup_new.schema",
	"text"},
	{"column answer.rollup_new.sentences",
	"integer"},
	{"column answer.rollup_new.supported",
	"boolean"},
	{"column answer.rollup_new.tenant",
	"text"},
	{"column answer.rollup_new.took",
	"interval"},
	{"column answer.rollup_new.unjudged",
	"boolean"},
	{"column answer.rollup_new.verdict",
	"text"},
	{"column answer.rollup_new.words",
	"jsonb"},
	{"column answer.rollup_point.\"time\"",
	"timestamp with time zone"},
	{"column answer.rollup_point.answers",
	"bigint"},
	{"column answer.rollup_point.cited",
	"bigint"},
	{"column answer.rollup_point.confidence",
	"numeric"},
	{"column answer.rollup_point.contradicted",
	"bigint"},
	{"column answer.rollup_point.cost_usd",
	"numeric"},
	{"column answer.rollup_point.costed",
	"bigint"},
	{"column answer.rollup_point.counted",
	"boolean"},
	{"column answer.rollup_point.documents",
	"bigint"},
	{"column answer.rollup_point.given",
	"bigint"},
	{"column answer.rollup_point.grounded",
	"bigint"},
	{"column answer.rollup_point.intent",
	"text collation C"},
	{"column answer.rollup_point.prevented",
	"bigint"},
	{"column answer.rollup_point.required",
	"bigint"},
	{"column answer.rollup_point.schema",
	"text collation C"},
	{"column answer.rollup_point.sentences",
	"bigint"},
	{"column answer.rollup_point.supported",
	"bigint"},
	{"column answer.rollup_point.tenant",
	"text collation C"},
	{"column answer.rollup_point.unjudged",
	"bigint"},
	{"column answer.rollup_point.verdict",
	"text collation C"},
	{"column answer.rollup_pruned.before",
	"timestamp with time zone"},
	{"column answer.rollup_pruned.one",
	"boolean"},
	{"column answer.rollup_pruned.pruned_at",
	"timestamp with time zone"},
	{"column answer.rollup_refusal.count",
	"bigint"},
	{"column answer.rollup_refusal.grain",
	"smallint"},
	{"column answer.rollup_refusal.intent",
	"text collation C"},
	{"column answer.rollup_refusal.reason",
	"text collation C"},
	{"column answer.rollup_refusal.starts_at",
	"timestamp with time zone"},
	{"column answer.rollup_refusal.tenant",
	"text collation C"},
	{"column answer.rollup_single.answers",
	"integer"},
	{"column answer.rollup_single.cited",
	"integer"},
	{"column answer.rollup_single.confidence",
	"numeric"},
	{"column answer.rollup_single.contradicted",
	"integer"},
	{"column answer.rollup_single.corrects",
	"smallint"},
	{"column answer.rollup_single.cost_usd",
	"numeric"},
	{"column answer.rollup_single.costed",
	"integer"},
	{"column answer.rollup_single.costed_verified",
	"integer"},
	{"column answer.rollup_single.counted",
	"boolean"},
	{"column answer.rollup_single.documents",
	"integer"},
	{"column answer.rollup_single.given",
	"integer"},
	{"column answer.rollup_single.grounded",
	"integer"},
	{"column answer.rollup_single.intent",
	"text"},
	{"column answer.rollup_single.issued_at",
	"timestamp with time zone"},
	{"column answer.rollup_single.key_id",
	"text"},
	{"column answer.rollup_single.latency",
	"bytea"},
	{"column answer.rollup_single.pairs",
	"text[]"},
	{"column answer.rollup_single.place",
	"tid"},
	{"column answer.rollup_single.prevented",
	"integer"},
	{"column answer.rollup_single.receipt_id",
	"text"},
	{"column answer.rollup_single.refusal",
	"text"},
	{"column answer.rollup_single.required",
	"integer"},
	{"column answer.rollup_single.schema",
	"text"},
	{"column answer.rollup_single.sentences",
	"integer"},
	{"column answer.rollup_single.supported",
	"integer"},
	{"column answer.rollup_single.tenant",
	"text"},
	{"column answer.rollup_single.unjudged",
	"integer"},
	{"column answer.rollup_single.verdict",
	"text"},
	{"column answer.rollup_single.words",
	"jsonb"},
	{"column answer.rollup_word.count",
	"bigint"},
	{"column answer.rollup_word.grain",
	"smallint"},
	{"column answer.rollup_word.schema",
	"text collation C"},
	{"column answer.rollup_word.starts_at",
	"timestamp with time zone"},
	{"column answer.rollup_word.tenant",
	"text collation C"},
	{"column answer.rollup_word.word",
	"text collation C"},
	{"column answer.route.\"position\"",
	"integer"},
	{"column answer.route.args",
	"jsonb"},
	{"column answer.route.description",
	"text"},
	{"column answer.route.enabled",
	"boolean"},
	{"column answer.route.examples",
	"text[]"},
	{"column answer.route.expect",
	"jsonb"},
	{"column answer.route.kind",
	"@extschema@.answer_route_kind"},
	{"column answer.route.list_owners",
	"jsonb"},
	{"column answer.route.list_values",
	"jsonb"},
	{"column answer.route.lists",
	"jsonb"},
	{"column answer.route.pattern",
	"text"},
	{"column answer.route.registered_by",
	"text"},
	{"column answer.route.route_id",
	"text"},
	{"column answer.route.seed",
	"boolean"},
	{"column answer.route.tenant",
	"text"},
	{"column answer.route.tool",
	"text"},
	{"column answer.route_state.tenant",
	"text"},
	{"column answer.route_state.token",
	"uuid"},
	{"column answer.route_table.content",
	"jsonb"},
	{"column answer.route_table.pinned_at",
	"timestamp with time zone"},
	{"column answer.route_table.sha256",
	"text"},
	{"column answer.route_table.tenant",
	"text"},
	{"column answer.run.cases",
	"integer"},
	{"column answer.run.config_digest",
	"text"},
	{"column answer.run.digest",
	"text"},
	{"column answer.run.engine_digest",
	"text"},
	{"column answer.run.finished_at",
	"timestamp with time zone"},
	{"column answer.run.passed",
	"integer"},
	{"column answer.run.run_id",
	"text"},
	{"column answer.run.started_at",
	"timestamp with time zone"},
	{"column answer.run.suite",
	"text"},
	{"column answer.run.suite_digest",
	"text"},
	{"column answer.run.tenant",
	"text"},
	{"column answer.run.took",
	"bigint[]"},
	{"column answer.run.verdict",
	"text"},
	{"column answer.run.version",
	"integer"},
	{"column answer.run_case.answer",
	"text"},
	{"column answer.run_case.case_id",
	"text"},
	{"column answer.run_case.citations",
	"jsonb"},
	{"column answer.run_case.decision",
	"text"},
	{"column answer.run_case.error",
	"jsonb"},
	{"column answer.run_case.kind",
	"text"},
	{"column answer.run_case.ordinal",
	"integer"},
	{"column answer.run_case.passed",
	"boolean"},
	{"column answer.run_case.reasons",
	"jsonb"},
	{"column answer.run_case.run_id",
	"text"},
	{"column answer.run_case.scores",
	"jsonb"},
	{"column answer.run_case.signals",
	"jsonb"},
	{"column answer.run_case.tenant",
	"text"},
	{"column answer.run_case.took",
	"interval"},
	{"column answer.run_progress.cases",
	"integer"},
	{"column answer.run_progress.done",
	"integer"},
	{"column answer.run_progress.percent",
	"numeric"},
	{"column answer.run_progress.started_at",
	"timestamp with time zone"},
	{"column answer.run_progress.suite",
	"text"},
	{"column answer.run_progress.tenant",
	"text"},
	{"column answer.run_progress.updated_at",
	"timestamp with time zone"},
	{"column answer.run_progress.version",
	"integer"},
	{"column answer.run_progress.work_id",
	"text"},
	{"column answer.run_timing.run_id",
	"text"},
	{"column answer.run_timing.started_at",
	"timestamp with time zone"},
	{"column answer.run_timing.tenant",
	"text"},
	{"column answer.run_timing.took",
	"bigint[]"},
	{"column answer.run_work.cases",
	"integer"},
	{"column answer.run_work.chain",
	"text"},
	{"column answer.run_work.config_digest",
	"text"},
	{"column answer.run_work.done",
	"integer"},
	{"column answer.run_work.engine_digest",
	"text"},
	{"column answer.run_work.key_id",
	"text"},
	{"column answer.run_work.role",
	"text collation C"},
	{"column answer.run_work.sig",
	"text"},
	{"column answer.run_work.started_at",
	"timestamp with time zone"},
	{"column answer.run_work.suite",
	"text"},
	{"column answer.run_work.suite_digest",
	"text"},
	{"column answer.run_work.tenant",
	"text"},
	{"column answer.run_work.updated_at",
	"timestamp with time zone"},
	{"column answer.run_work.version",
	"integer"},
	{"column answer.run_work.work_id",
	"text"},
	{"column answer.run_work_case.body",
	"jsonb"},
	{"column answer.run_work_case.ordinal",
	"integer"},
	{"column answer.run_work_case.tenant",
	"text"},
	{"column answer.run_work_case.took",
	"bigint"},
	{"column answer.run_work_case.work_id",
	"text"},
	{"column answer.signing_key.active_from",
	"timestamp with time zone"},
	{"column answer.signing_key.compromised_after",
	"timestamp with time zone"},
	{"column answer.signing_key.fingerprint",
	"text"},
	{"column answer.signing_key.folder",
	"uuid"},
	{"column answer.signing_key.key_id",
	"text"},
	{"column answer.signing_key.public_key",
	"bytea"},
	{"column answer.signing_key.retired_at",
	"timestamp with time zone"},
	{"column answer.signing_key.status",
	"@extschema@.answer_key_status"},
	{"column answer.source.description",
	"text"},
	{"column answer.source.independence_group",
	"text"},
	{"column answer.source.licence",
	"text"},
	{"column answer.source.seed",
	"boolean"},
	{"column answer.source.source",
	"text"},
	{"column answer.source.url",
	"text"},
	{"column answer.suite.cases",
	"integer"},
	{"column answer.suite.digest",
	"text"},
	{"column answer.suite.document_set",
	"text"},
	{"column answer.suite.documents",
	"jsonb"},
	{"column answer.suite.loaded_at",
	"timestamp with time zone"},
	{"column answer.suite.loaded_by",
	"text"},
	{"column answer.suite.name",
	"text"},
	{"column answer.suite.now",
	"timestamp with time zone"},
	{"column answer.suite.seed",
	"boolean"},
	{"column answer.suite.tenant",
	"text"},
	{"column answer.suite.version",
	"integer"},
	{"column answer.suite_case.body",
	"jsonb"},
	{"column answer.suite_case.case_id",
	"text"},
	{"column answer.suite_case.ordinal",
	"integer"},
	{"column answer.suite_case.suite",
	"text"},
	{"column answer.suite_case.tenant",
	"text"},
	{"column answer.suite_case.version",
	"integer"},
	{"column answer.tenant.created_at",
	"timestamp with time zone"},
	{"column answer.tenant.tenant",
	"text collation C"},
	{"column answer.tenant_anchor.attached_at",
	"timestamp with time zone"},
	{"column answer.tenant_anchor.imprint",
	"bytea"},
	{"column answer.tenant_anchor.receipt_id",
	"text"},
	{"column answer.tenant_anchor.tenant",
	"text"},
	{"column answer.tenant_anchor.token",
	"bytea"},
	{"column answer.tenant_anchor.token_digest",
	"text"},
	{"column answer.tenant_baseline.digest",
	"text collation C"},
	{"column answer.tenant_baseline.loaded_at",
	"timestamp with time zone"},
	{"column answer.tenant_baseline.loaded_by",
	"text"},
	{"column answer.tenant_baseline.name",
	"text collation C"},
	{"column answer.tenant_baseline.questions",
	"integer"},
	{"column answer.tenant_baseline.tenant",
	"text collation C"},
	{"column answer.tenant_baseline.version",
	"integer"},
	{"column answer.tenant_budget.cost_cap_usd",
	"numeric"},
	{"column answer.tenant_budget.period",
	"text collation C"},
	{"column answer.tenant_budget.reserved_usd",
	"numeric"},
	{"column answer.tenant_budget.spent_usd",
	"numeric"},
	{"column answer.tenant_budget.tenant",
	"text collation C"},
	{"column answer.tenant_chunk.anchor",
	"text"},
	{"column answer.tenant_chunk.chunk_id",
	"text"},
	{"column answer.tenant_chunk.content_hash",
	"text"},
	{"column answer.tenant_chunk.doc_id",
	"text"},
	{"column answer.tenant_chunk.ordinal",
	"integer"},
	{"column answer.tenant_chunk.section",
	"text"},
	{"column answer.tenant_chunk.tenant",
	"text"},
	{"column answer.tenant_chunk.text",
	"text"},
	{"column answer.tenant_chunk.title",
	"text"},
	{"column answer.tenant_chunk.uri",
	"text"},
	{"column answer.tenant_chunk.version",
	"integer"},
	{"column answer.tenant_config.author",
	"text"},
	{"column answer.tenant_config.config",
	"jsonb"},
	{"column answer.tenant_config.config_id",
	"text"},
	{"column answer.tenant_config.created_at",
	"timestamp with time zone"},
	{"column answer.tenant_config.digest",
	"text"},
	{"column answer.tenant_config.parent",
	"text"},
	{"column answer.tenant_config.reason",
	"text"},
	{"column answer.tenant_config.receipt_id",
	"text"},
	{"column answer.tenant_config.seed",
	"boolean"},
	{"column answer.tenant_config.tenant",
	"text"},
	{"column answer.tenant_config_step.action",
	"text"},
	{"column answer.tenant_config_step.active_after",
	"text"},
	{"column answer.tenant_config_step.active_before",
	"text"},
	{"column answer.tenant_config_step.baseline_run",
	"text"},
	{"column answer.tenant_config_step.by_role",
	"text"},
	{"column answer.tenant_config_step.candidate_run",
	"text"},
	{"column answer.tenant_config_step.config_id",
	"text"},
	{"column answer.tenant_config_step.environment",
	"text"},
	{"column answer.tenant_config_step.failures",
	"jsonb"},
	{"column answer.tenant_config_step.issued_at",
	"timestamp with time zone"},
	{"column answer.tenant_config_step.outcome",
	"text"},
	{"column answer.tenant_config_step.reason",
	"text"},
	{"column answer.tenant_config_step.receipt_id",
	"text"},
	{"column answer.tenant_config_step.revision",
	"integer"},
	{"column answer.tenant_config_step.samples",
	"jsonb"},
	{"column answer.tenant_config_step.stage",
	"text"},
	{"column answer.tenant_config_step.tenant",
	"text"},
	{"column answer.tenant_document.\"timestamp\"",
	"timestamp with time zone"},
	{"column answer.tenant_document.chunks",
	"integer"},
	{"column answer.tenant_document.content_hash",
	"text"},
	{"column answer.tenant_document.doc_id",
	"text"},
	{"column answer.tenant_document.loaded_at",
	"timestamp with time zone"},
	{"column answer.tenant_document.loaded_by",
	"text"},
	{"column answer.tenant_document.tenant",
	"text"},
	{"column answer.tenant_document.title",
	"text"},
	{"column answer.tenant_document.url",
	"text"},
	{"column answer.tenant_document.version",
	"integer"},
	{"column answer.tenant_document_fact.added_at",
	"timestamp with time zone"},
	{"column answer.tenant_document_fact.attribute",
	"text"},
	{"column answer.tenant_document_fact.by",
	"text"},
	{"column answer.tenant_document_fact.chunk_id",
	"text collation C"},
	{"column answer.tenant_document_fact.digest",
	"text collation C"},
	{"column answer.tenant_document_fact.doc_id",
	"text collation C"},
	{"column answer.tenant_document_fact.key",
	"text collation C"},
	{"column answer.tenant_document_fact.quote",
	"text"},
	{"column answer.tenant_document_fact.role",
	"text"},
	{"column answer.tenant_document_fact.scope",
	"text"},
	{"column answer.tenant_document_fact.subject",
	"text"},
	{"column answer.tenant_document_fact.tenant",
	"text collation C"},
	{"column answer.tenant_document_fact.unit",
	"text"},
	{"column answer.tenant_document_fact.value",
	"text"},
	{"column answer.tenant_document_fact.version",
	"integer"},
	{"column answer.tenant_environment.active",
	"text"},
	{"column answer.tenant_environment.canary",
	"text"},
	{"column answer.tenant_environment.canary_samples",
	"integer"},
	{"column answer.tenant_environment.canary_share",
	"numeric"},
	{"column answer.tenant_environment.history",
	"text[]"},
	{"column answer.tenant_environment.most_different_percent",
	"integer"},
	{"column answer.tenant_environment.moved_at",
	"timestamp with time zone"},
	{"column answer.tenant_environment.name",
	"text"},
	{"column answer.tenant_environment.receipt_id",
	"text"},
	{"column answer.tenant_environment.revision",
	"integer"},
	{"column answer.tenant_environment.rules",
	"jsonb"},
	{"column answer.tenant_environment.seed",
	"boolean"},
	{"column answer.tenant_environment.shadow",
	"text"},
	{"column answer.tenant_environment.shadow_samples",
	"integer"},
	{"column answer.tenant_environment.suite",
	"text"},
	{"column answer.tenant_environment.tenant",
	"text"},
	{"column answer.tenant_evidence.args",
	"jsonb"},
	{"column answer.tenant_evidence.args_digest",
	"text collation C"},
	{"column answer.tenant_evidence.digest",
	"text collation C"},
	{"column answer.tenant_evidence.expires",
	"timestamp with time zone"},
	{"column answer.tenant_evidence.observed_at",
	"timestamp with time zone"},
	{"column answer.tenant_evidence.raw",
	"jsonb"},
	{"column answer.tenant_evidence.recorded_at",
	"timestamp with time zone"},
	{"column answer.tenant_evidence.source",
	"text"},
	{"column answer.tenant_evidence.tenant",
	"text"},
	{"column answer.tenant_evidence.tool",
	"text"},
	{"column answer.tenant_evolve_proposal.base",
	"text"},
	{"column answer.tenant_evolve_proposal.before",
	"jsonb"},
	{"column answer.tenant_evolve_proposal.by_role",
	"text"},
	{"column answer.tenant_evolve_proposal.change",
	"jsonb"},
	{"column answer.tenant_evolve_proposal.config_id",
	"text"},
	{"column answer.tenant_evolve_proposal.environment",
	"text"},
	{"column answer.tenant_evolve_proposal.issued_at",
	"timestamp with time zone"},
	{"column answer.tenant_evolve_proposal.proposal",
	"text"},
	{"column answer.tenant_evolve_proposal.reason",
	"text"},
	{"column answer.tenant_evolve_proposal.receipt_id",
	"text"},
	{"column answer.tenant_evolve_proposal.revision",
	"integer"},
	{"column answer.tenant_evolve_proposal.slo",
	"jsonb"},
	{"column answer.tenant_evolve_proposal.state",
	"text"},
	{"column answer.tenant_evolve_proposal.tenant",
	"text"},
	{"column answer.tenant_evolve_proposal.validation",
	"jsonb"},
	{"column answer.tenant_graph_edge.from_id",
	"text collation C"},
	{"column answer.tenant_graph_edge.project",
	"text collation C"},
	{"column answer.tenant_graph_edge.tenant",
	"text collation C"},
	{"column answer.tenant_graph_edge.to_id",
	"text collation C"},
	{"column answer.tenant_graph_edge.type",
	"text collation C"},
	{"column answer.tenant_graph_node.content_hash",
	"text collation C"},
	{"column answer.tenant_graph_node.doc_type",
	"text collation C"},
	{"column answer.tenant_graph_node.docstring",
	"text"},
	{"column answer.tenant_graph_node.end_line",
	"integer"},
	{"column answer.tenant_graph_node.extraction_method",
	"text collation C"},
	{"column answer.tenant_graph_node.id",
	"text collation C"},
	{"column answer.tenant_graph_node.indexed_at",
	"timestamp with time zone"},
	{"column answer.tenant_graph_node.labels",
	"text[] collation C"},
	{"column answer.tenant_graph_node.last_modified",
	"bigint"},
	{"column answer.tenant_graph_node.loaded_at",
	"timestamp with time zone"},
	{"column answer.tenant_graph_node.name",
	"text collation C"},
	{"column answer.tenant_graph_node.path",
	"text collation C"},
	{"column answer.tenant_graph_node.project",
	"text collation C"},
	{"column answer.tenant_graph_node.source_path",
	"text collation C"},
	{"column answer.tenant_graph_node.start_line",
	"integer"},
	{"column answer.tenant_graph_node.tenant",
	"text collation C"},
	{"column answer.tenant_graph_node.text",
	"text"},
	{"column answer.tenant_graph_project.documents",
	"bigint"},
	{"column answer.tenant_graph_project.edges",
	"bigint"},
	{"column answer.tenant_graph_project.extraction_methods",
	"text[] collation C"},
	{"column answer.tenant_graph_project.first_indexed_at",
	"timestamp with time zone"},
	{"column answer.tenant_graph_project.last_indexed_at",
	"timestamp with time zone"},
	{"column answer.tenant_graph_project.loaded_at",
	"timestamp with time zone"},
	{"column answer.tenant_graph_project.nodes",
	"bigint"},
	{"column answer.tenant_graph_project.project",
	"text collation C"},
	{"column answer.tenant_graph_project.sources",
	"bigint"},
	{"column answer.tenant_graph_project.tenant",
	"text collation C"},
	{"column answer.tenant_graph_project.version",
	"bigint"},
	{"column answer.tenant_investigation.closed_at",
	"timestamp with time zone"},
	{"column answer.tenant_investigation.intent",
	"text"},
	{"column answer.tenant_investigation.investigation",
	"bigint"},
	{"column answer.tenant_investigation.opened_at",
	"timestamp with time zone"},
	{"column answer.tenant_investigation.opened_by",
	"text"},
	{"column answer.tenant_investigation.outcome",
	"@extschema@.answer_investigation_outcome"},
	{"column answer.tenant_investigation.question",
	"text"},
	{"column answer.tenant_investigation.subject",
	"text"},
	{"column answer.tenant_investigation.tenant",
	"text"},
	{"column answer.tenant_judge.deadline_ms",
	"integer"},
	{"column answer.tenant_judge.handler",
	"text"},
	{"column answer.tenant_judge.handler_digest",
	"text"},
	{"column answer.tenant_judge.handler_owner",
	"text"},
	{"column answer.tenant_judge.kinds",
	"text[]"},
	{"column answer.tenant_judge.max_chars",
	"integer"},
	{"column answer.tenant_judge.max_pairs",
	"integer"},
	{"column answer.tenant_judge.model",
	"text"},
	{"column answer.tenant_judge.name",
	"text collation C"},
	{"column answer.tenant_judge.registered_by",
	"text"},
	{"column answer.tenant_judge.revision",
	"integer"},
	{"column answer.tenant_judge.role",
	"text"},
	{"column answer.tenant_judge.seed",
	"boolean"},
	{"column answer.tenant_judge.tenant",
	"text collation C"},
	{"column answer.tenant_judge.version",
	"text collation C"},
	{"column answer.tenant_judge.weights_digest",
	"text"},
	{"column answer.tenant_judge_assessment.assessed_at",
	"timestamp with time zone"},
	{"column answer.tenant_judge_assessment.assessed_by",
	"text"},
	{"column answer.tenant_judge_assessment.assessment",
	"jsonb"},
	{"column answer.tenant_judge_assessment.balanced_accuracy",
	"numeric"},
	{"column answer.tenant_judge_assessment.judge",
	"text collation C"},
	{"column answer.tenant_judge_assessment.kind",
	"text collation C"},
	{"column answer.tenant_judge_assessment.n",
	"integer"},
	{"column answer.tenant_judge_assessment.pairs",
	"text collation C"},
	{"column answer.tenant_judge_assessment.revision",
	"integer"},
	{"column answer.tenant_judge_assessment.tenant",
	"text collation C"},
	{"column answer.tenant_judge_assessment.version",
	"text collation C"},
	{"column answer.tenant_judgement.by",
	"text"},
	{"column answer.tenant_judgement.judge",
	"text collation C"},
	{"column answer.tenant_judgement.judge_tenant",
	"text collation C"},
	{"column answer.tenant_judgement.judged_at",
	"timestamp with time zone"},
	{"column answer.tenant_judgement.kind",
	"text collation C"},
	{"column answer.tenant_judgement.origin",
	"text collation C"},
	{"column answer.tenant_judgement.pair",
	"text collation C"},
	{"column answer.tenant_judgement.relation",
	"text collation C"},
	{"column answer.tenant_judgement.revision",
	"integer"},
	{"column answer.tenant_judgement.score",
	"numeric"},
	{"column answer.tenant_judgement.tenant",
	"text collation C"},
	{"column answer.tenant_judgement.version",
	"text collation C"},
	{"column answer.tenant_memory.digest",
	"text collation C"},
	{"column answer.tenant_memory.expires_at",
	"timestamp with time zone"},
	{"column answer.tenant_memory.key",
	"text collation C"},
	{"column answer.tenant_memory.provenance",
	"jsonb"},
	{"column answer.tenant_memory.reported_by",
	"text[] collation C"},
	{"column answer.tenant_memory.tenant",
	"text collation C"},
	{"column answer.tenant_memory.trace_id",
	"text collation C"},
	{"column answer.tenant_memory.ttl",
	"text collation C"},
	{"column answer.tenant_memory.value",
	"jsonb"},
	{"column answer.tenant_memory.written_at",
	"timestamp with time zone"},
	{"column answer.tenant_open_investigation.agreement",
	"@extschema@.answer_agreement"},
	{"column answer.tenant_open_investigation.complete",
	"boolean"},
	{"column answer.tenant_open_investigation.coverage",
	"text"},
	{"column answer.tenant_open_investigation.explanation",
	"text"},
	{"column answer.tenant_open_investigation.gap",
	"@extschema@.answer_quality_gap[]"},
	{"column answer.tenant_open_investigation.intent",
	"text"},
	{"column answer.tenant_open_investigation.investigation",
	"bigint"},
	{"column answer.tenant_open_investigation.level",
	"@extschema@.answer_confidence"},
	{"column answer.tenant_open_investigation.next_class",
	"text"},
	{"column answer.tenant_open_investigation.next_tool",
	"text"},
	{"column answer.tenant_open_investigation.opened_at",
	"timestamp with time zone"},
	{"column answer.tenant_open_investigation.quality",
	"@extschema@.answer_quality_level"},
	{"column answer.tenant_open_investigation.question",
	"text"},
	{"column answer.tenant_open_investigation.subject",
	"text"},
	{"column answer.tenant_open_investigation.tenant",
	"text"},
	{"column answer.tenant_packet_log.at",
	"timestamp with time zone"},
	{"column answer.tenant_packet_log.content_hash",
	"text collation C"},
	{"column answer.tenant_packet_log.project",
	"text collation C"},
	{"column answer.tenant_packet_log.query_id",
	"text collation C"},
	{"column answer.tenant_packet_log.question",
	"text"},
	{"column answer.tenant_packet_log.score",
	"integer"},
	{"column answer.tenant_packet_log.status",
	"text collation C"},
	{"column answer.tenant_packet_log.tenant",
	"text collation C"},
	{"column answer.tenant_plan.digest",
	"text collation C"},
	{"column answer.tenant_plan.plan",
	"jsonb"},
	{"column answer.tenant_plan.plan_id",
	"text collation C"},
	{"column answer.tenant_plan.registered_at",
	"timestamp with time zone"},
	{"column answer.tenant_plan.registered_by",
	"text"},
	{"column answer.tenant_plan.seed",
	"boolean"},
	{"column answer.tenant_plan.tenant",
	"text collation C"},
	{"column answer.tenant_plan.version",
	"integer"},
	{"column answer.tenant_plan_event.event",
	"jsonb"},
	{"column answer.tenant_plan_event.plan_id",
	"text collation C"},
	{"column answer.tenant_plan_event.seq",
	"integer"},
	{"column answer.tenant_plan_event.step",
	"text collation C"},
	{"column answer.tenant_plan_event.tenant",
	"text collation C"},
	{"column answer.tenant_plan_event.trace_id",
	"text collation C"},
	{"column answer.tenant_plan_event.ts_end",
	"timestamp with time zone"},
	{"column answer.tenant_plan_run.evaluated_at",
	"timestamp with time zone"},
	{"column answer.tenant_plan_run.expires_at",
	"timestamp with time zone"},
	{"column answer.tenant_plan_run.finished_at",
	"timestamp with time zone"},
	{"column answer.tenant_plan_run.issued_at",
	"timestamp with time zone"},
	{"column answer.tenant_plan_run.plan_id",
	"text collation C"},
	{"column answer.tenant_plan_run.receipt_id",
	"text collation C"},
	{"column answer.tenant_plan_run.request_digest",
	"text collation C"},
	{"column answer.tenant_plan_run.request_id",
	"text collation C"},
	{"column answer.tenant_plan_run.role",
	"text collation C"},
	{"column answer.tenant_plan_run.started_at",
	"timestamp with time zone"},
	{"column answer.tenant_plan_run.state",
	"jsonb"},
	{"column answer.tenant_plan_run.status",
	"text collation C"},
	{"column answer.tenant_plan_run.tenant",
	"text collation C"},
	{"column answer.tenant_plan_run.trace_id",
	"text collation C"},
	{"column answer.tenant_plan_run.verdict",
	"text collation C"},
	{"column answer.tenant_quality_entry.class",
	"text"},
	{"column answer.tenant_quality_entry.digest",
	"text"},
	{"column answer.tenant_quality_entry.entry",
	"bytea"},
	{"column answer.tenant_quality_entry.exact_match_count",
	"bigint"},
	{"column answer.tenant_quality_entry.investigation",
	"bigint"},
	{"column answer.tenant_quality_entry.match_count",
	"bigint"},
	{"column answer.tenant_quality_entry.observation",
	"jsonb"},
	{"column answer.tenant_quality_entry.phrase_match",
	"boolean"},
	{"column answer.tenant_quality_entry.quality",
	"@extschema@.answer_quality_level"},
	{"column answer.tenant_quality_entry.query",
	"text"},
	{"column answer.tenant_quality_entry.reason",
	"text"},
	{"column answer.tenant_quality_entry.recorded_at",
	"timestamp with time zone"},
	{"column answer.tenant_quality_entry.run",
	"text"},
	{"column answer.tenant_quality_entry.sources",
	"text[]"},
	{"column answer.tenant_quality_entry.strength",
	"@extschema@.answer_strength_level"},
	{"column answer.tenant_quality_entry.target",
	"text"},
	{"column answer.tenant_quality_entry.tenant",
	"text"},
	{"column answer.tenant_quality_entry.tool",
	"text"},
	{"column answer.tenant_quality_tool.class",
	"text"},
	{"column answer.tenant_quality_tool.description",
	"text"},
	{"column answer.tenant_quality_tool.family",
	"text"},
	{"column answer.tenant_quality_tool.grader",
	"text"},
	{"column answer.tenant_quality_tool.grader_owner",
	"text"},
	{"column answer.tenant_quality_tool.registered_by",
	"text"},
	{"column answer.tenant_quality_tool.seed",
	"boolean"},
	{"column answer.tenant_quality_tool.tenant",
	"text"},
	{"column answer.tenant_quality_tool.tool",
	"text"},
	{"column answer.tenant_receipt.body",
	"jsonb"},
	{"column answer.tenant_receipt.citation_given",
	"boolean"},
	{"column answer.tenant_receipt.citation_required",
	"boolean"},
	{"column answer.tenant_receipt.confidence",
	"double precision"},
	{"column answer.tenant_receipt.contradicted",
	"boolean"},
	{"column answer.tenant_receipt.cost_usd",
	"numeric"},
	{"column answer.tenant_receipt.degraded",
	"boolean"},
	{"column answer.tenant_receipt.given",
	"boolean"},
	{"column answer.tenant_receipt.grounded",
	"integer"},
	{"column answer.tenant_receipt.intent",
	"text"},
	{"column answer.tenant_receipt.issued_at",
	"timestamp with time zone"},
	{"column answer.tenant_receipt.key_id",
	"text"},
	{"column answer.tenant_receipt.prevented",
	"boolean"},
	{"column answer.tenant_receipt.receipt_id",
	"text"},
	{"column answer.tenant_receipt.refusal",
	"text"},
	{"column answer.tenant_receipt.schema",
	"text"},
	{"column answer.tenant_receipt.sentences",
	"integer"},
	{"column answer.tenant_receipt.supported",
	"boolean"},
	{"column answer.tenant_receipt.tenant",
	"text"},
	{"column answer.tenant_receipt.took",
	"interval"},
	{"column answer.tenant_receipt.unjudged",
	"boolean"},
	{"column answer.tenant_receipt.verdict",
	"text"},
	{"column answer.tenant_role.granted_at",
	"timestamp with time zone"},
	{"column answer.tenant_role.role",
	"text collation C"},
	{"column answer.tenant_role.tenant",
	"text collation C"},
	{"column answer.tenant_route.\"position\"",
	"integer"},
	{"column answer.tenant_route.args",
	"jsonb"},
	{"column answer.tenant_route.description",
	"text"},
	{"column answer.tenant_route.enabled",
	"boolean"},
	{"column answer.tenant_route.examples",
	"text[]"},
	{"column answer.tenant_route.expect",
	"jsonb"},
	{"column answer.tenant_route.kind",
	"@extschema@.answer_route_kind"},
	{"column answer.tenant_route.list_owners",
	"jsonb"},
	{"column answer.tenant_route.list_values",
	"jsonb"},
	{"column answer.tenant_route.lists",
	"jsonb"},
	{"column answer.tenant_route.pattern",
	"text"},
	{"column answer.tenant_route.registered_by",
	"text"},
	{"column answer.tenant_route.route_id",
	"text"},
	{"column answer.tenant_route.seed",
	"boolean"},
	{"column answer.tenant_route.tenant",
	"text"},
	{"column answer.tenant_route.tool",
	"text"},
	{"column answer.tenant_route_table.content",
	"jsonb"},
	{"column answer.tenant_route_table.pinned_at",
	"timestamp with time zone"},
	{"column answer.tenant_route_table.sha256",
	"text"},
	{"column answer.tenant_route_table.tenant",
	"text"},
	{"column answer.tenant_run.cases",
	"integer"},
	{"column answer.tenant_run.config_digest",
	"text"},
	{"column answer.tenant_run.digest",
	"text"},
	{"column answer.tenant_run.engine_digest",
	"text"},
	{"column answer.tenant_run.finished_at",
	"timestamp with time zone"},
	{"column answer.tenant_run.passed",
	"integer"},
	{"column answer.tenant_run.run_id",
	"text"},
	{"column answer.tenant_run.started_at",
	"timestamp with time zone"},
	{"column answer.tenant_run.suite",
	"text"},
	{"column answer.tenant_run.suite_digest",
	"text"},
	{"column answer.tenant_run.tenant",
	"text"},
	{"column answer.tenant_run.took",
	"bigint[]"},
	{"column answer.tenant_run.verdict",
	"text"},
	{"column answer.tenant_run.version",
	"integer"},
	{"column answer.tenant_run_case.answer",
	"text"},
	{"column answer.tenant_run_case.case_id",
	"text"},
	{"column answer.tenant_run_case.citations",
	"jsonb"},
	{"column answer.tenant_run_case.decision",
	"text"},
	{"column answer.tenant_run_case.error",
	"jsonb"},
	{"column answer.tenant_run_case.kind",
	"text"},
	{"column answer.tenant_run_case.ordinal",
	"integer"},
	{"column answer.tenant_run_case.passed",
	"boolean"},
	{"column answer.tenant_run_case.reasons",
	"jsonb"},
	{"column answer.tenant_run_case.run_id",
	"text"},
	{"column answer.tenant_run_case.scores",
	"jsonb"},
	{"column answer.tenant_run_case.signals",
	"jsonb"},
	{"column answer.tenant_run_case.tenant",
	"text"},
	{"column answer.tenant_run_case.took",
	"interval"},
	{"column answer.tenant_run_progress.cases",
	"integer"},
	{"column answer.tenant_run_progress.done",
	"integer"},
	{"column answer.tenant_run_progress.percent",
	"numeric"},
	{"column answer.tenant_run_progress.started_at",
	"timestamp with time zone"},
	{"column answer.tenant_run_progress.suite",
	"text"},
	{"column answer.tenant_run_progress.tenant",
	"text"},
	{"column answer.tenant_run_progress.updated_at",
	"timestamp with time zone"},
	{"column answer.tenant_run_progress.version",
	"integer"},
	{"column answer.tenant_run_progress.work_id",
	"text"},
	{"column answer.tenant_suite.cases",
	"integer"},
	{"column answer.tenant_suite.digest",
	"text"},
	{"column answer.tenant_suite.document_set",
	"text"},
	{"column answer.tenant_suite.documents",
	"jsonb"},
	{"column answer.tenant_suite.loaded_at",
	"timestamp with time zone"},
	{"column answer.tenant_suite.loaded_by",
	"text"},
	{"column answer.tenant_suite.name",
	"text"},
	{"column answer.tenant_suite.now",
	"timestamp with time zone"},
	{"column answer.tenant_suite.seed",
	"boolean"},
	{"column answer.tenant_suite.tenant",
	"text"},
	{"column answer.tenant_suite.version",
	"integer"},
	{"column answer.tenant_suite_case.body",
	"jsonb"},
	{"column answer.tenant_suite_case.case_id",
	"text"},
	{"column answer.tenant_suite_case.ordinal",
	"integer"},
	{"column answer.tenant_suite_case.suite",
	"text"},
	{"column answer.tenant_suite_case.tenant",
	"text"},
	{"column answer.tenant_suite_case.version",
	"integer"},
	{"column answer.tenant_tombstone.body",
	"jsonb"},
	{"column answer.tenant_tombstone.digest",
	"text"},
	{"column answer.tenant_tombstone.forgotten_at",
	"timestamp with time zone"},
	{"column answer.tenant_tombstone.forgotten_by",
	"text"},
	{"column answer.tenant_tombstone.reason",
	"text"},
	{"column answer.tenant_tombstone.receipt_id",
	"text"},
	{"column answer.tenant_tombstone.tenant",
	"text"},
	{"column answer.tenant_tool.basis",
	"text"},
	{"column answer.tenant_tool.category",
	"text"},
	{"column answer.tenant_tool.country",
	"text"},
	{"column answer.tenant_tool.description",
	"text"},
	{"column answer.tenant_tool.entity_path",
	"text"},
	{"column answer.tenant_tool.freshness",
	"interval"},
	{"column answer.tenant_tool.handler",
	"text"},
	{"column answer.tenant_tool.handler_owner",
	"text"},
	{"column answer.tenant_tool.optional_args",
	"text[]"},
	{"column answer.tenant_tool.registered_by",
	"text"},
	{"column answer.tenant_tool.required_args",
	"text[]"},
	{"column answer.tenant_tool.seed",
	"boolean"},
	{"column answer.tenant_tool.source",
	"text"},
	{"column answer.tenant_tool.source_path",
	"text"},
	{"column answer.tenant_tool.spec",
	"jsonb"},
	{"column answer.tenant_tool.tenant",
	"text"},
	{"column answer.tenant_tool.timestamp_path",
	"text"},
	{"column answer.tenant_tool.tool",
	"text"},
	{"column answer.tenant_tool.unit",
	"text"},
	{"column answer.tenant_tool.value_optional",
	"boolean"},
	{"column answer.tenant_tool.value_path",
	"text"},
	{"column answer.tenant_tool_latency.basis",
	"text"},
	{"column answer.tenant_tool_latency.calls",
	"bigint"},
	{"column answer.tenant_tool_latency.p50_ms",
	"numeric"},
	{"column answer.tenant_tool_latency.p95_ms",
	"numeric"},
	{"column answer.tenant_tool_latency.tenant",
	"text collation C"},
	{"column answer.tenant_tool_latency.tool",
	"text collation C"},
	{"column answer.tombstone.body",
	"jsonb"},
	{"column answer.tombstone.digest",
	"text"},
	{"column answer.tombstone.forgotten_at",
	"timestamp with time zone"},
	{"column answer.tombstone.forgotten_by",
	"text"},
	{"column answer.tombstone.reason",
	"text"},
	{"column answer.tombstone.receipt_id",
	"text"},
	{"column answer.tombstone.tenant",
	"text"},
	{"column answer.tool.basis",
	"text"},
	{"column answer.tool.category",
	"text"},
	{"column answer.tool.country",
	"text"},
	{"column answer.tool.description",
	"text"},
	{"column answer.tool.entity_path",
	"text"},
	{"column answer.tool.freshness",
	"interval"},
	{"column answer.tool.handler",
	"text"},
	{"column answer.tool.handler_owner",
	"text"},
	{"column answer.tool.optional_args",
	"text[]"},
	{"column answer.tool.registered_by",
	"text"},
	{"column answer.tool.required_args",
	"text[]"},
	{"column answer.tool.seed",
	"boolean"},
	{"column answer.tool.source",
	"text"},
	{"column answer.tool.source_path",
	"text"},
	{"column answer.tool.spec",
	"jsonb"},
	{"column answer.tool.tenant",
	"text"},
	{"column answer.tool.timestamp_path",
	"text"},
	{"column answer.tool.tool",
	"text"},
	{"column answer.tool.unit",
	"text"},
	{"column answer.tool.value_optional",
	"boolean"},
	{"column answer.tool.value_path",
	"text"},
	{"column answer.tool_bucket.full_at",
	"timestamp with time zone"},
	{"column answer.tool_bucket.tenant",
	"text collation C"},
	{"column answer.tool_bucket.tool",
	"text collation C"},
	{"column answer.tool_call.called_at",
	"timestamp with time zone"},
	{"column answer.tool_call.microseconds",
	"bigint"},
	{"column answer.tool_call.tenant",
	"text collation C"},
	{"column answer.tool_call.tool",
	"text collation C"},
	{"column answer.tool_latency.basis",
	"text"},
	{"column answer.tool_latency.calls",
	"bigint"},
	{"column answer.tool_latency.p50_ms",
	"numeric"},
	{"column answer.tool_latency.p95_ms",
	"numeric"},
	{"column answer.tool_latency.tenant",
	"text collation C"},
	{"column answer.tool_latency.tool",
	"text collation C"},
	{"column answer.unsealed.digest",
	"bytea"},
	{"column answer.unsealed.issued_at",
	"timestamp with time zone"},
	{"column answer.unsealed.receipt_id",
	"text"},
	{"column answer.witness_checkpoint.note",
	"bytea"},
	{"column answer.witness_checkpoint.origin",
	"text"},
	{"column answer.witness_checkpoint.root_hash",
	"bytea"},
	{"column answer.witness_checkpoint.tree_size",
	"bigint"},
	{"column answer.witness_checkpoint.witnessed_at",
	"timestamp with time zone"},
	{"column answer.witness_key.origin",
	"text"},
	{"column answer.witness_key.trusted_at",
	"timestamp with time zone"},
	{"column answer.witness_key.vkey",
	"text"},
	{"constraint anchor_attached_at_check on answer.anchor",
	"CHECK (isfinite(attached_at)), valid t"},
	{"constraint anchor_imprint_check on answer.anchor",
	"CHECK ((length(imprint) = 32)), valid t"},
	{"constraint anchor_pkey on answer.anchor",
	"PRIMARY KEY (tenant, receipt_id, token_digest), valid t"},
	{"constraint anchor_request_pkey on answer.anchor_request",
	"PRIMARY KEY (tenant, receipt_id, nonce), valid t"},
	{"constraint baseline_digest_check on answer.baseline",
	"CHECK ((digest ~ '^sha256:[0-9a-f]{64}$'::text)), valid t"},
	{"constraint baseline_name_check on answer.baseline",
	"CHECK ((name <> ''::text)), valid t"},
	{"constraint baseline_pkey on answer.baseline",
	"PRIMARY KEY (tenant, name, version), valid t"},
	{"constraint baseline_questions_check on answer.baseline",
	"CHECK ((questions >= 0)), valid t"},
	{"constraint baseline_row_cost_usd_check on answer.baseline_row",
	"CHECK (((cost_usd >= (0)::numeric) AND (cost_usd < 'Infinity'::numeric))), valid t"},
	{"constraint baseline_row_latency_ms_check on answer.baseline_row",
	"CHECK (((latency_ms >= (0)::numeric) AND (latency_ms < 'Infinity'::numeric))), valid t"},
	{"constraint baseline_row_question_check on answer.baseline_row",
	"CHECK ((question <> ''::text)), valid t"},
	{"constraint baseline_version_check on answer.baseline",
	"CHECK ((version > 0)), valid t"},
	{"constraint budget_cap_cost_cap_usd_check on answer.budget_cap",
	"CHECK (((cost_cap_usd >= (0)::numeric) AND (cost_cap_usd < 'Infinity'::numeric))), valid t"},
	{"constraint budget_cap_period_check on answer.budget_cap",
	"CHECK ((period = ANY ('{day,month,request}'::text[]))), valid t"},
	{"constraint budget_cap_pkey on answer.budget_cap",
	"PRIMARY KEY (tenant, period), valid t"},
	{"constraint budget_period_period_check on answer.budget_period",
	"CHECK ((period = ANY ('{day,month}'::text[]))), valid t"},
	{"constraint budget_period_pkey on answer.budget_period",
	"PRIMARY KEY (tenant, period, starts_on), valid t"},
	{"constraint budget_period_reserved_usd_check on answer.budget_period",
	"CHECK ((reserved_usd >= (0)::numeric)), valid t"},
	{"constraint budget_period_spent_usd_check on answer.budget_period",
	"CHECK ((spent_usd >= (0)::numeric)), valid t"},
	{"constraint budget_reservation_check on answer.budget_reservation",
	"CHECK (((charged_usd >= (0)::numeric) AND (charged_usd <= reserved_usd))), valid t"},
	{"constraint budget_reservation_pkey on answer.budget_reservation",
	"PRIMARY KEY (tenant, trace_id), valid t"},
	{"constraint budget_reservation_reserved_usd_check on answer.budget_reservation",
	"CHECK ((reserved_usd >= (0)::numeric)), valid t"},
	{"constraint budget_reservation_step_usd_check on answer.budget_reservation",
	"CHECK ((step_usd >= (0)::numeric)), valid t"},
	{"constraint budget_reservation_trace_id_check on answer.budget_reservation",
	"CHECK ((trace_id <> ''::text)), valid t"},
	{"constraint checkpoint_check on answer.checkpoint",
	"CHECK ((previous_size < tree_size)), valid t"},
	{"constraint checkpoint_pkey on answer.checkpoint",
	"PRIMARY KEY (tree_size), valid t"},
	{"constraint checkpoint_root_hash_check on answer.checkpoint",
	"CHECK ((length(root_hash) = 32)), valid t"},
	{"constraint checkpoint_tree_size_check on answer.checkpoint",
	"CHECK ((tree_size >= 0)), valid t"},
	{"constraint chunk_embedding_pkey on answer.chunk_embedding",
	"PRIMARY KEY (tenant, chunk_id), valid t"},
	{"constraint chunk_item_pkey on answer.chunk_item",
	"PRIMARY KEY (tenant, item), valid t"},
	{"constraint chunk_pkey on answer.chunk",
	"PRIMARY KEY (tenant, doc_id, version, ordinal), valid t"},
	{"constraint chunk_search_pkey on answer.chunk_search",
	"PRIMARY KEY (tenant, chunk_id), valid t"},
	{"constraint config_sample_pkey on answer.config_sample",
	"PRIMARY KEY (tenant, environment, revision, receipt_id, asked_by), valid t"},
	{"constraint cosignature_pkey on answer.cosignature",
	"PRIMARY KEY (tree_size, line), valid t"},
	{"constraint decision_cache_pkey on answer.decision_cache",
	"PRIMARY KEY (tenant, key), valid t"},
	{"constraint decision_rule_check on answer.decision_rule",
	"CHECK ((NOT (seed AND excluded))), valid t"},
	{"constraint decision_rule_detail_check on answer.decision_rule",
	"CHECK ((jsonb_typeof(detail) = 'object'::text)), valid t"},
	{"constraint decision_rule_entry_check on answer.decision_rule",
	"CHECK ((entry <> ''::text)), valid t"},
	{"constraint decision_rule_list_check on answer.decision_rule",
	"CHECK ((list = ANY ('{allow,prohibit,refund_allowed,refund_refused,encrypt,plaintext,negators,not_negating,encryption_waived,exceptions,topics,units,stop_words,insufficiency,risk.high,risk.medium,ambiguity,months}'::text[]))), valid t"},
	{"constraint decision_rule_pkey on answer.decision_rule",
	"PRIMARY KEY (list, entry, seed), valid t"},
	{"constraint document_chunks_check on answer.document",
	"CHECK ((chunks > 0)), valid t"},
	{"constraint document_doc_id_check on answer.document",
	"CHECK ((doc_id <> ''::text)), valid t"},
	{"constraint document_fact_pkey on answer.document_fact",
	"PRIMARY KEY (tenant, doc_id, version, digest), valid t"},
	{"constraint document_pkey on answer.document",
	"PRIMARY KEY (tenant, doc_id, version), valid t"},
	{"constraint document_set_pkey on answer.document_set",
	"PRIMARY KEY (tenant), valid t"},
	{"constraint document_timestamp_check on answer.document",
	"CHECK (isfinite(\"timestamp\")), valid t"},
	{"constraint document_version_check on answer.document",
	"CHECK ((version > 0)), valid t"},
	{"constraint environment_head_pkey on answer.environment_head",
	"PRIMARY KEY (tenant, environment), valid t"},
	{"constraint environment_head_revision_check on answer.environment_head",
	"CHECK ((revision > 0)), valid t"},
	{"constraint evidence_expires_check on answer.evidence",
	"CHECK (isfinite(expires)), valid t"},
	{"constraint evidence_observed_at_check on answer.evidence",
	"CHECK (isfinite(observed_at)), valid t"},
	{"constraint evidence_pkey on answer.evidence",
	"PRIMARY KEY (tenant, digest), valid t"},
	{"constraint evidence_series_pkey on answer.evidence_series",
	"PRIMARY KEY (tenant, tool, args_digest, source), valid t"},
	{"constraint graph_edge_from_node on answer.graph_edge",
	"FOREIGN KEY (tenant, project, from_id) REFERENCES answer.graph_node(tenant, project, id) DEFERRABLE INITIALLY DEFERRED, valid t"},
	{"constraint graph_edge_pkey on answer.graph_edge",
	"PRIMARY KEY (tenant, project, from_id, to_id, type), valid t"},
	{"constraint graph_edge_to_node on answer.graph_edge",
	"FOREIGN KEY (tenant, project, to_id) REFERENCES answer.graph_node(tenant, project, id) DEFERRABLE INITIALLY DEFERRED, valid t"},
	{"constraint graph_edge_type on answer.graph_edge",
	"CHECK (((octet_length(type) >= 1) AND (octet_length(type) <= 255))), valid t"},
	{"constraint graph_embedding_embedding on answer.graph_embedding",
	"CHECK ((answer.embedding_check(embedding) IS NOT NULL)), valid t"},
	{"constraint graph_embedding_pkey on answer.graph_embedding",
	"PRIMARY KEY (tenant, project, id), valid t"},
	{"constraint graph_node_content_hash on answer.graph_node",
	"CHECK ((content_hash ~ '^sha256:[0-9a-f]{64}$'::text)), valid t"},
	{"constraint graph_node_doc_type on answer.graph_node",
	"CHECK (((octet_length(doc_type) >= 1) AND (octet_length(doc_type) <= 1048576))), valid t"},
	{"constraint graph_node_docstring on answer.graph_node",
	"CHECK (((octet_length(docstring) >= 0) AND (octet_length(docstring) <= 16777216))), valid t"},
	{"constraint graph_node_document on answer.graph_node",
	"CHECK (((doc_type IS NOT NULL) OR ('Document'::text <> ALL (labels)))), valid t"},
	{"constraint graph_node_end_line on answer.graph_node",
	"CHECK (((end_line IS NULL) OR ((start_line IS NOT NULL) AND (end_line >= start_line)))), valid t"},
	{"constraint graph_node_extraction_method on answer.graph_node",
	"CHECK (((octet_length(extraction_method) >= 1) AND (octet_length(extraction_method) <= 1048576))), valid t"},
	{"constraint graph_node_id on answer.graph_node",
	"CHECK (((octet_length(id) >= 1) AND (octet_length(id) <= 1000))), valid t"},
	{"constraint graph_node_indexed_at on answer.graph_node",
	"CHECK (((indexed_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (indexed_at < '10000-01-01 00:00:00+00'::timestamp with time zone))), valid t"},
	{"constraint graph_node_labels on answer.graph_node",
	"CHECK ((COALESCE((array_ndims(labels) = 1), false) AND (array_position(labels, NULL::text) IS NULL) AND (''::text <> ALL (labels)))), valid t"},
	{"constraint graph_node_last_modified on answer.graph_node",
	"CHECK (((last_modified >= 0) AND (last_modified <= '253402300799'::bigint))), valid t"},
	{"constraint graph_node_name on answer.graph_node",
	"CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 1048576))), valid t"},
	{"constraint graph_node_path on answer.graph_node",
	"CHECK (((octet_length(path) >= 1) AND (octet_length(path) <= 1048576))), valid t"},
	{"constraint graph_node_pkey on answer.graph_node",
	"PRIMARY KEY (tenant, project, id), valid t"},
	{"constraint graph_node_project on answer.graph_node",
	"CHECK (((octet_length(project) >= 1) AND (octet_length(project) <= 255))), valid t"},
	{"constraint graph_node_source_path on answer.graph_node",
	"CHECK (((octet_length(source_path) >= 1) AND (octet_length(source_path) <= 1000))), valid t"},
	{"constraint graph_node_start_line on answer.graph_node",
	"CHECK ((start_line > 0)), valid t"},
	{"constraint graph_node_text on answer.graph_node",
	"CHECK (((octet_length(text) >= 0) AND (octet_length(text) <= 16777216))), valid t"},
	{"constraint graph_search_pkey on answer.graph_search",
	"PRIMARY KEY (tenant, project, id), valid t"},
	{"constraint graph_set_pkey on answer.graph_set",
	"PRIMARY KEY (tenant, project), valid t"},
	{"constraint investigation_check on answer.investigation",
	"CHECK (((closed_at IS NULL) = (outcome IS NULL))), valid t"},
	{"constraint investigation_pkey on answer.investigation",
	"PRIMARY KEY (tenant, investigation), valid t"},
	{"constraint investigation_subject_check on answer.investigation",
	"CHECK ((subject <> ''::text)), valid t"},
	{"constraint judge_assessment_balanced_accuracy_check on answer.judge_assessment",
	"CHECK (((balanced_accuracy >= (0)::numeric) AND (balanced_accuracy <= (1)::numeric))), valid t"},
	{"constraint judge_assessment_kind_check on answer.judge_assessment",
	"CHECK ((kind = ANY (ARRAY['entailment'::text, 'answers'::text, 'conflict'::text]))), valid t"},
	{"constraint judge_assessment_n_check on answer.judge_assessment",
	"CHECK ((n >= 0)), valid t"},
	{"constraint judge_assessment_pkey on answer.judge_assessment",
	"PRIMARY KEY (tenant, judge, revision, kind, assessed_at), valid t"},
	{"constraint judge_check on answer.judge",
	"CHECK (((tenant = ''::text) OR (NOT seed))), valid t"},
	{"constraint judge_check1 on answer.judge",
	"CHECK (((handler IS NULL) <> (role IS NULL))), valid t"},
	{"constraint judge_check2 on answer.judge",
	"CHECK ((((handler IS NULL) = (handler_owner IS NULL)) AND ((handler IS NULL) = (handler_digest IS NULL)))), valid t"},
	{"constraint judge_name_check on answer.judge",
	"CHECK ((name <> ''::text)), valid t"},
	{"constraint judge_pkey on answer.judge",
	"PRIMARY KEY (tenant, name), valid t"},
	{"constraint judge_revision_check on answer.judge",
	"CHECK ((revision > 0)), valid t"},
	{"constraint judge_version_pkey on answer.judge_version",
	"PRIMARY KEY (tenant, name, revision), valid t"},
	{"constraint judgement_judged_at_check on answer.judgement",
	"CHECK (isfinite(judged_at)), valid t"},
	{"constraint judgement_kind_check on answer.judgement",
	"CHECK ((kind = ANY (ARRAY['entailment'::text, 'answers'::text, 'conflict'::text]))), valid t"},
	{"constraint judgement_origin_check on answer.judgement",
	"CHECK ((origin = ANY (ARRAY['observed'::text, 'reported'::text]))), valid t"},
	{"constraint judgement_pkey on answer.judgement",
	"PRIMARY KEY (tenant, pair, judge, judge_tenant, revision, judged_at), valid t"},
	{"constraint judgement_relation_check on answer.judgement",
	"CHECK ((relation = ANY (ARRAY['supports'::text, 'contradicts'::text, 'neutral'::text, 'no_claim'::text, 'answers'::text, 'does_not'::text]))), valid t"},
	{"constraint judgement_score_check on answer.judgement",
	"CHECK (((score >= (0)::numeric) AND (score <= (1)::numeric))), valid t"},
	{"constraint log_leaf_digest_check on answer.log_leaf",
	"CHECK ((length(digest) = 32)), valid t"},
	{"constraint log_leaf_issued_at_receipt_id_key on answer.log_leaf",
	"UNIQUE (issued_at, receipt_id), valid t"},
	{"constraint log_leaf_leaf_index_check on answer.log_leaf",
	"CHECK ((leaf_index >= 0)), valid t"},
	{"constraint log_leaf_pkey on answer.log_leaf",
	"PRIMARY KEY (leaf_index), valid t"},
	{"constraint log_tile_hashes_check on answer.log_tile",
	"CHECK ((length(hashes) = 1024)), valid t"},
	{"constraint log_tile_pkey on answer.log_tile",
	"PRIMARY KEY (level, tile), valid t"},
	{"constraint memory_entry_key on answer.memory_entry",
	"CHECK (((octet_length(key) >= 1) AND (octet_length(key) <= 1000))), valid t"},
	{"constraint memory_entry_life on answer.memory_entry",
	"CHECK ((expires_at > written_at)), valid t"},
	{"constraint memory_entry_pkey on answer.memory_entry",
	"PRIMARY KEY (tenant, key), valid t"},
	{"constraint memory_policy_key_prefix_check on answer.memory_policy",
	"CHECK ((octet_length(key_prefix) <= 1000)), valid t"},
	{"constraint memory_policy_pkey on answer.memory_policy",
	"PRIMARY KEY (tenant, key_prefix), valid t"},
	{"constraint packet_log_query_id_check on answer.packet_log",
	"CHECK ((query_id <> ''::text)), valid t"},
	{"constraint packet_log_score_check on answer.packet_log",
	"CHECK (((score >= 0) AND (score <= 100))), valid t"},
	{"constraint plan_check on answer.plan",
	"CHECK (((tenant = ''::text) OR (NOT seed))), valid t"},
	{"constraint plan_digest_check on answer.plan",
	"CHECK ((digest ~ '^sha256:[0-9a-f]{64}$'::text)), valid t"},
	{"constraint plan_event_pkey on answer.plan_event",
	"PRIMARY KEY (tenant, trace_id, seq), valid t"},
	{"constraint plan_event_seq_check on answer.plan_event",
	"CHECK ((seq > 0)), valid t"},
	{"constraint plan_pkey on answer.plan",
	"PRIMARY KEY (tenant, plan_id, version), valid t"},
	{"constraint plan_plan_id_check on answer.plan",
	"CHECK ((plan_id <> ''::text)), valid t"},
	{"constraint plan_run_check on answer.plan_run",
	"CHECK (((status = 'done'::text) = (state IS NULL))), valid t"},
	{"constraint plan_run_check1 on answer.plan_run",
	"CHECK (((status = 'done'::text) = ((receipt_id IS NOT NULL) AND (issued_at IS NOT NULL) AND (verdict IS NOT NULL)))), valid t"},
	{"constraint plan_run_check2 on answer.plan_run",
	"CHECK (((status <> 'pending'::text) OR (expires_at IS NOT NULL))), valid t"},
	{"constraint plan_run_pkey on answer.plan_run",
	"PRIMARY KEY (tenant, trace_id), valid t"},
	{"constraint plan_run_status_check on answer.plan_run",
	"CHECK ((status = ANY ('{running,pending,done}'::text[]))), valid t"},
	{"constraint plan_run_trace_id_check on answer.plan_run",
	"CHECK ((trace_id ~ '^t_[0-9a-f]{32}$'::text)), valid t"},
	{"constraint plan_run_verdict_check on answer.plan_run",
	"CHECK ((verdict = ANY ('{answered,blocked,refused,failed}'::text[]))), valid t"},
	{"constraint plan_step_pkey on answer.plan_step",
	"PRIMARY KEY (tenant, trace_id, seq), valid t"},
	{"constraint plan_step_seq_check on answer.plan_step",
	"CHECK ((seq > 0)), valid t"},
	{"constraint plan_version_check on answer.plan",
	"CHECK ((version > 0)), valid t"},
	{"constraint quality_authority_observation_check on answer.quality_authority",
	"CHECK ((jsonb_typeof(observation) = 'object'::text)), valid t"},
	{"constraint quality_authority_pkey on answer.quality_authority",
	"PRIMARY KEY (tool, observation), valid t"},
	{"constraint quality_authority_quality_check on answer.quality_authority",
	"CHECK ((quality = 'Strong'::@extschema@.answer_quality_level)), valid t"},
	{"constraint quality_class_class_check on answer.quality_class",
	"CHECK ((class <> ''::text)), valid t"},
	{"constraint quality_class_pkey on answer.quality_class",
	"PRIMARY KEY (class), valid t"},
	{"constraint quality_compatibility_check on answer.quality_compatibility",
	"CHECK (((NOT same_tool) OR (class = with_class))), valid t"},
	{"constraint quality_compatibility_pkey on answer.quality_compatibility",
	"PRIMARY KEY (class, with_class, same_tool), valid t"},
	{"constraint quality_compatibility_quality_check on answer.quality_compatibility",
	"CHECK ((quality = 'Strong'::@extschema@.answer_quality_level)), valid t"},
	{"constraint quality_compatibility_with_quality_check on answer.quality_compatibility",
	"CHECK (((with_quality >= 'Moderate'::@extschema@.answer_quality_level) AND (with_quality < 'Verified'::@extschema@.answer_quality_level))), valid t"},
	{"constraint quality_entry_check on answer.quality_entry",
	"CHECK ((exact_match_count <= match_count)), valid t"},
	{"constraint quality_entry_entry_check on answer.quality_entry",
	"CHECK ((length(entry) = 32)), valid t"},
	{"constraint quality_entry_exact_match_count_check on answer.quality_entry",
	"CHECK ((exact_match_count >= 0)), valid t"},
	{"constraint quality_entry_match_count_check on answer.quality_entry",
	"CHECK ((match_count >= 0)), valid t"},
	{"constraint quality_entry_not_verified on answer.quality_entry",
	"CHECK ((quality <> 'Verified'::@extschema@.answer_quality_level)), valid t"},
	{"constraint quality_entry_pkey on answer.quality_entry",
	"PRIMARY KEY (tenant, investigation, entry), valid t"},
	{"constraint quality_intent_intent_check on answer.quality_intent",
	"CHECK ((intent <> ''::text)), valid t"},
	{"constraint quality_intent_pkey on answer.quality_intent",
	"PRIMARY KEY (intent), valid t"},
	{"constraint quality_requirement_pkey on answer.quality_requirement",
	"PRIMARY KEY (intent, class), valid t"},
	{"constraint quality_requirement_quality_check on answer.quality_requirement",
	"CHECK ((quality > 'None'::@extschema@.answer_quality_level)), valid t"},
	{"constraint quality_tool_check on answer.quality_tool",
	"CHECK (((tenant = ''::text) OR (NOT seed))), valid t"},
	{"constraint quality_tool_check1 on answer.quality_tool",
	"CHECK (((grader_owner IS NULL) = (grader IS NULL))), valid t"},
	{"constraint quality_tool_family_check on answer.quality_tool",
	"CHECK ((family <> ''::text)), valid t"},
	{"constraint quality_tool_pkey on answer.quality_tool",
	"PRIMARY KEY (tenant, tool), valid t"},
	{"constraint quality_tool_tool_check on answer.quality_tool",
	"CHECK ((tool <> ''::text)), valid t"},
	{"constraint receipt_default_pkey on answer.receipt_default",
	"PRIMARY KEY (tenant, receipt_id), valid t"},
	{"constraint recorded_rows_items_check on answer.recorded_rows",
	"CHECK (((length(items) % 24) = 0)), valid t"},
	{"constraint recorded_rows_pkey on answer.recorded_rows",
	"PRIMARY KEY (number), valid t"},
	{"constraint retrieval_pkey on answer.retrieval",
	"PRIMARY KEY (tenant, retrieval_id), valid t"},
	{"constraint rollup_correction_pkey on answer.rollup_correction",
	"PRIMARY KEY (tenant, receipt_id), valid t"},
	{"constraint rollup_day_pkey on answer.rollup_day",
	"PRIMARY KEY (tenant, grain, starts_at, schema, verdict, intent), valid t"},
	{"constraint rollup_grain_check on answer.rollup",
	"CHECK ((grain = ANY ('{1,60,1440}'::smallint[]))), valid t"},
	{"constraint rollup_grain_check on answer.rollup_day",
	"CHECK ((grain = ANY ('{1,60,1440}'::smallint[]))), valid t"},
	{"constraint rollup_grain_check on answer.rollup_hour",
	"CHECK ((grain = ANY ('{1,60,1440}'::smallint[]))), valid t"},
	{"constraint rollup_grain_check on answer.rollup_minute",
	"CHECK ((grain = ANY ('{1,60,1440}'::smallint[]))), valid t"},
	{"constraint rollup_hour_pkey on answer.rollup_hour",
	"PRIMARY KEY (tenant, grain, starts_at, schema, verdict, intent), valid t"},
	{"constraint rollup_key_pkey on answer.rollup_key",
	"PRIMARY KEY (tenant, key_id), valid t"},
	{"constraint rollup_latency_grain_check on answer.rollup_latency",
	"CHECK ((grain = ANY ('{1,60,1440}'::smallint[]))), valid t"},
	{"constraint rollup_latency_pkey on answer.rollup_latency",
	"PRIMARY KEY (tenant, grain, whole, starts_at, intent), valid t"},
	{"constraint rollup_minute_pkey on answer.rollup_minute",
	"PRIMARY KEY (tenant, grain, starts_at, schema, verdict, intent), valid t"},
	{"constraint rollup_pkey on answer.rollup",
	"PRIMARY KEY (tenant, grain, starts_at, schema, verdict, intent), valid t"},
	{"constraint rollup_pruned_one_check on answer.rollup_pruned",
	"CHECK (one), valid t"},
	{"constraint rollup_pruned_pkey on answer.rollup_pruned",
	"PRIMARY KEY (one), valid t"},
	{"constraint rollup_refusal_grain_check on answer.rollup_refusal",
	"CHECK ((grain = ANY ('{1,60,1440}'::smallint[]))), valid t"},
	{"constraint rollup_refusal_pkey on answer.rollup_refusal",
	"PRIMARY KEY (tenant, grain, starts_at, intent, reason), valid t"},
	{"constraint rollup_word_grain_check on answer.rollup_word",
	"CHECK ((grain = ANY ('{60,1440}'::smallint[]))), valid t"},
	{"constraint rollup_word_pkey on answer.rollup_word",
	"PRIMARY KEY (tenant, grain, starts_at, schema, word), valid t"},
	{"constraint route_check on answer.route",
	"CHECK (((\"position\" > 0) AND (((\"position\" / 1000000) = 1) = seed))), valid t"},
	{"constraint route_examples_check on answer.route",
	"CHECK (((cardinality(examples) > 0) AND (array_position(examples, NULL::text) IS NULL))), valid t"},
	{"constraint route_pkey on answer.route",
	"PRIMARY KEY (tenant, route_id), valid t"},
	{"constraint route_route_id_check on answer.route",
	"CHECK ((route_id <> ''::text)), valid t"},
	{"constraint route_state_pkey on answer.route_state",
	"PRIMARY KEY (tenant), valid t"},
	{"constraint route_table_sha256_check on answer.route_table",
	"CHECK ((length(sha256) = 64)), valid t"},
	{"constraint route_tenant_check on answer.route",
	"CHECK (((tenant = ''::text) OR (NOT seed))), valid t"},
	{"constraint route_tenant_position_key on answer.route",
	"UNIQUE (tenant, \"position\") DEFERRABLE, valid t"},
	{"constraint run_timing_pkey on answer.run_timing",
	"PRIMARY KEY (tenant, run_id), valid t"},
	{"constraint run_work_case_pkey on answer.run_work_case",
	"PRIMARY KEY (tenant, work_id, ordinal), valid t"},
	{"constraint run_work_pkey on answer.run_work",
	"PRIMARY KEY (tenant, work_id), valid t"},
	{"constraint signing_key_active on answer.signing_key",
	"CHECK (((status <> 'active'::@extschema@.answer_key_status) OR ((active_from IS NOT NULL) AND (retired_at IS NULL) AND (folder IS NOT NULL)))), valid t"},
	{"constraint signing_key_active_from_check on answer.signing_key",
	"CHECK (isfinite(active_from)), valid t"},
	{"constraint signing_key_compromised on answer.signing_key",
	"CHECK (((compromised_after IS NULL) OR (status = 'compromised'::@extschema@.answer_key_status))), valid t"},
	{"constraint signing_key_compromised_after_check on answer.signing_key",
	"CHECK (isfinite(compromised_after)), valid t"},
	{"constraint signing_key_id_follows on answer.signing_key",
	"CHECK ((key_id = ('ae-ed25519-'::text || \"left\"(encode(sha256(public_key), 'hex'::text), 12)))), valid t"},
	{"constraint signing_key_pkey on answer.signing_key",
	"PRIMARY KEY (key_id), valid t"},
	{"constraint signing_key_public_key_check on answer.signing_key",
	"CHECK ((length(public_key) = 32)), valid t"},
	{"constraint signing_key_retired on answer.signing_key",
	"CHECK ((retired_at >= active_from)), valid t"},
	{"constraint signing_key_retired_at_check on answer.signing_key",
	"CHECK (isfinite(retired_at)), valid t"},
	{"constraint source_independence_group_check on answer.source",
	"CHECK ((independence_group <> ''::text)), valid t"},
	{"constraint source_pkey on answer.source",
	"PRIMARY KEY (source), valid t"},
	{"constraint source_source_check on answer.source",
	"CHECK ((source <> ''::text)), valid t"},
	{"constraint suite_case_ordinal_check on answer.suite_case",
	"CHECK ((ordinal > 0)), valid t"},
	{"constraint suite_case_pkey on answer.suite_case",
	"PRIMARY KEY (tenant, suite, version, ordinal), valid t"},
	{"constraint suite_cases_check on answer.suite",
	"CHECK ((cases >= 0)), valid t"},
	{"constraint suite_document_set_check on answer.suite",
	"CHECK ((document_set ~ '^#[0-9a-f]{40}$'::text)), valid t"},
	{"constraint suite_name_check on answer.suite",
	"CHECK ((name ~ '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$'::text)), valid t"},
	{"constraint suite_now_check on answer.suite",
	"CHECK (isfinite(now)), valid t"},
	{"constraint suite_pkey on answer.suite",
	"PRIMARY KEY (tenant, name, version), valid t"},
	{"constraint suite_version_check on answer.suite",
	"CHECK ((version > 0)), valid t"},
	{"constraint tenant_pkey on answer.tenant",
	"PRIMARY KEY (tenant), valid t"},
	{"constraint tenant_role_pkey on answer.tenant_role",
	"PRIMARY KEY (tenant, role), valid t"},
	{"constraint tenant_tenant_check on answer.tenant",
	"CHECK ((tenant ~ '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$'::text)), valid t"},
	{"constraint tombstone_pkey on answer.tombstone",
	"PRIMARY KEY (tenant, digest), valid t"},
	{"constraint tool_basis_check on answer.tool",
	"CHECK ((basis = ANY (ARRAY['live-source'::text, 'partner-attested'::text, 'vendor-doc'::text, 'forecast'::text, 'computed'::text, 'inferred'::text, 'reported'::text]))), valid t"},
	{"constraint tool_bucket_pkey on answer.tool_bucket",
	"PRIMARY KEY (tenant, tool), valid t"},
	{"constraint tool_call_microseconds_check on answer.tool_call",
	"CHECK (((microseconds >= 0) AND (microseconds <= '86400000000'::bigint))), valid t"},
	{"constraint tool_check on answer.tool",
	"CHECK (((tenant = ''::text) OR (NOT seed))), valid t"},
	{"constraint tool_check1 on answer.tool",
	"CHECK (((handler_owner IS NULL) = ((handler IS NULL) OR seed))), valid t"},
	{"constraint tool_pkey on answer.tool",
	"PRIMARY KEY (tenant, tool), valid t"},
	{"constraint tool_spec_check on answer.tool",
	"CHECK ((jsonb_typeof(spec) = 'object'::text)), valid t"},
	{"constraint tool_tool_check on answer.tool",
	"CHECK ((tool <> ''::text)), valid t"},
	{"constraint tool_value_optional_check on answer.tool",
	"CHECK (value_optional), valid t"},
	{"constraint witness_checkpoint_pkey on answer.witness_checkpoint",
	"PRIMARY KEY (origin, tree_size), valid t"},
	{"constraint witness_checkpoint_root_hash_check on answer.witness_checkpoint",
	"CHECK ((length(root_hash) = 32)), valid t"},
	{"constraint witness_key_pkey on answer.witness_key",
	"PRIMARY KEY (vkey), valid t"},
	{"dump of answer.anchor",
	"all rows"},
	{"dump of answer.anchor_request",
	"all rows"},
	{"dump of answer.baseline",
	"all rows"},
	{"dump of answer.baseline_row",
	"all rows"},
	{"dump of answer.budget_cap",
	"all rows"},
	{"dump of answer.budget_period",
	"all rows"},
	{"dump of answer.budget_reservation",
	"all rows"},
	{"dump of answer.checkpoint",
	"all rows"},
	{"dump of answer.chunk",
	"WHERE tenant OPERATOR(pg_catalog.<>) ALL (SELECT s.document_set FROM answer.suite s WHERE s.seed)"},
	{"dump of answer.chunk_embedding",
	"WHERE tenant OPERATOR(pg_catalog.<>) ALL (SELECT s.document_set FROM answer.suite s WHERE s.seed)"},
	{"dump of answer.chunk_item",
	"WHERE tenant OPERATOR(pg_catalog.<>) ALL (SELECT s.document_set FROM answer.suite s WHERE s.seed)"},
	{"dump of answer.chunk_search",
	"WHERE tenant OPERATOR(pg_catalog.<>) ALL (SELECT s.document_set FROM answer.suite s WHERE s.seed)"},
	{"dump of answer.config_sample",
	"no rows"},
	{"dump of answer.cosignature",
	"all rows"},
	{"dump of answer.decision_cache",
	"WHERE false"},
	{"dump of answer.decision_rule",
	"WHERE NOT seed"},
	{"dump of answer.document",
	"WHERE tenant OPERATOR(pg_catalog.<>) ALL (SELECT s.document_set FROM answer.suite s WHERE s.seed)"},
	{"dump of answer.document_fact",
	"all rows"},
	{"dump of answer.document_set",
	"WHERE tenant OPERATOR(pg_catalog.<>) ALL (SELECT s.document_set FROM answer.suite s WHERE s.seed)"},
	{"dump of answer.environment_head",
	"no rows"},
	{"dump of answer.evidence",
	"all rows"},
	{"dump of answer.evidence_series",
	"all rows"},
	{"dump of answer.graph_edge",
	"all rows"},
	{"dump of answer.graph_embedding",
	"all rows"},
	{"dump of answer.graph_loose",
	"no rows"},
	{"dump of answer.graph_node",
	"all rows"},
	{"dump of answer.graph_search",
	"no rows"},
	{"dump of answer.graph_set",
	"no rows"},
	{"dump of answer.investigation",
	"all rows"},
	{"dump of answer.judge",
	"WHERE NOT seed"},
	{"dump of answer.judge_assessment",
	"all rows"},
	{"dump of answer.judge_version",
	"all rows"},
	{"dump of answer.judgement",
	"all rows"},
	{"dump of answer.log_audit",
	"all rows"},
	{"dump of answer.log_leaf",
	"all rows"},
	{"dump of answer.log_tile",
	"all rows"},
	{"dump of answer.memory_entry",
	"all rows"},
	{"dump of answer.memory_policy",
	"all rows"},
	{"dump of answer.packet_log",
	"all rows"},
	{"dump of answer.plan",
	"WHERE NOT seed"},
	{"dump of answer.plan_event",
	"all rows"},
	{"dump of answer.plan_run",
	"all rows"},
	{"dump of answer.plan_step",
	"all rows"},
	{"dump of answer.quality_authority",
	"WHERE NOT seed"},
	{"dump of answer.quality_class",
	"WHERE NOT seed"},
	{"dump of answer.quality_compatibility",
	"WHERE NOT seed"},
	{"dump of answer.quality_entry",
	"all rows"},
	{"dump of answer.quality_intent",
	"WHERE NOT seed"},
	{"dump of answer.quality_requirement",
	"WHERE NOT seed"},
	{"dump of answer.quality_tool",
	"WHERE NOT seed"},
	{"dump of answer.receipt",
	"all rows"},
	{"dump of answer.receipt_default",
	"all rows"},
	{"dump of answer.recorded_rows",
	"all rows"},
	{"dump of answer.retrieval",
	"WHERE false"},
	{"dump of answer.rollup",
	"all rows"},
	{"dump of answer.rollup_correction",
	"all rows"},
	{"dump of answer.rollup_day",
	"all rows"},
	{"dump of answer.rollup_hour",
	"all rows"},
	{"dump of answer.rollup_kept",
	"all rows"},
	{"dump of answer.rollup_key",
	"all rows"},
	{"dump of answer.rollup_latency",
	"all rows"},
	{"dump of answer.rollup_minute",
	"all rows"},
	{"dump of answer.rollup_new",
	"all rows"},
	{"dump of answer.rollup_pruned",
	"all rows"},
	{"dump of answer.rollup_refusal",
	"all rows"},
	{"dump of answer.rollup_word",
	"all rows"},
	{"dump of answer.route",
	"WHERE NOT seed OR NOT enabled"},
	{"dump of answer.route_state",
	"WHERE false"},
	{"dump of answer.route_table",
	"all rows"},
	{"dump of answer.run_timing",
	"all rows"},
	{"dump of answer.run_work",
	"no rows"},
	{"dump of answer.run_work_case",
	"no rows"},
	{"dump of answer.signing_key",
	"all rows"},
	{"dump of answer.source",
	"WHERE NOT seed"},
	{"dump of answer.suite",
	"WHERE NOT seed"},
	{"dump of answer.suite_case",
	"WHERE NOT (tenant OPERATOR(pg_catalog.=) '' AND EXISTS (SELECT FROM answer.suite s WHERE s.tenant OPERATOR(pg_catalog.=) '' AND s.name OPERATOR(pg_catalog.=) suite AND s.version OPERATOR(pg_catalog.=) suite_case.version AND s.seed))"},
	{"dump of answer.tenant",
	"all rows"},
	{"dump of answer.tenant_role",
	"all rows"},
	{"dump of answer.tombstone",
	"all rows"},
	{"dump of answer.tool",
	"WHERE NOT seed"},
	{"dump of answer.tool_bucket",
	"no rows"},
	{"dump of answer.tool_call",
	"all rows"},
	{"dump of answer.unsealed",
	"all rows"},
	{"dump of answer.witness_checkpoint",
	"all rows"},
	{"dump of answer.witness_key",
	"all rows"},
	{"event trigger answer_drop_guard",
	"answer.drop_guard() on ddl_command_start of DROP EXTENSION, DROP SCHEMA, DROP OWNED, DROP TABLE, DROP FUNCTION, DROP ROUTINE, DROP PROCEDURE, DROP AGGREGATE, DROP TYPE, DROP DOMAIN, DROP VIEW, DROP MATERIALIZED VIEW, DROP FOREIGN TABLE, DROP SEQUENCE, DROP INDEX, DROP LANGUAGE, DROP OPERATOR, DROP OPERATOR CLASS, DROP OPERATOR FAMILY, DROP COLLATION, DROP CONVERSION, DROP CAST, DROP TRANSFORM, DROP ACCESS METHOD, DROP FOREIGN DATA WRAPPER, DROP SERVER, DROP TEXT SEARCH CONFIGURATION, DROP TEXT SEARCH DICTIONARY, DROP TEXT SEARCH PARSER, DROP TEXT SEARCH TEMPLATE, enabled A"},
	{"function answer.ambiguity(query text, rules jsonb)",
	"c(query text, rules jsonb DEFAULT NULL::jsonb) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_ambiguity"},
	{"function answer.anchor(token bytea, imprint bytea, attached_at timestamp with time zone)",
	"c(token bytea, imprint bytea, attached_at timestamp with time zone) returns jsonb, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_anchor"},
	{"function answer.append_only()",
	"c() returns trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_append_only"},
	{"function answer.assess_add(state internal, rules jsonb, intent text, question text, subject text, entry jsonb)",
	"c(state internal, rules jsonb, intent text, question text, subject text, entry jsonb) returns internal, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 5, rows 0, settings , extension t in answer_eval: answer_eval_assess_add"},
	{"function answer.assess_final(state internal)",
	"c(state internal) returns @extschema@.answer_assessment, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 50, rows 0, settings , extension t in answer_eval: answer_eval_assess_final"},
	{"function answer.assessment_of(investigation bigint)",
	"c(investigation bigint) returns @extschema@.answer_assessment, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_assessment_of"},
	{"function answer.assessment_of(investigation bigint, intent text, question text, subject text)",
	"c(investigation bigint, intent text, question text, subject text) returns @extschema@.answer_assessment, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_assessment_of_goal"},
	{"function answer.audit_report_put(tenant text, from_instant timestamp with time zone, to_instant timestamp with time zone, baseline text, run text)",
	"plpgsql(tenant text, from_instant timestamp with time zone, to_instant timestamp with time zone, baseline text, run text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tnow_is\t\tjsonb;\n"
	"\twas\t\t\tjsonb := '{}';\n"
	"\tmeasured\tjsonb;\n"
	"\tbody\t\tjsonb;\n"
	"\ttook\t\tbigint[];\n"
	"\tevidence\tjsonb;\n"
	"\tlines\t\tjsonb;\n"
	"\tsteps\t\tjsonb;\n"
	"\tproposals\tjsonb;\n"
	"BEGIN\n"
	"\tIF from_instant IS NULL OR to_instant IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'from_instant and to_instant must not be null';\n"
	"\tEND IF;\n"
	"\tIF NOT isfinite(from_instant) OR NOT isfinite(to_instant) OR to_instant <= from_instant THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('there is no window from %s to %s', from_instant, to_instant),\n"
	"\t\t\thint = 'to_instant must be after from_instant; documents from after the first up to the second count.';\n"
	"\tEND IF;\n"
	"\t-- what documents of the window come to; without one there is no row, and nothing is measured\n"
	"\tSELECT to_jsonb(s) INTO now_is\n"
	"\tFROM (SELECT) AS always\n"
	"\tLEFT JOIN LATERAL (SELECT * FROM answer.slo_of(ARRAY[audit_report_put.tenant], to_instant - from_instant, to_instant) AS o\n"
	"\t\tWHERE o.tenant = audit_report_put.tenant AND o.intent IS NULL) AS s ON true;\n"
	"\tnow_is := COALESCE(now_is, '{}');\n"
	"\tevidence := jsonb_build_object('baseline', NULL, 'run', NULL);\n"
	"\tIF baseline IS NOT NULL THEN\n"
	"\t\tSELECT jsonb_build_object('citation_rate', m.citation_rate, 'contradiction_rate', m.contradiction_rate, 'p50_ms', m.p50_ms,\n"
	"\t\t\t'p95_ms', m.p95_ms, 'cost_per_answer', m.cost_usd / NULLIF(m.answers, 0),\n"
	"\t\t\t'cost_per_verified_answer', m.cost_per_verified_answer, 'coverage', m.answers::numeric / NULLIF(m.questions, 0)),\n"
	"\t\t\tevidence || jsonb_build_object('baseline', jsonb_build_object('name', m.name, 'version', m.version, 'digest', m.digest))\n"
	"\t\tINTO was, evidence\n"
	"\t\tFROM answer.baseline_measure AS m WHERE m.tenant = audit_report_put.tenant AND m.name = baseline ORDER BY m.version DESC LIMIT 1;\n"
	"\t\tIF NOT FOUND THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no baseline %s', to_json(baseline)),\n"
	"\t\t\t\thint = 'answer_baseline_load() loads one.';\n"
	"\t\tEND IF;\n"
	"\t\t-- the evidence is a digest, so what is compared must be what has it\n"
	"\t\tIF evidence #>> '{baseline,digest}' IS DISTINCT FROM (\n"
	"\t\t\tSELECT answer.baseline_digest(COALESCE(jsonb_agg(to_jsonb(r) - ARRAY['tenant', 'name', 'version']), '[]'))\n"
	"\t\t\tFROM answer.baseline_row AS r WHERE r.tenant = audit_report_put.tenant AND r.name = baseline\n"
	"\t\t\tAND r.version = (evidence #>> '{baseline,version}')::int4) THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = 'XX001', message = format('baseline %s of version %s is not what was loaded',\n"
	"\t\t\t\tto_json(baseline), evidence #>> '{baseline,version}'),\n"
	"\t\t\t\tdetail = 'Its rows do not hash to its digest.',\n"
	"\t\t\t\thint = 'Load it again under another name, with answer_baseline_load().';\n"
	"\t\tEND IF;\n"
	"\tEND IF;\n"
	"\tIF run IS NOT NULL THEN\n"
	"\t\tbody := answer.run_verified(ARRAY[audit_report_put.tenant], run);\n"
	"\t\tSELECT t.took INTO took FROM answer.run_timing AS t WHERE t.tenant = audit_report_put.tenant AND t.run_id = run;\n"
	"\t\tmeasured := answer.evolve_measure(body -> 'cases', COALESCE(took, '{}'), body -> 'config');\n"
	"\t\t-- what a run costs is not known: that stays the documents'\n"
	"\t\tSELECT now_is || jsonb_build_object('citation_rate', m.cited / NULLIF(m.required, 0), 'contradiction_rate', m.contradictory / NULLIF(m.given, 0),\n"
	"\t\t\t'p50_ms', measured -> 'p50_ms', 'p95_ms', measured -> 'p95_ms', 'coverage', m.supported / NULLIF(m.answers, 0),\n"
	"\t\t\t'gqs', m.confidence / NULLIF(m.answers, 0) * COALESCE(1 - m.contradictory / NULLIF(m.given, 0), 0))\n"
	"\t\tINTO now_is\n"
	"\t\tFROM (SELECT (measured ->> 'answers')::numeric AS answers, (measured ->> 'given')::numeric AS given, (measured ->> 'required')::numeric AS required, (measured ->> 'cited')::numeric AS cited,\n"
	"\t\t\t(measured ->> 'contradictory')::numeric AS contradictory, (measured ->> 'supported')::numeric AS supported,\n"
	"\t\t\t(measured ->> 'confidence_sum')::numeric AS confidence) AS m;\n"
	"\t\tevidence := evidence || jsonb_build_object('run', jsonb_build_object('run_id', run, 'digest', body -> 'digest'));\n"
	"\tEND IF;\n"
	"\tSELECT jsonb_agg(jsonb_build_object('metric', v.metric, 'baseline', trim_scale(round(v.was, 9)), 'now', trim_scale(round(v.now, 9)), 'target', v.target,\n"
	"\t\t'passed', CASE v.metric WHEN 'citation_rate' THEN v.now >= 0.90 WHEN 'contradiction_rate' THEN v.now <= 0.03\n"
	"\t\t\tWHEN 'p95_ms' THEN v.now <= 0.65 * v.was WHEN 'cost_per_verified_answer' THEN v.now <= 1.10 * v.was END) ORDER BY v.n)\n"
	"\tINTO lines\n"
	"\tFROM (SELECT t.*, (now_is ->> t.metric)::numeric AS now, (was ->> t.metric)::numeric AS was\n"
	"\t\tFROM (VALUES (1, 'citation_rate', '>= 0.90'), (2, 'contradiction_rate', '<= 0.03'), (3, 'p50_ms', NULL), (4, 'p95_ms', '<= 0.65 x baseline'),\n"
	"\t\t\t(5, 'cost_per_answer', NULL), (6, 'cost_per_verified_answer', '<= 1.10 x baseline'), (7, 'coverage', NULL), (8, 'gqs', NULL))\n"
	"\t\t\tAS t (n, metric, target)) AS v;\n"
	"\tSELECT COALESCE(jsonb_agg(jsonb_build_object('environment', c.environment, 'revision', c.revision, 'action', c.action, 'config', c.config_id,\n"
	"\t\t'stage', c.stage, 'outcome', c.outcome, 'active', c.active_after, 'issued_at', c.issued_at, 'receipt_id', c.receipt_id)\n"
	"\t\tORDER BY c.environment, c.revision), '[]')\n"
	"\tINTO steps FROM answer.config_step AS c\n"
	"\tWHERE c.tenant = audit_report_put.tenant AND c.issued_at > from_instant AND c.issued_at <= to_instant;\n"
	"\tSELECT COALESCE(jsonb_agg(jsonb_build_object('proposal', c.name, 'revision', c.revision, 'action', c.action, 'environment', c.after -> 'environment',\n"
	"\t\t'change', c.after -> 'change', 'runs', c.after #> '{validation,runs}', 'failures', c.after #> '{validation,failures}',\n"
	"\t\t'issued_at', c.issued_at, 'receipt_id', c.receipt_id) ORDER BY c.name, c.revision), '[]')\n"
	"\tINTO proposals FROM answer.change AS c\n"
	"\tWHERE c.kind = 'proposal' AND c.tenant = audit_report_put.tenant AND c.issued_at > from_instant AND c.issued_at <= to_instant;\n"
	"\tSELECT evidence || jsonb_build_object('changes', COALESCE((SELECT jsonb_agg(e.value -> 'receipt_id' ORDER BY e.value ->> 'receipt_id' COLLATE \"C\")\n"
	"\t\t\tFROM jsonb_array_elements(steps || proposals) AS e), '[]'),\n"
	"\t\t'runs', COALESCE((SELECT jsonb_agg(jsonb_build_object('run_id', o.run_id, 'digest', o.digest) ORDER BY o.finished_at, o.run_id)\n"
	"\t\t\tFROM answer.run AS o WHERE o.tenant = audit_report_put.tenant AND o.finished_at > from_instant AND o.finished_at <= to_instant), '[]'))\n"
	"\tINTO evidence;\n"
	"\tRETURN jsonb_build_object('from', from_instant, 'to', to_instant, 'answers', COALESCE(now_is -> 'answers', 'null'), 'metrics', lines,\n"
	"\t\t'acceptance', (SELECT jsonb_build_object('passed', CASE WHEN bool_or(l.value -> 'passed' = 'false') THEN false\n"
	"\t\t\t\tWHEN bool_or(l.value -> 'passed' = 'null') THEN NULL ELSE true END,\n"
	"\t\t\t'criteria', jsonb_object_agg(l.value ->> 'metric', l.value -> 'passed'))\n"
	"\t\t\tFROM jsonb_array_elements(lines) AS l WHERE l.value -> 'target' <> 'null'),\n"
	"\t\t'steps', steps, 'proposals', proposals, 'evidence', evidence);\n"
	"END\n"
	""},
	{"function answer.baseline_digest(rows jsonb)",
	"sql(rows jsonb) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT answer_digest COALESCE jsonb_agg portable value ORDER BY value ->> 'question'::text COLLATE \"C\" , '[]'::jsonb AS answer_digest FROM jsonb_array_elements rows r value ; END"},
	{"function answer.baseline_load_put(tenant text, name text, rows jsonb)",
	"plpgsql(tenant text, name text, rows jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tgiven\ttext;\n"
	"\tlast\tanswer.baseline;\n"
	"BEGIN\n"
	"\tIF tenant IS NULL OR name IS NULL OR rows IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'name and rows must not be null';\n"
	"\tEND IF;\n"
	"\tIF octet_length(name) NOT BETWEEN 1 AND 255 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('name has %s bytes', octet_length(name)),\n"
	"\t\t\tdetail = 'It must have from 1 to 255.';\n"
	"\tEND IF;\n"
	"\tIF octet_length(rows::text) > 134217728 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '54000', message = format('rows have %s bytes', octet_length(rows::text)),\n"
	"\t\t\tdetail = 'They must have at most 134217728.';\n"
	"\tEND IF;\n"
	"\tPERFORM FROM answer.baseline_read(rows);\n"
	"\tgiven := answer.baseline_digest(rows);\n"
	"\t-- of two at once the second one sees the first\n"
	"\tPERFORM answer.load_turn(tenant, 'baseline', name);\n"
	"\tSELECT * INTO last FROM answer.baseline b\n"
	"\tWHERE b.tenant = baseline_load_put.tenant AND b.name = baseline_load_put.name ORDER BY b.version DESC LIMIT 1;\n"
	"\tIF last.digest IS DISTINCT FROM given THEN\n"
	"\t\tlast.version := COALESCE(last.version, 0) + 1;\n"
	"\t\tINSERT INTO answer.baseline_row (tenant, name, version, question, answered, cited, contradictory, latency_ms, cost_usd)\n"
	"\t\tSELECT tenant, name, last.version, r.* FROM answer.baseline_read(rows) AS r;\n"
	"\t\tINSERT INTO answer.baseline (tenant, name, version, digest, questions, loaded_by)\n"
	"\t\tVALUES (tenant, name, last.version, given, jsonb_array_length(rows), session_user);\n"
	"\t\tPERFORM answer.change_record_put(tenant, 'baseline', concat(name, '/', last.version));\n"
	"\tEND IF;\n"
	"\tRETURN jsonb_build_object('baseline', name, 'version', last.version, 'digest', given, 'questions', jsonb_array_length(rows));\n"
	"END\n"
	""},
	{"function answer.baseline_read(rows jsonb)",
	"plpgsql(rows jsonb) returns TABLE(question text, answered boolean, cited boolean, contradictory boolean, latency_ms numeric, cost_usd numeric), kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 200, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_column\n"
	"DECLARE\n"
	"\tproblem\ttext;\n"
	"BEGIN\n"
	"\tIF jsonb_typeof(rows) <> 'array' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('rows must be an array, and is %s', jsonb_typeof(rows)),\n"
	"\t\t\thint = 'A row is {\"question\", \"answered\", \"cited\", \"contradictory\", \"latency_ms\", \"cost_usd\"}.';\n"
	"\tEND IF;\n"
	"\tSELECT format('rows[%s]%s', r.n - 1, CASE\n"
	"\t\tWHEN jsonb_typeof(r.value) <> 'object' THEN format(' must be an object, and is %s', jsonb_typeof(r.value))\n"
	"\t\tWHEN m.key NOT IN ('question', 'answered', 'cited', 'contradictory', 'latency_ms', 'cost_usd') THEN format(' has a member %s, which a row does not have', to_json(left(m.key, 100)))\n"
	"\t\tELSE format('.%s must be %s, and is %s', m.key, m.wanted, COALESCE(left((r.value -> m.key)::text, 100), 'missing')) END)\n"
	"\tINTO problem\n"
	"\tFROM jsonb_array_elements(rows) WITH ORDINALITY AS r (value, n)\n"
	"\tLEFT JOIN LATERAL (\n"
	"\t\tSELECT w.key, w.wanted, w.ordinal\n"
	"\t\tFROM (VALUES ('question', 'a string that is not empty', 1), ('answered', 'true or false', 2), ('cited', 'true or false', 3),\n"
	"\t\t\t('contradictory', 'true or false', 4), ('latency_ms', 'a number from 0 to 86400000', 5), ('cost_usd', 'a number from 0 to 1000000', 6)) AS w (key, wanted, ordinal)\n"
	"\t\tWHERE jsonb_typeof(r.value) = 'object'\n"
	"\t\tAND CASE COALESCE(jsonb_typeof(r.value -> w.key), 'missing')\n"
	"\t\t\tWHEN 'string' THEN w.ordinal <> 1 OR r.value ->> w.key = ''\n"
	"\t\t\tWHEN 'boolean' THEN w.ordinal NOT IN (2, 3, 4)\n"
	"\t\t\tWHEN 'number' THEN w.ordinal NOT IN (5, 6) OR (r.value -> w.key)::numeric NOT BETWEEN 0 AND CASE w.ordinal WHEN 5 THEN 86400000 ELSE 1000000 END\n"
	"\t\t\tELSE true END\n"
	"\t\tUNION ALL SELECT k.key, NULL, 0\n"
	"\t\tFROM jsonb_object_keys(CASE jsonb_typeof(r.value) WHEN 'object' THEN r.value ELSE '{}' END) AS k (key)\n"
	"\t\tWHERE k.key NOT IN ('question', 'answered', 'cited', 'contradictory', 'latency_ms', 'cost_usd')\n"
	"\t) AS m ON true\n"
	"\tWHERE m.key IS NOT NULL OR jsonb_typeof(r.value) <> 'object'\n"
	"\tORDER BY r.n, m.ordinal, m.key COLLATE \"C\" LIMIT 1;\n"
	"\tIF problem IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = problem,\n"
	"\t\t\thint = 'A row is {\"question\", \"answered\", \"cited\", \"contradictory\", \"latency_ms\", \"cost_usd\"}.';\n"
	"\tEND IF;\n"
	"\tSELECT left(g.question, 100) INTO problem\n"
	"\tFROM (SELECT r.value ->> 'question' FROM jsonb_array_elements(rows) AS r) AS g (question)\n"
	"\tGROUP BY g.question HAVING count(*) > 1 ORDER BY g.question COLLATE \"C\" LIMIT 1;\n"
	"\tIF problem IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('the question %s stands in rows twice', to_json(problem)),\n"
	"\t\t\thint = 'A baseline has one row of each question.';\n"
	"\tEND IF;\n"
	"\tRETURN QUERY SELECT r.value ->> 'question', (r.value -> 'answered')::boolean, (r.value -> 'cited')::boolean, (r.value -> 'contradictory')::boolean,\n"
	"\t\t(r.value -> 'latency_ms')::numeric, (r.value -> 'cost_usd')::numeric\n"
	"\tFROM jsonb_array_elements(rows) AS r;\n"
	"END\n"
	""},
	{"function answer.bind(args jsonb, bindings jsonb)",
	"c(args jsonb, bindings jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_bind"},
	{"function answer.budget_count(tenant text)",
	"c(tenant text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_budget_count"},
	{"function answer.budget_lock(tenant text)",
	"c(tenant text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_budget_lock"},
	{"function answer.budget_operate(tenant text, trace_id text, operation text, price jsonb, limits jsonb, tools text[], is_held boolean, at timestamp with time zone)",
	"c(tenant text, trace_id text, operation text, price jsonb DEFAULT '{}'::jsonb, limits jsonb DEFAULT '{}'::jsonb, tools text[] DEFAULT '{}'::text[], is_held boolean DEFAULT false, at timestamp with time zone DEFAULT clock_timestamp()) returns text, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_budget_operate"},
	{"function answer.budget_prune(tenants text[])",
	"sql(tenants text[]) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC DELETE FROM budget_reservation r USING SELECT tenant, trace_id FROM budget_reservation p WHERE tenant = ANY tenants AND settled_at IS NOT NULL AND day < date_trunc 'month'::text, timezone 'UTC'::text, clock_timestamp - '1 day'::interval ::date AND NOT EXISTS SELECT FROM budget_reservation o WHERE tenant = tenant AND settled_at IS NULL AND date_trunc 'month'::text, day ::timestamp with time zone = date_trunc 'month'::text, day ::timestamp with time zone FOR UPDATE OF p SKIP LOCKED gone WHERE tenant = tenant AND trace_id = trace_id ; END"},
	{"function answer.budget_recover(tenant text, trace_id text, pending_before timestamp with time zone)",
	"c(tenant text, trace_id text, pending_before timestamp with time zone) returns numeric, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_budget_recover"},
	{"function answer.budget_set_put(tenant text, period text, cost_cap_usd numeric)",
	"plpgsql(tenant text, period text, cost_cap_usd numeric) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF tenant IS NULL OR period IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'tenant and period must not be null';\n"
	"\tEND IF;\n"
	"\tIF period <> ALL ('{day,month,request}') THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('\"%s\" is no period of a budget', period),\n"
	"\t\t\tdetail = 'It is day, month or request.';\n"
	"\tEND IF;\n"
	"\tIF cost_cap_usd < 0 OR cost_cap_usd >= 'Infinity' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('cost_cap_usd must be 0 or more, and is %s', cost_cap_usd),\n"
	"\t\t\thint = 'NULL takes the cap away.';\n"
	"\tEND IF;\n"
	"\tIF tenant <> '' AND NOT EXISTS (SELECT FROM answer.tenant t WHERE t.tenant = budget_set_put.tenant) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no tenant \"%s\"', tenant),\n"
	"\t\t\thint = 'Tenants are created with answer_tenant_create(); the empty text is the operator.';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.budget_lock(tenant);\n"
	"\tIF cost_cap_usd IS NULL THEN\n"
	"\t\tDELETE FROM answer.budget_cap c WHERE c.tenant = budget_set_put.tenant AND c.period = budget_set_put.period;\n"
	"\t\t-- nobody keeps these sums from now on\n"
	"\t\tDELETE FROM answer.budget_period p WHERE p.tenant = budget_set_put.tenant AND p.period = budget_set_put.period;\n"
	"\tELSE\n"
	"\t\tINSERT INTO answer.budget_cap (tenant, period, cost_cap_usd) VALUES (tenant, period, cost_cap_usd)\n"
	"\t\tON CONFLICT ON CONSTRAINT budget_cap_pkey DO UPDATE SET cost_cap_usd = excluded.cost_cap_usd;\n"
	"\t\tPERFORM answer.budget_count(tenant);\n"
	"\tEND IF;\n"
	"\tPERFORM answer.change_record_put(tenant, 'budget', period);\n"
	"END\n"
	""},
	{"function answer.catalog(OUT object text, OUT state text)",
	"c(OUT object text, OUT state text) returns SETOF record, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100000, rows 700, settings , extension t in answer_eval: answer_eval_catalog"},
	{"function answer.change_record_put(tenant text, kind text, name text)",
	"c(tenant text, kind text, name text) returns boolean, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_change_record_put"},
	{"function answer.chunk_embed_put(tenant text, chunk_id text, embedding real[])",
	"plpgsql(tenant text, chunk_id text, embedding real[]) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tdigest text;\n"
	"\tremoved bytea[];\n"
	"\tadded bytea;\n"
	"BEGIN\n"
	"\tIF chunk_id IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'chunk_id must not be null';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.embedding_check(embedding);\n"
	"\t-- as a load: a record is signed at the end\n"
	"\tLOCK TABLE answer.tombstone IN ROW EXCLUSIVE MODE;\n"
	"\tPERFORM answer.document_set_lock(tenant);\n"
	"\tSELECT c.content_hash INTO digest FROM answer.chunk_search s\n"
	"\tJOIN answer.chunk c ON c.tenant = s.tenant AND c.doc_id = s.doc_id AND c.version = s.version AND c.ordinal = s.ordinal\n"
	"\tWHERE s.tenant = chunk_embed_put.tenant AND s.chunk_id = chunk_embed_put.chunk_id;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no chunk \"%s\"', chunk_id),\n"
	"\t\t\thint = 'Chunks have the ids DOCUMENT#p0, DOCUMENT#p1 and so on; answer_documents() lists the documents.';\n"
	"\tEND IF;\n"
	"\tSELECT array_agg(answer.row_digest('chunk_embedding', e)) INTO removed FROM answer.chunk_embedding e\n"
	"\tWHERE e.tenant = chunk_embed_put.tenant AND e.chunk_id = chunk_embed_put.chunk_id;\n"
	"\tINSERT INTO answer.chunk_embedding AS e (tenant, chunk_id, content_hash, embedding) VALUES (tenant, chunk_id, digest, embedding)\n"
	"\tON CONFLICT ON CONSTRAINT chunk_embedding_pkey DO UPDATE SET content_hash = excluded.content_hash, embedding = excluded.embedding\n"
	"\tRETURNING answer.row_digest('chunk_embedding', e) INTO added;\n"
	"\t-- one record of all that the transaction embeds is signed at its end\n"
	"\tUPDATE answer.document_set s SET version = s.version + 1, sum = answer.row_sum(s.sum, COALESCE(removed, '{}'), ARRAY[added])\n"
	"\tWHERE s.tenant = chunk_embed_put.tenant;\n"
	"END\n"
	""},
	{"function answer.chunk_index(tenant text, doc_ids text[])",
	"plpgsql(tenant text, doc_ids text[]) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\",enable_seqscan=off,enable_hashjoin=off,enable_mergejoin=off,jit=off}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tadded bigint;\n"
	"BEGIN\n"
	"\tWITH found AS (\n"
	"\t\tINSERT INTO answer.chunk_search (tenant, chunk_id, doc_id, version, ordinal, \"timestamp\", items, title_items, sketch)\n"
	"\t\tSELECT c.tenant, c.chunk_id, c.doc_id, c.version, c.ordinal, d.\"timestamp\", r.items, r.title_items, r.sketch\n"
	"\t\tFROM unnest(doc_ids) AS g (doc_id)\n"
	"\t\tCROSS JOIN LATERAL (SELECT o.version, o.\"timestamp\" FROM answer.document o\n"
	"\t\t\tWHERE o.tenant = chunk_index.tenant AND o.doc_id = g.doc_id ORDER BY o.version DESC LIMIT 1) AS d\n"
	"\t\tCROSS JOIN LATERAL (SELECT o.* FROM answer.chunk o\n"
	"\t\t\tWHERE o.tenant = chunk_index.tenant AND o.doc_id = g.doc_id AND o.version = d.version OFFSET 0) AS c\n"
	"\t\tCROSS JOIN LATERAL answer.search_items(c.tenant, c.text, c.title) AS r\n"
	"\t\tRETURNING items\n"
	"\t), gained AS (\n"
	"\t\tSELECT substring(t.term FROM octet_length(tenant) + 2) AS item, count(*) AS chunks\n"
	"\t\tFROM found f, LATERAL unnest(f.items) AS t (term) GROUP BY t.term\n"
	"\t), counted AS (\n"
	"\t\tINSERT INTO answer.chunk_item AS i (tenant, item, chunks) SELECT tenant, g.item, g.chunks FROM gained g\n"
	"\t\tON CONFLICT ON CONSTRAINT chunk_item_pkey DO UPDATE SET chunks = i.chunks + excluded.chunks\n"
	"\t)\n"
	"\tSELECT count(*) INTO added FROM found;\n"
	"\tUPDATE answer.document_set s SET chunks = s.chunks + added WHERE s.tenant = chunk_index.tenant;\n"
	"\t-- what was put aside to be indexed at once: every search would read through it\n"
	"\tPERFORM gin_clean_pending_list(i) FROM to_regclass('answer.chunk_search_items') AS i WHERE i IS NOT NULL;\n"
	"END\n"
	""},
	{"function answer.chunk_reread()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\ttenants text[];\n"
	"BEGIN\n"
	"\tIF NOT EXISTS (SELECT FROM changed c WHERE c.list IN ('units', 'negators', 'not_negating')) THEN\n"
	"\t\tRETURN NULL;\n"
	"\tEND IF;\n"
	"\tPERFORM FROM answer.document_set s ORDER BY s.tenant COLLATE \"C\" FOR UPDATE;\n"
	"\tWITH made AS MATERIALIZED (\n"
	"\t\tSELECT s.tenant, s.chunk_id, s.items AS former, r.items, r.title_items, r.sketch\n"
	"\t\tFROM answer.chunk_search s\n"
	"\t\tJOIN answer.chunk c ON c.tenant = s.tenant AND c.doc_id = s.doc_id AND c.version = s.version AND c.ordinal = s.ordinal,\n"
	"\t\tLATERAL answer.search_items(c.tenant, c.text, c.title) AS r\n"
	"\t\tWHERE (s.items, s.title_items, s.sketch) IS DISTINCT FROM (r.items, r.title_items, r.sketch)\n"
	"\t), put AS (\n"
	"\t\tUPDATE answer.chunk_search s SET items = m.items, title_items = m.title_items, sketch = m.sketch\n"
	"\t\tFROM made m WHERE s.tenant = m.tenant AND s.chunk_id = m.chunk_id\n"
	"\t), other AS MATERIALIZED (\n"
	"\t\tSELECT t.tenant, substring(t.term FROM octet_length(t.tenant) + 2) AS item, sum(t.n)::bigint AS n\n"
	"\t\tFROM (SELECT m.tenant, unnest(m.items) AS term, 1 AS n FROM made m\n"
	"\t\t\tUNION ALL SELECT m.tenant, unnest(m.former), -1 FROM made m) AS t\n"
	"\t\tGROUP BY t.tenant, t.term HAVING sum(t.n) <> 0\n"
	"\t), more AS (\n"
	"\t\tINSERT INTO answer.chunk_item AS i (tenant, item, chunks) SELECT o.tenant, o.item, o.n FROM other o WHERE o.n > 0\n"
	"\t\tON CONFLICT ON CONSTRAINT chunk_item_pkey DO UPDATE SET chunks = i.chunks + excluded.chunks\n"
	"\t), fewer AS (\n"
	"\t\tUPDATE answer.chunk_item i SET chunks = i.chunks + o.n FROM other o WHERE o.n < 0 AND i.tenant = o.tenant AND i.item = o.item\n"
	"\t)\n"
	"\tSELECT array_agg(DISTINCT m.tenant) INTO tenants FROM made m;\n"
	"\tIF tenants IS NOT NULL THEN\n"
	"\t\tDELETE FROM answer.chunk_item i WHERE i.tenant = ANY (tenants) AND i.chunks = 0;\n"
	"\t\tPERFORM gin_clean_pending_list(i) FROM to_regclass('answer.chunk_search_items') AS i WHERE i IS NOT NULL;\n"
	"\tEND IF;\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.chunk_unindex(tenant text, doc_ids text[])",
	"plpgsql(tenant text, doc_ids text[]) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\",enable_seqscan=off,enable_hashjoin=off,enable_mergejoin=off,jit=off}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tremoved bigint;\n"
	"\tunused bytea[];\n"
	"BEGIN\n"
	"\tWITH gone AS (\n"
	"\t\tDELETE FROM answer.chunk_search s\n"
	"\t\tWHERE s.ctid = ANY (ARRAY(SELECT n.ctid FROM unnest(doc_ids) AS d (doc_id) CROSS JOIN LATERAL (SELECT o.ctid FROM answer.chunk_search o\n"
	"\t\t\tWHERE o.tenant = chunk_unindex.tenant AND o.doc_id = d.doc_id OFFSET 0) AS n))\n"
	"\t\tRETURNING s.items\n"
	"\t), lost AS (\n"
	"\t\tSELECT substring(t.term FROM octet_length(tenant) + 2) AS item, count(*) AS chunks\n"
	"\t\tFROM gone g, LATERAL unnest(g.items) AS t (term) GROUP BY t.term\n"
	"\t), counted AS (\n"
	"\t\tUPDATE answer.chunk_item i SET chunks = i.chunks - p.chunks\n"
	"\t\tFROM (SELECT n.ctid AS place, l.chunks FROM lost l CROSS JOIN LATERAL (SELECT o.ctid FROM answer.chunk_item o\n"
	"\t\t\tWHERE o.tenant = chunk_unindex.tenant AND o.item = l.item OFFSET 0) AS n) AS p\n"
	"\t\tWHERE i.ctid = p.place\n"
	"\t\tRETURNING i.item, i.chunks\n"
	"\t)\n"
	"\tSELECT (SELECT count(*) FROM gone), ARRAY(SELECT c.item FROM counted c WHERE c.chunks = 0) INTO removed, unused;\n"
	"\tDELETE FROM answer.chunk_item i\n"
	"\tWHERE i.ctid = ANY (ARRAY(SELECT n.ctid FROM unnest(unused) AS u (item) CROSS JOIN LATERAL (SELECT o.ctid FROM answer.chunk_item o\n"
	"\t\tWHERE o.tenant = chunk_unindex.tenant AND o.item = u.item OFFSET 0) AS n));\n"
	"\tUPDATE answer.document_set s SET chunks = s.chunks - removed WHERE s.tenant = chunk_unindex.tenant;\n"
	"END\n"
	""},
	{"function answer.composite_add(state bigint, verdict @extschema@.answer_verdict, confidence double precision, required boolean)",
	"c(state bigint, verdict @extschema@.answer_verdict, confidence double precision, required boolean) returns bigint, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_composite_add"},
	{"function answer.composite_combine(state bigint, other bigint)",
	"c(state bigint, other bigint) returns bigint, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_composite_combine"},
	{"function answer.composite_final(state bigint)",
	"c(state bigint) returns @extschema@.answer_composite_result, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_composite_final"},
	{"function answer.condition(condition text, bindings jsonb)",
	"c(condition text, bindings jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_condition"},
	{"function answer.confidence_level(investigation bigint)",
	"plpgsql(investigation bigint) returns @extschema@.answer_confidence_result, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 300, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\ta @extschema@.answer_assessment := answer.assessment_of(investigation);\n"
	"BEGIN\n"
	"\tRETURN (a.level, a.quality, a.coverage, a.agreement, a.explanation);\n"
	"END\n"
	""},
	{"function answer.content_changed()",
	"c() returns trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_content_changed"},
	{"function answer.content_record_put(tenant text, kind text, name text, found bytea)",
	"c(tenant text, kind text, name text, found bytea) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_content_record_put"},
	{"function answer.content_settle()",
	"plpgsql() returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tSET CONSTRAINTS answer.document_set_recorded, answer.graph_set_recorded IMMEDIATE;\n"
	"\tSET CONSTRAINTS answer.document_set_recorded, answer.graph_set_recorded DEFERRED;\n"
	"END\n"
	""},
	{"function answer.dashboard_budgets()",
	"c() returns TABLE(tenant text, period text, cost_cap_usd double precision, reserved_usd double precision, spent_usd double precision, used double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_budgets_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(tenant text, period text, cost_cap_usd double precision, reserved_usd double precision, spent_usd double precision, used double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT b.tenant, b.period, b.cost_cap_usd::float8, b.reserved_usd::float8, b.spent_usd::float8,\n"
	"\t((b.reserved_usd + b.spent_usd) / nullif(b.cost_cap_usd, 0))::float8\n"
	"FROM answer.budget b\n"
	"WHERE b.tenant = ANY (tenants)\n"
	"ORDER BY 1, 2"},
	{"function answer.dashboard_chart(label text, top text, days text[], marks text, legend text[])",
	"sql(label text, top text, days text[], marks text, legend text[]) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 10, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"SELECT format('<svg viewBox=\"0 -18 640 193\" role=\"img\" aria-label=\"%s\"><line x1=\"44\" x2=\"640\" y1=\"150.5\" y2=\"150.5\"/><line x1=\"44\" x2=\"640\" y1=\"9.5\" y2=\"9.5\"/>%s'\n"
	"\t'<text x=\"0\" y=\"0\">%s</text><text x=\"40\" y=\"154\" text-anchor=\"end\">0</text>'\n"
	"\t'<text x=\"44\" y=\"168\">%s</text><text x=\"640\" y=\"168\" text-anchor=\"end\">%s</text></svg><ul class=\"legend\">%s</ul>',\n"
	"\tlabel, marks, top, days[1], days[2],\n"
	"\tstring_agg(format('<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"f%s\" width=\"10\" height=\"10\" rx=\"2\"/></svg>%s</li>',\n"
	"\t\tsplit_part(l.entry, ':', 1), split_part(l.entry, ':', 2)), '' ORDER BY l.place))\n"
	"FROM unnest(legend) WITH ORDINALITY AS l (entry, place)\n"
	""},
	{"function answer.dashboard_checks()",
	"c() returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_checks_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT w.\"time\", w.tenant, w.word, sum(w.count)::float8\n"
	"FROM answer.dashboard_words(tenants, '{check}') w\n"
	"GROUP BY 1, 2, 3\n"
	"ORDER BY 1, 2, 3"},
	{"function answer.dashboard_chip(word text)",
	"sql(word text) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 10, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"SELECT format('<span class=\"chip %s\">%s%s</span>',\n"
	"\tCASE WHEN word IN ('ok', 'verified', 'pass', 'supported', 'answered', 'ANSWER') THEN 'good'\n"
	"\t\tWHEN word IN ('breach', 'exhausted', 'altered', 'not verified', 'fail', 'contradicted', 'BLOCK', 'blocked', 'failed', 'compromised') THEN 'bad'\n"
	"\t\tWHEN word IN ('burning', 'inconclusive', 'not judged', 'insufficient_evidence', 'outside_evidence_coverage', 'ABSTAIN', 'CLARIFY', 'refused') THEN 'warn'\n"
	"\t\tELSE 'plain' END,\n"
	"\tCASE WHEN word IN ('ok', 'verified', 'pass') THEN '&#10003; '\n"
	"\t\tWHEN word IN ('breach', 'exhausted', 'altered', 'not verified', 'fail') THEN '&#10007; ' WHEN word IN ('burning', 'inconclusive') THEN '! ' ELSE '' END,\n"
	"\tanswer.html_text(replace(word, '_', ' ')))\n"
	""},
	{"function answer.dashboard_evidence()",
	"c() returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_evidence_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT w.\"time\", w.tenant, c.metric, sum(w.count)::float8\n"
	"FROM answer.dashboard_words(tenants, '{check,reason}') w\n"
	"JOIN answer.dashboard_evidence_words() AS c ON c.about = w.about AND c.word = split_part(w.word, ': ', 1)\n"
	"GROUP BY 1, 2, 3\n"
	"ORDER BY 1, 2, 3"},
	{"function answer.dashboard_evidence_words()",
	"sql() returns TABLE(about text, word text, metric text), kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1, rows 13, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"VALUES ('reason', 'stale_documents', 'stale'), ('reason', 'conflict_detected', 'conflicting'), ('reason', 'conflict', 'conflicting'),\n"
	"\t('reason', 'low_retrieval_confidence', 'thin'), ('reason', 'insufficient_retrieval_hits', 'thin'), ('reason', 'no_passage_answers', 'thin'),\n"
	"\t('reason', 'confidence', 'thin'), ('check', 'evidence_unavailable', 'unavailable'), ('reason', 'judge_failed', 'unavailable'),\n"
	"\t('reason', 'not_judged', 'unjudged'), ('reason', 'misquoted', 'unfounded'), ('reason', 'contradicted', 'unfounded'),\n"
	"\t('reason', 'unsupported', 'unfounded')\n"
	""},
	{"function answer.dashboard_gates()",
	"c() returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision, environment text, suite text, config text, stage text, action text, outcome text, failures bigint, detail text, receipt_id text, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_gates_of(tenants text[], most integer)",
	"sql(tenants text[], most integer DEFAULT 100) returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision, environment text, suite text, config text, stage text, action text, outcome text, failures bigint, detail text, receipt_id text, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT s.issued_at, s.tenant, concat_ws(' ', s.body ->> 'name', coalesce(b.body #>> '{step,outcome}', b.body ->> 'action', s.state)), 1::float8,\n"
	"\ts.body ->> 'name', b.body #>> '{after,suite}', coalesce(b.body #>> '{step,config}', b.body #>> '{after,active}'),\n"
	"\tb.body #>> '{step,stage}', b.body ->> 'action', b.body #>> '{step,outcome}', CASE WHEN b.body #> '{step,outcome}' IS NOT NULL THEN f.count END,\n"
	"\tcoalesce(f.texts, b.body #>> '{step,reason}'), s.receipt_id, s.state\n"
	"FROM (SELECT r.*, answer.receipt_state(r.receipt_id, r.tenant, r.schema, r.issued_at, r.verdict, r.confidence, r.degraded, r.intent, r.key_id,\n"
	"\t\tr.body) AS state\n"
	"\tFROM (SELECT c.* FROM answer.receipt c\n"
	"\t\tWHERE c.schema = 'change/v1' AND c.tenant = ANY (tenants) AND c.body ->> 'kind' = 'environment'\n"
	"\t\tORDER BY c.issued_at DESC, c.receipt_id COLLATE \"C\"\n"
	"\t\tLIMIT most) AS r\n"
	"\tOFFSET 0) AS s\n"
	"CROSS JOIN LATERAL (SELECT CASE WHEN s.state = 'verified' THEN s.body END AS body) AS b\n"
	"CROSS JOIN LATERAL (SELECT count(*) AS count, string_agg(e.value #>> '{}', '; ' ORDER BY e.place) AS texts\n"
	"\tFROM jsonb_path_query(b.body, '$.step.failures[*]') WITH ORDINALITY AS e (value, place)) AS f\n"
	"ORDER BY s.issued_at DESC, s.receipt_id COLLATE \"C\""},
	{"function answer.dashboard_grant_put(role text)",
	"sql(role text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: SELECT answer.dashboard_right(role, 'GRANT')"},
	{"function answer.dashboard_intents()",
	"c() returns TABLE(\"time\" timestamp with time zone, tenant text, intent text, schema text, verdict text, documents double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_intents_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, intent text, schema text, verdict text, documents double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"-- a sum is a row of it as it is, but for hours and days of which not all is counted\n"
	"WITH late AS MATERIALIZED (\n"
	"\tSELECT DISTINCT s.\"time\" FROM answer.rollup_point s WHERE NOT s.counted AND s.tenant = ANY (tenants)\n"
	")\n"
	"SELECT s.\"time\", s.tenant, s.intent, s.schema, s.verdict, s.documents::float8\n"
	"FROM answer.rollup_point s\n"
	"WHERE s.counted AND s.tenant = ANY (tenants) AND NOT EXISTS (SELECT FROM late l WHERE l.\"time\" = s.\"time\")\n"
	"UNION ALL\n"
	"SELECT s.\"time\", s.tenant, s.intent, s.schema, s.verdict, sum(s.documents)::float8\n"
	"FROM answer.rollup_point s\n"
	"WHERE s.tenant = ANY (tenants) AND s.\"time\" IN (SELECT l.\"time\" FROM late l)\n"
	"GROUP BY 1, 2, 3, 4, 5"},
	{"function answer.dashboard_keys()",
	"c() returns TABLE(key_id text, status text, active_from timestamp with time zone, age_days double precision, retired_at timestamp with time zone, compromised_after timestamp with time zone, documents double precision, last_signed_at timestamp with time zone, file_present boolean), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_keys_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(key_id text, status text, active_from timestamp with time zone, age_days double precision, retired_at timestamp with time zone, compromised_after timestamp with time zone, documents double precision, last_signed_at timestamp with time zone, file_present boolean), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT k.key_id, k.status::text, k.active_from,\n"
	"\t(extract(epoch FROM coalesce(k.retired_at, statement_timestamp()) - k.active_from) / 86400)::float8,\n"
	"\tk.retired_at, k.compromised_after, coalesce(s.documents, 0)::float8, s.last_at,\n"
	"\tCASE WHEN '' = ANY (tenants) THEN answer.key_file_present(k.key_id, k.folder) END\n"
	"FROM answer.signing_key k\n"
	"LEFT JOIN (SELECT d.key_id, sum(d.documents) AS documents, max(d.last_at) AS last_at\n"
	"\tFROM (SELECT r.key_id, r.documents, r.last_at FROM answer.rollup_key r WHERE r.tenant = ANY (tenants)\n"
	"\t\tUNION ALL\n"
	"\t\tSELECT n.key_id, count(*), max(n.issued_at) FROM answer.rollup_new n WHERE n.tenant = ANY (tenants) AND n.corrects IS NULL GROUP BY 1) AS d\n"
	"\tGROUP BY 1) AS s ON s.key_id = k.key_id\n"
	"ORDER BY k.active_from DESC NULLS LAST, k.key_id"},
	{"function answer.dashboard_latencies(tenants text[])",
	"sql(tenants text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, latency bytea), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 10000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC}, extension t: \n"
	"WITH since AS MATERIALIZED (\n"
	"\tSELECT date_bin('1 day', statement_timestamp() - interval '744 hours', '2000-01-01') AS instant\n"
	"), queued AS MATERIALIZED (\n"
	"\tSELECT date_bin(CASE WHEN n.issued_at >= s.instant THEN interval '1 hour' ELSE '1 day' END, n.issued_at, '2000-01-01') AS starts_at,\n"
	"\t\tn.tenant, answer.latency_union(n.latency) AS latency\n"
	"\tFROM since s, answer.rollup_single n\n"
	"\tWHERE NOT n.counted AND n.tenant = ANY (tenants) AND n.latency IS NOT NULL\n"
	"\tGROUP BY 1, 2\n"
	"), counted AS (\n"
	"\tSELECT r.starts_at, r.tenant, r.latency\n"
	"\tFROM since s, answer.rollup_latency r\n"
	"\tWHERE r.tenant = ANY (tenants) AND r.grain = 60 AND r.whole AND r.starts_at >= s.instant\n"
	"\tUNION ALL\n"
	"\tSELECT r.starts_at, r.tenant, r.latency\n"
	"\tFROM since s, answer.rollup_latency r\n"
	"\tWHERE r.tenant = ANY (tenants) AND r.grain = 1440 AND r.whole AND r.starts_at < s.instant\n"
	")\n"
	"SELECT starts_at, tenant, CASE WHEN q.latency IS NULL THEN c.latency ELSE answer.latency_union(c.latency, q.latency) END\n"
	"FROM counted c\n"
	"FULL JOIN queued q USING (starts_at, tenant)\n"
	""},
	{"function answer.dashboard_latency()",
	"c() returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_latency_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT l.\"time\", l.tenant, p.metric, answer.latency_percentile(l.latency, p.fraction) / 1000\n"
	"FROM answer.dashboard_latencies(tenants) l\n"
	"CROSS JOIN (VALUES ('p50_ms', 0.5), ('p95_ms', 0.95)) AS p (metric, fraction)\n"
	"ORDER BY 1, 2, 3"},
	{"function answer.dashboard_log()",
	"c() returns TABLE(unsealed bigint, oldest_unsealed_at timestamp with time zone, leaves bigint, last_seal_at timestamp with time zone, last_audit_at timestamp with time zone, last_audit_size bigint, last_audit_defects bigint, witnesses bigint, last_witnessed_at timestamp with time zone, last_witnessed_size bigint), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_log_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(unsealed bigint, oldest_unsealed_at timestamp with time zone, leaves bigint, last_seal_at timestamp with time zone, last_audit_at timestamp with time zone, last_audit_size bigint, last_audit_defects bigint, witnesses bigint, last_witnessed_at timestamp with time zone, last_witnessed_size bigint), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT u.count, u.oldest, coalesce(c.tree_size, 0), c.sealed_at, a.audited_at, a.to_size, a.defects, w.witnesses, w.last_at, w.tree_size\n"
	"FROM (SELECT count(*) AS count, min(issued_at) AS oldest FROM answer.unsealed) AS u\n"
	"LEFT JOIN LATERAL (SELECT p.tree_size, p.sealed_at FROM answer.checkpoint p ORDER BY p.tree_size DESC LIMIT 1) AS c ON true\n"
	"LEFT JOIN LATERAL (SELECT l.audited_at, l.to_size, l.defects FROM answer.log_audit l ORDER BY l.audited_at DESC LIMIT 1) AS a ON true\n"
	"LEFT JOIN LATERAL (SELECT count(DISTINCT s.vkey) AS witnesses, max(s.added_at) AS last_at, max(s.tree_size) AS tree_size FROM answer.cosignature s) AS w ON true\n"
	"WHERE '' = ANY (tenants)"},
	{"function answer.dashboard_most(most integer, limit_of_most integer)",
	"plpgsql(most integer, limit_of_most integer) returns integer, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF most IS NULL THEN\n"
	"\t\tRAISE EXCEPTION 'most must not be null' USING ERRCODE = '22004';\n"
	"\tEND IF;\n"
	"\tIF most NOT BETWEEN 1 AND limit_of_most THEN\n"
	"\t\tRAISE EXCEPTION 'most must be from 1 to %, not %', limit_of_most, most USING ERRCODE = '22023';\n"
	"\tEND IF;\n"
	"\tRETURN most;\n"
	"END\n"
	""},
	{"function answer.dashboard_number(value double precision, unit text)",
	"sql(value double precision, unit text) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"SELECT CASE WHEN value IS NULL OR value IN ('NaN', 'Infinity', '-Infinity') THEN '&#8211;'\n"
	"\t-- more than the patterns below have digits for\n"
	"\tWHEN abs(value) >= 1e12 THEN value::text\n"
	"\tWHEN unit = '%' THEN to_char(value * 100, 'FM99999999999999990.0') || '&#8239;%'\n"
	"\tWHEN unit = 'ms' THEN CASE WHEN value < 10 THEN to_char(value, 'FM990.00') || '&#8239;ms'\n"
	"\t\tWHEN value < 100000 THEN to_char(value, 'FM99,990') || '&#8239;ms'\n"
	"\t\tELSE to_char(value / 1000, 'FM999,999,999,990') || '&#8239;s' END\n"
	"\tWHEN unit = 'usd' THEN '$' || to_char(value, CASE WHEN abs(value) < 100 THEN 'FM90.0000' WHEN abs(value) < 10000 THEN 'FM9,990.00' ELSE 'FM999,999,999,990' END)\n"
	"\tWHEN unit = 'x' THEN to_char(value, 'FM999999999990.0') || '&#215;'\n"
	"\tWHEN unit = '' THEN to_char(value, 'FM999,999,999,999,990')\n"
	"\tELSE to_char(value, 'FM999,999,999,990.00') END\n"
	""},
	{"function answer.dashboard_open()",
	"c() returns TABLE(tenant text, investigation bigint, intent text, opened_at timestamp with time zone, age_hours double precision, complete boolean, coverage text, gaps bigint, next_class text, next_tool text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_open_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(tenant text, investigation bigint, intent text, opened_at timestamp with time zone, age_hours double precision, complete boolean, coverage text, gaps bigint, next_class text, next_tool text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT i.tenant, i.investigation, i.intent, i.opened_at, (extract(epoch FROM statement_timestamp() - i.opened_at) / 3600)::float8,\n"
	"\ti.complete, i.coverage, coalesce(array_length(i.gap, 1), 0)::bigint, i.next_class, i.next_tool\n"
	"FROM answer.open_investigation i\n"
	"WHERE i.tenant = ANY (tenants)\n"
	"ORDER BY i.opened_at, i.investigation"},
	{"function answer.dashboard_page(options jsonb)",
	"c(options jsonb) returns TABLE(page text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 1e+06, rows 1, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_page_of(tenants text[], options jsonb)",
	"plpgsql(tenants text[], options jsonb) returns TABLE(page text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 1e+06, rows 1, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC,jit=off}, extension t: \n"
	"#variable_conflict use_column\n"
	"DECLARE\n"
	"\tknown\t\tconstant text[] := '{title,days,receipts,tenant}';\n"
	"\tname\t\ttext;\n"
	"\tvalue\t\tjsonb;\n"
	"\ttitle\t\ttext := 'answer_eval';\n"
	"\tdays\t\tinteger := 14;\n"
	"\tmost\t\tinteger := 20;\n"
	"\tnow\t\t\tconstant timestamptz := statement_timestamp();\n"
	"\tfirst_day\ttimestamptz;\n"
	"\tstamp\t\tconstant text := 'YYYY-MM-DD HH24:MI';\n"
	"\tstyle\t\tconstant text := answer.dashboard_style();\n"
	"\tscope\t\ttext;\n"
	"\tcharted\t\ttext[];\n"
	"\tlevels\t\ttext;\n"
	"\twindows\t\ttext[];\n"
	"\tburn\t\ttext[];\n"
	"\trefusals\ttext[];\n"
	"\tsuites\t\ttext[];\n"
	"\tbars\t\ttext;\n"
	"\ttop\t\t\ttext;\n"
	"\ttotals\t\ttext[];\n"
	"\tdaily\t\ttext[];\n"
	"\tlines\t\ttext;\n"
	"\tslowest\t\ttext;\n"
	"\ttimes\t\ttext[];\n"
	"\tevidence\ttext[];\n"
	"\tsources\t\ttext[];\n"
	"\ttools\t\ttext[];\n"
	"\treceipts\ttext[];\n"
	"\tgates\t\ttext[];\n"
	"\tkeys\t\ttext[];\n"
	"\tlog\t\t\ttext[];\n"
	"BEGIN\n"
	"\tIF options IS NULL THEN\n"
	"\t\tRAISE EXCEPTION 'options must not be null' USING ERRCODE = '22004';\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(options) <> 'object' THEN\n"
	"\t\tRAISE EXCEPTION 'options must be an object, not %', jsonb_typeof(options) USING ERRCODE = '22023';\n"
	"\tEND IF;\n"
	"\tFOR name, value IN SELECT o.key, o.value FROM jsonb_each(options) AS o ORDER BY o.key COLLATE \"C\" LOOP\n"
	"\t\tIF name <> ALL (known) THEN\n"
	"\t\t\tRAISE EXCEPTION 'there is no option \"%\"', left(name, 100)\n"
	"\t\t\t\tUSING ERRCODE = '22023', HINT = format('There are %s.', array_to_string(known, ', '));\n"
	"\t\tELSIF name = 'title' AND (jsonb_typeof(value) <> 'string' OR char_length(value #>> '{}') NOT BETWEEN 1 AND 200) THEN\n"
	"\t\t\tRAISE EXCEPTION 'option title must be a text of 1 to 200 characters' USING ERRCODE = '22023';\n"
	"\t\tELSIF name = 'days' AND NOT (jsonb_typeof(value) = 'number' AND value::text ~ '^[0-9]{1,2}$' AND value::text::integer BETWEEN 1 AND 31) THEN\n"
	"\t\t\tRAISE EXCEPTION 'option days must be a whole number from 1 to 31, not %', left(value::text, 100) USING ERRCODE = '22023';\n"
	"\t\tELSIF name = 'receipts' AND NOT (jsonb_typeof(value) = 'number' AND value::text ~ '^[0-9]{1,3}$' AND value::text::integer <= 100) THEN\n"
	"\t\t\tRAISE EXCEPTION 'option receipts must be a whole number from 0 to 100, not %', left(value::text, 100) USING ERRCODE = '22023';\n"
	"\t\tELSIF name = 'tenant' AND jsonb_typeof(value) <> 'string' THEN\n"
	"\t\t\tRAISE EXCEPTION 'option tenant must be a text' USING ERRCODE = '22023';\n"
	"\t\tEND IF;\n"
	"\tEND LOOP;\n"
	"\ttitle := coalesce(options ->> 'title', title);\n"
	"\tdays := coalesce((options ->> 'days')::integer, days);\n"
	"\tmost := coalesce((options ->> 'receipts')::integer, most);\n"
	"\tIF options ? 'tenant' THEN\n"
	"\t\tIF options ->> 'tenant' <> ALL (tenants) THEN\n"
	"\t\t\tRAISE EXCEPTION 'the current role may not read what tenant \"%\" has', left(options ->> 'tenant', 100)\n"
	"\t\t\t\tUSING ERRCODE = '42501', HINT = 'answer.tenant_reads() lists the tenants that it may read.';\n"
	"\t\tEND IF;\n"
	"\t\ttenants := ARRAY[options ->> 'tenant'];\n"
	"\tEND IF;\n"
	"\tscope := CASE WHEN tenants = '{\"\"}' THEN 'the operator' WHEN cardinality(tenants) = 1 THEN 'tenant ' || answer.html_text(tenants[1])\n"
	"\t\tELSE format('%s tenants and the operator', cardinality(array_remove(tenants, ''))) END;\n"
	"\tfirst_day := date_bin('1 day', now, '2000-01-01') - make_interval(hours => 24 * (days - 1));\n"
	"\tcharted := ARRAY[to_char(first_day, 'YYYY-MM-DD'), to_char(now, 'YYYY-MM-DD')];\n"
	"\n"
	"\t-- service levels\n"
	"\tWITH slo AS MATERIALIZED (\n"
	"\t\tSELECT (ARRAY['5 minutes', '30 minutes', '1 hour', '6 hours', '1 day', '30 days'])[s.place] AS label, s.*\n"
	"\t\tFROM answer.slo_windows(tenants, '{5 minutes,30 minutes,1 hour,6 hours,24 hours,720 hours}', now) AS s\n"
	"\t\tWHERE s.tenant IS NULL AND s.intent IS NULL\n"
	"\t)\n"
	"\tSELECT array_agg(ARRAY[s.label, answer.dashboard_chip(s.state), answer.dashboard_number(s.answers, ''), answer.dashboard_number(s.given, ''),\n"
	"\t\t\tanswer.dashboard_number(s.refusal_rate, '%'), answer.dashboard_number(s.citation_rate, '%'), answer.dashboard_number(s.contradiction_rate, '%'),\n"
	"\t\t\tanswer.dashboard_number(s.prevented_rate, '%'), answer.dashboard_number(s.unsupported_rate, '%'), answer.dashboard_number(s.unjudged_rate, '%'),\n"
	"\t\t\tanswer.dashboard_number(s.groundedness, '%'), answer.dashboard_number(s.coverage, '%'), answer.dashboard_number(s.gqs, '2'),\n"
	"\t\t\tanswer.dashboard_number(s.p50_ms, 'ms'), answer.dashboard_number(s.p95_ms, 'ms'), answer.dashboard_number(s.cost_per_answer, 'usd'),\n"
	"\t\t\tanswer.dashboard_number(s.cost_per_verified_answer, 'usd')] ORDER BY s.place),\n"
	"\t\tstring_agg(answer.dashboard_tiles(ARRAY[ARRAY['Answers', answer.dashboard_number(s.answers, ''), 'in 30 days'],\n"
	"\t\t\tARRAY['Answered', answer.dashboard_number(s.given, ''), 'given, not refused'],\n"
	"\t\t\tARRAY['Refused', answer.dashboard_number(s.refusal_rate, '%'), 'of all, asked back too'],\n"
	"\t\t\tARRAY['Citations given', answer.dashboard_number(s.citation_rate, '%'), 'at least 90&#8239;%'],\n"
	"\t\t\tARRAY['Contradicted', answer.dashboard_number(s.contradiction_rate, '%'), 'of given, at most 3&#8239;%'],\n"
	"\t\t\tARRAY['Prevented', answer.dashboard_number(s.prevented_rate, '%'), 'refused for contradiction'],\n"
	"\t\t\tARRAY['Unsupported', answer.dashboard_number(s.unsupported_rate, '%'), 'of given answers'],\n"
	"\t\t\tARRAY['Unjudged', answer.dashboard_number(s.unjudged_rate, '%'), 'of given answers'],\n"
	"\t\t\tARRAY['Grounded', answer.dashboard_number(s.groundedness, '%'), 'of given sentences'],\n"
	"\t\t\tARRAY['Quality', answer.dashboard_number(s.gqs, '2'), 'of 1.00'],\n"
	"\t\t\tARRAY['Supported', answer.dashboard_number(s.coverage, '%'), 'of all answers'],\n"
	"\t\t\tARRAY['Time', answer.dashboard_number(s.p95_ms, 'ms'), 'for 95 of 100'],\n"
	"\t\t\tARRAY['Cost', answer.dashboard_number(s.cost_per_answer, 'usd'), 'of an answer']]), '') FILTER (WHERE s.place = 6)\n"
	"\tINTO windows, levels\n"
	"\tFROM slo s;\n"
	"\n"
	"\tSELECT array_agg(ARRAY[CASE b.objective WHEN 'citation' THEN 'Citations' ELSE 'Contradictions' END, answer.dashboard_chip(b.state),\n"
	"\t\t\tanswer.dashboard_number(b.budget_left, '%'), answer.dashboard_number(b.share_30d, '%'), answer.dashboard_number(b.allowance, '%'),\n"
	"\t\t\tanswer.dashboard_number(b.burn_5m, 'x'), answer.dashboard_number(b.burn_30m, 'x'), answer.dashboard_number(b.burn_1h, 'x'),\n"
	"\t\t\tanswer.dashboard_number(b.burn_6h, 'x')] ORDER BY b.objective)\n"
	"\tINTO burn\n"
	"\tFROM answer.slo_burn_of(tenants, now) AS b\n"
	"\tWHERE b.tenant IS NULL AND b.intent IS NULL;\n"
	"\n"
	"\tSELECT array_agg(ARRAY[answer.html_text(replace(r.reason, '_', ' ')), answer.dashboard_number(r.refused, ''), answer.dashboard_number(r.share, '%')]\n"
	"\t\t\tORDER BY r.refused DESC, r.reason COLLATE \"C\")\n"
	"\tINTO refusals\n"
	"\tFROM (SELECT * FROM answer.slo_refusals_of(tenants, '720 hours', now) AS f WHERE f.tenant IS NULL AND f.intent IS NULL\n"
	"\t\tORDER BY f.refused DESC, f.reason COLLATE \"C\" LIMIT 12) AS r;\n"
	"\tSELECT array_agg(ARRAY[answer.html_text(u.environment), answer.html_text(u.suite), answer.dashboard_chip(u.state), to_char(u.\"time\", stamp),\n"
	"\t\t\tanswer.dashboard_number(u.false_accepts, ''), answer.dashboard_number(u.false_accept_rate, '%'),\n"
	"\t\t\tanswer.dashboard_number(u.false_refusals, ''), answer.dashboard_number(u.false_refuse_rate, '%')] ORDER BY u.tenant COLLATE \"C\", u.environment COLLATE \"C\")\n"
	"\tINTO suites\n"
	"\tFROM (SELECT * FROM answer.dashboard_suites_of(tenants) AS d WHERE d.run_id IS NOT NULL ORDER BY d.\"time\" DESC LIMIT 10) AS u;\n"
	"\n"
	"\t-- verdicts and latency by days\n"
	"\tWITH sums AS MATERIALIZED (\n"
	"\t\tSELECT date_bin('1 day', s.\"time\", '2000-01-01') AS day, s.verdict, s.documents, s.answers, s.given, s.supported, s.contradicted\n"
	"\t\t-- whole days, of which answer.rollup_point has each hour\n"
	"\t\tFROM (SELECT r.starts_at AS \"time\", r.schema, r.verdict, r.documents::numeric AS documents, r.answers, r.given, r.supported, r.contradicted\n"
	"\t\t\tFROM answer.rollup r\n"
	"\t\t\tWHERE r.tenant = ANY (tenants) AND r.grain = 1440 AND r.starts_at >= first_day\n"
	"\t\t\tUNION ALL\n"
	"\t\t\tSELECT n.issued_at, n.schema, n.verdict, n.documents, n.answers, n.given, n.supported, n.contradicted\n"
	"\t\t\tFROM answer.rollup_single n\n"
	"\t\t\tWHERE NOT n.counted AND n.tenant = ANY (tenants) AND n.issued_at >= first_day) AS s\n"
	"\t\tWHERE s.schema IN ('answer/v1', 'decision/v1', 'plan/v1')\n"
	"\t), day AS MATERIALIZED (\n"
	"\t\tSELECT d.n, first_day + make_interval(hours => 24 * d.n) AS day FROM generate_series(0, days - 1) AS d (n)\n"
	"\t), class AS (\n"
	"\t\tSELECT c.class, c.label FROM (VALUES (1, 'answered and supported'), (2, 'answered but contradicted'), (3, 'answered but unsupported'), (4, 'refused'), (5, 'failed or other'))\n"
	"\t\t\tAS c (class, label)\n"
	"\t), stack AS MATERIALIZED (\n"
	"\t\t-- what is contradicted is not supported, so nothing is in two of them\n"
	"\t\tSELECT d.n, d.day, c.class, coalesce(sum(CASE c.class WHEN 1 THEN s.supported WHEN 2 THEN s.contradicted\n"
	"\t\t\tWHEN 3 THEN s.given - s.supported - s.contradicted WHEN 4 THEN s.answers - s.given ELSE s.documents - s.answers END), 0)::float8 AS documents\n"
	"\t\tFROM day d CROSS JOIN class c LEFT JOIN sums s ON s.day = d.day\n"
	"\t\tGROUP BY 1, 2, 3\n"
	"\t), top AS (\n"
	"\t\tSELECT greatest(max(t.documents), 1) AS most FROM (SELECT sum(s.documents) AS documents FROM stack s GROUP BY s.n) AS t\n"
	"\t), placed AS (\n"
	"\t\tSELECT s.n, s.day, s.class, s.documents, t.most,\n"
	"\t\t\tsum(s.documents) OVER (PARTITION BY s.n ORDER BY s.class) AS up_to\n"
	"\t\tFROM stack s CROSS JOIN top t\n"
	"\t)\n"
	"\tSELECT (SELECT string_agg(format('<rect class=\"f%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s: %s %s</title></rect>', p.class,\n"
	"\t\t\t\tto_char(44 + p.n * 596.0 / days, 'FM9990.0'), to_char(150 - 140 * p.up_to / p.most, 'FM9990.00'),\n"
	"\t\t\t\tto_char(596.0 / days * 0.8, 'FM9990.0'), to_char(140 * p.documents / p.most, 'FM9990.00'), to_char(p.day, 'YYYY-MM-DD'),\n"
	"\t\t\t\tanswer.dashboard_number(p.documents, ''), c.label), '' ORDER BY p.n, p.class)\n"
	"\t\t\tFROM placed p JOIN class c ON c.class = p.class WHERE p.documents > 0),\n"
	"\t\t(SELECT answer.dashboard_number(t.most, '') FROM top t),\n"
	"\t\t(SELECT array_agg(ARRAY[answer.html_text(replace(v.verdict, '_', ' ')), answer.dashboard_number(v.documents, ''),\n"
	"\t\t\t\tanswer.dashboard_number(v.documents / nullif(v.whole, 0), '%')] ORDER BY v.documents DESC, v.verdict)\n"
	"\t\t\tFROM (SELECT s.verdict, sum(s.documents)::float8 AS documents, (sum(sum(s.documents)) OVER ())::float8 AS whole FROM sums s\n"
	"\t\t\t\tGROUP BY s.verdict HAVING sum(s.documents) > 0 ORDER BY 2 DESC, 1 LIMIT 12) AS v),\n"
	"\t\t(SELECT array_agg(d.day ORDER BY d.n)\n"
	"\t\t\tFROM (SELECT s.n, to_char(s.day, 'YYYY-MM-DD') || array_agg(answer.dashboard_number(s.documents, '') ORDER BY s.class) AS day\n"
	"\t\t\t\tFROM stack s GROUP BY s.n, s.day) AS d),\n"
	"\t\tl.lines, l.slowest, l.times\n"
	"\tINTO bars, top, totals, daily, lines, slowest, times\n"
	"\tFROM (WITH took AS MATERIALIZED (\n"
	"\t\t\tSELECT d.n, answer.latency_percentile(o.latency, 0.5) / 1000 AS p50, answer.latency_percentile(o.latency, 0.95) / 1000 AS p95\n"
	"\t\t\tFROM day d\n"
	"\t\t\tJOIN (SELECT date_bin('1 day', l.at, '2000-01-01') AS day, answer.latency_union(l.latency) AS latency\n"
	"\t\t\t\tFROM (SELECT r.starts_at AS at, r.latency\n"
	"\t\t\t\t\tFROM answer.rollup_latency r\n"
	"\t\t\t\t\tWHERE r.tenant = ANY (tenants) AND r.grain = 1440 AND r.whole AND r.starts_at >= first_day\n"
	"\t\t\t\t\tUNION ALL\n"
	"\t\t\t\t\tSELECT n.issued_at, n.latency\n"
	"\t\t\t\t\tFROM answer.rollup_single n\n"
	"\t\t\t\t\tWHERE NOT n.counted AND n.tenant = ANY (tenants) AND n.issued_at >= first_day) AS l\n"
	"\t\t\t\tGROUP BY 1) AS o ON o.day = d.day\n"
	"\t\t\tWHERE o.latency IS NOT NULL\n"
	"\t\t), highest AS (\n"
	"\t\t\tSELECT greatest(max(t.p95), 0.001) AS most FROM took t\n"
	"\t\t), point AS (\n"
	"\t\t\tSELECT t.n, t.p50, t.p95, h.most, to_char(44 + (t.n + 0.4) * 596.0 / days, 'FM9990.0') AS x,\n"
	"\t\t\t\tto_char(150 - 140 * t.p50 / h.most, 'FM9990.00') AS y50, to_char(150 - 140 * t.p95 / h.most, 'FM9990.00') AS y95\n"
	"\t\t\tFROM took t CROSS JOIN highest h\n"
	"\t\t)\n"
	"\t\tSELECT string_agg(format('<circle class=\"f5\" cx=\"%1$s\" cy=\"%2$s\" r=\"2.5\"/><circle class=\"f4\" cx=\"%1$s\" cy=\"%3$s\" r=\"2.5\"><title>%4$s: 50 of 100 in %5$s, 95 of 100 in %6$s</title></circle>',\n"
	"\t\t\t\tp.x, p.y50, p.y95, to_char(first_day + make_interval(hours => 24 * p.n), 'YYYY-MM-DD'), answer.dashboard_number(p.p50, 'ms'),\n"
	"\t\t\t\tanswer.dashboard_number(p.p95, 'ms')), '' ORDER BY p.n)\n"
	"\t\t\t|| format('<polyline class=\"stroke\" points=\"%s\"/><polyline class=\"stroke half\" points=\"%s\"/>',\n"
	"\t\t\t\tstring_agg(p.x || ',' || p.y95, ' ' ORDER BY p.n), string_agg(p.x || ',' || p.y50, ' ' ORDER BY p.n)) AS lines,\n"
	"\t\t\tanswer.dashboard_number(max(p.most), 'ms') AS slowest,\n"
	"\t\t\tarray_agg(ARRAY[to_char(first_day + make_interval(hours => 24 * p.n), 'YYYY-MM-DD'), answer.dashboard_number(p.p50, 'ms'),\n"
	"\t\t\t\tanswer.dashboard_number(p.p95, 'ms')] ORDER BY p.n) AS times\n"
	"\t\tFROM point p) AS l;\n"
	"\n"
	"\t-- evidence\n"
	"\tWITH words AS MATERIALIZED (\n"
	"\t\tSELECT split_part(w.word, ' ', 1) AS about, substr(w.word, strpos(w.word, ' ') + 1) AS word, sum(w.count)::float8 AS count\n"
	"\t\tFROM (SELECT r.word, r.count\n"
	"\t\t\tFROM answer.rollup_word r\n"
	"\t\t\tWHERE r.tenant = ANY (tenants) AND r.grain = 1440 AND r.starts_at >= first_day\n"
	"\t\t\tUNION ALL\n"
	"\t\t\tSELECT e.key, e.value::bigint\n"
	"\t\t\tFROM answer.rollup_single n\n"
	"\t\t\tCROSS JOIN LATERAL jsonb_each_text(n.words) AS e\n"
	"\t\t\tWHERE NOT n.counted AND n.tenant = ANY (tenants) AND n.issued_at >= first_day) AS w\n"
	"\t\tGROUP BY 1, 2\n"
	"\t)\n"
	"\tSELECT (SELECT array_agg(ARRAY[initcap(c.metric), answer.dashboard_number(coalesce(h.count, 0), ''), NULL] ORDER BY c.place)\n"
	"\t\t\tFROM unnest('{stale,conflicting,thin,unavailable,unjudged,unfounded}'::text[]) WITH ORDINALITY AS c (metric, place)\n"
	"\t\t\tLEFT JOIN (SELECT m.metric, sum(w.count) AS count FROM words w JOIN answer.dashboard_evidence_words() AS m ON m.about = w.about AND m.word = split_part(w.word, ': ', 1)\n"
	"\t\t\t\tGROUP BY 1) AS h ON h.metric = c.metric),\n"
	"\t\t(SELECT array_agg(ARRAY[answer.html_text(s.word), answer.dashboard_number(s.facts, ''), answer.dashboard_number(s.confidence, '2'),\n"
	"\t\t\t\tanswer.dashboard_number(s.weak / s.facts, '%')] ORDER BY s.facts DESC, s.word COLLATE \"C\")\n"
	"\t\t\tFROM (SELECT w.word, sum(w.count) FILTER (WHERE w.about = 'source') AS facts,\n"
	"\t\t\t\t\tsum(w.count) FILTER (WHERE w.about = 'confidence') / nullif(sum(w.count) FILTER (WHERE w.about = 'source'), 0) / 100 AS confidence,\n"
	"\t\t\t\t\tcoalesce(sum(w.count) FILTER (WHERE w.about = 'weak'), 0) AS weak\n"
	"\t\t\t\tFROM words w WHERE w.about IN ('source', 'confidence', 'weak') GROUP BY 1\n"
	"\t\t\t\tHAVING sum(w.count) FILTER (WHERE w.about = 'source') > 0 ORDER BY 2 DESC, 1 LIMIT 10) AS s),\n"
	"\t\t(SELECT array_agg(ARRAY[answer.html_text(t.tool), answer.dashboard_number(t.calls, ''), answer.dashboard_number(1 - t.good / t.calls, '%'),\n"
	"\t\t\t\tanswer.dashboard_number(t.mean, 'ms')] ORDER BY t.calls DESC, t.tool COLLATE \"C\")\n"
	"\t\t\tFROM (SELECT regexp_replace(w.word, ' [^ ]*$', '') AS tool, sum(w.count) FILTER (WHERE w.about = 'call') AS calls,\n"
	"\t\t\t\t\tcoalesce(sum(w.count) FILTER (WHERE w.about = 'call' AND w.word ~ ' ok$'), 0) AS good,\n"
	"\t\t\t\t\t(coalesce(sum(w.count) FILTER (WHERE w.about = 'ms'), 0) + coalesce(sum(w.count) FILTER (WHERE w.about = 'us'), 0) / 1000)\n"
	"\t\t\t\t\t\t/ nullif(sum(w.count) FILTER (WHERE w.about = 'timed'), 0) AS mean\n"
	"\t\t\t\tFROM words w WHERE w.about IN ('call', 'ms', 'us', 'timed') GROUP BY 1\n"
	"\t\t\t\tHAVING sum(w.count) FILTER (WHERE w.about = 'call') > 0 ORDER BY 2 DESC, 1 LIMIT 10) AS t)\n"
	"\tINTO evidence, sources, tools;\n"
	"\n"
	"\tIF most > 0 THEN\n"
	"\t\tSELECT array_agg(ARRAY[answer.dashboard_chip(r.state), answer.dashboard_chip(r.verdict), answer.html_text(r.receipt_id), to_char(r.issued_at, stamp),\n"
	"\t\t\t\tanswer.html_text(r.schema), CASE WHEN r.tenant = '' THEN '<span class=\"quiet\">operator</span>' ELSE answer.html_text(r.tenant) END]\n"
	"\t\t\t\tORDER BY r.issued_at DESC, r.receipt_id COLLATE \"C\")\n"
	"\t\tINTO receipts\n"
	"\t\tFROM answer.dashboard_receipts_of(tenants, most) AS r;\n"
	"\tEND IF;\n"
	"\tSELECT array_agg(ARRAY[CASE WHEN g.state = 'verified' THEN coalesce(answer.dashboard_chip(g.outcome), '<span class=\"quiet\">no gate</span>')\n"
	"\t\t\t\tELSE answer.dashboard_chip(g.state) END, answer.html_text(g.environment), answer.html_text(concat_ws(': ', g.action, g.stage)),\n"
	"\t\t\tanswer.html_text(g.config), to_char(g.\"time\", stamp),\n"
	"\t\t\tanswer.html_text(left(g.detail, 300) || CASE WHEN char_length(g.detail) > 300 THEN '...' ELSE '' END)]\n"
	"\t\t\tORDER BY g.\"time\" DESC, g.receipt_id COLLATE \"C\")\n"
	"\tINTO gates\n"
	"\tFROM answer.dashboard_gates_of(tenants, 10) AS g;\n"
	"\tSELECT array_agg(ARRAY[answer.html_text(k.key_id), answer.dashboard_chip(k.status),\n"
	"\t\t\tCASE WHEN k.age_days IS NULL THEN '&#8211;' ELSE to_char(k.age_days, 'FM999990.0') || ' d' END, answer.dashboard_number(k.documents, ''),\n"
	"\t\t\tCASE k.file_present WHEN true THEN 'here' WHEN false THEN 'not here' ELSE '&#8211;' END] ORDER BY k.active_from DESC NULLS LAST, k.key_id)\n"
	"\tINTO keys\n"
	"\tFROM answer.dashboard_keys_of(tenants) AS k;\n"
	"\tSELECT ARRAY[ARRAY['In the log', answer.dashboard_number(l.leaves, ''), NULL], ARRAY['Not sealed yet', answer.dashboard_number(l.unsealed, ''), NULL],\n"
	"\t\t\tARRAY['Last sealed', NULL, coalesce(to_char(l.last_seal_at, stamp), 'never')],\n"
	"\t\t\tARRAY['Last audit', NULL, coalesce(to_char(l.last_audit_at, stamp) || ', defects: ' || l.last_audit_defects, 'never')],\n"
	"\t\t\tARRAY['Witnesses', answer.dashboard_number(l.witnesses, ''), NULL]]\n"
	"\tINTO log\n"
	"\tFROM answer.dashboard_log_of(tenants) AS l;\n"
	"\n"
	"\tpage := format('<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src ''none''; style-src ''sha256-%s''; base-uri ''none''; form-action ''none''\">\n"
	"<meta name=\"referrer\" content=\"no-referrer\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<title>Dashboard of answers</title>\n"
	"<style>%s</style>\n"
	"</head>\n"
	"<body>\n"
	"<header>\n"
	"<h1>%s</h1>\n"
	"<p class=\"quiet\">Answers of %s, as of %s UTC</p>\n"
	"</header>\n"
	"<main>\n"
	"', encode(sha256(convert_to(style, 'UTF8')), 'base64'), style, answer.html_text(title), scope, to_char(now, stamp))\n"
	"\t\t|| answer.dashboard_section('levels', 'Service levels', levels)\n"
	"\t\t|| answer.dashboard_section('windows', 'By window', answer.dashboard_table('windows', NULL,\n"
	"\t\t\t'{row:Window,:State,n:Answers,n:Given,n:Refused,n:Cited,n:Contradicted,n:Prevented,n:Unsupported,n:Unjudged,n:Grounded,n:Supported,n:Quality,n:p50,n:p95,n:Cost each,n:Each verified}', windows))\n"
	"\t\t|| answer.dashboard_section('burn', 'Error budgets', answer.dashboard_table('burn',\n"
	"\t\t\t'How fast the allowance of 30 days is used: 1&#215; uses just all of it',\n"
	"\t\t\t'{row:Objective,:State,n:Left,n:Failed in 30 days,n:Allowed,n:5 min,n:30 min,n:1 h,n:6 h}', burn))\n"
	"\t\t|| '<div class=\"two\">'\n"
	"\t\t|| answer.dashboard_section('refusals', 'Refusals', answer.dashboard_table('refusals', 'Why answers of 30 days were not given',\n"
	"\t\t\t'{row:Reason,n:Refused,n:Of all}', refusals))\n"
	"\t\t|| answer.dashboard_section('suites', 'Suites', answer.dashboard_table('suites', 'What the newest run of an environment&#8217;s suite got wrong',\n"
	"\t\t\t'{row:Environment,:Suite,:Run,:Signed,n:False accepts,n:Rate,n:False refusals,n:Rate}', suites))\n"
	"\t\t|| '</div>'\n"
	"\t\t|| '<div class=\"two\">'\n"
	"\t\t|| answer.dashboard_section('verdicts', format('Answers of %s days', days),\n"
	"\t\t\tanswer.dashboard_chart('Answers and refusals by day, as the tables below have them', top, charted, bars,\n"
	"\t\t\t\t'{1:answered and supported,2:answered but contradicted,3:answered but unsupported,4:refused,5:failed or other}')\n"
	"\t\t\t|| format('<details><summary>As tables</summary>%s%s</details>',\n"
	"\t\t\t\tanswer.dashboard_table('verdicts', NULL, '{row:Verdict,n:Documents,n:Share}', totals),\n"
	"\t\t\t\tanswer.dashboard_table('verdicts', NULL, '{row:Day,n:Supported,n:Contradicted,n:Unsupported,n:Refused,n:Other}', daily)))\n"
	"\t\t|| answer.dashboard_section('times', format('Time of answers, %s days', days),\n"
	"\t\t\tanswer.dashboard_chart('Time of answers by day, 50 and 95 of 100, as the table below has it', slowest, charted, lines,\n"
	"\t\t\t\t'{4:95 of 100 were as fast,5:50 of 100 were as fast}')\n"
	"\t\t\t|| format('<details><summary>As a table</summary>%s</details>',\n"
	"\t\t\t\tanswer.dashboard_table('times', NULL, '{row:Day,n:50 of 100,n:95 of 100}', times)))\n"
	"\t\t|| '</div>'\n"
	"\t\t|| answer.dashboard_section('receipts', 'Latest receipts', answer.dashboard_table('receipts', 'Each was verified when this page was made',\n"
	"\t\t\t'{:State,:Verdict,id:Id,:Issued,:Kind,:Whose}', receipts))\n"
	"\t\t|| answer.dashboard_section('gates', 'Gates', answer.dashboard_table('gates', 'Steps of environments, and what their gates said',\n"
	"\t\t\t'{:Gate,:Environment,:Step,id:Configuration,:Signed,long:Why}', gates))\n"
	"\t\t|| answer.dashboard_section('evidence', format('Evidence, %s days', days), answer.dashboard_tiles(evidence))\n"
	"\t\t|| '<div class=\"two\">'\n"
	"\t\t|| answer.dashboard_section('sources', 'Sources', answer.dashboard_table('sources', 'Whose facts were cited most',\n"
	"\t\t\t'{row:Source,n:Facts,n:Confidence,n:Weak}', sources))\n"
	"\t\t|| answer.dashboard_section('tools', 'Tools', answer.dashboard_table('tools', 'What was called most', '{row:Tool,n:Calls,n:Failed,n:Mean}', tools))\n"
	"\t\t|| '</div>'\n"
	"\t\t|| CASE WHEN log IS NULL THEN '' ELSE answer.dashboard_section('log', 'Log', answer.dashboard_tiles(log)) END\n"
	"\t\t|| answer.dashboard_section('keys', 'Keys', answer.dashboard_table('keys', NULL, '{row id:Key,:Status,n:Age,n:Documents,:File}', keys))\n"
	"\t\t|| '</main>\n"
	"<footer><p>Made by answer_dashboard_html(). A verified receipt is unchanged since it was signed; that its evidence is true, nobody has signed.</p></footer>\n"
	"</body>\n"
	"</html>\n"
	"';\n"
	"\tRETURN NEXT;\n"
	"END\n"
	""},
	{"function answer.dashboard_reasons()",
	"c() returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_reasons_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT w.\"time\", w.tenant, w.schema || ' ' || w.word, sum(w.count)::float8\n"
	"FROM answer.dashboard_words(tenants, '{reason}') w\n"
	"GROUP BY 1, 2, 3\n"
	"ORDER BY 1, 2, 3"},
	{"function answer.dashboard_receipts(most integer)",
	"c(most integer DEFAULT 20) returns TABLE(issued_at timestamp with time zone, tenant text, receipt_id text, schema text, verdict text, intent text, confidence double precision, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 100000, rows 20, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_receipts_of(tenants text[], most integer)",
	"sql(tenants text[], most integer) returns TABLE(issued_at timestamp with time zone, tenant text, receipt_id text, schema text, verdict text, intent text, confidence double precision, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 100000, rows 20, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"WITH latest AS MATERIALIZED (\n"
	"\t-- by tenant, so that none walks over what others have\n"
	"\tSELECT r.*\n"
	"\tFROM (SELECT DISTINCT u.name FROM unnest(tenants) AS u (name)) AS t\n"
	"\tCROSS JOIN LATERAL (SELECT o.* FROM answer.receipt o WHERE o.tenant = t.name ORDER BY o.issued_at DESC LIMIT most) AS r\n"
	"\tORDER BY r.issued_at DESC\n"
	"\tLIMIT answer.dashboard_most(most, 100)\n"
	")\n"
	"SELECT l.issued_at, l.tenant, l.receipt_id, l.schema, l.verdict, l.intent, l.confidence,\n"
	"\tanswer.receipt_state(l.receipt_id, l.tenant, l.schema, l.issued_at, l.verdict, l.confidence, l.degraded, l.intent, l.key_id, l.body)\n"
	"FROM latest l\n"
	"ORDER BY l.issued_at DESC, l.receipt_id COLLATE \"C\"\n"
	""},
	{"function answer.dashboard_revoke_put(role text)",
	"sql(role text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: SELECT answer.dashboard_right(role, 'REVOKE')"},
	{"function answer.dashboard_right(role text, command text)",
	"plpgsql(role text, command text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\tdirection\ttext := CASE command WHEN 'GRANT' THEN 'TO' ELSE 'FROM' END;\n"
	"\tobject\t\trecord;\n"
	"BEGIN\n"
	"\tIF role IS NULL THEN\n"
	"\t\tRAISE EXCEPTION 'role must not be null' USING ERRCODE = '22004';\n"
	"\tEND IF;\n"
	"\tIF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = role) THEN\n"
	"\t\tRAISE EXCEPTION 'there is no role \"%\"', role USING ERRCODE = 'P0002', HINT = 'Create it with CREATE ROLE first.';\n"
	"\tEND IF;\n"
	"\tFOR object IN\n"
	"\t\t-- what is the extension's own: somebody else's view of such a name is his to grant\n"
	"\t\tSELECT CASE d.classid WHEN 'pg_proc'::regclass THEN format('EXECUTE ON FUNCTION %s', p.oid::regprocedure)\n"
	"\t\t\tELSE format('SELECT ON %s', c.oid::regclass) END AS rights\n"
	"\t\tFROM pg_depend d\n"
	"\t\tLEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid\n"
	"\t\tLEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid\n"
	"\t\tWHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'\n"
	"\t\t\tAND d.refobjid = (SELECT e.oid FROM pg_extension e WHERE e.extname = 'answer_eval')\n"
	"\t\t\tAND (c.relkind = 'v' AND c.relname ~ '^dashboard_'\n"
	"\t\t\t\t-- what these views are views of\n"
	"\t\t\t\tOR p.proname = 'answer_dashboard_html' OR p.prosrc = 'answer_eval_rows_of_tenants'\n"
	"\t\t\t\t\tAND p.proname ~ '^(answer_slo|answer_slo_refusals|slo_burn|dashboard_.*|receipt_check)$')\n"
	"\t\tORDER BY 1\n"
	"\tLOOP\n"
	"\t\tEXECUTE format('%s %s %s %I', command, object.rights, direction, role);\n"
	"\tEND LOOP;\n"
	"\t-- the schema may have been granted for something else as well, and alone it shows nothing\n"
	"\tIF command = 'GRANT' THEN\n"
	"\t\tEXECUTE format('GRANT USAGE ON SCHEMA answer TO %I', role);\n"
	"\tEND IF;\n"
	"END\n"
	""},
	{"function answer.dashboard_section(id text, title text, content text)",
	"sql(id text, title text, content text) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"SELECT format('<section aria-labelledby=\"%1$s\"><h2 id=\"%1$s\">%2$s</h2>%3$s</section>', id, title,\n"
	"\tcoalesce(content, '<p class=\"quiet\">Nothing yet.</p>'))\n"
	""},
	{"function answer.dashboard_slo()",
	"c() returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_slo_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT a.\"time\", a.tenant, m.metric, m.value::float8\n"
	"FROM (SELECT s.\"time\", s.tenant, sum(s.answers) AS answers, sum(s.given) AS given, sum(s.supported) AS supported, sum(s.required) AS required,\n"
	"\t\tsum(s.cited) AS cited, sum(s.contradicted) AS contradicted, sum(s.prevented) AS prevented, sum(s.unjudged) AS unjudged,\n"
	"\t\tsum(s.sentences) AS sentences, sum(s.grounded) AS grounded, sum(s.confidence) AS confidence, sum(s.costed) AS costed,\n"
	"\t\tsum(s.cost_usd) AS cost_usd\n"
	"\tFROM answer.rollup_point s\n"
	"\tWHERE s.tenant = ANY (tenants)\n"
	"\tGROUP BY 1, 2\n"
	"\tHAVING sum(s.answers) > 0) AS a\n"
	"CROSS JOIN LATERAL (VALUES ('answers', a.answers), ('given', a.given), ('refused', a.answers - a.given), ('contradicted', a.contradicted),\n"
	"\t('prevented', a.prevented), ('unsupported', a.given - a.supported), ('unjudged', a.unjudged),\n"
	"\t('citation_rate', a.cited / nullif(a.required, 0)), ('contradiction_rate', a.contradicted / nullif(a.given, 0)),\n"
	"\t('prevented_rate', a.prevented / a.answers), ('unsupported_rate', (a.given - a.supported) / nullif(a.given, 0)),\n"
	"\t('unjudged_rate', a.unjudged / nullif(a.given, 0)), ('groundedness', a.grounded / nullif(a.sentences, 0)),\n"
	"\t('refusal_rate', (a.answers - a.given) / a.answers), ('coverage', a.supported / a.answers),\n"
	"\t('gqs', a.confidence / a.answers * (1 - coalesce(a.contradicted / nullif(a.given, 0), 0))),\n"
	"\t('cost_per_answer', a.cost_usd / nullif(a.costed, 0)))\n"
	"\tAS m (metric, value)\n"
	"WHERE m.value IS NOT NULL\n"
	"ORDER BY 1, 2, 3"},
	{"function answer.dashboard_sources()",
	"c() returns TABLE(tenant text, source text, facts double precision, confidence double precision, weak double precision, last_cited_at timestamp with time zone), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_sources_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(tenant text, source text, facts double precision, confidence double precision, weak double precision, last_cited_at timestamp with time zone), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT w.tenant, w.word, sum(w.count) FILTER (WHERE w.about = 'source')::float8,\n"
	"\t(sum(w.count) FILTER (WHERE w.about = 'confidence') / nullif(sum(w.count) FILTER (WHERE w.about = 'source'), 0) / 100)::float8,\n"
	"\tcoalesce(sum(w.count) FILTER (WHERE w.about = 'weak'), 0)::float8, max(w.\"time\")\n"
	"FROM answer.dashboard_words(tenants, '{source,confidence,weak}') w\n"
	"GROUP BY 1, 2\n"
	"ORDER BY 1, 2"},
	{"function answer.dashboard_style()",
	"sql() returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"SELECT $style$:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --page: #fff; --card: #f6f8fa; --line: #d0d7de; --shade: #1b1f2440;\n"
	"\t--good: #116329; --good-back: #dafbe1; --bad: #a40e26; --bad-back: #ffebe9; --warn: #6a4d00; --warn-back: #fff8c5;\n"
	"\t--c1: #2da44e; --c2: #cf222e; --c3: #d4a72c; --c4: #8250df; --c5: #8c959f; --accent: #0969da }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"\t:root { --text: #e6edf3; --quiet: #9da7b3; --page: #0d1117; --card: #161b22; --line: #3d444d; --shade: #010409;\n"
	"\t\t--good: #7ee787; --good-back: #12261e; --bad: #ffa198; --bad-back: #32161a; --warn: #f2cc60; --warn-back: #2e2a1f;\n"
	"\t\t--c1: #3fb950; --c2: #f85149; --c3: #d29922; --c4: #a371f7; --c5: #6e7681; --accent: #4493f8 }\n"
	"}\n"
	"* { box-sizing: border-box }\n"
	"body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }\n"
	"header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1rem }\n"
	"header { padding-top: 1.25rem }\n"
	"h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 }\n"
	"h2 { font-size: 1.1rem; margin: 0 0 .6rem }\n"
	"p { margin: .4rem 0 }\n"
	".quiet { color: var(--quiet) }\n"
	"section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: 1rem 0; min-width: 0 }\n"
	".tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .75rem; margin: 0; padding: 0 }\n"
	".tiles > div { background: var(--page); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .75rem }\n"
	".tiles dt { color: var(--quiet); font-size: .85rem }\n"
	".tiles dd { margin: 0; font-size: 1.4rem; font-weight: 600; overflow-wrap: anywhere }\n"
	".tiles dd.goal { font-size: .8rem; font-weight: normal; color: var(--quiet) }\n"
	".two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; margin: 1rem 0 }\n"
	".two > section { margin: 0 }\n"
	"/* what is wider than the screen casts a shadow at the side to which it goes on, and the names of its rows stay */\n"
	".wide { overflow-x: auto; background: linear-gradient(to right, var(--card) 40%, transparent) 0 0 / 3rem 100% no-repeat local,\n"
	"\tlinear-gradient(to left, var(--card) 40%, transparent) 100% 0 / 3rem 100% no-repeat local,\n"
	"\tlinear-gradient(to right, var(--shade), transparent) 0 0 / .9rem 100% no-repeat scroll,\n"
	"\tlinear-gradient(to left, var(--shade), transparent) 100% 0 / .9rem 100% no-repeat scroll }\n"
	"tbody th { position: sticky; left: 0; background: var(--card) }\n"
	"tbody th bdi { display: inline-block; max-width: min(16rem, 40vw); white-space: normal }\n"
	"table { border-collapse: collapse; width: 100%; font-size: .9rem }\n"
	"caption { text-align: left; color: var(--quiet); padding-bottom: .25rem }\n"
	"caption span { position: sticky; left: 0; display: inline-block; max-width: calc(100vw - 4rem) }\n"
	"/* marks that are piled up do not reach into other rows */\n"
	"th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); vertical-align: top; overflow: hidden }\n"
	"thead th { border-top: 0; color: var(--quiet); font-weight: 600; white-space: nowrap }\n"
	"td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }\n"
	".id { font-family: ui-monospace, monospace; font-size: .82rem; white-space: nowrap }\n"
	"td.t, .wide td, .wide th { white-space: nowrap }\n"
	".wide td.long { white-space: normal; min-width: 14rem }\n"
	"bdi { overflow-wrap: anywhere }\n"
	"i { font-style: normal; color: var(--bad); border: 1px dotted currentcolor }\n"
	".chip { display: inline-block; padding: 0 .5em; border-radius: 1em; border: 1px solid currentcolor; font-size: .82rem; font-weight: 600; white-space: nowrap }\n"
	".chip.good { color: var(--good); background: var(--good-back) }\n"
	".chip.bad { color: var(--bad); background: var(--bad-back) }\n"
	".chip.warn { color: var(--warn); background: var(--warn-back) }\n"
	".chip.plain { color: var(--quiet) }\n"
	"svg { display: block; width: 100%; height: auto; max-height: 16rem; overflow: visible }\n"
	"svg text { fill: var(--quiet); font: 15px system-ui, sans-serif }\n"
	"svg line { stroke: var(--line) }\n"
	".f1 { fill: var(--c1) } .f2 { fill: var(--c2) } .f3 { fill: var(--c3) } .f4 { fill: var(--c4) } .f5 { fill: var(--c5) }\n"
	".back { fill: var(--line) }\n"
	".stroke { fill: none; stroke: var(--c4); stroke-width: 2 }\n"
	".stroke.half { stroke: var(--c5); stroke-dasharray: 4 3 }\n"
	"ul.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .5rem 0 0; padding: 0; font-size: .85rem }\n"
	"ul.legend svg { display: inline-block; width: .8rem; height: .8rem; vertical-align: -.1rem; margin-right: .35rem }\n"
	"details { margin-top: .5rem }\n"
	"details .wide { margin-top: .75rem }\n"
	"summary { cursor: pointer; font-size: .85rem }\n"
	":focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }\n"
	"footer { color: var(--quiet); padding-top: .5rem; padding-bottom: 2rem; font-size: .85rem }\n"
	"@media (max-width: 34rem) { section { padding: .75rem } .tiles { grid-template-columns: 1fr 1fr } .tiles > :first-child:nth-last-child(odd) { grid-column: 1 / -1 } .tiles dd { font-size: 1.2rem } svg text { font-size: 20px } }\n"
	"@media print { section { break-inside: avoid } }\n"
	"$style$\n"
	""},
	{"function answer.dashboard_suites()",
	"c() returns TABLE(\"time\" timestamp with time zone, tenant text, environment text, suite text, version integer, run_id text, cases integer, passed integer, false_accepts bigint, false_accept_rate double precision, false_refusals bigint, false_refuse_rate double precision, of_active boolean, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_suites_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, environment text, suite text, version integer, run_id text, cases integer, passed integer, false_accepts bigint, false_accept_rate double precision, false_refusals bigint, false_refuse_rate double precision, of_active boolean, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT CASE WHEN n.state IN ('verified', 'not judged') THEN n.issued_at END, t.tenant, e.name, e.suite, (b.body #>> '{suite,version}')::integer, n.receipt_id,\n"
	"\t(b.body #>> '{summary,cases}')::integer, (b.body #>> '{summary,passed}')::integer,\n"
	"\t(b.body #>> '{summary,metrics,false_accept_rate,n}')::bigint,\n"
	"\t((b.body #>> '{summary,metrics,false_accept_rate,n}')::numeric / nullif((b.body #>> '{summary,metrics,false_accept_rate,of}')::numeric, 0))::float8,\n"
	"\t(b.body #>> '{summary,metrics,false_refuse_rate,n}')::bigint,\n"
	"\t((b.body #>> '{summary,metrics,false_refuse_rate,n}')::numeric / nullif((b.body #>> '{summary,metrics,false_refuse_rate,of}')::numeric, 0))::float8,\n"
	"\tb.body ->> 'config_digest' = (SELECT c.digest FROM answer.config c WHERE c.config_id = e.active AND c.tenant = ANY (ARRAY['', t.tenant]) LIMIT 1), n.state\n"
	"-- the operator's environments count for whoever has none of that name\n"
	"FROM unnest(tenants) AS t (tenant)\n"
	"JOIN answer.environment e ON e.tenant = t.tenant OR e.tenant = ''\n"
	"\tAND NOT EXISTS (SELECT FROM answer.environment o WHERE o.tenant = t.tenant AND o.name = e.name)\n"
	"LEFT JOIN LATERAL (SELECT r.*, answer.receipt_state(r.receipt_id, r.tenant, r.schema, r.issued_at, r.verdict, r.confidence, r.degraded, r.intent,\n"
	"\t\tr.key_id, r.body) AS state\n"
	"\tFROM (SELECT d.* FROM answer.receipt d\n"
	"\t\tWHERE d.schema = 'run/v1' AND d.tenant = t.tenant AND d.body #>> '{suite,name}' = e.suite\n"
	"\t\tORDER BY d.issued_at DESC, d.receipt_id COLLATE \"C\"\n"
	"\t\tLIMIT 1) AS r\n"
	"\tOFFSET 0) AS n ON true\n"
	"CROSS JOIN LATERAL (SELECT CASE WHEN n.state IN ('verified', 'not judged') THEN n.body END AS body) AS b\n"
	"WHERE e.suite IS NOT NULL AND (n.receipt_id IS NOT NULL OR e.tenant = t.tenant)\n"
	"ORDER BY t.tenant COLLATE \"C\", e.name COLLATE \"C\""},
	{"function answer.dashboard_table(id text, caption text, heads text[], cells text[])",
	"sql(id text, caption text, heads text[], cells text[]) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"WITH head AS (\n"
	"\tSELECT split_part(h.head, ':', 1) AS class, split_part(h.head, ':', 2) AS label, h.place::integer AS place\n"
	"\tFROM unnest(heads) WITH ORDINALITY AS h (head, place)\n"
	")\n"
	"SELECT format('<div class=\"wide\" role=\"region\" aria-labelledby=\"%s\" tabindex=\"0\"><table>%s<thead><tr>%s</tr></thead><tbody>%s</tbody></table></div>',\n"
	"\tid, '<caption><span>' || caption || '</span></caption>',\n"
	"\t(SELECT string_agg(format('<th scope=\"col\"%s>%s</th>', CASE h.class WHEN 'n' THEN ' class=\"n\"' END, h.label), '' ORDER BY h.place) FROM head h),\n"
	"\tstring_agg(format('<tr>%s</tr>', (SELECT string_agg(CASE h.class WHEN '' THEN format('<td>%s</td>', cells[r][h.place])\n"
	"\t\tWHEN 'row' THEN format('<th scope=\"row\">%s</th>', cells[r][h.place])\n"
	"\t\tWHEN 'row id' THEN format('<th scope=\"row\" class=\"id\">%s</th>', cells[r][h.place])\n"
	"\t\tELSE format('<td class=\"%s\">%s</td>', h.class, cells[r][h.place]) END, '' ORDER BY h.place) FROM head h)), '' ORDER BY r))\n"
	"FROM generate_subscripts(cells, 1) AS r\n"
	"HAVING count(*) > 0\n"
	""},
	{"function answer.dashboard_tiles(tiles text[])",
	"sql(tiles text[]) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 10, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"SELECT format('<dl class=\"tiles\">%s</dl>', string_agg(concat('<div><dt>', tiles[t][1], '</dt>', '<dd>' || tiles[t][2] || '</dd>',\n"
	"\t'<dd class=\"goal\">' || tiles[t][3] || '</dd>', '</div>'), '' ORDER BY t))\n"
	"FROM generate_subscripts(tiles, 1) AS t\n"
	""},
	{"function answer.dashboard_tools()",
	"c() returns TABLE(\"time\" timestamp with time zone, tenant text, tool text, outcome text, calls double precision, mean_ms double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_tools_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, tool text, outcome text, calls double precision, mean_ms double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT w.\"time\", w.tenant, regexp_replace(w.word, ' [^ ]*$', ''), substring(w.word FROM '[^ ]*$'),\n"
	"\tsum(w.count) FILTER (WHERE w.about = 'call')::float8,\n"
	"\t((coalesce(sum(w.count) FILTER (WHERE w.about = 'ms'), 0) + coalesce(sum(w.count) FILTER (WHERE w.about = 'us'), 0) / 1000)\n"
	"\t\t/ nullif(sum(w.count) FILTER (WHERE w.about = 'timed'), 0))::float8\n"
	"FROM answer.dashboard_words(tenants, '{call,ms,us,timed}') w\n"
	"GROUP BY 1, 2, 3, 4\n"
	"ORDER BY 1, 2, 3, 4"},
	{"function answer.dashboard_verdicts()",
	"c() returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.dashboard_verdicts_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, metric text, value double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT s.\"time\", s.tenant, s.schema || ' ' || s.verdict, sum(s.documents)::float8\n"
	"FROM answer.rollup_point s\n"
	"WHERE s.tenant = ANY (tenants)\n"
	"GROUP BY s.\"time\", s.tenant, s.schema, s.verdict\n"
	"ORDER BY 1, 2, 3"},
	{"function answer.dashboard_words(tenants text[], about text[])",
	"sql(tenants text[], about text[]) returns TABLE(\"time\" timestamp with time zone, tenant text, schema text, about text, word text, count numeric), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 10000, rows 10000, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC}, extension t: \n"
	"WITH since AS MATERIALIZED (\n"
	"\tSELECT date_bin('1 day', statement_timestamp() - interval '744 hours', '2000-01-01') AS instant\n"
	"), said AS (\n"
	"\tSELECT w.starts_at, w.tenant, w.schema, w.word, w.count\n"
	"\tFROM since s, answer.rollup_word w\n"
	"\tWHERE w.tenant = ANY (tenants) AND w.grain = 60 AND w.starts_at >= s.instant\n"
	"\tUNION ALL\n"
	"\tSELECT w.starts_at, w.tenant, w.schema, w.word, w.count\n"
	"\tFROM since s, answer.rollup_word w\n"
	"\tWHERE w.tenant = ANY (tenants) AND w.grain = 1440 AND w.starts_at < s.instant\n"
	"\tUNION ALL\n"
	"\tSELECT date_bin(CASE WHEN n.issued_at >= s.instant THEN interval '1 hour' ELSE '1 day' END, n.issued_at, '2000-01-01'),\n"
	"\t\tn.tenant, n.schema, w.key, w.value::bigint\n"
	"\tFROM since s, answer.rollup_single n\n"
	"\tCROSS JOIN LATERAL jsonb_each_text(n.words) AS w\n"
	"\tWHERE NOT n.counted AND n.tenant = ANY (tenants)\n"
	")\n"
	"SELECT s.starts_at, s.tenant, s.schema, split_part(s.word, ' ', 1), substr(s.word, strpos(s.word, ' ') + 1), sum(s.count)\n"
	"FROM said s\n"
	"WHERE split_part(s.word, ' ', 1) = ANY (about)\n"
	"GROUP BY 1, 2, 3, 4, 5\n"
	""},
	{"function answer.decision_cache_get(tenant text, key text, now timestamp with time zone, OUT body jsonb, OUT receipt_id text, OUT issued_at timestamp with time zone, OUT expires_at timestamp with time zone, OUT sig jsonb)",
	"plpgsql(tenant text, key text, now timestamp with time zone, OUT body jsonb, OUT receipt_id text, OUT issued_at timestamp with time zone, OUT expires_at timestamp with time zone, OUT sig jsonb) returns record, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tSELECT r.body, c.receipt_id, c.issued_at, c.expires_at, c.sig INTO body, receipt_id, issued_at, expires_at, sig\n"
	"\tFROM answer.decision_cache c\n"
	"\tJOIN answer.receipt r ON r.receipt_id = c.receipt_id AND r.issued_at = c.issued_at AND r.tenant = c.tenant\n"
	"\tWHERE c.tenant = decision_cache_get.tenant AND c.key = decision_cache_get.key AND c.expires_at > now\n"
	"\t-- a clock that was set back makes no life longer\n"
	"\tAND c.issued_at <= now\n"
	"\t-- what was forgotten since is a tombstone\n"
	"\tAND r.body ->> 'schema' = r.schema;\n"
	"\tIF body IS NULL THEN\n"
	"\t\tRETURN;\n"
	"\tEND IF;\n"
	"\tIF answer.judged_since(tenant, body) THEN\n"
	"\t\tbody := NULL;\n"
	"\t\tRETURN;\n"
	"\tEND IF;\n"
	"\tBEGIN\n"
	"\t\t-- counting is not worth waiting for anybody\n"
	"\t\tUPDATE answer.decision_cache c SET hits = c.hits + 1, last_hit_at = now\n"
	"\t\tWHERE c.ctid = ANY (ARRAY(SELECT o.ctid FROM answer.decision_cache o\n"
	"\t\t\tWHERE o.tenant = decision_cache_get.tenant AND o.key = decision_cache_get.key FOR UPDATE SKIP LOCKED));\n"
	"\tEXCEPTION WHEN serialization_failure THEN\n"
	"\t\tNULL;\n"
	"\tEND;\n"
	"END\n"
	""},
	{"function answer.decision_cache_put(tenant text, key text, receipt_id text, issued_at timestamp with time zone, expires_at timestamp with time zone, sig jsonb, entries integer)",
	"plpgsql(tenant text, key text, receipt_id text, issued_at timestamp with time zone, expires_at timestamp with time zone, sig jsonb, entries integer) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tsurplus bigint;\n"
	"BEGIN\n"
	"\tIF entries = 0 THEN\n"
	"\t\tRETURN;\n"
	"\tEND IF;\n"
	"\tINSERT INTO answer.decision_cache AS c (key, tenant, receipt_id, issued_at, expires_at, last_hit_at, sig)\n"
	"\tVALUES (key, tenant, receipt_id, issued_at, expires_at, issued_at, sig)\n"
	"\tON CONFLICT ON CONSTRAINT decision_cache_pkey DO UPDATE\n"
	"\tSET receipt_id = excluded.receipt_id, issued_at = excluded.issued_at, expires_at = excluded.expires_at,\n"
	"\t\thits = 0, last_hit_at = excluded.last_hit_at, sig = excluded.sig;\n"
	"\tSELECT count(*) - entries INTO surplus FROM answer.decision_cache c WHERE c.tenant = decision_cache_put.tenant;\n"
	"\tIF surplus > 0 THEN\n"
	"\t\t-- what has expired first, then the least used for its age\n"
	"\t\tDELETE FROM answer.decision_cache c WHERE c.ctid = ANY (ARRAY(\n"
	"\t\t\tSELECT o.ctid FROM answer.decision_cache o\n"
	"\t\t\tWHERE o.tenant = decision_cache_put.tenant AND o.key <> decision_cache_put.key\n"
	"\t\t\tORDER BY o.expires_at > issued_at,\n"
	"\t\t\t\to.hits / (1 + greatest(extract(epoch FROM issued_at - o.last_hit_at), 0) / 3600),\n"
	"\t\t\t\to.last_hit_at, o.key\n"
	"\t\t\tLIMIT surplus FOR UPDATE SKIP LOCKED));\n"
	"\tEND IF;\n"
	"EXCEPTION WHEN serialization_failure THEN\n"
	"\t-- somebody else is keeping the same: that will do\n"
	"\tNULL;\n"
	"END\n"
	""},
	{"function answer.decision_rule_register_put(list text, entry text, detail jsonb, replace boolean)",
	"plpgsql(list text, entry text, detail jsonb, replace boolean) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tlists CONSTANT text[] := '{allow,prohibit,refund_allowed,refund_refused,encrypt,plaintext,negators,not_negating,encryption_waived,exceptions,topics,units,stop_words,insufficiency,risk.high,risk.medium,ambiguity,months}';\n"
	"\twanted jsonb;\n"
	"\tshipped answer.decision_rule;\n"
	"\town answer.decision_rule;\n"
	"BEGIN\n"
	"\tIF list IS NULL OR entry IS NULL OR detail IS NULL OR replace IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'list, entry, detail and replace must not be null';\n"
	"\tEND IF;\n"
	"\tIF list <> ALL (lists) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('there is no list \"%s\" of rules', list),\n"
	"\t\t\tdetail = format('The lists are %s.', array_to_string(lists, ', '));\n"
	"\tEND IF;\n"
	"\tIF entry = '' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('an entry of list \"%s\" must not be empty', list);\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(detail) <> 'object' OR (list NOT IN ('topics', 'units', 'ambiguity') AND detail <> '{}')\n"
	"\t\tOR list = 'topics' AND (jsonb_typeof(detail -> 'family') IS DISTINCT FROM 'string' OR detail - '{family,kind}'::text[] <> '{}')\n"
	"\t\tOR list = 'units' AND (jsonb_typeof(detail -> 'unit') IS DISTINCT FROM 'string' OR detail - 'unit' <> '{}')\n"
	"\t\tOR list = 'ambiguity' AND (jsonb_typeof(detail -> 'holds') IS DISTINCT FROM 'array' OR detail ? 'question') THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('detail of entry \"%s\" of list \"%s\" is malformed', entry, list),\n"
	"\t\t\tdetail = format('It is %s.', left(detail::text, 200)),\n"
	"\t\t\thint = format('This list takes %s.', CASE list WHEN 'topics' THEN '{\"family\": word, \"kind\"?: \"qualifier\" or \"quantity\"}' WHEN 'units' THEN '{\"unit\": name}'\n"
	"\t\t\t\tWHEN 'ambiguity' THEN '{\"holds\": [words], ...}, without \"question\"' ELSE '{}' END);\n"
	"\tEND IF;\n"
	"\tIF list <> 'ambiguity' AND (answer.search_items('', entry, '')).items = '{}' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('entry \"%s\" of list \"%s\" has no word', entry, list),\n"
	"\t\t\tdetail = 'A word is of letters, marks and decimal digits; nothing else matches.';\n"
	"\tEND IF;\n"
	"\t-- bytes that no document could tell of would keep everybody from being told\n"
	"\twanted := answer.portable(detail);\n"
	"\tPERFORM @extschema@.answer_canonical(jsonb_build_array(list, entry, wanted));\n"
	"\t-- one after the other, for the order of entries is counted; readers do not wait\n"
	"\tLOCK TABLE answer.decision_rule IN SHARE ROW EXCLUSIVE MODE;\n"
	"\tSELECT r.* INTO shipped FROM answer.decision_rule r WHERE r.list = decision_rule_register_put.list\n"
	"\t\tAND r.entry = decision_rule_register_put.entry AND r.seed;\n"
	"\tSELECT r.* INTO own FROM answer.decision_rule r WHERE r.list = decision_rule_register_put.list\n"
	"\t\tAND r.entry = decision_rule_register_put.entry AND NOT r.seed;\n"
	"\tIF NOT replace AND (own.entry IS NOT NULL AND NOT own.excluded AND own.detail <> wanted\n"
	"\t\tOR own.entry IS NULL AND shipped.entry IS NOT NULL AND shipped.detail <> wanted) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '23505', message = format('entry \"%s\" of list \"%s\" is registered already with other values', entry, list),\n"
	"\t\t\tdetail = format('Its detail is %s.', COALESCE(own.detail, shipped.detail)),\n"
	"\t\t\thint = 'To change it, give replace => true.';\n"
	"\tEND IF;\n"
	"\tIF shipped.detail = wanted THEN\n"
	"\t\t-- as it was shipped, whatever a user made of it\n"
	"\t\tDELETE FROM answer.decision_rule r WHERE r.list = shipped.list AND r.entry = shipped.entry AND NOT r.seed;\n"
	"\tELSIF own.detail = wanted AND NOT own.excluded THEN\n"
	"\t\tRETURN;\n"
	"\tELSE\n"
	"\t\tINSERT INTO answer.decision_rule AS r (list, entry, detail, position)\n"
	"\t\tSELECT list, entry, wanted, COALESCE(max(o.position), 0) + 1\n"
	"\t\tFROM answer.decision_rule o WHERE o.list = decision_rule_register_put.list\n"
	"\t\tON CONFLICT ON CONSTRAINT decision_rule_pkey DO UPDATE SET detail = excluded.detail, excluded = false;\n"
	"\tEND IF;\n"
	"\tPERFORM answer.decision_rules_check(list, entry);\n"
	"END\n"
	""},
	{"function answer.decision_rule_remove_put(list text, entry text)",
	"plpgsql(list text, entry text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tshipped answer.decision_rule;\n"
	"\town answer.decision_rule;\n"
	"\tplace bigint;\n"
	"BEGIN\n"
	"\tIF list IS NULL OR entry IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'list and entry must not be null';\n"
	"\tEND IF;\n"
	"\tLOCK TABLE answer.decision_rule IN SHARE ROW EXCLUSIVE MODE;\n"
	"\tSELECT r.* INTO shipped FROM answer.decision_rule r WHERE r.list = decision_rule_remove_put.list\n"
	"\t\tAND r.entry = decision_rule_remove_put.entry AND r.seed;\n"
	"\tSELECT r.* INTO own FROM answer.decision_rule r WHERE r.list = decision_rule_remove_put.list\n"
	"\t\tAND r.entry = decision_rule_remove_put.entry AND NOT r.seed;\n"
	"\tIF own.excluded OR (own.entry IS NULL AND shipped.entry IS NULL) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no entry \"%s\" in list \"%s\" of the rules', entry, list),\n"
	"\t\t\thint = 'answer.decision_rules() has the rules as they are.';\n"
	"\tEND IF;\n"
	"\t-- rows of ambiguity name others by their place\n"
	"\tIF list = 'ambiguity' THEN\n"
	"\t\tSELECT a.n - 1 INTO place FROM answer.decision_rules d, jsonb_array_elements(d.rules -> 'ambiguity') WITH ORDINALITY AS a (row, n)\n"
	"\t\tWHERE a.row ->> 'question' = entry;\n"
	"\t\tIF EXISTS (SELECT FROM answer.decision_rules d, jsonb_array_elements(d.rules -> 'ambiguity') AS a (row)\n"
	"\t\t\tWHERE a.row ->> 'question' <> entry AND jsonb_typeof(a.row -> 'or_after_opens_of') = 'number'\n"
	"\t\t\tAND (a.row -> 'or_after_opens_of')::numeric >= place) THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '55000', message = format('another row of ambiguity names the place of \"%s\", or one behind it', entry),\n"
	"\t\t\t\tdetail = 'Its member \"or_after_opens_of\" counts the rows from 0 on.',\n"
	"\t\t\t\thint = 'Remove that row first.';\n"
	"\t\tEND IF;\n"
	"\tEND IF;\n"
	"\tIF shipped.entry IS NULL THEN\n"
	"\t\tDELETE FROM answer.decision_rule r WHERE r.list = own.list AND r.entry = own.entry AND NOT r.seed;\n"
	"\tELSE\n"
	"\t\tINSERT INTO answer.decision_rule AS r (list, entry, detail, excluded, position)\n"
	"\t\tVALUES (shipped.list, shipped.entry, '{}', true, shipped.position)\n"
	"\t\tON CONFLICT ON CONSTRAINT decision_rule_pkey DO UPDATE SET detail = '{}', excluded = true;\n"
	"\tEND IF;\n"
	"\tPERFORM answer.decision_rules_check(list, entry);\n"
	"END\n"
	""},
	{"function answer.decision_rules()",
	"c() returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 2000, rows 0, settings , extension t in answer_eval: answer_eval_decision_rules"},
	{"function answer.decision_rules_check(list text, entry text)",
	"plpgsql(list text, entry text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tPERFORM answer.risk('', r.rules) FROM answer.decision_rules r;\n"
	"\tPERFORM answer.change_record_put('', 'decision_rule', concat(list, ': ', entry));\n"
	"END\n"
	""},
	{"function answer.document_erase(tenant text, doc_id text)",
	"plpgsql(tenant text, doc_id text) returns text[], kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tplace\ttext;\n"
	"\tdigests\ttext[];\n"
	"\tremoved\tbytea[];\n"
	"\tbefore\tbytea;\n"
	"BEGIN\n"
	"\tPERFORM answer.document_set_lock(tenant);\n"
	"\tSELECT array_agg(d.content_hash ORDER BY d.version) INTO digests\n"
	"\tFROM answer.document d WHERE d.tenant = document_erase.tenant AND d.doc_id = document_erase.doc_id;\n"
	"\t-- what unfinished runs have quoted\n"
	"\tWITH work AS (\n"
	"\t\tDELETE FROM answer.run_work w USING answer.suite s\n"
	"\t\tWHERE w.tenant = document_erase.tenant AND s.tenant IN (w.tenant, '') AND s.name = w.suite AND s.version = w.version\n"
	"\t\tAND s.documents ?| digests\n"
	"\t\tRETURNING w.work_id\n"
	"\t)\n"
	"\tDELETE FROM answer.run_work_case c USING work g WHERE c.tenant = document_erase.tenant AND c.work_id = g.work_id;\n"
	"\t-- The tenant's own, and the copies that its suites have of the same content.  Another content under the same id is\n"
	"\t-- another document.  The digest covers the id, and a suite has each id once.\n"
	"\tFOR place IN SELECT p.key FROM (SELECT tenant AS key UNION SELECT s.document_set FROM answer.suite s\n"
	"\t\tJOIN answer.document d ON d.tenant = s.document_set AND d.doc_id = document_erase.doc_id AND d.content_hash = ANY (digests)\n"
	"\t\tWHERE s.tenant = document_erase.tenant AND NOT s.seed) AS p ORDER BY p.key COLLATE \"C\"\n"
	"\tLOOP\n"
	"\t\tPERFORM answer.document_set_lock(place);\n"
	"\t\tPERFORM answer.content_settle();\n"
	"\t\tSELECT s.sum INTO before FROM answer.document_set s WHERE s.tenant = place;\n"
	"\t\tPERFORM answer.chunk_unindex(place, ARRAY[doc_id]);\n"
	"\t\tDELETE FROM answer.chunk c WHERE c.tenant = place AND c.doc_id = document_erase.doc_id;\n"
	"\t\tWITH embedding AS (\n"
	"\t\t\tDELETE FROM answer.chunk_embedding e WHERE e.tenant = place AND split_part(e.chunk_id, '#', 1) = doc_id\n"
	"\t\t\tRETURNING answer.row_digest('chunk_embedding', e) AS digest\n"
	"\t\t), fact AS (\n"
	"\t\t\tDELETE FROM answer.document_fact f WHERE f.tenant = place AND f.doc_id = document_erase.doc_id\n"
	"\t\t\tRETURNING answer.row_digest('document_fact', f) AS digest\n"
	"\t\t), document AS (\n"
	"\t\t\tDELETE FROM answer.document d WHERE d.tenant = place AND d.doc_id = document_erase.doc_id\n"
	"\t\t\tRETURNING answer.row_digest('document', d) AS digest\n"
	"\t\t)\n"
	"\t\tSELECT array_agg(g.digest) INTO removed FROM (SELECT e.digest FROM embedding e UNION ALL SELECT f.digest FROM fact f UNION ALL SELECT d.digest FROM document d) AS g;\n"
	"\t\tUPDATE answer.document_set s SET version = s.version + 1, sum = answer.row_sum(s.sum, COALESCE(removed, '{}'), '{}')\n"
	"\t\tWHERE s.tenant = place AND digests IS NOT NULL;\n"
	"\t\tPERFORM answer.content_record_put(place, 'documents', 'documents', before);\n"
	"\t\tPERFORM answer.content_settle();\n"
	"\tEND LOOP;\n"
	"\t-- what waits for its answer, whoever brought the chunks\n"
	"\tDELETE FROM answer.retrieval r WHERE r.tenant = document_erase.tenant\n"
	"\tAND r.state #> '{retrieval,chunks}' @> jsonb_build_array(jsonb_build_object('doc_id', doc_id));\n"
	"\tRETURN digests;\n"
	"END\n"
	""},
	{"function answer.document_fact_key(subject text, attribute text, scope text)",
	"c(subject text, attribute text, scope text) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_document_fact_key"},
	{"function answer.document_fact_readings(tenant text, args jsonb, evaluated_at timestamp with time zone)",
	"sql(tenant text, args jsonb, evaluated_at timestamp with time zone) returns TABLE(raw jsonb, source text, url text, observed_at timestamp with time zone, expires timestamp with time zone, digest text), kind f, volatile s, strict t, definer f, leakproof f, parallel u, cost 100, rows 2, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tSELECT r.raw, f.doc_id, f.url, f.\"timestamp\", f.expires, answer.evidence_digest('doc.fact', args, r.raw, f.doc_id, f.\"timestamp\", f.expires)\n"
	"\tFROM (SELECT DISTINCT ON (s.doc_id) s.*, d.url, d.\"timestamp\", CASE n.days WHEN 0 THEN '9999-12-31 00:00:00+00'\n"
	"\t\t\tELSE least(d.\"timestamp\" + make_interval(days => n.days), '9999-12-31 00:00:00+00') END AS expires\n"
	"\t\tFROM answer.document_fact s\n"
	"\t\tJOIN answer.document d ON d.tenant = s.tenant AND d.doc_id = s.doc_id AND d.version = s.version\n"
	"\t\tCROSS JOIN (SELECT answer.freshness_days_of(document_fact_readings.tenant) AS days) AS n\n"
	"\t\tWHERE s.tenant = document_fact_readings.tenant\n"
	"\t\tAND s.key = answer.document_fact_key(args ->> 'subject', args ->> 'attribute', args ->> 'scope')\n"
	"\t\tAND d.\"timestamp\" <= evaluated_at\n"
	"\t\tAND NOT EXISTS (SELECT FROM answer.document l WHERE l.tenant = d.tenant AND l.doc_id = d.doc_id AND l.version > d.version)\n"
	"\t\tORDER BY s.doc_id, s.chunk_id, s.digest) AS f\n"
	"\tCROSS JOIN LATERAL (SELECT answer.portable(jsonb_strip_nulls(jsonb_build_object('value', f.value::jsonb, 'unit', f.unit, 'doc_id', f.doc_id,\n"
	"\t\t'version', f.version, 'chunk_id', f.chunk_id, 'quote', f.quote, 'by', f.by, 'role', f.role)))) AS r (raw)\n"
	""},
	{"function answer.document_facts_add_put(tenant text, doc_id text, facts jsonb, options jsonb)",
	"plpgsql(tenant text, doc_id text, facts jsonb, options jsonb) returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tnewest answer.document;\n"
	"\tread_out jsonb;\n"
	"\tadded bytea[];\n"
	"\tbefore bytea;\n"
	"\tunknown text;\n"
	"BEGIN\n"
	"\tIF doc_id IS NULL OR facts IS NULL OR options IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'doc_id, facts and options must not be null';\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(options) <> 'object' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('options must be an object, and is a JSON %s', jsonb_typeof(options));\n"
	"\tEND IF;\n"
	"\tSELECT k INTO unknown FROM jsonb_object_keys(options) AS k WHERE k <> 'by' ORDER BY k COLLATE \"C\" LIMIT 1;\n"
	"\tIF FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('option \"%s\" is unknown', unknown), hint = 'The only option is by, who read the facts.';\n"
	"\tEND IF;\n"
	"\tIF COALESCE(jsonb_typeof(options -> 'by'), 'null') NOT IN ('null', 'string') OR options ->> 'by' ~ '^[[:space:]]*$' OR length(options ->> 'by') > 200 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'option \"by\" must be a text of 1 to 200 characters that is not blank';\n"
	"\tEND IF;\n"
	"\t-- as a load: who forgets has this lock first\n"
	"\tPERFORM answer.keep_unforgotten(tenant);\n"
	"\tPERFORM answer.document_set_lock(tenant);\n"
	"\tSELECT d.* INTO newest FROM answer.document d WHERE d.tenant = document_facts_add_put.tenant AND d.doc_id = document_facts_add_put.doc_id\n"
	"\tORDER BY d.version DESC LIMIT 1;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no document \"%s\"', doc_id),\n"
	"\t\t\thint = 'answer_documents() lists them; answer_document_load() loads one.';\n"
	"\tEND IF;\n"
	"\tread_out := answer.document_facts_read(facts, (SELECT jsonb_agg(jsonb_build_object('chunk_id', c.chunk_id, 'text', c.text) ORDER BY c.ordinal)\n"
	"\t\tFROM answer.chunk c WHERE c.tenant = newest.tenant AND c.doc_id = newest.doc_id AND c.version = newest.version));\n"
	"\tPERFORM answer.content_settle();\n"
	"\tSELECT s.sum INTO before FROM answer.document_set s WHERE s.tenant = document_facts_add_put.tenant;\n"
	"\tWITH put AS (\n"
	"\t\tINSERT INTO answer.document_fact AS f (tenant, doc_id, version, chunk_id, key, subject, attribute, scope, value, unit, quote, by, role, digest)\n"
	"\t\tSELECT newest.tenant, newest.doc_id, newest.version, r.fact ->> 'chunk_id', r.fact ->> 'key', r.fact ->> 'subject', r.fact ->> 'attribute',\n"
	"\t\t\tr.fact ->> 'scope', (r.fact -> 'value')::text, r.fact ->> 'unit', r.fact ->> 'quote', options ->> 'by', session_user, r.fact ->> 'digest'\n"
	"\t\tFROM jsonb_array_elements(read_out) AS r (fact)\n"
	"\t\tON CONFLICT DO NOTHING\n"
	"\t\tRETURNING answer.row_digest('document_fact', f) AS digest\n"
	"\t)\n"
	"\tSELECT array_agg(p.digest) INTO added FROM put p;\n"
	"\tIF added IS NULL THEN\n"
	"\t\tRETURN 0;\n"
	"\tEND IF;\n"
	"\tUPDATE answer.document_set s SET version = s.version + 1, sum = answer.row_sum(s.sum, '{}', added)\n"
	"\tWHERE s.tenant = document_facts_add_put.tenant;\n"
	"\tPERFORM answer.content_record_put(tenant, 'documents', 'documents', before);\n"
	"\tPERFORM answer.content_settle();\n"
	"\tRETURN cardinality(added);\n"
	"END\n"
	""},
	{"function answer.document_facts_of(tenant text, filter jsonb)",
	"sql(tenant text, filter jsonb) returns TABLE(doc_id text, version integer, chunk_id text, subject text, attribute text, scope text, value jsonb, unit text, quote text, by text, role text, added_at timestamp with time zone), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 100, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT doc_id, version, chunk_id, subject, attribute, scope, value ::jsonb AS value, unit, quote, by, role, added_at FROM documents_of tenant, filter d doc_id, title, \"timestamp\", url, version, chunks, content_hash, loaded_at JOIN document_fact f ON tenant = tenant AND doc_id = doc_id AND version = version ORDER BY doc_id COLLATE \"C\" , chunk_id COLLATE \"C\" , subject COLLATE \"C\" , attribute COLLATE \"C\" , scope COLLATE \"C\" NULLS FIRST, digest; END"},
	{"function answer.document_facts_read(facts jsonb, chunks jsonb)",
	"c(facts jsonb, chunks jsonb) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_document_facts_read"},
	{"function answer.document_filter(tenant text, filter jsonb, OUT doc_ids text[], OUT since timestamp with time zone, OUT until timestamp with time zone, OUT title_items bytea[])",
	"c(tenant text, filter jsonb, OUT doc_ids text[], OUT since timestamp with time zone, OUT until timestamp with time zone, OUT title_items bytea[]) returns record, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_document_filter"},
	{"function answer.document_load_put(tenant text, docs jsonb)",
	"plpgsql(tenant text, docs jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tresult jsonb;\n"
	"\tstored text[];\n"
	"\tadded bytea[];\n"
	"\tremoved bytea[];\n"
	"\tbefore bytea;\n"
	"BEGIN\n"
	"\tIF tenant IS NULL OR docs IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'docs must not be null';\n"
	"\tEND IF;\n"
	"\t-- refuses what is malformed, by itself: an error shows the statement that it comes from, and this one is short\n"
	"\tPERFORM FROM answer.document_read(docs);\n"
	"\t-- who forgets has this lock first, and then the rows: nobody waits in a circle\n"
	"\tPERFORM answer.keep_unforgotten(tenant);\n"
	"\t-- rules that change meanwhile would have chunks read again, but not these\n"
	"\tPERFORM answer.rules_stay();\n"
	"\t-- the lock would leave a row, of which no record tells\n"
	"\tIF docs = '[]' AND NOT EXISTS (SELECT FROM answer.document_set s WHERE s.tenant = document_load_put.tenant) THEN\n"
	"\t\tRETURN '{\"created\": 0, \"replaced\": 0, \"unchanged\": 0, \"chunks\": 0, \"documents\": []}';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.document_set_lock(tenant);\n"
	"\tPERFORM answer.content_settle();\n"
	"\tSELECT s.sum INTO before FROM answer.document_set s WHERE s.tenant = document_load_put.tenant;\n"
	"\tWITH given AS MATERIALIZED (\n"
	"\t\tSELECT r.* FROM answer.document_read(docs) AS r\n"
	"\t), judged AS MATERIALIZED (\n"
	"\t\tSELECT g.*, COALESCE(d.version, 0) AS last_version, d.content_hash IS DISTINCT FROM g.content_hash AS is_new\n"
	"\t\tFROM given g CROSS JOIN LATERAL answer.document_newest(tenant, g.doc_id) AS d\n"
	"\t\tWHERE g.ordinal = 0\n"
	"\t), put AS (\n"
	"\t\tINSERT INTO answer.document AS n (tenant, doc_id, version, title, url, \"timestamp\", chunks, content_hash, loaded_by)\n"
	"\t\tSELECT tenant, j.doc_id, j.last_version + 1, j.title, j.url, j.\"timestamp\", j.chunks, j.content_hash, session_user\n"
	"\t\tFROM judged j WHERE j.is_new\n"
	"\t\tRETURNING answer.row_digest('document', n) AS digest\n"
	"\t), cut AS (\n"
	"\t\tINSERT INTO answer.chunk (tenant, doc_id, version, ordinal, chunk_id, anchor, section, uri, title, text, content_hash)\n"
	"\t\tSELECT tenant, g.doc_id, j.last_version + 1, g.ordinal, g.chunk_id, g.anchor, g.section, g.uri, g.chunk_title, g.text, g.chunk_hash\n"
	"\t\tFROM given g JOIN judged j ON j.doc_id = g.doc_id AND j.is_new\n"
	"\t)\n"
	"\tSELECT jsonb_build_object('created', count(*) FILTER (WHERE j.last_version = 0),\n"
	"\t\t\t'replaced', count(*) FILTER (WHERE j.last_version > 0 AND j.is_new), 'unchanged', count(*) FILTER (WHERE NOT j.is_new),\n"
	"\t\t\t'chunks', COALESCE(sum(j.chunks) FILTER (WHERE j.is_new), 0), 'documents', COALESCE(jsonb_agg(jsonb_build_object('doc_id', j.doc_id,\n"
	"\t\t\t\t'version', j.last_version + j.is_new::int, 'chunks', j.chunks, 'content_hash', j.content_hash, 'state',\n"
	"\t\t\t\tCASE WHEN NOT j.is_new THEN 'unchanged' WHEN j.last_version = 0 THEN 'created' ELSE 'replaced' END)\n"
	"\t\t\t\tORDER BY j.doc_id COLLATE \"C\"), '[]')),\n"
	"\t\tarray_agg(j.doc_id) FILTER (WHERE j.is_new), ARRAY(SELECT p.digest FROM put p)\n"
	"\tINTO result, stored, added\n"
	"\tFROM judged j;\n"
	"\tIF stored IS NULL THEN\n"
	"\t\tRETURN result;\n"
	"\tEND IF;\n"
	"\tPERFORM answer.refuse_forgotten(tenant, d ->> 'content_hash')\n"
	"\tFROM jsonb_array_elements(result -> 'documents') AS d WHERE d ->> 'state' <> 'unchanged';\n"
	"\tPERFORM answer.chunk_unindex(tenant, stored);\n"
	"\tPERFORM answer.chunk_index(tenant, stored);\n"
	"\tWITH gone AS (\n"
	"\t\tDELETE FROM answer.chunk_embedding e\n"
	"\t\tWHERE e.ctid = ANY (ARRAY(SELECT n.ctid FROM unnest(stored) AS d (doc_id)\n"
	"\t\t\tCROSS JOIN LATERAL (SELECT DISTINCT o.chunk_id FROM answer.chunk o\n"
	"\t\t\t\tWHERE o.tenant = document_load_put.tenant AND o.doc_id = d.doc_id OFFSET 0) AS k\n"
	"\t\t\tCROSS JOIN LATERAL (SELECT o.ctid, o.content_hash FROM answer.chunk_embedding o\n"
	"\t\t\t\tWHERE o.tenant = document_load_put.tenant AND o.chunk_id = k.chunk_id OFFSET 0) AS n\n"
	"\t\t\tWHERE NOT EXISTS (SELECT FROM answer.chunk_search s\n"
	"\t\t\t\tJOIN answer.chunk c ON c.tenant = s.tenant AND c.doc_id = s.doc_id AND c.version = s.version AND c.ordinal = s.ordinal\n"
	"\t\t\t\tWHERE s.tenant = document_load_put.tenant AND s.chunk_id = k.chunk_id AND c.content_hash = n.content_hash)))\n"
	"\t\tRETURNING answer.row_digest('chunk_embedding', e) AS digest\n"
	"\t)\n"
	"\tSELECT array_agg(g.digest) INTO removed FROM gone g;\n"
	"\tUPDATE answer.document_set s SET version = s.version + 1, sum = answer.row_sum(s.sum, COALESCE(removed, '{}'), added)\n"
	"\tWHERE s.tenant = document_load_put.tenant;\n"
	"\tPERFORM answer.content_record_put(tenant, 'documents', 'documents', before);\n"
	"\tPERFORM answer.content_settle();\n"
	"\tRETURN result;\n"
	"END\n"
	""},
	{"function answer.document_newest(tenant text, doc_id text, OUT version integer, OUT content_hash text)",
	"plpgsql(tenant text, doc_id text, OUT version integer, OUT content_hash text) returns record, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\",enable_seqscan=off,jit=off}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tSELECT o.version, o.content_hash INTO version, content_hash FROM answer.document o\n"
	"\tWHERE o.tenant = document_newest.tenant AND o.doc_id = document_newest.doc_id ORDER BY o.version DESC LIMIT 1;\n"
	"END\n"
	""},
	{"function answer.document_read(docs jsonb)",
	"c(docs jsonb) returns TABLE(doc_id text, title text, url text, \"timestamp\" timestamp with time zone, content_hash text, chunks integer, ordinal integer, chunk_id text, anchor text, section text, uri text, chunk_title text, text text, chunk_hash text), kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1000, rows 100, settings , extension t in answer_eval: answer_eval_document_read"},
	{"function answer.document_set_lock(tenant text)",
	"plpgsql(tenant text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tINSERT INTO answer.document_set (tenant, version, chunks) VALUES (tenant, 0, 0) ON CONFLICT DO NOTHING;\n"
	"\tPERFORM FROM answer.document_set s WHERE s.tenant = document_set_lock.tenant FOR UPDATE;\n"
	"END\n"
	""},
	{"function answer.document_set_version(tenant text)",
	"sql(tenant text) returns bigint, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT COALESCE SELECT version FROM document_set s WHERE tenant = tenant , 0 ::bigint AS \"coalesce\"; END"},
	{"function answer.document_size(body jsonb)",
	"c(body jsonb) returns bigint, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_document_size"},
	{"function answer.documents_of(tenant text, filter jsonb)",
	"sql(tenant text, filter jsonb) returns TABLE(doc_id text, title text, \"timestamp\" timestamp with time zone, url text, version integer, chunks integer, content_hash text, loaded_at timestamp with time zone), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 100, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT doc_id, title, \"timestamp\", url, version, chunks, content_hash, loaded_at FROM document d, document_filter tenant, filter f doc_ids, since, until, title_items WHERE tenant = tenant AND NOT EXISTS SELECT FROM document n WHERE tenant = tenant AND doc_id = doc_id AND version > version AND doc_ids IS NULL OR doc_id = ANY doc_ids AND since IS NULL OR \"timestamp\" >= since AND until IS NULL OR \"timestamp\" <= until AND title_items IS NULL OR search_items tenant, ''::text, title .title_items @> title_items ORDER BY doc_id COLLATE \"C\" ; END"},
	{"function answer.drop_guard()",
	"c() returns event_trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_drop_guard"},
	{"function answer.ed25519_verify(public_key bytea, message bytea, signature bytea)",
	"c(public_key bytea, message bytea, signature bytea) returns boolean, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_ed25519_verify"},
	{"function answer.embedding_check(embedding real[])",
	"plpgsql(embedding real[]) returns void, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF embedding IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'embedding must not be null';\n"
	"\tEND IF;\n"
	"\tIF array_ndims(embedding) IS DISTINCT FROM 1 OR cardinality(embedding) > 16000 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'embedding must be a list of 1 to 16000 numbers',\n"
	"\t\t\tdetail = format('It has %s dimensions and %s numbers.', COALESCE(array_ndims(embedding), 0), cardinality(embedding));\n"
	"\tEND IF;\n"
	"\tIF EXISTS (SELECT FROM unnest(embedding) AS u (x) WHERE x IS NULL OR x IN ('NaN', 'Infinity', '-Infinity')) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'embedding must hold finite numbers only';\n"
	"\tEND IF;\n"
	"\tIF 0 = ALL (embedding) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'embedding must not be zero',\n"
	"\t\t\tdetail = 'A vector without a direction has no cosine.';\n"
	"\tEND IF;\n"
	"\t-- pgvector squares in type real: what comes to 0 there would have the cosine 1 with everything\n"
	"\tIF (SELECT sum(u.x::float8 * u.x) FROM unnest(embedding) AS u (x)) NOT BETWEEN 1e-30 AND 1e30 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'embedding must have a length from 1e-15 to 1e15',\n"
	"\t\t\thint = 'Scale it: that changes no cosine.';\n"
	"\tEND IF;\n"
	"END\n"
	""},
	{"function answer.embedding_index_put(dimensions integer)",
	"plpgsql(dimensions integer) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF dimensions IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'dimensions must not be null';\n"
	"\tEND IF;\n"
	"\tIF dimensions NOT BETWEEN 1 AND 2000 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('dimensions is %s', dimensions),\n"
	"\t\t\tdetail = 'It must be from 1 to 2000, which an HNSW index takes.';\n"
	"\tEND IF;\n"
	"\tEXECUTE format('CREATE INDEX IF NOT EXISTS chunk_embedding_hnsw_%1$s ON answer.chunk_embedding'\n"
	"\t\t' USING hnsw ((embedding::%2$s.vector(%1$s)) %2$s.vector_cosine_ops) WHERE cardinality(embedding) = %1$s', dimensions, answer.vector_schema());\n"
	"END\n"
	""},
	{"function answer.environment_guard()",
	"c() returns trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_environment_guard"},
	{"function answer.eval_progress_rows()",
	"c() returns TABLE(pid integer, role text, started_at timestamp with time zone, requests bigint, done bigint, refused bigint), kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 100, rows 10, settings , extension t in answer_eval: answer_eval_progress_rows"},
	{"function answer.evidence_add_put(tenant text, tool text, args jsonb, raw jsonb, source text, observed_at timestamp with time zone, expires timestamp with time zone)",
	"plpgsql(tenant text, tool text, args jsonb, raw jsonb, source text, observed_at timestamp with time zone, expires timestamp with time zone) returns text, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tregistered answer.tool;\n"
	"\tportable_args jsonb := answer.portable(COALESCE(args, '{}'));\n"
	"\tportable_raw jsonb := answer.portable(raw);\n"
	"\targs_digest text := @extschema@.answer_digest(portable_args);\n"
	"\tdigest text;\n"
	"\targument text;\n"
	"\tknown_arguments text;\n"
	"BEGIN\n"
	"\tIF raw IS NULL OR source IS NULL OR observed_at IS NULL OR tool IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'tool, raw, source and observed_at must not be null';\n"
	"\tEND IF;\n"
	"\t-- should a shared tool have come to have the name of a tenant's own, it is the one\n"
	"\tSELECT t.* INTO registered FROM answer.tool t\n"
	"\tWHERE t.tenant IN (evidence_add_put.tenant, '') AND t.tool = evidence_add_put.tool\n"
	"\tORDER BY t.tenant LIMIT 1;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('unknown tool \"%s\"', tool),\n"
	"\t\t\thint = 'answer_coverage() lists the tools that are registered; answer_tool_register() registers one.';\n"
	"\tEND IF;\n"
	"\tIF registered.seed THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('tool \"%s\" comes with answer_eval and takes no stored readings', tool),\n"
	"\t\t\thint = CASE tool WHEN 'doc.fact' THEN 'answer_document_facts_add() adds what was read out of a document.'\n"
	"\t\t\t\tELSE 'answer_eval() and answer_fact() call it. To store readings, register a tool without a handler.' END;\n"
	"\tEND IF;\n"
	"\tIF registered.handler IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('tool \"%s\" is a function and takes no stored readings', tool),\n"
	"\t\t\thint = 'answer_eval() and answer_fact() call it. To store readings, register a tool without a handler.';\n"
	"\tEND IF;\n"
	"\tIF registered.spec IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('tool \"%s\" is external and takes no stored readings', tool),\n"
	"\t\t\thint = 'The application answers it as a step of a plan. To store readings, register a tool without a spec.';\n"
	"\tEND IF;\n"
	"\tIF NOT EXISTS (SELECT FROM answer.source s WHERE s.source = evidence_add_put.source) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('unknown source \"%s\"', source),\n"
	"\t\t\thint = 'answer.source lists the sources that are registered; answer_source_register() registers one.';\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(portable_args) <> 'object' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('args must be an object, and is a JSON %s', jsonb_typeof(portable_args));\n"
	"\tEND IF;\n"
	"\tknown_arguments := COALESCE('The tool has these arguments: ' || NULLIF(array_to_string(registered.required_args || registered.optional_args, ', '), '') || '.',\n"
	"\t\t'The tool has no argument.');\n"
	"\tFOREACH argument IN ARRAY registered.required_args LOOP\n"
	"\t\tIF COALESCE(jsonb_typeof(portable_args -> argument), 'null') = 'null' THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\tmessage = format('tool \"%s\": required argument \"%s\" is missing', tool, argument),\n"
	"\t\t\t\thint = known_arguments;\n"
	"\t\tEND IF;\n"
	"\tEND LOOP;\n"
	"\tFOR argument IN SELECT jsonb_object_keys(portable_args) LOOP\n"
	"\t\tIF argument <> ALL (registered.required_args || registered.optional_args) THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\tmessage = format('tool \"%s\" declares no argument \"%s\"', tool, argument),\n"
	"\t\t\t\thint = known_arguments;\n"
	"\t\tEND IF;\n"
	"\tEND LOOP;\n"
	"\tIF registered.value_optional IS NULL AND answer.path_value(portable_raw, registered.value_path) IS NULL\n"
	"\t\tAND registered.value_path IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('tool \"%s\": the result has no value at \"%s\"', tool, registered.value_path),\n"
	"\t\t\tdetail = CASE jsonb_typeof(portable_raw)\n"
	"\t\t\t\tWHEN 'object' THEN COALESCE('The result has the members ' || (SELECT string_agg(@extschema@.answer_readable(to_jsonb(m.name::text)), ', ')\n"
	"\t\t\t\t\tFROM (SELECT quote_ident(o.key) FROM jsonb_object_keys(portable_raw) AS o (key) ORDER BY o.key COLLATE \"C\" LIMIT 10) AS m (name))\n"
	"\t\t\t\t\t|| '.', 'The result is an object without members.')\n"
	"\t\t\t\tWHEN 'array' THEN format('The result is an array of %s elements.', jsonb_array_length(portable_raw))\n"
	"\t\t\t\tELSE format('The result is a JSON %s.', jsonb_typeof(portable_raw)) END,\n"
	"\t\t\thint = 'Give the result as value_path of the tool reads it, or register the tool with value_optional => true.';\n"
	"\tEND IF;\n"
	"\n"
	"\tdigest := answer.evidence_digest(tool, portable_args, portable_raw, source, observed_at, expires);\n"
	"\tPERFORM answer.refuse_forgotten(tenant, digest);\n"
	"\tINSERT INTO answer.evidence (tenant, digest, tool, args, args_digest, raw, source, observed_at, expires)\n"
	"\tVALUES (tenant, digest, tool, portable_args, args_digest, portable_raw, source, observed_at, expires)\n"
	"\tON CONFLICT DO NOTHING;\n"
	"\tINSERT INTO answer.evidence_series (tenant, tool, args_digest, source)\n"
	"\tVALUES (tenant, tool, args_digest, source)\n"
	"\tON CONFLICT DO NOTHING;\n"
	"\tRETURN digest;\n"
	"END\n"
	""},
	{"function answer.evidence_digest(tool text, args jsonb, raw jsonb, source text, observed_at timestamp with time zone, expires timestamp with time zone)",
	"c(tool text, args jsonb, raw jsonb, source text, observed_at timestamp with time zone, expires timestamp with time zone) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_evidence_digest"},
	{"function answer.evidence_verdict(evidence jsonb, min_confidence numeric, regulated boolean)",
	"c(evidence jsonb, min_confidence numeric DEFAULT NULL::numeric, regulated boolean DEFAULT false) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_evidence_verdict"},
	{"function answer.evolve_breaches(slo jsonb)",
	"sql(slo jsonb) returns text[], kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT array_remove ARRAY[ CASE WHEN slo ->> 'cited'::text ::numeric * 10 ::numeric < slo ->> 'required'::text ::numeric * 9 ::numeric THEN 'citation_rate'::text ELSE NULL::text END, CASE WHEN slo ->> 'contradicted'::text ::numeric * 100 ::numeric > slo ->> 'given'::text ::numeric * 3 ::numeric THEN 'contradiction_rate'::text ELSE NULL::text END], NULL::text AS array_remove; END"},
	{"function answer.evolve_changes(config jsonb)",
	"sql(config jsonb) returns TABLE(knob text, change jsonb, reason text), kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 30, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC WITH present AS SELECT knob, stricter, shipped, tried, COALESCE config -> knob , shipped AS value FROM evolve_knobs k knob, stricter, shipped, tried , tried AS SELECT knob, value AS was, value, shipped, n, CASE WHEN knob = 'rerank'::text THEN 0 ::numeric ELSE value #>> '{}'::text[] ::numeric - value #>> '{}'::text[] ::numeric END AS step, stricter FROM present p, LATERAL jsonb_array_elements tried WITH ORDINALITY t value, n SELECT knob, change, reason FROM SELECT knob, CASE WHEN knob = 'freshness_bias'::text AND value <> '0'::jsonb THEN jsonb_build_object 'freshness_bias', value, 'rerank', 'freshness' ELSE jsonb_build_object knob, value END AS change, format '%s from %s to %s'::text, knob, was #>> '{}'::text[] , value #>> '{}'::text[] AS reason, value = shipped AS is_shipped, abs step AS distance, n FROM tried t WHERE value <> was AND stricter = 0 OR step * stricter ::numeric > 0 ::numeric AND NOT knob = 'rerank'::text AND value = '\"freshness\"'::jsonb c ORDER BY knob COLLATE \"C\" , is_shipped DESC, distance, n; END"},
	{"function answer.evolve_is_low_risk(\"from\" jsonb, change jsonb)",
	"sql(\"from\" jsonb, change jsonb) returns boolean, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT COALESCE bool_and CASE stricter WHEN 0 THEN true ELSE COALESCE stricter ::numeric * sign change ->> key ::numeric - \"from\" ->> key ::numeric > 0 ::numeric , false END AND knob IS NOT NULL , false AS \"coalesce\" FROM jsonb_object_keys change c key LEFT JOIN evolve_knobs k knob, stricter, shipped, tried ON knob = key ; END"},
	{"function answer.evolve_judge(base jsonb, candidate jsonb)",
	"sql(base jsonb, candidate jsonb) returns jsonb, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC WITH side AS SELECT name, m ->> 'answers'::text ::numeric AS answers, m ->> 'given'::text ::numeric AS given, m ->> 'required'::text ::numeric AS required, m ->> 'cited'::text ::numeric AS cited, m ->> 'contradictory'::text ::numeric AS contradictory, m ->> 'p95_ms'::text ::numeric AS p95, m ->> 'cost_usd'::text ::numeric AS cost, CASE WHEN m ->> 'given'::text ::numeric = 0 ::numeric THEN 0 ::numeric ELSE m ->> 'confidence_sum'::text ::numeric * m ->> 'given'::text ::numeric - m ->> 'contradictory'::text ::numeric END AS n, m ->> 'answers'::text ::numeric * GREATEST m ->> 'given'::text ::numeric, 1 ::numeric AS d FROM VALUES 'base'::text,base , 'candidate'::text,candidate s name, m , rule AS SELECT n, rule, ok, text FROM side b, side c, LATERAL VALUES 1,'gqs'::text, n * d >= n + 08 * d * d AND answers > 0 ::numeric AND answers > 0 ::numeric ,format 'gqs %s < base %s + 08'::text, COALESCE round n / NULLIF d, 0 ::numeric , 4 ::text, 'null'::text , COALESCE round n / NULLIF d, 0 ::numeric , 4 ::text, 'null'::text , 2,'p95_ms'::text, p95 <= 65 * p95 AND answers >= 20 ::numeric AND answers >= 20 ::numeric , CASE WHEN LEAST answers, answers < 20 ::numeric THEN 'p95_ms is of fewer than 20 answers, and does not count'::text ELSE format 'p95_ms %s > 65 x base %s'::text, COALESCE round p95, 3 ::text, 'null'::text , COALESCE round p95, 3 ::text, 'null'::text END , 3,'cost_usd'::text, cost IS NULL AND cost IS NULL OR cost * answers <= 10 * cost * answers ,format 'cost of an answer %s > 10 x base %s'::text, COALESCE round cost / NULLIF answers, 0 ::numeric , 6 ::text, 'null'::text , COALESCE round cost / NULLIF answers, 0 ::numeric , 6 ::text, 'null'::text , 4,'citation_rate'::text, cited >= 90 * required AND required > 0 ::numeric ,format 'citation_rate %s < 90'::text, COALESCE round cited / NULLIF required, 0 ::numeric , 4 ::text, 'null'::text , 5,'contradiction_rate'::text, contradictory <= 03 * given AND given > 0 ::numeric ,format 'contradiction_rate %s > 03'::text, COALESCE round contradictory / NULLIF given, 0 ::numeric , 4 ::text, 'null'::text v n, rule, ok, text WHERE name = 'base'::text AND name = 'candidate'::text SELECT jsonb_build_object 'passed', bool_or COALESCE ok, false FILTER WHERE n <= 2 AND bool_and COALESCE ok, false FILTER WHERE n > 2 , 'failures', COALESCE jsonb_agg text ORDER BY n FILTER WHERE NOT COALESCE ok, false AND n > 2 OR NOT SELECT bool_or COALESCE ok, false AS bool_or FROM rule o WHERE n <= 2 , '[]'::jsonb AS jsonb_build_object FROM rule r; END"},
	{"function answer.evolve_knobs()",
	"sql() returns TABLE(knob text, stricter integer, shipped jsonb, tried jsonb), kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 9, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT knob, stricter, shipped, tried FROM VALUES 'top_k'::text,0,'5'::jsonb,'[1, 2, 3, 5, 8, 12, 20, 50]'::jsonb , 'rerank'::text,0,'\"none\"'::jsonb,'[\"none\", \"freshness\"]'::jsonb , 'freshness_bias'::text,0,'0'::jsonb,'[0, 1, 25, 5, 1]'::jsonb , 'cache_ttl_s'::text,0,'0'::jsonb,'[0]'::jsonb , 'citation_threshold'::text,1,'95'::jsonb,'[9, 95, 99, 1]'::jsonb , 'contradiction_tolerance'::text,'-1'::integer,'30'::jsonb,'[0, 1, 2, 3]'::jsonb , 'floor'::text,1,'20'::jsonb,'[2]'::jsonb , 'confidence_threshold'::text,1,'60'::jsonb,'[6]'::jsonb , 'confidence_threshold_high_risk'::text,1,'70'::jsonb,'[7]'::jsonb k knob, stricter, shipped, tried ; END"},
	{"function answer.evolve_measure(rows jsonb, took bigint[], config jsonb)",
	"sql(rows jsonb, took bigint[], config jsonb) returns jsonb, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC WITH read AS SELECT \"row\" ->> 'kind'::text AS kind, COALESCE \"row\" ->> 'decision'::text = ANY ARRAY['ANSWER'::text, 'ANSWER_WITH_CAVEATS'::text, 'answered'::text] , false AS given, COALESCE \"row\" ->> 'decision'::text = ANY ARRAY['ABSTAIN'::text, 'BLOCK'::text, 'CLARIFY'::text, 'blocked'::text, 'refused'::text] , false OR COALESCE jsonb_typeof \"row\" -> 'error'::text = 'object'::text , false AS not_given, COALESCE jsonb_typeof \"row\" -> 'citations'::text = 'array'::text AND \"row\" -> 'citations'::text <> '[]'::jsonb , false AND \"row\" -> 'citation_valid'::text IS DISTINCT FROM 'false'::jsonb AS has_citations, COALESCE \"row\" #>> '{case,expected_outcome}'::text[] = ANY ARRAY['ABSTAIN'::text, 'BLOCK'::text, 'CLARIFY'::text, 'blocked'::text, 'refused'::text, 'failed'::text] , false AS must_refuse, COALESCE \"row\" -> 'conflict_detected'::text = 'true'::jsonb , false AS has_conflict, COALESCE 'false'::jsonb = \"row\" #> '{scores,groundedness,passed}'::text[] OR 'false'::jsonb = \"row\" #> '{scores,outcome_correctness,passed}'::text[] , false AS has_failed, \"row\" #>> '{signals,answer_confidence}'::text[] ::numeric AS judged, COALESCE CASE WHEN \"row\" ->> 'kind'::text = 'plan'::text THEN \"row\" ->> 'confidence'::text ELSE COALESCE \"row\" #>> '{signals,answer_confidence}'::text[] , \"row\" ->> 'similarity'::text , \"row\" #>> '{signals,retrieval_confidence_max}'::text[] END, '0'::text ::numeric AS confidence, \"row\" ->> 'decision'::text = 'ANSWER_WITH_CAVEATS'::text AS has_caveats, \"row\" ->> 'risk_level'::text AS risk, took [n] ::numeric / 0 AS ms FROM jsonb_array_elements rows WITH ORDINALITY c \"row\", n WHERE \"row\" ->> 'kind'::text = ANY ARRAY['grounded'::text, 'plan'::text] , one AS SELECT given, ms, confidence, given AND kind = 'grounded'::text OR has_citations AS required, given AND has_citations AS cited, given AND has_conflict OR must_refuse AS contradictory, given AND NOT has_conflict OR must_refuse OR has_failed AND kind = 'plan'::text OR has_citations AND confidence >= CASE WHEN has_caveats AND judged IS NULL THEN config ->> 'floor'::text ::numeric WHEN risk = 'high'::text THEN config ->> 'confidence_threshold_high_risk'::text ::numeric ELSE config ->> 'confidence_threshold'::text ::numeric END AS supported FROM read r WHERE given OR not_given SELECT jsonb_build_object 'answers', count * , 'given', count * FILTER WHERE given , 'supported', count * FILTER WHERE supported , 'required', count * FILTER WHERE required , 'cited', count * FILTER WHERE cited , 'contradictory', count * FILTER WHERE contradictory , 'confidence_sum', COALESCE round sum confidence FILTER WHERE supported , 6 , 0 ::numeric , 'p50_ms', round percentile_cont 5 ::double precision WITHIN GROUP ORDER BY ms ::double precision ::numeric, 3 , 'p95_ms', round percentile_cont 95 ::double precision WITHIN GROUP ORDER BY ms ::double precision ::numeric, 3 , 'cost_usd', NULL::unknown AS jsonb_build_object FROM one o; END"},
	{"function answer.evolve_problem(action text, proposal jsonb)",
	"plpgsql(action text, proposal jsonb) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\tvalidation\tjsonb := proposal -> 'validation';\n"
	"\tjudged\t\tjsonb;\n"
	"\texpected\ttext;\n"
	"\t-- of before it was counted which answers were given: all were taken for given, and floors and thresholds of confidence were an administrator's\n"
	"\tis_earlier\tboolean := NOT COALESCE(validation -> 'base' ? 'given', false) AND NOT COALESCE(validation -> 'candidate' ? 'given', false);\n"
	"BEGIN\n"
	"\tIF (proposal ->> 'state') IS DISTINCT FROM (CASE action WHEN 'propose' THEN 'proposed' WHEN 'apply' THEN 'applied'\n"
	"\t\tWHEN 'wait' THEN 'waiting' WHEN 'reject' THEN 'rejected' END) THEN\n"
	"\t\tRETURN 'the state does not follow from the action';\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(proposal -> 'from') IS DISTINCT FROM 'object' OR jsonb_typeof(proposal -> 'change') IS DISTINCT FROM 'object' THEN\n"
	"\t\tRETURN 'the change is malformed';\n"
	"\tEND IF;\n"
	"\t-- only thresholds are compared\n"
	"\tIF EXISTS (SELECT FROM answer.evolve_knobs() AS k, LATERAL (VALUES (proposal -> 'from'), (proposal -> 'change')) AS v (value)\n"
	"\t\tWHERE k.stricter <> 0 AND proposal -> 'change' ? k.knob AND NOT COALESCE(v.value ->> k.knob ~ '^[0-9]{1,20}([.][0-9]{1,40})?$', false)) THEN\n"
	"\t\tRETURN 'the change is malformed';\n"
	"\tEND IF;\n"
	"\tIF action = 'propose' THEN\n"
	"\t\tRETURN CASE WHEN validation = 'null' THEN '' ELSE 'a proposal that is new was validated' END;\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(validation) IS DISTINCT FROM 'object' OR EXISTS (\n"
	"\t\tSELECT FROM (VALUES ('base'), ('candidate')) AS s (side),\n"
	"\t\t\tunnest(ARRAY['answers', 'given', 'required', 'cited', 'contradictory', 'confidence_sum', 'p95_ms', 'cost_usd']) AS m (name)\n"
	"\t\tWHERE NOT (is_earlier AND m.name = 'given') AND NOT COALESCE(validation -> s.side ->> m.name ~ '^[0-9]{1,20}([.][0-9]{1,40})?$',\n"
	"\t\t\tm.name IN ('p95_ms', 'cost_usd') AND validation -> s.side -> m.name = 'null')) THEN\n"
	"\t\tRETURN 'the measures are malformed';\n"
	"\tEND IF;\n"
	"\tjudged := answer.portable(answer.evolve_judge(jsonb_build_object('given', validation #> '{base,answers}') || (validation -> 'base'),\n"
	"\t\tjsonb_build_object('given', validation #> '{candidate,answers}') || (validation -> 'candidate')));\n"
	"\tIF judged -> 'passed' IS DISTINCT FROM validation -> 'passed' OR judged -> 'failures' IS DISTINCT FROM validation -> 'failures' THEN\n"
	"\t\tRETURN 'the measures are judged otherwise';\n"
	"\tEND IF;\n"
	"\texpected := CASE WHEN judged -> 'passed' <> 'true' THEN 'reject'\n"
	"\t\tWHEN NOT answer.evolve_is_low_risk(proposal -> 'from', proposal -> 'change')\n"
	"\t\t\tOR is_earlier AND proposal -> 'change' ?| '{floor,confidence_threshold,confidence_threshold_high_risk}' THEN 'wait'\n"
	"\t\tWHEN validation #> '{promotion,moved}' = 'true' THEN 'apply' ELSE 'reject' END;\n"
	"\tRETURN CASE WHEN action <> expected THEN 'what was done does not follow from the measures'\n"
	"\t\tWHEN expected <> 'apply' AND validation #> '{promotion,moved}' = 'true' THEN 'what was not to be applied was' ELSE '' END;\n"
	"END\n"
	""},
	{"function answer.fact_confidence(verification jsonb)",
	"c(verification jsonb) returns double precision, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 5, rows 0, settings , extension t in answer_eval: answer_eval_fact_confidence"},
	{"function answer.freshness_days_of(tenant text)",
	"c(tenant text) returns integer, kind f, volatile s, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_freshness_days_of"},
	{"function answer.gate_assert_of(tenants text[], run text, rules jsonb, baseline text)",
	"plpgsql(tenants text[], run text, rules jsonb, baseline text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tjudged jsonb := answer.gate_of(tenants, run, rules, baseline);\n"
	"BEGIN\n"
	"\tIF judged ->> 'passed' = 'true' THEN\n"
	"\t\tRETURN;\n"
	"\tEND IF;\n"
	"\tRAISE EXCEPTION USING errcode = 'P0001',\n"
	"\t\tmessage = format('gate of run \"%s\": %s', run, judged ->> 'outcome'),\n"
	"\t\tdetail = (SELECT string_agg(t.text, E'\\n' ORDER BY t.kind, t.place) FROM (\n"
	"\t\t\tSELECT 1, f.text, f.place FROM jsonb_array_elements_text(judged -> 'failures') WITH ORDINALITY AS f (text, place)\n"
	"\t\t\tUNION ALL SELECT 2, 'inconclusive: ' || i.text, i.place\n"
	"\t\t\tFROM jsonb_array_elements_text(judged -> 'inconclusive') WITH ORDINALITY AS i (text, place)) AS t (kind, text, place));\n"
	"END\n"
	""},
	{"function answer.gate_judge(run jsonb, rules jsonb, baseline jsonb)",
	"c(run jsonb, rules jsonb DEFAULT NULL::jsonb, baseline jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_gate_judge"},
	{"function answer.gate_of(tenants text[], run text, rules jsonb, baseline text)",
	"plpgsql(tenants text[], run text, rules jsonb, baseline text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF run IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'run must not be null';\n"
	"\tEND IF;\n"
	"\tRETURN answer.gate_judge(answer.run_verified(tenants, run), rules,\n"
	"\t\tCASE WHEN baseline IS NOT NULL THEN answer.run_verified(tenants, baseline) END);\n"
	"END\n"
	""},
	{"function answer.grade(tool text, observation jsonb)",
	"c(tool text, observation jsonb) returns @extschema@.answer_graded, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_grade"},
	{"function answer.grade_graph_node(observation jsonb)",
	"sql(observation jsonb) returns @extschema@.answer_graded, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 20, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tSELECT ROW('FileContent', g.quality, CASE WHEN g.quality = 'None' THEN 'None' ELSE 'Low' END, g.reason)::@extschema@.answer_graded\n"
	"\tFROM (SELECT CASE WHEN o.id IS NULL OR o.id <> 'string' OR o.hash IS NULL OR o.hash <> 'string' THEN 'None'\n"
	"\t\t\tWHEN o.neighbors < 2 THEN 'Weak' WHEN o.line IS NULL OR o.line <> 'number' THEN 'Moderate' ELSE 'Strong' END,\n"
	"\t\tCASE WHEN o.id IS NULL OR o.id <> 'string' OR o.hash IS NULL OR o.hash <> 'string' THEN 'the graph has no such node'\n"
	"\t\t\tWHEN o.neighbors < 2 THEN 'the node has fewer than 2 neighbours'\n"
	"\t\t\tWHEN o.line IS NULL OR o.line <> 'number' THEN 'the node names its source, and no lines of it'\n"
	"\t\t\tELSE 'the node names its source and the lines' END\n"
	"\t\tFROM (SELECT jsonb_typeof(observation -> 'id'), jsonb_typeof(observation -> 'content_hash'), jsonb_typeof(observation -> 'start_line'),\n"
	"\t\t\tCASE WHEN jsonb_typeof(observation -> 'neighbor_count') = 'number' THEN (observation -> 'neighbor_count')::numeric ELSE 0 END)\n"
	"\t\t\tAS o (id, hash, line, neighbors)) AS g (quality, reason)\n"
	""},
	{"function answer.grade_text(tool text, query text, output text, question text)",
	"c(tool text, query text, output text, question text DEFAULT NULL::text) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_grade_text"},
	{"function answer.graph_content(name text, path text, docstring text, text text, OUT content text, OUT title text)",
	"sql(name text, path text, docstring text, text text, OUT content text, OUT title text) returns record, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT concat_ws ' '::text, docstring, text AS concat_ws, concat_ws ' '::text, name, regexp_replace rtrim path, '/'::text , '^.*/'::text, ''::text AS concat_ws; END"},
	{"function answer.graph_count(tenant text, project text, nodes bigint, edges bigint, removed bytea[], added bytea[])",
	"plpgsql(tenant text, project text, nodes bigint, edges bigint, removed bytea[], added bytea[]) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tUPDATE answer.graph_set s SET version = s.version + 1, nodes = s.nodes + graph_count.nodes, edges = s.edges + graph_count.edges,\n"
	"\t\tsum = answer.row_sum(s.sum, removed, added)\n"
	"\tWHERE s.tenant = graph_count.tenant AND s.project = graph_count.project;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tINSERT INTO answer.graph_set AS s (tenant, project, version, nodes, edges, sum)\n"
	"\t\tVALUES (tenant, project, 1, nodes, edges, answer.row_sum('', removed, added))\n"
	"\t\tON CONFLICT ON CONSTRAINT graph_set_pkey\n"
	"\t\tDO UPDATE SET version = s.version + 1, nodes = s.nodes + excluded.nodes, edges = s.edges + excluded.edges,\n"
	"\t\t\tsum = answer.row_sum(s.sum, removed, added);\n"
	"\tEND IF;\n"
	"END\n"
	""},
	{"function answer.graph_edge_added()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tPERFORM answer.graph_count(c.tenant, c.project, 0, c.edges, '{}', c.digests)\n"
	"\tFROM (SELECT a.tenant, a.project, count(*) AS edges, array_agg(answer.row_digest('graph_edge', a)) AS digests\n"
	"\t\tFROM added a GROUP BY a.tenant, a.project ORDER BY a.tenant, a.project) AS c;\n"
	"\tIF EXISTS (\n"
	"\t\tSELECT FROM (SELECT a.tenant, a.project, a.from_id AS id FROM added a UNION SELECT a.tenant, a.project, a.to_id FROM added a) AS e\n"
	"\t\tWHERE NOT EXISTS (SELECT FROM answer.graph_node n WHERE n.tenant = e.tenant AND n.project = e.project AND n.id = e.id OFFSET 0))\n"
	"\tTHEN\n"
	"\t\tINSERT INTO answer.graph_loose (tenant, project, from_id, to_id, type)\n"
	"\t\tSELECT a.tenant, a.project, a.from_id, a.to_id, a.type FROM added a\n"
	"\t\tWHERE NOT EXISTS (SELECT FROM answer.graph_node n WHERE n.tenant = a.tenant AND n.project = a.project AND n.id = a.from_id OFFSET 0)\n"
	"\t\tOR NOT EXISTS (SELECT FROM answer.graph_node n WHERE n.tenant = a.tenant AND n.project = a.project AND n.id = a.to_id OFFSET 0);\n"
	"\tEND IF;\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.graph_edge_moved()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tRAISE EXCEPTION USING errcode = '55000', message = 'an edge keeps its tenant, project, nodes and type',\n"
	"\t\thint = 'Delete the edge and insert another one.';\n"
	"END\n"
	""},
	{"function answer.graph_edge_removed()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tPERFORM answer.graph_count(c.tenant, c.project, 0, -c.edges, c.digests, '{}')\n"
	"\tFROM (SELECT r.tenant, r.project, count(*) AS edges, array_agg(answer.row_digest('graph_edge', r)) AS digests FROM removed r GROUP BY r.tenant, r.project ORDER BY r.tenant, r.project) AS c;\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.graph_embed_put(tenant text, project text, id text, embedding real[])",
	"plpgsql(tenant text, project text, id text, embedding real[]) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tPERFORM answer.graph_project_check(project);\n"
	"\tIF id IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'id must not be null';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.embedding_check(embedding);\n"
	"\tPERFORM answer.graph_lock(tenant, project);\n"
	"\tPERFORM FROM answer.graph_node n WHERE n.tenant = graph_embed_put.tenant AND n.project = graph_embed_put.project AND n.id = graph_embed_put.id;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no node \"%s\" in project \"%s\"', id, project),\n"
	"\t\t\thint = 'answer.graph_node lists the nodes.';\n"
	"\tEND IF;\n"
	"\tINSERT INTO answer.graph_embedding AS e (tenant, project, id, embedding) VALUES (tenant, project, id, embedding)\n"
	"\tON CONFLICT ON CONSTRAINT graph_embedding_pkey DO UPDATE SET embedding = excluded.embedding;\n"
	"\t-- at the end of the transaction this would pass for a restore, and nothing would be recorded: see answer.content_changed()\n"
	"\tIF NOT current_setting('check_function_bodies')::boolean THEN\n"
	"\t\tPERFORM answer.content_settle();\n"
	"\tEND IF;\n"
	"END\n"
	""},
	{"function answer.graph_embedding_counted()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\t-- each operation has the tables that it fills\n"
	"\tIF TG_OP = 'TRUNCATE' THEN\n"
	"\t\tUPDATE answer.graph_set s SET version = version + 1, sum = answer.row_sum('', '{}', ARRAY(\n"
	"\t\t\tSELECT answer.row_digest('graph_node', n) FROM answer.graph_node n WHERE n.tenant = s.tenant AND n.project = s.project\n"
	"\t\t\tUNION ALL SELECT answer.row_digest('graph_edge', e) FROM answer.graph_edge e WHERE e.tenant = s.tenant AND e.project = s.project));\n"
	"\t\tRETURN NULL;\n"
	"\tEND IF;\n"
	"\tIF TG_OP <> 'INSERT' THEN\n"
	"\t\tPERFORM answer.graph_count(c.tenant, c.project, 0, 0, c.digests, '{}')\n"
	"\t\tFROM (SELECT r.tenant, r.project, array_agg(answer.row_digest('graph_embedding', r)) AS digests\n"
	"\t\t\tFROM removed r GROUP BY r.tenant, r.project ORDER BY r.tenant, r.project) AS c;\n"
	"\tEND IF;\n"
	"\tIF TG_OP <> 'DELETE' THEN\n"
	"\t\tPERFORM answer.graph_count(c.tenant, c.project, 0, 0, '{}', c.digests)\n"
	"\t\tFROM (SELECT a.tenant, a.project, array_agg(answer.row_digest('graph_embedding', a)) AS digests\n"
	"\t\t\tFROM added a GROUP BY a.tenant, a.project ORDER BY a.tenant, a.project) AS c;\n"
	"\tEND IF;\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.graph_forget_put(tenant text, project text, ids text[])",
	"plpgsql(tenant text, project text, ids text[]) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tbefore answer.graph_set;\n"
	"\tafter answer.graph_set;\n"
	"\tunknown text;\n"
	"BEGIN\n"
	"\tPERFORM answer.graph_project_check(project);\n"
	"\tPERFORM answer.content_settle();\n"
	"\tPERFORM answer.graph_lock(tenant, project);\n"
	"\tSELECT * INTO before FROM answer.graph_set s WHERE s.tenant = graph_forget_put.tenant AND s.project = graph_forget_put.project;\n"
	"\tIF before.nodes = 0 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('no graph is loaded for project \"%s\"', project),\n"
	"\t\t\thint = 'answer.graph_project lists the projects.';\n"
	"\tEND IF;\n"
	"\tIF ids IS NULL THEN\n"
	"\t\tDELETE FROM answer.graph_edge e WHERE e.tenant = graph_forget_put.tenant AND e.project = graph_forget_put.project;\n"
	"\t\tDELETE FROM answer.graph_node n WHERE n.tenant = graph_forget_put.tenant AND n.project = graph_forget_put.project;\n"
	"\tELSE\n"
	"\t\tSELECT i.id INTO unknown FROM unnest(ids) WITH ORDINALITY AS i (id, place) WHERE NOT EXISTS (SELECT FROM answer.graph_node n\n"
	"\t\t\tWHERE n.tenant = graph_forget_put.tenant AND n.project = graph_forget_put.project AND n.id = i.id OFFSET 0)\n"
	"\t\tORDER BY i.place LIMIT 1;\n"
	"\t\tIF FOUND THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no node \"%s\" in project \"%s\"', COALESCE(unknown, 'NULL'), project),\n"
	"\t\t\t\thint = 'answer.graph_node lists the nodes.';\n"
	"\t\tEND IF;\n"
	"\t\tDELETE FROM answer.graph_node g WHERE g.ctid = ANY (ARRAY(\n"
	"\t\t\tSELECT n.ctid FROM unnest(ids) AS i (id), LATERAL (SELECT o.ctid FROM answer.graph_node o\n"
	"\t\t\t\tWHERE o.tenant = graph_forget_put.tenant AND o.project = graph_forget_put.project AND o.id = i.id OFFSET 0) AS n));\n"
	"\tEND IF;\n"
	"\tSELECT * INTO after FROM answer.graph_set s WHERE s.tenant = graph_forget_put.tenant AND s.project = graph_forget_put.project;\n"
	"\tPERFORM answer.content_record_put(tenant, 'graph', project, before.sum);\n"
	"\tPERFORM answer.content_settle();\n"
	"\tRETURN jsonb_build_object('project', project, 'nodes', before.nodes - after.nodes, 'edges', before.edges - after.edges);\n"
	"END\n"
	""},
	{"function answer.graph_key(tenant text, project text, name text)",
	"c(tenant text, project text, name text) returns bytea, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_graph_key"},
	{"function answer.graph_load_put(tenant text, project text, nodes jsonb, edges jsonb)",
	"plpgsql(tenant text, project text, nodes jsonb, edges jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tabout_nodes jsonb;\n"
	"\tabout_edges jsonb;\n"
	"\treread text[];\n"
	"\tbefore answer.graph_set;\n"
	"\tafter answer.graph_set;\n"
	"BEGIN\n"
	"\tPERFORM answer.graph_project_check(project);\n"
	"\t-- what is malformed is refused here: an error of the statements below would come with all of their text\n"
	"\tPERFORM FROM answer.graph_read_nodes(nodes);\n"
	"\tPERFORM FROM answer.graph_read_edges(edges);\n"
	"\tPERFORM answer.content_settle();\n"
	"\t-- before the graph's own lock, as whoever changes rules: nobody waits in a circle\n"
	"\tPERFORM answer.rules_stay();\n"
	"\tPERFORM answer.graph_lock(tenant, project);\n"
	"\tSELECT * INTO before FROM answer.graph_set s WHERE s.tenant = graph_load_put.tenant AND s.project = graph_load_put.project;\n"
	"\tWITH given AS MATERIALIZED (\n"
	"\t\tSELECT r.* FROM answer.graph_read_nodes(nodes) AS r\n"
	"\t), judged AS MATERIALIZED (\n"
	"\t\tSELECT g.*, o.place_now, o.place_now IS NULL AS is_new, o.content_hash <> g.content_hash AS is_reread,\n"
	"\t\t\t(o.labels, o.name, o.path, o.start_line, o.end_line, o.docstring, o.doc_type, o.last_modified, o.text, o.source_path,\n"
	"\t\t\t\to.content_hash, o.extraction_method, o.indexed_at)\n"
	"\t\t\tIS DISTINCT FROM (g.labels, g.name, g.path, g.start_line, g.end_line, g.docstring, g.doc_type, g.last_modified, g.text, g.source_path,\n"
	"\t\t\t\tg.content_hash, g.extraction_method, COALESCE(g.indexed_at, o.indexed_at)) AS is_other\n"
	"\t\tFROM given g LEFT JOIN LATERAL (SELECT n.ctid AS place_now, n.* FROM answer.graph_node n\n"
	"\t\t\tWHERE n.tenant = graph_load_put.tenant AND n.project = graph_load_put.project AND n.id = g.id OFFSET 0) AS o ON true\n"
	"\t), stale AS MATERIALIZED (\n"
	"\t\tSELECT n.ctid FROM (SELECT DISTINCT g.source_path FROM given g) AS s, LATERAL (SELECT o.ctid FROM answer.graph_node o\n"
	"\t\t\tWHERE answer.graph_key(o.tenant, o.project, o.source_path) = answer.graph_key(tenant, project, s.source_path) OFFSET 0) AS n\n"
	"\t\tEXCEPT SELECT j.place_now FROM judged j\n"
	"\t), removed AS (\n"
	"\t\tDELETE FROM answer.graph_node n WHERE n.ctid = ANY (ARRAY(SELECT s.ctid FROM stale s))\n"
	"\t), changed AS (\n"
	"\t\tUPDATE answer.graph_node n SET labels = j.labels, name = j.name, path = j.path, start_line = j.start_line, end_line = j.end_line,\n"
	"\t\t\tdocstring = j.docstring, doc_type = j.doc_type, last_modified = j.last_modified, text = j.text, source_path = j.source_path,\n"
	"\t\t\tcontent_hash = j.content_hash, extraction_method = j.extraction_method, indexed_at = COALESCE(j.indexed_at, now()), loaded_at = now()\n"
	"\t\tFROM judged j\n"
	"\t\tWHERE j.is_other AND n.ctid = j.place_now\n"
	"\t), added AS (\n"
	"\t\tINSERT INTO answer.graph_node (tenant, project, id, labels, name, path, start_line, end_line, docstring, doc_type, last_modified, text,\n"
	"\t\t\tsource_path, content_hash, extraction_method, indexed_at)\n"
	"\t\tSELECT tenant, project, j.id, j.labels, j.name, j.path, j.start_line, j.end_line, j.docstring, j.doc_type, j.last_modified, j.text,\n"
	"\t\t\tj.source_path, j.content_hash, j.extraction_method, COALESCE(j.indexed_at, now())\n"
	"\t\tFROM judged j WHERE j.is_new\n"
	"\t)\n"
	"\tSELECT jsonb_build_object('created', count(*) FILTER (WHERE j.is_new), 'replaced', count(*) FILTER (WHERE j.is_other AND NOT j.is_new),\n"
	"\t\t\t'unchanged', count(*) FILTER (WHERE NOT j.is_other), 'removed', (SELECT count(*) FROM stale)),\n"
	"\t\tarray_agg(j.id) FILTER (WHERE j.is_reread)\n"
	"\tINTO about_nodes, reread\n"
	"\tFROM judged j;\n"
	"\n"
	"\tWITH given AS MATERIALIZED (\n"
	"\t\tSELECT DISTINCT r.from_id, r.to_id, r.type FROM answer.graph_read_edges(edges) AS r\n"
	"\t), stale AS MATERIALIZED (\n"
	"\t\tSELECT e.from_id, e.to_id, e.type FROM unnest(reread) AS r (id), LATERAL (SELECT o.from_id, o.to_id, o.type FROM answer.graph_edge o\n"
	"\t\t\tWHERE o.tenant = graph_load_put.tenant AND o.project = graph_load_put.project AND o.from_id = r.id OFFSET 0) AS e\n"
	"\t\tEXCEPT SELECT g.from_id, g.to_id, g.type FROM given g\n"
	"\t), removed AS (\n"
	"\t\tDELETE FROM answer.graph_edge g WHERE g.ctid = ANY (ARRAY(\n"
	"\t\t\tSELECT e.ctid FROM stale s, LATERAL (SELECT o.ctid FROM answer.graph_edge o\n"
	"\t\t\t\tWHERE o.tenant = graph_load_put.tenant AND o.project = graph_load_put.project\n"
	"\t\t\t\tAND o.from_id = s.from_id AND o.to_id = s.to_id AND o.type = s.type OFFSET 0) AS e))\n"
	"\t), added AS (\n"
	"\t\tINSERT INTO answer.graph_edge (tenant, project, from_id, to_id, type)\n"
	"\t\tSELECT tenant, project, g.from_id, g.to_id, g.type FROM given g\n"
	"\t\tWHERE NOT EXISTS (SELECT FROM answer.graph_edge o WHERE o.tenant = graph_load_put.tenant AND o.project = graph_load_put.project\n"
	"\t\t\tAND o.from_id = g.from_id AND o.to_id = g.to_id AND o.type = g.type OFFSET 0)\n"
	"\t\tORDER BY g.from_id COLLATE \"C\", g.to_id COLLATE \"C\", g.type COLLATE \"C\"\n"
	"\t\tRETURNING 1\n"
	"\t)\n"
	"\tSELECT jsonb_build_object('created', a.count, 'unchanged', g.count - a.count)\n"
	"\tINTO about_edges\n"
	"\tFROM (SELECT count(*) FROM given) AS g, (SELECT count(*) FROM added) AS a;\n"
	"\tPERFORM answer.graph_tie(tenant, project);\n"
	"\n"
	"\tSELECT * INTO after FROM answer.graph_set s WHERE s.tenant = graph_load_put.tenant AND s.project = graph_load_put.project;\n"
	"\tPERFORM answer.content_record_put(tenant, 'graph', project, before.sum);\n"
	"\tPERFORM answer.content_settle();\n"
	"\tRETURN jsonb_build_object('project', project, 'nodes', about_nodes, 'edges', about_edges\n"
	"\t\t|| jsonb_build_object('removed', before.edges + (about_edges ->> 'created')::bigint - after.edges));\n"
	"END\n"
	""},
	{"function answer.graph_lock(tenant text, project text)",
	"plpgsql(tenant text, project text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tINSERT INTO answer.graph_set (tenant, project, version, nodes, edges) VALUES (tenant, project, 0, 0, 0) ON CONFLICT DO NOTHING;\n"
	"\tPERFORM FROM answer.graph_set s WHERE s.tenant = graph_lock.tenant AND s.project = graph_lock.project FOR UPDATE;\n"
	"END\n"
	""},
	{"function answer.graph_loose_end()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\t-- the first row of a project is looked at for all of them\n"
	"\tIF EXISTS (SELECT FROM answer.graph_loose l WHERE l.tenant = NEW.tenant AND l.project = NEW.project)\n"
	"\t\tAND EXISTS (SELECT FROM answer.graph_set s WHERE s.tenant = NEW.tenant AND s.project = NEW.project AND s.nodes > 0)\n"
	"\tTHEN\n"
	"\t\tPERFORM answer.graph_tie(NEW.tenant, NEW.project);\n"
	"\tEND IF;\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.graph_node_added()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tPERFORM answer.graph_count(c.tenant, c.project, c.nodes, 0, '{}', c.digests)\n"
	"\tFROM (SELECT a.tenant, a.project, count(*) AS nodes, array_agg(answer.row_digest('graph_node', a)) AS digests FROM added a GROUP BY a.tenant, a.project ORDER BY a.tenant, a.project) AS c;\n"
	"\t-- rules that change meanwhile would have nodes read again, but not these\n"
	"\tPERFORM answer.rules_stay();\n"
	"\tINSERT INTO answer.graph_search (tenant, project, id, path, labels, items, title_items, sketch)\n"
	"\tSELECT a.tenant, a.project, a.id, a.path, a.labels, r.items, r.title_items, r.sketch\n"
	"\tFROM added a, LATERAL answer.graph_content(a.name, a.path, a.docstring, a.text) AS c,\n"
	"\t\tLATERAL answer.search_items(answer.graph_scope(a.tenant, a.project), c.content, c.title) AS r;\n"
	"\t-- what was put aside to be indexed at once: every search would read through it\n"
	"\tPERFORM gin_clean_pending_list(i) FROM to_regclass('answer.graph_search_items') AS i WHERE i IS NOT NULL;\n"
	"\t-- edges that came first are judged at the end of this transaction\n"
	"\tWITH first AS (\n"
	"\t\tDELETE FROM answer.graph_loose g WHERE g.ctid = ANY (ARRAY(\n"
	"\t\t\tSELECT l.ctid FROM (SELECT DISTINCT a.tenant, a.project FROM added a) AS p, LATERAL (SELECT o.ctid FROM answer.graph_loose o\n"
	"\t\t\t\tWHERE o.tenant = p.tenant AND o.project = p.project LIMIT 1) AS l))\n"
	"\t\tRETURNING g.*\n"
	"\t)\n"
	"\tINSERT INTO answer.graph_loose SELECT f.* FROM first f;\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.graph_node_changed()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF NOT EXISTS (SELECT FROM removed) THEN\n"
	"\t\tRETURN NULL;\n"
	"\tEND IF;\n"
	"\tIF EXISTS (SELECT r.tenant, r.project, r.id FROM removed r EXCEPT SELECT a.tenant, a.project, a.id FROM added a) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '55000', message = 'a node keeps its tenant, project and id',\n"
	"\t\t\thint = 'Delete the node and insert another one.';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.graph_count(c.tenant, c.project, 0, 0, c.removed, c.added)\n"
	"\tFROM (SELECT n.tenant, n.project, array_remove(array_agg(n.removed), NULL) AS removed, array_remove(array_agg(n.added), NULL) AS added\n"
	"\t\tFROM (SELECT r.tenant, r.project, answer.row_digest('graph_node', r) AS removed, NULL::bytea AS added FROM removed r\n"
	"\t\t\tUNION ALL SELECT a.tenant, a.project, NULL, answer.row_digest('graph_node', a) FROM added a) AS n\n"
	"\t\tGROUP BY n.tenant, n.project ORDER BY n.tenant, n.project) AS c;\n"
	"\tPERFORM answer.rules_stay();\n"
	"\tUPDATE answer.graph_search g SET path = n.path, labels = n.labels, items = n.items, title_items = n.title_items, sketch = n.sketch\n"
	"\tFROM (SELECT s.ctid AS place, a.path, a.labels, r.items, r.title_items, r.sketch\n"
	"\t\tFROM (SELECT o.tenant, o.project, o.id, o.name, o.path, o.docstring, o.text, o.labels FROM added o\n"
	"\t\t\tEXCEPT SELECT o.tenant, o.project, o.id, o.name, o.path, o.docstring, o.text, o.labels FROM removed o) AS a,\n"
	"\t\t\tLATERAL answer.graph_content(a.name, a.path, a.docstring, a.text) AS c,\n"
	"\t\t\tLATERAL answer.search_items(answer.graph_scope(a.tenant, a.project), c.content, c.title) AS r,\n"
	"\t\t\tLATERAL (SELECT o.ctid FROM answer.graph_search o\n"
	"\t\t\t\tWHERE o.tenant = a.tenant AND o.project = a.project AND o.id = a.id OFFSET 0) AS s OFFSET 0) AS n\n"
	"\tWHERE g.ctid = n.place;\n"
	"\tPERFORM gin_clean_pending_list(i) FROM to_regclass('answer.graph_search_items') AS i WHERE i IS NOT NULL;\n"
	"\tDELETE FROM answer.graph_embedding g WHERE g.ctid = ANY (ARRAY(\n"
	"\t\tSELECT e.ctid FROM (SELECT r.tenant, r.project, r.id, r.name, r.path, r.docstring, r.text FROM removed r\n"
	"\t\t\tEXCEPT SELECT a.tenant, a.project, a.id, a.name, a.path, a.docstring, a.text FROM added a) AS n,\n"
	"\t\t\tLATERAL (SELECT o.ctid FROM answer.graph_embedding o\n"
	"\t\t\t\tWHERE o.tenant = n.tenant AND o.project = n.project AND o.id = n.id OFFSET 0) AS e));\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.graph_node_of(tenant text, project text, id text)",
	"sql(tenant text, project text, id text) returns TABLE(id text, labels text[], name text, path text, start_line integer, end_line integer, docstring text, doc_type text, last_modified bigint, neighbor_count bigint, source_path text, content_hash text, extraction_method text, indexed_at timestamp with time zone), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 100, rows 1, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT id, labels, name, path, start_line, end_line, docstring, doc_type, last_modified, SELECT count * AS count FROM graph_edge e WHERE tenant = tenant AND project = project AND from_id = id + SELECT count * AS count FROM graph_edge e WHERE graph_key tenant, project, to_id = graph_key tenant, project, id AND from_id <> id , source_path, content_hash, extraction_method, indexed_at FROM graph_node n WHERE tenant = tenant AND project = project AND id = id ; END"},
	{"function answer.graph_node_removed()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF NOT EXISTS (SELECT FROM removed) THEN\n"
	"\t\tRETURN NULL;\n"
	"\tEND IF;\n"
	"\tPERFORM answer.graph_count(c.tenant, c.project, -c.nodes, 0, c.digests, '{}')\n"
	"\tFROM (SELECT r.tenant, r.project, count(*) AS nodes, array_agg(answer.row_digest('graph_node', r)) AS digests FROM removed r GROUP BY r.tenant, r.project ORDER BY r.tenant, r.project) AS c;\n"
	"\tDELETE FROM answer.graph_search g WHERE g.ctid = ANY (ARRAY(\n"
	"\t\tSELECT s.ctid FROM removed r, LATERAL (SELECT o.ctid FROM answer.graph_search o\n"
	"\t\t\tWHERE o.tenant = r.tenant AND o.project = r.project AND o.id = r.id OFFSET 0) AS s));\n"
	"\tDELETE FROM answer.graph_edge g WHERE g.ctid = ANY (ARRAY(\n"
	"\t\tSELECT e.ctid FROM removed r, LATERAL (SELECT o.ctid FROM answer.graph_edge o\n"
	"\t\t\tWHERE o.tenant = r.tenant AND o.project = r.project AND o.from_id = r.id OFFSET 0) AS e));\n"
	"\tDELETE FROM answer.graph_edge g WHERE g.ctid = ANY (ARRAY(\n"
	"\t\tSELECT e.ctid FROM removed r, LATERAL (SELECT o.ctid FROM answer.graph_edge o\n"
	"\t\t\tWHERE answer.graph_key(o.tenant, o.project, o.to_id) = answer.graph_key(r.tenant, r.project, r.id) OFFSET 0) AS e));\n"
	"\tDELETE FROM answer.graph_embedding g WHERE g.ctid = ANY (ARRAY(\n"
	"\t\tSELECT e.ctid FROM removed r, LATERAL (SELECT o.ctid FROM answer.graph_embedding o\n"
	"\t\t\tWHERE o.tenant = r.tenant AND o.project = r.project AND o.id = r.id OFFSET 0) AS e));\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.graph_project_check(project text)",
	"plpgsql(project text) returns void, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF project IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'project must not be null';\n"
	"\tEND IF;\n"
	"\tIF octet_length(project) NOT BETWEEN 1 AND 255 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('project has %s bytes', octet_length(project)),\n"
	"\t\t\tdetail = 'It must have from 1 to 255.';\n"
	"\tEND IF;\n"
	"END\n"
	""},
	{"function answer.graph_read_edges(edges jsonb)",
	"c(edges jsonb) returns TABLE(place integer, from_id text, to_id text, type text), kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1000, rows 10000, settings , extension t in answer_eval: answer_eval_graph_read_edges"},
	{"function answer.graph_read_nodes(nodes jsonb)",
	"c(nodes jsonb) returns TABLE(place integer, id text, labels text[], name text, path text, start_line integer, end_line integer, docstring text, doc_type text, last_modified bigint, text text, source_path text, content_hash text, extraction_method text, indexed_at timestamp with time zone), kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1000, rows 1000, settings , extension t in answer_eval: answer_eval_graph_read_nodes"},
	{"function answer.graph_reread()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF NOT EXISTS (SELECT FROM changed c WHERE c.list IN ('units', 'negators', 'not_negating')) THEN\n"
	"\t\tRETURN NULL;\n"
	"\tEND IF;\n"
	"\tPERFORM FROM answer.graph_set s ORDER BY s.tenant, s.project FOR UPDATE;\n"
	"\tWITH made AS MATERIALIZED (\n"
	"\t\tSELECT s.tenant, s.project, s.id, r.items, r.title_items, r.sketch\n"
	"\t\tFROM answer.graph_search s\n"
	"\t\tJOIN answer.graph_node n ON n.tenant = s.tenant AND n.project = s.project AND n.id = s.id,\n"
	"\t\tLATERAL answer.graph_content(n.name, n.path, n.docstring, n.text) AS c,\n"
	"\t\tLATERAL answer.search_items(answer.graph_scope(n.tenant, n.project), c.content, c.title) AS r\n"
	"\t\tWHERE (s.items, s.title_items, s.sketch) IS DISTINCT FROM (r.items, r.title_items, r.sketch)\n"
	"\t), put AS (\n"
	"\t\tUPDATE answer.graph_search s SET items = m.items, title_items = m.title_items, sketch = m.sketch\n"
	"\t\tFROM made m WHERE s.tenant = m.tenant AND s.project = m.project AND s.id = m.id\n"
	"\t)\n"
	"\tUPDATE answer.graph_set s SET version = s.version + 1\n"
	"\tWHERE EXISTS (SELECT FROM made m WHERE m.tenant = s.tenant AND m.project = s.project);\n"
	"\tPERFORM gin_clean_pending_list(i) FROM to_regclass('answer.graph_search_items') AS i WHERE i IS NOT NULL;\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.graph_scope(tenant text, project text)",
	"c(tenant text, project text) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_graph_scope"},
	{"function answer.graph_search_of(tenant text, project text, question text, k integer, labels text[], paths text[], embedding real[])",
	"c(tenant text, project text, question text, k integer, labels text[], paths text[], embedding real[]) returns TABLE(id text, name text, path text, score double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 10000, rows 20, settings , extension t in answer_eval: answer_eval_graph_search"},
	{"function answer.graph_search_vector(tenant text, project text, embedding real[], k integer, labels text[], paths text[])",
	"plpgsql(tenant text, project text, embedding real[], k integer, labels text[], paths text[]) returns TABLE(place bigint, id text, score integer), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 100, rows 20, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tPERFORM answer.embedding_check(embedding);\n"
	"\t-- every embedding is looked at: what an index leaves out would depend on it\n"
	"\tRETURN QUERY EXECUTE format('SELECT row_number() OVER (ORDER BY s.score DESC, convert_to(s.path, ''UTF8''), convert_to(s.id, ''UTF8'')), s.id::text, s.score'\n"
	"\t\t' FROM (SELECT n.id, n.path, round(least(1, 1 - (e.embedding::%1$s.vector(%2$s) OPERATOR(%1$s.<=>) $3::%1$s.vector(%2$s))) * 10000)::int AS score'\n"
	"\t\t' FROM answer.graph_embedding e, LATERAL (SELECT g.* FROM answer.graph_node g'\n"
	"\t\t' WHERE g.tenant = e.tenant AND g.project = e.project AND g.id = e.id OFFSET 0) AS n'\n"
	"\t\t' WHERE e.tenant = $1 AND e.project = $2 AND cardinality(e.embedding) = %2$s AND ($5 IS NULL OR n.labels && $5)'\n"
	"\t\t' AND ($6 IS NULL OR EXISTS (SELECT FROM unnest($6) AS p (path) WHERE n.path = p.path OR starts_with(n.path, rtrim(p.path, ''/'') || ''/'')))) AS s'\n"
	"\t\t' WHERE s.score > 0 ORDER BY 1 LIMIT $4', answer.vector_schema(), cardinality(embedding))\n"
	"\tUSING tenant, project, embedding, k, labels, paths;\n"
	"END\n"
	""},
	{"function answer.graph_tie(tenant text, project text)",
	"plpgsql(tenant text, project text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\tloose record;\n"
	"BEGIN\n"
	"\tSELECT e.from_id, e.to_id, e.type, f.id IS NULL AS without_from, t.id IS NULL AS without_to INTO loose\n"
	"\tFROM answer.graph_loose l\n"
	"\tCROSS JOIN LATERAL (SELECT o.from_id, o.to_id, o.type FROM answer.graph_edge o WHERE o.tenant = l.tenant AND o.project = l.project\n"
	"\t\tAND o.from_id = l.from_id AND o.to_id = l.to_id AND o.type = l.type OFFSET 0) AS e\n"
	"\tLEFT JOIN LATERAL (SELECT n.id FROM answer.graph_node n\n"
	"\t\tWHERE n.tenant = l.tenant AND n.project = l.project AND n.id = l.from_id OFFSET 0) AS f ON true\n"
	"\tLEFT JOIN LATERAL (SELECT n.id FROM answer.graph_node n\n"
	"\t\tWHERE n.tenant = l.tenant AND n.project = l.project AND n.id = l.to_id OFFSET 0) AS t ON true\n"
	"\tWHERE l.tenant = graph_tie.tenant AND l.project = graph_tie.project AND (f.id IS NULL OR t.id IS NULL)\n"
	"\tORDER BY e.from_id, e.to_id, e.type LIMIT 1;\n"
	"\tIF FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('there is no node \"%s\" in project \"%s\"', CASE WHEN loose.without_from THEN loose.from_id ELSE loose.to_id END, project),\n"
	"\t\t\tdetail = format('An edge of type \"%s\" leads from \"%s\" to \"%s\".', loose.type, loose.from_id, loose.to_id),\n"
	"\t\t\thint = 'Load both nodes of an edge before it, or with it.';\n"
	"\tEND IF;\n"
	"\tDELETE FROM answer.graph_loose l WHERE l.tenant = graph_tie.tenant AND l.project = graph_tie.project;\n"
	"END\n"
	""},
	{"function answer.graph_truncated()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF TG_RELID = 'answer.graph_edge'::regclass THEN\n"
	"\t\t-- what is left are the nodes and their embeddings\n"
	"\t\tUPDATE answer.graph_set s SET edges = 0, version = version + 1, sum = answer.row_sum('', '{}', ARRAY(\n"
	"\t\t\tSELECT answer.row_digest('graph_node', n) FROM answer.graph_node n WHERE n.tenant = s.tenant AND n.project = s.project\n"
	"\t\t\tUNION ALL SELECT answer.row_digest('graph_embedding', e) FROM answer.graph_embedding e WHERE e.tenant = s.tenant AND e.project = s.project));\n"
	"\tELSE\n"
	"\t\tDELETE FROM answer.graph_edge;\n"
	"\t\tDELETE FROM answer.graph_loose;\n"
	"\t\tDELETE FROM answer.graph_embedding;\n"
	"\t\tDELETE FROM answer.graph_search;\n"
	"\t\tUPDATE answer.graph_set SET nodes = 0, version = version + 1, sum = '';\n"
	"\tEND IF;\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.ground_verify(args jsonb, judging jsonb, judgements jsonb, rules jsonb, at timestamp with time zone)",
	"c(args jsonb, judging jsonb DEFAULT NULL::jsonb, judgements jsonb DEFAULT NULL::jsonb, rules jsonb DEFAULT NULL::jsonb, at timestamp with time zone DEFAULT NULL::timestamp with time zone) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_ground_verify"},
	{"function answer.has_quality(investigation bigint, class text, min_quality @extschema@.answer_quality_level)",
	"plpgsql(investigation bigint, class text, min_quality @extschema@.answer_quality_level) returns boolean, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 300, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF class IS NULL OR min_quality IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'class and min_quality must not be null';\n"
	"\tEND IF;\n"
	"\tIF NOT EXISTS (SELECT FROM answer.quality_rule r WHERE r.kind = 1 AND r.name = class) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('unknown class \"%s\"', class),\n"
	"\t\t\tdetail = format('Known are %s.',\n"
	"\t\t\t\t(SELECT string_agg(r.name, ', ' ORDER BY r.place, r.name COLLATE \"C\") FROM answer.quality_rule r WHERE r.kind = 1)),\n"
	"\t\t\thint = 'Classes are registered with answer_quality_class_register().';\n"
	"\tEND IF;\n"
	"\tRETURN COALESCE((SELECT c.quality FROM unnest((answer.assessment_of(investigation)).classes) AS c\n"
	"\t\tWHERE c.class = has_quality.class), 'None') >= min_quality;\n"
	"END\n"
	""},
	{"function answer.html_text(text text)",
	"c(text text) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_html_text"},
	{"function answer.judge_assessed(tenant text, name text, revision integer)",
	"sql(tenant text, name text, revision integer) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT jsonb_object_agg kind, assessment AS jsonb_object_agg FROM SELECT DISTINCT ON kind kind, assessment FROM judge_assessment a WHERE tenant = tenant AND judge = name AND revision = revision ORDER BY kind, assessed_at DESC n; END"},
	{"function answer.judge_assessment_put(tenant text, judge text, revision integer, version text, by text, assessed_at timestamp with time zone, assessments jsonb)",
	"plpgsql(tenant text, judge text, revision integer, version text, by text, assessed_at timestamp with time zone, assessments jsonb) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tINSERT INTO answer.judge_assessment (tenant, judge, revision, kind, assessed_at, version, pairs, n, balanced_accuracy, assessment, assessed_by)\n"
	"\tSELECT tenant, judge, revision, k.key, assessed_at, version, k.value ->> 'pairs', (k.value ->> 'n')::integer,\n"
	"\t\t(k.value ->> 'balanced_accuracy')::numeric, k.value, by\n"
	"\tFROM jsonb_each(assessments) AS k;\n"
	"\t-- every document that the judge takes part in shows it, so it is no number that anybody can edit\n"
	"\tPERFORM answer.change_record_put(tenant, 'judge', judge);\n"
	"END\n"
	""},
	{"function answer.judge_handler_digest(handler regprocedure)",
	"c(handler regprocedure) returns text, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_judge_handler_digest"},
	{"function answer.judge_kinds(name text, kinds jsonb)",
	"plpgsql(name text, kinds jsonb) returns text[], kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tnamed text[];\n"
	"BEGIN\n"
	"\tIF jsonb_typeof(kinds) = 'array' AND NOT EXISTS (SELECT FROM jsonb_array_elements(kinds) AS k\n"
	"\t\tWHERE k NOT IN ('\"entailment\"', '\"answers\"', '\"conflict\"')) THEN\n"
	"\t\tSELECT array_agg(o.kind ORDER BY o.place) INTO named\n"
	"\t\tFROM unnest('{entailment,answers,conflict}'::text[]) WITH ORDINALITY AS o (kind, place) WHERE kinds ? o.kind;\n"
	"\tEND IF;\n"
	"\tIF named IS NULL OR cardinality(named) <> jsonb_array_length(kinds) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('option \"kinds\" of judge \"%s\" must be an array of one or more of entailment, answers and conflict, each once', name),\n"
	"\t\t\tdetail = format('It is %s.', COALESCE(left(kinds::text, 200), 'missing'));\n"
	"\tEND IF;\n"
	"\tRETURN named;\n"
	"END\n"
	""},
	{"function answer.judge_needs(tenant text, pairs text[])",
	"plpgsql(tenant text, pairs text[]) returns TABLE(pair text, kind text), kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 10, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_column\n"
	"DECLARE\n"
	"\tmissing text[] := pairs;\n"
	"\tneeds jsonb;\n"
	"BEGIN\n"
	"\t-- the newest decisions first: whoever judges has just been shown them\n"
	"\tFOR needs IN SELECT CASE r.schema WHEN 'decision/v1' THEN r.body -> 'to_judge'\n"
	"\t\tELSE jsonb_path_query_array(r.body, '$.trace[*].outputs.evidence.to_judge[*]') END FROM answer.receipt r\n"
	"\t\tWHERE r.tenant = judge_needs.tenant AND (r.schema = 'decision/v1' AND jsonb_typeof(r.body -> 'to_judge') = 'array'\n"
	"\t\t\tOR r.schema = 'plan/v1' AND r.body @? '$.trace[*].outputs.evidence.to_judge[*]')\n"
	"\t\tORDER BY r.issued_at DESC\n"
	"\tLOOP\n"
	"\t\tRETURN QUERY SELECT DISTINCT n ->> 'pair', n ->> 'kind' FROM jsonb_array_elements(needs) AS n WHERE n ->> 'pair' = ANY (missing);\n"
	"\t\tIF FOUND THEN\n"
	"\t\t\tmissing := ARRAY(SELECT m FROM unnest(missing) AS m WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(needs) AS n WHERE n ->> 'pair' = m));\n"
	"\t\tEND IF;\n"
	"\t\tEXIT WHEN cardinality(missing) = 0;\n"
	"\tEND LOOP;\n"
	"END\n"
	""},
	{"function answer.judge_option(name text, option text, value jsonb, lowest integer, highest integer)",
	"plpgsql(name text, option text, value jsonb, lowest integer, highest integer) returns integer, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF value IS NULL OR jsonb_typeof(value) = 'null' THEN\n"
	"\t\tRETURN NULL;\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(value) <> 'number' OR (value #>> '{}')::numeric NOT BETWEEN lowest AND highest\n"
	"\t\tOR (value #>> '{}')::numeric <> trunc((value #>> '{}')::numeric) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('option \"%s\" of judge \"%s\" must be an integer from %s to %s', option, name, lowest, highest),\n"
	"\t\t\tdetail = format('It is %s.', left(value::text, 200));\n"
	"\tEND IF;\n"
	"\tRETURN (value #>> '{}')::numeric::integer;\n"
	"END\n"
	""},
	{"function answer.judge_pending_of(tenant text, reader oid, judge text, n integer)",
	"plpgsql(tenant text, reader oid, judge text, n integer) returns TABLE(kind text, pair text, a text, b text, receipt_id text), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 20, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_column\n"
	"DECLARE\n"
	"\tasked answer.judge;\n"
	"\tdecision record;\n"
	"\tneed record;\n"
	"\tseen text[] := '{}';\n"
	"BEGIN\n"
	"\tIF judge IS NULL OR n IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'judge and n must not be null';\n"
	"\tEND IF;\n"
	"\tIF n < 1 OR n > 1000 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'n must be from 1 to 1000', detail = format('It is %s.', n);\n"
	"\tEND IF;\n"
	"\tSELECT j.* INTO asked FROM answer.judge j WHERE j.name = judge AND j.tenant = ANY (ARRAY['', judge_pending_of.tenant]) ORDER BY j.tenant LIMIT 1;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('unknown judge \"%s\"', judge), hint = 'answer_judges() lists those that are registered.';\n"
	"\tEND IF;\n"
	"\tIF NOT pg_has_role(reader, COALESCE(asked.role, asked.registered_by), 'MEMBER') THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '42501', message = format('role \"%s\" is no member of \"%s\"', pg_get_userbyid(reader), COALESCE(asked.role, asked.registered_by)),\n"
	"\t\t\thint = format('What judge \"%s\" has to judge is shown to who judges in its name.', judge);\n"
	"\tEND IF;\n"
	"\tFOR decision IN SELECT r.receipt_id, r.body, r.schema = 'plan/v1' AS is_plan, CASE r.schema WHEN 'decision/v1' THEN r.body -> 'to_judge'\n"
	"\t\t\tELSE jsonb_path_query_array(r.body, '$.trace[*].outputs.evidence.to_judge[*]') END AS to_judge\n"
	"\t\tFROM answer.receipt r\n"
	"\t\tWHERE r.tenant = judge_pending_of.tenant AND (r.schema = 'decision/v1' AND jsonb_typeof(r.body -> 'to_judge') = 'array'\n"
	"\t\t\tAND r.body -> 'judges' @> jsonb_build_array(jsonb_build_object('name', judge))\n"
	"\t\t\tOR r.schema = 'plan/v1' AND jsonb_path_exists(r.body,\n"
	"\t\t\t\t'$.trace[*].outputs.evidence ? (exists (@.to_judge[*])).judging.judge_entailment[*] ? (@ == $judge)',\n"
	"\t\t\t\tjsonb_build_object('judge', judge)))\n"
	"\t\tORDER BY r.issued_at DESC, r.receipt_id\n"
	"\tLOOP\n"
	"\t\tFOR need IN SELECT t ->> 'kind' AS kind, t ->> 'pair' AS pair, t ->> 'a' AS a, t ->> 'b' AS b\n"
	"\t\t\tFROM jsonb_array_elements(decision.to_judge) WITH ORDINALITY AS o (t, place)\n"
	"\t\t\tWHERE t ->> 'kind' = ANY (asked.kinds) AND t ->> 'pair' <> ALL (seen)\n"
	"\t\t\t-- a judge or a panel that the configuration names for the kind\n"
	"\t\t\tAND (decision.is_plan OR decision.body -> 'config' -> concat('judge_', t ->> 'kind') @> to_jsonb(judge))\n"
	"\t\t\tAND NOT EXISTS (SELECT FROM answer.judgement g WHERE g.tenant = judge_pending_of.tenant AND g.pair = t ->> 'pair' AND g.judge = asked.name\n"
	"\t\t\t\tAND g.judge_tenant = asked.tenant AND g.revision = asked.revision)\n"
	"\t\t\tORDER BY o.place\n"
	"\t\tLOOP\n"
	"\t\t\t-- a plan's document has the texts, and may need a pair in several steps\n"
	"\t\t\tCONTINUE WHEN need.pair = ANY (seen);\n"
	"\t\t\ta := need.a;\n"
	"\t\t\tb := need.b;\n"
	"\t\t\tIF NOT decision.is_plan THEN\n"
	"\t\t\t\tSELECT x.a, x.b INTO a, b FROM answer.judge_texts(decision.body, need.kind, need.pair) AS x;\n"
	"\t\t\tEND IF;\n"
	"\t\t\tCONTINUE WHEN a IS NULL;\n"
	"\t\t\tseen := seen || need.pair;\n"
	"\t\t\tkind := need.kind;\n"
	"\t\t\tpair := need.pair;\n"
	"\t\t\treceipt_id := decision.receipt_id;\n"
	"\t\t\tRETURN NEXT;\n"
	"\t\t\tIF cardinality(seen) >= n THEN\n"
	"\t\t\t\tRETURN;\n"
	"\t\t\tEND IF;\n"
	"\t\tEND LOOP;\n"
	"\tEND LOOP;\n"
	"END\n"
	""},
	{"function answer.judge_register_put(registered_by text, tenant text, name text, options jsonb, handler regprocedure)",
	"plpgsql(registered_by text, tenant text, name text, options jsonb, handler regprocedure) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\twanted answer.judge := answer.judge_wanted(name, options, handler);\n"
	"\tpresent answer.judge;\n"
	"\tnewest integer;\n"
	"BEGIN\n"
	"\twanted.tenant := tenant;\n"
	"\twanted.registered_by := registered_by;\n"
	"\t-- whoever asks learns no more than that a shared one has the name; a tenant's own says nothing to others\n"
	"\tIF tenant <> '' AND EXISTS (SELECT FROM answer.judge j WHERE j.tenant = '' AND j.name = wanted.name) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '23505', message = format('the name \"%s\" is taken by a shared judge', name);\n"
	"\tEND IF;\n"
	"\t-- bytes that no record could tell of would keep everybody from being told\n"
	"\tPERFORM @extschema@.answer_canonical(to_jsonb(wanted));\n"
	"\tSELECT j.* INTO present FROM answer.judge j WHERE j.tenant = wanted.tenant AND j.name = wanted.name FOR UPDATE;\n"
	"\tIF present.seed THEN\n"
	"\t\tPERFORM answer.refuse_registered('judge', name, to_jsonb(present), to_jsonb(wanted));\n"
	"\tEND IF;\n"
	"\tSELECT COALESCE(max(v.revision), 0) INTO newest FROM answer.judge_version v WHERE v.tenant = wanted.tenant AND v.name = wanted.name;\n"
	"\tIF (present.model, present.version, present.handler, present.handler_digest, present.weights_digest, present.role IS NULL)\n"
	"\t\tIS NOT DISTINCT FROM (wanted.model, wanted.version, wanted.handler, wanted.handler_digest, wanted.weights_digest, wanted.role IS NULL)\n"
	"\t\tAND present.name IS NOT NULL THEN\n"
	"\t\twanted.revision := present.revision;\n"
	"\tELSE\n"
	"\t\twanted.revision := newest + 1;\n"
	"\t\tINSERT INTO answer.judge_version (name, tenant, revision, model, version, handler, handler_digest, weights_digest, registered_by, registered_at)\n"
	"\t\tVALUES (wanted.name, wanted.tenant, wanted.revision, wanted.model, wanted.version, wanted.handler, wanted.handler_digest,\n"
	"\t\t\twanted.weights_digest, wanted.registered_by, clock_timestamp())\n"
	"\t\t-- whoever registers a name has its lock, so that this is one whose snapshot is older than another's registration:\n"
	"\t\t-- which the server tells, as of every such row\n"
	"\t\tON CONFLICT ON CONSTRAINT judge_version_pkey DO NOTHING;\n"
	"\tEND IF;\n"
	"\tINSERT INTO answer.judge AS j SELECT wanted.*\n"
	"\tON CONFLICT ON CONSTRAINT judge_pkey DO UPDATE\n"
	"\tSET revision = excluded.revision, kinds = excluded.kinds, model = excluded.model, version = excluded.version, handler = excluded.handler,\n"
	"\t\thandler_owner = excluded.handler_owner, handler_digest = excluded.handler_digest, role = excluded.role,\n"
	"\t\tweights_digest = excluded.weights_digest, max_pairs = excluded.max_pairs, max_chars = excluded.max_chars,\n"
	"\t\tdeadline_ms = excluded.deadline_ms, registered_by = excluded.registered_by;\n"
	"\tPERFORM answer.change_record_put(tenant, 'judge', name);\n"
	"END\n"
	""},
	{"function answer.judge_remove_put(tenant text, name text)",
	"plpgsql(tenant text, name text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF name IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'name must not be null';\n"
	"\tEND IF;\n"
	"\tDELETE FROM answer.judge j WHERE j.tenant = judge_remove_put.tenant AND j.name = judge_remove_put.name;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tIF EXISTS (SELECT FROM answer.judge j WHERE j.tenant = '' AND j.name = judge_remove_put.name) THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '42501', message = format('judge \"%s\" is shared by all tenants', name),\n"
	"\t\t\t\thint = 'The owner of the extension removes it, with no answer_eval.tenant set.';\n"
	"\t\tEND IF;\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('unknown judge \"%s\"', name),\n"
	"\t\t\thint = 'answer_judges() lists those that are registered.';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.change_record_put(tenant, 'judge', name);\n"
	"END\n"
	""},
	{"function answer.judge_text(name text, option text, value jsonb)",
	"plpgsql(name text, option text, value jsonb) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF value IS NULL OR jsonb_typeof(value) = 'null' THEN\n"
	"\t\tRETURN NULL;\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(value) <> 'string' OR (value #>> '{}') ~ '^[[:space:]]*$' OR length(value #>> '{}') > 200 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('option \"%s\" of judge \"%s\" must be a text of 1 to 200 characters that is not blank', option, name),\n"
	"\t\t\tdetail = format('It is %s.', left(value::text, 200));\n"
	"\tEND IF;\n"
	"\tRETURN value #>> '{}';\n"
	"END\n"
	""},
	{"function answer.judge_texts(body jsonb, kind text, pair text, OUT a text, OUT b text)",
	"plpgsql(body jsonb, kind text, pair text, OUT a text, OUT b text) returns record, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_column\n"
	"BEGIN\n"
	"\tSELECT p ->> 'a', p ->> 'b' INTO a, b\n"
	"\tFROM jsonb_array_elements(@extschema@.answer_judge_pairs(body ->> 'query', body #> '{retrieval,chunks}',\n"
	"\t\tNULLIF(body #> '{proposed,citations}', 'null'), body #>> '{proposed,answer}', body -> 'config', body -> 'rules')) AS p\n"
	"\tWHERE p ->> 'kind' = judge_texts.kind AND p ->> 'pair' = judge_texts.pair\n"
	"\tLIMIT 1;\n"
	"END\n"
	""},
	{"function answer.judge_wanted(name text, options jsonb, handler regprocedure)",
	"plpgsql(name text, options jsonb, handler regprocedure) returns answer.judge, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\twanted answer.judge;\n"
	"\tunknown text;\n"
	"BEGIN\n"
	"\tIF name IS NULL OR options IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'name and options of a judge must not be null';\n"
	"\tEND IF;\n"
	"\tIF name !~ '^[a-z][a-z0-9_.-]{0,62}$' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('\"%s\" is no name of a judge', name),\n"
	"\t\t\tdetail = 'A name has from 1 to 63 characters: lower-case ASCII letters, digits and _ . -. It begins with a letter.';\n"
	"\tEND IF;\n"
	"\tIF name IN ('encryption', 'refund', 'policy', 'numeric', 'copy', 'fact') THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('judge \"%s\" would pass for a built-in rule', name),\n"
	"\t\t\thint = 'Choose another name than encryption, refund, policy, numeric, copy and fact.';\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(options) <> 'object' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('options of judge \"%s\" must be a JSON object', name);\n"
	"\tEND IF;\n"
	"\tSELECT k INTO unknown FROM jsonb_object_keys(options) AS k\n"
	"\tWHERE k NOT IN ('kinds', 'model', 'version', 'handler', 'role', 'weights_digest', 'max_pairs', 'max_chars', 'deadline_ms')\n"
	"\tORDER BY k COLLATE \"C\" LIMIT 1;\n"
	"\tIF FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('option \"%s\" of judge \"%s\" is unknown', unknown, name),\n"
	"\t\t\thint = 'Options are kinds, model, version, handler, role, weights_digest, max_pairs, max_chars and deadline_ms.';\n"
	"\tEND IF;\n"
	"\twanted.name := name;\n"
	"\twanted.kinds := answer.judge_kinds(name, options -> 'kinds');\n"
	"\twanted.model := answer.judge_text(name, 'model', options -> 'model');\n"
	"\twanted.version := answer.judge_text(name, 'version', options -> 'version');\n"
	"\tIF wanted.model IS NULL OR wanted.version IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('judge \"%s\" must have a model and a version', name),\n"
	"\t\t\thint = 'Every document that it takes part in shows both.';\n"
	"\tEND IF;\n"
	"\twanted.weights_digest := answer.judge_text(name, 'weights_digest', options -> 'weights_digest');\n"
	"\twanted.max_pairs := COALESCE(answer.judge_option(name, 'max_pairs', options -> 'max_pairs', 1, 1000), 64);\n"
	"\twanted.max_chars := COALESCE(answer.judge_option(name, 'max_chars', options -> 'max_chars', 1, 1000000), 8000);\n"
	"\twanted.deadline_ms := answer.judge_option(name, 'deadline_ms', options -> 'deadline_ms', 1, 3600000);\n"
	"\twanted.role := answer.judge_text(name, 'role', options -> 'role');\n"
	"\tIF (handler IS NULL) = (wanted.role IS NULL) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('judge \"%s\" must have either a handler or a role', name),\n"
	"\t\t\thint = 'The database calls a handler; without one, the members of the role record what they judged.';\n"
	"\tEND IF;\n"
	"\tIF handler IS NOT NULL THEN\n"
	"\t\tSELECT format('%I.%I', n.nspname, p.proname), pg_get_userbyid(p.proowner) INTO wanted.handler, wanted.handler_owner\n"
	"\t\tFROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace\n"
	"\t\tWHERE p.oid = handler AND p.prokind = 'f' AND NOT p.proretset\n"
	"\t\tAND p.pronargs = 1 AND p.proargtypes[0] = 'jsonb'::regtype AND p.prorettype = 'jsonb'::regtype\n"
	"\t\t-- whose name another session's could take over\n"
	"\t\tAND NOT starts_with(n.nspname, 'pg_temp_');\n"
	"\t\tIF NOT FOUND THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\tmessage = format('handler %s of judge \"%s\" must be a function (jsonb) RETURNS jsonb, and not temporary', handler, name);\n"
	"\t\tEND IF;\n"
	"\t\twanted.handler_digest := answer.judge_handler_digest(handler);\n"
	"\tELSIF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = wanted.role) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '42704', message = format('role \"%s\" of judge \"%s\" does not exist', wanted.role, name);\n"
	"\tEND IF;\n"
	"\twanted.seed := false;\n"
	"\tRETURN wanted;\n"
	"END\n"
	""},
	{"function answer.judged_since(tenant text, body jsonb)",
	"plpgsql(tenant text, body jsonb) returns boolean, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tevidence jsonb := CASE body ->> 'schema' WHEN 'decision/v1' THEN jsonb_build_array(body)\n"
	"\t\tELSE jsonb_path_query_array(body, '$.trace[*].outputs.evidence') END;\n"
	"\tused jsonb := jsonb_path_query_array(evidence, '$[*].judgements[*]');\n"
	"\topen jsonb := jsonb_path_query_array(evidence, '$[*].to_judge[*]');\n"
	"BEGIN\n"
	"\t-- most answers were judged by nobody\n"
	"\tIF used = '[]' AND open = '[]' THEN\n"
	"\t\tRETURN false;\n"
	"\tEND IF;\n"
	"\tRETURN EXISTS (SELECT FROM (SELECT DISTINCT p ->> 'pair' AS pair FROM jsonb_array_elements(used || open) AS p) AS n\n"
	"\t\tJOIN answer.judgement g ON g.tenant = judged_since.tenant AND g.pair = n.pair\n"
	"\t\tWHERE g.judge IN (SELECT j #>> '{}' FROM jsonb_path_query(evidence, '$[*].judges[*].name') AS j)\n"
	"\t\tAND NOT EXISTS (SELECT FROM jsonb_array_elements(used) AS u WHERE u ->> 'pair' = g.pair AND u ->> 'judge' = g.judge\n"
	"\t\t\tAND (u ->> 'version' <> g.version OR (u ->> 'judged_at')::timestamptz >= g.judged_at\n"
	"\t\t\t\tOR (u ->> 'relation' = g.relation AND (u ->> 'score')::numeric = g.score))));\n"
	"END\n"
	""},
	{"function answer.judgement_forget(tenant text, pairs text[])",
	"plpgsql(tenant text, pairs text[]) returns text[], kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tforgotten text[];\n"
	"BEGIN\n"
	"\tWITH gone AS (\n"
	"\t\tDELETE FROM answer.judgement j WHERE j.tenant = judgement_forget.tenant AND j.pair = ANY (pairs) RETURNING j.*\n"
	"\t)\n"
	"\tSELECT array_agg(encode(answer.recorded_item(2, g.pair, answer.row_digest('judgement', g)), 'hex') ORDER BY g.pair, g.judged_at)\n"
	"\tINTO forgotten FROM gone g;\n"
	"\t-- other answers with the same pair are contradicted no longer; the forgotten one stays as it was counted\n"
	"\tPERFORM answer.rollup_correct_document(c.tenant, c.receipt_id, c.issued_at)\n"
	"\tFROM (SELECT * FROM answer.rollup_correction f WHERE f.tenant = judgement_forget.tenant AND f.pair = ANY (pairs) AND f.contradicted\n"
	"\t\tORDER BY f.receipt_id) AS c;\n"
	"\tRETURN COALESCE(forgotten, '{}');\n"
	"END\n"
	""},
	{"function answer.judgement_put(tenant text, by text, origin text, judged_at timestamp with time zone, judgements jsonb)",
	"plpgsql(tenant text, by text, origin text, judged_at timestamp with time zone, judgements jsonb) returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tstored integer;\n"
	"BEGIN\n"
	"\tINSERT INTO answer.judgement (tenant, pair, judge, judge_tenant, revision, judged_at, kind, version, relation, score, origin, by)\n"
	"\tSELECT tenant, r.pair, r.judge, r.judge_tenant, r.revision,\n"
	"\t\t-- what is said later counts, also where a clock was set back\n"
	"\t\tgreatest(COALESCE(judged_at, clock_timestamp()), (SELECT max(o.judged_at) + interval '1 microsecond' FROM answer.judgement o\n"
	"\t\t\tWHERE o.tenant = judgement_put.tenant AND o.pair = r.pair AND o.judge = r.judge AND o.judge_tenant = r.judge_tenant\n"
	"\t\t\tAND o.revision = r.revision)),\n"
	"\t\tr.kind, r.version, r.relation, trim_scale(r.score), origin, by\n"
	"\tFROM jsonb_to_recordset(judgements) AS r (pair text, judge text, judge_tenant text, revision integer, kind text, version text,\n"
	"\t\trelation text, score numeric)\n"
	"\t-- in one order for everybody: two that store the same wait for each other once\n"
	"\tORDER BY r.pair COLLATE \"C\", r.judge COLLATE \"C\"\n"
	"\tON CONFLICT DO NOTHING;\n"
	"\tGET DIAGNOSTICS stored = ROW_COUNT;\n"
	"\t-- answers that were given before may be contradicted now, or not any more\n"
	"\tPERFORM answer.rollup_correct(tenant, ARRAY(SELECT r.pair FROM jsonb_to_recordset(judgements) AS r (pair text, kind text)\n"
	"\t\tWHERE r.kind IN ('entailment', 'conflict')));\n"
	"\tRETURN stored;\n"
	"END\n"
	""},
	{"function answer.judges_of(tenant text)",
	"sql(tenant text) returns TABLE(name text, kinds text[], model text, version text, external boolean, assessed jsonb, shared boolean, role text, handler text, weights_digest text, max_pairs integer, max_chars integer, deadline_ms integer, registered_by text), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 10, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT DISTINCT ON name name, kinds, model, version, handler IS NULL , judge_assessed tenant, name, revision AS judge_assessed, tenant = ''::text , role, handler, weights_digest, max_pairs, max_chars, deadline_ms, registered_by FROM judge j WHERE tenant = ANY ARRAY[''::text, tenant] ORDER BY name, tenant; END"},
	{"function answer.keep_unforgotten(tenant text)",
	"c(tenant text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_keep_unforgotten"},
	{"function answer.key_file_present(key_id text, folder uuid)",
	"c(key_id text, folder uuid) returns boolean, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_key_file_present"},
	{"function answer.key_guard()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\trule text;\n"
	"BEGIN\n"
	"\tIF TG_OP <> 'UPDATE' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'restrict_violation',\n"
	"\t\t\tmessage = 'keys are not removed from the registry',\n"
	"\t\t\tdetail = format('%s was refused: receipts that the key signed could not be verified.', TG_OP),\n"
	"\t\t\thint = 'Use answer_key_retire() or answer_key_compromise().';\n"
	"\tEND IF;\n"
	"\trule := CASE\n"
	"\t\tWHEN NEW.key_id <> OLD.key_id OR NEW.public_key <> OLD.public_key\n"
	"\t\t\tOR NEW.active_from IS DISTINCT FROM OLD.active_from\n"
	"\t\t\tOR NEW.folder IS DISTINCT FROM OLD.folder\n"
	"\t\t\tTHEN 'key_id, public_key, active_from and folder do not change'\n"
	"\t\tWHEN NEW.status < OLD.status\n"
	"\t\t\tTHEN 'a status goes from active to retired to compromised, and not back'\n"
	"\t\tWHEN OLD.status = 'active' AND NEW.status = 'retired' AND NEW.retired_at IS NULL\n"
	"\t\t\tTHEN 'an active key retires at an instant'\n"
	"\t\tWHEN OLD.retired_at IS NOT NULL AND (NEW.retired_at IS NULL OR NEW.retired_at > OLD.retired_at)\n"
	"\t\t\tTHEN 'retired_at is neither taken back nor put off'\n"
	"\t\tWHEN OLD.status = 'compromised' AND NEW.compromised_after IS NOT NULL\n"
	"\t\t\tAND (OLD.compromised_after IS NULL OR NEW.compromised_after > OLD.compromised_after)\n"
	"\t\t\tTHEN 'compromised_after is not put off'\n"
	"\tEND;\n"
	"\tIF rule IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'restrict_violation',\n"
	"\t\t\tmessage = format('the life of key \"%s\" can only be shortened', OLD.key_id),\n"
	"\t\t\tdetail = format('The rule is: %s.', rule);\n"
	"\tEND IF;\n"
	"\tRETURN NEW;\n"
	"END\n"
	""},
	{"function answer.latency_add(internal, bytea)",
	"c(internal, bytea) returns internal, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 5, rows 0, settings , extension t in answer_eval: answer_eval_latency_add"},
	{"function answer.latency_bag(microseconds bigint)",
	"c(microseconds bigint) returns bytea, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_latency_bag"},
	{"function answer.latency_final(internal)",
	"c(internal) returns bytea, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 5, rows 0, settings , extension t in answer_eval: answer_eval_latency_final"},
	{"function answer.latency_percentile(bag bytea, fraction double precision)",
	"c(bag bytea, fraction double precision) returns double precision, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_latency_percentile"},
	{"function answer.latency_union(a bytea, b bytea)",
	"c(a bytea, b bytea) returns bytea, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_latency_union"},
	{"function answer.latency_union(bytea)",
	"internal(bytea) returns bytea, kind a, volatile i, strict f, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t, steps answer.latency_add answer.latency_final - - - - internal  n: aggregate_dummy"},
	{"function answer.load_turn(tenant text, kind text, name text)",
	"c(tenant text, kind text, name text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_load_turn"},
	{"function answer.markers_check(text text, citations jsonb, needs_citation boolean)",
	"c(text text, citations jsonb, needs_citation boolean) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_markers_check"},
	{"function answer.memory_erase(tenant text, doc_id text)",
	"plpgsql(tenant text, doc_id text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tkeys text[];\n"
	"BEGIN\n"
	"\tWITH gone AS (\n"
	"\t\tDELETE FROM answer.memory_entry m WHERE m.tenant = memory_erase.tenant\n"
	"\t\tAND answer.quotes_document(jsonb_build_array(m.value, m.provenance), memory_erase.doc_id,\n"
	"\t\t\t(SELECT array_agg(d.url) FROM answer.document d WHERE d.tenant = memory_erase.tenant AND d.doc_id = memory_erase.doc_id))\n"
	"\t\tRETURNING m.key\n"
	"\t)\n"
	"\tSELECT array_agg(g.key ORDER BY g.key) INTO keys FROM gone g;\n"
	"\tPERFORM answer.memory_recorded(tenant, keys);\n"
	"END\n"
	""},
	{"function answer.memory_erase_value(tenant text, digest text)",
	"plpgsql(tenant text, digest text) returns boolean, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tkeys text[];\n"
	"BEGIN\n"
	"\tWITH gone AS (\n"
	"\t\tDELETE FROM answer.memory_entry m WHERE m.tenant = memory_erase_value.tenant AND m.digest = memory_erase_value.digest\n"
	"\t\tRETURNING m.key\n"
	"\t)\n"
	"\tSELECT array_agg(g.key ORDER BY g.key) INTO keys FROM gone g;\n"
	"\tPERFORM answer.memory_recorded(tenant, keys);\n"
	"\tRETURN keys IS NOT NULL;\n"
	"END\n"
	""},
	{"function answer.memory_expires(ttl text, written_at timestamp with time zone)",
	"c(ttl text, written_at timestamp with time zone) returns timestamp with time zone, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 5, rows 0, settings , extension t in answer_eval: answer_eval_memory_expires"},
	{"function answer.memory_policy_put(tenant text, key_prefix text, reported boolean)",
	"plpgsql(tenant text, key_prefix text, reported boolean) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF tenant IS NULL OR key_prefix IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'tenant and key_prefix must not be null';\n"
	"\tEND IF;\n"
	"\tIF octet_length(convert_to(key_prefix, 'UTF8')) > 1000 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('key_prefix must have at most 1000 bytes in UTF-8, and has %s',\n"
	"\t\t\toctet_length(convert_to(key_prefix, 'UTF8')));\n"
	"\tEND IF;\n"
	"\tIF tenant <> '' AND NOT EXISTS (SELECT FROM answer.tenant t WHERE t.tenant = memory_policy_put.tenant) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no tenant \"%s\"', tenant),\n"
	"\t\t\thint = 'Tenants are created with answer_tenant_create(); the empty text is the operator.';\n"
	"\tEND IF;\n"
	"\tIF reported IS NULL THEN\n"
	"\t\tDELETE FROM answer.memory_policy p WHERE p.tenant = memory_policy_put.tenant AND p.key_prefix = memory_policy_put.key_prefix;\n"
	"\tELSE\n"
	"\t\tINSERT INTO answer.memory_policy (tenant, key_prefix, reported) VALUES (tenant, key_prefix, reported)\n"
	"\t\tON CONFLICT ON CONSTRAINT memory_policy_pkey DO UPDATE SET reported = excluded.reported;\n"
	"\tEND IF;\n"
	"\tPERFORM answer.change_record_put(tenant, 'memory_policy', key_prefix);\n"
	"END\n"
	""},
	{"function answer.memory_recorded(tenant text, keys text[])",
	"c(tenant text, keys text[]) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_memory_recorded"},
	{"function answer.merkle_consistency(from_size bigint, to_size bigint, from_root bytea, to_root bytea, proof bytea[])",
	"c(from_size bigint, to_size bigint, from_root bytea, to_root bytea, proof bytea[]) returns boolean, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 50, rows 0, settings , extension t in answer_eval: answer_eval_merkle_consistency"},
	{"function answer.merkle_inclusion(leaf_index bigint, tree_size bigint, leaf_hash bytea, root_hash bytea, proof bytea[])",
	"c(leaf_index bigint, tree_size bigint, leaf_hash bytea, root_hash bytea, proof bytea[]) returns boolean, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 50, rows 0, settings , extension t in answer_eval: answer_eval_merkle_inclusion"},
	{"function answer.merkle_leaf_hash(data bytea)",
	"c(data bytea) returns bytea, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_merkle_leaf_hash"},
	{"function answer.next_tool(investigation bigint)",
	"plpgsql(investigation bigint) returns SETOF @extschema@.answer_quality_gap, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 300, rows 1, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tRETURN QUERY SELECT g.* FROM unnest((answer.assessment_of(investigation)).gap) AS g LIMIT 1;\n"
	"END\n"
	""},
	{"function answer.operator(op text, observed jsonb, value jsonb, tol jsonb)",
	"c(op text, observed jsonb, value jsonb, tol jsonb DEFAULT NULL::jsonb) returns @extschema@.answer_outcome, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 5, rows 0, settings , extension t in answer_eval: answer_eval_operator"},
	{"function answer.option_texts(options jsonb, name text)",
	"sql(options jsonb, name text) returns text[], kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: SELECT CASE jsonb_typeof(options -> name) WHEN 'array' THEN ARRAY(SELECT jsonb_array_elements_text(options -> name)) END"},
	{"function answer.options_check(options jsonb, known jsonb)",
	"plpgsql(options jsonb, known jsonb) returns void, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\tmember\trecord;\n"
	"\twrong\ttext;\n"
	"BEGIN\n"
	"\tIF options IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'options must not be null';\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(options) <> 'object' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('options must be an object, and is %s', @extschema@.answer_readable(options)),\n"
	"\t\t\thint = 'Give {} where there is no option.';\n"
	"\tEND IF;\n"
	"\tFOR member IN SELECT o.key, o.value, known ->> o.key AS type FROM jsonb_each(options) AS o ORDER BY o.key COLLATE \"C\" LOOP\n"
	"\t\tIF member.type IS NULL THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023', message = format('unknown option \"%s\"', member.key),\n"
	"\t\t\t\thint = format('Options are %s.', (SELECT string_agg(k, ', ' ORDER BY k COLLATE \"C\") FROM jsonb_object_keys(known) AS k));\n"
	"\t\tEND IF;\n"
	"\t\twrong := CASE\n"
	"\t\t\tWHEN jsonb_typeof(member.value) = 'null' THEN NULL\n"
	"\t\t\tWHEN member.type = 'strings' THEN CASE WHEN jsonb_typeof(member.value) <> 'array'\n"
	"\t\t\t\tOR member.value @? '$[*] ? (@.type() != \"string\")' THEN 'an array of strings' END\n"
	"\t\t\tWHEN member.type = 'integer' THEN CASE WHEN jsonb_typeof(member.value) <> 'number'\n"
	"\t\t\t\tOR (member.value)::numeric <> trunc((member.value)::numeric) OR abs((member.value)::numeric) > 2147483647 THEN 'an integer' END\n"
	"\t\t\tWHEN member.type <> 'any' AND jsonb_typeof(member.value) <> member.type THEN concat('of type ', member.type) END;\n"
	"\t\tIF wrong IS NOT NULL THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023', message = format('option \"%s\" must be %s', member.key, wrong),\n"
	"\t\t\t\tdetail = format('It is %s.', @extschema@.answer_readable(member.value));\n"
	"\t\tEND IF;\n"
	"\tEND LOOP;\n"
	"END\n"
	""},
	{"function answer.packet_synthesis(packet jsonb, brief text, citations text[])",
	"c(packet jsonb, brief text, citations text[]) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_packet_synthesis"},
	{"function answer.packet_validate(packet jsonb)",
	"c(packet jsonb) returns SETOF text, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 1, settings , extension t in answer_eval: answer_eval_packet_validate"},
	{"function answer.path_problem(path text)",
	"c(path text) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_path_problem"},
	{"function answer.path_value(value jsonb, path text)",
	"c(value jsonb, path text) returns jsonb, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 5, rows 0, settings , extension t in answer_eval: answer_eval_path_value"},
	{"function answer.plan_outline(plan jsonb, tools jsonb, vars jsonb, limits jsonb, sides jsonb)",
	"c(plan jsonb, tools jsonb, vars jsonb DEFAULT NULL::jsonb, limits jsonb DEFAULT NULL::jsonb, sides jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 200, rows 0, settings , extension t in answer_eval: answer_eval_plan_outline"},
	{"function answer.plan_problems(plan jsonb, tools jsonb, OUT node text, OUT problem text)",
	"c(plan jsonb, tools jsonb, OUT node text, OUT problem text) returns SETOF record, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 5, settings , extension t in answer_eval: answer_eval_plan_problems"},
	{"function answer.plan_put(tenant text, plan_id text, digest text, plan jsonb, registered_by text)",
	"plpgsql(tenant text, plan_id text, digest text, plan jsonb, registered_by text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tnewest answer.plan;\n"
	"BEGIN\n"
	"\t-- whoever asks learns no more than that a shared plan has the id; a tenant's own says nothing to others\n"
	"\tIF tenant <> '' AND EXISTS (SELECT FROM answer.plan p WHERE p.tenant = '' AND p.plan_id = plan_put.plan_id) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '23505', message = format('the id \"%s\" is taken by a shared plan', plan_id);\n"
	"\tEND IF;\n"
	"\tLOOP\n"
	"\t\tSELECT p.* INTO newest FROM answer.plan p WHERE p.tenant = plan_put.tenant AND p.plan_id = plan_put.plan_id\n"
	"\t\tORDER BY p.version DESC LIMIT 1;\n"
	"\t\tEXIT WHEN newest.digest = digest;\n"
	"\t\tIF newest.seed THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023', message = format('plan \"%s\" comes with answer_eval and cannot be changed', plan_id);\n"
	"\t\tEND IF;\n"
	"\t\t-- another session can have registered a version meanwhile: that one is waited for, and looked at\n"
	"\t\tINSERT INTO answer.plan (tenant, plan_id, version, digest, plan, registered_by)\n"
	"\t\tVALUES (tenant, plan_id, COALESCE(newest.version, 0) + 1, digest, plan, registered_by)\n"
	"\t\tON CONFLICT ON CONSTRAINT plan_pkey DO NOTHING;\n"
	"\t\tEXIT WHEN FOUND;\n"
	"\tEND LOOP;\n"
	"\tPERFORM answer.change_record_put(tenant, 'plan', plan_id);\n"
	"END\n"
	""},
	{"function answer.plan_tools(tenant text, plan jsonb)",
	"plpgsql(tenant text, plan jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\tnodes jsonb := CASE jsonb_typeof(plan -> 'nodes') WHEN 'array' THEN plan -> 'nodes' ELSE '[]' END;\n"
	"\tnamed text[] := (SELECT array_agg(DISTINCT n ->> 'tool') FROM jsonb_array_elements(nodes) AS n) || '{ground.verify,mesh.mem}'::text[];\n"
	"\tcapable text[] := (SELECT array_agg(DISTINCT n ->> 'capability') FROM jsonb_array_elements(nodes) AS n\n"
	"\t\tWHERE n ? 'capability');\n"
	"BEGIN\n"
	"\tRETURN (SELECT COALESCE(jsonb_object_agg(t.tool, t.spec), '{}') FROM answer.tool t\n"
	"\t\tWHERE t.spec IS NOT NULL AND (t.tool = ANY (named) OR t.spec -> 'capabilities' ?| capable)\n"
	"\t\t-- should a shared tool have come to have the name of a tenant's own, it is the one\n"
	"\t\tAND (t.tenant = '' OR (t.tenant = plan_tools.tenant\n"
	"\t\t\tAND NOT EXISTS (SELECT FROM answer.tool s WHERE s.tenant = '' AND s.tool = t.tool))));\n"
	"END\n"
	""},
	{"function answer.portable(document jsonb)",
	"c(document jsonb) returns jsonb, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_portable"},
	{"function answer.quality_authority_register_put(tool text, observation jsonb)",
	"plpgsql(tool text, observation jsonb) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tregistered answer.quality_tool;\n"
	"BEGIN\n"
	"\tIF tool IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'tool must not be null';\n"
	"\tEND IF;\n"
	"\tSELECT t.* INTO registered FROM answer.quality_tool t WHERE t.tenant = '' AND t.tool = quality_authority_register_put.tool;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('unknown tool \"%s\"', tool),\n"
	"\t\t\thint = 'Tools are registered with answer_quality_grader_register().';\n"
	"\tEND IF;\n"
	"\tIF registered.seed THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('tool \"%s\" comes with answer_eval and cannot be changed', tool);\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(observation) IS DISTINCT FROM 'object' OR EXISTS (SELECT FROM jsonb_each(observation) AS m\n"
	"\t\tWHERE jsonb_typeof(m.value) IN ('object', 'array')) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'observation must be an object of texts, numbers, true, false and null';\n"
	"\tEND IF;\n"
	"\tINSERT INTO answer.quality_authority AS a (tool, class, observation)\n"
	"\tVALUES (tool, registered.class, answer.portable(observation))\n"
	"\tON CONFLICT ON CONSTRAINT quality_authority_pkey DO UPDATE SET class = excluded.class\n"
	"\tWHERE NOT a.seed;\n"
	"\tPERFORM answer.change_record_put('', 'quality_tool', tool);\n"
	"END\n"
	""},
	{"function answer.quality_class_register_put(class text, tool text, identifier_tool text, verify_tool text, description text, relevance @extschema@.answer_quality_relevance, replace boolean)",
	"plpgsql(class text, tool text, identifier_tool text, verify_tool text, description text, relevance @extschema@.answer_quality_relevance, replace boolean) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\twanted answer.quality_class;\n"
	"BEGIN\n"
	"\tIF class IS NULL OR class = '' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = CASE WHEN class IS NULL THEN '22004' ELSE '22023' END, message = 'class must have a non-empty name';\n"
	"\tEND IF;\n"
	"\t-- bytes that no assessment could read would keep everybody from reading any\n"
	"\tPERFORM @extschema@.answer_canonical(jsonb_build_array(class, tool, identifier_tool, verify_tool));\n"
	"\twanted.class := class;\n"
	"\twanted.position := COALESCE((SELECT c.position FROM answer.quality_class c WHERE c.class = quality_class_register_put.class),\n"
	"\t\t(SELECT greatest(max(c.position), 100) + 1 FROM answer.quality_class c));\n"
	"\twanted.tool := tool;\n"
	"\twanted.identifier_tool := identifier_tool;\n"
	"\twanted.verify_tool := verify_tool;\n"
	"\twanted.relevance := relevance;\n"
	"\twanted.description := description;\n"
	"\twanted.seed := false;\n"
	"\tINSERT INTO answer.quality_class AS c SELECT wanted.*\n"
	"\tON CONFLICT ON CONSTRAINT quality_class_pkey DO UPDATE\n"
	"\tSET tool = excluded.tool, identifier_tool = excluded.identifier_tool, verify_tool = excluded.verify_tool,\n"
	"\t\trelevance = excluded.relevance, description = excluded.description\n"
	"\tWHERE NOT c.seed AND (replace OR to_jsonb(c) - 'position' = to_jsonb(wanted) - 'position');\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tPERFORM answer.refuse_registered('class', class,\n"
	"\t\t\t(SELECT to_jsonb(c) FROM answer.quality_class c WHERE c.class = wanted.class), to_jsonb(wanted));\n"
	"\tEND IF;\n"
	"\tINSERT INTO answer.quality_compatibility (class, with_class) VALUES (class, class)\n"
	"\tON CONFLICT DO NOTHING;\n"
	"\tPERFORM answer.change_record_put('', 'quality_class', class);\n"
	"END\n"
	""},
	{"function answer.quality_compatibility_register_put(class text, with_class text, with_quality @extschema@.answer_quality_level, same_target boolean, replace boolean)",
	"plpgsql(class text, with_class text, with_quality @extschema@.answer_quality_level, same_target boolean, replace boolean) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF class IS NULL OR with_class IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'class and with_class must not be null';\n"
	"\tEND IF;\n"
	"\tIF NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = quality_compatibility_register_put.class)\n"
	"\t\tOR NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = with_class) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('unknown class \"%s\" or \"%s\"', class, with_class),\n"
	"\t\t\thint = 'Classes are registered with answer_quality_class_register().';\n"
	"\tEND IF;\n"
	"\tIF with_quality IS NULL OR with_quality NOT IN ('Moderate', 'Strong') OR same_target IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'with_quality must be Moderate or Strong, and same_target true or false';\n"
	"\tEND IF;\n"
	"\tINSERT INTO answer.quality_compatibility AS k (class, with_class, with_quality, same_target)\n"
	"\tVALUES (class, with_class, with_quality, same_target)\n"
	"\tON CONFLICT ON CONSTRAINT quality_compatibility_pkey DO UPDATE\n"
	"\tSET with_quality = excluded.with_quality, same_target = excluded.same_target\n"
	"\tWHERE NOT k.seed AND (replace OR (k.with_quality, k.same_target) = (excluded.with_quality, excluded.same_target));\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tIF EXISTS (SELECT FROM answer.quality_compatibility k WHERE k.class = quality_compatibility_register_put.class\n"
	"\t\t\tAND k.with_class = quality_compatibility_register_put.with_class AND k.seed) THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\tmessage = format('the compatibility of class \"%s\" with \"%s\" comes with answer_eval and cannot be changed', class, with_class);\n"
	"\t\tEND IF;\n"
	"\t\tRAISE EXCEPTION USING errcode = '23505',\n"
	"\t\t\tmessage = format('the compatibility of class \"%s\" with \"%s\" is registered already with other values', class, with_class),\n"
	"\t\t\thint = 'To change it, give all of its registration and replace => true.';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.change_record_put('', 'quality_class', class);\n"
	"END\n"
	""},
	{"function answer.quality_grader_put(registered_by text, tenant text, tool text, class text, grader regprocedure, family text, description text, replace boolean)",
	"plpgsql(registered_by text, tenant text, tool text, class text, grader regprocedure, family text, description text, replace boolean) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tgrader_name text;\n"
	"\tgrader_owner text;\n"
	"\twanted answer.quality_tool;\n"
	"\t-- who registers it, and who owns its grader now, is no part of what was said\n"
	"\tbeside text[] := '{registered_by,grader_owner}';\n"
	"BEGIN\n"
	"\tIF tool IS NULL OR tool = '' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = CASE WHEN tool IS NULL THEN '22004' ELSE '22023' END, message = 'tool must have a non-empty name';\n"
	"\tEND IF;\n"
	"\tIF class IS NULL OR grader IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = format('class and grader of tool \"%s\" must not be null', tool);\n"
	"\tEND IF;\n"
	"\tIF NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = quality_grader_put.class) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('unknown class \"%s\"', class),\n"
	"\t\t\thint = 'Classes are registered with answer_quality_class_register().';\n"
	"\tEND IF;\n"
	"\tSELECT format('%I.%I', n.nspname, p.proname), pg_get_userbyid(p.proowner) INTO grader_name, grader_owner\n"
	"\tFROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace\n"
	"\tWHERE p.oid = grader AND p.prokind = 'f' AND NOT p.proretset AND p.pronargs = 1\n"
	"\tAND p.proargtypes[0] = 'jsonb'::regtype AND p.prorettype = '@extschema@.answer_graded'::regtype\n"
	"\tAND p.provolatile = 'i' AND p.proparallel = 's'\n"
	"\t-- the name would be another session's to take\n"
	"\tAND NOT starts_with(n.nspname, 'pg_temp_');\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('grader %s of tool \"%s\" must be a function (jsonb) RETURNS answer_graded, IMMUTABLE and PARALLEL SAFE, and not temporary', grader, tool);\n"
	"\tEND IF;\n"
	"\t-- bytes that no assessment could read would keep everybody from reading any\n"
	"\tPERFORM @extschema@.answer_canonical(jsonb_build_array(tool, family, grader_name));\n"
	"\t-- whoever asks learns no more than that a shared tool has the name\n"
	"\tIF tenant <> '' AND EXISTS (SELECT FROM answer.quality_tool t WHERE t.tenant = '' AND t.tool = quality_grader_put.tool) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '23505', message = format('the name \"%s\" is taken by a shared tool', tool);\n"
	"\tEND IF;\n"
	"\twanted.tool := tool;\n"
	"\twanted.tenant := tenant;\n"
	"\twanted.class := class;\n"
	"\twanted.family := COALESCE(NULLIF(family, ''), tool);\n"
	"\twanted.grader := grader_name;\n"
	"\twanted.grader_owner := grader_owner;\n"
	"\twanted.description := description;\n"
	"\twanted.registered_by := registered_by;\n"
	"\twanted.seed := false;\n"
	"\tINSERT INTO answer.quality_tool AS t SELECT wanted.*\n"
	"\tON CONFLICT ON CONSTRAINT quality_tool_pkey DO UPDATE\n"
	"\tSET class = excluded.class, family = excluded.family, grader = excluded.grader,\n"
	"\t\tgrader_owner = excluded.grader_owner, description = excluded.description, registered_by = excluded.registered_by\n"
	"\tWHERE NOT t.seed AND (replace OR to_jsonb(t) - beside = to_jsonb(wanted) - beside);\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tPERFORM answer.refuse_registered('grader of tool', tool,\n"
	"\t\t\t(SELECT to_jsonb(t) FROM answer.quality_tool t WHERE t.tenant = wanted.tenant AND t.tool = wanted.tool), to_jsonb(wanted));\n"
	"\tEND IF;\n"
	"\tPERFORM answer.change_record_put(tenant, 'quality_tool', tool);\n"
	"END\n"
	""},
	{"function answer.quality_intent_register_put(intent text, requirements jsonb, description text, replace boolean)",
	"plpgsql(intent text, requirements jsonb, description text, replace boolean) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tproblem text;\n"
	"\tregistered jsonb;\n"
	"\twanted jsonb;\n"
	"BEGIN\n"
	"\tIF intent IS NULL OR intent = '' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = CASE WHEN intent IS NULL THEN '22004' ELSE '22023' END, message = 'intent must have a non-empty name';\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(requirements) IS DISTINCT FROM 'object' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'requirements must be an object of class and quality';\n"
	"\tEND IF;\n"
	"\tSELECT format('requirement \"%s\" of intent \"%s\": %s', r.key, intent, r.value) INTO problem\n"
	"\tFROM jsonb_each(requirements) AS r\n"
	"\tWHERE NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = r.key)\n"
	"\tOR r.value NOT IN ('\"Weak\"', '\"Moderate\"', '\"Strong\"', '\"Verified\"');\n"
	"\tIF FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = problem,\n"
	"\t\t\tdetail = 'The key must be a registered class, the value Weak, Moderate, Strong or Verified.';\n"
	"\tEND IF;\n"
	"\t-- bytes that no assessment could read would keep everybody from reading any\n"
	"\tPERFORM @extschema@.answer_canonical(to_jsonb(intent));\n"
	"\t-- the row stays locked: two who register it see each other\n"
	"\tINSERT INTO answer.quality_intent AS q (intent, description) VALUES (intent, description)\n"
	"\tON CONFLICT ON CONSTRAINT quality_intent_pkey DO NOTHING;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tPERFORM FROM answer.quality_intent q WHERE q.intent = quality_intent_register_put.intent FOR UPDATE;\n"
	"\t\tregistered := (SELECT to_jsonb(q) || jsonb_build_object('requirements', COALESCE((\n"
	"\t\t\t\tSELECT jsonb_object_agg(r.class, r.quality) FROM answer.quality_requirement r WHERE r.intent = q.intent), '{}'))\n"
	"\t\t\tFROM answer.quality_intent q WHERE q.intent = quality_intent_register_put.intent);\n"
	"\t\twanted := jsonb_build_object('intent', intent, 'description', description, 'seed', false, 'requirements', requirements);\n"
	"\t\tIF registered -> 'seed' = 'true' OR (registered <> wanted AND replace IS NOT TRUE) THEN\n"
	"\t\t\tPERFORM answer.refuse_registered('intent', intent, registered, wanted);\n"
	"\t\tEND IF;\n"
	"\t\tUPDATE answer.quality_intent AS q SET description = quality_intent_register_put.description\n"
	"\t\tWHERE q.intent = quality_intent_register_put.intent;\n"
	"\tEND IF;\n"
	"\tDELETE FROM answer.quality_requirement AS q WHERE q.intent = quality_intent_register_put.intent;\n"
	"\tINSERT INTO answer.quality_requirement (intent, class, quality)\n"
	"\tSELECT intent, r.key, r.value::@extschema@.answer_quality_level FROM jsonb_each_text(requirements) AS r;\n"
	"\tPERFORM answer.change_record_put('', 'quality_intent', intent);\n"
	"END\n"
	""},
	{"function answer.quality_reasons(investigation bigint)",
	"plpgsql(investigation bigint) returns SETOF @extschema@.answer_quality_reason, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 300, rows 10, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tRETURN QUERY SELECT c.class, r.quality, r.holds, r.code, r.reason\n"
	"\tFROM unnest((answer.assessment_of(investigation)).classes) WITH ORDINALITY\n"
	"\t\tAS c (class, quality, strength, need, entries, code, reason, next, next_code, next_reason, n),\n"
	"\t\tLATERAL (VALUES (c.quality, true, c.code, c.reason), (c.next, false, c.next_code, c.next_reason)) AS r (quality, holds, code, reason)\n"
	"\tWHERE r.quality IS NOT NULL\n"
	"\tORDER BY c.n, r.holds DESC;\n"
	"END\n"
	""},
	{"function answer.question_subject(question text)",
	"c(question text) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_question_subject"},
	{"function answer.quotes_document(content jsonb, doc_id text, urls text[])",
	"sql(content jsonb, doc_id text, urls text[]) returns boolean, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 2000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT EXISTS SELECT FROM jsonb_path_query content, 'strict $.**? exists @.\"uri\" || exists @.\"source\" || exists @.\"snippet\" '::jsonpath o v , LATERAL unnest ARRAY[ v ->> 'id'::text , v ->> 'uri'::text , v ->> 'source'::text ] n name WHERE starts_with name, doc_id || '#'::text OR name = ANY urls OR split_part name, '#'::text, 1 = ANY urls AS \"exists\"; END"},
	{"function answer.rate_take(tenant text, tool text, qps numeric, is_held boolean)",
	"c(tenant text, tool text, qps numeric, is_held boolean) returns text, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_rate_take"},
	{"function answer.receipt_check(from_instant timestamp with time zone, to_instant timestamp with time zone, most integer)",
	"c(from_instant timestamp with time zone, to_instant timestamp with time zone DEFAULT NULL::timestamp with time zone, most integer DEFAULT 1000) returns SETOF answer.receipt_check, kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 100000, rows 1000, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.receipt_check_of(tenants text[], from_instant timestamp with time zone, to_instant timestamp with time zone, most integer)",
	"plpgsql(tenants text[], from_instant timestamp with time zone, to_instant timestamp with time zone, most integer) returns SETOF answer.receipt_check, kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 100000, rows 1000, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF from_instant IS NULL THEN\n"
	"\t\tRAISE EXCEPTION 'from_instant must not be null' USING ERRCODE = '22004';\n"
	"\tEND IF;\n"
	"\tRETURN QUERY\n"
	"\tSELECT c.* FROM answer.receipt_check c\n"
	"\tWHERE c.tenant = ANY (tenants) AND c.issued_at >= from_instant AND c.issued_at < coalesce(to_instant, 'infinity')\n"
	"\tORDER BY c.issued_at DESC, c.receipt_id, c.place\n"
	"\tLIMIT answer.dashboard_most(most, 100000);\n"
	"END\n"
	""},
	{"function answer.receipt_columns(body jsonb)",
	"c(body jsonb) returns jsonb, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_receipt_columns"},
	{"function answer.receipt_contradiction(tenant text, body jsonb, OUT pair text, OUT judge text)",
	"plpgsql(tenant text, body jsonb, OUT pair text, OUT judge text) returns record, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_column\n"
	"BEGIN\n"
	"\tWITH panel AS (\n"
	"\t\tSELECT k.kind, p.name #>> '{}' AS name, (body #>> '{config,contradict_min}')::numeric AS least\n"
	"\t\tFROM (VALUES ('entailment'), ('conflict')) AS k (kind)\n"
	"\t\tCROSS JOIN LATERAL jsonb_path_query(body -> 'config', format('$.judge_%s[*]', k.kind)::jsonpath) AS p (name)\n"
	"\t\tWHERE body ->> 'schema' = 'decision/v1'\n"
	"\t\tUNION ALL\n"
	"\t\tSELECT 'entailment', p.name #>> '{}', (e.value #>> '{judging,contradict_min}')::numeric\n"
	"\t\tFROM jsonb_path_query(body, '$.trace[*].outputs.evidence') AS e (value)\n"
	"\t\tCROSS JOIN LATERAL jsonb_path_query(e.value, '$.judging.judge_entailment[*]') AS p (name)\n"
	"\t\tWHERE body ->> 'schema' = 'plan/v1'\n"
	"\t), newest AS (\n"
	"\t\tSELECT DISTINCT ON (j.pair, j.judge) j.pair, j.judge, j.kind, j.relation, j.score\n"
	"\t\tFROM answer.judgement j\n"
	"\t\tWHERE j.tenant = receipt_contradiction.tenant AND j.pair = ANY (answer.receipt_pairs(body))\n"
	"\t\tORDER BY j.pair, j.judge, j.judged_at DESC, j.revision DESC\n"
	"\t)\n"
	"\tSELECT n.pair, n.judge INTO pair, judge\n"
	"\tFROM newest n\n"
	"\tWHERE n.relation = 'contradicts' AND EXISTS (SELECT FROM panel p\n"
	"\t\tWHERE p.kind = n.kind AND p.name = n.judge AND round(n.score, 4) >= round(p.least, 4))\n"
	"\tORDER BY n.pair, n.judge\n"
	"\tLIMIT 1;\n"
	"END\n"
	""},
	{"function answer.receipt_equip(partition regclass)",
	"plpgsql(partition regclass) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\tgrantee\toid;\n"
	"\tcol\t\trecord;\n"
	"\tpol\t\trecord;\n"
	"BEGIN\n"
	"\t-- Not on the parent: that would give a partition indexes as soon as a dump's copy\n"
	"\t-- is attached, and then the dump's own would be in their way.\n"
	"\tEXECUTE format('ALTER TABLE %s ADD PRIMARY KEY (tenant, receipt_id)', partition);\n"
	"\tEXECUTE format('CREATE INDEX ON %s (issued_at)', partition);\n"
	"\t-- the latest of a tenant that has few, among many of others\n"
	"\tEXECUTE format('CREATE INDEX ON %s (tenant, issued_at)', partition);\n"
	"\tEXECUTE format('CREATE INDEX ON %s (issued_at) WHERE schema = ''retention/v1''', partition);\n"
	"\tEXECUTE format('CREATE INDEX ON %s (tenant, (body ->> ''kind''), (body ->> ''name''), ((body ->> ''revision'')::int4))'\n"
	"\t\t' WHERE schema = ''change/v1''', partition);\n"
	"\t-- what a version of a suite was when it was run\n"
	"\tEXECUTE format('CREATE INDEX ON %s (tenant, (body #>> ''{suite,name}''), ((body #>> ''{suite,version}'')::int4), (body #>> ''{suite,digest}''))'\n"
	"\t\t' WHERE schema = ''run/v1''', partition);\n"
	"\tEXECUTE format('CREATE TRIGGER receipt_no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s',\n"
	"\t\tpartition, 'answer.append_only()'::regprocedure);\n"
	"\tEXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER receipt_no_truncate', partition);\n"
	"\t-- The bodies lie in TOAST, so the few pages of the table itself say nothing of the\n"
	"\t-- work that reading it is.  As many workers as a query may have, then:\n"
	"\t-- max_parallel_workers_per_gather is what limits them.\n"
	"\tEXECUTE format('ALTER TABLE %s SET (parallel_workers = 64)', partition);\n"
	"\t-- No query is planned by what bodies hold, and what is forgotten must not live on\n"
	"\t-- in the planner's samples.\n"
	"\tEXECUTE format('ALTER TABLE %s ALTER COLUMN body SET STATISTICS 0', partition);\n"
	"\tFOR col IN\n"
	"\t\tSELECT attname, col_description(attrelid, attnum) AS comment FROM pg_attribute\n"
	"\t\tWHERE attrelid = 'answer.receipt'::regclass AND attnum > 0 AND NOT attisdropped\n"
	"\tLOOP\n"
	"\t\tEXECUTE format('COMMENT ON COLUMN %s.%I IS %L', partition, col.attname, col.comment);\n"
	"\tEND LOOP;\n"
	"\t-- the parent's count for whoever goes through it; these for whoever does not\n"
	"\tFOR pol IN\n"
	"\t\tSELECT p.*, (SELECT string_agg(quote_ident(r), ', ') FROM unnest(p.roles) AS r) AS who\n"
	"\t\tFROM pg_policies p WHERE p.schemaname = 'answer' AND p.tablename = 'receipt'\n"
	"\tLOOP\n"
	"\t\tEXECUTE format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s', pol.policyname, partition, pol.permissive, pol.cmd, pol.who,\n"
	"\t\t\t' USING (' || pol.qual || ')', ' WITH CHECK (' || pol.with_check || ')');\n"
	"\tEND LOOP;\n"
	"\tIF (SELECT relrowsecurity FROM pg_class WHERE oid = 'answer.receipt'::regclass) THEN\n"
	"\t\tEXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', partition);\n"
	"\tEND IF;\n"
	"\t-- rights are those of the parent: default privileges would give some of its own\n"
	"\tFOR grantee IN\n"
	"\t\tSELECT DISTINCT a.grantee FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = partition AND a.grantee <> c.relowner\n"
	"\tLOOP\n"
	"\t\tEXECUTE format('REVOKE ALL ON %s FROM %s', partition,\n"
	"\t\t\tCASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END);\n"
	"\tEND LOOP;\n"
	"END\n"
	""},
	{"function answer.receipt_html(document jsonb, keys jsonb, inclusion jsonb, vkeys text[])",
	"c(document jsonb, keys jsonb, inclusion jsonb, vkeys text[]) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_receipt_page"},
	{"function answer.receipt_intent(intent text)",
	"c(intent text) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 5, rows 0, settings , extension t in answer_eval: answer_eval_receipt_intent"},
	{"function answer.receipt_of(tenants text[], receipt_id text, issued_at timestamp with time zone)",
	"sql(tenants text[], receipt_id text, issued_at timestamp with time zone) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t: BEGIN ATOMIC SELECT COALESCE SELECT body || COALESCE SELECT jsonb_build_object 'anchor', anchor token, imprint, attached_at AS jsonb_build_object FROM anchor a WHERE tenant = tenant AND receipt_id = receipt_id AND body ->> 'schema'::text = schema ORDER BY attached_at DESC, token_digest LIMIT 1 , '{}'::jsonb FROM receipt r WHERE tenant = ANY tenants AND receipt_id = receipt_id AND issued_at >= COALESCE issued_at, '-infinity'::timestamp with time zone AND issued_at <= COALESCE issued_at, 'infinity'::timestamp with time zone LIMIT 1 , CASE WHEN ''::text = ANY tenants THEN refuse_detached receipt_id, issued_at ELSE NULL::jsonb END AS \"coalesce\"; END"},
	{"function answer.receipt_pairs(body jsonb)",
	"c(body jsonb) returns text[], kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_receipt_pairs"},
	{"function answer.receipt_partition_put(from_instant timestamp with time zone, to_instant timestamp with time zone)",
	"plpgsql(from_instant timestamp with time zone, to_instant timestamp with time zone) returns regclass, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC,\"DateStyle=ISO, YMD\"}, extension t: \n"
	"DECLARE\n"
	"\t-- midnights, as nearly all bounds are, make short names\n"
	"\tpattern\t\ttext := CASE WHEN date_trunc('day', from_instant) = from_instant AND date_trunc('day', to_instant) = to_instant\n"
	"\t\tTHEN 'YYYYMMDD' ELSE 'YYYYMMDD\"t\"HH24MISSUS' END;\n"
	"\tpartition\ttext := format('answer.%I', concat_ws('_', 'receipt', to_char(from_instant, pattern), to_char(to_instant, pattern)));\n"
	"\tmoved\t\tbigint;\n"
	"BEGIN\n"
	"\tIF from_instant IS NULL OR to_instant IS NULL THEN\n"
	"\t\tRAISE EXCEPTION 'from_instant and to_instant must not be null' USING ERRCODE = '22004';\n"
	"\tEND IF;\n"
	"\tIF NOT isfinite(from_instant) OR NOT isfinite(to_instant) OR from_instant >= to_instant OR from_instant < '0001-01-01' THEN\n"
	"\t\tRAISE EXCEPTION 'a partition cannot have the bounds % and %', from_instant, to_instant\n"
	"\t\t\tUSING ERRCODE = '22023',\n"
	"\t\t\t\tDETAIL = 'It takes the receipts from the first instant on, up to the second one and without it.',\n"
	"\t\t\t\tHINT = 'Give two instants of years from 1 on, the earlier one first.';\n"
	"\tEND IF;\n"
	"\t-- the parent first, as those who store a receipt do: nobody waits in a circle\n"
	"\tLOCK TABLE answer.receipt IN ACCESS EXCLUSIVE MODE;\n"
	"\tEXECUTE format('CREATE TABLE %s (LIKE answer.receipt INCLUDING CONSTRAINTS INCLUDING DEFAULTS INCLUDING GENERATED'\n"
	"\t\t' INCLUDING STORAGE INCLUDING COMPRESSION)', partition);\n"
	"\t-- What the DEFAULT partition has of it moves along, byte for byte: else a partition\n"
	"\t-- that was made too late could never be made.  Nobody else sees the guard away.\n"
	"\tEXECUTE format('INSERT INTO %s SELECT * FROM answer.receipt_default WHERE issued_at >= $1 AND issued_at < $2', partition)\n"
	"\t\tUSING from_instant, to_instant;\n"
	"\tGET DIAGNOSTICS moved = ROW_COUNT;\n"
	"\tIF moved > 0 THEN\n"
	"\t\tALTER TABLE answer.receipt_default DISABLE TRIGGER receipt_append_only;\n"
	"\t\tDELETE FROM answer.receipt_default WHERE issued_at >= from_instant AND issued_at < to_instant;\n"
	"\t\tALTER TABLE answer.receipt_default ENABLE ALWAYS TRIGGER receipt_append_only;\n"
	"\t\tRAISE NOTICE '% receipts moved from the DEFAULT partition to %', moved, partition;\n"
	"\tEND IF;\n"
	"\tEXECUTE format('ALTER TABLE answer.receipt ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', partition, from_instant, to_instant);\n"
	"\tPERFORM answer.receipt_equip(partition::regclass);\n"
	"\tRETURN partition::regclass;\n"
	"END\n"
	""},
	{"function answer.receipt_state(receipt_id text, tenant text, schema text, issued_at timestamp with time zone, verdict text, confidence double precision, degraded boolean, intent text, key_id text, body jsonb)",
	"sql(receipt_id text, tenant text, schema text, issued_at timestamp with time zone, verdict text, confidence double precision, degraded boolean, intent text, key_id text, body jsonb) returns text, kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC,extra_float_digits=1}, extension t: \n"
	"-- a page is to be quick: whoever wants to know of a large one verifies it\n"
	"SELECT CASE WHEN answer.document_size(body) > 262144 THEN 'not judged'\n"
	"\tWHEN body ->> 'schema' = 'answer/tombstone/v1' AND body ->> 'receipt_id' = receipt_id AND coalesce(body ->> 'tenant', '') = tenant\n"
	"\t\tTHEN CASE WHEN @extschema@.answer_verify_ok(body) THEN 'forgotten' ELSE 'not verified' END\n"
	"\tWHEN answer.receipt_columns(body) IS DISTINCT FROM jsonb_build_object('receipt_id', receipt_id, 'tenant', tenant, 'schema', schema,\n"
	"\t\t'issued_at', to_char(issued_at, 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), 'verdict', verdict, 'confidence', confidence, 'degraded', degraded,\n"
	"\t\t'intent', intent, 'key_id', key_id) THEN 'altered'\n"
	"\tWHEN @extschema@.answer_verify_ok(body) THEN 'verified'\n"
	"\tELSE 'not verified' END\n"
	""},
	{"function answer.receipt_words(body jsonb)",
	"c(body jsonb) returns jsonb, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_receipt_words"},
	{"function answer.recorded_item(kind integer, name text, bound bytea)",
	"c(kind integer, name text, bound bytea) returns bytea, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 2, rows 0, settings , extension t in answer_eval: answer_eval_recorded_item"},
	{"function answer.recorded_reading(tenant text, digest text)",
	"c(tenant text, digest text) returns bytea, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 3, rows 0, settings , extension t in answer_eval: answer_eval_recorded_reading"},
	{"function answer.reference_list(citations jsonb)",
	"c(citations jsonb) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_references"},
	{"function answer.refuse_asked(tenant text, tool text)",
	"plpgsql(tenant text, tool text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\troute_id text;\n"
	"\tasking text;\n"
	"BEGIN\n"
	"\t-- the lock keeps routes from coming to name the tool meanwhile: they lock the row, too\n"
	"\tPERFORM FROM answer.tool t WHERE t.tenant = refuse_asked.tenant AND t.tool = refuse_asked.tool FOR UPDATE;\n"
	"\t-- a route asks the shared tool of that name, if there is one, else its tenant's own\n"
	"\tSELECT r.route_id, r.tenant INTO route_id, asking FROM answer.route r\n"
	"\tWHERE r.tool = refuse_asked.tool AND CASE tenant\n"
	"\t\tWHEN '' THEN NOT EXISTS (SELECT FROM answer.tool t WHERE t.tenant = r.tenant AND r.tenant <> '' AND t.tool = r.tool)\n"
	"\t\tELSE r.tenant = refuse_asked.tenant AND NOT EXISTS (SELECT FROM answer.tool t WHERE t.tenant = '' AND t.tool = r.tool) END\n"
	"\tORDER BY r.tenant COLLATE \"C\", r.position LIMIT 1;\n"
	"\tIF FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '55000', message = format('route \"%s\" asks tool \"%s\"', route_id, tool)\n"
	"\t\t\t|| CASE WHEN asking <> tenant THEN format(', of tenant \"%s\"', asking) ELSE '' END,\n"
	"\t\t\thint = CASE WHEN asking <> tenant THEN 'The routes of a tenant are removed with answer_route_remove(), with answer_eval.tenant set to it.'\n"
	"\t\t\t\tELSE 'Remove its routes with answer_route_remove() first.' END;\n"
	"\tEND IF;\n"
	"END\n"
	""},
	{"function answer.refuse_detached(receipt_id text, issued_at timestamp with time zone)",
	"c(receipt_id text, issued_at timestamp with time zone DEFAULT NULL::timestamp with time zone) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_refuse_detached"},
	{"function answer.refuse_forgotten(tenant text, digest text)",
	"c(tenant text, digest text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_refuse_forgotten"},
	{"function answer.refuse_registered(kind text, name text, registered jsonb, wanted jsonb)",
	"plpgsql(kind text, name text, registered jsonb, wanted jsonb) returns void, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF registered ->> 'seed' = 'true' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('%s \"%s\" comes with answer_eval and cannot be changed', kind, name);\n"
	"\tEND IF;\n"
	"\tRAISE EXCEPTION USING errcode = '23505', message = format('%s \"%s\" is registered already with other values', kind, name),\n"
	"\t\tdetail = format('The registrations differ in %s.', (SELECT string_agg(w.key, ', ' ORDER BY w.key COLLATE \"C\") FROM jsonb_each(wanted) AS w\n"
	"\t\t\tWHERE w.value IS DISTINCT FROM registered -> w.key AND w.key NOT IN ('registered_by', 'handler_owner', 'grader_owner', 'list_values', 'list_owners', 'enabled'))),\n"
	"\t\thint = 'To change it, give all of its registration and replace => true'\n"
	"\t\t\t|| CASE WHEN kind IN ('source', 'tool', 'route') THEN format('; to remove it, call answer_%s_remove().', kind) ELSE '.' END;\n"
	"END\n"
	""},
	{"function answer.replay_bundle_of(tenants text[], reader oid, trace_id text)",
	"plpgsql(tenants text[], reader oid, trace_id text) returns bytea, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 2000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\trun record;\n"
	"\treadable boolean;\n"
	"\tdocument jsonb;\n"
	"BEGIN\n"
	"\tIF replay_bundle_of.trace_id IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004',\n"
	"\t\t\tmessage = 'trace_id must not be null';\n"
	"\tEND IF;\n"
	"\tSELECT r.status, r.receipt_id, r.issued_at, r.role INTO run FROM answer.plan_run r\n"
	"\tWHERE r.tenant = ANY (tenants) AND r.trace_id = replay_bundle_of.trace_id;\n"
	"\treadable := FOUND;\n"
	"\t-- without tenants the rights on tables decide\n"
	"\tIF readable AND tenants <> '{\"\"}' THEN\n"
	"\t\treadable := answer.trace_readable(tenants, reader, run.role)\n"
	"\t\t\tOR has_function_privilege(reader, '@extschema@.answer_receipt(text, timestamptz)', 'EXECUTE');\n"
	"\tEND IF;\n"
	"\tIF NOT readable THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'no_data_found',\n"
	"\t\t\tmessage = format('there is no trace \"%s\"', replay_bundle_of.trace_id),\n"
	"\t\t\thint = 'The answer of a plan has its trace_id.';\n"
	"\tELSIF run.status <> 'done' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'object_not_in_prerequisite_state',\n"
	"\t\t\tmessage = format('the plan of trace \"%s\" is not finished', replay_bundle_of.trace_id),\n"
	"\t\t\tdetail = format('It is %s, and a bundle holds the document that is signed at the end.', run.status),\n"
	"\t\t\thint = CASE run.status WHEN 'pending' THEN 'answer_plan_resume() goes on with it.'\n"
	"\t\t\t\tELSE 'If the session that executed it is gone, answer_plan_recover() settles it.' END;\n"
	"\tEND IF;\n"
	"\tdocument := answer.receipt_of(tenants, run.receipt_id, run.issued_at);\n"
	"\tIF document IS NULL OR document ->> 'schema' <> 'plan/v1' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = CASE WHEN document IS NULL THEN 'no_data_found' ELSE 'restrict_violation' END,\n"
	"\t\t\tmessage = format('the document of trace \"%s\" is not here', replay_bundle_of.trace_id),\n"
	"\t\t\tdetail = CASE WHEN document IS NULL THEN format('There is no receipt \"%s\".', run.receipt_id)\n"
	"\t\t\t\tELSE format('It was forgotten at %s.', document ->> 'issued_at') END,\n"
	"\t\t\thint = 'Of a document that was forgotten nothing can be given out; answer_receipt() has its tombstone.';\n"
	"\tEND IF;\n"
	"\tRETURN answer.replay_bundle_write(document, @extschema@.answer_keys());\n"
	"END\n"
	""},
	{"function answer.replay_bundle_write(document jsonb, keys jsonb)",
	"c(document jsonb, keys jsonb) returns bytea, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 2000, rows 0, settings , extension t in answer_eval: answer_eval_replay_bundle_write"},
	{"function answer.replay_verify(bundle bytea, keys jsonb)",
	"c(bundle bytea, keys jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_replay_verify"},
	{"function answer.retrieval_put(tenant text, role text, retrieval_id text, state jsonb, retrieved_at timestamp with time zone, expires_at timestamp with time zone, sig jsonb)",
	"plpgsql(tenant text, role text, retrieval_id text, state jsonb, retrieved_at timestamp with time zone, expires_at timestamp with time zone, sig jsonb) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tINSERT INTO answer.retrieval (retrieval_id, tenant, role, state, retrieved_at, expires_at, sig)\n"
	"\tVALUES (retrieval_id, tenant, role, state, retrieved_at, expires_at, sig);\n"
	"\t-- what nobody has come for goes on the way, without waiting for anybody\n"
	"\tDELETE FROM answer.retrieval r WHERE r.ctid = ANY (ARRAY(\n"
	"\t\tSELECT o.ctid FROM answer.retrieval o WHERE o.tenant = retrieval_put.tenant AND o.expires_at < retrieved_at\n"
	"\t\tORDER BY o.expires_at LIMIT 100 FOR UPDATE SKIP LOCKED));\n"
	"EXCEPTION WHEN serialization_failure THEN\n"
	"\t-- under a snapshot of its own, a transaction meets what others have deleted since\n"
	"\tINSERT INTO answer.retrieval (retrieval_id, tenant, role, state, retrieved_at, expires_at, sig)\n"
	"\tVALUES (retrieval_id, tenant, role, state, retrieved_at, expires_at, sig);\n"
	"END\n"
	""},
	{"function answer.retrieval_quality(chunks jsonb, freshness_days integer, now timestamp with time zone)",
	"c(chunks jsonb, freshness_days integer, now timestamp with time zone) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_retrieval_quality"},
	{"function answer.risk(query text, rules jsonb)",
	"c(query text, rules jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_risk"},
	{"function answer.rollup_alone()",
	"plpgsql() returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN\n"
	"\t\tRAISE EXCEPTION 'the roll-up cannot be changed in a transaction of isolation level %', current_setting('transaction_isolation')\n"
	"\t\t\tUSING ERRCODE = '25001', HINT = 'Use a transaction of its own, at READ COMMITTED.';\n"
	"\tEND IF;\n"
	"\tLOCK TABLE answer.rollup IN SHARE ROW EXCLUSIVE MODE;\n"
	"END\n"
	""},
	{"function answer.rollup_correct(tenant text, pairs text[])",
	"plpgsql(tenant text, pairs text[]) returns bigint, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 10000, rows 0, settings {\"search_path=pg_catalog, pg_temp\",jit=off,enable_seqscan=off}, extension t: \n"
	"#variable_conflict use_column\n"
	"DECLARE\n"
	"\ttouched\t\ttext[];\n"
	"\tdocument\trecord;\n"
	"\tcorrected\tbigint := 0;\n"
	"BEGIN\n"
	"\t-- most judgements contradict nothing, and are of nothing that was contradicted\n"
	"\tSELECT array_agg(DISTINCT p.pair) INTO touched FROM unnest(pairs) AS p (pair)\n"
	"\tWHERE EXISTS (SELECT FROM answer.judgement j WHERE j.tenant = rollup_correct.tenant AND j.pair = p.pair AND j.relation = 'contradicts');\n"
	"\tIF touched IS NULL THEN\n"
	"\t\tRETURN 0;\n"
	"\tEND IF;\n"
	"\t-- in one order for everybody: two that correct the same wait for each other once\n"
	"\tFOR document IN\n"
	"\t\tSELECT f.receipt_id, f.issued_at FROM (\n"
	"\t\t\tSELECT n.receipt_id, n.issued_at FROM answer.rollup_new n\n"
	"\t\t\tWHERE n.tenant = rollup_correct.tenant AND n.pairs IS NOT NULL AND n.pairs && touched\n"
	"\t\t\tUNION SELECT k.receipt_id, k.issued_at FROM answer.rollup_kept k\n"
	"\t\t\tWHERE k.tenant = rollup_correct.tenant AND k.pairs IS NOT NULL AND k.pairs && touched) AS f\n"
	"\t\tORDER BY f.receipt_id COLLATE \"C\"\n"
	"\tLOOP\n"
	"\t\tcorrected := corrected + answer.rollup_correct_document(tenant, document.receipt_id, document.issued_at)::integer;\n"
	"\tEND LOOP;\n"
	"\tRETURN corrected;\n"
	"END\n"
	""},
	{"function answer.rollup_correct_document(tenant text, receipt_id text, issued_at timestamp with time zone)",
	"plpgsql(tenant text, receipt_id text, issued_at timestamp with time zone) returns boolean, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 10000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_column\n"
	"DECLARE\n"
	"\tdocument\tanswer.receipt;\n"
	"\twas\t\t\tanswer.rollup_correction;\n"
	"\tsays\t\trecord;\n"
	"BEGIN\n"
	"\tSELECT r.* INTO document FROM answer.receipt r WHERE r.tenant = rollup_correct_document.tenant\n"
	"\t\tAND r.receipt_id = rollup_correct_document.receipt_id AND r.issued_at = rollup_correct_document.issued_at;\n"
	"\t-- what is gone, or was forgotten, stays as it was counted; what contradicts itself is counted already\n"
	"\tIF NOT FOUND OR document.body ->> 'schema' IS DISTINCT FROM document.schema OR document.given IS NOT TRUE OR document.contradicted THEN\n"
	"\t\tRETURN false;\n"
	"\tEND IF;\n"
	"\tSELECT c.* INTO says FROM answer.receipt_contradiction(document.tenant, document.body) AS c;\n"
	"\tIF says.pair IS NOT NULL THEN\n"
	"\t\tINSERT INTO answer.rollup_correction (tenant, receipt_id, issued_at, contradicted)\n"
	"\t\tVALUES (document.tenant, document.receipt_id, document.issued_at, false) ON CONFLICT DO NOTHING;\n"
	"\tEND IF;\n"
	"\tSELECT c.* INTO was FROM answer.rollup_correction c\n"
	"\tWHERE c.tenant = document.tenant AND c.receipt_id = document.receipt_id FOR UPDATE;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRETURN false;\n"
	"\tEND IF;\n"
	"\t-- once more: whoever held the row may have judged, too\n"
	"\tSELECT c.* INTO says FROM answer.receipt_contradiction(document.tenant, document.body) AS c;\n"
	"\tUPDATE answer.rollup_correction c SET contradicted = says.pair IS NOT NULL, pair = says.pair, judge = says.judge\n"
	"\tWHERE c.tenant = document.tenant AND c.receipt_id = document.receipt_id\n"
	"\t\tAND (c.contradicted, c.pair, c.judge) IS DISTINCT FROM (says.pair IS NOT NULL, says.pair, says.judge);\n"
	"\tIF was.contradicted = (says.pair IS NOT NULL) THEN\n"
	"\t\tRETURN false;\n"
	"\tEND IF;\n"
	"\tINSERT INTO answer.rollup_new (tenant, issued_at, schema, verdict, intent, key_id, cost_usd, confidence, given, supported,\n"
	"\t\tcitation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, receipt_id, corrects)\n"
	"\tSELECT document.tenant, document.issued_at, document.schema, document.verdict, answer.receipt_intent(document.intent), document.key_id,\n"
	"\t\tdocument.cost_usd, document.confidence, document.given, document.supported, document.citation_required, document.citation_given,\n"
	"\t\tdocument.contradicted, document.prevented, document.unjudged, document.sentences, document.grounded, document.refusal,\n"
	"\t\tdocument.receipt_id, CASE WHEN says.pair IS NOT NULL THEN 1 ELSE -1 END;\n"
	"\tRETURN true;\n"
	"END\n"
	""},
	{"function answer.rollup_gather(again boolean, from_instant timestamp with time zone, to_instant timestamp with time zone, most bigint)",
	"plpgsql(again boolean, from_instant timestamp with time zone, to_instant timestamp with time zone, most bigint) returns bigint, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC,jit=off,enable_seqscan=off}, extension t: \n"
	"DECLARE\n"
	"\tplaces\t\ttid[];\n"
	"\tgathered\tbigint;\n"
	"BEGIN\n"
	"\tIF NOT again THEN\n"
	"\t\t-- by lists of places: a join of tables of which nothing tells how large they are may be a loop in a loop\n"
	"\t\tWITH gone AS (\n"
	"\t\t\tDELETE FROM answer.rollup_new WHERE ctid = ANY (ARRAY(SELECT ctid FROM answer.rollup_new LIMIT most)) RETURNING *\n"
	"\t\t), kept AS (\n"
	"\t\t\tINSERT INTO answer.rollup_kept SELECT * FROM gone RETURNING ctid\n"
	"\t\t)\n"
	"\t\tSELECT array_agg(ctid) INTO places FROM kept;\n"
	"\tEND IF;\n"
	"\tWITH single AS MATERIALIZED (\n"
	"\t\tSELECT * FROM answer.rollup_single WHERE NOT again AND counted AND place = ANY (places)\n"
	"\t\tUNION ALL\n"
	"\t\tSELECT * FROM answer.rollup_single WHERE again AND counted AND issued_at >= from_instant AND issued_at < to_instant\n"
	"\t), minute AS MATERIALIZED (\n"
	"\t\tSELECT tenant, date_bin('1 minute', issued_at, '2000-01-01') AS starts_at, schema, verdict, intent,\n"
	"\t\t\tsum(documents) AS documents, sum(answers) AS answers, sum(given) AS given, sum(supported) AS supported, sum(required) AS required,\n"
	"\t\t\tsum(cited) AS cited, sum(contradicted) AS contradicted, sum(prevented) AS prevented, sum(unjudged) AS unjudged,\n"
	"\t\t\tsum(sentences) AS sentences, sum(grounded) AS grounded, sum(confidence) AS confidence, sum(costed) AS costed,\n"
	"\t\t\tsum(costed_verified) AS costed_verified, sum(cost_usd) AS cost_usd, answer.latency_union(latency) AS latency\n"
	"\t\tFROM single GROUP BY 1, 2, 3, 4, 5\n"
	"\t), summed AS (\n"
	"\t\tINSERT INTO answer.rollup AS r (tenant, grain, starts_at, schema, verdict, intent, documents, answers, given, supported, required, cited,\n"
	"\t\t\tcontradicted, prevented, unjudged, sentences, grounded, confidence, costed, costed_verified, cost_usd)\n"
	"\t\tSELECT m.tenant, g.grain, date_bin(make_interval(mins => g.grain), m.starts_at, '2000-01-01'), m.schema, m.verdict, m.intent,\n"
	"\t\t\tsum(m.documents), sum(m.answers), sum(m.given), sum(m.supported), sum(m.required), sum(m.cited), sum(m.contradicted),\n"
	"\t\t\tsum(m.prevented), sum(m.unjudged), sum(m.sentences), sum(m.grounded), sum(m.confidence), sum(m.costed),\n"
	"\t\t\tsum(m.costed_verified), sum(m.cost_usd)\n"
	"\t\tFROM minute m CROSS JOIN (VALUES (1), (60), (1440)) AS g (grain) GROUP BY 1, 2, 3, 4, 5, 6\n"
	"\t\tON CONFLICT (tenant, grain, starts_at, schema, verdict, intent) DO UPDATE\n"
	"\t\tSET documents = r.documents + excluded.documents, answers = r.answers + excluded.answers, given = r.given + excluded.given,\n"
	"\t\t\tsupported = r.supported + excluded.supported, required = r.required + excluded.required, cited = r.cited + excluded.cited,\n"
	"\t\t\tcontradicted = r.contradicted + excluded.contradicted, prevented = r.prevented + excluded.prevented,\n"
	"\t\t\tunjudged = r.unjudged + excluded.unjudged, sentences = r.sentences + excluded.sentences,\n"
	"\t\t\tgrounded = r.grounded + excluded.grounded, confidence = r.confidence + excluded.confidence,\n"
	"\t\t\tcosted = r.costed + excluded.costed, costed_verified = r.costed_verified + excluded.costed_verified,\n"
	"\t\t\tcost_usd = r.cost_usd + excluded.cost_usd\n"
	"\t), took AS (\n"
	"\t\tINSERT INTO answer.rollup_latency AS r (tenant, grain, whole, starts_at, intent, latency)\n"
	"\t\tSELECT m.tenant, g.grain, g.whole, date_bin(make_interval(mins => g.grain), m.starts_at, '2000-01-01'),\n"
	"\t\t\tCASE WHEN g.whole THEN '' ELSE m.intent END, answer.latency_union(m.latency)\n"
	"\t\tFROM minute m CROSS JOIN (VALUES (1, false), (60, false), (1440, false), (60, true), (1440, true)) AS g (grain, whole)\n"
	"\t\tWHERE m.latency IS NOT NULL GROUP BY 1, 2, 3, 4, 5\n"
	"\t\tON CONFLICT (tenant, grain, whole, starts_at, intent) DO UPDATE SET latency = answer.latency_union(r.latency, excluded.latency)\n"
	"\t), refused AS MATERIALIZED (\n"
	"\t\tSELECT tenant, date_bin('1 minute', issued_at, '2000-01-01') AS starts_at, intent, refusal AS reason, count(*) AS count\n"
	"\t\tFROM single WHERE refusal IS NOT NULL GROUP BY 1, 2, 3, 4\n"
	"\t), reasoned AS (\n"
	"\t\tINSERT INTO answer.rollup_refusal AS r (tenant, grain, starts_at, intent, reason, count)\n"
	"\t\tSELECT f.tenant, g.grain, date_bin(make_interval(mins => g.grain), f.starts_at, '2000-01-01'), f.intent, f.reason, sum(f.count)\n"
	"\t\tFROM refused f CROSS JOIN (VALUES (1), (60), (1440)) AS g (grain) GROUP BY 1, 2, 3, 4, 5\n"
	"\t\tON CONFLICT (tenant, grain, starts_at, intent, reason) DO UPDATE SET count = r.count + excluded.count\n"
	"\t), word AS MATERIALIZED (\n"
	"\t\tSELECT tenant, date_bin('1 hour', issued_at, '2000-01-01') AS starts_at, schema, w.key AS word, sum(w.value::bigint) AS count\n"
	"\t\tFROM single CROSS JOIN LATERAL jsonb_each_text(words) AS w\n"
	"\t\tGROUP BY 1, 2, 3, 4\n"
	"\t), worded AS (\n"
	"\t\tINSERT INTO answer.rollup_word AS r (tenant, grain, starts_at, schema, word, count)\n"
	"\t\tSELECT w.tenant, g.grain, date_bin(make_interval(mins => g.grain), w.starts_at, '2000-01-01'), w.schema, w.word, sum(w.count)\n"
	"\t\tFROM word w CROSS JOIN (VALUES (60), (1440)) AS g (grain) GROUP BY 1, 2, 3, 4, 5\n"
	"\t\tON CONFLICT (tenant, grain, starts_at, schema, word) DO UPDATE SET count = r.count + excluded.count\n"
	"\t), signed AS (\n"
	"\t\t-- keys are counted for good, and so not again\n"
	"\t\tINSERT INTO answer.rollup_key AS r (tenant, key_id, documents, first_at, last_at)\n"
	"\t\tSELECT tenant, key_id, count(*), min(issued_at), max(issued_at) FROM single WHERE NOT again AND corrects IS NULL GROUP BY 1, 2\n"
	"\t\tON CONFLICT (tenant, key_id) DO UPDATE SET documents = r.documents + excluded.documents,\n"
	"\t\t\tfirst_at = least(r.first_at, excluded.first_at), last_at = greatest(r.last_at, excluded.last_at)\n"
	"\t)\n"
	"\tSELECT count(*) INTO gathered FROM single;\n"
	"\t-- what was judged while such a document was on its way, in a session that did not see it\n"
	"\tPERFORM answer.rollup_correct_document(k.tenant, k.receipt_id, k.issued_at)\n"
	"\tFROM answer.rollup_kept k\n"
	"\tWHERE NOT again AND k.ctid = ANY (places) AND k.pairs IS NOT NULL AND EXISTS (SELECT FROM answer.judgement j\n"
	"\t\tWHERE j.tenant = k.tenant AND j.pair = ANY (k.pairs) AND j.relation = 'contradicts');\n"
	"\tRETURN gathered;\n"
	"END\n"
	""},
	{"function answer.rollup_pieces(from_instant timestamp with time zone, to_instant timestamp with time zone)",
	"sql(from_instant timestamp with time zone, to_instant timestamp with time zone) returns TABLE(grain smallint, from_piece timestamp with time zone, to_piece timestamp with time zone), kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 10, rows 7, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC}, extension t: \n"
	"WITH minute AS (\n"
	"\tSELECT date_bin('1 minute', from_instant + interval '1 minute' - interval '1 microsecond', '2000-01-01') AS b,\n"
	"\t\tdate_bin('1 minute', to_instant, '2000-01-01') AS e\n"
	"), hour AS (\n"
	"\tSELECT date_bin('1 hour', b + interval '1 hour' - interval '1 microsecond', '2000-01-01') AS b,\n"
	"\t\tdate_bin('1 hour', e, '2000-01-01') AS e FROM minute\n"
	"), day AS (\n"
	"\tSELECT date_bin('1 day', b + interval '24 hours' - interval '1 microsecond', '2000-01-01') AS b,\n"
	"\t\tdate_bin('1 day', e, '2000-01-01') AS e FROM hour\n"
	")\n"
	"SELECT * FROM (\n"
	"\tSELECT 0::smallint AS grain, from_instant AS b, CASE WHEN m.b < m.e THEN m.b ELSE to_instant END AS e FROM minute m\n"
	"\tUNION ALL SELECT 0::smallint, m.e, to_instant FROM minute m WHERE m.b < m.e\n"
	"\tUNION ALL SELECT 1::smallint, m.b, CASE WHEN h.b < h.e THEN h.b ELSE m.e END FROM minute m, hour h\n"
	"\tUNION ALL SELECT 1::smallint, h.e, m.e FROM minute m, hour h WHERE h.b < h.e\n"
	"\tUNION ALL SELECT 60::smallint, h.b, CASE WHEN d.b < d.e THEN d.b ELSE h.e END FROM hour h, day d\n"
	"\tUNION ALL SELECT 60::smallint, d.e, h.e FROM hour h, day d WHERE d.b < d.e\n"
	"\tUNION ALL SELECT 1440::smallint, d.b, d.e FROM day d) AS p\n"
	"WHERE p.b < p.e\n"
	""},
	{"function answer.rollup_prune_put(before timestamp with time zone, days_before timestamp with time zone)",
	"plpgsql(before timestamp with time zone, days_before timestamp with time zone) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100000, rows 0, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC,\"DateStyle=ISO, YMD\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tyoungest\ttimestamptz := date_bin('1 day', clock_timestamp() - interval '744 hours', '2000-01-01');\n"
	"\tdocuments\tbigint;\n"
	"\tsums\t\tbigint;\n"
	"\tdays\t\tbigint;\n"
	"BEGIN\n"
	"\tIF before IS NULL THEN\n"
	"\t\tRAISE EXCEPTION 'before must not be null' USING ERRCODE = '22004';\n"
	"\tEND IF;\n"
	"\tIF NOT isfinite(before) OR before > youngest OR days_before > before THEN\n"
	"\t\tRAISE EXCEPTION 'the roll-up cannot be pruned up to %', CASE WHEN days_before > before THEN days_before ELSE before END\n"
	"\t\t\tUSING ERRCODE = '22023',\n"
	"\t\t\t\tDETAIL = format('Windows look back 30 days, so nothing from %s on can go; and days go only where the rest went.', youngest),\n"
	"\t\t\t\tHINT = 'Give an earlier instant.';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.rollup_put();\n"
	"\tbefore := date_bin('1 day', before, '2000-01-01');\n"
	"\tdays_before := date_bin('1 day', days_before, '2000-01-01');\n"
	"\tDELETE FROM answer.rollup_kept k WHERE k.issued_at < before;\n"
	"\tGET DIAGNOSTICS documents = ROW_COUNT;\n"
	"\t-- nothing corrects what is not there any more: what was corrected stays in the sums\n"
	"\tDELETE FROM answer.rollup_correction c WHERE c.issued_at < before;\n"
	"\tWITH summed AS (\n"
	"\t\tDELETE FROM answer.rollup r WHERE r.starts_at < CASE WHEN r.grain < 1440 THEN before ELSE days_before END RETURNING r.grain\n"
	"\t), took AS (\n"
	"\t\tDELETE FROM answer.rollup_latency r WHERE r.starts_at < CASE WHEN r.grain < 1440 THEN before ELSE days_before END RETURNING r.grain\n"
	"\t), refused AS (\n"
	"\t\tDELETE FROM answer.rollup_refusal r WHERE r.starts_at < CASE WHEN r.grain < 1440 THEN before ELSE days_before END RETURNING r.grain\n"
	"\t), word AS (\n"
	"\t\tDELETE FROM answer.rollup_word r WHERE r.starts_at < CASE WHEN r.grain < 1440 THEN before ELSE days_before END RETURNING r.grain\n"
	"\t)\n"
	"\tSELECT count(*) FILTER (WHERE gone.grain < 1440), count(*) FILTER (WHERE gone.grain = 1440) INTO sums, days\n"
	"\tFROM (TABLE summed UNION ALL TABLE took UNION ALL TABLE refused UNION ALL TABLE word) AS gone;\n"
	"\tINSERT INTO answer.rollup_pruned AS p (before, pruned_at) VALUES (before, clock_timestamp())\n"
	"\tON CONFLICT (one) DO UPDATE SET before = greatest(p.before, excluded.before), pruned_at = excluded.pruned_at;\n"
	"\tPERFORM answer.change_record_put('', 'rollup', 'pruned');\n"
	"\tRETURN jsonb_build_object('before', to_char(before, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), 'documents', documents, 'sums', sums, 'days', days);\n"
	"END\n"
	""},
	{"function answer.rollup_put()",
	"plpgsql() returns bigint, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\t-- memory and temporary files stay small, whatever has gathered\n"
	"\tportion\t\tconstant bigint := 100000;\n"
	"\tgathered\tbigint;\n"
	"\ttotal\t\tbigint := 0;\n"
	"BEGIN\n"
	"\tPERFORM answer.rollup_alone();\n"
	"\t-- a judgement that was not committed when its document was counted has corrected nothing yet\n"
	"\tPERFORM answer.rollup_correct(j.tenant, j.pairs)\n"
	"\tFROM (SELECT g.tenant, array_agg(DISTINCT g.pair) AS pairs FROM answer.judgement g\n"
	"\t\tWHERE g.judged_at > clock_timestamp() - interval '1 day' AND g.relation = 'contradicts' AND NOT EXISTS (\n"
	"\t\t\tSELECT FROM answer.rollup_correction c WHERE c.tenant = g.tenant AND c.pair = g.pair AND c.contradicted)\n"
	"\t\tGROUP BY g.tenant) AS j;\n"
	"\tLOOP\n"
	"\t\tgathered := answer.rollup_gather(false, NULL, NULL, portion);\n"
	"\t\ttotal := total + gathered;\n"
	"\t\tEXIT WHEN gathered < portion;\n"
	"\tEND LOOP;\n"
	"\tPERFORM answer.tool_call_prune(ARRAY(SELECT '' UNION ALL SELECT t.tenant FROM answer.tenant t));\n"
	"\tRETURN total;\n"
	"END\n"
	""},
	{"function answer.rollup_rebuild_put()",
	"plpgsql() returns bigint, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1e+06, rows 0, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC,jit=off}, extension t: \n"
	"DECLARE\n"
	"\tpruned\ttimestamptz;\n"
	"\tday\t\ttimestamptz;\n"
	"\tlosers\ttext[];\n"
	"\ttotal\tbigint := 0;\n"
	"BEGIN\n"
	"\tPERFORM answer.rollup_put();\n"
	"\tSELECT before INTO pruned FROM answer.rollup_pruned;\n"
	"\tpruned := coalesce(pruned, '-infinity');\n"
	"\t-- Where receipts are more than what is kept of them, they count: somebody has lost rows here.  Where they are fewer, they\n"
	"\t-- were detached.  Minting goes on meanwhile, so what is not counted yet stands on both sides.\n"
	"\tFOR day, losers IN\n"
	"\t\tSELECT d.day, array_agg(d.tenant) FROM (\n"
	"\t\t\tSELECT tenant, date_bin('1 day', issued_at, '2000-01-01') AS day, count(*) AS count\n"
	"\t\t\tFROM answer.receipt WHERE issued_at >= pruned GROUP BY 1, 2) AS d\n"
	"\t\tWHERE d.count > (SELECT count(*) FROM answer.rollup_single s WHERE s.tenant = d.tenant AND s.corrects IS NULL\n"
	"\t\t\tAND s.issued_at >= d.day AND s.issued_at < d.day + interval '24 hours')\n"
	"\t\tGROUP BY 1 ORDER BY 1\n"
	"\tLOOP\n"
	"\t\t-- one statement, so that what is taken away and what is put there are of the same snapshot\n"
	"\t\tWITH away AS (\n"
	"\t\t\tDELETE FROM answer.rollup_new WHERE tenant = ANY (losers) AND issued_at >= day AND issued_at < day + interval '24 hours'\n"
	"\t\t), gone AS (\n"
	"\t\t\tDELETE FROM answer.rollup_kept WHERE tenant = ANY (losers) AND issued_at >= day AND issued_at < day + interval '24 hours'\n"
	"\t\t)\n"
	"\t\tINSERT INTO answer.rollup_kept (tenant, issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported,\n"
	"\t\t\tcitation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, words, receipt_id, pairs)\n"
	"\t\tSELECT tenant, issued_at, schema, verdict, answer.receipt_intent(intent), key_id, took, cost_usd, confidence, given, supported,\n"
	"\t\t\tcitation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, answer.receipt_words(body),\n"
	"\t\t\tCASE WHEN p.pairs IS NOT NULL THEN receipt_id END, p.pairs\n"
	"\t\tFROM answer.receipt\n"
	"\t\tCROSS JOIN LATERAL (SELECT answer.receipt_pairs(body) AS pairs OFFSET 0) AS p\n"
	"\t\tWHERE tenant = ANY (losers) AND issued_at >= day AND issued_at < day + interval '24 hours';\n"
	"\tEND LOOP;\n"
	"\t-- Corrections follow from documents and judgements: all are made again, but those of what was forgotten, whose\n"
	"\t-- judgements are gone, and of what was detached.  Whoever corrects something now waits.\n"
	"\tLOCK TABLE answer.rollup_correction IN SHARE ROW EXCLUSIVE MODE;\n"
	"\tDELETE FROM answer.rollup_new n WHERE n.corrects IS NOT NULL AND n.issued_at >= pruned\n"
	"\t\tAND EXISTS (SELECT FROM answer.receipt r WHERE r.tenant = n.tenant AND r.receipt_id = n.receipt_id AND r.issued_at = n.issued_at);\n"
	"\tDELETE FROM answer.rollup_kept k WHERE k.corrects IS NOT NULL AND k.issued_at >= pruned\n"
	"\t\tAND EXISTS (SELECT FROM answer.receipt r WHERE r.tenant = k.tenant AND r.receipt_id = k.receipt_id AND r.issued_at = k.issued_at);\n"
	"\tDELETE FROM answer.rollup_correction c WHERE c.issued_at >= pruned\n"
	"\t\tAND EXISTS (SELECT FROM answer.receipt r WHERE r.tenant = c.tenant AND r.receipt_id = c.receipt_id AND r.issued_at = c.issued_at\n"
	"\t\t\tAND r.body ->> 'schema' = r.schema);\n"
	"\tINSERT INTO answer.rollup_correction (tenant, receipt_id, issued_at, contradicted, pair, judge)\n"
	"\tSELECT r.tenant, r.receipt_id, r.issued_at, true, c.pair, c.judge\n"
	"\tFROM answer.rollup_single s\n"
	"\tJOIN answer.receipt r ON r.tenant = s.tenant AND r.receipt_id = s.receipt_id AND r.issued_at = s.issued_at\n"
	"\tCROSS JOIN LATERAL answer.receipt_contradiction(r.tenant, r.body) AS c\n"
	"\tWHERE s.corrects IS NULL AND s.issued_at >= pruned AND r.given AND NOT r.contradicted AND r.body ->> 'schema' = r.schema\n"
	"\t\tAND EXISTS (SELECT FROM answer.judgement j WHERE j.tenant = s.tenant AND j.pair = ANY (s.pairs) AND j.relation = 'contradicts')\n"
	"\t\tAND c.pair IS NOT NULL\n"
	"\tON CONFLICT DO NOTHING;\n"
	"\tINSERT INTO answer.rollup_kept (tenant, issued_at, schema, verdict, intent, key_id, cost_usd, confidence, given, supported,\n"
	"\t\tcitation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, receipt_id, corrects)\n"
	"\tSELECT r.tenant, r.issued_at, r.schema, r.verdict, answer.receipt_intent(r.intent), r.key_id, r.cost_usd, r.confidence, r.given, r.supported,\n"
	"\t\tr.citation_required, r.citation_given, r.contradicted, r.prevented, r.unjudged, r.sentences, r.grounded, r.refusal, r.receipt_id, 1\n"
	"\tFROM answer.rollup_correction c\n"
	"\tJOIN answer.receipt r ON r.tenant = c.tenant AND r.receipt_id = c.receipt_id AND r.issued_at = c.issued_at\n"
	"\tWHERE c.contradicted AND c.issued_at >= pruned;\n"
	"\tDELETE FROM answer.rollup WHERE starts_at >= pruned;\n"
	"\tDELETE FROM answer.rollup_refusal WHERE starts_at >= pruned;\n"
	"\tDELETE FROM answer.rollup_latency WHERE starts_at >= pruned;\n"
	"\tDELETE FROM answer.rollup_word WHERE starts_at >= pruned;\n"
	"\tFOR day IN\n"
	"\t\tSELECT DISTINCT date_bin('1 day', issued_at, '2000-01-01') FROM answer.rollup_kept WHERE issued_at >= pruned ORDER BY 1\n"
	"\tLOOP\n"
	"\t\ttotal := total + answer.rollup_gather(true, day, day + interval '24 hours', NULL);\n"
	"\tEND LOOP;\n"
	"\tIF pruned = '-infinity' THEN\n"
	"\t\tDELETE FROM answer.rollup_key;\n"
	"\t\tINSERT INTO answer.rollup_key (tenant, key_id, documents, first_at, last_at)\n"
	"\t\tSELECT tenant, key_id, count(*), min(issued_at), max(issued_at) FROM answer.rollup_kept WHERE corrects IS NULL GROUP BY 1, 2;\n"
	"\tEND IF;\n"
	"\tRETURN total;\n"
	"END\n"
	""},
	{"function answer.route_accept(tenant text, route_id text)",
	"plpgsql(tenant text, route_id text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tfinding jsonb := answer.route_findings(tenant, route_id) -> 0;\n"
	"BEGIN\n"
	"\tIF finding IS NULL THEN\n"
	"\t\tRETURN;\n"
	"\tEND IF;\n"
	"\tRAISE EXCEPTION USING errcode = '22023', message = CASE\n"
	"\t\tWHEN finding ->> 'route_id' <> route_id THEN\n"
	"\t\t\tformat('route \"%s\" shadows route \"%s\", whose example \"%s\" it answers', route_id, finding ->> 'route_id', finding ->> 'example')\n"
	"\t\tWHEN finding ? 'answered_by' THEN\n"
	"\t\t\tformat('route \"%s\" is shadowed by route \"%s\", which comes earlier and answers its example \"%s\"', route_id, finding ->> 'answered_by', finding ->> 'example')\n"
	"\t\tELSE concat(format('route \"%s\" %s', route_id, finding ->> 'problem'), ': \"' || (finding ->> 'example') || '\"') END,\n"
	"\t\thint = CASE WHEN finding ? 'answered_by'\n"
	"\t\t\tTHEN 'Make the pattern narrower, change the position, or disable the other route with answer_route_enable().'\n"
	"\t\t\tELSE 'answer_route_explain() tells where a question ceases to match a route.' END;\n"
	"END\n"
	""},
	{"function answer.route_changed()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\ttenants text[];\n"
	"BEGIN\n"
	"\tIF TG_LEVEL = 'ROW' THEN\n"
	"\t\ttenants := ARRAY[old.tenant, new.tenant];\n"
	"\tELSIF TG_OP = 'INSERT' THEN\n"
	"\t\ttenants := (SELECT array_agg(DISTINCT c.tenant) FROM changed_to c);\n"
	"\tELSIF TG_OP = 'UPDATE' THEN\n"
	"\t\ttenants := (SELECT array_agg(c.tenant) FROM (SELECT f.tenant FROM changed_from f UNION SELECT t.tenant FROM changed_to t) AS c);\n"
	"\tELSIF TG_OP = 'DELETE' THEN\n"
	"\t\ttenants := (SELECT array_agg(DISTINCT c.tenant) FROM changed_from c);\n"
	"\tELSE\n"
	"\t\ttenants := (SELECT array_agg(s.tenant) FROM answer.route_state s);\n"
	"\tEND IF;\n"
	"\t-- in one order, so that nobody waits for another who does\n"
	"\tINSERT INTO answer.route_state AS s (tenant, token)\n"
	"\tSELECT t.tenant, gen_random_uuid() FROM (SELECT DISTINCT u.tenant FROM unnest(tenants) AS u (tenant)) AS t\n"
	"\tWHERE t.tenant IS NOT NULL ORDER BY t.tenant COLLATE \"C\"\n"
	"\tON CONFLICT ON CONSTRAINT route_state_pkey DO UPDATE SET token = excluded.token;\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.route_changing()",
	"c() returns trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_route_changing"},
	{"function answer.route_compile(question text)",
	"c(question text) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel u, cost 200, rows 0, settings , extension t in answer_eval: answer_eval_route_compile"},
	{"function answer.route_enable_put(tenant text, route_id text, enabled boolean)",
	"plpgsql(tenant text, route_id text, enabled boolean) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF route_id IS NULL OR enabled IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'route_id and enabled must not be null';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.route_lock(tenant);\n"
	"\tPERFORM answer.route_require(tenant, route_id);\n"
	"\tUPDATE answer.route r SET enabled = route_enable_put.enabled\n"
	"\tWHERE r.tenant = route_enable_put.tenant AND r.route_id = route_enable_put.route_id;\n"
	"\tIF enabled THEN\n"
	"\t\tPERFORM answer.route_accept(tenant, route_id);\n"
	"\tEND IF;\n"
	"\tPERFORM answer.change_record_put(tenant, 'route', route_id);\n"
	"END\n"
	""},
	{"function answer.route_fill(registered_by text, tenant text, route_id text, lists jsonb, list_values jsonb)",
	"plpgsql(registered_by text, tenant text, route_id text, lists jsonb, list_values jsonb) returns boolean, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\troute answer.route;\n"
	"BEGIN\n"
	"\t-- who has changed the route since its lists were read is not undone\n"
	"\tPERFORM answer.route_lock(tenant);\n"
	"\tSELECT r.* INTO route FROM answer.route r\n"
	"\tWHERE r.tenant = route_fill.tenant AND r.route_id = route_fill.route_id AND r.lists = route_fill.lists\n"
	"\t\tAND r.registered_by = route_fill.registered_by;\n"
	"\tIF NOT FOUND OR route.list_values = list_values THEN\n"
	"\t\tRETURN false;\n"
	"\tEND IF;\n"
	"\tPERFORM answer.route_put(route.registered_by, tenant, route.route_id, route.pattern, route.kind, route.tool, route.args,\n"
	"\t\troute.expect, route.examples, jsonb_build_object('lists', route.lists, 'place', route.position, 'description', route.description,\n"
	"\t\t\t'replace', true), list_values, route.list_owners);\n"
	"\tRETURN true;\n"
	"END\n"
	""},
	{"function answer.route_findings(tenant text, route_id text)",
	"c(tenant text, route_id text) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_route_findings"},
	{"function answer.route_lock(tenant text)",
	"plpgsql(tenant text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tPERFORM FROM answer.route_state s WHERE s.tenant = route_lock.tenant FOR UPDATE;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tINSERT INTO answer.route_state (tenant, token) VALUES (tenant, gen_random_uuid())\n"
	"\t\tON CONFLICT ON CONSTRAINT route_state_pkey DO NOTHING;\n"
	"\t\tPERFORM FROM answer.route_state s WHERE s.tenant = route_lock.tenant FOR UPDATE;\n"
	"\tEND IF;\n"
	"END\n"
	""},
	{"function answer.route_problem(route jsonb)",
	"c(route jsonb) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_route_problem"},
	{"function answer.route_put(registered_by text, tenant text, route_id text, pattern text, kind @extschema@.answer_route_kind, tool text, args jsonb, expect jsonb, examples text[], options jsonb, list_values jsonb, list_owners jsonb)",
	"plpgsql(registered_by text, tenant text, route_id text, pattern text, kind @extschema@.answer_route_kind, tool text, args jsonb, expect jsonb, examples text[], options jsonb, list_values jsonb, list_owners jsonb) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tcontent jsonb;\n"
	"\tproblem text;\n"
	"\tregistered answer.tool;\n"
	"\targument text;\n"
	"\toccupant text;\n"
	"\twanted answer.route;\n"
	"\t-- is no part of what was said: who registers it, and what its lists hold now\n"
	"\tbeside text[] := '{registered_by,list_values,list_owners,enabled}';\n"
	"\tlists jsonb := NULLIF(options -> 'lists', 'null');\n"
	"\tdescription text := options ->> 'description';\n"
	"\treplace boolean;\n"
	"\tplace integer;\n"
	"BEGIN\n"
	"\tPERFORM answer.options_check(options, '{\"lists\": \"any\", \"place\": \"integer\", \"description\": \"string\", \"replace\": \"boolean\"}');\n"
	"\tplace := options ->> 'place';\n"
	"\treplace := COALESCE((options ->> 'replace')::boolean, false);\n"
	"\tIF route_id IS NULL OR pattern IS NULL OR kind IS NULL OR tool IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'route_id, pattern, kind and tool must not be null';\n"
	"\tEND IF;\n"
	"\targs := answer.portable(COALESCE(args, '{}'));\n"
	"\texpect := answer.portable(expect);\n"
	"\tcontent := jsonb_build_object('route_id', route_id, 'pattern', pattern, 'kind', kind, 'tool', tool, 'args', args)\n"
	"\t\t|| CASE WHEN expect IS NULL THEN '{}' ELSE jsonb_build_object('expect', expect) END\n"
	"\t\t|| CASE WHEN lists IS NULL THEN '{}' ELSE jsonb_build_object('lists',\n"
	"\t\t\t(SELECT COALESCE(jsonb_object_agg(e.key, CASE WHEN jsonb_typeof(e.value) = 'object' THEN list_values -> e.key ELSE e.value END), '{}')\n"
	"\t\t\tFROM jsonb_each(lists) AS e)) END;\n"
	"\tproblem := answer.route_problem(content);\n"
	"\tIF problem IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('route \"%s\" %s', route_id, problem);\n"
	"\tEND IF;\n"
	"\t-- examples are checked against the whole table, so that nobody else may change it meanwhile, nor remove the tool\n"
	"\tPERFORM answer.route_lock(tenant);\n"
	"\t-- whoever asks learns no more than that a shared route has the id; a tenant's own says nothing to others\n"
	"\tIF tenant <> '' AND EXISTS (SELECT FROM answer.route r WHERE r.tenant = '' AND r.route_id = route_put.route_id) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '23505', message = format('the id \"%s\" is taken by a shared route', route_id);\n"
	"\tEND IF;\n"
	"\t-- should a shared tool have come to have the name of a tenant's own, it is the one\n"
	"\tSELECT t.* INTO registered FROM answer.tool t WHERE t.tenant IN (route_put.tenant, '') AND t.tool = route_put.tool\n"
	"\tORDER BY t.tenant LIMIT 1 FOR KEY SHARE;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('route \"%s\" names the unknown tool \"%s\"', route_id, tool),\n"
	"\t\t\thint = 'answer_coverage() lists the tools that are registered; answer_tool_register() registers one.';\n"
	"\tEND IF;\n"
	"\tIF NOT answer.tool_is_askable(registered.spec) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('route \"%s\" names tool \"%s\", which no question can reach', route_id, tool),\n"
	"\t\t\tdetail = 'Plans alone call a tool with side effects, and one that the application answers.';\n"
	"\tEND IF;\n"
	"\tFOREACH argument IN ARRAY registered.required_args LOOP\n"
	"\t\tIF NOT args ? argument THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\tmessage = format('route \"%s\" lacks the argument \"%s\", which tool \"%s\" requires', route_id, argument, tool);\n"
	"\t\tEND IF;\n"
	"\tEND LOOP;\n"
	"\tFOR argument IN SELECT jsonb_object_keys(args) LOOP\n"
	"\t\tIF argument <> ALL (registered.required_args || registered.optional_args) THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\tmessage = format('route \"%s\" has the argument \"%s\", which tool \"%s\" does not declare', route_id, argument, tool);\n"
	"\t\tEND IF;\n"
	"\tEND LOOP;\n"
	"\tIF COALESCE(array_ndims(examples), 0) <> 1 OR array_position(examples, NULL) IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('route \"%s\" must have example questions', route_id);\n"
	"\tEND IF;\n"
	"\n"
	"\tIF place IS NULL THEN\n"
	"\t\tSELECT r.position INTO place FROM answer.route r\n"
	"\t\tWHERE r.tenant = route_put.tenant AND r.route_id = route_put.route_id AND NOT r.seed;\n"
	"\tEND IF;\n"
	"\tIF place IS NULL THEN\n"
	"\t\tSELECT LEAST(COALESCE(max(r.position), 0) + 10, 999999) INTO place FROM answer.route r\n"
	"\t\tWHERE r.tenant = route_put.tenant AND r.position < 1000000;\n"
	"\tEND IF;\n"
	"\tIF place < 1 OR place BETWEEN 1000000 AND 1999999 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('position of route \"%s\" must be from 1 to 999999, or from 2000000 on', route_id);\n"
	"\tEND IF;\n"
	"\tSELECT r.route_id INTO occupant FROM answer.route r\n"
	"\tWHERE r.tenant = route_put.tenant AND r.position = place AND r.route_id <> route_put.route_id;\n"
	"\tIF FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('position %s of route \"%s\" is that of route \"%s\"', place, route_id, occupant);\n"
	"\tEND IF;\n"
	"\twanted.tenant := tenant;\n"
	"\twanted.route_id := route_id;\n"
	"\twanted.position := place;\n"
	"\twanted.pattern := pattern;\n"
	"\twanted.kind := kind;\n"
	"\twanted.tool := tool;\n"
	"\twanted.args := args;\n"
	"\twanted.expect := expect;\n"
	"\twanted.lists := lists;\n"
	"\twanted.list_values := list_values;\n"
	"\twanted.list_owners := list_owners;\n"
	"\twanted.examples := examples;\n"
	"\twanted.description := description;\n"
	"\twanted.registered_by := registered_by;\n"
	"\twanted.enabled := true;\n"
	"\twanted.seed := false;\n"
	"\tINSERT INTO answer.route AS r SELECT wanted.*\n"
	"\tON CONFLICT ON CONSTRAINT route_pkey DO UPDATE\n"
	"\tSET position = excluded.position, pattern = excluded.pattern, kind = excluded.kind, tool = excluded.tool,\n"
	"\t\targs = excluded.args, expect = excluded.expect, lists = excluded.lists, list_values = excluded.list_values,\n"
	"\t\tlist_owners = excluded.list_owners, examples = excluded.examples, description = excluded.description,\n"
	"\t\tregistered_by = excluded.registered_by\n"
	"\tWHERE NOT r.seed AND (replace OR to_jsonb(r) - beside = to_jsonb(wanted) - beside);\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tIF EXISTS (SELECT FROM answer.route r WHERE r.tenant = wanted.tenant AND r.route_id = wanted.route_id AND r.seed) THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\tmessage = format('route \"%s\" comes with answer_eval and cannot be changed', route_id),\n"
	"\t\t\t\thint = 'It can be disabled with answer_route_enable().';\n"
	"\t\tEND IF;\n"
	"\t\tPERFORM answer.refuse_registered('route', route_id,\n"
	"\t\t\t(SELECT to_jsonb(r) FROM answer.route r WHERE r.tenant = wanted.tenant AND r.route_id = wanted.route_id), to_jsonb(wanted));\n"
	"\tEND IF;\n"
	"\tPERFORM answer.route_accept(tenant, route_id);\n"
	"\tPERFORM answer.change_record_put(tenant, 'route', route_id);\n"
	"END\n"
	""},
	{"function answer.route_record()",
	"c() returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function answer.route_record_put()",
	"plpgsql() returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tPERFORM answer.route_lock('');\n"
	"\tRETURN @extschema@.answer_change_record('route');\n"
	"END\n"
	""},
	{"function answer.route_remove_put(tenant text, route_id text)",
	"plpgsql(tenant text, route_id text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tseed boolean;\n"
	"BEGIN\n"
	"\tIF route_id IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'route_id must not be null';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.route_lock(tenant);\n"
	"\tPERFORM answer.route_require(tenant, route_id);\n"
	"\tSELECT r.seed INTO seed FROM answer.route r WHERE r.tenant = route_remove_put.tenant AND r.route_id = route_remove_put.route_id;\n"
	"\tIF seed THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('route \"%s\" comes with answer_eval and cannot be removed', route_id),\n"
	"\t\t\thint = 'It can be disabled with answer_route_enable().';\n"
	"\tEND IF;\n"
	"\tDELETE FROM answer.route r WHERE r.tenant = route_remove_put.tenant AND r.route_id = route_remove_put.route_id;\n"
	"\tPERFORM answer.change_record_put(tenant, 'route', route_id);\n"
	"END\n"
	""},
	{"function answer.route_replay(receipt jsonb, route_table jsonb)",
	"c(receipt jsonb, route_table jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_route_replay"},
	{"function answer.route_require(tenant text, route_id text)",
	"plpgsql(tenant text, route_id text) returns void, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF EXISTS (SELECT FROM answer.route r WHERE r.tenant = route_require.tenant AND r.route_id = route_require.route_id) THEN\n"
	"\t\tRETURN;\n"
	"\tEND IF;\n"
	"\tIF EXISTS (SELECT FROM answer.route r WHERE r.tenant = '' AND r.route_id = route_require.route_id) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '42501', message = format('route \"%s\" is shared by all tenants', route_id),\n"
	"\t\t\thint = 'The owner of the extension changes it, with no answer_eval.tenant set.';\n"
	"\tEND IF;\n"
	"\tRAISE EXCEPTION USING errcode = 'P0002', message = format('unknown route \"%s\"', route_id),\n"
	"\t\thint = CASE tenant WHEN '' THEN 'answer.route lists the routes that there are.'\n"
	"\t\t\tELSE 'answer.tenant_route lists the routes that there are.' END;\n"
	"END\n"
	""},
	{"function answer.route_seed()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tUPDATE answer.route SET enabled = new.enabled WHERE tenant = '' AND route_id = new.route_id AND seed;\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.row_digest(of_table text, of_row record)",
	"c(of_table text, of_row record) returns bytea, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_row_digest"},
	{"function answer.row_sum(sum bytea, removed bytea[], added bytea[])",
	"c(sum bytea, removed bytea[], added bytea[]) returns bytea, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_row_sum"},
	{"function answer.rules_stay()",
	"plpgsql() returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tLOCK TABLE answer.decision_rule IN SHARE MODE;\n"
	"END\n"
	""},
	{"function answer.run_brief(run jsonb)",
	"c(run jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_run_brief"},
	{"function answer.run_diff_of(tenants text[], a text, b text)",
	"plpgsql(tenants text[], a text, b text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tleft_run jsonb := answer.run_of(tenants, a);\n"
	"\tright_run jsonb := answer.run_of(tenants, b);\n"
	"\tdiffering jsonb;\n"
	"BEGIN\n"
	"\tSELECT COALESCE(jsonb_agg(jsonb_build_object('id', d.id, 'in', CASE WHEN d.x IS NULL THEN 'b' WHEN d.y IS NULL THEN 'a' ELSE 'both' END,\n"
	"\t\t'fields', d.fields) ORDER BY d.place, d.id COLLATE \"C\"), '[]') INTO differing\n"
	"\tFROM (\n"
	"\t\tSELECT COALESCE(x.row ->> 'id', y.row ->> 'id') AS id, LEAST(x.place, y.place) AS place, x.row AS x, y.row AS y, (\n"
	"\t\t\tSELECT COALESCE(jsonb_object_agg(k.key, jsonb_build_array(x.row -> k.key, y.row -> k.key)), '{}')\n"
	"\t\t\tFROM (SELECT jsonb_object_keys(x.row) AS key UNION SELECT jsonb_object_keys(y.row)) AS k\n"
	"\t\t\tWHERE x.row IS NOT NULL AND y.row IS NOT NULL AND k.key <> 'ordinal' AND x.row -> k.key IS DISTINCT FROM y.row -> k.key) AS fields\n"
	"\t\tFROM jsonb_array_elements(left_run -> 'cases') WITH ORDINALITY AS x (row, place)\n"
	"\t\tFULL JOIN jsonb_array_elements(right_run -> 'cases') WITH ORDINALITY AS y (row, place) ON x.row ->> 'id' = y.row ->> 'id'\n"
	"\t) AS d\n"
	"\tWHERE d.x IS NULL OR d.y IS NULL OR d.fields <> '{}';\n"
	"\tRETURN jsonb_build_object('a', a, 'b', b, 'same', left_run ->> 'digest' = right_run ->> 'digest',\n"
	"\t\t'same_suite', left_run #>> '{suite,digest}' = right_run #>> '{suite,digest}',\n"
	"\t\t'same_config', left_run ->> 'config_digest' = right_run ->> 'config_digest',\n"
	"\t\t'same_engine', left_run ->> 'engine_digest' = right_run ->> 'engine_digest',\n"
	"\t\t'config', (SELECT COALESCE(jsonb_object_agg(k.key, jsonb_build_array(k.value, right_run -> 'config' -> k.key)), '{}')\n"
	"\t\t\tFROM jsonb_each(left_run -> 'config') AS k WHERE k.value IS DISTINCT FROM right_run -> 'config' -> k.key),\n"
	"\t\t'first', differing -> 0 -> 'id', 'cases', differing);\n"
	"END\n"
	""},
	{"function answer.run_guard()",
	"c() returns trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_run_guard"},
	{"function answer.run_intoto(run jsonb)",
	"c(run jsonb) returns jsonb, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_run_intoto"},
	{"function answer.run_intoto_of(tenants text[], run text)",
	"sql(tenants text[], run text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT run_intoto run_verified tenants, run AS run_intoto; END"},
	{"function answer.run_junit_of(tenants text[], run text)",
	"plpgsql(tenants text[], run text) returns xml, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tbody jsonb := answer.run_of(tenants, run);\n"
	"\ttook bigint[];\n"
	"\tsuite text := body #>> '{suite,name}';\n"
	"\ttests text;\n"
	"BEGIN\n"
	"\tSELECT r.took INTO took FROM answer.run r WHERE r.tenant = ANY (tenants) AND r.run_id = run;\n"
	"\tSELECT string_agg(format(E'\\t\\t<testcase classname=\"%s\" name=\"%s\" time=\"%s\"%s', answer.xml_text(suite), answer.xml_text(c.row ->> 'id'),\n"
	"\t\tto_char(COALESCE(took[c.place], 0) / 1000000.0, 'FM999999990.000000'),\n"
	"\t\tCASE WHEN c.row ->> 'passed' = 'true' THEN E'/>\\n'\n"
	"\t\tWHEN c.row -> 'error' <> 'null' THEN format(E'>\\n\\t\\t\\t<error type=\"%s\" message=\"%s\"/>\\n\\t\\t</testcase>\\n',\n"
	"\t\t\tanswer.xml_text(c.row #>> '{error,sqlstate}'), answer.xml_text(c.row #>> '{error,message}'))\n"
	"\t\tELSE format(E'>\\n\\t\\t\\t<failure type=\"%s\" message=\"%s\"/>\\n\\t\\t</testcase>\\n', answer.xml_text(f.kinds), answer.xml_text(f.reasons)) END),\n"
	"\t\t'' ORDER BY c.place) INTO tests\n"
	"\tFROM jsonb_array_elements(body -> 'cases') WITH ORDINALITY AS c (row, place), LATERAL (\n"
	"\t\tSELECT string_agg(s.key, ' ' ORDER BY s.key COLLATE \"C\"),\n"
	"\t\t\tstring_agg(concat(s.key, ': ', s.value ->> 'reason'), '; ' ORDER BY s.key COLLATE \"C\")\n"
	"\t\tFROM jsonb_each(c.row -> 'scores') AS s WHERE s.value ->> 'passed' <> 'true') AS f (kinds, reasons);\n"
	"\tRETURN format(concat_ws(E'\\n', '<testsuites>',\n"
	"\t\tE'\\t<testsuite name=\"%s\" tests=\"%s\" failures=\"%s\" errors=\"%s\" skipped=\"0\" time=\"%s\" timestamp=\"%s\">',\n"
	"\t\tE'\\t\\t<properties><property name=\"run\" value=\"%s\"/><property name=\"digest\" value=\"%s\"/><property name=\"verdict\" value=\"%s\"/></properties>',\n"
	"\t\tE'%s\\t</testsuite>', '</testsuites>'), answer.xml_text(suite), body #>> '{summary,cases}',\n"
	"\t\t(body #>> '{summary,cases}')::int4 - (body #>> '{summary,passed}')::int4 - (body #>> '{summary,errors}')::int4,\n"
	"\t\tbody #>> '{summary,errors}', to_char(COALESCE((SELECT sum(t) FROM unnest(took) AS t), 0) / 1000000.0, 'FM999999990.000000'),\n"
	"\t\tanswer.xml_text(body ->> 'issued_at'), answer.xml_text(run), answer.xml_text(body ->> 'digest'), answer.xml_text(body ->> 'verdict'),\n"
	"\t\ttests)::xml;\n"
	"END\n"
	""},
	{"function answer.run_of(tenants text[], run_id text)",
	"plpgsql(tenants text[], run_id text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tbody jsonb;\n"
	"BEGIN\n"
	"\tIF run_id IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'run_id must not be null';\n"
	"\tEND IF;\n"
	"\tSELECT d.body INTO body FROM answer.receipt d\n"
	"\tWHERE d.tenant = ANY (tenants) AND d.receipt_id = run_id AND starts_with(run_id, 'run_');\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no run \"%s\"', run_id), hint = 'answer.run lists them.';\n"
	"\tEND IF;\n"
	"\tIF body ->> 'schema' <> 'run/v1' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '23001', message = format('run \"%s\" was forgotten', run_id), hint = 'answer.tombstone tells when and why.';\n"
	"\tEND IF;\n"
	"\tRETURN body;\n"
	"END\n"
	""},
	{"function answer.run_put(tenant text, run_id text, started_at timestamp with time zone, took bigint[])",
	"sql(tenant text, run_id text, started_at timestamp with time zone, took bigint[]) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC INSERT INTO run_timing tenant, run_id, started_at, took VALUES tenant, run_id, started_at, took ON CONFLICT DO NOTHING; END"},
	{"function answer.run_score(rows jsonb, config jsonb, insufficiency jsonb)",
	"c(rows jsonb, config jsonb, insufficiency jsonb) returns jsonb, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_run_score"},
	{"function answer.run_verified(tenants text[], run_id text)",
	"plpgsql(tenants text[], run_id text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tbody jsonb := answer.run_of(tenants, run_id);\n"
	"BEGIN\n"
	"\tIF NOT @extschema@.answer_verify_ok(body) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'XX001', message = format('run \"%s\" does not verify', run_id),\n"
	"\t\t\thint = 'answer_verify(answer_receipt(id)) tells which step fails; answer_audit() what else was changed.';\n"
	"\tEND IF;\n"
	"\tRETURN body;\n"
	"END\n"
	""},
	{"function answer.run_work_end(tenant text, work_id text)",
	"plpgsql(tenant text, work_id text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tDELETE FROM answer.run_work_case c WHERE c.tenant = run_work_end.tenant AND c.work_id = run_work_end.work_id;\n"
	"\tDELETE FROM answer.run_work w WHERE w.tenant = run_work_end.tenant AND w.work_id = run_work_end.work_id;\n"
	"END\n"
	""},
	{"function answer.run_work_put(tenant text, work_id text, role text, state jsonb, rows jsonb)",
	"plpgsql(tenant text, work_id text, role text, state jsonb, rows jsonb) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tINSERT INTO answer.run_work AS w (tenant, work_id, role, suite, version, suite_digest, config_digest, engine_digest, cases, done, chain, key_id, sig)\n"
	"\tVALUES (tenant, work_id, role, state #>> '{suite,name}', (state #>> '{suite,version}')::int4, state ->> 'suite_digest', state ->> 'config_digest',\n"
	"\t\tstate ->> 'engine_digest', (state ->> 'cases')::int4, (state ->> 'done')::int4, state ->> 'chain', state ->> 'key_id', state ->> 'sig')\n"
	"\tON CONFLICT ON CONSTRAINT run_work_pkey DO UPDATE SET done = excluded.done, chain = excluded.chain, key_id = excluded.key_id,\n"
	"\t\tsig = excluded.sig, updated_at = clock_timestamp();\n"
	"\tINSERT INTO answer.run_work_case (tenant, work_id, ordinal, body, took)\n"
	"\tSELECT tenant, work_id, (r.body ->> 'ordinal')::int4, r.body, (state #>> ARRAY['took', (r.place - 1)::text])::int8\n"
	"\tFROM jsonb_array_elements(rows) WITH ORDINALITY AS r (body, place);\n"
	"END\n"
	""},
	{"function answer.search_by_embedding(tenant text, query text, k integer, filter jsonb, embedding real[], fuse boolean)",
	"plpgsql(tenant text, query text, k integer, filter jsonb, embedding real[], fuse boolean) returns TABLE(chunk_id text, similarity double precision, place bigint), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 100, rows 5, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_column\n"
	"DECLARE\n"
	"\t-- of what each list has for fusing\n"
	"\tfused CONSTANT integer := 100;\n"
	"\t-- more than are asked for, so that a tie is not cut in two\n"
	"\tdepth integer := greatest(4 * k, fused);\n"
	"\tnear text[];\n"
	"\tby_text text[];\n"
	"\tby_text_similarity float8[];\n"
	"BEGIN\n"
	"\tnear := ARRAY(SELECT v.chunk_id FROM answer.search_vector(tenant, embedding, depth, filter, false, NULL) AS v);\n"
	"\t-- an approximate index knows nothing of tenants and filters: it may have given others\n"
	"\tIF cardinality(near) < depth THEN\n"
	"\t\tnear := ARRAY(SELECT v.chunk_id FROM answer.search_vector(tenant, embedding, depth, filter, true, NULL) AS v);\n"
	"\tEND IF;\n"
	"\tIF fuse THEN\n"
	"\t\tnear := near[1:fused];\n"
	"\t\tSELECT array_agg(t.chunk_id ORDER BY t.place), array_agg(t.similarity ORDER BY t.place) INTO by_text, by_text_similarity\n"
	"\t\tFROM answer.search_text(tenant, query, fused, filter) WITH ORDINALITY AS t (chunk_id, doc_id, version, ordinal, similarity, place);\n"
	"\tEND IF;\n"
	"\t-- Reciprocal rank fusion, with the usual 60; rounded, so that sums that are equal are. A chunk that no embedding, or none\n"
	"\t-- of as many numbers, was stored for has no cosine: it comes by its place in the text, with the similarity it has there.\n"
	"\tRETURN QUERY\n"
	"\tWITH near_hit AS (\n"
	"\t\tSELECT h.chunk_id, h.similarity FROM answer.search_vector(tenant, embedding, 2 * depth, filter, true, near || by_text) AS h\n"
	"\t), hit AS (\n"
	"\t\tSELECT h.chunk_id, h.similarity, array_position(near, h.chunk_id) AS near_rank, array_position(by_text, h.chunk_id) AS text_rank\n"
	"\t\tFROM (SELECT n.* FROM near_hit n\n"
	"\t\t\tUNION ALL SELECT t.chunk_id, t.similarity FROM unnest(by_text, by_text_similarity) AS t (chunk_id, similarity)\n"
	"\t\t\tWHERE NOT EXISTS (SELECT FROM near_hit n WHERE n.chunk_id = t.chunk_id)) AS h\n"
	"\t\tWHERE h.similarity > 0\n"
	"\t), ranked AS (\n"
	"\t\tSELECT t.chunk_id, t.similarity,\n"
	"\t\t\tround(COALESCE(1 / (60 + t.near_rank)::numeric, 0) + COALESCE(1 / (60 + t.text_rank)::numeric, 0), 15) AS rank FROM hit t\n"
	"\t)\n"
	"\tSELECT r.chunk_id, r.similarity, row_number() OVER (ORDER BY CASE WHEN fuse THEN r.rank ELSE r.similarity::numeric END DESC,\n"
	"\t\tr.chunk_id COLLATE \"C\") AS place\n"
	"\tFROM ranked r\n"
	"\tORDER BY place LIMIT k;\n"
	"END\n"
	""},
	{"function answer.search_items(scope text, text text, title text, OUT items bytea[], OUT title_items bytea[], OUT sketch bytea)",
	"c(scope text, text text, title text, OUT items bytea[], OUT title_items bytea[], OUT sketch bytea) returns record, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_search_items"},
	{"function answer.search_of(tenant text, query text, k integer, filter jsonb, embedding real[], fuse boolean)",
	"plpgsql(tenant text, query text, k integer, filter jsonb, embedding real[], fuse boolean) returns TABLE(chunk_id text, doc_id text, \"timestamp\" timestamp with time zone, similarity double precision, text text, uri text, title text), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 100, rows 5, settings {\"search_path=pg_catalog, pg_temp\",gin_fuzzy_search_limit=0}, extension t: \n"
	"#variable_conflict use_column\n"
	"BEGIN\n"
	"\t-- judges the arguments, by themselves: an error shows the statement that it comes from, and this one is short\n"
	"\tPERFORM FROM answer.search_text('', CASE WHEN query IS NOT NULL THEN '' END, k, filter);\n"
	"\tIF embedding IS NULL THEN\n"
	"\t\tRETURN QUERY\n"
	"\t\tSELECT c.chunk_id, c.doc_id, d.\"timestamp\", h.similarity, c.text, c.uri, c.title\n"
	"\t\tFROM answer.search_text(search_of.tenant, search_of.query, search_of.k, search_of.filter) AS h\n"
	"\t\tJOIN answer.chunk c ON c.tenant = search_of.tenant AND c.doc_id = h.doc_id AND c.version = h.version AND c.ordinal = h.ordinal\n"
	"\t\tJOIN answer.document d ON d.tenant = c.tenant AND d.doc_id = c.doc_id AND d.version = c.version\n"
	"\t\tORDER BY h.similarity DESC, c.chunk_id COLLATE \"C\";\n"
	"\t\tRETURN;\n"
	"\tEND IF;\n"
	"\tPERFORM answer.embedding_check(embedding);\n"
	"\tPERFORM answer.vector_schema();\n"
	"\tRETURN QUERY\n"
	"\tSELECT c.chunk_id, c.doc_id, d.\"timestamp\", h.similarity, c.text, c.uri, c.title\n"
	"\tFROM answer.search_by_embedding(search_of.tenant, search_of.query, search_of.k, search_of.filter, search_of.embedding, COALESCE(search_of.fuse, true)) AS h\n"
	"\tJOIN answer.chunk_search s ON s.tenant = search_of.tenant AND s.chunk_id = h.chunk_id\n"
	"\tJOIN answer.chunk c ON c.tenant = s.tenant AND c.doc_id = s.doc_id AND c.version = s.version AND c.ordinal = s.ordinal\n"
	"\tJOIN answer.document d ON d.tenant = c.tenant AND d.doc_id = c.doc_id AND d.version = c.version\n"
	"\tORDER BY h.place;\n"
	"END\n"
	""},
	{"function answer.search_text(tenant text, query text, k integer, filter jsonb)",
	"c(tenant text, query text, k integer, filter jsonb) returns TABLE(chunk_id text, doc_id text, version integer, ordinal integer, similarity double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 10000, rows 5, settings , extension t in answer_eval: answer_eval_search_text"},
	{"function answer.search_vector(tenant text, embedding real[], k integer, filter jsonb, exactly boolean, only_ids text[])",
	"plpgsql(tenant text, embedding real[], k integer, filter jsonb, exactly boolean, only_ids text[]) returns TABLE(chunk_id text, similarity double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 100, rows 5, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\tquery text;\n"
	"BEGIN\n"
	"\tPERFORM answer.embedding_check(embedding);\n"
	"\t-- An index gives the nearest ones first, of all tenants; a query that must be exact hides the distance from it.\n"
	"\tquery := format('SELECT e.chunk_id::text, e.embedding::%1$s.vector(%2$s) OPERATOR(%1$s.<=>) $2::%1$s.vector(%2$s) AS distance'\n"
	"\t\t' FROM answer.chunk_embedding e JOIN answer.chunk_search s ON s.tenant = e.tenant AND s.chunk_id = e.chunk_id,'\n"
	"\t\t' answer.document_filter($1, $3) f'\n"
	"\t\t' WHERE e.tenant = $1 AND cardinality(e.embedding) = %2$s'\n"
	"\t\t' AND (f.doc_ids IS NULL OR s.doc_id = ANY (f.doc_ids)) AND (f.since IS NULL OR s.\"timestamp\" >= f.since)'\n"
	"\t\t' AND (f.until IS NULL OR s.\"timestamp\" <= f.until) AND (f.title_items IS NULL OR s.title_items @> f.title_items)'\n"
	"\t\t' AND ($4 IS NULL OR e.chunk_id = ANY ($4))', answer.vector_schema(), cardinality(embedding));\n"
	"\tquery := format(CASE WHEN exactly THEN 'WITH n AS MATERIALIZED (%s) SELECT * FROM n ORDER BY distance, chunk_id COLLATE \"C\" LIMIT $5'\n"
	"\t\tELSE '%s ORDER BY distance LIMIT $5' END, query);\n"
	"\tRETURN QUERY EXECUTE format('SELECT n.chunk_id, greatest(0, least(1, round((1 - n.distance) * 10000) / 10000)) FROM (%s) AS n (chunk_id, distance)'\n"
	"\t\t' ORDER BY 2 DESC, n.chunk_id COLLATE \"C\"', query)\n"
	"\tUSING tenant, embedding, filter, only_ids, k;\n"
	"END\n"
	""},
	{"function answer.shipped_config()",
	"c() returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_shipped_config"},
	{"function answer.shipped_decision_rules()",
	"c() returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_shipped_decision_rules"},
	{"function answer.shipped_environments()",
	"c() returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_shipped_environments"},
	{"function answer.slo_burn(until timestamp with time zone)",
	"c(until timestamp with time zone DEFAULT NULL::timestamp with time zone) returns TABLE(tenant text, intent text, objective text, allowance double precision, share_30d double precision, budget_left double precision, burn_5m double precision, burn_30m double precision, burn_1h double precision, burn_6h double precision, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 50000, rows 100, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function answer.slo_burn_of(tenants text[], until timestamp with time zone)",
	"sql(tenants text[], until timestamp with time zone) returns TABLE(tenant text, intent text, objective text, allowance double precision, share_30d double precision, budget_left double precision, burn_5m double precision, burn_30m double precision, burn_1h double precision, burn_6h double precision, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 50000, rows 100, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"WITH windows AS (\n"
	"\tSELECT (ARRAY['5m', '30m', '1h', '6h', '30d'])[s.place] AS name, s.tenant, s.intent, s.given, s.required, s.cited, s.contradicted\n"
	"\tFROM answer.slo_sums(tenants, '{5 minutes,30 minutes,1 hour,6 hours,720 hours}', until, false) AS s\n"
	"), bad AS (\n"
	"\tSELECT w.name, w.tenant, w.intent, o.objective, o.allowance, o.fast, o.slow, o.bad, o.whole\n"
	"\tFROM windows w\n"
	"\t-- fast: min(14.4, half of 1 / allowance); slow: min(6, a quarter of it)\n"
	"\tCROSS JOIN LATERAL (VALUES\n"
	"\t\t('citation', 0.10, least(14.4, 0.5 / 0.10), least(6, 0.25 / 0.10), w.required - w.cited, w.required),\n"
	"\t\t('contradiction', 0.03, least(14.4, 0.5 / 0.03), least(6, 0.25 / 0.03), w.contradicted, w.given))\n"
	"\t\tAS o (objective, allowance, fast, slow, bad, whole)\n"
	"), burn AS (\n"
	"\tSELECT b.tenant, b.intent, b.objective, b.allowance,\n"
	"\t\tmax(b.bad) FILTER (WHERE b.name = '30d') AS bad_30d, max(b.whole) FILTER (WHERE b.name = '30d') AS whole_30d,\n"
	"\t\tmax(b.bad / nullif(b.whole, 0) / b.allowance) FILTER (WHERE b.name = '5m') AS burn_5m,\n"
	"\t\tmax(b.bad / nullif(b.whole, 0) / b.allowance) FILTER (WHERE b.name = '30m') AS burn_30m,\n"
	"\t\tmax(b.bad / nullif(b.whole, 0) / b.allowance) FILTER (WHERE b.name = '1h') AS burn_1h,\n"
	"\t\tmax(b.bad / nullif(b.whole, 0) / b.allowance) FILTER (WHERE b.name = '6h') AS burn_6h,\n"
	"\t\t-- counts are multiplied and not divided: a share that is just the limit is at the limit\n"
	"\t\tbool_and(b.whole > 0 AND b.bad >= b.fast * b.allowance * b.whole) FILTER (WHERE b.name IN ('5m', '1h'))\n"
	"\t\t\tAND count(*) FILTER (WHERE b.name IN ('5m', '1h')) = 2\n"
	"\t\tOR bool_and(b.whole > 0 AND b.bad >= b.slow * b.allowance * b.whole) FILTER (WHERE b.name IN ('30m', '6h'))\n"
	"\t\t\tAND count(*) FILTER (WHERE b.name IN ('30m', '6h')) = 2 AS is_burning\n"
	"\tFROM bad b\n"
	"\tGROUP BY 1, 2, 3, 4\n"
	")\n"
	"SELECT b.tenant, b.intent, b.objective, b.allowance::float8, (b.bad_30d / nullif(b.whole_30d, 0))::float8,\n"
	"\t(1 - b.bad_30d / nullif(b.whole_30d, 0) / b.allowance)::float8,\n"
	"\tb.burn_5m::float8, b.burn_30m::float8, b.burn_1h::float8, b.burn_6h::float8,\n"
	"\tCASE WHEN coalesce(b.whole_30d, 0) = 0 THEN 'no_data'\n"
	"\t\tWHEN b.bad_30d > b.allowance * b.whole_30d THEN 'exhausted'\n"
	"\t\tWHEN b.is_burning THEN 'burning'\n"
	"\t\tELSE 'ok' END\n"
	"FROM burn b\n"
	"ORDER BY b.tenant COLLATE \"C\" NULLS FIRST, b.intent COLLATE \"C\" NULLS FIRST, b.objective COLLATE \"C\"\n"
	""},
	{"function answer.slo_of(tenants text[], span interval, until timestamp with time zone)",
	"sql(tenants text[], span interval, until timestamp with time zone) returns TABLE(tenant text, intent text, answers bigint, given bigint, required bigint, cited bigint, citation_rate double precision, contradicted bigint, contradiction_rate double precision, prevented bigint, prevented_rate double precision, unsupported bigint, unsupported_rate double precision, unjudged bigint, unjudged_rate double precision, sentences bigint, grounded bigint, groundedness double precision, refused bigint, refusal_rate double precision, p50_ms double precision, p95_ms double precision, cost_per_answer double precision, cost_per_verified_answer double precision, coverage double precision, gqs double precision, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 10000, rows 100, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"SELECT w.tenant, w.intent, w.answers, w.given, w.required, w.cited, w.citation_rate, w.contradicted, w.contradiction_rate,\n"
	"\tw.prevented, w.prevented_rate, w.unsupported, w.unsupported_rate, w.unjudged, w.unjudged_rate, w.sentences, w.grounded, w.groundedness,\n"
	"\tw.refused, w.refusal_rate, w.p50_ms, w.p95_ms, w.cost_per_answer, w.cost_per_verified_answer, w.coverage, w.gqs, w.state\n"
	"FROM answer.slo_windows(tenants, ARRAY[span], until) AS w\n"
	""},
	{"function answer.slo_refusals_of(tenants text[], span interval, until timestamp with time zone)",
	"plpgsql(tenants text[], span interval, until timestamp with time zone) returns TABLE(tenant text, intent text, reason text, refused bigint, share double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 10000, rows 100, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC,jit=off,enable_seqscan=off,enable_hashjoin=off,enable_mergejoin=off}, extension t: \n"
	"#variable_conflict use_column\n"
	"DECLARE\n"
	"\tafter_last\ttimestamptz := coalesce(until, statement_timestamp()) + interval '1 microsecond';\n"
	"\tanswers\t\tjsonb;\n"
	"BEGIN\n"
	"\t-- the sums refuse what is no window\n"
	"\tSELECT jsonb_object_agg(jsonb_build_array(s.tenant, s.intent)::text, s.answers) INTO answers\n"
	"\tFROM answer.slo_sums(tenants, ARRAY[span], until, false) AS s;\n"
	"\tRETURN QUERY\n"
	"\tWITH piece AS MATERIALIZED (\n"
	"\t\tSELECT p.* FROM answer.rollup_pieces(after_last - make_interval(secs => extract(epoch FROM span)::float8), after_last) AS p\n"
	"\t), counted AS (\n"
	"\t\tSELECT r.tenant, r.intent, r.reason, r.count\n"
	"\t\tFROM piece p\n"
	"\t\tJOIN answer.rollup_refusal r ON r.tenant = ANY (tenants) AND r.grain = p.grain\n"
	"\t\t\tAND r.starts_at >= p.from_piece AND r.starts_at < p.to_piece\n"
	"\t\tUNION ALL\n"
	"\t\tSELECT s.tenant, s.intent, s.refusal, 1\n"
	"\t\tFROM piece p\n"
	"\t\tJOIN answer.rollup_single s ON s.counted AND s.tenant = ANY (tenants)\n"
	"\t\t\tAND s.issued_at >= p.from_piece AND s.issued_at < p.to_piece AND s.refusal IS NOT NULL\n"
	"\t\tWHERE p.grain = 0\n"
	"\t\tUNION ALL\n"
	"\t\tSELECT s.tenant, s.intent, s.refusal, 1\n"
	"\t\tFROM answer.rollup_single s\n"
	"\t\tWHERE NOT s.counted AND s.tenant = ANY (tenants) AND s.refusal IS NOT NULL AND s.issued_at < after_last\n"
	"\t\t\tAND s.issued_at >= after_last - make_interval(secs => extract(epoch FROM span)::float8)\n"
	"\t), summed AS (\n"
	"\t\tSELECT c.tenant, c.intent, c.reason, sum(c.count) AS refused\n"
	"\t\tFROM counted c\n"
	"\t\tGROUP BY GROUPING SETS ((c.reason), (c.tenant, c.reason), (c.tenant, c.intent, c.reason))\n"
	"\t)\n"
	"\tSELECT s.tenant, s.intent, s.reason, s.refused::bigint,\n"
	"\t\t(s.refused / nullif((answers ->> jsonb_build_array(s.tenant, s.intent)::text)::numeric, 0))::float8\n"
	"\tFROM summed s\n"
	"\tORDER BY s.tenant COLLATE \"C\" NULLS FIRST, s.intent COLLATE \"C\" NULLS FIRST, s.refused DESC, s.reason COLLATE \"C\";\n"
	"END\n"
	""},
	{"function answer.slo_sums(tenants text[], spans interval[], until timestamp with time zone, timed boolean)",
	"plpgsql(tenants text[], spans interval[], until timestamp with time zone, timed boolean) returns TABLE(place bigint, tenant text, intent text, answers numeric, given numeric, supported numeric, required numeric, cited numeric, contradicted numeric, prevented numeric, unjudged numeric, sentences numeric, grounded numeric, confidence numeric, costed numeric, costed_verified numeric, cost_usd numeric, latency bytea), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 10000, rows 100, settings {\"search_path=pg_catalog, pg_temp\",TimeZone=UTC,jit=off,enable_seqscan=off,enable_hashjoin=off,enable_mergejoin=off}, extension t: \n"
	"#variable_conflict use_column\n"
	"DECLARE\n"
	"\t-- what a transaction began with would leave out what it has minted\n"
	"\tlast_instant\ttimestamptz := coalesce(until, statement_timestamp());\n"
	"\tafter_last\t\ttimestamptz;\n"
	"\tspan\t\t\tinterval;\n"
	"\tstarts\t\t\ttimestamptz[];\n"
	"\tascending\t\ttimestamptz[];\n"
	"BEGIN\n"
	"\tFOREACH span IN ARRAY spans LOOP\n"
	"\t\tIF span IS NULL THEN\n"
	"\t\t\tRAISE EXCEPTION 'span must not be null' USING ERRCODE = '22004';\n"
	"\t\tEND IF;\n"
	"\t\tIF span <= interval '0' OR span > interval '732 days' OR NOT isfinite(last_instant)\n"
	"\t\t\tOR last_instant NOT BETWEEN '0010-01-01' AND '9999-12-31' THEN\n"
	"\t\t\tRAISE EXCEPTION 'there is no window of % up to %', span, last_instant\n"
	"\t\t\t\tUSING ERRCODE = '22023', HINT = 'Give a span of more than nothing and at most 732 days, and an instant of years 10 to 9999.';\n"
	"\t\tEND IF;\n"
	"\t\t-- (until - span, until]\n"
	"\t\tafter_last := last_instant + interval '1 microsecond';\n"
	"\t\tstarts := starts || after_last - make_interval(secs => extract(epoch FROM span)::float8);\n"
	"\tEND LOOP;\n"
	"\tascending := ARRAY(SELECT a FROM unnest(starts) AS a ORDER BY a);\n"
	"\tRETURN QUERY\n"
	"\tWITH wanted AS MATERIALIZED (\n"
	"\t\tSELECT w.start, w.place FROM unnest(starts) WITH ORDINALITY AS w (start, place)\n"
	"\t), piece AS MATERIALIZED (\n"
	"\t\tSELECT w.place, p.* FROM wanted w CROSS JOIN LATERAL answer.rollup_pieces(w.start, after_last) AS p\n"
	"\t), queued AS MATERIALIZED (\n"
	"\t\t-- each row once, with those that are in the same windows\n"
	"\t\tSELECT width_bucket(s.issued_at, ascending) AS latest, s.tenant, s.intent, sum(s.answers) AS answers, sum(s.given) AS given,\n"
	"\t\t\tsum(s.supported) AS supported, sum(s.required) AS required, sum(s.cited) AS cited, sum(s.contradicted) AS contradicted,\n"
	"\t\t\tsum(s.prevented) AS prevented, sum(s.unjudged) AS unjudged, sum(s.sentences) AS sentences, sum(s.grounded) AS grounded,\n"
	"\t\t\tsum(s.confidence) AS confidence, sum(s.costed) AS costed, sum(s.costed_verified) AS costed_verified, sum(s.cost_usd) AS cost_usd,\n"
	"\t\t\tanswer.latency_union(CASE WHEN timed THEN s.latency END) AS latency\n"
	"\t\tFROM answer.rollup_single s\n"
	"\t\tWHERE NOT s.counted AND s.tenant = ANY (tenants) AND s.issued_at >= ascending[1] AND s.issued_at < after_last\n"
	"\t\t\tAND (s.answers > 0 OR s.corrects IS NOT NULL)\n"
	"\t\tGROUP BY 1, 2, 3\n"
	"\t), counted AS (\n"
	"\t\tSELECT p.place, r.tenant, r.intent, r.answers, r.given, r.supported, r.required, r.cited, r.contradicted, r.prevented, r.unjudged,\n"
	"\t\t\tr.sentences, r.grounded, r.confidence, r.costed, r.costed_verified, r.cost_usd, NULL::bytea AS latency\n"
	"\t\tFROM piece p\n"
	"\t\tJOIN answer.rollup r ON r.tenant = ANY (tenants) AND r.grain = p.grain\n"
	"\t\t\tAND r.starts_at >= p.from_piece AND r.starts_at < p.to_piece AND r.answers > 0\n"
	"\t\tUNION ALL\n"
	"\t\tSELECT p.place, r.tenant, r.intent, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, r.latency\n"
	"\t\tFROM piece p\n"
	"\t\tJOIN answer.rollup_latency r ON r.tenant = ANY (tenants) AND r.grain = p.grain AND NOT r.whole\n"
	"\t\t\tAND r.starts_at >= p.from_piece AND r.starts_at < p.to_piece\n"
	"\t\tWHERE timed\n"
	"\t\tUNION ALL\n"
	"\t\tSELECT p.place, s.tenant, s.intent, s.answers, s.given, s.supported, s.required, s.cited, s.contradicted, s.prevented, s.unjudged,\n"
	"\t\t\ts.sentences, s.grounded, s.confidence, s.costed, s.costed_verified, s.cost_usd, CASE WHEN timed THEN s.latency END\n"
	"\t\tFROM piece p\n"
	"\t\tJOIN answer.rollup_single s ON s.counted AND s.tenant = ANY (tenants)\n"
	"\t\t\tAND s.issued_at >= p.from_piece AND s.issued_at < p.to_piece AND (s.answers > 0 OR s.corrects IS NOT NULL)\n"
	"\t\tWHERE p.grain = 0\n"
	"\t\tUNION ALL\n"
	"\t\tSELECT w.place, q.tenant, q.intent, q.answers, q.given, q.supported, q.required, q.cited, q.contradicted, q.prevented, q.unjudged,\n"
	"\t\t\tq.sentences, q.grounded, q.confidence, q.costed, q.costed_verified, q.cost_usd, q.latency\n"
	"\t\tFROM queued q\n"
	"\t\tJOIN wanted w ON w.start <= ascending[q.latest]\n"
	"\t), leaf AS MATERIALIZED (\n"
	"\t\tSELECT c.place, c.tenant, c.intent, sum(c.answers) AS answers, sum(c.given) AS given, sum(c.supported) AS supported,\n"
	"\t\t\tsum(c.required) AS required, sum(c.cited) AS cited, sum(c.contradicted) AS contradicted, sum(c.prevented) AS prevented,\n"
	"\t\t\tsum(c.unjudged) AS unjudged, sum(c.sentences) AS sentences, sum(c.grounded) AS grounded, sum(c.confidence) AS confidence,\n"
	"\t\t\tsum(c.costed) AS costed, sum(c.costed_verified) AS costed_verified, sum(c.cost_usd) AS cost_usd, answer.latency_union(c.latency) AS latency\n"
	"\t\tFROM counted c\n"
	"\t\tGROUP BY 1, 2, 3\n"
	"\t)\n"
	"\tSELECT w.place, l.tenant, l.intent, coalesce(sum(l.answers), 0), coalesce(sum(l.given), 0), coalesce(sum(l.supported), 0),\n"
	"\t\tcoalesce(sum(l.required), 0), coalesce(sum(l.cited), 0), coalesce(sum(l.contradicted), 0), coalesce(sum(l.prevented), 0),\n"
	"\t\tcoalesce(sum(l.unjudged), 0), coalesce(sum(l.sentences), 0), coalesce(sum(l.grounded), 0), sum(l.confidence), sum(l.costed),\n"
	"\t\tsum(l.costed_verified), sum(l.cost_usd), answer.latency_union(l.latency)\n"
	"\tFROM wanted w\n"
	"\tLEFT JOIN leaf l ON l.place = w.place\n"
	"\tGROUP BY GROUPING SETS ((w.place), (w.place, l.tenant), (w.place, l.tenant, l.intent))\n"
	"\t-- an empty window has a row for all, and no other\n"
	"\tHAVING grouping(l.tenant) = 1 OR l.tenant IS NOT NULL;\n"
	"END\n"
	""},
	{"function answer.slo_windows(tenants text[], spans interval[], until timestamp with time zone)",
	"sql(tenants text[], spans interval[], until timestamp with time zone) returns TABLE(place bigint, tenant text, intent text, answers bigint, given bigint, required bigint, cited bigint, citation_rate double precision, contradicted bigint, contradiction_rate double precision, prevented bigint, prevented_rate double precision, unsupported bigint, unsupported_rate double precision, unjudged bigint, unjudged_rate double precision, sentences bigint, grounded bigint, groundedness double precision, refused bigint, refusal_rate double precision, p50_ms double precision, p95_ms double precision, cost_per_answer double precision, cost_per_verified_answer double precision, coverage double precision, gqs double precision, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 10000, rows 100, settings {\"search_path=pg_catalog, pg_temp\",jit=off}, extension t: \n"
	"SELECT t.place, t.tenant, t.intent, t.answers::bigint, t.given::bigint, t.required::bigint, t.cited::bigint,\n"
	"\t(t.cited / nullif(t.required, 0))::float8,\n"
	"\tt.contradicted::bigint, (t.contradicted / nullif(t.given, 0))::float8,\n"
	"\tt.prevented::bigint, (t.prevented / nullif(t.answers, 0))::float8,\n"
	"\t(t.given - t.supported)::bigint, ((t.given - t.supported) / nullif(t.given, 0))::float8,\n"
	"\tt.unjudged::bigint, (t.unjudged / nullif(t.given, 0))::float8,\n"
	"\tt.sentences::bigint, t.grounded::bigint, (t.grounded / nullif(t.sentences, 0))::float8,\n"
	"\t(t.answers - t.given)::bigint, ((t.answers - t.given) / nullif(t.answers, 0))::float8,\n"
	"\tanswer.latency_percentile(t.latency, 0.5) / 1000, answer.latency_percentile(t.latency, 0.95) / 1000,\n"
	"\t(t.cost_usd / nullif(t.costed, 0))::float8,\n"
	"\t(t.cost_usd / nullif(t.costed_verified, 0))::float8,\n"
	"\t(t.supported / nullif(t.answers, 0))::float8,\n"
	"\t-- coverage * mean confidence of the supported, in which their number cancels out\n"
	"\t(t.confidence / nullif(t.answers, 0) * (1 - coalesce(t.contradicted / nullif(t.given, 0), 0)))::float8,\n"
	"\tCASE WHEN t.answers = 0 THEN 'no_data'\n"
	"\t\tWHEN t.cited * 10 < t.required * 9 OR t.contradicted * 100 > t.given * 3 THEN 'breach'\n"
	"\t\tELSE 'ok' END\n"
	"FROM answer.slo_sums(tenants, spans, until, true) AS t\n"
	"ORDER BY t.place, t.tenant COLLATE \"C\" NULLS FIRST, t.intent COLLATE \"C\" NULLS FIRST\n"
	""},
	{"function answer.source_register_put(source text, independence_group text, url text, licence text, description text, replace boolean)",
	"plpgsql(source text, independence_group text, url text, licence text, description text, replace boolean) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\twanted answer.source;\n"
	"BEGIN\n"
	"\tIF source IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'source must not be null';\n"
	"\tEND IF;\n"
	"\tIF source = '' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'source must be a non-empty name';\n"
	"\tEND IF;\n"
	"\twanted.source := source;\n"
	"\twanted.independence_group := NULLIF(independence_group, '');\n"
	"\twanted.url := url;\n"
	"\twanted.licence := licence;\n"
	"\twanted.description := description;\n"
	"\twanted.seed := false;\n"
	"\tINSERT INTO answer.source AS s SELECT wanted.*\n"
	"\tON CONFLICT ON CONSTRAINT source_pkey DO UPDATE\n"
	"\tSET independence_group = excluded.independence_group, url = excluded.url,\n"
	"\t\tlicence = excluded.licence, description = excluded.description\n"
	"\tWHERE NOT s.seed AND (replace OR to_jsonb(s) = to_jsonb(wanted));\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tPERFORM answer.refuse_registered('source', source,\n"
	"\t\t\t(SELECT to_jsonb(s) FROM answer.source s WHERE s.source = wanted.source), to_jsonb(wanted));\n"
	"\tEND IF;\n"
	"\tPERFORM answer.change_record_put('', 'source', source);\n"
	"END\n"
	""},
	{"function answer.source_remove_put(source text)",
	"plpgsql(source text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tseed boolean;\n"
	"\ttool text;\n"
	"\ttenant text;\n"
	"BEGIN\n"
	"\tIF source IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'source must not be null';\n"
	"\tEND IF;\n"
	"\t-- the lock keeps tools from being registered to it meanwhile: they lock the row, too\n"
	"\tSELECT s.seed INTO seed FROM answer.source s WHERE s.source = source_remove_put.source FOR UPDATE;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('unknown source \"%s\"', source),\n"
	"\t\t\thint = 'answer.source lists the sources that are registered.';\n"
	"\tEND IF;\n"
	"\tIF seed THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('source \"%s\" comes with answer_eval and cannot be removed', source);\n"
	"\tEND IF;\n"
	"\tSELECT t.tool, t.tenant INTO tool, tenant FROM answer.tool t WHERE t.source = source_remove_put.source\n"
	"\tORDER BY t.tenant COLLATE \"C\", t.tool COLLATE \"C\" LIMIT 1;\n"
	"\tIF FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '55000', message = format('source \"%s\" is that of tool \"%s\"', source, tool)\n"
	"\t\t\t|| CASE tenant WHEN '' THEN '' ELSE format(' of tenant \"%s\"', tenant) END,\n"
	"\t\t\thint = 'Remove that tool with answer_tool_remove() first, or register it with another source and replace => true.';\n"
	"\tEND IF;\n"
	"\tDELETE FROM answer.source s WHERE s.source = source_remove_put.source;\n"
	"\tPERFORM answer.change_record_put('', 'source', source);\n"
	"END\n"
	""},
	{"function answer.suite_digest(cases jsonb, documents jsonb, now timestamp with time zone)",
	"c(cases jsonb, documents jsonb, now timestamp with time zone) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_suite_digest"},
	{"function answer.suite_digests(cases jsonb)",
	"plpgsql(cases jsonb) returns jsonb, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tdigests jsonb;\n"
	"\ttwice text;\n"
	"\tsize bigint;\n"
	"BEGIN\n"
	"\t-- refuses what is malformed, by itself: an error shows the statement that it comes from, and this one is short\n"
	"\tSELECT COALESCE(jsonb_agg(r.digest ORDER BY r.ordinal), '[]'), COALESCE(sum(r.size), 0) INTO digests, size FROM answer.suite_read(cases) AS r;\n"
	"\tSELECT min(r.case_id COLLATE \"C\") INTO twice FROM (\n"
	"\t\tSELECT a.case_id FROM answer.suite_read(cases) AS a GROUP BY a.case_id HAVING count(*) > 1) AS r;\n"
	"\tIF twice IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('the case \"%s\" stands twice', twice), hint = 'Each case has an id of its own.';\n"
	"\tEND IF;\n"
	"\tIF size > 8388608 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '54000', message = format('the cases have %s bytes', size),\n"
	"\t\t\tdetail = 'A suite has at most 8388608, because a run tells of all of them in one document.', hint = 'Make several suites of it.';\n"
	"\tEND IF;\n"
	"\tIF (SELECT count(DISTINCT s.slice) FROM jsonb_array_elements(cases) AS c (body),\n"
	"\t\tjsonb_array_elements_text(CASE WHEN jsonb_typeof(c.body -> 'slices') = 'array' THEN c.body -> 'slices' ELSE '[]' END) AS s (slice)\n"
	"\t\tWHERE s.slice NOT IN ('high_risk', 'conflict', 'stale')) > 97 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '54000', message = 'the cases name more than 97 slices';\n"
	"\tEND IF;\n"
	"\tRETURN digests;\n"
	"END\n"
	""},
	{"function answer.suite_load_put(tenant text, name text, cases jsonb, documents jsonb, now timestamp with time zone)",
	"sql(tenant text, name text, cases jsonb, documents jsonb, now timestamp with time zone) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT suite_store tenant, name, cases, documents, now, NULL::integer AS suite_store; END"},
	{"function answer.suite_next_version(tenant text, name text, newest integer, digest text)",
	"plpgsql(tenant text, name text, newest integer, digest text) returns integer, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tknown integer;\n"
	"\tlast integer;\n"
	"BEGIN\n"
	"\tSELECT (r.body #>> '{suite,version}')::int4 INTO known FROM answer.receipt r\n"
	"\tWHERE r.schema = 'run/v1' AND r.tenant = tenant AND r.body #>> '{suite,name}' = name AND r.body #>> '{suite,digest}' = digest\n"
	"\tAND (r.body #>> '{suite,version}')::int4 > newest\n"
	"\tORDER BY (r.body #>> '{suite,version}')::int4 DESC LIMIT 1;\n"
	"\tIF known IS NOT NULL THEN\n"
	"\t\tRETURN known;\n"
	"\tEND IF;\n"
	"\tSELECT (r.body #>> '{suite,version}')::int4 INTO last FROM answer.receipt r\n"
	"\tWHERE r.schema = 'run/v1' AND r.tenant = tenant AND r.body #>> '{suite,name}' = name\n"
	"\tAND (r.body #>> '{suite,version}')::int4 > newest\n"
	"\tORDER BY (r.body #>> '{suite,version}')::int4 DESC LIMIT 1;\n"
	"\tRETURN COALESCE(last, newest) + 1;\n"
	"END\n"
	""},
	{"function answer.suite_pin_put(tenant text, name text, version integer, pins jsonb)",
	"plpgsql(tenant text, name text, version integer, pins jsonb) returns integer, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tjudged answer.suite%ROWTYPE;\n"
	"\tcases jsonb;\n"
	"\tsuite_digest text;\n"
	"BEGIN\n"
	"\tPERFORM answer.keep_unforgotten(tenant);\n"
	"\tPERFORM answer.load_turn(tenant, 'suite', name);\n"
	"\tSELECT s.* INTO judged FROM answer.suite s WHERE s.tenant = suite_pin_put.tenant AND s.name = suite_pin_put.name ORDER BY s.version DESC LIMIT 1;\n"
	"\tIF judged.version IS DISTINCT FROM version OR judged.seed THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '40001', message = format('suite \"%s\" has another version than %s by now', name, version),\n"
	"\t\t\thint = 'Call answer_suite_judge() again: it judges the newest version.';\n"
	"\tEND IF;\n"
	"\tSELECT jsonb_agg(c.body || CASE WHEN pins ? c.ordinal::text THEN\n"
	"\t\tjsonb_build_object('judgements', COALESCE(c.body -> 'judgements', '[]') || (pins -> c.ordinal::text)) ELSE '{}' END ORDER BY c.ordinal)\n"
	"\tINTO cases FROM answer.suite_case c WHERE c.tenant = suite_pin_put.tenant AND c.suite = name AND c.version = suite_pin_put.version;\n"
	"\tsuite_digest := answer.suite_digest(answer.suite_digests(cases), judged.documents, judged.now);\n"
	"\tjudged := answer.suite_version_put(tenant, name, answer.suite_next_version(tenant, name, version, suite_digest), suite_digest, judged.now,\n"
	"\t\tcases, judged.documents, judged.document_set, false);\n"
	"\tRETURN judged.version;\n"
	"END\n"
	""},
	{"function answer.suite_read(cases jsonb)",
	"c(cases jsonb) returns TABLE(ordinal integer, case_id text, body jsonb, digest text, size integer), kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1000, rows 100, settings , extension t in answer_eval: answer_eval_suite_read"},
	{"function answer.suite_run_prune_put(tenant text, before timestamp with time zone)",
	"plpgsql(tenant text, before timestamp with time zone) returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tpruned integer;\n"
	"BEGIN\n"
	"\tIF before IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'before must not be null';\n"
	"\tEND IF;\n"
	"\tWITH gone AS (\n"
	"\t\tDELETE FROM answer.run_work AS w WHERE w.tenant = suite_run_prune_put.tenant AND w.updated_at < before RETURNING w.work_id\n"
	"\t), with_it AS (\n"
	"\t\tDELETE FROM answer.run_work_case AS c USING gone AS g WHERE c.tenant = suite_run_prune_put.tenant AND c.work_id = g.work_id\n"
	"\t)\n"
	"\tSELECT count(*) INTO pruned FROM gone;\n"
	"\tRETURN pruned;\n"
	"END\n"
	""},
	{"function answer.suite_store(tenant text, name text, cases jsonb, documents jsonb, now timestamp with time zone, ships integer)",
	"plpgsql(tenant text, name text, cases jsonb, documents jsonb, now timestamp with time zone, ships integer) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tdigests jsonb;\n"
	"\thashes jsonb;\n"
	"\tdocument_set text;\n"
	"\tclock timestamptz := COALESCE(now, clock_timestamp());\n"
	"\tnewest answer.suite%ROWTYPE;\n"
	"\tsuite_digest text;\n"
	"\tseed boolean := ships IS NOT NULL;\n"
	"\tversion integer;\n"
	"BEGIN\n"
	"\tIF name IS NULL OR cases IS NULL OR documents IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = format('%s must not be null',\n"
	"\t\t\tCASE WHEN name IS NULL THEN 'name' WHEN cases IS NULL THEN 'cases' ELSE 'documents' END);\n"
	"\tEND IF;\n"
	"\tIF name !~ '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('name is \"%s\"', left(name, 100)),\n"
	"\t\t\tdetail = 'It must have from 1 to 63 letters, digits, or one of \"_.:-\", and begin with a letter or a digit.';\n"
	"\tEND IF;\n"
	"\tIF NOT isfinite(clock) OR clock NOT BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 00:00:00+00' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('now is %s', clock), detail = 'It must be of the years 1 to 9999.';\n"
	"\tEND IF;\n"
	"\tdigests := answer.suite_digests(cases);\n"
	"\tPERFORM answer.keep_unforgotten(tenant);\n"
	"\t-- one load of a suite at a time\n"
	"\tPERFORM answer.load_turn(tenant, 'suite', name);\n"
	"\tIF NOT seed AND EXISTS (SELECT FROM answer.suite s WHERE s.tenant = '' AND s.name = suite_store.name AND s.seed) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '23505', message = format('there is a suite \"%s\" already', name),\n"
	"\t\t\thint = 'That one comes with the extension; choose another name.';\n"
	"\tEND IF;\n"
	"\tSELECT COALESCE(jsonb_agg(r.content_hash ORDER BY r.doc_id COLLATE \"C\"), '[]') INTO hashes\n"
	"\tFROM answer.document_read(documents) AS r WHERE r.ordinal = 0;\n"
	"\t-- each tenant has copies of its own, so that what it forgets is its own affair; what comes with the extension is not\n"
	"\t-- dumped, so it is nobody else's\n"
	"\tdocument_set := '#' || left(substr(@extschema@.answer_digest(jsonb_build_array(tenant, hashes, seed)), 8), 40);\n"
	"\tPERFORM answer.refuse_forgotten(tenant, h.hash) FROM jsonb_array_elements_text(hashes) AS h (hash);\n"
	"\tSELECT s.* INTO newest FROM answer.suite s WHERE s.tenant = suite_store.tenant AND s.name = suite_store.name ORDER BY s.version DESC LIMIT 1;\n"
	"\t-- without a clock, what is there already keeps its own\n"
	"\tIF now IS NULL AND newest.digest = answer.suite_digest(digests, hashes, newest.now) THEN\n"
	"\t\tclock := newest.now;\n"
	"\tEND IF;\n"
	"\tsuite_digest := answer.suite_digest(digests, hashes, clock);\n"
	"\tIF newest.digest IS DISTINCT FROM suite_digest THEN\n"
	"\t\tversion := COALESCE(ships, answer.suite_next_version(tenant, name, COALESCE(newest.version, 0), suite_digest));\n"
	"\t\tIF version <= newest.version THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '55000', message = format('suite \"%s\" ships as version %s with other content than version %s has here',\n"
	"\t\t\t\tname, version, newest.version), detail = 'A release that changes it gives it a greater number.';\n"
	"\t\tEND IF;\n"
	"\t\tIF documents <> '[]' THEN\n"
	"\t\t\tPERFORM answer.document_load_put(document_set, documents);\n"
	"\t\tEND IF;\n"
	"\t\tnewest := answer.suite_version_put(tenant, name, version, suite_digest, clock, cases, hashes, document_set, seed);\n"
	"\tEND IF;\n"
	"\tRETURN jsonb_build_object('suite', name, 'version', newest.version, 'digest', newest.digest, 'cases', newest.cases,\n"
	"\t\t'documents', jsonb_array_length(hashes), 'now', to_char(newest.now AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'));\n"
	"END\n"
	""},
	{"function answer.suite_version_put(tenant text, name text, version integer, digest text, clock timestamp with time zone, cases jsonb, hashes jsonb, document_set text, seed boolean)",
	"plpgsql(tenant text, name text, version integer, digest text, clock timestamp with time zone, cases jsonb, hashes jsonb, document_set text, seed boolean) returns answer.suite, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tstored answer.suite%ROWTYPE;\n"
	"BEGIN\n"
	"\tINSERT INTO answer.suite (tenant, name, version, digest, now, cases, documents, document_set, loaded_by, seed)\n"
	"\tVALUES (tenant, name, version, digest, clock, jsonb_array_length(cases), hashes, document_set, session_user, seed)\n"
	"\tRETURNING * INTO stored;\n"
	"\tINSERT INTO answer.suite_case (tenant, suite, version, ordinal, case_id, body)\n"
	"\tSELECT tenant, name, version, r.ordinal, r.case_id, r.body FROM answer.suite_read(cases) AS r;\n"
	"\t-- what ships is known without a record\n"
	"\tIF NOT seed THEN\n"
	"\t\tPERFORM answer.change_record_put(tenant, 'suite', concat(name, '/', version));\n"
	"\tEND IF;\n"
	"\tRETURN stored;\n"
	"END\n"
	""},
	{"function answer.suites_of(tenants text[])",
	"sql(tenants text[]) returns TABLE(suite text, version integer, digest text, cases integer, documents integer, now timestamp with time zone, seed boolean, loaded_at timestamp with time zone), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 100, rows 20, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT name, version, digest, cases, jsonb_array_length documents AS jsonb_array_length, now, seed, loaded_at FROM suite s WHERE tenant = ANY tenants OR tenant = ''::text AND seed ORDER BY name COLLATE \"C\" , version; END"},
	{"function answer.tells_of_changes()",
	"c() returns trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_tells_of_changes"},
	{"function answer.tenant_create_put(tenant text)",
	"plpgsql(tenant text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF tenant IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'tenant must not be null';\n"
	"\tEND IF;\n"
	"\tIF tenant !~ '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('\"%s\" is no name of a tenant', tenant),\n"
	"\t\t\tdetail = 'A name has from 1 to 63 characters: ASCII letters, digits and _ . : -. It begins with a letter or a digit.';\n"
	"\tEND IF;\n"
	"\tINSERT INTO answer.tenant (tenant) VALUES (tenant) ON CONFLICT DO NOTHING;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '23505', message = format('tenant \"%s\" exists already', tenant);\n"
	"\tEND IF;\n"
	"\tPERFORM answer.change_record_put('', 'tenant', tenant);\n"
	"END\n"
	""},
	{"function answer.tenant_grant_put(tenant text, role text)",
	"plpgsql(tenant text, role text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\twanted\trecord;\n"
	"\tother\ttext;\n"
	"\tthrough\ttext;\n"
	"BEGIN\n"
	"\tIF tenant IS NULL OR role IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'tenant and role must not be null';\n"
	"\tEND IF;\n"
	"\tIF NOT EXISTS (SELECT FROM answer.tenant t WHERE t.tenant = tenant_grant_put.tenant)\n"
	"\t\tAND (tenant <> '*' OR NOT EXISTS (SELECT FROM answer.tenant)) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no tenant \"%s\"', tenant),\n"
	"\t\t\thint = 'Tenants are created with answer_tenant_create().';\n"
	"\tEND IF;\n"
	"\tSELECT r.oid, r.rolsuper INTO wanted FROM pg_roles r WHERE r.rolname = role;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('there is no role \"%s\"', role),\n"
	"\t\t\thint = 'Create it with CREATE ROLE first.';\n"
	"\tEND IF;\n"
	"\tSELECT g.tenant, g.role INTO other, through FROM answer.tenant_role g\n"
	"\tLEFT JOIN pg_roles h ON h.rolname = g.role\n"
	"\tWHERE (g.tenant = '*') <> (tenant_grant_put.tenant = '*')\n"
	"\t-- one inherits from the other; a superuser has the rights of all, and works as the operator\n"
	"\tAND (g.role = tenant_grant_put.role OR pg_has_role(wanted.oid, h.oid, 'USAGE') AND NOT wanted.rolsuper\n"
	"\t\tOR pg_has_role(h.oid, wanted.oid, 'USAGE') AND NOT h.rolsuper)\n"
	"\tORDER BY g.role = tenant_grant_put.role DESC, g.role, g.tenant LIMIT 1;\n"
	"\tIF FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '55000',\n"
	"\t\t\tmessage = format('role \"%s\" cannot be an auditor and work for a tenant', role),\n"
	"\t\t\tdetail = CASE through WHEN role THEN format('It was granted \"%s\".', other)\n"
	"\t\t\t\tELSE format('Role \"%s\", from which it inherits or which inherits from it, was granted \"%s\".', through, other) END,\n"
	"\t\t\thint = 'Give the two to two roles, or take that back with answer_tenant_revoke().';\n"
	"\tEND IF;\n"
	"\tSELECT a.name INTO other FROM answer.of_all_tenants a\n"
	"\tWHERE tenant <> '*' AND NOT wanted.rolsuper AND has_any_column_privilege(wanted.oid, a.relation, 'SELECT')\n"
	"\tORDER BY a.name COLLATE \"C\" LIMIT 1;\n"
	"\tIF FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '55000',\n"
	"\t\t\tmessage = format('role \"%s\" may read %s, which shows all tenants', role, other),\n"
	"\t\t\thint = format('REVOKE SELECT ON %s from it, and GRANT it the views answer.tenant_...', other);\n"
	"\tEND IF;\n"
	"\t-- also where a restore without triggers has left it off\n"
	"\tPERFORM answer.tenant_guard();\n"
	"\tINSERT INTO answer.tenant_role (tenant, role) VALUES (tenant, role) ON CONFLICT DO NOTHING;\n"
	"\tPERFORM answer.change_record_put('', 'tenant', tenant);\n"
	"END\n"
	""},
	{"function answer.tenant_guard()",
	"plpgsql() returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\",lock_timeout=200ms}, extension t: \n"
	"DECLARE\n"
	"\topen_tables\tregclass[];\n"
	"\tlocked\t\tregclass[] := '{}';\n"
	"\trelation\tregclass;\n"
	"BEGIN\n"
	"\t-- a table of which a trigger is still to fire cannot be altered\n"
	"\tSET CONSTRAINTS answer.document_set_recorded, answer.graph_set_recorded IMMEDIATE;\n"
	"\t-- Once more after the locks: a partition can have come meanwhile.\n"
	"\tLOOP\n"
	"\t\t-- Reads the catalogs alone: pg_partition_tree() would hold locks on the partitions until the transaction ends,\n"
	"\t\t-- and two sessions here would wait for each other's.\n"
	"\t\tWITH RECURSIVE part (oid) AS (\n"
	"\t\t\tSELECT p.polrelid\n"
	"\t\t\tFROM pg_policy p\n"
	"\t\t\tJOIN pg_class r ON r.oid = p.polrelid AND r.relnamespace = 'answer'::regnamespace\n"
	"\t\t\tWHERE p.polname = 'tenant_reads'\n"
	"\t\t\tUNION\n"
	"\t\t\tSELECT i.inhrelid FROM pg_inherits i JOIN part ON part.oid = i.inhparent)\n"
	"\t\tSELECT array_agg(c.oid::regclass ORDER BY c.relname COLLATE \"C\") INTO open_tables\n"
	"\t\tFROM pg_class c\n"
	"\t\tJOIN part ON part.oid = c.oid\n"
	"\t\tWHERE NOT c.relrowsecurity;\n"
	"\t\tEXIT WHEN open_tables IS NULL OR open_tables <@ locked;\n"
	"\t\t-- All at once, or none and again: a parallel restore loads these tables at the same time, and one of them looks\n"
	"\t\t-- into another for its foreign key.  Who held one and waited for the next would lock with it.\n"
	"\t\tLOOP\n"
	"\t\t\tBEGIN\n"
	"\t\t\t\tEXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', array_to_string(open_tables, ', '));\n"
	"\t\t\t\tEXIT;\n"
	"\t\t\tEXCEPTION WHEN lock_not_available THEN\n"
	"\t\t\t\tPERFORM pg_sleep(0.05 + random() / 10);\n"
	"\t\t\tEND;\n"
	"\t\tEND LOOP;\n"
	"\t\tlocked := locked || open_tables;\n"
	"\tEND LOOP;\n"
	"\tFOREACH relation IN ARRAY COALESCE(open_tables, '{}') LOOP\n"
	"\t\tEXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', relation);\n"
	"\tEND LOOP;\n"
	"\tSET CONSTRAINTS answer.document_set_recorded, answer.graph_set_recorded DEFERRED;\n"
	"END\n"
	""},
	{"function answer.tenant_plan_support(internal)",
	"c(internal) returns internal, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_tenant_plan_support"},
	{"function answer.tenant_protect()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer t, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tPERFORM answer.tenant_guard();\n"
	"\tRETURN NULL;\n"
	"END\n"
	""},
	{"function answer.tenant_reads()",
	"c() returns text[], kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval, support answer.tenant_plan_support: answer_eval_tenant_reads"},
	{"function answer.tenant_revoke_put(tenant text, role text)",
	"plpgsql(tenant text, role text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"BEGIN\n"
	"\tIF tenant IS NULL OR role IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'tenant and role must not be null';\n"
	"\tEND IF;\n"
	"\tDELETE FROM answer.tenant_role g\n"
	"\tWHERE g.tenant = tenant_revoke_put.tenant AND g.role = tenant_revoke_put.role;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('role \"%s\" was not granted tenant \"%s\"', role, tenant),\n"
	"\t\t\thint = 'answer_tenants() lists what was granted.';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.change_record_put('', 'tenant', tenant);\n"
	"END\n"
	""},
	{"function answer.tenant_shared()",
	"c() returns text[], kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_tenant_shared"},
	{"function answer.tenant_write_guard()",
	"plpgsql() returns trigger, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tIF NOT pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = TG_RELID), 'USAGE') THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '42501',\n"
	"\t\t\tmessage = format('role \"%s\" may not write %s, which says who works for which tenant', current_user, TG_RELID::regclass),\n"
	"\t\t\thint = 'The operator creates and grants tenants with answer_tenant_create(), answer_tenant_grant() and answer_tenant_revoke().';\n"
	"\tEND IF;\n"
	"\tRETURN COALESCE(new, old);\n"
	"END\n"
	""},
	{"function answer.tenants_of(tenants text[])",
	"plpgsql(tenants text[]) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tRETURN (SELECT COALESCE(jsonb_agg(jsonb_build_object('tenant', t.tenant, 'roles', COALESCE((\n"
	"\t\t\tSELECT jsonb_agg(g.role ORDER BY g.role) FROM answer.tenant_role g WHERE g.tenant = t.tenant), '[]')) ORDER BY t.tenant), '[]')\n"
	"\t\tFROM (SELECT s.tenant FROM answer.tenant s WHERE s.tenant = ANY (tenants)\n"
	"\t\t\t-- who reads the operator's reads all, and so learns who else does\n"
	"\t\t\tUNION ALL SELECT '*' WHERE '' = ANY (tenants) AND EXISTS (SELECT FROM answer.tenant)) AS t (tenant));\n"
	"END\n"
	""},
	{"function answer.text_score(query text, text text, title text, rules jsonb)",
	"c(query text, text text, title text DEFAULT NULL::text, rules jsonb DEFAULT NULL::jsonb) returns numeric, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_text_score"},
	{"function answer.tokens(value jsonb)",
	"c(value jsonb) returns bigint, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 5, rows 0, settings , extension t in answer_eval: answer_eval_tokens"},
	{"function answer.tool_assessment(args jsonb)",
	"sql(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 500, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tSELECT jsonb_build_object('class', c.class, 'quality', c.quality, 'strength', c.strength, 'need', c.need,\n"
	"\t\t'entries', c.entries, 'code', c.code, 'reason', c.reason)\n"
	"\tFROM unnest((answer.assessment_of((args ->> 'investigation')::bigint)).classes) AS c\n"
	"\tWHERE c.class = args ->> 'class'\n"
	""},
	{"function answer.tool_call_prune(tenants text[])",
	"sql(tenants text[]) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 10000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC DELETE FROM tool_call WHERE ctid = ANY ARRAY SELECT ctid FROM tool_call g WHERE ctid = ANY ARRAY SELECT place FROM SELECT ctid AS place, called_at, row_number OVER PARTITION BY tenant, tool ORDER BY called_at DESC AS rank FROM tool_call c WHERE tenant = ANY tenants r WHERE rank > 500 OR called_at < clock_timestamp - '168:00:00'::interval FOR UPDATE OF g SKIP LOCKED ; END"},
	{"function answer.tool_database(args jsonb)",
	"sql(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 500, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tSELECT jsonb_build_object('name', d.datname, 'size_bytes', pg_database_size(d.oid),\n"
	"\t\t'owner', pg_get_userbyid(d.datdba), 'encoding', pg_encoding_to_char(d.encoding),\n"
	"\t\t'allows_connections', d.datallowconn, 'connection_limit', d.datconnlimit,\n"
	"\t\t'connections', (SELECT count(*) FROM pg_stat_activity s WHERE s.datid = d.oid),\n"
	"\t\t'frozen_xid_age', age(d.datfrozenxid))\n"
	"\tFROM pg_database d WHERE d.datname = COALESCE(args ->> 'name', current_database())\n"
	""},
	{"function answer.tool_doc_search(args jsonb)",
	"sql(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 20000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tSELECT jsonb_build_object('hits', COALESCE(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', s.chunk_id,\n"
	"\t\t-- a document without a url is named by its id, which is what stands before \"#\" in that of a chunk\n"
	"\t\t'uri', COALESCE(NULLIF(s.uri, ''), s.chunk_id), 'title', s.title, 'score', round(s.similarity::numeric, 4), 'snippet', s.text,\n"
	"\t\t'stamp', to_char(s.\"timestamp\" AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))) ORDER BY r.rank DESC, s.n), '[]'))\n"
	"\tFROM @extschema@.answer_search(args ->> 'q', COALESCE((args ->> 'k')::numeric, 8)::integer, args -> 'filters')\n"
	"\t\tWITH ORDINALITY AS s (chunk_id, doc_id, \"timestamp\", similarity, text, uri, title, n)\n"
	"\t-- of equal ones the more similar first: similarity * (1 - bias * min(age / limit, 1))\n"
	"\tCROSS JOIN LATERAL (SELECT CASE WHEN args ->> 'rerank' = 'freshness' THEN round(s.similarity::numeric, 4) * (1 -\n"
	"\t\tCOALESCE((args ->> 'freshness_bias')::numeric, 0) * CASE WHEN COALESCE((args ->> 'freshness_days')::numeric, 0) > 0\n"
	"\t\t\tTHEN COALESCE(least(greatest(extract(epoch FROM @extschema@.answer_plan_instant() - s.\"timestamp\"), 0)\n"
	"\t\t\t\t/ (86400 * (args ->> 'freshness_days')::numeric), 1), 1) ELSE 1 END) ELSE 0 END) AS r (rank)\n"
	""},
	{"function answer.tool_extension(args jsonb)",
	"sql(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 500, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tSELECT jsonb_build_object('name', a.name, 'installed', a.installed_version IS NOT NULL,\n"
	"\t\t'installed_version', a.installed_version, 'default_version', a.default_version,\n"
	"\t\t'schema', n.nspname, 'comment', a.comment)\n"
	"\tFROM pg_available_extensions a\n"
	"\tLEFT JOIN pg_extension e ON e.extname = a.name\n"
	"\tLEFT JOIN pg_namespace n ON n.oid = e.extnamespace\n"
	"\tWHERE a.name = args ->> 'name'\n"
	""},
	{"function answer.tool_graph_node(args jsonb)",
	"sql(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT observation || jsonb_build_object 'quality', grade_graph_node observation .quality FROM SELECT to_jsonb * || jsonb_build_object 'project', args -> 'project'::text , 'indexed_at', to_char indexed_at AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text AS observation FROM answer_graph_node args ->> 'project'::text , args ->> 'id'::text n id, labels, name, path, start_line, end_line, docstring, doc_type, last_modified, neighbor_count, source_path, content_hash, extraction_method, indexed_at o; END"},
	{"function answer.tool_ground_verify(args jsonb)",
	"c(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_tool_ground_verify"},
	{"function answer.tool_is_askable(spec jsonb)",
	"sql(spec jsonb) returns boolean, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 2, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT spec #> '{constraints,side_effects}'::text[] IS DISTINCT FROM 'true'::jsonb AND spec -> 'external'::text IS DISTINCT FROM 'true'::jsonb ; END"},
	{"function answer.tool_mesh_mem(args jsonb)",
	"c(args jsonb) returns jsonb, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_tool_mesh_mem"},
	{"function answer.tool_observation(args jsonb)",
	"c(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_of_tenants"},
	{"function answer.tool_observation_of(tenants text[], args jsonb)",
	"sql(tenants text[], args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 500, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tSELECT jsonb_build_object('class', e.class, 'tool', e.tool, 'query', e.query, 'target', e.target, 'run', e.run,\n"
	"\t\t'quality', e.quality, 'strength', e.strength, 'sources', e.sources, 'match_count', e.match_count,\n"
	"\t\t'exact_match_count', e.exact_match_count, 'phrase_match', e.phrase_match, 'reason', e.reason,\n"
	"\t\t'recorded_at', to_char(e.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'),\n"
	"\t\t'digest', e.digest, 'observation', e.observation)\n"
	"\tFROM answer.quality_entry e\n"
	"\tWHERE e.tenant = ANY (tenants) AND e.investigation = (args ->> 'investigation')::bigint AND e.digest = args ->> 'digest'\n"
	"\tAND (args ->> 'tool' IS NULL OR e.tool = args ->> 'tool')\n"
	"\tAND (args ->> 'target' IS NULL OR e.target = args ->> 'target')\n"
	"\tORDER BY e.quality, e.entry LIMIT 1\n"
	""},
	{"function answer.tool_put(registered_by text, tenant text, name text, handler regprocedure, required_args text[], freshness interval, value_path text, spec jsonb, replace boolean, options jsonb)",
	"plpgsql(registered_by text, tenant text, name text, handler regprocedure, required_args text[], freshness interval, value_path text, spec jsonb, replace boolean, options jsonb) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\thandler_name text;\n"
	"\thandler_owner text;\n"
	"\tpath text;\n"
	"\tproblem text;\n"
	"\tdeclared record;\n"
	"\twanted answer.tool;\n"
	"\tunit text := options ->> 'unit';\n"
	"\tentity_path text := options ->> 'entity_path';\n"
	"\ttimestamp_path text := options ->> 'timestamp_path';\n"
	"\tsource_path text := options ->> 'source_path';\n"
	"\tbasis text := CASE WHEN options ? 'basis' THEN options ->> 'basis' ELSE 'live-source' END;\n"
	"\tdescription text := options ->> 'description';\n"
	"\tsource text := options ->> 'source';\n"
	"\toptional_args text[] := COALESCE(answer.option_texts(options, 'optional_args'), '{}');\n"
	"\tcategory text := options ->> 'category';\n"
	"\tcountry text := options ->> 'country';\n"
	"\tvalue_optional boolean;\n"
	"BEGIN\n"
	"\tIF name IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'name of a tool must not be null';\n"
	"\tEND IF;\n"
	"\tPERFORM answer.options_check(options, '{\"unit\": \"string\", \"entity_path\": \"string\", \"timestamp_path\": \"string\", \"source_path\": \"string\",\n"
	"\t\t\"basis\": \"string\", \"description\": \"string\", \"source\": \"string\", \"optional_args\": \"strings\", \"category\": \"string\",\n"
	"\t\t\"country\": \"string\", \"value_optional\": \"boolean\"}');\n"
	"\tvalue_optional := options ->> 'value_optional';\n"
	"\tIF basis IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = format('basis of tool \"%s\" must not be null', name);\n"
	"\tEND IF;\n"
	"\tIF name = '' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'tool must have a non-empty name';\n"
	"\tEND IF;\n"
	"\tIF handler IS NOT NULL THEN\n"
	"\t\tSELECT format('%I.%I', n.nspname, p.proname), pg_get_userbyid(p.proowner) INTO handler_name, handler_owner\n"
	"\t\tFROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace\n"
	"\t\tWHERE p.oid = handler AND p.prokind = 'f' AND NOT p.proretset\n"
	"\t\tAND p.pronargs = 1 AND p.proargtypes[0] = 'jsonb'::regtype AND p.prorettype = 'jsonb'::regtype\n"
	"\t\t-- whose name another session's could take over\n"
	"\t\tAND NOT starts_with(n.nspname, 'pg_temp_');\n"
	"\t\tIF NOT FOUND THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\tmessage = format('handler %s of tool \"%s\" must be a function (jsonb) RETURNS jsonb, and not temporary', handler, name);\n"
	"\t\tEND IF;\n"
	"\tEND IF;\n"
	"\tFOREACH path IN ARRAY ARRAY[value_path, entity_path, timestamp_path, source_path] LOOP\n"
	"\t\tproblem := answer.path_problem(path);\n"
	"\t\tIF problem IS NOT NULL THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\tmessage = format('path \"%s\" of tool \"%s\" %s', path, name, problem);\n"
	"\t\tEND IF;\n"
	"\tEND LOOP;\n"
	"\t-- a month has no fixed length, and freshness must not depend on a calendar\n"
	"\tIF extract(year FROM freshness) <> 0 OR extract(month FROM freshness) <> 0\n"
	"\t\tOR extract(epoch FROM freshness) NOT BETWEEN 0 AND 3650000 * 86400.0 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('freshness of tool \"%s\" must be from 0 to 3650000 days, without months', name),\n"
	"\t\t\tdetail = format('It is %s.', freshness),\n"
	"\t\t\thint = 'Give days instead of months: 30 days, say.';\n"
	"\tEND IF;\n"
	"\tPERFORM FROM answer.source s WHERE s.source = source FOR KEY SHARE;\n"
	"\tIF NOT FOUND AND source IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002',\n"
	"\t\t\tmessage = format('source \"%s\" of tool \"%s\" is not registered', source, name),\n"
	"\t\t\thint = 'Register it with answer_source_register().';\n"
	"\tEND IF;\n"
	"\tIF array_position(required_args || optional_args, NULL) IS NOT NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('arguments of tool \"%s\" must have names', name);\n"
	"\tEND IF;\n"
	"\tIF cardinality(required_args) + cardinality(optional_args) > 1000 THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '54000',\n"
	"\t\t\tmessage = format('tool \"%s\" has %s arguments', name, cardinality(required_args) + cardinality(optional_args)),\n"
	"\t\t\tdetail = 'It may have at most 1000.', hint = 'Let one argument be an object or an array.';\n"
	"\tEND IF;\n"
	"\tIF basis NOT IN ('live-source', 'partner-attested', 'vendor-doc', 'forecast', 'computed', 'inferred') THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\tmessage = format('basis of tool \"%s\" must be live-source, partner-attested, vendor-doc, forecast, computed or inferred', name);\n"
	"\tEND IF;\n"
	"\tIF spec IS NOT NULL THEN\n"
	"\t\tSELECT r.* INTO declared FROM answer.tool_spec_read(name, spec, handler IS NOT NULL) r;\n"
	"\t\tIF cardinality(declared.required_args) + cardinality(declared.optional_args) > 1000 THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '54000',\n"
	"\t\t\t\tmessage = format('the spec of tool \"%s\" has %s arguments', name,\n"
	"\t\t\t\t\tcardinality(declared.required_args) + cardinality(declared.optional_args)),\n"
	"\t\t\t\tdetail = 'It may have at most 1000.', hint = 'Let one argument be an object or an array.';\n"
	"\t\tEND IF;\n"
	"\t\tIF declared.required_args IS NOT NULL THEN\n"
	"\t\t\tIF (required_args || optional_args) <> '{}' AND NOT (required_args @> declared.required_args AND required_args <@ declared.required_args\n"
	"\t\t\t\tAND optional_args @> declared.optional_args AND optional_args <@ declared.optional_args) THEN\n"
	"\t\t\t\tRAISE EXCEPTION USING errcode = '22023', message = format('the arguments of tool \"%s\" are not those of its spec', name),\n"
	"\t\t\t\t\tdetail = format('The spec requires %s and knows %s besides.',\n"
	"\t\t\t\t\t\tCOALESCE(NULLIF(array_to_string(declared.required_args, ', '), ''), 'none'),\n"
	"\t\t\t\t\t\tCOALESCE(NULLIF(array_to_string(declared.optional_args, ', '), ''), 'none')),\n"
	"\t\t\t\t\thint = 'Leave out required_args and optional_args: they follow from io.input.';\n"
	"\t\t\tEND IF;\n"
	"\t\t\trequired_args := declared.required_args;\n"
	"\t\t\toptional_args := declared.optional_args;\n"
	"\t\tEND IF;\n"
	"\t\tIF declared.has_side_effects OR declared.is_external THEN\n"
	"\t\t\tPERFORM answer.refuse_asked(tenant, name);\n"
	"\t\tEND IF;\n"
	"\tEND IF;\n"
	"\t-- whoever asks learns no more than that a shared tool has the name; a tenant's own says nothing to others\n"
	"\tIF tenant <> '' AND EXISTS (SELECT FROM answer.tool t WHERE t.tenant = '' AND t.tool = name) THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '23505', message = format('the name \"%s\" is taken by a shared tool', name);\n"
	"\tEND IF;\n"
	"\t-- bytes that no manifest could tell of would keep everybody from being told\n"
	"\tPERFORM @extschema@.answer_canonical(jsonb_build_array(name, description, required_args, optional_args, spec));\n"
	"\twanted.tenant := tenant;\n"
	"\twanted.tool := name;\n"
	"\twanted.handler := handler_name;\n"
	"\twanted.handler_owner := handler_owner;\n"
	"\twanted.registered_by := registered_by;\n"
	"\twanted.required_args := COALESCE(required_args, '{}');\n"
	"\twanted.optional_args := COALESCE(optional_args, '{}');\n"
	"\twanted.freshness := freshness;\n"
	"\twanted.value_path := value_path;\n"
	"\twanted.value_optional := NULLIF(value_optional, false);\n"
	"\twanted.unit := unit;\n"
	"\twanted.entity_path := entity_path;\n"
	"\twanted.timestamp_path := timestamp_path;\n"
	"\twanted.source_path := source_path;\n"
	"\twanted.source := source;\n"
	"\twanted.basis := basis;\n"
	"\twanted.category := category;\n"
	"\twanted.country := country;\n"
	"\twanted.description := description;\n"
	"\twanted.seed := false;\n"
	"\twanted.spec := spec;\n"
	"\t-- who registers it, and who owns its handler now, is no part of what was said\n"
	"\tINSERT INTO answer.tool AS t SELECT wanted.*\n"
	"\tON CONFLICT ON CONSTRAINT tool_pkey DO UPDATE\n"
	"\tSET handler = excluded.handler, handler_owner = excluded.handler_owner,\n"
	"\t\tregistered_by = excluded.registered_by, required_args = excluded.required_args,\n"
	"\t\toptional_args = excluded.optional_args, freshness = excluded.freshness,\n"
	"\t\tvalue_path = excluded.value_path, value_optional = excluded.value_optional, unit = excluded.unit,\n"
	"\t\tentity_path = excluded.entity_path, timestamp_path = excluded.timestamp_path,\n"
	"\t\tsource_path = excluded.source_path, source = excluded.source, basis = excluded.basis,\n"
	"\t\tcategory = excluded.category, country = excluded.country, description = excluded.description, spec = excluded.spec\n"
	"\tWHERE NOT t.seed AND (replace OR to_jsonb(t) - '{registered_by,handler_owner}'::text[]\n"
	"\t\t= to_jsonb(wanted) - '{registered_by,handler_owner}'::text[]);\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tPERFORM answer.refuse_registered('tool', name,\n"
	"\t\t\t(SELECT to_jsonb(t) FROM answer.tool t WHERE t.tenant = wanted.tenant AND t.tool = wanted.tool), to_jsonb(wanted));\n"
	"\tEND IF;\n"
	"\tPERFORM answer.change_record_put(tenant, 'tool', name);\n"
	"END\n"
	""},
	{"function answer.tool_relation(args jsonb)",
	"sql(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 500, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tSELECT jsonb_build_object('relation', format('%I.%I', n.nspname, c.relname),\n"
	"\t\t'kind', CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table'\n"
	"\t\t\tWHEN 'i' THEN 'index' WHEN 'I' THEN 'partitioned index' WHEN 'v' THEN 'view'\n"
	"\t\t\tWHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' WHEN 't' THEN 'toast table'\n"
	"\t\t\tWHEN 'f' THEN 'foreign table' ELSE 'composite type' END,\n"
	"\t\t'rows_estimated', CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END,\n"
	"\t\t'size_bytes', pg_total_relation_size(c.oid),\n"
	"\t\t'last_vacuum', to_char(greatest(s.last_vacuum, s.last_autovacuum) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),\n"
	"\t\t'last_analyze', to_char(greatest(s.last_analyze, s.last_autoanalyze) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),\n"
	"\t\t'dead_rows_estimated', s.n_dead_tup)\n"
	"\tFROM pg_class c\n"
	"\tJOIN pg_namespace n ON n.oid = c.relnamespace\n"
	"\tLEFT JOIN pg_stat_all_tables s ON s.relid = c.oid\n"
	"\tWHERE c.oid = to_regclass(args ->> 'relation')\n"
	""},
	{"function answer.tool_remove_put(tenant text, tool text)",
	"plpgsql(tenant text, tool text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tseed boolean;\n"
	"BEGIN\n"
	"\tIF tool IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'tool must not be null';\n"
	"\tEND IF;\n"
	"\tSELECT t.seed INTO seed FROM answer.tool t\n"
	"\tWHERE t.tenant = tool_remove_put.tenant AND t.tool = tool_remove_put.tool FOR UPDATE;\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tIF EXISTS (SELECT FROM answer.tool t WHERE t.tenant = '' AND t.tool = tool_remove_put.tool) THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '42501', message = format('tool \"%s\" is shared by all tenants', tool),\n"
	"\t\t\t\thint = 'The owner of the extension removes it, with no answer_eval.tenant set.';\n"
	"\t\tEND IF;\n"
	"\t\tRAISE EXCEPTION USING errcode = 'P0002', message = format('unknown tool \"%s\"', tool),\n"
	"\t\t\thint = CASE tenant WHEN '' THEN 'answer.tool lists the tools that are registered.'\n"
	"\t\t\t\tELSE 'answer.tenant_tool lists the tools that are registered.' END;\n"
	"\tEND IF;\n"
	"\tIF seed THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = format('tool \"%s\" comes with answer_eval and cannot be removed', tool);\n"
	"\tEND IF;\n"
	"\tPERFORM answer.refuse_asked(tenant, tool);\n"
	"\tDELETE FROM answer.tool t WHERE t.tenant = tool_remove_put.tenant AND t.tool = tool_remove_put.tool;\n"
	"\tPERFORM answer.change_record_put(tenant, 'tool', tool);\n"
	"END\n"
	""},
	{"function answer.tool_replication(args jsonb)",
	"sql(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 500, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tSELECT jsonb_build_object(\n"
	"\t\t'role', CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE 'primary' END,\n"
	"\t\t'streaming', (SELECT count(*) FROM pg_stat_replication r WHERE r.state = 'streaming'),\n"
	"\t\t'standbys', (SELECT COALESCE(jsonb_agg(jsonb_build_object('name', r.application_name,\n"
	"\t\t\t\t'state', r.state, 'sync_state', r.sync_state,\n"
	"\t\t\t\t'replay_lag_s', extract(epoch FROM r.replay_lag)) ORDER BY r.application_name COLLATE \"C\", r.pid), '[]')\n"
	"\t\t\tFROM pg_stat_replication r),\n"
	"\t\t'slots', (SELECT COALESCE(jsonb_agg(jsonb_build_object('name', l.slot_name,\n"
	"\t\t\t\t'type', l.slot_type, 'active', l.active, 'wal_status', l.wal_status) ORDER BY l.slot_name), '[]')\n"
	"\t\t\tFROM pg_replication_slots l),\n"
	"\t\t'replay_lag_s', CASE WHEN pg_is_in_recovery()\n"
	"\t\t\tTHEN extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END)\n"
	""},
	{"function answer.tool_server(args jsonb)",
	"sql(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 50, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tSELECT jsonb_build_object(\n"
	"\t\t'version', split_part(current_setting('server_version'), ' ', 1),\n"
	"\t\t'version_num', current_setting('server_version_num')::int,\n"
	"\t\t'started_at', to_char(pg_postmaster_start_time() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),\n"
	"\t\t'uptime_s', greatest(0, floor(extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())))::bigint,\n"
	"\t\t'in_recovery', pg_is_in_recovery(),\n"
	"\t\t'encoding', current_setting('server_encoding'))\n"
	""},
	{"function answer.tool_setting(args jsonb)",
	"sql(args jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT CASE WHEN vartype = ANY '{enum,string}'::text[] THEN jsonb_build_object 'text', setting ELSE '{}'::jsonb END || jsonb_build_object 'name', name, 'setting', value, 'unit', unit, 'context', context, 'source', source, 'default', boot_val, 'pending_restart', pending_restart FROM pg_settings s CROSS JOIN LATERAL tool_setting_value name o setting, source CROSS JOIN LATERAL SELECT COALESCE setting, setting AS \"coalesce\", COALESCE source, source AS \"coalesce\" d setting, source CROSS JOIN LATERAL SELECT CASE WHEN vartype = ANY '{integer,real}'::text[] THEN to_jsonb setting ::numeric WHEN vartype = 'bool'::text THEN to_jsonb setting ::boolean ELSE to_jsonb setting END AS to_jsonb v value WHERE lower name COLLATE \"C\" = lower args ->> 'name'::text COLLATE \"C\" ; END"},
	{"function answer.tool_setting_value(name text, OUT setting text, OUT source text)",
	"c(name text, OUT setting text, OUT source text) returns record, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_tool_setting_value"},
	{"function answer.tool_spec_apply(name text, spec jsonb, args jsonb, result jsonb)",
	"c(name text, spec jsonb, args jsonb, result jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 50, rows 0, settings , extension t in answer_eval: answer_eval_tool_spec_apply"},
	{"function answer.tool_spec_read(name text, spec jsonb, has_handler boolean, OUT required_args text[], OUT optional_args text[], OUT has_side_effects boolean, OUT is_external boolean)",
	"c(name text, spec jsonb, has_handler boolean, OUT required_args text[], OUT optional_args text[], OUT has_side_effects boolean, OUT is_external boolean) returns record, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 50, rows 0, settings , extension t in answer_eval: answer_eval_tool_spec_read"},
	{"function answer.tool_synth_answer(args jsonb)",
	"c(args jsonb) returns jsonb, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 50, rows 0, settings , extension t in answer_eval: answer_eval_tool_synth_answer"},
	{"function answer.trace_erase(tenant text, trace_id text)",
	"sql(tenant text, trace_id text) returns void, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC DELETE FROM memory_entry m WHERE tenant = tenant AND trace_id = trace_id ; DELETE FROM plan_event e WHERE tenant = tenant AND trace_id = trace_id ; END"},
	{"function answer.trace_of(tenants text[], reader oid, id text, after_seq integer, sig_text boolean)",
	"sql(tenants text[], reader oid, id text, after_seq integer, sig_text boolean) returns SETOF jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 100, rows 10, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT CASE WHEN sig_text THEN jsonb_set event, '{sig}'::text[], to_jsonb 'ed25519:'::text || event #>> '{sig,sig}'::text[] ELSE event END AS event FROM plan_event e WHERE tenant = ANY tenants AND seq > COALESCE after_seq, 0 AND tenant, trace_id = SELECT tenant, trace_id FROM plan_run r WHERE tenant = ANY tenants AND trace_id = id OR plan_id = id AND trace_readable tenants, reader, role ORDER BY trace_id = id DESC, started_at DESC, trace_id DESC LIMIT 1 ORDER BY seq; END"},
	{"function answer.trace_readable(tenants text[], reader oid, role text)",
	"sql(tenants text[], reader oid, role text) returns boolean, kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT cardinality tenants > 1 OR EXISTS SELECT FROM pg_roles o WHERE rolname = role ::name AND pg_has_role reader, oid, 'USAGE'::text OR has_table_privilege reader, 'plan_event'::regclass ::oid, 'SELECT'::text OR COALESCE has_table_privilege reader, to_regclass 'tenant_plan_event'::text ::oid, 'SELECT'::text , false ; END"},
	{"function answer.trace_turn(tenant text, trace_id text, is_wanted boolean)",
	"c(tenant text, trace_id text, is_wanted boolean) returns boolean, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_trace_turn"},
	{"function answer.vector_schema()",
	"plpgsql() returns text, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\tname text;\n"
	"BEGIN\n"
	"\tSELECT quote_ident(n.nspname) INTO name FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector';\n"
	"\tIF NOT FOUND THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '55000', message = 'embeddings need the extension vector, which is not installed',\n"
	"\t\t\thint = 'CREATE EXTENSION vector (pgvector), or search without an embedding.';\n"
	"\tEND IF;\n"
	"\tRETURN name;\n"
	"END\n"
	""},
	{"function answer.veracity(records jsonb, now timestamp with time zone, config jsonb)",
	"c(records jsonb, now timestamp with time zone, config jsonb DEFAULT '{}'::jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 50, rows 0, settings , extension t in answer_eval: answer_eval_veracity"},
	{"function answer.xml_text(value text)",
	"sql(value text) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 100, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT replace replace replace replace regexp_replace value, '[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]'::text, '?'::text, 'g'::text , '&'::text, '&amp;'::text , '<'::text, '&lt;'::text , '>'::text, '&gt;'::text , '\"'::text, '&quot;'::text AS replace; END"},
	{"function @extschema@.answer_anchor_attach(receipt_id text, token bytea)",
	"c(receipt_id text, token bytea) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_anchor_attach"},
	{"function @extschema@.answer_anchor_request(receipt_id text, policy text)",
	"c(receipt_id text, policy text DEFAULT NULL::text) returns bytea, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_anchor_request"},
	{"function @extschema@.answer_anchor_verify(receipt jsonb, roots text, at timestamp with time zone, nonce text, policy text)",
	"c(receipt jsonb, roots text DEFAULT NULL::text, at timestamp with time zone DEFAULT NULL::timestamp with time zone, nonce text DEFAULT NULL::text, policy text DEFAULT NULL::text) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_anchor_verify_jsonb"},
	{"function @extschema@.answer_anchor_verify(receipt text, roots text, at timestamp with time zone, nonce text, policy text)",
	"c(receipt text, roots text DEFAULT NULL::text, at timestamp with time zone DEFAULT NULL::timestamp with time zone, nonce text DEFAULT NULL::text, policy text DEFAULT NULL::text) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_anchor_verify_json"},
	{"function @extschema@.answer_ask(question text)",
	"c(question text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_ask"},
	{"function @extschema@.answer_assess(rules jsonb, intent text, question text, subject text, entry jsonb)",
	"internal(rules jsonb, intent text, question text, subject text, entry jsonb) returns @extschema@.answer_assessment, kind a, volatile i, strict f, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t, steps answer.assess_add answer.assess_final - - - - internal  n: aggregate_dummy"},
	{"function @extschema@.answer_audit_report(from_instant timestamp with time zone, to_instant timestamp with time zone, baseline text, run text)",
	"c(from_instant timestamp with time zone, to_instant timestamp with time zone, baseline text DEFAULT NULL::text, run text DEFAULT NULL::text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_baseline_load(name text, rows jsonb)",
	"c(name text, rows jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_budget_set(tenant text, period text, cost_cap_usd numeric)",
	"c(tenant text, period text, cost_cap_usd numeric) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_canonical(document jsonb)",
	"c(document jsonb) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_canonical_jsonb"},
	{"function @extschema@.answer_canonical(document text)",
	"c(document text) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_canonical_json"},
	{"function @extschema@.answer_change_record(kind text, name text)",
	"c(kind text DEFAULT NULL::text, name text DEFAULT NULL::text) returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_change_record"},
	{"function @extschema@.answer_check(\"check\" jsonb, evidence jsonb, evaluated_at timestamp with time zone)",
	"c(\"check\" jsonb, evidence jsonb, evaluated_at timestamp with time zone) returns @extschema@.answer_check_result, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 10, rows 0, settings , extension t in answer_eval: answer_eval_check"},
	{"function @extschema@.answer_checkpoint(tree_size bigint)",
	"c(tree_size bigint DEFAULT NULL::bigint) returns text, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_checkpoint"},
	{"function @extschema@.answer_checkpoint_cosign(request text)",
	"c(request text) returns text, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_checkpoint_cosign"},
	{"function @extschema@.answer_checkpoint_request(old_size bigint)",
	"c(old_size bigint) returns text, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_checkpoint_request"},
	{"function @extschema@.answer_checkpoint_verify(checkpoint text, vkeys text[])",
	"c(checkpoint text, vkeys text[] DEFAULT NULL::text[]) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_checkpoint_verify"},
	{"function @extschema@.answer_chunk_embed(chunk_id text, embedding real[])",
	"c(chunk_id text, embedding real[]) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 200, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_citations_check(citations jsonb, chunks jsonb, answer text, rules jsonb, query text)",
	"c(citations jsonb, chunks jsonb, answer text, rules jsonb DEFAULT NULL::jsonb, query text DEFAULT NULL::text) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_citations_check"},
	{"function @extschema@.answer_complete(investigation bigint)",
	"plpgsql(investigation bigint) returns boolean, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 300, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tRETURN (answer.assessment_of(investigation)).complete;\n"
	"END\n"
	""},
	{"function @extschema@.answer_composite(verdict @extschema@.answer_verdict, confidence double precision, required boolean)",
	"internal(verdict @extschema@.answer_verdict, confidence double precision, required boolean) returns @extschema@.answer_composite_result, kind a, volatile i, strict f, definer f, leakproof f, parallel s, cost 1, rows 0, settings , extension t, steps answer.composite_add answer.composite_final answer.composite_combine - - - bigint  n: aggregate_dummy"},
	{"function @extschema@.answer_config(environment text)",
	"c(environment text DEFAULT NULL::text) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_config"},
	{"function @extschema@.answer_config_create(config jsonb, reason text, parent text)",
	"c(config jsonb, reason text, parent text DEFAULT NULL::text) returns text, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_config_create"},
	{"function @extschema@.answer_config_promote(environment text, config text, stage text, reason text)",
	"c(environment text, config text, stage text DEFAULT NULL::text, reason text DEFAULT NULL::text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1e+06, rows 0, settings , extension t in answer_eval: answer_eval_config_promote"},
	{"function @extschema@.answer_config_rollback(environment text, reason text)",
	"c(environment text, reason text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_config_rollback"},
	{"function @extschema@.answer_conflicts(chunks jsonb, rules jsonb)",
	"c(chunks jsonb, rules jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_conflicts"},
	{"function @extschema@.answer_cosignature_add(tree_size bigint, cosignature text, vkey text)",
	"c(tree_size bigint, cosignature text, vkey text) returns boolean, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_cosignature_add"},
	{"function @extschema@.answer_coverage()",
	"c() returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel u, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_coverage"},
	{"function @extschema@.answer_dashboard_grant(role text)",
	"c(role text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_dashboard_html(options jsonb)",
	"sql(options jsonb DEFAULT '{}'::jsonb) returns text, kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 1e+06, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: BEGIN ATOMIC SELECT page FROM dashboard_page options p page ; END"},
	{"function @extschema@.answer_dashboard_revoke(role text)",
	"c(role text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_debug(what text, query text, top_k integer, freshness_days integer)",
	"c(what text, query text, top_k integer DEFAULT NULL::integer, freshness_days integer DEFAULT NULL::integer) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_debug"},
	{"function @extschema@.answer_decide(query text, chunks jsonb, citations jsonb, answer text, config jsonb, now timestamp with time zone, rules jsonb, judgements jsonb)",
	"c(query text, chunks jsonb, citations jsonb DEFAULT NULL::jsonb, answer text DEFAULT NULL::text, config jsonb DEFAULT NULL::jsonb, now timestamp with time zone DEFAULT now(), rules jsonb DEFAULT NULL::jsonb, judgements jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 200, rows 0, settings , extension t in answer_eval: answer_eval_decide"},
	{"function @extschema@.answer_decision_rule_register(list text, entry text, detail jsonb, replace boolean)",
	"c(list text, entry text, detail jsonb DEFAULT '{}'::jsonb, replace boolean DEFAULT false) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_decision_rule_remove(list text, entry text)",
	"c(list text, entry text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_digest(document jsonb)",
	"c(document jsonb) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_digest_jsonb"},
	{"function @extschema@.answer_digest(document text)",
	"c(document text) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_digest_json"},
	{"function @extschema@.answer_document_facts(filter jsonb)",
	"c(filter jsonb DEFAULT NULL::jsonb) returns TABLE(doc_id text, version integer, chunk_id text, subject text, attribute text, scope text, value jsonb, unit text, quote text, by text, role text, added_at timestamp with time zone), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 1000, rows 100, settings , extension t in answer_eval: answer_eval_rows_for_tenant"},
	{"function @extschema@.answer_document_facts_add(doc_id text, facts jsonb, options jsonb)",
	"c(doc_id text, facts jsonb, options jsonb DEFAULT '{}'::jsonb) returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_document_load(docs jsonb)",
	"c(docs jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_documents(filter jsonb)",
	"c(filter jsonb DEFAULT NULL::jsonb) returns TABLE(doc_id text, title text, \"timestamp\" timestamp with time zone, url text, version integer, chunks integer, content_hash text, loaded_at timestamp with time zone), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 1000, rows 100, settings , extension t in answer_eval: answer_eval_rows_for_tenant"},
	{"function @extschema@.answer_dsse(receipt_id text)",
	"c(receipt_id text) returns jsonb, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 2000, rows 0, settings , extension t in answer_eval: answer_eval_dsse"},
	{"function @extschema@.answer_embedding_index(dimensions integer)",
	"c(dimensions integer) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100000, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_environment_set(environment text, options jsonb, reason text, tenant text)",
	"c(environment text, options jsonb DEFAULT '{}'::jsonb, reason text DEFAULT NULL::text, tenant text DEFAULT ''::text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_environment_set"},
	{"function @extschema@.answer_eval(request jsonb)",
	"c(request jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval"},
	{"function @extschema@.answer_eval_each(requests jsonb[], on_error text)",
	"c(requests jsonb[], on_error text DEFAULT 'raise'::text) returns TABLE(ordinal integer, receipt jsonb, error jsonb), kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100000, rows 1000, settings , extension t in answer_eval: answer_eval_each"},
	{"function @extschema@.answer_evidence_add(tool text, args jsonb, raw jsonb, source text, observed_at timestamp with time zone, expires timestamp with time zone)",
	"c(tool text, args jsonb, raw jsonb, source text, observed_at timestamp with time zone DEFAULT clock_timestamp(), expires timestamp with time zone DEFAULT NULL::timestamp with time zone) returns text, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_evolve_propose(environment text, change jsonb, reason text)",
	"c(environment text DEFAULT NULL::text, change jsonb DEFAULT NULL::jsonb, reason text DEFAULT NULL::text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_evolve_propose"},
	{"function @extschema@.answer_evolve_validate(proposal text)",
	"c(proposal text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1e+06, rows 0, settings , extension t in answer_eval: answer_eval_evolve_validate"},
	{"function @extschema@.answer_fact(tool text, args jsonb, evaluated_at timestamp with time zone)",
	"c(tool text, args jsonb DEFAULT '{}'::jsonb, evaluated_at timestamp with time zone DEFAULT clock_timestamp()) returns jsonb, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 200, rows 0, settings , extension t in answer_eval: answer_eval_fact"},
	{"function @extschema@.answer_forget(target text, reason text)",
	"c(target text, reason text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_forget"},
	{"function @extschema@.answer_gap(investigation bigint)",
	"plpgsql(investigation bigint) returns SETOF @extschema@.answer_quality_gap, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 300, rows 3, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tRETURN QUERY SELECT g.* FROM unnest((answer.assessment_of(investigation)).gap) AS g;\n"
	"END\n"
	""},
	{"function @extschema@.answer_gate(run text, rules jsonb, baseline text)",
	"c(run text, rules jsonb DEFAULT NULL::jsonb, baseline text DEFAULT NULL::text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_of_receipts"},
	{"function @extschema@.answer_gate_assert(run text, rules jsonb, baseline text)",
	"c(run text, rules jsonb DEFAULT NULL::jsonb, baseline text DEFAULT NULL::text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_of_receipts"},
	{"function @extschema@.answer_graph_embed(project text, id text, embedding real[])",
	"c(project text, id text, embedding real[]) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 200, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_graph_forget(project text, ids text[])",
	"c(project text, ids text[] DEFAULT NULL::text[]) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_graph_load(project text, nodes jsonb, edges jsonb)",
	"c(project text, nodes jsonb, edges jsonb DEFAULT '[]'::jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_graph_node(project text, id text)",
	"c(project text, id text) returns TABLE(id text, labels text[], name text, path text, start_line integer, end_line integer, docstring text, doc_type text, last_modified bigint, neighbor_count bigint, source_path text, content_hash text, extraction_method text, indexed_at timestamp with time zone), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 1000, rows 1, settings , extension t in answer_eval: answer_eval_rows_for_tenant"},
	{"function @extschema@.answer_graph_search(project text, question text, k integer, labels text[], paths text[], embedding real[])",
	"c(project text, question text, k integer DEFAULT 20, labels text[] DEFAULT NULL::text[], paths text[] DEFAULT NULL::text[], embedding real[] DEFAULT NULL::real[]) returns TABLE(id text, name text, path text, score double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 20000, rows 20, settings , extension t in answer_eval: answer_eval_rows_for_tenant"},
	{"function @extschema@.answer_grounded(query text, options jsonb)",
	"c(query text, options jsonb DEFAULT '{}'::jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 20000, rows 0, settings , extension t in answer_eval: answer_eval_grounded"},
	{"function @extschema@.answer_investigation_close(investigation bigint)",
	"c(investigation bigint) returns @extschema@.answer_investigation_outcome, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_investigation_close"},
	{"function @extschema@.answer_investigation_open(intent text, question text, subject text)",
	"c(intent text, question text, subject text DEFAULT NULL::text) returns bigint, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_investigation_open"},
	{"function @extschema@.answer_investigation_record(investigation bigint, tool text, query text, target text, observation jsonb, sources text[], run text)",
	"c(investigation bigint, tool text, query text, target text, observation jsonb, sources text[] DEFAULT '{}'::text[], run text DEFAULT ''::text) returns @extschema@.answer_recorded, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_investigation_record"},
	{"function @extschema@.answer_investigation_record_output(investigation bigint, tool text, query text, target text, output text, sources text[], run text)",
	"c(investigation bigint, tool text, query text, target text, output text, sources text[] DEFAULT '{}'::text[], run text DEFAULT ''::text) returns @extschema@.answer_recorded, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_investigation_record_output"},
	{"function @extschema@.answer_judge_assess(judge text, pairs jsonb)",
	"c(judge text, pairs jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100000, rows 0, settings , extension t in answer_eval: answer_eval_judge_assess"},
	{"function @extschema@.answer_judge_pairs(query text, chunks jsonb, citations jsonb, answer text, config jsonb, rules jsonb, judgements jsonb)",
	"c(query text, chunks jsonb, citations jsonb DEFAULT NULL::jsonb, answer text DEFAULT NULL::text, config jsonb DEFAULT NULL::jsonb, rules jsonb DEFAULT NULL::jsonb, judgements jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 200, rows 0, settings , extension t in answer_eval: answer_eval_judge_pairs"},
	{"function @extschema@.answer_judge_pending(judge text, n integer)",
	"c(judge text, n integer) returns TABLE(kind text, pair text, a text, b text, receipt_id text), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 100000, rows 20, settings , extension t in answer_eval: answer_eval_rows_for_reader"},
	{"function @extschema@.answer_judge_register(name text, options jsonb)",
	"c(name text, options jsonb) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_judge_register"},
	{"function @extschema@.answer_judge_remove(name text)",
	"c(name text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_judged_by(receipt jsonb, kinds text[])",
	"sql(receipt jsonb, kinds text[] DEFAULT '{entailment,answers,conflict}'::text[]) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 50, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"\tWITH said AS (\n"
	"\t\tSELECT j.judgement -> 'judge' AS name, bool_or(j.judgement -> 'origin' = '\"observed\"') AS observed,\n"
	"\t\t\tstring_agg(DISTINCT @extschema@.answer_readable(j.judgement -> 'by') COLLATE \"C\", ', ')\n"
	"\t\t\t\tFILTER (WHERE j.judgement -> 'origin' = '\"reported\"') AS reported\n"
	"\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'judgements') WHEN 'array' THEN receipt -> 'judgements' ELSE '[]' END) AS j (judgement)\n"
	"\t\tWHERE j.judgement ->> 'kind' = ANY (kinds)\n"
	"\t\tGROUP BY 1\n"
	"\t)\n"
	"\tSELECT COALESCE('judged by ' || string_agg(format('%s (%s, %s), %s, %s', @extschema@.answer_readable(w.judge -> 'name'),\n"
	"\t\t\t@extschema@.answer_readable(w.judge -> 'model'), @extschema@.answer_readable(w.judge -> 'version'),\n"
	"\t\t\tCOALESCE('measured ' || (SELECT string_agg(format('%s of %s over %s pairs', @extschema@.answer_readable(a.measured -> 'balanced_accuracy'),\n"
	"\t\t\t\t\t@extschema@.answer_readable(to_jsonb(a.kind)), @extschema@.answer_readable(a.measured -> 'n')), ' and ' ORDER BY a.kind COLLATE \"C\")\n"
	"\t\t\t\tFROM jsonb_each(CASE jsonb_typeof(w.judge -> 'assessed') WHEN 'object' THEN w.judge -> 'assessed' ELSE '{}' END) AS a (kind, measured)\n"
	"\t\t\t\tWHERE a.kind = ANY (kinds) AND jsonb_typeof(a.measured) = 'object'), 'never measured'),\n"
	"\t\t\tconcat_ws(' and ', CASE WHEN s.observed THEN 'asked by the database' END, 'reported by ' || s.reported)),\n"
	"\t\t'; ' ORDER BY w.n), 'not judged')\n"
	"\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'judges') WHEN 'array' THEN receipt -> 'judges' ELSE '[]' END)\n"
	"\t\tWITH ORDINALITY AS w (judge, n)\n"
	"\tJOIN said AS s ON s.name = w.judge -> 'name'\n"
	""},
	{"function @extschema@.answer_judgement_add(judgements jsonb)",
	"c(judgements jsonb) returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_judgement_add"},
	{"function @extschema@.answer_judges()",
	"c() returns TABLE(name text, kinds text[], model text, version text, external boolean, assessed jsonb, shared boolean, role text, handler text, weights_digest text, max_pairs integer, max_chars integer, deadline_ms integer, registered_by text), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 100, rows 10, settings , extension t in answer_eval: answer_eval_rows_for_tenant"},
	{"function @extschema@.answer_key_adopt()",
	"c() returns text, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_key_adopt"},
	{"function @extschema@.answer_key_compromise(key_id text, compromised_after timestamp with time zone)",
	"c(key_id text, compromised_after timestamp with time zone DEFAULT NULL::timestamp with time zone) returns text, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_key_compromise"},
	{"function @extschema@.answer_key_generate()",
	"c() returns text, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_key_generate"},
	{"function @extschema@.answer_key_import_public(public_key text, status @extschema@.answer_key_status, active_from timestamp with time zone, retired_at timestamp with time zone, compromised_after timestamp with time zone)",
	"c(public_key text, status @extschema@.answer_key_status DEFAULT 'retired'::@extschema@.answer_key_status, active_from timestamp with time zone DEFAULT NULL::timestamp with time zone, retired_at timestamp with time zone DEFAULT NULL::timestamp with time zone, compromised_after timestamp with time zone DEFAULT NULL::timestamp with time zone) returns text, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_key_import_public"},
	{"function @extschema@.answer_key_registry()",
	"sql() returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 50, rows 0, settings , extension t: BEGIN ATOMIC SELECT COALESCE jsonb_agg jsonb_strip_nulls jsonb_build_object 'key_id', key_id, 'public_key', translate encode public_key, 'base64'::text , '+/'::text, '-_'::text , 'fingerprint', fingerprint, 'status', status, 'active_from', to_char active_from AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text , 'retired_at', to_char retired_at AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text , 'compromised_after', to_char compromised_after AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text ORDER BY active_from NULLS FIRST, key_id , '[]'::jsonb AS \"coalesce\" FROM signing_key k; END"},
	{"function @extschema@.answer_key_retire(key_id text, retired_at timestamp with time zone)",
	"c(key_id text, retired_at timestamp with time zone DEFAULT NULL::timestamp with time zone) returns text, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_key_retire"},
	{"function @extschema@.answer_keys(format text)",
	"plpgsql(format text DEFAULT 'map'::text) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 50, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tCASE answer_keys.format\n"
	"\tWHEN 'map' THEN\n"
	"\t\tRETURN (SELECT COALESCE(jsonb_object_agg(k.key_id, translate(encode(k.public_key, 'base64'), '+/', '-_')), '{}')\n"
	"\t\t\tFROM answer.signing_key k);\n"
	"\tWHEN 'jwk' THEN\n"
	"\t\tRETURN (SELECT jsonb_build_object('keys', COALESCE(jsonb_agg(jsonb_build_object(\n"
	"\t\t\t\t'kty', 'OKP', 'crv', 'Ed25519', 'use', 'sig', 'alg', 'EdDSA',\n"
	"\t\t\t\t'kid', k -> 'key_id', 'x', rtrim(k ->> 'public_key', '='))\n"
	"\t\t\t\t|| (k - '{key_id,public_key,fingerprint}'::text[]) ORDER BY i), '[]'))\n"
	"\t\t\tFROM jsonb_array_elements(@extschema@.answer_key_registry()) WITH ORDINALITY AS r (k, i));\n"
	"\tWHEN 'pem' THEN\n"
	"\t\t-- before the key stands the SubjectPublicKeyInfo of any Ed25519 key (RFC 8410)\n"
	"\t\tRETURN (SELECT jsonb_build_object('keys', COALESCE(jsonb_object_agg(k.key_id,\n"
	"\t\t\t\tE'-----BEGIN PUBLIC KEY-----\\n' || encode(decode('302a300506032b6570032100', 'hex') || k.public_key, 'base64')\n"
	"\t\t\t\t|| E'\\n-----END PUBLIC KEY-----\\n'), '{}'))\n"
	"\t\t\tFROM answer.signing_key k);\n"
	"\tELSE\n"
	"\t\tRAISE EXCEPTION USING errcode = 'invalid_parameter_value',\n"
	"\t\t\tmessage = format('unknown format of keys \"%s\"', answer_keys.format),\n"
	"\t\t\thint = 'It is \"map\", \"jwk\" or \"pem\".';\n"
	"\tEND CASE;\n"
	"END\n"
	""},
	{"function @extschema@.answer_log_audit(from_size bigint, to_size bigint, incremental boolean, OUT leaf_index bigint, OUT receipt_id text, OUT finding @extschema@.answer_log_finding, OUT detail text)",
	"c(from_size bigint DEFAULT 0, to_size bigint DEFAULT NULL::bigint, incremental boolean DEFAULT false, OUT leaf_index bigint, OUT receipt_id text, OUT finding @extschema@.answer_log_finding, OUT detail text) returns SETOF record, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1e+06, rows 10, settings , extension t in answer_eval: answer_eval_log_audit"},
	{"function @extschema@.answer_log_compare(checkpoint text)",
	"c(checkpoint text) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_log_compare"},
	{"function @extschema@.answer_log_consistency(from_size bigint, to_size bigint)",
	"c(from_size bigint, to_size bigint DEFAULT NULL::bigint) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_log_consistency"},
	{"function @extschema@.answer_log_inclusion(receipt_id text, tree_size bigint)",
	"c(receipt_id text, tree_size bigint DEFAULT NULL::bigint) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_log_inclusion"},
	{"function @extschema@.answer_log_seal()",
	"c() returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_log_seal"},
	{"function @extschema@.answer_log_verify(proof jsonb, receipt jsonb, vkeys text[])",
	"c(proof jsonb, receipt jsonb DEFAULT NULL::jsonb, vkeys text[] DEFAULT NULL::text[]) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_log_verify"},
	{"function @extschema@.answer_log_vkey(key_id text)",
	"c(key_id text DEFAULT NULL::text) returns text, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_log_vkey"},
	{"function @extschema@.answer_memory_forget(key text, reason text)",
	"c(key text, reason text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_memory_forget"},
	{"function @extschema@.answer_memory_policy(tenant text, key_prefix text, reported boolean)",
	"c(tenant text, key_prefix text, reported boolean) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_packet(project text, question text, options jsonb)",
	"c(project text, question text, options jsonb DEFAULT '{}'::jsonb) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 20000, rows 0, settings , extension t in answer_eval: answer_eval_packet"},
	{"function @extschema@.answer_packet_html(packet jsonb)",
	"c(packet jsonb) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 200, rows 0, settings , extension t in answer_eval: answer_eval_packet_html"},
	{"function @extschema@.answer_packet_receipt(project text, question text, options jsonb)",
	"c(project text, question text, options jsonb DEFAULT '{}'::jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 30000, rows 0, settings , extension t in answer_eval: answer_eval_packet_receipt"},
	{"function @extschema@.answer_plan_execute(request jsonb)",
	"c(request jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100000, rows 0, settings , extension t in answer_eval: answer_eval_plan_execute"},
	{"function @extschema@.answer_plan_explain(request jsonb)",
	"c(request jsonb) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 2000, rows 0, settings , extension t in answer_eval: answer_eval_plan_explain"},
	{"function @extschema@.answer_plan_instant()",
	"c() returns timestamp with time zone, kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_plan_instant"},
	{"function @extschema@.answer_plan_recover()",
	"c() returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_plan_recover"},
	{"function @extschema@.answer_plan_register(plan jsonb)",
	"c(plan jsonb) returns text, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_plan_register"},
	{"function @extschema@.answer_plan_resume(IN trace_id text, IN results jsonb, INOUT result jsonb)",
	"c(IN trace_id text, IN results jsonb, INOUT result jsonb) returns , kind p, volatile v, strict f, definer f, leakproof f, parallel u, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_plan_resume_run"},
	{"function @extschema@.answer_plan_resume(trace_id text, results jsonb)",
	"c(trace_id text, results jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100000, rows 0, settings , extension t in answer_eval: answer_eval_plan_resume"},
	{"function @extschema@.answer_plan_run(IN request jsonb, INOUT result jsonb)",
	"c(IN request jsonb, INOUT result jsonb DEFAULT NULL::jsonb) returns , kind p, volatile v, strict f, definer f, leakproof f, parallel u, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_plan_run"},
	{"function @extschema@.answer_plan_validate(plan jsonb, OUT node text, OUT problem text)",
	"c(plan jsonb, OUT node text, OUT problem text) returns SETOF record, kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 1000, rows 5, settings , extension t in answer_eval: answer_eval_plan_validate"},
	{"function @extschema@.answer_quality(investigation bigint)",
	"plpgsql(investigation bigint) returns SETOF @extschema@.answer_class_quality, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 300, rows 5, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"BEGIN\n"
	"\tRETURN QUERY SELECT c.* FROM unnest((answer.assessment_of(investigation)).classes) AS c;\n"
	"END\n"
	""},
	{"function @extschema@.answer_quality_authority_register(tool text, observation jsonb)",
	"c(tool text, observation jsonb) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_quality_class_register(class text, tool text, identifier_tool text, verify_tool text, description text, relevance @extschema@.answer_quality_relevance, replace boolean)",
	"c(class text, tool text DEFAULT NULL::text, identifier_tool text DEFAULT NULL::text, verify_tool text DEFAULT NULL::text, description text DEFAULT NULL::text, relevance @extschema@.answer_quality_relevance DEFAULT NULL::@extschema@.answer_quality_relevance, replace boolean DEFAULT false) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_quality_compatibility_register(class text, with_class text, with_quality @extschema@.answer_quality_level, same_target boolean, replace boolean)",
	"c(class text, with_class text, with_quality @extschema@.answer_quality_level DEFAULT 'Strong'::@extschema@.answer_quality_level, same_target boolean DEFAULT true, replace boolean DEFAULT false) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_quality_grader_register(tool text, class text, grader regprocedure, family text, description text, replace boolean)",
	"c(tool text, class text, grader regprocedure, family text DEFAULT NULL::text, description text DEFAULT NULL::text, replace boolean DEFAULT false) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_quality_grader_register"},
	{"function @extschema@.answer_quality_intent_register(intent text, requirements jsonb, description text, replace boolean)",
	"c(intent text, requirements jsonb, description text DEFAULT NULL::text, replace boolean DEFAULT false) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_quality_receipt(investigation bigint)",
	"c(investigation bigint) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_quality_receipt"},
	{"function @extschema@.answer_readable(value jsonb)",
	"plpgsql(value jsonb) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 20, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\t-- no more work than what is shown needs\n"
	"\tline text := left(COALESCE(value #>> '{}', 'null'), 201);\n"
	"BEGIN\n"
	"\tIF line COLLATE \"C\" ~ E'[\\\\u0001-\\\\u001f\\\\u007f-\\\\u009f\\\\u061c\\\\u180e\\\\u200b-\\\\u200f\\\\u2028-\\\\u202e\\\\u2060-\\\\u206f\\\\ufeff\\\\ufff9-\\\\ufffb\\\\U000e0000-\\\\U000e007f]' THEN\n"
	"\t\tline := @extschema@.answer_canonical(to_jsonb(line));\n"
	"\tEND IF;\n"
	"\tRETURN CASE WHEN length(line) > 200 THEN left(line, 197) || '...' ELSE line END;\n"
	"END\n"
	""},
	{"function @extschema@.answer_reading(text text, rules jsonb)",
	"c(text text, rules jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 50, rows 0, settings , extension t in answer_eval: answer_eval_reading"},
	{"function @extschema@.answer_receipt(receipt_id text, issued_at timestamp with time zone)",
	"c(receipt_id text, issued_at timestamp with time zone DEFAULT NULL::timestamp with time zone) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_of_tenants"},
	{"function @extschema@.answer_receipt_detach(partition regclass)",
	"c(partition regclass) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100000, rows 0, settings , extension t in answer_eval: answer_eval_receipt_detach"},
	{"function @extschema@.answer_receipt_html(id text, keys jsonb)",
	"plpgsql(id text, keys jsonb DEFAULT NULL::jsonb) returns text, kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\tdocument\tjsonb := @extschema@.answer_receipt(answer_receipt_html.id);\n"
	"\tgiven\t\tjsonb := answer_receipt_html.keys;\n"
	"\tinclusion\tjsonb;\n"
	"\tvkeys\t\ttext[];\n"
	"\t-- Ed25519, in the notation of signed notes\n"
	"\tsigned_by\tconstant bytea := decode('01', 'hex');\n"
	"BEGIN\n"
	"\tIF document IS NULL THEN\n"
	"\t\tRETURN NULL;\n"
	"\tEND IF;\n"
	"\tIF given IS NULL THEN\n"
	"\t\tgiven := (SELECT COALESCE(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(\n"
	"\t\t\t\t'key_id', k.key_id,\n"
	"\t\t\t\t'public_key', translate(encode(k.public_key, 'base64'), '+/', '-_'),\n"
	"\t\t\t\t'fingerprint', k.fingerprint,\n"
	"\t\t\t\t'status', k.status,\n"
	"\t\t\t\t'active_from', to_char(k.active_from AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'),\n"
	"\t\t\t\t'retired_at', to_char(k.retired_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'),\n"
	"\t\t\t\t'compromised_after', to_char(k.compromised_after AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')))), '[]')\n"
	"\t\t\tFROM answer.signing_key k\n"
	"\t\t\tWHERE k.key_id = document -> 'signature' ->> 'key_id');\n"
	"\tEND IF;\n"
	"\t-- Who may not ask for a proof gets a page without one; so does who asks before the receipt is sealed.\n"
	"\tIF has_function_privilege('@extschema@.answer_log_inclusion(text, bigint)', 'EXECUTE') THEN\n"
	"\t\tBEGIN\n"
	"\t\t\tinclusion := @extschema@.answer_log_inclusion(answer_receipt_html.id) - 'forgotten';\n"
	"\t\t\t-- The keys of this log, as answer_log_verify() takes them: what is active here or has signed a checkpoint here,\n"
	"\t\t\t-- and is not compromised; of these the ones that the caller trusts, if he says which.\n"
	"\t\t\tvkeys := (SELECT array_agg(format('%s+%s+%s', inclusion ->> 'origin',\n"
	"\t\t\t\t\tleft(encode(sha256(convert_to((inclusion ->> 'origin') || chr(10), 'UTF8') || signed_by || k.public_key), 'hex'), 8),\n"
	"\t\t\t\t\tencode(signed_by || k.public_key, 'base64')) ORDER BY k.key_id)\n"
	"\t\t\t\tFROM answer.signing_key k\n"
	"\t\t\t\tWHERE k.status <> 'compromised'\n"
	"\t\t\t\tAND (k.status = 'active' OR EXISTS (SELECT FROM answer.checkpoint c WHERE c.key_id = k.key_id))\n"
	"\t\t\t\tAND (answer_receipt_html.keys IS NULL OR rtrim(translate(encode(k.public_key, 'base64'), '+/', '-_'), '=') IN (\n"
	"\t\t\t\t\tSELECT rtrim(g.value, '=') FROM jsonb_each_text(CASE jsonb_typeof(given) WHEN 'object' THEN given END) AS g\n"
	"\t\t\t\t\tUNION ALL\n"
	"\t\t\t\t\tSELECT rtrim(g ->> 'public_key', '=')\n"
	"\t\t\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(given) WHEN 'array' THEN given END) AS g\n"
	"\t\t\t\t\tWHERE jsonb_typeof(g) = 'object' AND g ->> 'status' IS DISTINCT FROM 'compromised')));\n"
	"\t\t\tIF vkeys IS NULL AND answer_receipt_html.keys IS NOT NULL THEN\n"
	"\t\t\t\tinclusion := NULL;\n"
	"\t\t\tEND IF;\n"
	"\t\tEXCEPTION WHEN object_not_in_prerequisite_state OR insufficient_privilege THEN\n"
	"\t\t\tinclusion := NULL;\n"
	"\t\tEND;\n"
	"\tEND IF;\n"
	"\tRETURN answer.receipt_html(document, given, inclusion, vkeys);\n"
	"END\n"
	""},
	{"function @extschema@.answer_receipt_partition(from_instant timestamp with time zone, to_instant timestamp with time zone)",
	"c(from_instant timestamp with time zone, to_instant timestamp with time zone) returns regclass, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_replay(receipt jsonb)",
	"c(receipt jsonb) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_replay_jsonb"},
	{"function @extschema@.answer_replay(receipt text)",
	"c(receipt text) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_replay_json"},
	{"function @extschema@.answer_replay_bundle(trace_id text)",
	"c(trace_id text) returns bytea, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 2000, rows 0, settings , extension t in answer_eval: answer_eval_of_reader"},
	{"function @extschema@.answer_retrieve(query text, options jsonb)",
	"c(query text, options jsonb DEFAULT '{}'::jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 20000, rows 0, settings , extension t in answer_eval: answer_eval_retrieve"},
	{"function @extschema@.answer_rollup()",
	"c() returns bigint, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_rollup_prune(before timestamp with time zone, days_before timestamp with time zone)",
	"c(before timestamp with time zone, days_before timestamp with time zone DEFAULT NULL::timestamp with time zone) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100000, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_rollup_rebuild()",
	"c() returns bigint, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1e+06, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_route_audit(route_id text)",
	"c(route_id text DEFAULT NULL::text) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_route_audit"},
	{"function @extschema@.answer_route_enable(route_id text, enabled boolean)",
	"c(route_id text, enabled boolean DEFAULT true) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_route_explain(question text)",
	"c(question text) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_route_explain"},
	{"function @extschema@.answer_route_refresh(route_id text)",
	"c(route_id text DEFAULT NULL::text) returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_route_refresh"},
	{"function @extschema@.answer_route_register(route_id text, pattern text, kind @extschema@.answer_route_kind, tool text, args jsonb, expect jsonb, examples text[], options jsonb)",
	"c(route_id text, pattern text, kind @extschema@.answer_route_kind, tool text, args jsonb DEFAULT '{}'::jsonb, expect jsonb DEFAULT NULL::jsonb, examples text[] DEFAULT NULL::text[], options jsonb DEFAULT '{}'::jsonb) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_route_register"},
	{"function @extschema@.answer_route_remove(route_id text)",
	"c(route_id text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_route_table()",
	"c() returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_route_table"},
	{"function @extschema@.answer_run(run_id text)",
	"c(run_id text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_of_receipts"},
	{"function @extschema@.answer_run_diff(a text, b text)",
	"c(a text, b text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_of_receipts"},
	{"function @extschema@.answer_run_intoto(run text)",
	"c(run text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_of_receipts"},
	{"function @extschema@.answer_run_junit(run text)",
	"c(run text) returns xml, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_of_receipts"},
	{"function @extschema@.answer_search(query text, k integer, filter jsonb, embedding real[], fuse boolean)",
	"c(query text, k integer DEFAULT 5, filter jsonb DEFAULT NULL::jsonb, embedding real[] DEFAULT NULL::real[], fuse boolean DEFAULT true) returns TABLE(chunk_id text, doc_id text, \"timestamp\" timestamp with time zone, similarity double precision, text text, uri text, title text), kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 20000, rows 5, settings , extension t in answer_eval: answer_eval_rows_for_tenant"},
	{"function @extschema@.answer_settings(OUT name text, OUT value text, OUT unit text, OUT description text)",
	"plpgsql(OUT name text, OUT value text, OUT unit text, OUT description text) returns SETOF record, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 1000, rows 3, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_column\n"
	"BEGIN\n"
	"\t-- any function of the library\n"
	"\tPERFORM @extschema@.answer_canonical('0');\n"
	"\tRETURN QUERY SELECT s.name, s.setting, s.unit, concat_ws(' ', s.short_desc, s.extra_desc)\n"
	"\tFROM pg_settings s WHERE starts_with(s.name, 'answer_eval.') ORDER BY s.name COLLATE \"C\";\n"
	"END\n"
	""},
	{"function @extschema@.answer_show(receipt jsonb)",
	"plpgsql(receipt jsonb) returns TABLE(\"check\" text, verdict text, confidence double precision, observed text, reason text), kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 500, rows 3, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"#variable_conflict use_variable\n"
	"DECLARE\n"
	"\tkind text;\n"
	"\titems jsonb;\n"
	"\tone jsonb;\n"
	"\twanted jsonb;\n"
	"\ttold jsonb;\n"
	"BEGIN\n"
	"\tIF receipt IS NULL THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22004', message = 'receipt must not be null',\n"
	"\t\t\thint = 'answer_receipt(id) returns NULL where no receipt has this id.';\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(receipt) <> 'object' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'this is not a signed document',\n"
	"\t\t\tdetail = format('It is a JSON %s: %s', jsonb_typeof(receipt), @extschema@.answer_readable(receipt)),\n"
	"\t\t\thint = 'Give the whole document, a JSON object; answer_receipt(id) fetches a stored one.';\n"
	"\tEND IF;\n"
	"\tIF jsonb_typeof(receipt -> 'schema') IS DISTINCT FROM 'string' THEN\n"
	"\t\tRAISE EXCEPTION USING errcode = '22023', message = 'this is not a signed document',\n"
	"\t\t\tdetail = format('It is an object whose member \"schema\" %s; it is: %s',\n"
	"\t\t\t\tCOALESCE('is a JSON ' || jsonb_typeof(receipt -> 'schema'), 'is missing'), @extschema@.answer_readable(receipt)),\n"
	"\t\t\thint = 'Give the whole document, whose \"schema\" is \"answer/v1\" or that of another kind.';\n"
	"\tEND IF;\n"
	"\tkind := receipt ->> 'schema';\n"
	"\n"
	"\tIF kind IN ('answer/v1', 'quality/v1') THEN\n"
	"\t\titems := receipt -> CASE kind WHEN 'answer/v1' THEN 'checks' ELSE 'classes' END;\n"
	"\t\tIF jsonb_typeof(items) IS DISTINCT FROM 'array' THEN\n"
	"\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\tmessage = format('the member \"%s\" of this document of %s is not an array',\n"
	"\t\t\t\t\tCASE kind WHEN 'answer/v1' THEN 'checks' ELSE 'classes' END, kind),\n"
	"\t\t\t\tdetail = COALESCE('It is a JSON ' || jsonb_typeof(items), 'It is missing') || '.',\n"
	"\t\t\t\thint = 'answer_verify tells whether a document is as it was issued.';\n"
	"\t\tEND IF;\n"
	"\t\tFOR one IN SELECT i.item FROM jsonb_array_elements(items) AS i (item) LOOP\n"
	"\t\t\tIF jsonb_typeof(one) <> 'object' THEN\n"
	"\t\t\t\tRAISE EXCEPTION USING errcode = '22023',\n"
	"\t\t\t\t\tmessage = format('a member of \"%s\" of this document of %s is not an object',\n"
	"\t\t\t\t\t\tCASE kind WHEN 'answer/v1' THEN 'checks' ELSE 'classes' END, kind),\n"
	"\t\t\t\t\tdetail = format('It is a JSON %s: %s', jsonb_typeof(one), @extschema@.answer_readable(one)),\n"
	"\t\t\t\t\thint = 'answer_verify tells whether a document is as it was issued.';\n"
	"\t\t\tEND IF;\n"
	"\t\t\tIF kind = 'quality/v1' THEN\n"
	"\t\t\t\t\"check\" := @extschema@.answer_readable(one -> 'class');\n"
	"\t\t\t\tverdict := @extschema@.answer_readable(one -> 'quality');\n"
	"\t\t\t\treason := concat_ws('; ', @extschema@.answer_readable(one -> 'reason'),\n"
	"\t\t\t\t\t(SELECT format('%s is needed', @extschema@.answer_readable(g.gap -> 'need'))\n"
	"\t\t\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'gap') WHEN 'array' THEN receipt -> 'gap' ELSE '[]' END) AS g (gap)\n"
	"\t\t\t\t\tWHERE g.gap -> 'class' = one -> 'class' LIMIT 1));\n"
	"\t\t\t\tRETURN NEXT;\n"
	"\t\t\t\tCONTINUE;\n"
	"\t\t\tEND IF;\n"
	"\n"
	"\t\t\t-- What was expected, and what became of it; or why nothing came of it.  Notes stand behind.\n"
	"\t\t\twanted := CASE jsonb_typeof(one -> 'expect') WHEN 'array' THEN one -> 'expect' ELSE '[]' END;\n"
	"\t\t\ttold := CASE jsonb_typeof(one -> 'explain' -> 'expectations') WHEN 'array' THEN one -> 'explain' -> 'expectations' ELSE '[]' END;\n"
	"\t\t\t\"check\" := @extschema@.answer_readable(one -> 'id');\n"
	"\t\t\tverdict := @extschema@.answer_readable(one -> 'verdict');\n"
	"\t\t\tconfidence := CASE WHEN jsonb_typeof(one -> 'confidence') = 'number' AND (one -> 'confidence')::numeric BETWEEN 0 AND 1\n"
	"\t\t\t\tTHEN round((one -> 'confidence')::numeric, 17)::float8 END;\n"
	"\t\t\tobserved := @extschema@.answer_readable(one -> 'observed');\n"
	"\t\t\treason := @extschema@.answer_readable(one -> 'explain' -> 'summary');\n"
	"\t\t\tIF verdict IN ('supported', 'contradicted') AND wanted <> '[]' AND told <> '[]' THEN\n"
	"\t\t\t\treason := (SELECT string_agg(concat_ws(' ', @extschema@.answer_readable(x.wanted -> 'path'),\n"
	"\t\t\t\t\t\t@extschema@.answer_readable(x.wanted -> 'op'), @extschema@.answer_readable(x.wanted -> 'value'),\n"
	"\t\t\t\t\t\t'within ' || @extschema@.answer_readable(x.wanted -> 'tol'),\n"
	"\t\t\t\t\t\tCASE x.told ->> 'outcome' WHEN 'holds' THEN 'holds' WHEN 'fails' THEN 'does not hold'\n"
	"\t\t\t\t\t\t\tELSE concat_ws(': ', 'cannot be evaluated', @extschema@.answer_readable(x.told -> 'reason')) END,\n"
	"\t\t\t\t\t\tCASE WHEN x.n > 1 THEN '(observed ' || @extschema@.answer_readable(x.told -> 'observed') || ')' END),\n"
	"\t\t\t\t\t'; ' ORDER BY x.n)\n"
	"\t\t\t\t\tFROM ROWS FROM (jsonb_array_elements(wanted), jsonb_array_elements(told)) WITH ORDINALITY AS x (wanted, told, n)\n"
	"\t\t\t\t\tWHERE x.wanted IS NOT NULL AND x.told IS NOT NULL);\n"
	"\t\t\tELSIF jsonb_typeof(one -> 'explain') = 'object' THEN\n"
	"\t\t\t\treason := NULLIF(concat_ws(' ', reason,\n"
	"\t\t\t\t\t(SELECT '(' || string_agg(@extschema@.answer_readable(to_jsonb(d.name)) || ': ' || @extschema@.answer_readable(d.value),\n"
	"\t\t\t\t\t\t\t', ' ORDER BY d.name COLLATE \"C\") || ')'\n"
	"\t\t\t\t\tFROM jsonb_each(one -> 'explain') AS d (name, value)\n"
	"\t\t\t\t\tWHERE d.name <> 'summary' AND jsonb_typeof(d.value) NOT IN ('object', 'array'))), '');\n"
	"\t\t\tEND IF;\n"
	"\t\t\tIF told <> '[]' THEN\n"
	"\t\t\t\treason := NULLIF(concat_ws('; ', reason,\n"
	"\t\t\t\t\t(SELECT string_agg(@extschema@.answer_readable(t.told -> 'note'), '; ' ORDER BY t.n)\n"
	"\t\t\t\t\tFROM jsonb_array_elements(told) WITH ORDINALITY AS t (told, n))), '');\n"
	"\t\t\tEND IF;\n"
	"\t\t\tRETURN NEXT;\n"
	"\t\tEND LOOP;\n"
	"\t\tIF items <> '[]' THEN\n"
	"\t\t\tRETURN;\n"
	"\t\tEND IF;\n"
	"\tEND IF;\n"
	"\n"
	"\tIF kind IN ('decision/v1', 'packet/v1', 'plan/v1') THEN\n"
	"\t\tRETURN QUERY\n"
	"\t\tWITH chunk AS (\n"
	"\t\t\tSELECT c.chunk FROM jsonb_array_elements(CASE jsonb_typeof(receipt #> '{retrieval,chunks}') WHEN 'array'\n"
	"\t\t\t\tTHEN receipt #> '{retrieval,chunks}' ELSE '[]' END) AS c (chunk)\n"
	"\t\t), threshold (told, value, threshold, key) AS (\n"
	"\t\t\t-- the numbers behind a reason, and the key that sets the limit; at high risk the stricter limit of age decided\n"
	"\t\t\tSELECT v.told, NULLIF(v.value, 'null'), NULLIF(v.threshold, 'null'), to_jsonb(v.key)\n"
	"\t\t\tFROM (VALUES (CASE WHEN receipt #> '{risk,risk_level}' = '\"high\"' THEN '_high_risk' ELSE '' END)) AS l (suffix), LATERAL (VALUES\n"
	"\t\t\t\t('low_retrieval_confidence', receipt #> '{signals,retrieval_confidence_max}', receipt #> '{thresholds,conf_max}', 'confidence_threshold' || l.suffix),\n"
	"\t\t\t\t('insufficient_retrieval_hits', receipt #> '{signals,retrieval_hit_count}', receipt #> '{thresholds,min_chunks}', 'min_chunks'),\n"
	"\t\t\t\t('stale_documents', receipt #> '{retrieval_quality,freshness,oldest_timestamp}', receipt #> '{thresholds,freshness_days}', CASE\n"
	"\t\t\t\t\tWHEN receipt #> '{thresholds,freshness_days}' = receipt #> '{config,freshness_days}' THEN 'freshness_days'\n"
	"\t\t\t\t\tELSE 'freshness_days' || l.suffix END)) AS v (told, value, threshold, key)\n"
	"\t\t\tWHERE jsonb_typeof(receipt -> 'explain') IS DISTINCT FROM 'array'\n"
	"\t\t\tUNION ALL SELECT e.entry ->> 'reason', NULLIF(e.entry -> 'value', 'null'), NULLIF(e.entry -> 'threshold', 'null'), e.entry -> 'key'\n"
	"\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'explain') WHEN 'array' THEN receipt -> 'explain' ELSE '[]' END) AS e (entry)\n"
	"\t\t\tWHERE jsonb_typeof(e.entry) = 'object'\n"
	"\t\t), decision (part, n, \"check\", verdict, confidence, observed, reason) AS (\n"
	"\t\t\t-- the decision; each sentence of an answer; what it cites, what conflicts, what is wrong with an answer.  How similar a\n"
	"\t\t\t-- text is says nothing of its truth, so it is told, and is no confidence; how sure a judge is, is one\n"
	"\t\t\tSELECT 1, 1::bigint, '\"decision\"'::jsonb, receipt -> 'decision', receipt #> '{signals,answer_confidence}', NULL::jsonb,\n"
	"\t\t\t\tconcat_ws(': ', (SELECT string_agg(concat(@extschema@.answer_readable(r.reason), ' (' || CASE e.told\n"
	"\t\t\t\t\t\tWHEN 'stale_documents' THEN COALESCE('the oldest source is ' || CASE jsonb_typeof(e.value) WHEN 'number' THEN @extschema@.answer_readable(e.value) || ' days old'\n"
	"\t\t\t\t\t\t\tELSE 'of ' || @extschema@.answer_readable(e.value) END, 'the oldest source has no date') || ', ' || format('at most %s days are allowed, %s',\n"
	"\t\t\t\t\t\t\t@extschema@.answer_readable(e.threshold), @extschema@.answer_readable(e.key))\n"
	"\t\t\t\t\t\tWHEN e.told THEN format('%s, needs %s, %s', @extschema@.answer_readable(e.value), @extschema@.answer_readable(e.threshold),\n"
	"\t\t\t\t\t\t\t@extschema@.answer_readable(e.key)) END || ')'), ', ' ORDER BY r.n)\n"
	"\t\t\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'reasons') WHEN 'array' THEN receipt -> 'reasons' ELSE '[]' END)\n"
	"\t\t\t\t\t\tWITH ORDINALITY AS r (reason, n)\n"
	"\t\t\t\t\tLEFT JOIN threshold AS e ON to_jsonb(e.told) = r.reason AND e.value IS NOT NULL AND e.threshold IS NOT NULL),\n"
	"\t\t\t\t\t@extschema@.answer_readable(NULLIF(receipt -> 'user_message', 'null')))\n"
	"\t\t\tUNION ALL SELECT 2, e.n, to_jsonb('sentence ' || e.n), e.sentence -> 'status', NULL,\n"
	"\t\t\t\tto_jsonb(@extschema@.answer_text_between(receipt #>> '{proposed,answer}', e.sentence -> 'start', e.sentence -> 'end')),\n"
	"\t\t\t\tconcat_ws('; ', CASE e.sentence ->> 'status' WHEN 'supported' THEN @extschema@.answer_judged_by(receipt, '{entailment}')\n"
	"\t\t\t\t\t\tWHEN 'unsupported' THEN @extschema@.answer_judged_by(receipt, '{entailment}') WHEN 'no_claim' THEN @extschema@.answer_judged_by(receipt, '{entailment}')\n"
	"\t\t\t\t\t\tWHEN 'contradicted' THEN COALESCE(@extschema@.answer_readable(NULLIF(e.sentence -> 'reason', 'null')), @extschema@.answer_judged_by(receipt, '{entailment}'))\n"
	"\t\t\t\t\t\tWHEN 'not_judged' THEN 'not judged' WHEN 'quoted' THEN 'not judged' END,\n"
	"\t\t\t\t\tCASE WHEN jsonb_array_length(CASE jsonb_typeof(e.sentence -> 'citations') WHEN 'array' THEN e.sentence -> 'citations' ELSE '[]' END) > 0\n"
	"\t\t\t\t\t\tTHEN 'over ' || @extschema@.answer_readable(e.sentence -> 'citations') END)\n"
	"\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt #> '{validation,sentences}') WHEN 'array' THEN receipt #> '{validation,sentences}' ELSE '[]' END)\n"
	"\t\t\t\tWITH ORDINALITY AS e (sentence, n)\n"
	"\t\t\tUNION ALL SELECT 3, w.n, w.id, '\"cited\"', NULL, k.chunk -> 'text',\n"
	"\t\t\t\tconcat_ws('; ', 'similarity ' || @extschema@.answer_readable(k.chunk -> 'similarity'), @extschema@.answer_readable(k.chunk -> 'timestamp'))\n"
	"\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'citations') WHEN 'array' THEN receipt -> 'citations' ELSE '[]' END)\n"
	"\t\t\t\tWITH ORDINALITY AS w (id, n)\n"
	"\t\t\tLEFT JOIN chunk AS k ON k.chunk -> 'chunk_id' = w.id\n"
	"\t\t\tUNION ALL SELECT 4, p.n, p.pair -> 'kind', '\"conflict\"', NULL, NULL, format('%s and %s: %s', @extschema@.answer_readable(p.pair #> '{chunk_a,chunk_id}'),\n"
	"\t\t\t\t@extschema@.answer_readable(p.pair #> '{chunk_b,chunk_id}'), @extschema@.answer_readable(p.pair -> 'reason'))\n"
	"\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt #> '{conflicts,pairs}') WHEN 'array' THEN receipt #> '{conflicts,pairs}' ELSE '[]' END)\n"
	"\t\t\t\tWITH ORDINALITY AS p (pair, n)\n"
	"\t\t\tUNION ALL SELECT l.part, v.n, '\"citations\"', to_jsonb(left(l.list, -1)), NULL, NULL, @extschema@.answer_readable(v.told)\n"
	"\t\t\tFROM (VALUES (5, 'errors'), (6, 'warnings')) AS l (part, list), jsonb_array_elements(CASE jsonb_typeof(receipt -> 'validation' -> l.list)\n"
	"\t\t\t\tWHEN 'array' THEN receipt -> 'validation' -> l.list ELSE '[]' END) WITH ORDINALITY AS v (told, n)\n"
	"\t\t\tUNION ALL SELECT 7, w.n, w.judge -> 'name', '\"judge\"', NULL, NULL,\n"
	"\t\t\t\t@extschema@.answer_judged_by(jsonb_build_object('judges', jsonb_build_array(w.judge), 'judgements', receipt -> 'judgements'))\n"
	"\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'judges') WHEN 'array' THEN receipt -> 'judges' ELSE '[]' END) WITH ORDINALITY AS w (judge, n)\n"
	"\t\t\tUNION ALL SELECT 8, c.n, c.changed -> 'key', '\"changed\"', NULL, c.changed -> 'new', 'the request; it was ' || @extschema@.answer_readable(c.changed -> 'old')\n"
	"\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'config_changed') WHEN 'array' THEN receipt -> 'config_changed' ELSE '[]' END) WITH ORDINALITY AS c (changed, n)\n"
	"\t\t), packet (part, n, \"check\", verdict, confidence, observed, reason) AS (\n"
	"\t\t\t-- the packet; its faults; the nodes that it cites, in their order\n"
	"\t\t\tSELECT 1, 1::bigint, '\"packet\"'::jsonb, receipt #> '{packet,status}', to_jsonb(CASE jsonb_typeof(receipt #> '{packet,context_veracity,confidence_score}')\n"
	"\t\t\t\tWHEN 'number' THEN (receipt #> '{packet,context_veracity,confidence_score}')::numeric / 100 END), NULL::jsonb,\n"
	"\t\t\t\t@extschema@.answer_readable(receipt #> '{packet,meta,project}')\n"
	"\t\t\tUNION ALL SELECT 2, f.n, COALESCE(f.fault #> '{evidence,node_id}', f.fault #> '{evidence,doc_id}'), f.fault -> 'type', NULL, NULL,\n"
	"\t\t\t\t@extschema@.answer_readable(f.fault -> 'message')\n"
	"\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt #> '{packet,context_veracity,faults}') WHEN 'array'\n"
	"\t\t\t\tTHEN receipt #> '{packet,context_veracity,faults}' ELSE '[]' END) WITH ORDINALITY AS f (fault, n)\n"
	"\t\t\tUNION ALL SELECT l.part, e.n, e.entry -> 'id', to_jsonb(l.word), e.entry -> 'score', e.entry -> 'name',\n"
	"\t\t\t\tconcat_ws(':', @extschema@.answer_readable(e.entry -> 'path'), @extschema@.answer_readable(e.entry -> 'start_line'))\n"
	"\t\t\tFROM (VALUES (3, 'code_truth', 'code'), (4, 'doc_claims', 'document')) AS l (part, list, word),\n"
	"\t\t\t\tjsonb_array_elements(CASE jsonb_typeof(receipt -> 'packet' -> l.list) WHEN 'array' THEN receipt -> 'packet' -> l.list ELSE '[]' END)\n"
	"\t\t\t\t\tWITH ORDINALITY AS e (entry, n)\n"
	"\t\t), plan (part, n, \"check\", verdict, confidence, observed, reason) AS (\n"
	"\t\t\t-- the plan; its caveats; the events of its trace\n"
	"\t\t\tSELECT 1, 1::bigint, '\"plan\"'::jsonb, receipt -> 'verdict', receipt #> '{response,evidence,confidence}', receipt #> '{response,text}',\n"
	"\t\t\t\tconcat_ws(': ', @extschema@.answer_readable(receipt #> '{reason,kind}'), concat(@extschema@.answer_readable(receipt #> '{reason,message}'), CASE WHEN receipt -> 'policy' ? 'freshness_days' THEN\n"
	"\t\t\t\t\tCASE receipt #>> '{reason,kind}' WHEN 'confidence' THEN ' (min_confidence)' WHEN 'conflict' THEN ' (block_if_conflict_over)'\n"
	"\t\t\t\t\t\tWHEN 'stale_documents' THEN ' (freshness_days)' END END,\n"
	"\t\t\t\t\t-- what older documents do not say themselves\n"
	"\t\t\t\t\tCASE concat(CASE WHEN receipt -> 'policy' ? 'freshness_days' AND receipt #>> '{reason,kind}' <> 'budget' THEN 'told ' END,\n"
	"\t\t\t\t\t\treceipt #>> '{reason,kind}')\n"
	"\t\t\t\t\tWHEN 'confidence' THEN ', needs ' || @extschema@.answer_readable(to_jsonb(i.needed)) || ' (min_confidence)'\n"
	"\t\t\t\t\tWHEN 'budget' THEN ' of ' || NULLIF(concat_ws(' and ', @extschema@.answer_readable(NULLIF(receipt #> '{limits,cost_usd}', 'null')) || ' USD (cost_cap_usd)',\n"
	"\t\t\t\t\t\t@extschema@.answer_readable(NULLIF(receipt #> '{limits,latency_ms}', 'null')) || ' ms (latency_budget_ms)'), '')\n"
	"\t\t\t\t\tWHEN 'conflict' THEN ', at most ' || @extschema@.answer_readable(to_jsonb(i.allowed)) || ' is allowed (block_if_conflict_over)' END))\n"
	"\t\t\t-- the plan's thresholds, or those of the step that was blocked, where these are stricter\n"
	"\t\t\tFROM (SELECT max(l.needed), min(l.allowed) FROM (\n"
	"\t\t\t\tSELECT t.record -> 'inputs' AS given FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'trace') WHEN 'array' THEN receipt -> 'trace' ELSE '[]' END) AS t (record)\n"
	"\t\t\t\t\tWHERE t.record #> '{event,step}' = receipt #> '{reason,node}' AND t.record #> '{event,outcome}' = '\"blocked\"'\n"
	"\t\t\t\tUNION ALL SELECT receipt -> 'policy') AS p\n"
	"\t\t\t\tCROSS JOIN LATERAL (SELECT CASE jsonb_typeof(p.given -> 'min_confidence') WHEN 'number' THEN (p.given ->> 'min_confidence')::numeric END,\n"
	"\t\t\t\t\tCASE jsonb_typeof(COALESCE(p.given #> '{policy,block_if_conflict_over}', p.given -> 'block_if_conflict_over')) WHEN 'number'\n"
	"\t\t\t\t\t\tTHEN COALESCE(p.given #>> '{policy,block_if_conflict_over}', p.given ->> 'block_if_conflict_over')::numeric END) AS l (needed, allowed)) AS i (needed, allowed)\n"
	"\t\t\tUNION ALL SELECT 2, c.n, NULL, '\"caveat\"', NULL, NULL, @extschema@.answer_readable(CASE jsonb_typeof(c.caveat) WHEN 'object' THEN c.caveat -> 'text' ELSE c.caveat END)\n"
	"\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'caveats') WHEN 'array' THEN receipt -> 'caveats' ELSE '[]' END)\n"
	"\t\t\t\tWITH ORDINALITY AS c (caveat, n)\n"
	"\t\t\tUNION ALL SELECT 3, t.n, t.record #> '{event,step}', t.record #> '{event,outcome}', NULL, NULL,\n"
	"\t\t\t\t@extschema@.answer_readable(NULLIF(t.record #> '{event,reason}', 'null'))\n"
	"\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'trace') WHEN 'array' THEN receipt -> 'trace' ELSE '[]' END)\n"
	"\t\t\t\tWITH ORDINALITY AS t (record, n)\n"
	"\t\t), line AS (\n"
	"\t\t\tSELECT d.* FROM decision AS d WHERE kind = 'decision/v1'\n"
	"\t\t\tUNION ALL SELECT p.* FROM packet AS p WHERE kind = 'packet/v1'\n"
	"\t\t\tUNION ALL SELECT p.* FROM plan AS p WHERE kind = 'plan/v1'\n"
	"\t\t)\n"
	"\t\tSELECT @extschema@.answer_readable(l.\"check\"), @extschema@.answer_readable(l.verdict),\n"
	"\t\t\tCASE WHEN jsonb_typeof(l.confidence) = 'number' AND l.confidence::numeric BETWEEN 0 AND 1 THEN round(l.confidence::numeric, 17)::float8 END,\n"
	"\t\t\t@extschema@.answer_readable(l.observed), NULLIF(l.reason, '')\n"
	"\t\tFROM line AS l ORDER BY l.part, l.n;\n"
	"\t\tRETURN;\n"
	"\tEND IF;\n"
	"\n"
	"\t-- one row for the whole, where there is nothing to list\n"
	"\tverdict := CASE kind WHEN 'answer/tombstone/v1' THEN 'forgotten'\n"
	"\t\tELSE @extschema@.answer_readable(COALESCE(receipt -> 'verdict', receipt -> 'outcome')) END;\n"
	"\tconfidence := CASE WHEN jsonb_typeof(receipt -> 'confidence') = 'number' AND (receipt -> 'confidence')::numeric BETWEEN 0 AND 1\n"
	"\t\tTHEN round((receipt -> 'confidence')::numeric, 17)::float8 END;\n"
	"\treason := CASE kind\n"
	"\t\tWHEN 'answer/tombstone/v1' THEN @extschema@.answer_readable(receipt -> 'reason')\n"
	"\t\tWHEN 'answer/v1' THEN COALESCE(@extschema@.answer_readable(receipt -> 'route' -> 'reason'), 'there is no check')\n"
	"\t\tWHEN 'quality/v1' THEN 'no class of evidence is required or recorded'\n"
	"\t\tELSE format('a document of %s has no checks', @extschema@.answer_readable(receipt -> 'schema')) END;\n"
	"\tRETURN NEXT;\n"
	"END\n"
	""},
	{"function @extschema@.answer_slo(span interval, until timestamp with time zone)",
	"c(span interval, until timestamp with time zone DEFAULT NULL::timestamp with time zone) returns TABLE(tenant text, intent text, answers bigint, given bigint, required bigint, cited bigint, citation_rate double precision, contradicted bigint, contradiction_rate double precision, prevented bigint, prevented_rate double precision, unsupported bigint, unsupported_rate double precision, unjudged bigint, unjudged_rate double precision, sentences bigint, grounded bigint, groundedness double precision, refused bigint, refusal_rate double precision, p50_ms double precision, p95_ms double precision, cost_per_answer double precision, cost_per_verified_answer double precision, coverage double precision, gqs double precision, state text), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 10000, rows 100, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function @extschema@.answer_slo_refusals(span interval, until timestamp with time zone)",
	"c(span interval, until timestamp with time zone DEFAULT NULL::timestamp with time zone) returns TABLE(tenant text, intent text, reason text, refused bigint, share double precision), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 10000, rows 100, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function @extschema@.answer_source_register(source text, independence_group text, url text, licence text, description text, replace boolean)",
	"c(source text, independence_group text DEFAULT NULL::text, url text DEFAULT NULL::text, licence text DEFAULT NULL::text, description text DEFAULT NULL::text, replace boolean DEFAULT false) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_source_remove(source text)",
	"c(source text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_suite_judge(suite text, config jsonb)",
	"c(suite text, config jsonb DEFAULT NULL::jsonb) returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100000, rows 0, settings , extension t in answer_eval: answer_eval_suite_judge"},
	{"function @extschema@.answer_suite_load(name text, cases jsonb, documents jsonb, now timestamp with time zone)",
	"c(name text, cases jsonb, documents jsonb DEFAULT '[]'::jsonb, now timestamp with time zone DEFAULT NULL::timestamp with time zone) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_suite_run(suite text, config jsonb, version integer)",
	"c(suite text, config jsonb DEFAULT NULL::jsonb, version integer DEFAULT NULL::integer) returns text, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1e+06, rows 0, settings , extension t in answer_eval: answer_eval_suite_run"},
	{"function @extschema@.answer_suite_run_prune(before timestamp with time zone)",
	"c(before timestamp with time zone) returns integer, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_suite_run_resume(IN suite text, IN config jsonb, IN version integer, IN batch integer, INOUT run_id text)",
	"c(IN suite text, IN config jsonb DEFAULT NULL::jsonb, IN version integer DEFAULT NULL::integer, IN batch integer DEFAULT 100, INOUT run_id text DEFAULT NULL::text) returns , kind p, volatile v, strict f, definer f, leakproof f, parallel u, cost 1, rows 0, settings , extension t in answer_eval: answer_eval_suite_run_resume"},
	{"function @extschema@.answer_suite_tune(suite text, goals jsonb)",
	"c(suite text, goals jsonb DEFAULT '{}'::jsonb) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 1e+06, rows 0, settings , extension t in answer_eval: answer_eval_suite_tune"},
	{"function @extschema@.answer_suites()",
	"c() returns TABLE(suite text, version integer, digest text, cases integer, documents integer, now timestamp with time zone, seed boolean, loaded_at timestamp with time zone), kind f, volatile s, strict f, definer f, leakproof f, parallel u, cost 1000, rows 20, settings , extension t in answer_eval: answer_eval_rows_of_tenants"},
	{"function @extschema@.answer_summary(receipt jsonb)",
	"plpgsql(receipt jsonb) returns text, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"<<summary>>\n"
	"DECLARE\n"
	"\tverdict text;\n"
	"\ttotal bigint;\n"
	"\tcounts text;\n"
	"\tcause text;\n"
	"\tshown text;\n"
	"\twhy text;\n"
	"BEGIN\n"
	"\tverdict := @extschema@.answer_readable(receipt -> 'verdict');\n"
	"\t-- What is no document is refused by answer_show.  The first check that made the verdict is named; of several that\n"
	"\t-- hold or are recorded none stands out.\n"
	"\tWITH row AS MATERIALIZED (\n"
	"\t\tSELECT s.*\n"
	"\t\tFROM ROWS FROM (jsonb_array_elements(CASE jsonb_typeof(receipt -> 'checks') WHEN 'array' THEN receipt -> 'checks' ELSE '[]' END),\n"
	"\t\t\t@extschema@.answer_show(receipt)) WITH ORDINALITY AS s (body, \"check\", verdict, confidence, observed, reason, n)\n"
	"\t), listed AS (\n"
	"\t\tSELECT * FROM row WHERE row.body IS NOT NULL\n"
	"\t)\n"
	"\tSELECT (SELECT count(*) FROM listed),\n"
	"\t\t(SELECT string_agg(format('%s %s', v.n, COALESCE(v.verdict, 'without a verdict')), ', ' ORDER BY v.n DESC, v.verdict COLLATE \"C\")\n"
	"\t\tFROM (SELECT CASE l.verdict WHEN 'value' THEN 'recorded' ELSE translate(l.verdict, '_', ' ') END, count(*)\n"
	"\t\t\tFROM listed AS l GROUP BY 1) AS v (verdict, n)),\n"
	"\t\t(SELECT concat_ws(': ', concat_ws(' observed ', @extschema@.answer_readable(to_jsonb((l.body -> 'id')::text)), l.observed), l.reason)\n"
	"\t\tFROM listed AS l\n"
	"\t\tWHERE CASE summary.verdict\n"
	"\t\t\tWHEN 'contradicted' THEN l.verdict = 'contradicted' AND l.body -> 'required' IS DISTINCT FROM 'false'\n"
	"\t\t\tWHEN 'insufficient_evidence' THEN l.verdict NOT IN ('supported', 'contradicted', 'value') AND l.body -> 'required' IS DISTINCT FROM 'false'\n"
	"\t\t\tELSE false END\n"
	"\t\t\tOR l.n = 1 AND (SELECT count(*) FROM listed) = 1\n"
	"\t\tORDER BY l.n LIMIT 1),\n"
	"\t\t(SELECT min(row.verdict) FROM row),\n"
	"\t\t(SELECT row.reason FROM row ORDER BY row.n LIMIT 1)\n"
	"\tINTO summary.total, summary.counts, summary.cause, summary.shown, summary.why;\n"
	"\n"
	"\tCASE receipt ->> 'schema'\n"
	"\tWHEN 'answer/tombstone/v1' THEN\n"
	"\t\tRETURN format('%s was forgotten at %s: %s.',\n"
	"\t\t\tCOALESCE('Receipt ' || @extschema@.answer_readable(receipt -> 'receipt_id'),\n"
	"\t\t\t\t'Evidence ' || @extschema@.answer_readable(receipt -> 'digest'), 'A document'),\n"
	"\t\t\tCOALESCE(@extschema@.answer_readable(receipt -> 'forgotten_at'), 'an unknown time'),\n"
	"\t\t\tCOALESCE(@extschema@.answer_readable(receipt -> 'reason'), 'no reason is stated'));\n"
	"\tWHEN 'quality/v1' THEN\n"
	"\t\tRETURN format('The investigation %s is %s: %s.', @extschema@.answer_readable(to_jsonb((receipt -> 'investigation' -> 'question')::text)),\n"
	"\t\t\tCASE WHEN receipt -> 'complete' = 'true' THEN 'complete' ELSE 'not complete' END,\n"
	"\t\t\tCOALESCE(@extschema@.answer_readable(receipt -> 'confidence' -> 'explanation'), 'nothing was required'));\n"
	"\tWHEN 'decision/v1' THEN\n"
	"\t\t-- how similar a text is says nothing of its truth; who judged it is told, or that nobody did\n"
	"\t\tRETURN format('%s: %s (similarity %s%s%s): %s; %s%s%s.', COALESCE(@extschema@.answer_readable(to_jsonb((receipt -> 'query')::text)), 'No query'),\n"
	"\t\t\tCOALESCE(@extschema@.answer_readable(receipt -> 'decision'), 'no decision'),\n"
	"\t\t\tCOALESCE(@extschema@.answer_readable(receipt #> '{signals,retrieval_confidence_max}'), 'not stated'),\n"
	"\t\t\tCOALESCE(', answers ' || @extschema@.answer_readable(NULLIF(receipt #> '{signals,answer_confidence}', 'null')), ''),\n"
	"\t\t\tCASE WHEN receipt -> 'degraded' = 'true' THEN ', degraded' ELSE '' END,\n"
	"\t\t\tCOALESCE(CASE WHEN receipt -> 'decision' IN ('\"CLARIFY\"', '\"ABSTAIN\"', '\"BLOCK\"') THEN @extschema@.answer_readable(to_jsonb(to_jsonb(why)::text)) END,\n"
	"\t\t\t\t@extschema@.answer_readable(to_jsonb((NULLIF(receipt -> 'answer', 'null'))::text)), 'there is no answer')\n"
	"\t\t\t\t|| COALESCE(CASE WHEN receipt -> 'decision' = '\"ANSWER_WITH_CAVEATS\"' THEN '; caveat: '\n"
	"\t\t\t\t\t|| @extschema@.answer_readable(to_jsonb((NULLIF(receipt -> 'user_message', 'null'))::text)) END, ''),\n"
	"\t\t\t@extschema@.answer_judged_by(receipt),\n"
	"\t\t\tCOALESCE('; ' || (SELECT string_agg(format('sentence %s %s', e.n, translate(@extschema@.answer_readable(e.sentence -> 'status'), '_', ' ')), ', ' ORDER BY e.n)\n"
	"\t\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt #> '{validation,sentences}') WHEN 'array' THEN receipt #> '{validation,sentences}' ELSE '[]' END)\n"
	"\t\t\t\t\tWITH ORDINALITY AS e (sentence, n) WHERE e.n <= 100), ''),\n"
	"\t\t\tCOALESCE('; the request changed ' || (SELECT string_agg(format('%s from %s to %s', @extschema@.answer_readable(c.changed -> 'key'),\n"
	"\t\t\t\t\t@extschema@.answer_readable(c.changed -> 'old'), @extschema@.answer_readable(c.changed -> 'new')), ', ' ORDER BY c.n)\n"
	"\t\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'config_changed') WHEN 'array' THEN receipt -> 'config_changed' ELSE '[]' END)\n"
	"\t\t\t\t\tWITH ORDINALITY AS c (changed, n)), ''));\n"
	"\tWHEN 'packet/v1' THEN\n"
	"\t\tRETURN format('%s: %s (score %s%s): %s.', COALESCE(@extschema@.answer_readable(to_jsonb((receipt #> '{packet,meta,question}')::text)), 'No question'),\n"
	"\t\t\tCOALESCE(translate(@extschema@.answer_readable(receipt #> '{packet,status}'), '_', ' '), 'no status'),\n"
	"\t\t\tCOALESCE(@extschema@.answer_readable(receipt #> '{packet,context_veracity,confidence_score}'), 'not stated'),\n"
	"\t\t\tCASE WHEN receipt #> '{packet,context_veracity,is_stale}' = 'true' THEN ', stale' ELSE '' END,\n"
	"\t\t\tformat('%s of code, %s of documents',\n"
	"\t\t\t\tjsonb_array_length(CASE jsonb_typeof(receipt #> '{packet,code_truth}') WHEN 'array' THEN receipt #> '{packet,code_truth}' ELSE '[]' END),\n"
	"\t\t\t\tjsonb_array_length(CASE jsonb_typeof(receipt #> '{packet,doc_claims}') WHEN 'array' THEN receipt #> '{packet,doc_claims}' ELSE '[]' END)));\n"
	"\tWHEN 'plan/v1' THEN\n"
	"\t\tRETURN format('%s: %s (%s%s%s): %s.', COALESCE(@extschema@.answer_readable(to_jsonb((receipt #> '{plan,plan_id}')::text)), 'No plan'),\n"
	"\t\t\tCOALESCE(upper(left(verdict, 1) COLLATE \"C\") || substr(verdict, 2), 'no verdict'),\n"
	"\t\t\t'confidence ' || @extschema@.answer_readable(receipt #> '{response,evidence,confidence}') || ', ',\n"
	"\t\t\tconcat(@extschema@.answer_readable(receipt #> '{budget_used,latency_ms}') || ' ms and ',\n"
	"\t\t\t\tCOALESCE(@extschema@.answer_readable(receipt #> '{budget_used,cost_usd}'), 'unknown'), ' USD',\n"
	"\t\t\t\t' ' || @extschema@.answer_readable(receipt #> '{budget_used,basis}')),\n"
	"\t\t\tCASE WHEN receipt #> '{response,degraded}' = 'true' THEN ', degraded' ELSE '' END\n"
	"\t\t\t|| COALESCE(', ' || @extschema@.answer_readable(receipt #> '{response,evidence,origin}'), '')\n"
	"\t\t\t-- by whom, where there was somebody to ask or nobody has\n"
	"\t\t\t|| COALESCE(', ' || NULLIF(@extschema@.answer_judged_by((SELECT jsonb_build_object('judges', COALESCE(jsonb_agg(DISTINCT j.judge), '[]'),\n"
	"\t\t\t\t\t'judgements', COALESCE(jsonb_agg(j.judgement), '[]'))\n"
	"\t\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'trace') WHEN 'array' THEN receipt -> 'trace' ELSE '[]' END) AS t (record)\n"
	"\t\t\t\tCROSS JOIN LATERAL (SELECT t.record #> '{outputs,evidence}') AS e (evidence)\n"
	"\t\t\t\tCROSS JOIN LATERAL (SELECT w.judge, s.judgement\n"
	"\t\t\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(e.evidence -> 'judges') WHEN 'array' THEN e.evidence -> 'judges' ELSE '[]' END) AS w (judge)\n"
	"\t\t\t\t\tJOIN jsonb_array_elements(CASE jsonb_typeof(e.evidence -> 'judgements') WHEN 'array' THEN e.evidence -> 'judgements' ELSE '[]' END)\n"
	"\t\t\t\t\t\tAS s (judgement) ON s.judgement -> 'judge' = w.judge -> 'name') AS j)),\n"
	"\t\t\t\tCASE WHEN receipt @> '{\"caveats\": [{\"code\": \"not_judged\"}]}' THEN '' ELSE 'not judged' END), ''),\n"
	"\t\t\tCOALESCE(@extschema@.answer_readable(to_jsonb(COALESCE(receipt #> '{response,text}', to_jsonb(NULLIF(why, '')))::text)), 'there is no text'));\n"
	"\tWHEN 'answer/v1' THEN\n"
	"\t\tNULL;\n"
	"\tELSE\n"
	"\t\tRETURN format('Document%s of %s%s%s%s.', ' ' || @extschema@.answer_readable(receipt -> 'receipt_id'),\n"
	"\t\t\t@extschema@.answer_readable(receipt -> 'schema'), ', issued at ' || @extschema@.answer_readable(receipt -> 'issued_at'),\n"
	"\t\t\t' by ' || @extschema@.answer_readable(receipt -> 'issuer'), ': ' || shown);\n"
	"\tEND CASE;\n"
	"\n"
	"\t-- What somebody else chose stands in quotes, so that it cannot pass for a part of the sentence.\n"
	"\tIF verdict = 'outside_evidence_coverage' AND total = 0 THEN\n"
	"\t\tRETURN format('The question %s was refused: %s.', @extschema@.answer_readable(to_jsonb((receipt -> 'question')::text)),\n"
	"\t\t\tCOALESCE(@extschema@.answer_readable(receipt -> 'route' -> 'reason'), 'it is outside what can be asked')\n"
	"\t\t\t|| COALESCE('; ' || @extschema@.answer_readable(receipt #> '{coverage,missed,reason}'), '')\n"
	"\t\t\t|| COALESCE('; closest: ' || (SELECT string_agg(@extschema@.answer_readable(to_jsonb((c.route -> 'example')::text)), ', ' ORDER BY c.n)\n"
	"\t\t\t\tFROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'coverage' -> 'closest') WHEN 'array' THEN receipt -> 'coverage' -> 'closest' ELSE '[]' END)\n"
	"\t\t\t\t\tWITH ORDINALITY AS c (route, n)), ''));\n"
	"\tEND IF;\n"
	"\n"
	"\tverdict := COALESCE(verdict, 'no verdict');\n"
	"\tRETURN format('%s%s (confidence %s%s): %s.', @extschema@.answer_readable(to_jsonb((receipt -> 'question')::text)) || ': ',\n"
	"\t\tupper(left(verdict, 1) COLLATE \"C\") || substr(translate(verdict, '_', ' '), 2),\n"
	"\t\tCOALESCE(@extschema@.answer_readable(receipt -> 'confidence'), 'not stated'),\n"
	"\t\tCASE WHEN receipt -> 'degraded' = 'true' THEN ', degraded' ELSE '' END,\n"
	"\t\tCOALESCE(NULLIF(concat_ws('; ', cause, CASE WHEN total > 1 THEN format('%s checks: %s', total, counts) END), ''), 'there is no check'));\n"
	"END\n"
	""},
	{"function @extschema@.answer_tenant()",
	"c() returns text, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_tenant_current"},
	{"function @extschema@.answer_tenant_create(tenant text)",
	"c(tenant text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_tenant_grant(tenant text, role text)",
	"c(tenant text, role text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_tenant_revoke(tenant text, role text)",
	"c(tenant text, role text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_operator"},
	{"function @extschema@.answer_tenants()",
	"c() returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 500, rows 0, settings , extension t in answer_eval: answer_eval_of_tenants"},
	{"function @extschema@.answer_text_between(whole text, first jsonb, beyond jsonb)",
	"plpgsql(whole text, first jsonb, beyond jsonb) returns text, kind f, volatile i, strict t, definer f, leakproof f, parallel s, cost 10, rows 0, settings {\"search_path=pg_catalog, pg_temp\"}, extension t: \n"
	"DECLARE\n"
	"\tbytes bytea := convert_to(whole, 'UTF8');\n"
	"\tstarts numeric;\n"
	"\tends numeric;\n"
	"BEGIN\n"
	"\tIF jsonb_typeof(first) <> 'number' OR jsonb_typeof(beyond) <> 'number' THEN\n"
	"\t\tRETURN NULL;\n"
	"\tEND IF;\n"
	"\tstarts := (first #>> '{}')::numeric;\n"
	"\tends := (beyond #>> '{}')::numeric;\n"
	"\tIF starts < 0 OR ends < starts OR ends > length(bytes) OR starts <> trunc(starts) OR ends <> trunc(ends)\n"
	"\t\tOR starts < length(bytes) AND get_byte(bytes, starts::integer) & 192 = 128\n"
	"\t\tOR ends < length(bytes) AND get_byte(bytes, ends::integer) & 192 = 128 THEN\n"
	"\t\tRETURN NULL;\n"
	"\tEND IF;\n"
	"\tRETURN convert_from(substring(bytes FROM starts::integer + 1 FOR (ends - starts)::integer), 'UTF8');\n"
	"END\n"
	""},
	{"function @extschema@.answer_tombstone_add(digest text, reason text)",
	"c(digest text, reason text) returns jsonb, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 5000, rows 0, settings , extension t in answer_eval: answer_eval_tombstone_add"},
	{"function @extschema@.answer_tool_invoke(name text, args jsonb)",
	"c(name text, args jsonb DEFAULT '{}'::jsonb) returns jsonb, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 200, rows 0, settings , extension t in answer_eval: answer_eval_tool_invoke"},
	{"function @extschema@.answer_tool_register(name text, handler regprocedure, required_args text[], freshness interval, value_path text, spec jsonb, replace boolean, options jsonb)",
	"c(name text, handler regprocedure DEFAULT NULL::regprocedure, required_args text[] DEFAULT '{}'::text[], freshness interval DEFAULT NULL::interval, value_path text DEFAULT NULL::text, spec jsonb DEFAULT NULL::jsonb, replace boolean DEFAULT false, options jsonb DEFAULT '{}'::jsonb) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_tool_register"},
	{"function @extschema@.answer_tool_remove(tool text)",
	"c(tool text) returns void, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_for_tenant"},
	{"function @extschema@.answer_tool_spec(name text)",
	"c(name text) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 200, rows 0, settings , extension t in answer_eval: answer_eval_tool_spec"},
	{"function @extschema@.answer_trace(id text, after_seq integer, sig_text boolean)",
	"c(id text, after_seq integer DEFAULT NULL::integer, sig_text boolean DEFAULT false) returns SETOF jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel r, cost 1000, rows 10, settings , extension t in answer_eval: answer_eval_rows_of_reader"},
	{"function @extschema@.answer_trace_verify(trace_id text)",
	"c(trace_id text) returns jsonb, kind f, volatile s, strict t, definer f, leakproof f, parallel r, cost 10000, rows 0, settings , extension t in answer_eval: answer_eval_trace_verify"},
	{"function @extschema@.answer_validate(request jsonb)",
	"c(request jsonb) returns jsonb, kind f, volatile i, strict f, definer f, leakproof f, parallel s, cost 20, rows 0, settings , extension t in answer_eval: answer_eval_validate"},
	{"function @extschema@.answer_verify(receipt jsonb, keys jsonb)",
	"c(receipt jsonb, keys jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_verify_jsonb"},
	{"function @extschema@.answer_verify(receipt jsonb, keys jsonb, inclusion jsonb, vkeys text[])",
	"c(receipt jsonb, keys jsonb, inclusion jsonb, vkeys text[] DEFAULT NULL::text[]) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 2000, rows 0, settings , extension t in answer_eval: answer_eval_verify_final_jsonb"},
	{"function @extschema@.answer_verify(receipt text, keys jsonb)",
	"c(receipt text, keys jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_verify_json"},
	{"function @extschema@.answer_verify(receipt text, keys jsonb, inclusion jsonb, vkeys text[])",
	"c(receipt text, keys jsonb, inclusion jsonb, vkeys text[] DEFAULT NULL::text[]) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 2000, rows 0, settings , extension t in answer_eval: answer_eval_verify_final_json"},
	{"function @extschema@.answer_verify_document(document jsonb, keys jsonb)",
	"sql(document jsonb, keys jsonb DEFAULT NULL::jsonb) returns jsonb, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t: BEGIN ATOMIC SELECT answer_verify document, keys AS answer_verify; END"},
	{"function @extschema@.answer_verify_ok(receipt jsonb, keys jsonb)",
	"c(receipt jsonb, keys jsonb DEFAULT NULL::jsonb) returns boolean, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_verify_ok_jsonb"},
	{"function @extschema@.answer_verify_ok(receipt text, keys jsonb)",
	"c(receipt text, keys jsonb DEFAULT NULL::jsonb) returns boolean, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 1000, rows 0, settings , extension t in answer_eval: answer_eval_verify_ok_json"},
	{"function @extschema@.answer_witness_trust(vkey text)",
	"c(vkey text) returns text, kind f, volatile v, strict t, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_witness_trust"},
	{"function @extschema@.answer_witness_vkey(key_id text)",
	"c(key_id text DEFAULT NULL::text) returns text, kind f, volatile s, strict f, definer f, leakproof f, parallel s, cost 100, rows 0, settings , extension t in answer_eval: answer_eval_witness_vkey"},
	{"index anchor_pkey on answer.anchor",
	"CREATE UNIQUE INDEX anchor_pkey ON answer.anchor USING btree (tenant, receipt_id, token_digest), valid t t t, at once t"},
	{"index anchor_request_pkey on answer.anchor_request",
	"CREATE UNIQUE INDEX anchor_request_pkey ON answer.anchor_request USING btree (tenant, receipt_id, nonce), valid t t t, at once t"},
	{"index baseline_pkey on answer.baseline",
	"CREATE UNIQUE INDEX baseline_pkey ON answer.baseline USING btree (tenant, name, version), valid t t t, at once t"},
	{"index baseline_row_version on answer.baseline_row",
	"CREATE INDEX baseline_row_version ON answer.baseline_row USING btree (tenant, name, version), valid t t t, at once t"},
	{"index budget_cap_pkey on answer.budget_cap",
	"CREATE UNIQUE INDEX budget_cap_pkey ON answer.budget_cap USING btree (tenant, period), valid t t t, at once t"},
	{"index budget_period_pkey on answer.budget_period",
	"CREATE UNIQUE INDEX budget_period_pkey ON answer.budget_period USING btree (tenant, period, starts_on), valid t t t, at once t"},
	{"index budget_reservation_day on answer.budget_reservation",
	"CREATE INDEX budget_reservation_day ON answer.budget_reservation USING btree (tenant, day), valid t t t, at once t"},
	{"index budget_reservation_open on answer.budget_reservation",
	"CREATE INDEX budget_reservation_open ON answer.budget_reservation USING btree (tenant, trace_id) WHERE (settled_at IS NULL), valid t t t, at once t"},
	{"index budget_reservation_pkey on answer.budget_reservation",
	"CREATE UNIQUE INDEX budget_reservation_pkey ON answer.budget_reservation USING btree (tenant, trace_id), valid t t t, at once t"},
	{"index checkpoint_key_id on answer.checkpoint",
	"CREATE INDEX checkpoint_key_id ON answer.checkpoint USING btree (key_id), valid t t t, at once t"},
	{"index checkpoint_pkey on answer.checkpoint",
	"CREATE UNIQUE INDEX checkpoint_pkey ON answer.checkpoint USING btree (tree_size), valid t t t, at once t"},
	{"index chunk_embedding_pkey on answer.chunk_embedding",
	"CREATE UNIQUE INDEX chunk_embedding_pkey ON answer.chunk_embedding USING btree (tenant, chunk_id), valid t t t, at once t"},
	{"index chunk_item_pkey on answer.chunk_item",
	"CREATE UNIQUE INDEX chunk_item_pkey ON answer.chunk_item USING btree (tenant, item), valid t t t, at once t"},
	{"index chunk_pkey on answer.chunk",
	"CREATE UNIQUE INDEX chunk_pkey ON answer.chunk USING btree (tenant, doc_id, version, ordinal), valid t t t, at once t"},
	{"index chunk_search_document on answer.chunk_search",
	"CREATE INDEX chunk_search_document ON answer.chunk_search USING btree (tenant, doc_id), valid t t t, at once t"},
	{"index chunk_search_items on answer.chunk_search",
	"CREATE INDEX chunk_search_items ON answer.chunk_search USING gin (items, title_items), valid t t t, at once t"},
	{"index chunk_search_pkey on answer.chunk_search",
	"CREATE UNIQUE INDEX chunk_search_pkey ON answer.chunk_search USING btree (tenant, chunk_id), valid t t t, at once t"},
	{"index config_sample_pkey on answer.config_sample",
	"CREATE UNIQUE INDEX config_sample_pkey ON answer.config_sample USING btree (tenant, environment, revision, receipt_id, asked_by), valid t t t, at once t"},
	{"index cosignature_pkey on answer.cosignature",
	"CREATE UNIQUE INDEX cosignature_pkey ON answer.cosignature USING btree (tree_size, line), valid t t t, at once t"},
	{"index decision_cache_pkey on answer.decision_cache",
	"CREATE UNIQUE INDEX decision_cache_pkey ON answer.decision_cache USING btree (tenant, key), valid t t t, at once t"},
	{"index decision_rule_pkey on answer.decision_rule",
	"CREATE UNIQUE INDEX decision_rule_pkey ON answer.decision_rule USING btree (list, entry, seed), valid t t t, at once t"},
	{"index document_fact_key on answer.document_fact",
	"CREATE INDEX document_fact_key ON answer.document_fact USING btree (tenant, key), valid t t t, at once t"},
	{"index document_fact_pkey on answer.document_fact",
	"CREATE UNIQUE INDEX document_fact_pkey ON answer.document_fact USING btree (tenant, doc_id, version, digest), valid t t t, at once t"},
	{"index document_pkey on answer.document",
	"CREATE UNIQUE INDEX document_pkey ON answer.document USING btree (tenant, doc_id, version), valid t t t, at once t"},
	{"index document_set_pkey on answer.document_set",
	"CREATE UNIQUE INDEX document_set_pkey ON answer.document_set USING btree (tenant), valid t t t, at once t"},
	{"index environment_head_pkey on answer.environment_head",
	"CREATE UNIQUE INDEX environment_head_pkey ON answer.environment_head USING btree (tenant, environment), valid t t t, at once t"},
	{"index evidence_newest on answer.evidence",
	"CREATE INDEX evidence_newest ON answer.evidence USING btree (args_digest, tool, tenant, source, observed_at DESC, digest), valid t t t, at once t"},
	{"index evidence_pkey on answer.evidence",
	"CREATE UNIQUE INDEX evidence_pkey ON answer.evidence USING btree (tenant, digest), valid t t t, at once t"},
	{"index evidence_recorded on answer.evidence",
	"CREATE INDEX evidence_recorded ON answer.evidence USING brin (recorded_at), valid t t t, at once t"},
	{"index evidence_series_pkey on answer.evidence_series",
	"CREATE UNIQUE INDEX evidence_series_pkey ON answer.evidence_series USING btree (tenant, tool, args_digest, source), valid t t t, at once t"},
	{"index graph_edge_pkey on answer.graph_edge",
	"CREATE UNIQUE INDEX graph_edge_pkey ON answer.graph_edge USING btree (tenant, project, from_id, to_id, type), valid t t t, at once t"},
	{"index graph_edge_to on answer.graph_edge",
	"CREATE INDEX graph_edge_to ON answer.graph_edge USING btree (answer.graph_key(tenant, project, to_id)), valid t t t, at once t"},
	{"index graph_embedding_pkey on answer.graph_embedding",
	"CREATE UNIQUE INDEX graph_embedding_pkey ON answer.graph_embedding USING btree (tenant, project, id), valid t t t, at once t"},
	{"index graph_loose_project on answer.graph_loose",
	"CREATE INDEX graph_loose_project ON answer.graph_loose USING btree (tenant, project), valid t t t, at once t"},
	{"index graph_node_pkey on answer.graph_node",
	"CREATE UNIQUE INDEX graph_node_pkey ON answer.graph_node USING btree (tenant, project, id), valid t t t, at once t"},
	{"index graph_node_source on answer.graph_node",
	"CREATE INDEX graph_node_source ON answer.graph_node USING btree (answer.graph_key(tenant, project, source_path)), valid t t t, at once t"},
	{"index graph_search_items on answer.graph_search",
	"CREATE INDEX graph_search_items ON answer.graph_search USING gin (items, title_items), valid t t t, at once t"},
	{"index graph_search_pkey on answer.graph_search",
	"CREATE UNIQUE INDEX graph_search_pkey ON answer.graph_search USING btree (tenant, project, id), valid t t t, at once t"},
	{"index graph_set_pkey on answer.graph_set",
	"CREATE UNIQUE INDEX graph_set_pkey ON answer.graph_set USING btree (tenant, project), valid t t t, at once t"},
	{"index investigation_open on answer.investigation",
	"CREATE INDEX investigation_open ON answer.investigation USING btree (tenant, investigation) WHERE (closed_at IS NULL), valid t t t, at once t"},
	{"index investigation_pkey on answer.investigation",
	"CREATE UNIQUE INDEX investigation_pkey ON answer.investigation USING btree (tenant, investigation), valid t t t, at once t"},
	{"index judge_assessment_pkey on answer.judge_assessment",
	"CREATE UNIQUE INDEX judge_assessment_pkey ON answer.judge_assessment USING btree (tenant, judge, revision, kind, assessed_at), valid t t t, at once t"},
	{"index judge_pkey on answer.judge",
	"CREATE UNIQUE INDEX judge_pkey ON answer.judge USING btree (tenant, name), valid t t t, at once t"},
	{"index judge_version_pkey on answer.judge_version",
	"CREATE UNIQUE INDEX judge_version_pkey ON answer.judge_version USING btree (tenant, name, revision), valid t t t, at once t"},
	{"index judgement_pkey on answer.judgement",
	"CREATE UNIQUE INDEX judgement_pkey ON answer.judgement USING btree (tenant, pair, judge, judge_tenant, revision, judged_at), valid t t t, at once t"},
	{"index judgement_recorded on answer.judgement",
	"CREATE INDEX judgement_recorded ON answer.judgement USING brin (judged_at), valid t t t, at once t"},
	{"index log_audit_clean on answer.log_audit",
	"CREATE INDEX log_audit_clean ON answer.log_audit USING btree (to_size) WHERE (defects = 0), valid t t t, at once t"},
	{"index log_leaf_issued_at_receipt_id_key on answer.log_leaf",
	"CREATE UNIQUE INDEX log_leaf_issued_at_receipt_id_key ON answer.log_leaf USING btree (issued_at, receipt_id), valid t t t, at once t"},
	{"index log_leaf_pkey on answer.log_leaf",
	"CREATE UNIQUE INDEX log_leaf_pkey ON answer.log_leaf USING btree (leaf_index), valid t t t, at once t"},
	{"index log_tile_pkey on answer.log_tile",
	"CREATE UNIQUE INDEX log_tile_pkey ON answer.log_tile USING btree (level, tile), valid t t t, at once t"},
	{"index memory_entry_digest on answer.memory_entry",
	"CREATE INDEX memory_entry_digest ON answer.memory_entry USING btree (tenant, digest), valid t t t, at once t"},
	{"index memory_entry_expires on answer.memory_entry",
	"CREATE INDEX memory_entry_expires ON answer.memory_entry USING btree (tenant, expires_at), valid t t t, at once t"},
	{"index memory_entry_pkey on answer.memory_entry",
	"CREATE UNIQUE INDEX memory_entry_pkey ON answer.memory_entry USING btree (tenant, key), valid t t t, at once t"},
	{"index memory_entry_trace on answer.memory_entry",
	"CREATE INDEX memory_entry_trace ON answer.memory_entry USING btree (tenant, trace_id), valid t t t, at once t"},
	{"index memory_policy_pkey on answer.memory_policy",
	"CREATE UNIQUE INDEX memory_policy_pkey ON answer.memory_policy USING btree (tenant, key_prefix), valid t t t, at once t"},
	{"index packet_log_query on answer.packet_log",
	"CREATE INDEX packet_log_query ON answer.packet_log USING btree (tenant, query_id), valid t t t, at once t"},
	{"index plan_digest on answer.plan",
	"CREATE INDEX plan_digest ON answer.plan USING btree (tenant, digest), valid t t t, at once t"},
	{"index plan_event_pkey on answer.plan_event",
	"CREATE UNIQUE INDEX plan_event_pkey ON answer.plan_event USING btree (tenant, trace_id, seq), valid t t t, at once t"},
	{"index plan_pkey on answer.plan",
	"CREATE UNIQUE INDEX plan_pkey ON answer.plan USING btree (tenant, plan_id, version), valid t t t, at once t"},
	{"index plan_run_pkey on answer.plan_run",
	"CREATE UNIQUE INDEX plan_run_pkey ON answer.plan_run USING btree (tenant, trace_id), valid t t t, at once t"},
	{"index plan_run_plan on answer.plan_run",
	"CREATE INDEX plan_run_plan ON answer.plan_run USING btree (plan_id, tenant, started_at), valid t t t, at once t"},
	{"index plan_run_request on answer.plan_run",
	"CREATE UNIQUE INDEX plan_run_request ON answer.plan_run USING btree (tenant, request_id) WHERE (request_id IS NOT NULL), valid t t t, at once t"},
	{"index plan_run_unfinished on answer.plan_run",
	"CREATE INDEX plan_run_unfinished ON answer.plan_run USING btree (started_at) WHERE (status <> 'done'::text), valid t t t, at once t"},
	{"index plan_step_pkey on answer.plan_step",
	"CREATE UNIQUE INDEX plan_step_pkey ON answer.plan_step USING btree (tenant, trace_id, seq), valid t t t, at once t"},
	{"index quality_authority_pkey on answer.quality_authority",
	"CREATE UNIQUE INDEX quality_authority_pkey ON answer.quality_authority USING btree (tool, observation), valid t t t, at once t"},
	{"index quality_class_pkey on answer.quality_class",
	"CREATE UNIQUE INDEX quality_class_pkey ON answer.quality_class USING btree (class), valid t t t, at once t"},
	{"index quality_compatibility_pkey on answer.quality_compatibility",
	"CREATE UNIQUE INDEX quality_compatibility_pkey ON answer.quality_compatibility USING btree (class, with_class, same_tool), valid t t t, at once t"},
	{"index quality_entry_pkey on answer.quality_entry",
	"CREATE UNIQUE INDEX quality_entry_pkey ON answer.quality_entry USING btree (tenant, investigation, entry), valid t t t, at once t"},
	{"index quality_entry_recorded on answer.quality_entry",
	"CREATE INDEX quality_entry_recorded ON answer.quality_entry USING brin (recorded_at), valid t t t, at once t"},
	{"index quality_intent_pkey on answer.quality_intent",
	"CREATE UNIQUE INDEX quality_intent_pkey ON answer.quality_intent USING btree (intent), valid t t t, at once t"},
	{"index quality_requirement_pkey on answer.quality_requirement",
	"CREATE UNIQUE INDEX quality_requirement_pkey ON answer.quality_requirement USING btree (intent, class), valid t t t, at once t"},
	{"index quality_tool_pkey on answer.quality_tool",
	"CREATE UNIQUE INDEX quality_tool_pkey ON answer.quality_tool USING btree (tenant, tool), valid t t t, at once t"},
	{"index receipt_default_issued_at_idx on answer.receipt_default",
	"CREATE INDEX receipt_default_issued_at_idx ON answer.receipt_default USING btree (issued_at), valid t t t, at once t"},
	{"index receipt_default_issued_at_idx1 on answer.receipt_default",
	"CREATE INDEX receipt_default_issued_at_idx1 ON answer.receipt_default USING btree (issued_at) WHERE (schema = 'retention/v1'::text), valid t t t, at once t"},
	{"index receipt_default_pkey on answer.receipt_default",
	"CREATE UNIQUE INDEX receipt_default_pkey ON answer.receipt_default USING btree (tenant, receipt_id), valid t t t, at once t"},
	{"index receipt_default_tenant_expr_expr1_int4_idx on answer.receipt_default",
	"CREATE INDEX receipt_default_tenant_expr_expr1_int4_idx ON answer.receipt_default USING btree (tenant, ((body ->> 'kind'::text)), ((body ->> 'name'::text)), (((body ->> 'revision'::text))::integer)) WHERE (schema = 'change/v1'::text), valid t t t, at once t"},
	{"index receipt_default_tenant_expr_int4_expr1_idx on answer.receipt_default",
	"CREATE INDEX receipt_default_tenant_expr_int4_expr1_idx ON answer.receipt_default USING btree (tenant, ((body #>> '{suite,name}'::text[])), (((body #>> '{suite,version}'::text[]))::integer), ((body #>> '{suite,digest}'::text[]))) WHERE (schema = 'run/v1'::text), valid t t t, at once t"},
	{"index receipt_default_tenant_issued_at_idx on answer.receipt_default",
	"CREATE INDEX receipt_default_tenant_issued_at_idx ON answer.receipt_default USING btree (tenant, issued_at), valid t t t, at once t"},
	{"index recorded_rows_pkey on answer.recorded_rows",
	"CREATE UNIQUE INDEX recorded_rows_pkey ON answer.recorded_rows USING btree (number), valid t t t, at once t"},
	{"index retrieval_expiry on answer.retrieval",
	"CREATE INDEX retrieval_expiry ON answer.retrieval USING btree (tenant, expires_at), valid t t t, at once t"},
	{"index retrieval_pkey on answer.retrieval",
	"CREATE UNIQUE INDEX retrieval_pkey ON answer.retrieval USING btree (tenant, retrieval_id), valid t t t, at once t"},
	{"index rollup_correction_pair on answer.rollup_correction",
	"CREATE INDEX rollup_correction_pair ON answer.rollup_correction USING btree (tenant, pair) WHERE contradicted, valid t t t, at once t"},
	{"index rollup_correction_pkey on answer.rollup_correction",
	"CREATE UNIQUE INDEX rollup_correction_pkey ON answer.rollup_correction USING btree (tenant, receipt_id), valid t t t, at once t"},
	{"index rollup_day_pkey on answer.rollup_day",
	"CREATE UNIQUE INDEX rollup_day_pkey ON answer.rollup_day USING btree (tenant, grain, starts_at, schema, verdict, intent), valid t t t, at once t"},
	{"index rollup_hour_pkey on answer.rollup_hour",
	"CREATE UNIQUE INDEX rollup_hour_pkey ON answer.rollup_hour USING btree (tenant, grain, starts_at, schema, verdict, intent), valid t t t, at once t"},
	{"index rollup_kept_pairs on answer.rollup_kept",
	"CREATE INDEX rollup_kept_pairs ON answer.rollup_kept USING gin (pairs) WHERE (pairs IS NOT NULL), valid t t t, at once t"},
	{"index rollup_kept_time on answer.rollup_kept",
	"CREATE INDEX rollup_kept_time ON answer.rollup_kept USING btree (tenant, issued_at), valid t t t, at once t"},
	{"index rollup_key_pkey on answer.rollup_key",
	"CREATE UNIQUE INDEX rollup_key_pkey ON answer.rollup_key USING btree (tenant, key_id), valid t t t, at once t"},
	{"index rollup_latency_pkey on answer.rollup_latency",
	"CREATE UNIQUE INDEX rollup_latency_pkey ON answer.rollup_latency USING btree (tenant, grain, whole, starts_at, intent), valid t t t, at once t"},
	{"index rollup_minute_pkey on answer.rollup_minute",
	"CREATE UNIQUE INDEX rollup_minute_pkey ON answer.rollup_minute USING btree (tenant, grain, starts_at, schema, verdict, intent), valid t t t, at once t"},
	{"index rollup_pkey on answer.rollup",
	"CREATE UNIQUE INDEX rollup_pkey ON ONLY answer.rollup USING btree (tenant, grain, starts_at, schema, verdict, intent), valid t t t, at once t"},
	{"index rollup_pruned_pkey on answer.rollup_pruned",
	"CREATE UNIQUE INDEX rollup_pruned_pkey ON answer.rollup_pruned USING btree (one), valid t t t, at once t"},
	{"index rollup_refusal_pkey on answer.rollup_refusal",
	"CREATE UNIQUE INDEX rollup_refusal_pkey ON answer.rollup_refusal USING btree (tenant, grain, starts_at, intent, reason), valid t t t, at once t"},
	{"index rollup_word_pkey on answer.rollup_word",
	"CREATE UNIQUE INDEX rollup_word_pkey ON answer.rollup_word USING btree (tenant, grain, starts_at, schema, word), valid t t t, at once t"},
	{"index route_pkey on answer.route",
	"CREATE UNIQUE INDEX route_pkey ON answer.route USING btree (tenant, route_id), valid t t t, at once t"},
	{"index route_state_pkey on answer.route_state",
	"CREATE UNIQUE INDEX route_state_pkey ON answer.route_state USING btree (tenant), valid t t t, at once t"},
	{"index route_table_sha256 on answer.route_table",
	"CREATE INDEX route_table_sha256 ON answer.route_table USING btree (tenant, sha256), valid t t t, at once t"},
	{"index route_tenant_position_key on answer.route",
	"CREATE UNIQUE INDEX route_tenant_position_key ON answer.route USING btree (tenant, \"position\"), valid t t t, at once f"},
	{"index run_timing_pkey on answer.run_timing",
	"CREATE UNIQUE INDEX run_timing_pkey ON answer.run_timing USING btree (tenant, run_id), valid t t t, at once t"},
	{"index run_work_case_pkey on answer.run_work_case",
	"CREATE UNIQUE INDEX run_work_case_pkey ON answer.run_work_case USING btree (tenant, work_id, ordinal), valid t t t, at once t"},
	{"index run_work_pkey on answer.run_work",
	"CREATE UNIQUE INDEX run_work_pkey ON answer.run_work USING btree (tenant, work_id), valid t t t, at once t"},
	{"index signing_key_one_active on answer.signing_key",
	"CREATE UNIQUE INDEX signing_key_one_active ON answer.signing_key USING btree (status) WHERE (status = 'active'::@extschema@.answer_key_status), valid t t t, at once t"},
	{"index signing_key_pkey on answer.signing_key",
	"CREATE UNIQUE INDEX signing_key_pkey ON answer.signing_key USING btree (key_id), valid t t t, at once t"},
	{"index source_pkey on answer.source",
	"CREATE UNIQUE INDEX source_pkey ON answer.source USING btree (source), valid t t t, at once t"},
	{"index suite_case_pkey on answer.suite_case",
	"CREATE UNIQUE INDEX suite_case_pkey ON answer.suite_case USING btree (tenant, suite, version, ordinal), valid t t t, at once t"},
	{"index suite_pkey on answer.suite",
	"CREATE UNIQUE INDEX suite_pkey ON answer.suite USING btree (tenant, name, version), valid t t t, at once t"},
	{"index tenant_pkey on answer.tenant",
	"CREATE UNIQUE INDEX tenant_pkey ON answer.tenant USING btree (tenant), valid t t t, at once t"},
	{"index tenant_role_pkey on answer.tenant_role",
	"CREATE UNIQUE INDEX tenant_role_pkey ON answer.tenant_role USING btree (tenant, role), valid t t t, at once t"},
	{"index tombstone_pkey on answer.tombstone",
	"CREATE UNIQUE INDEX tombstone_pkey ON answer.tombstone USING btree (tenant, digest), valid t t t, at once t"},
	{"index tool_bucket_pkey on answer.tool_bucket",
	"CREATE UNIQUE INDEX tool_bucket_pkey ON answer.tool_bucket USING btree (tenant, tool), valid t t t, at once t"},
	{"index tool_call_newest on answer.tool_call",
	"CREATE INDEX tool_call_newest ON answer.tool_call USING btree (tenant, tool, called_at) INCLUDE (microseconds), valid t t t, at once t"},
	{"index tool_pkey on answer.tool",
	"CREATE UNIQUE INDEX tool_pkey ON answer.tool USING btree (tenant, tool), valid t t t, at once t"},
	{"index witness_checkpoint_pkey on answer.witness_checkpoint",
	"CREATE UNIQUE INDEX witness_checkpoint_pkey ON answer.witness_checkpoint USING btree (origin, tree_size), valid t t t, at once t"},
	{"index witness_key_pkey on answer.witness_key",
	"CREATE UNIQUE INDEX witness_key_pkey ON answer.witness_key USING btree (vkey), valid t t t, at once t"},
	{"policy tenant_adds on answer.anchor",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.anchor_request",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.baseline",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.baseline_row",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.budget_cap",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.budget_period",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.budget_reservation",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.chunk",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.chunk_embedding",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.chunk_item",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.chunk_search",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.config_sample",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.decision_cache",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.document",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.document_fact",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.document_set",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.environment_head",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.evidence",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.evidence_series",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.graph_edge",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.graph_embedding",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.graph_loose",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.graph_node",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.graph_search",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.graph_set",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.investigation",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.judge",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.judge_assessment",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.judge_version",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.judgement",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.memory_entry",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.memory_policy",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.packet_log",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.plan",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.plan_event",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.plan_run",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.plan_step",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.quality_entry",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.quality_tool",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.receipt",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.receipt_default",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.retrieval",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup_correction",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup_day",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup_hour",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup_kept",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup_key",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup_latency",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup_minute",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup_new",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup_refusal",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.rollup_word",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.route",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.route_state",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.route_table",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.run_timing",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.run_work",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.run_work_case",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.suite",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.suite_case",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.tombstone",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.tool",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.tool_bucket",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_adds on answer.tool_call",
	"a, permissive f, of {-}: using , with check  tenant = SELECT answer_tenant AS answer_tenant "},
	{"policy tenant_changes on answer.anchor",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.anchor_request",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.baseline",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.baseline_row",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.budget_cap",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.budget_period",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.budget_reservation",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.chunk",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.chunk_embedding",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.chunk_item",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.chunk_search",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.config_sample",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.decision_cache",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.document",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.document_fact",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.document_set",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.environment_head",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.evidence",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.evidence_series",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.graph_edge",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.graph_embedding",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.graph_loose",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.graph_node",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.graph_search",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.graph_set",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.investigation",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.judge",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.judge_assessment",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.judge_version",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.judgement",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.memory_entry",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.memory_policy",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.packet_log",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.plan",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.plan_event",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.plan_run",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.plan_step",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.quality_entry",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.quality_tool",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.receipt",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.receipt_default",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.retrieval",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup_correction",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup_day",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup_hour",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup_kept",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup_key",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup_latency",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup_minute",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup_new",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup_refusal",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.rollup_word",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.route",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.route_state",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.route_table",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.run_timing",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.run_work",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.run_work_case",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.suite",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.suite_case",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.tombstone",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.tool",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.tool_bucket",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_changes on answer.tool_call",
	"w, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_permits on answer.anchor",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.anchor_request",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.baseline",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.baseline_row",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.budget_cap",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.budget_period",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.budget_reservation",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.chunk",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.chunk_embedding",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.chunk_item",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.chunk_search",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.config_sample",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.decision_cache",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.document",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.document_fact",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.document_set",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.environment_head",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.evidence",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.evidence_series",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.graph_edge",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.graph_embedding",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.graph_loose",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.graph_node",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.graph_search",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.graph_set",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.investigation",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.judge",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.judge_assessment",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.judge_version",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.judgement",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.memory_entry",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.memory_policy",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.packet_log",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.plan",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.plan_event",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.plan_run",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.plan_step",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.quality_entry",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.quality_tool",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.receipt",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.receipt_default",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.retrieval",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup_correction",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup_day",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup_hour",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup_kept",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup_key",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup_latency",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup_minute",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup_new",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup_refusal",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.rollup_word",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.route",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.route_state",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.route_table",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.run_timing",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.run_work",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.run_work_case",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.suite",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.suite_case",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.tombstone",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.tool",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.tool_bucket",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_permits on answer.tool_call",
	"*, permissive t, of {-}: using  SELECT tenant_reads AS tenant_reads <> ARRAY[''::text] , with check "},
	{"policy tenant_reads on answer.anchor",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.anchor_request",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.baseline",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.baseline_row",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.budget_cap",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.budget_period",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.budget_reservation",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.chunk",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.chunk_embedding",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.chunk_item",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.chunk_search",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.config_sample",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.decision_cache",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.document",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.document_fact",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.document_set",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.environment_head",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.evidence",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.evidence_series",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.graph_edge",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.graph_embedding",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.graph_loose",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.graph_node",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.graph_search",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.graph_set",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.investigation",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.judge",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads || ''::text ::text[] , with check "},
	{"policy tenant_reads on answer.judge_assessment",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads || ''::text ::text[] , with check "},
	{"policy tenant_reads on answer.judge_version",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads || ''::text ::text[] , with check "},
	{"policy tenant_reads on answer.judgement",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.memory_entry",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.memory_policy",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.packet_log",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.plan",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads || ''::text ::text[] , with check "},
	{"policy tenant_reads on answer.plan_event",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.plan_run",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.plan_step",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.quality_entry",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.quality_tool",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads || ''::text ::text[] , with check "},
	{"policy tenant_reads on answer.receipt",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.receipt_default",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.retrieval",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup_correction",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup_day",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup_hour",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup_kept",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup_key",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup_latency",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup_minute",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup_new",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup_refusal",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.rollup_word",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.route",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads || ''::text ::text[] , with check "},
	{"policy tenant_reads on answer.route_state",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.route_table",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads || ''::text ::text[] , with check "},
	{"policy tenant_reads on answer.run_timing",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.run_work",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.run_work_case",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.suite",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.suite_case",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.tombstone",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.tool",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads || ''::text ::text[] , with check "},
	{"policy tenant_reads on answer.tool_bucket",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_reads on answer.tool_call",
	"r, permissive f, of {-}: using  tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] , with check "},
	{"policy tenant_removes on answer.anchor",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.anchor_request",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.baseline",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.baseline_row",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.budget_cap",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.budget_period",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.budget_reservation",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.chunk",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.chunk_embedding",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.chunk_item",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.chunk_search",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.config_sample",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.decision_cache",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.document",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.document_fact",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.document_set",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.environment_head",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.evidence",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.evidence_series",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.graph_edge",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.graph_embedding",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.graph_loose",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.graph_node",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.graph_search",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.graph_set",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.investigation",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.judge",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.judge_assessment",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.judge_version",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.judgement",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.memory_entry",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.memory_policy",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.packet_log",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.plan",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.plan_event",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.plan_run",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.plan_step",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.quality_entry",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.quality_tool",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.receipt",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.receipt_default",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.retrieval",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup_correction",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup_day",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup_hour",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup_kept",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup_key",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup_latency",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup_minute",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup_new",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup_refusal",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.rollup_word",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.route",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.route_state",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.route_table",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.run_timing",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.run_work",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.run_work_case",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.suite",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.suite_case",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.tombstone",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.tool",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.tool_bucket",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"policy tenant_removes on answer.tool_call",
	"d, permissive f, of {-}: using  tenant = SELECT answer_tenant AS answer_tenant , with check "},
	{"relation answer.anchor",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.anchor_request",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.baseline",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.baseline_measure",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, name, version, digest, questions, answers, cited, contradictory, verified, cited ::numeric / NULLIF answers, 0 ::numeric AS citation_rate, contradictory ::numeric / NULLIF answers, 0 ::numeric AS contradiction_rate, p50_ms, p95_ms, cost_usd, cost_usd / NULLIF verified, 0 ::numeric AS cost_per_verified_answer FROM baseline b CROSS JOIN LATERAL SELECT count * FILTER WHERE answered AS answers, count * FILTER WHERE answered AND cited AS cited, count * FILTER WHERE answered AND contradictory AS contradictory, count * FILTER WHERE answered AND cited AND NOT contradictory AS verified, percentile_cont 5 ::double precision WITHIN GROUP ORDER BY latency_ms ::double precision AS p50_ms, percentile_cont 95 ::double precision WITHIN GROUP ORDER BY latency_ms ::double precision AS p95_ms, sum cost_usd AS cost_usd FROM baseline_row r WHERE tenant = tenant AND name = name AND version = version m ;"},
	{"relation answer.baseline_row",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.budget",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, period, cost_cap_usd, CASE WHEN period <> 'request'::text THEN COALESCE reserved_usd, 0 ::numeric ELSE NULL::numeric END AS reserved_usd, CASE WHEN period <> 'request'::text THEN COALESCE spent_usd, 0 ::numeric ELSE NULL::numeric END AS spent_usd FROM budget_cap c LEFT JOIN budget_period p ON tenant = tenant AND period = period AND starts_on = date_trunc period, timezone 'UTC'::text, now ::date ;"},
	{"relation answer.budget_cap",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.budget_period",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.budget_reservation",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.change",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT body ->> 'kind'::text AS kind, body ->> 'name'::text AS name, body ->> 'revision'::text ::integer AS revision, body ->> 'action'::text AS action, issued_at, receipt_id, body ->> 'before'::text AS before_digest, NULLIF body -> 'after'::text , 'null'::jsonb AS after, answer_digest NULLIF body -> 'after'::text , 'null'::jsonb AS after_digest, tenant FROM receipt r WHERE schema = 'change/v1'::text ;"},
	{"relation answer.change_state",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT kind, name, shipped, portable SELECT jsonb_object_agg key, value AS jsonb_object_agg FROM jsonb_each state - 'tenant'::text m key, value WHERE value <> 'null'::jsonb AND key <> 'shipped'::text OR value = 'true'::jsonb AS state, COALESCE state ->> 'tenant'::text , ''::text AS tenant FROM SELECT 'key'::text AS kind, key_id AS name, false AS shipped, jsonb_build_object 'key_id', key_id, 'public_key', translate encode public_key, 'base64'::text , '+/'::text, '-_'::text , 'status', status, 'active_from', to_char active_from AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text , 'retired_at', to_char retired_at AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text , 'compromised_after', to_char compromised_after AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text AS state FROM signing_key k UNION ALL SELECT 'source'::text AS kind, source, seed, to_jsonb * - 'seed'::text || jsonb_build_object 'shipped', seed FROM source o UNION ALL SELECT 'tool'::text AS kind, tool, seed, to_jsonb * - '{seed,freshness}'::text[] || jsonb_build_object 'shipped', seed, 'freshness_s', EXTRACT epoch FROM freshness FROM tool t UNION ALL SELECT 'route'::text AS kind, route_id, seed AND enabled , to_jsonb * - 'seed'::text || jsonb_build_object 'shipped', seed FROM route r UNION ALL SELECT 'witness'::text AS kind, vkey, false, jsonb_build_object 'vkey', vkey, 'origin', origin AS jsonb_build_object FROM witness_key w UNION ALL SELECT 'tenant'::text AS kind, tenant, false, jsonb_build_object 'name', tenant, 'roles', COALESCE SELECT jsonb_agg role ORDER BY role AS jsonb_agg FROM tenant_role g WHERE tenant = tenant , '[]'::jsonb AS jsonb_build_object FROM SELECT tenant FROM tenant t UNION SELECT tenant FROM tenant_role g n UNION ALL SELECT 'quality_class'::text AS kind, class, seed AND list IS NULL , to_jsonb * - 'seed'::text || jsonb_build_object 'shipped', seed, 'compatibilities', list FROM quality_class c, LATERAL SELECT jsonb_agg to_jsonb * - 'seed'::text ORDER BY with_class COLLATE \"C\" , same_tool AS list FROM quality_compatibility q WHERE class = class AND NOT seed k UNION ALL SELECT 'quality_tool'::text AS kind, tool, seed AND list IS NULL , to_jsonb * - 'seed'::text || jsonb_build_object 'shipped', seed, 'authorities', list FROM quality_tool t, LATERAL SELECT jsonb_agg to_jsonb * - 'seed'::text ORDER BY observation ::text COLLATE \"C\" AS list FROM quality_authority q WHERE tool = tool AND NOT seed AND tenant = ''::text a UNION ALL SELECT 'quality_intent'::text AS kind, intent, seed AND NOT is_changed , to_jsonb * - 'seed'::text || jsonb_build_object 'shipped', seed, 'requirements', list FROM quality_intent i, LATERAL SELECT jsonb_object_agg class, quality AS list, COALESCE bool_or NOT seed , false AS is_changed FROM quality_requirement r WHERE intent = intent q UNION ALL SELECT 'decision_rule'::text AS kind, concat list, ': ', entry AS concat, false, to_jsonb * - 'seed'::text FROM decision_rule d WHERE NOT seed UNION ALL SELECT 'judge'::text AS kind, name, seed, to_jsonb * - 'seed'::text || jsonb_build_object 'shipped', seed, 'assessed', answer_digest judge_assessed tenant, name, revision FROM judge j UNION ALL SELECT 'plan'::text AS kind, plan_id, seed, to_jsonb * - '{seed,registered_at}'::text[] || jsonb_build_object 'shipped', seed FROM plan p WHERE NOT EXISTS SELECT FROM plan o WHERE tenant = tenant AND plan_id = plan_id AND version > version UNION ALL SELECT 'budget'::text AS kind, period, false, to_jsonb * AS to_jsonb FROM budget_cap b UNION ALL SELECT 'memory_policy'::text AS kind, key_prefix, false, to_jsonb * AS to_jsonb FROM memory_policy m UNION ALL SELECT 'documents'::text AS kind, 'documents'::text AS name, false, jsonb_build_object 'tenant', tenant, 'version', version, 'sum', concat 'sha256:', encode sha256 sum , 'hex'::text AS jsonb_build_object FROM document_set d WHERE NOT starts_with tenant, '#'::text UNION ALL SELECT 'graph'::text AS kind, project, false, jsonb_build_object 'tenant', tenant, 'sum', concat 'sha256:', encode sha256 sum , 'hex'::text AS jsonb_build_object FROM graph_set g UNION ALL SELECT 'memory'::text AS kind, concat 'sha256:', encode sha256 convert_to key, 'UTF8'::name , 'hex'::text AS concat, false, jsonb_build_object 'tenant', tenant, 'row', concat 'sha256:', encode row_digest 'memory_entry'::text, * , 'hex'::text , 'expires_at', to_char expires_at AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text AS jsonb_build_object FROM memory_entry m UNION ALL SELECT 'tombstone'::text AS kind, digest, false, jsonb_build_object 'tenant', tenant, 'tombstone', answer_digest body AS jsonb_build_object FROM tombstone b WHERE receipt_id IS NULL UNION ALL SELECT 'recorded'::text AS kind, number ::text AS number, false, jsonb_build_object 'row', concat 'sha256:', encode row_digest 'recorded_rows'::text, * , 'hex'::text AS jsonb_build_object FROM recorded_rows l UNION ALL SELECT 'rollup'::text AS kind, 'pruned'::text AS name, false, jsonb_build_object 'before', to_char before AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text , 'pruned_at', to_char pruned_at AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text AS jsonb_build_object FROM rollup_pruned q UNION ALL SELECT 'suite'::text AS kind, concat name, '/', version AS concat, seed, to_jsonb * - '{seed,now,documents,loaded_at}'::text[] || jsonb_build_object 'shipped', seed, 'loaded_at', to_char loaded_at AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text FROM suite u UNION ALL SELECT 'baseline'::text AS kind, concat name, '/', version AS concat, false, to_jsonb * - 'loaded_at'::text || jsonb_build_object 'loaded_at', to_char loaded_at AT TIME ZONE 'UTC'::text , 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text FROM baseline l s;"},
	{"relation answer.checkpoint",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.chunk",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.chunk_embedding",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.chunk_item",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.chunk_search",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.config",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, body ->> 'name'::text AS config_id, body #>> '{after,digest}'::text[] AS digest, body #> '{after,config}'::text[] AS config, body #>> '{after,parent}'::text[] AS parent, body #>> '{after,author}'::text[] AS author, body #>> '{after,reason}'::text[] AS reason, issued_at AS created_at, receipt_id, false AS seed FROM receipt r WHERE schema = 'change/v1'::text AND body ->> 'kind'::text = 'config'::text UNION ALL SELECT ''::text AS tenant, concat 'cfg_', substr answer_digest config , 8, 16 AS config_id, answer_digest config AS digest, config, NULL::text AS parent, NULL::text AS author, 'shipped'::text AS reason, NULL::timestamp with time zone AS created_at, NULL::text AS receipt_id, true AS seed FROM SELECT shipped_config AS config s;"},
	{"relation answer.config_sample",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.config_step",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, body ->> 'name'::text AS environment, body ->> 'revision'::text ::integer AS revision, body ->> 'action'::text AS action, body #>> '{step,config}'::text[] AS config_id, body #>> '{step,stage}'::text[] AS stage, body #>> '{step,outcome}'::text[] AS outcome, body #> '{step,failures}'::text[] AS failures, body #> '{step,samples}'::text[] AS samples, body #>> '{step,gate,candidate}'::text[] AS candidate_run, body #>> '{step,gate,baseline}'::text[] AS baseline_run, body #>> '{step,from,active}'::text[] AS active_before, body #>> '{after,active}'::text[] AS active_after, body #>> '{step,by}'::text[] AS by_role, body #>> '{step,reason}'::text[] AS reason, issued_at, receipt_id FROM receipt r WHERE schema = 'change/v1'::text AND body ->> 'kind'::text = 'environment'::text OFFSET 0;"},
	{"relation answer.cosignature",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.dashboard_budgets",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, period, cost_cap_usd, reserved_usd, spent_usd, used FROM dashboard_budgets dashboard_budgets tenant, period, cost_cap_usd, reserved_usd, spent_usd, used ;"},
	{"relation answer.dashboard_checks",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT \"time\", tenant, metric, value FROM dashboard_checks dashboard_checks \"time\", tenant, metric, value ;"},
	{"relation answer.dashboard_evidence",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT \"time\", tenant, metric, value FROM dashboard_evidence dashboard_evidence \"time\", tenant, metric, value ;"},
	{"relation answer.dashboard_gates",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT \"time\", tenant, metric, value, environment, suite, config, stage, action, outcome, failures, detail, receipt_id, state FROM dashboard_gates dashboard_gates \"time\", tenant, metric, value, environment, suite, config, stage, action, outcome, failures, detail, receipt_id, state ;"},
	{"relation answer.dashboard_intents",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT \"time\", tenant, intent, schema, verdict, documents FROM dashboard_intents dashboard_intents \"time\", tenant, intent, schema, verdict, documents ;"},
	{"relation answer.dashboard_keys",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT key_id, status, active_from, age_days, retired_at, compromised_after, documents, last_signed_at, file_present FROM dashboard_keys dashboard_keys key_id, status, active_from, age_days, retired_at, compromised_after, documents, last_signed_at, file_present ;"},
	{"relation answer.dashboard_latency",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT \"time\", tenant, metric, value FROM dashboard_latency dashboard_latency \"time\", tenant, metric, value ;"},
	{"relation answer.dashboard_log",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT unsealed, oldest_unsealed_at, leaves, last_seal_at, last_audit_at, last_audit_size, last_audit_defects, witnesses, last_witnessed_at, last_witnessed_size FROM dashboard_log dashboard_log unsealed, oldest_unsealed_at, leaves, last_seal_at, last_audit_at, last_audit_size, last_audit_defects, witnesses, last_witnessed_at, last_witnessed_size ;"},
	{"relation answer.dashboard_open",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, investigation, intent, opened_at, age_hours, complete, coverage, gaps, next_class, next_tool FROM dashboard_open dashboard_open tenant, investigation, intent, opened_at, age_hours, complete, coverage, gaps, next_class, next_tool ;"},
	{"relation answer.dashboard_reasons",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT \"time\", tenant, metric, value FROM dashboard_reasons dashboard_reasons \"time\", tenant, metric, value ;"},
	{"relation answer.dashboard_slo",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT \"time\", tenant, metric, value FROM dashboard_slo dashboard_slo \"time\", tenant, metric, value ;"},
	{"relation answer.dashboard_sources",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, source, facts, confidence, weak, last_cited_at FROM dashboard_sources dashboard_sources tenant, source, facts, confidence, weak, last_cited_at ;"},
	{"relation answer.dashboard_suites",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT \"time\", tenant, environment, suite, version, run_id, cases, passed, false_accepts, false_accept_rate, false_refusals, false_refuse_rate, of_active, state FROM dashboard_suites dashboard_suites \"time\", tenant, environment, suite, version, run_id, cases, passed, false_accepts, false_accept_rate, false_refusals, false_refuse_rate, of_active, state ;"},
	{"relation answer.dashboard_tools",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT \"time\", tenant, tool, outcome, calls, mean_ms FROM dashboard_tools dashboard_tools \"time\", tenant, tool, outcome, calls, mean_ms ;"},
	{"relation answer.dashboard_verdicts",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT \"time\", tenant, metric, value FROM dashboard_verdicts dashboard_verdicts \"time\", tenant, metric, value ;"},
	{"relation answer.decision_cache",
	"kind r, persistence u, row security f f, children 0, part f, extension t"},
	{"relation answer.decision_reason",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT receipt_id, issued_at AS \"time\", tenant, intent, took, verdict, body #>> '{risk,risk_level}'::text[] AS risk_level, confidence, degraded, reason FROM receipt r LEFT JOIN LATERAL jsonb_array_elements_text CASE jsonb_typeof body -> 'reasons'::text WHEN 'array'::text THEN body -> 'reasons'::text ELSE '[]'::jsonb END w reason ON true WHERE schema = 'decision/v1'::text ;"},
	{"relation answer.decision_rule",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.decision_rules",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  WITH rule AS SELECT list, entry, detail, row_number OVER PARTITION BY list ORDER BY seed DESC, \"position\", entry COLLATE \"C\" AS n FROM decision_rule r WHERE NOT excluded AND NOT seed OR NOT EXISTS SELECT FROM decision_rule u WHERE list = list AND entry = entry AND NOT seed , listed AS SELECT list, COALESCE SELECT jsonb_agg CASE list WHEN 'topics'::text THEN jsonb_build_object 'entry', entry || detail WHEN 'ambiguity'::text THEN jsonb_build_object 'question', entry || detail ELSE to_jsonb entry END ORDER BY n AS jsonb_agg FROM rule r WHERE list = list , '[]'::jsonb AS entries FROM VALUES 'allow'::text , 'prohibit'::text , 'refund_allowed'::text , 'refund_refused'::text , 'encrypt'::text , 'plaintext'::text , 'negators'::text , 'not_negating'::text , 'encryption_waived'::text , 'exceptions'::text , 'topics'::text , 'stop_words'::text , 'insufficiency'::text , 'ambiguity'::text , 'months'::text n list SELECT SELECT jsonb_object_agg list, entries AS jsonb_object_agg FROM listed l || jsonb_build_object 'units', COALESCE SELECT jsonb_object_agg unit, entries AS jsonb_object_agg FROM SELECT detail ->> 'unit'::text AS unit, jsonb_agg entry ORDER BY n AS entries FROM rule r WHERE list = 'units'::text GROUP BY detail ->> 'unit'::text u , '{}'::jsonb , 'risk', jsonb_build_object 'high', COALESCE SELECT jsonb_agg entry ORDER BY n AS jsonb_agg FROM rule r WHERE list = 'high'::text , '[]'::jsonb , 'medium', COALESCE SELECT jsonb_agg entry ORDER BY n AS jsonb_agg FROM rule r WHERE list = 'medium'::text , '[]'::jsonb , 'reading', shipped_decision_rules -> 'reading'::text AS rules OFFSET 0;"},
	{"relation answer.document",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.document_fact",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.document_set",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.environment",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  WITH newest AS SELECT DISTINCT ON tenant, body ->> 'name'::text tenant, body ->> 'name'::text AS name, body ->> 'revision'::text ::integer AS revision, body -> 'after'::text AS state, issued_at, receipt_id FROM receipt r WHERE schema = 'change/v1'::text AND body ->> 'kind'::text = 'environment'::text ORDER BY tenant, body ->> 'name'::text , body ->> 'revision'::text ::integer DESC NULLS LAST , present AS SELECT tenant, name, revision, state, issued_at, receipt_id, false AS seed FROM newest n WHERE jsonb_typeof state = 'object'::text UNION ALL SELECT ''::text AS tenant, key, 0 AS revision, value, NULL::timestamp with time zone AS issued_at, NULL::text AS receipt_id, true AS seed FROM jsonb_each shipped_environments s key, value WHERE NOT EXISTS SELECT FROM newest n WHERE tenant = ''::text AND name = key SELECT tenant, name, revision, state ->> 'active'::text AS active, state ->> 'shadow'::text AS shadow, state ->> 'canary'::text AS canary, round state ->> 'canary_percent'::text ::numeric / 100 ::numeric , 2 AS canary_share, ARRAY SELECT value FROM jsonb_array_elements_text state -> 'history'::text WITH ORDINALITY h value, n ORDER BY n AS history, state ->> 'suite'::text AS suite, state -> 'rules'::text AS rules, state ->> 'shadow_samples'::text ::integer AS shadow_samples, state ->> 'canary_samples'::text ::integer AS canary_samples, state ->> 'most_different_percent'::text ::integer AS most_different_percent, issued_at AS moved_at, receipt_id, seed FROM present p;"},
	{"relation answer.environment_head",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.eval_progress",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT pid, role, started_at, requests, done, refused FROM eval_progress_rows p pid, role, started_at, requests, done, refused ;"},
	{"relation answer.evidence",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.evidence_series",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.evolve_proposal",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT DISTINCT ON tenant, body ->> 'name'::text tenant, body ->> 'name'::text AS proposal, body #>> '{after,environment}'::text[] AS environment, body #>> '{after,state}'::text[] AS state, body #>> '{after,base}'::text[] AS base, body #> '{after,from}'::text[] AS before, body #> '{after,change}'::text[] AS change, body #>> '{after,reason}'::text[] AS reason, NULLIF body #> '{after,slo}'::text[] , 'null'::jsonb AS slo, body #>> '{after,by}'::text[] AS by_role, body #>> '{after,validation,config}'::text[] AS config_id, NULLIF body #> '{after,validation}'::text[] , 'null'::jsonb AS validation, body ->> 'revision'::text ::integer AS revision, issued_at, receipt_id FROM receipt r WHERE schema = 'change/v1'::text AND body ->> 'kind'::text = 'proposal'::text ORDER BY tenant, body ->> 'name'::text , body ->> 'revision'::text ::integer DESC, receipt_id;"},
	{"relation answer.graph_edge",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.graph_embedding",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.graph_loose",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.graph_node",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.graph_project",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, project, nodes, edges, documents, sources, extraction_methods, first_indexed_at, last_indexed_at, loaded_at, version FROM graph_set s, LATERAL SELECT count * FILTER WHERE 'Document'::text = ANY labels AS documents, count DISTINCT source_path AS sources, array_agg DISTINCT extraction_method AS extraction_methods, min indexed_at AS first_indexed_at, max indexed_at AS last_indexed_at, max loaded_at AS loaded_at FROM graph_node g WHERE tenant = tenant AND project = project n WHERE nodes > 0 ;"},
	{"relation answer.graph_search",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.graph_set",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.investigation",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.investigation_investigation_seq",
	"kind S, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.judge",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.judge_assessment",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.judge_version",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.judgement",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.log_audit",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.log_leaf",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.log_tile",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.memory",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, key, value, digest, provenance, ttl, written_at, expires_at, trace_id, reported_by FROM memory_entry m WHERE expires_at > statement_timestamp ;"},
	{"relation answer.memory_entry",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.memory_policy",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.of_all_tenants",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT oid AS relation, format '%I.%I'::text, nspname, relname AS name FROM pg_class c JOIN pg_namespace n ON oid = relnamespace WHERE relkind = ANY '{r,p,v,m,f}'::\"char\"[] AND CASE nspname WHEN 'answer'::name THEN relname = ANY '{tenant,tenant_role,retention,log_leaf,unsealed,recorded_rows,recordable}'::name[] OR relkind = 'v'::\"char\" AND relname !~ '^ tenant|dashboard _'::text AND EXISTS SELECT FROM pg_attribute a WHERE attrelid = oid AND attname = 'tenant'::name ELSE nspname = 'answer_archive'::name END ;"},
	{"relation answer.open_investigation",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT investigation, intent, question, subject, opened_at, complete, level, quality, coverage, agreement, explanation, gap[1].class AS next_class, gap[1].tool AS next_tool, gap, tenant FROM investigation i CROSS JOIN LATERAL assessment_of investigation, intent, question, subject a complete, level, quality, coverage, agreement, explanation, gap, classes WHERE closed_at IS NULL ;"},
	{"relation answer.packet_log",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.plan",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.plan_event",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.plan_run",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.plan_step",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.quality_authority",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.quality_class",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.quality_compatibility",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.quality_entry",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.quality_intent",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.quality_requirement",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.quality_rule",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT 1 AS kind, \"position\" AS place, class AS name, tool AS a, identifier_tool AS b, verify_tool AS c, relevance, NULL::answer_quality_level AS quality, NULL::answer_quality_level AS with_quality, NULL::boolean AS same_target, NULL::boolean AS same_tool, NULL::jsonb AS observation FROM quality_class UNION ALL SELECT 2 AS kind, 0 AS place, tool AS name, class AS a, family AS b, NULL::text AS c, NULL::answer_quality_relevance AS relevance, NULL::answer_quality_level AS quality, NULL::answer_quality_level AS with_quality, NULL::boolean AS same_target, NULL::boolean AS same_tool, NULL::jsonb AS observation FROM quality_tool WHERE tenant = ANY SELECT tenant_shared AS tenant_shared ::text[] UNION ALL SELECT 3 AS kind, 0 AS place, tool AS name, class AS a, NULL::text AS b, NULL::text AS c, NULL::answer_quality_relevance AS relevance, quality, NULL::answer_quality_level AS with_quality, NULL::boolean AS same_target, NULL::boolean AS same_tool, observation FROM quality_authority UNION ALL SELECT 4 AS kind, 0 AS place, class AS name, with_class AS a, NULL::text AS b, NULL::text AS c, NULL::answer_quality_relevance AS relevance, quality, with_quality, same_target, same_tool, NULL::jsonb AS observation FROM quality_compatibility UNION ALL SELECT 5 AS kind, 0 AS place, intent AS name, NULL::text AS a, NULL::text AS b, NULL::text AS c, NULL::answer_quality_relevance AS relevance, NULL::answer_quality_level AS quality, NULL::answer_quality_level AS with_quality, NULL::boolean AS same_target, NULL::boolean AS same_tool, NULL::jsonb AS observation FROM quality_intent UNION ALL SELECT 6 AS kind, 0 AS place, intent AS name, class AS a, NULL::text AS b, NULL::text AS c, NULL::answer_quality_relevance AS relevance, quality, NULL::answer_quality_level AS with_quality, NULL::boolean AS same_target, NULL::boolean AS same_tool, NULL::jsonb AS observation FROM quality_requirement;"},
	{"relation answer.quality_rules",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT jsonb_build_object 'classes', list, 'tools', list, 'authorities', list, 'compatibilities', list, 'intents', list AS rules FROM SELECT COALESCE jsonb_agg jsonb_strip_nulls jsonb_build_object 'class', class, 'tool', tool, 'identifier_tool', identifier_tool, 'verify_tool', verify_tool, 'relevance', relevance ORDER BY \"position\", class COLLATE \"C\" , '[]'::jsonb AS list FROM quality_class c, SELECT COALESCE jsonb_agg jsonb_build_object 'tool', tool, 'class', class, 'family', family ORDER BY tool COLLATE \"C\" , '[]'::jsonb AS list FROM quality_tool WHERE tenant = ANY SELECT tenant_shared AS tenant_shared ::text[] t, SELECT COALESCE jsonb_agg jsonb_build_object 'tool', tool, 'class', class, 'observation', observation, 'quality', quality ORDER BY tool COLLATE \"C\" , observation , '[]'::jsonb AS list FROM quality_authority a, SELECT COALESCE jsonb_agg jsonb_build_object 'class', class, 'with', with_class, 'quality', quality, 'with_quality', with_quality, 'same_target', same_target, 'same_tool', same_tool ORDER BY class COLLATE \"C\" , with_class COLLATE \"C\" , same_tool , '[]'::jsonb AS list FROM quality_compatibility k, SELECT COALESCE jsonb_agg jsonb_build_object 'intent', intent, 'requires', requires ORDER BY intent COLLATE \"C\" , '[]'::jsonb AS list FROM SELECT intent, COALESCE jsonb_agg jsonb_build_object 'class', class, 'quality', quality ORDER BY class COLLATE \"C\" FILTER WHERE class IS NOT NULL , '[]'::jsonb AS requires FROM quality_intent q LEFT JOIN quality_requirement r ON intent = intent GROUP BY intent n i OFFSET 0;"},
	{"relation answer.quality_tool",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.receipt",
	"kind r, persistence p, row security f f, children 0, part f, extension t, by RANGE (issued_at)"},
	{"relation answer.receipt_check",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT receipt_id, issued_at, tenant, intent, place ::integer AS place, body ->> 'tool'::text AS tool, body ->> 'required'::text ::boolean AS required, body ->> 'verdict'::text AS verdict, body ->> 'confidence'::text ::double precision AS confidence, body #>> '{explain,sqlstate}'::text[] AS sqlstate, jsonb_array_length body -> 'evidence'::text AS facts FROM receipt r CROSS JOIN LATERAL jsonb_array_elements body -> 'checks'::text WITH ORDINALITY c body, place WHERE schema = 'answer/v1'::text AND jsonb_typeof body -> 'checks'::text = 'array'::text ;"},
	{"relation answer.receipt_default",
	"kind r, persistence p, row security f f, children 0, part t, extension t"},
	{"relation answer.receipt_refusal",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT receipt_id, issued_at, tenant, schema, verdict, intent, COALESCE body ->> 'question'::text , body ->> 'query'::text , body #>> '{vars,query}'::text[] AS asked, COALESCE body #>> '{route,reason}'::text[] , body #>> '{reason,kind}'::text[] , body #>> '{reasons,0}'::text[] AS reason FROM receipt r WHERE verdict = ANY '{insufficient_evidence,outside_evidence_coverage,ABSTAIN,BLOCK,CLARIFY,blocked,refused,failed}'::text[] AND schema = ANY '{answer/v1,decision/v1,plan/v1}'::text[] ;"},
	{"relation answer.recordable",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT recorded_reading tenant, digest AS item, recorded_at FROM evidence e UNION ALL SELECT recorded_item 2, pair, row_digest 'judgement'::text, * AS item, judged_at AS recorded_at FROM judgement g UNION ALL SELECT recorded_item 3, investigation ::text, row_digest 'quality_entry'::text, * AS item, recorded_at FROM quality_entry q UNION ALL SELECT recorded_item 4, investigation ::text, row_digest 'investigation'::text, * AS item, opened_at AS recorded_at FROM investigation i, LATERAL SELECT investigation, tenant, intent, question, subject, opened_at, opened_by, NULL::timestamp with time zone AS closed_at, NULL::text AS outcome o UNION ALL SELECT recorded_item 5, investigation ::text, row_digest 'investigation'::text, * AS item, closed_at AS recorded_at FROM investigation i WHERE closed_at IS NOT NULL ;"},
	{"relation answer.recorded_rows",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.retention",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT receipt_id, issued_at, body ->> 'partition'::text AS partition, body ->> 'kept_in'::text AS kept_in, body ->> 'receipts'::text ::bigint AS receipts, body ->> 'first_issued_at'::text AS first_issued_at, body ->> 'last_issued_at'::text AS last_issued_at, body -> 'leaves'::text AS leaves FROM receipt r WHERE schema = 'retention/v1'::text ;"},
	{"relation answer.retrieval",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.rollup",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.rollup_correction",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.rollup_day",
	"kind r, persistence p, row security f f, children 0, part t, extension t"},
	{"relation answer.rollup_hour",
	"kind r, persistence p, row security f f, children 0, part t, extension t"},
	{"relation answer.rollup_kept",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.rollup_key",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.rollup_latency",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.rollup_minute",
	"kind r, persistence p, row security f f, children 0, part t, extension t"},
	{"relation answer.rollup_new",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.rollup_point",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT true AS counted, starts_at AS \"time\", tenant, schema, verdict, intent, documents, answers, given, supported, required, cited, contradicted, prevented, unjudged, sentences, grounded, confidence, costed, cost_usd FROM rollup r WHERE grain = 60 ::smallint AND starts_at >= date_bin '1 day'::interval, statement_timestamp - '744:00:00'::interval , '2000-01-01 00:00:00+00'::timestamp with time zone UNION ALL SELECT true AS counted, starts_at AS \"time\", tenant, schema, verdict, intent, documents, answers, given, supported, required, cited, contradicted, prevented, unjudged, sentences, grounded, confidence, costed, cost_usd FROM rollup r WHERE grain = 1440 ::smallint AND starts_at < date_bin '1 day'::interval, statement_timestamp - '744:00:00'::interval , '2000-01-01 00:00:00+00'::timestamp with time zone UNION ALL SELECT false AS counted, date_bin CASE WHEN issued_at >= date_bin '1 day'::interval, statement_timestamp - '744:00:00'::interval , '2000-01-01 00:00:00+00'::timestamp with time zone THEN '01:00:00'::interval ELSE '1 day'::interval END, issued_at, '2000-01-01 00:00:00+00'::timestamp with time zone AS \"time\", tenant, schema, verdict, intent, documents, answers, given, supported, required, cited, contradicted, prevented, unjudged, sentences, grounded, confidence, costed, cost_usd FROM rollup_single n WHERE NOT counted ;"},
	{"relation answer.rollup_pruned",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.rollup_refusal",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.rollup_single",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT counted, place, tenant, issued_at, schema, verdict, COALESCE intent, ''::text AS intent, is_document AS documents, given IS NOT NULL ::integer * is_document AS answers, given IS TRUE ::integer * is_document AS given, supported IS TRUE ::integer * sign AS supported, citation_required IS TRUE ::integer * is_document AS required, citation_required IS TRUE AND citation_given IS TRUE ::integer * is_document AS cited, COALESCE corrects ::integer, contradicted IS TRUE ::integer AS contradicted, prevented IS TRUE ::integer * is_document AS prevented, unjudged IS TRUE ::integer * is_document AS unjudged, COALESCE sentences, 0 * is_document AS sentences, COALESCE grounded, 0 * is_document AS grounded, CASE WHEN supported AND confidence >= 0 ::double precision AND confidence <= 1 ::double precision THEN confidence ::numeric * sign ::numeric ELSE 0 ::numeric END AS confidence, given IS NOT NULL AND cost_usd IS NOT NULL ::integer * is_document AS costed, supported IS TRUE AND cost_usd IS NOT NULL ::integer * sign AS costed_verified, CASE WHEN given IS NOT NULL AND corrects IS NULL THEN COALESCE cost_usd, 0 ::numeric ELSE 0 ::numeric END AS cost_usd, CASE WHEN given IS NOT NULL AND corrects IS NULL THEN latency_bag EXTRACT epoch FROM took * 1000000 ::numeric ::bigint ELSE NULL::bytea END AS latency, key_id, words, CASE WHEN corrects IS NULL THEN refusal ELSE NULL::text END AS refusal, receipt_id, pairs, corrects FROM SELECT counted, place, tenant, issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, words, receipt_id, pairs, corrects, corrects IS NULL ::integer AS is_document, COALESCE - corrects ::integer , 1 AS sign FROM SELECT false AS counted, ctid AS place, tenant, issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, words, receipt_id, pairs, corrects FROM rollup_new n_1 UNION ALL SELECT true, ctid, tenant, issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, words, receipt_id, pairs, corrects FROM rollup_kept k n s;"},
	{"relation answer.rollup_word",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.route",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.route_state",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.route_table",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.run",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, receipt_id AS run_id, body #>> '{suite,name}'::text[] AS suite, body #>> '{suite,version}'::text[] ::integer AS version, body #>> '{suite,digest}'::text[] AS suite_digest, body ->> 'config_digest'::text AS config_digest, body ->> 'engine_digest'::text AS engine_digest, body ->> 'digest'::text AS digest, verdict, body #>> '{summary,cases}'::text[] ::integer AS cases, body #>> '{summary,passed}'::text[] ::integer AS passed, started_at, issued_at AS finished_at, took FROM receipt d LEFT JOIN run_timing t ON tenant = tenant AND run_id = receipt_id WHERE schema = 'run/v1'::text AND body ->> 'schema'::text = 'run/v1'::text ;"},
	{"relation answer.run_case",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, run_id, ordinal ::integer AS ordinal, \"row\" ->> 'id'::text AS case_id, \"row\" ->> 'kind'::text AS kind, \"row\" ->> 'passed'::text ::boolean AS passed, \"row\" ->> 'decision'::text AS decision, \"row\" ->> 'answer'::text AS answer, \"row\" -> 'citations'::text AS citations, \"row\" -> 'signals'::text AS signals, \"row\" -> 'scores'::text AS scores, \"row\" -> 'reasons'::text AS reasons, NULLIF \"row\" -> 'error'::text , 'null'::jsonb AS error, make_interval secs => took[ordinal] ::double precision / 0 ::double precision AS took FROM run r JOIN receipt d ON tenant = tenant AND receipt_id = run_id AND issued_at = finished_at AND schema = 'run/v1'::text , LATERAL jsonb_array_elements CASE WHEN jsonb_typeof body -> 'cases'::text = 'array'::text THEN body -> 'cases'::text ELSE '[]'::jsonb END WITH ORDINALITY c \"row\", ordinal ;"},
	{"relation answer.run_progress",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, work_id, suite, version, done, cases, round 0 * done ::numeric / NULLIF cases, 0 ::numeric , 1 AS percent, started_at, updated_at FROM run_work w;"},
	{"relation answer.run_timing",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.run_work",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.run_work_case",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.signing_key",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.source",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.suite",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.suite_case",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.tenant",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.tenant_anchor",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT receipt_id, token_digest, token, imprint, attached_at, tenant FROM SELECT receipt_id, token_digest, token, imprint, attached_at, tenant FROM anchor t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_baseline",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, name, version, digest, questions, loaded_at, loaded_by FROM SELECT tenant, name, version, digest, questions, loaded_at, loaded_by FROM baseline t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_budget",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, period, cost_cap_usd, reserved_usd, spent_usd FROM SELECT tenant, period, cost_cap_usd, CASE WHEN period <> 'request'::text THEN COALESCE reserved_usd, 0 ::numeric ELSE NULL::numeric END AS reserved_usd, CASE WHEN period <> 'request'::text THEN COALESCE spent_usd, 0 ::numeric ELSE NULL::numeric END AS spent_usd FROM SELECT tenant, period, cost_cap_usd FROM budget_cap t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] c LEFT JOIN SELECT tenant, period, starts_on, reserved_usd, spent_usd FROM budget_period t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] p ON tenant = tenant AND period = period AND starts_on = date_trunc period, timezone 'UTC'::text, now ::date r;"},
	{"relation answer.tenant_chunk",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, doc_id, version, ordinal, chunk_id, anchor, section, uri, title, text, content_hash FROM SELECT tenant, doc_id, version, ordinal, chunk_id, anchor, section, uri, title, text, content_hash FROM chunk t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_config",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, config_id, digest, config, parent, author, reason, created_at, receipt_id, seed FROM SELECT tenant, body ->> 'name'::text AS config_id, body #>> '{after,digest}'::text[] AS digest, body #> '{after,config}'::text[] AS config, body #>> '{after,parent}'::text[] AS parent, body #>> '{after,author}'::text[] AS author, body #>> '{after,reason}'::text[] AS reason, issued_at AS created_at, receipt_id, false AS seed FROM SELECT receipt_id, schema, tenant, issued_at, verdict, confidence, degraded, key_id, intent, took, cost_usd, body, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal FROM receipt t WHERE tenant = ANY SELECT tenant_reads || tenant_shared ::text[] r_1 WHERE schema = 'change/v1'::text AND body ->> 'kind'::text = 'config'::text UNION ALL SELECT ''::text AS tenant, concat 'cfg_', substr answer_digest config , 8, 16 AS config_id, answer_digest config AS digest, config, NULL::text AS parent, NULL::text AS author, 'shipped'::text AS reason, NULL::timestamp with time zone AS created_at, NULL::text AS receipt_id, true AS seed FROM SELECT shipped_config AS config s r;"},
	{"relation answer.tenant_config_step",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, environment, revision, action, config_id, stage, outcome, failures, samples, candidate_run, baseline_run, active_before, active_after, by_role, reason, issued_at, receipt_id FROM SELECT tenant, body ->> 'name'::text AS environment, body ->> 'revision'::text ::integer AS revision, body ->> 'action'::text AS action, body #>> '{step,config}'::text[] AS config_id, body #>> '{step,stage}'::text[] AS stage, body #>> '{step,outcome}'::text[] AS outcome, body #> '{step,failures}'::text[] AS failures, body #> '{step,samples}'::text[] AS samples, body #>> '{step,gate,candidate}'::text[] AS candidate_run, body #>> '{step,gate,baseline}'::text[] AS baseline_run, body #>> '{step,from,active}'::text[] AS active_before, body #>> '{after,active}'::text[] AS active_after, body #>> '{step,by}'::text[] AS by_role, body #>> '{step,reason}'::text[] AS reason, issued_at, receipt_id FROM SELECT receipt_id, schema, tenant, issued_at, verdict, confidence, degraded, key_id, intent, took, cost_usd, body, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal FROM receipt t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r_1 WHERE schema = 'change/v1'::text AND body ->> 'kind'::text = 'environment'::text OFFSET 0 r;"},
	{"relation answer.tenant_document",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, doc_id, version, title, url, \"timestamp\", chunks, content_hash, loaded_at, loaded_by FROM SELECT tenant, doc_id, version, title, url, \"timestamp\", chunks, content_hash, loaded_at, loaded_by FROM document t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_document_fact",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, doc_id, version, chunk_id, key, subject, attribute, scope, value, unit, quote, by, role, added_at, digest FROM SELECT tenant, doc_id, version, chunk_id, key, subject, attribute, scope, value, unit, quote, by, role, added_at, digest FROM document_fact t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_environment",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, name, revision, active, shadow, canary, canary_share, history, suite, rules, shadow_samples, canary_samples, most_different_percent, moved_at, receipt_id, seed FROM WITH newest AS SELECT DISTINCT ON tenant, body ->> 'name'::text tenant, body ->> 'name'::text AS name, body ->> 'revision'::text ::integer AS revision, body -> 'after'::text AS state, issued_at, receipt_id FROM SELECT receipt_id, schema, tenant, issued_at, verdict, confidence, degraded, key_id, intent, took, cost_usd, body, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal FROM receipt t WHERE tenant = ANY SELECT tenant_reads || tenant_shared ::text[] r_1 WHERE schema = 'change/v1'::text AND body ->> 'kind'::text = 'environment'::text ORDER BY tenant, body ->> 'name'::text , body ->> 'revision'::text ::integer DESC NULLS LAST , present AS SELECT tenant, name, revision, state, issued_at, receipt_id, false AS seed FROM newest n WHERE jsonb_typeof state = 'object'::text UNION ALL SELECT ''::text AS tenant, key, 0 AS revision, value, NULL::timestamp with time zone AS issued_at, NULL::text AS receipt_id, true AS seed FROM jsonb_each shipped_environments s key, value WHERE NOT EXISTS SELECT FROM newest n WHERE tenant = ''::text AND name = key SELECT tenant, name, revision, state ->> 'active'::text AS active, state ->> 'shadow'::text AS shadow, state ->> 'canary'::text AS canary, round state ->> 'canary_percent'::text ::numeric / 100 ::numeric , 2 AS canary_share, ARRAY SELECT value FROM jsonb_array_elements_text state -> 'history'::text WITH ORDINALITY h value, n ORDER BY n AS history, state ->> 'suite'::text AS suite, state -> 'rules'::text AS rules, state ->> 'shadow_samples'::text ::integer AS shadow_samples, state ->> 'canary_samples'::text ::integer AS canary_samples, state ->> 'most_different_percent'::text ::integer AS most_different_percent, issued_at AS moved_at, receipt_id, seed FROM present p r;"},
	{"relation answer.tenant_evidence",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT digest, tool, args, args_digest, raw, source, observed_at, expires, recorded_at, tenant FROM SELECT digest, tool, args, args_digest, raw, source, observed_at, expires, recorded_at, tenant FROM evidence t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_evolve_proposal",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, proposal, environment, state, base, before, change, reason, slo, by_role, config_id, validation, revision, issued_at, receipt_id FROM SELECT DISTINCT ON tenant, body ->> 'name'::text tenant, body ->> 'name'::text AS proposal, body #>> '{after,environment}'::text[] AS environment, body #>> '{after,state}'::text[] AS state, body #>> '{after,base}'::text[] AS base, body #> '{after,from}'::text[] AS before, body #> '{after,change}'::text[] AS change, body #>> '{after,reason}'::text[] AS reason, NULLIF body #> '{after,slo}'::text[] , 'null'::jsonb AS slo, body #>> '{after,by}'::text[] AS by_role, body #>> '{after,validation,config}'::text[] AS config_id, NULLIF body #> '{after,validation}'::text[] , 'null'::jsonb AS validation, body ->> 'revision'::text ::integer AS revision, issued_at, receipt_id FROM SELECT receipt_id, schema, tenant, issued_at, verdict, confidence, degraded, key_id, intent, took, cost_usd, body, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal FROM receipt t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r_1 WHERE schema = 'change/v1'::text AND body ->> 'kind'::text = 'proposal'::text ORDER BY tenant, body ->> 'name'::text , body ->> 'revision'::text ::integer DESC, receipt_id r;"},
	{"relation answer.tenant_graph_edge",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, project, from_id, to_id, type FROM SELECT tenant, project, from_id, to_id, type FROM graph_edge t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_graph_node",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, project, id, labels, name, path, start_line, end_line, docstring, doc_type, last_modified, text, source_path, content_hash, extraction_method, indexed_at, loaded_at FROM SELECT tenant, project, id, labels, name, path, start_line, end_line, docstring, doc_type, last_modified, text, source_path, content_hash, extraction_method, indexed_at, loaded_at FROM graph_node t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_graph_project",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, project, nodes, edges, documents, sources, extraction_methods, first_indexed_at, last_indexed_at, loaded_at, version FROM SELECT tenant, project, nodes, edges, documents, sources, extraction_methods, first_indexed_at, last_indexed_at, loaded_at, version FROM SELECT tenant, project, version, nodes, edges, sum FROM graph_set t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] s, LATERAL SELECT count * FILTER WHERE 'Document'::text = ANY labels AS documents, count DISTINCT source_path AS sources, array_agg DISTINCT extraction_method AS extraction_methods, min indexed_at AS first_indexed_at, max indexed_at AS last_indexed_at, max loaded_at AS loaded_at FROM SELECT tenant, project, id, labels, name, path, start_line, end_line, docstring, doc_type, last_modified, text, source_path, content_hash, extraction_method, indexed_at, loaded_at FROM graph_node t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] g WHERE tenant = tenant AND project = project n WHERE nodes > 0 r;"},
	{"relation answer.tenant_investigation",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT investigation, tenant, intent, question, subject, opened_at, opened_by, closed_at, outcome FROM SELECT investigation, tenant, intent, question, subject, opened_at, opened_by, closed_at, outcome FROM investigation t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_judge",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT name, tenant, revision, kinds, model, version, handler, handler_owner, handler_digest, role, weights_digest, max_pairs, max_chars, deadline_ms, registered_by, seed FROM SELECT name, tenant, revision, kinds, model, version, handler, handler_owner, handler_digest, role, weights_digest, max_pairs, max_chars, deadline_ms, registered_by, seed FROM judge t WHERE tenant = ANY SELECT tenant_reads || tenant_shared ::text[] r;"},
	{"relation answer.tenant_judge_assessment",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, judge, revision, kind, assessed_at, version, pairs, n, balanced_accuracy, assessment, assessed_by FROM SELECT tenant, judge, revision, kind, assessed_at, version, pairs, n, balanced_accuracy, assessment, assessed_by FROM judge_assessment t WHERE tenant = ANY SELECT tenant_reads || tenant_shared ::text[] r;"},
	{"relation answer.tenant_judgement",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, pair, judge, judge_tenant, revision, judged_at, kind, version, relation, score, origin, by FROM SELECT tenant, pair, judge, judge_tenant, revision, judged_at, kind, version, relation, score, origin, by FROM judgement t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_memory",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, key, value, digest, provenance, ttl, written_at, expires_at, trace_id, reported_by FROM SELECT tenant, key, value, digest, provenance, ttl, written_at, expires_at, trace_id, reported_by FROM SELECT tenant, key, value, digest, provenance, ttl, written_at, expires_at, trace_id, reported_by FROM memory_entry t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] m WHERE expires_at > statement_timestamp r;"},
	{"relation answer.tenant_open_investigation",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT investigation, intent, question, subject, opened_at, complete, level, quality, coverage, agreement, explanation, next_class, next_tool, gap, tenant FROM SELECT investigation, intent, question, subject, opened_at, complete, level, quality, coverage, agreement, explanation, gap[1].class AS next_class, gap[1].tool AS next_tool, gap, tenant FROM SELECT investigation, tenant, intent, question, subject, opened_at, opened_by, closed_at, outcome FROM investigation t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] i CROSS JOIN LATERAL assessment_of investigation, intent, question, subject a complete, level, quality, coverage, agreement, explanation, gap, classes WHERE closed_at IS NULL r;"},
	{"relation answer.tenant_packet_log",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, query_id, project, question, content_hash, status, score, at FROM SELECT tenant, query_id, project, question, content_hash, status, score, at FROM packet_log t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_plan",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, plan_id, version, digest, plan, registered_at, seed, registered_by FROM SELECT tenant, plan_id, version, digest, plan, registered_at, seed, registered_by FROM plan t WHERE tenant = ANY SELECT tenant_reads || tenant_shared ::text[] r;"},
	{"relation answer.tenant_plan_event",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, trace_id, seq, plan_id, step, ts_end, event FROM SELECT tenant, trace_id, seq, plan_id, step, ts_end, event FROM plan_event t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_plan_run",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, trace_id, plan_id, request_id, request_digest, role, status, evaluated_at, started_at, expires_at, finished_at, state, verdict, receipt_id, issued_at FROM SELECT tenant, trace_id, plan_id, request_id, request_digest, role, status, evaluated_at, started_at, expires_at, finished_at, state, verdict, receipt_id, issued_at FROM plan_run t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_quality_entry",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT investigation, tenant, entry, class, tool, query, target, run, quality, strength, sources, match_count, exact_match_count, phrase_match, reason, recorded_at, digest, observation FROM SELECT investigation, tenant, entry, class, tool, query, target, run, quality, strength, sources, match_count, exact_match_count, phrase_match, reason, recorded_at, digest, observation FROM quality_entry t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_quality_tool",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tool, tenant, class, family, grader, grader_owner, description, registered_by, seed FROM SELECT tool, tenant, class, family, grader, grader_owner, description, registered_by, seed FROM quality_tool t WHERE tenant = ANY SELECT tenant_reads || tenant_shared ::text[] r;"},
	{"relation answer.tenant_receipt",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT receipt_id, schema, tenant, issued_at, verdict, confidence, degraded, key_id, intent, took, cost_usd, body, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal FROM SELECT receipt_id, schema, tenant, issued_at, verdict, confidence, degraded, key_id, intent, took, cost_usd, body, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal FROM receipt t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_role",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.tenant_route",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, route_id, \"position\", pattern, kind, tool, args, expect, lists, list_values, list_owners, examples, description, registered_by, enabled, seed FROM SELECT tenant, route_id, \"position\", pattern, kind, tool, args, expect, lists, list_values, list_owners, examples, description, registered_by, enabled, seed FROM route t WHERE tenant = ANY SELECT tenant_reads || tenant_shared ::text[] r;"},
	{"relation answer.tenant_route_table",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, sha256, content, pinned_at FROM SELECT tenant, sha256, content, pinned_at FROM route_table t WHERE tenant = ANY SELECT tenant_reads || tenant_shared ::text[] r;"},
	{"relation answer.tenant_run",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, run_id, suite, version, suite_digest, config_digest, engine_digest, digest, verdict, cases, passed, started_at, finished_at, took FROM SELECT tenant, receipt_id AS run_id, body #>> '{suite,name}'::text[] AS suite, body #>> '{suite,version}'::text[] ::integer AS version, body #>> '{suite,digest}'::text[] AS suite_digest, body ->> 'config_digest'::text AS config_digest, body ->> 'engine_digest'::text AS engine_digest, body ->> 'digest'::text AS digest, verdict, body #>> '{summary,cases}'::text[] ::integer AS cases, body #>> '{summary,passed}'::text[] ::integer AS passed, started_at, issued_at AS finished_at, took FROM SELECT receipt_id, schema, tenant, issued_at, verdict, confidence, degraded, key_id, intent, took, cost_usd, body, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal FROM receipt t_1 WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] d LEFT JOIN SELECT tenant, run_id, started_at, took FROM run_timing t_1 WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] t ON tenant = tenant AND run_id = receipt_id WHERE schema = 'run/v1'::text AND body ->> 'schema'::text = 'run/v1'::text r;"},
	{"relation answer.tenant_run_case",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, run_id, ordinal, case_id, kind, passed, decision, answer, citations, signals, scores, reasons, error, took FROM SELECT tenant, run_id, ordinal ::integer AS ordinal, \"row\" ->> 'id'::text AS case_id, \"row\" ->> 'kind'::text AS kind, \"row\" ->> 'passed'::text ::boolean AS passed, \"row\" ->> 'decision'::text AS decision, \"row\" ->> 'answer'::text AS answer, \"row\" -> 'citations'::text AS citations, \"row\" -> 'signals'::text AS signals, \"row\" -> 'scores'::text AS scores, \"row\" -> 'reasons'::text AS reasons, NULLIF \"row\" -> 'error'::text , 'null'::jsonb AS error, make_interval secs => took[ordinal] ::double precision / 0 ::double precision AS took FROM SELECT tenant, receipt_id AS run_id, body #>> '{suite,name}'::text[] AS suite, body #>> '{suite,version}'::text[] ::integer AS version, body #>> '{suite,digest}'::text[] AS suite_digest, body ->> 'config_digest'::text AS config_digest, body ->> 'engine_digest'::text AS engine_digest, body ->> 'digest'::text AS digest, verdict, body #>> '{summary,cases}'::text[] ::integer AS cases, body #>> '{summary,passed}'::text[] ::integer AS passed, started_at, issued_at AS finished_at, took FROM SELECT receipt_id, schema, tenant, issued_at, verdict, confidence, degraded, key_id, intent, took, cost_usd, body, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal FROM receipt t_1 WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] d_1 LEFT JOIN SELECT tenant, run_id, started_at, took FROM run_timing t_1 WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] t ON tenant = tenant AND run_id = receipt_id WHERE schema = 'run/v1'::text AND body ->> 'schema'::text = 'run/v1'::text r_1 JOIN SELECT receipt_id, schema, tenant, issued_at, verdict, confidence, degraded, key_id, intent, took, cost_usd, body, given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal FROM receipt t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] d ON tenant = tenant AND receipt_id = run_id AND issued_at = finished_at AND schema = 'run/v1'::text , LATERAL jsonb_array_elements CASE WHEN jsonb_typeof body -> 'cases'::text = 'array'::text THEN body -> 'cases'::text ELSE '[]'::jsonb END WITH ORDINALITY c \"row\", ordinal r;"},
	{"relation answer.tenant_run_progress",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, work_id, suite, version, done, cases, percent, started_at, updated_at FROM SELECT tenant, work_id, suite, version, done, cases, round 0 * done ::numeric / NULLIF cases, 0 ::numeric , 1 AS percent, started_at, updated_at FROM SELECT tenant, work_id, role, suite, version, suite_digest, config_digest, engine_digest, cases, done, chain, key_id, sig, started_at, updated_at FROM run_work t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] w r;"},
	{"relation answer.tenant_suite",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, name, version, digest, now, cases, documents, document_set, loaded_at, loaded_by, seed FROM SELECT tenant, name, version, digest, now, cases, documents, document_set, loaded_at, loaded_by, seed FROM suite t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_suite_case",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, suite, version, ordinal, case_id, body FROM SELECT tenant, suite, version, ordinal, case_id, body FROM suite_case t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_tombstone",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT digest, receipt_id, forgotten_at, forgotten_by, reason, body, tenant FROM SELECT digest, receipt_id, forgotten_at, forgotten_by, reason, body, tenant FROM tombstone t WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] r;"},
	{"relation answer.tenant_tool",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tool, tenant, handler, handler_owner, required_args, optional_args, freshness, value_path, unit, entity_path, timestamp_path, source_path, source, basis, category, country, description, registered_by, seed, value_optional, spec FROM SELECT tool, tenant, handler, handler_owner, required_args, optional_args, freshness, value_path, unit, entity_path, timestamp_path, source_path, source, basis, category, country, description, registered_by, seed, value_optional, spec FROM tool t WHERE tenant = ANY SELECT tenant_reads || tenant_shared ::text[] r;"},
	{"relation answer.tenant_tool_latency",
	"kind v, persistence p, row security f f, children 0, part f, extension t with {security_barrier=true}:  SELECT tenant, tool, basis, calls, p50_ms, p95_ms FROM SELECT tenant, tool, CASE WHEN count * >= 30 THEN 'measured'::text ELSE 'declared'::text END AS basis, count * AS calls, trim_scale round percentile_cont 5 ::double precision WITHIN GROUP ORDER BY microseconds ::double precision / 1000 ::double precision ::numeric, 5 AS p50_ms, trim_scale round percentile_cont 95 ::double precision WITHIN GROUP ORDER BY microseconds ::double precision / 1000 ::double precision ::numeric, 5 AS p95_ms FROM SELECT tenant, tool, microseconds, row_number OVER PARTITION BY tenant, tool ORDER BY called_at DESC AS place FROM SELECT tenant, tool, called_at, microseconds FROM tool_call t_1 WHERE tenant = ANY SELECT tenant_reads AS tenant_reads ::text[] t WHERE called_at >= now - '168:00:00'::interval c WHERE place <= 500 GROUP BY tenant, tool r;"},
	{"relation answer.tombstone",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.tool",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.tool_bucket",
	"kind r, persistence u, row security f f, children 0, part f, extension t"},
	{"relation answer.tool_call",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.tool_latency",
	"kind v, persistence p, row security f f, children 0, part f, extension t:  SELECT tenant, tool, CASE WHEN count * >= 30 THEN 'measured'::text ELSE 'declared'::text END AS basis, count * AS calls, trim_scale round percentile_cont 5 ::double precision WITHIN GROUP ORDER BY microseconds ::double precision / 1000 ::double precision ::numeric, 5 AS p50_ms, trim_scale round percentile_cont 95 ::double precision WITHIN GROUP ORDER BY microseconds ::double precision / 1000 ::double precision ::numeric, 5 AS p95_ms FROM SELECT tenant, tool, microseconds, row_number OVER PARTITION BY tenant, tool ORDER BY called_at DESC AS place FROM tool_call t WHERE called_at >= now - '168:00:00'::interval c WHERE place <= 500 GROUP BY tenant, tool;"},
	{"relation answer.unsealed",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.witness_checkpoint",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"relation answer.witness_key",
	"kind r, persistence p, row security f f, children 0, part f, extension t"},
	{"right of PUBLIC to EXECUTE function answer.ambiguity(query text, rules jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.anchor(token bytea, imprint bytea, attached_at timestamp with time zone)",
	""},
	{"right of PUBLIC to EXECUTE function answer.assess_add(state internal, rules jsonb, intent text, question text, subject text, entry jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.assess_final(state internal)",
	""},
	{"right of PUBLIC to EXECUTE function answer.bind(args jsonb, bindings jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.composite_add(state bigint, verdict @extschema@.answer_verdict, confidence double precision, required boolean)",
	""},
	{"right of PUBLIC to EXECUTE function answer.composite_combine(state bigint, other bigint)",
	""},
	{"right of PUBLIC to EXECUTE function answer.composite_final(state bigint)",
	""},
	{"right of PUBLIC to EXECUTE function answer.condition(condition text, bindings jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.ed25519_verify(public_key bytea, message bytea, signature bytea)",
	""},
	{"right of PUBLIC to EXECUTE function answer.evidence_digest(tool text, args jsonb, raw jsonb, source text, observed_at timestamp with time zone, expires timestamp with time zone)",
	""},
	{"right of PUBLIC to EXECUTE function answer.evidence_verdict(evidence jsonb, min_confidence numeric, regulated boolean)",
	""},
	{"right of PUBLIC to EXECUTE function answer.fact_confidence(verification jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.grade(tool text, observation jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.grade_graph_node(observation jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.grade_text(tool text, query text, output text, question text)",
	""},
	{"right of PUBLIC to EXECUTE function answer.markers_check(text text, citations jsonb, needs_citation boolean)",
	""},
	{"right of PUBLIC to EXECUTE function answer.memory_expires(ttl text, written_at timestamp with time zone)",
	""},
	{"right of PUBLIC to EXECUTE function answer.merkle_consistency(from_size bigint, to_size bigint, from_root bytea, to_root bytea, proof bytea[])",
	""},
	{"right of PUBLIC to EXECUTE function answer.merkle_inclusion(leaf_index bigint, tree_size bigint, leaf_hash bytea, root_hash bytea, proof bytea[])",
	""},
	{"right of PUBLIC to EXECUTE function answer.merkle_leaf_hash(data bytea)",
	""},
	{"right of PUBLIC to EXECUTE function answer.operator(op text, observed jsonb, value jsonb, tol jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.packet_synthesis(packet jsonb, brief text, citations text[])",
	""},
	{"right of PUBLIC to EXECUTE function answer.packet_validate(packet jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.path_problem(path text)",
	""},
	{"right of PUBLIC to EXECUTE function answer.path_value(value jsonb, path text)",
	""},
	{"right of PUBLIC to EXECUTE function answer.portable(document jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.question_subject(question text)",
	""},
	{"right of PUBLIC to EXECUTE function answer.receipt_html(document jsonb, keys jsonb, inclusion jsonb, vkeys text[])",
	""},
	{"right of PUBLIC to EXECUTE function answer.reference_list(citations jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.refuse_detached(receipt_id text, issued_at timestamp with time zone)",
	""},
	{"right of PUBLIC to EXECUTE function answer.replay_verify(bundle bytea, keys jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.retrieval_quality(chunks jsonb, freshness_days integer, now timestamp with time zone)",
	""},
	{"right of PUBLIC to EXECUTE function answer.risk(query text, rules jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.route_problem(route jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.route_replay(receipt jsonb, route_table jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.shipped_config()",
	""},
	{"right of PUBLIC to EXECUTE function answer.shipped_decision_rules()",
	""},
	{"right of PUBLIC to EXECUTE function answer.shipped_environments()",
	""},
	{"right of PUBLIC to EXECUTE function answer.tenant_reads()",
	""},
	{"right of PUBLIC to EXECUTE function answer.tenant_shared()",
	""},
	{"right of PUBLIC to EXECUTE function answer.text_score(query text, text text, title text, rules jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.tokens(value jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function answer.veracity(records jsonb, now timestamp with time zone, config jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_anchor_verify(receipt jsonb, roots text, at timestamp with time zone, nonce text, policy text)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_anchor_verify(receipt text, roots text, at timestamp with time zone, nonce text, policy text)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_assess(rules jsonb, intent text, question text, subject text, entry jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_canonical(document jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_canonical(document text)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_check(\"check\" jsonb, evidence jsonb, evaluated_at timestamp with time zone)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_checkpoint_verify(checkpoint text, vkeys text[])",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_citations_check(citations jsonb, chunks jsonb, answer text, rules jsonb, query text)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_composite(verdict @extschema@.answer_verdict, confidence double precision, required boolean)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_conflicts(chunks jsonb, rules jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_decide(query text, chunks jsonb, citations jsonb, answer text, config jsonb, now timestamp with time zone, rules jsonb, judgements jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_digest(document jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_digest(document text)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_judge_pairs(query text, chunks jsonb, citations jsonb, answer text, config jsonb, rules jsonb, judgements jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_judged_by(receipt jsonb, kinds text[])",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_log_verify(proof jsonb, receipt jsonb, vkeys text[])",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_packet_html(packet jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_plan_instant()",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_readable(value jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_reading(text text, rules jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_replay(receipt jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_replay(receipt text)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_settings(OUT name text, OUT value text, OUT unit text, OUT description text)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_show(receipt jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_summary(receipt jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_tenant()",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_text_between(whole text, first jsonb, beyond jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_validate(request jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_verify(receipt jsonb, keys jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_verify(receipt jsonb, keys jsonb, inclusion jsonb, vkeys text[])",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_verify(receipt text, keys jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_verify(receipt text, keys jsonb, inclusion jsonb, vkeys text[])",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_verify_document(document jsonb, keys jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_verify_ok(receipt jsonb, keys jsonb)",
	""},
	{"right of PUBLIC to EXECUTE function @extschema@.answer_verify_ok(receipt text, keys jsonb)",
	""},
	{"row \"Build\" of answer.quality_class",
	"{\"seed\": true, \"tool\": \"cmake\", \"class\": \"Build\", \"position\": 4, \"relevance\": null, \"description\": \"Whether it builds.\", \"verify_tool\": \"ctest\", \"identifier_tool\": null}"},
	{"row \"CIWorkflow\" of answer.quality_class",
	"{\"seed\": true, \"tool\": \"gh\", \"class\": \"CIWorkflow\", \"position\": 7, \"relevance\": null, \"description\": \"What happened in continuous integration.\", \"verify_tool\": null, \"identifier_tool\": null}"},
	{"row \"Chat\" of answer.quality_intent",
	"{\"seed\": true, \"intent\": \"Chat\", \"description\": \"Talk; nothing is claimed.\"}"},
	{"row \"Compare\" of answer.quality_intent",
	"{\"seed\": true, \"intent\": \"Compare\", \"description\": \"Hold things against each other.\"}"},
	{"row \"Diagnose\" of answer.quality_intent",
	"{\"seed\": true, \"intent\": \"Diagnose\", \"description\": \"Find out why something fails.\"}"},
	{"row \"Discovery\" of answer.quality_class",
	"{\"seed\": true, \"tool\": \"discovery\", \"class\": \"Discovery\", \"position\": 6, \"relevance\": null, \"description\": \"What kind of project it is.\", \"verify_tool\": null, \"identifier_tool\": null}"},
	{"row \"Execute\" of answer.quality_intent",
	"{\"seed\": true, \"intent\": \"Execute\", \"description\": \"Build and run something.\"}"},
	{"row \"Explain\" of answer.quality_intent",
	"{\"seed\": true, \"intent\": \"Explain\", \"description\": \"Say how something works.\"}"},
	{"row \"FileContent\" of answer.quality_class",
	"{\"seed\": true, \"tool\": \"read\", \"class\": \"FileContent\", \"position\": 2, \"relevance\": \"target\", \"description\": \"What a file says.\", \"verify_tool\": \"find\", \"identifier_tool\": null}"},
	{"row \"FileSearch\" of answer.quality_class",
	"{\"seed\": true, \"tool\": \"find\", \"class\": \"FileSearch\", \"position\": 1, \"relevance\": \"query\", \"description\": \"Where something is.\", \"verify_tool\": \"read\", \"identifier_tool\": \"references\"}"},
	{"row \"GitLog\" of answer.quality_class",
	"{\"seed\": true, \"tool\": \"git log --oneline -10\", \"class\": \"GitLog\", \"position\": 3, \"relevance\": null, \"description\": \"What happened to the sources.\", \"verify_tool\": null, \"identifier_tool\": null}"},
	{"row \"Locate\" of answer.quality_intent",
	"{\"seed\": true, \"intent\": \"Locate\", \"description\": \"Find where something is.\"}"},
	{"row \"Modify\" of answer.quality_intent",
	"{\"seed\": true, \"intent\": \"Modify\", \"description\": \"Change something.\"}"},
	{"row \"Navigate\" of answer.quality_intent",
	"{\"seed\": true, \"intent\": \"Navigate\", \"description\": \"Go to something.\"}"},
	{"row \"Review\" of answer.quality_intent",
	"{\"seed\": true, \"intent\": \"Review\", \"description\": \"Judge something.\"}"},
	{"row \"Status\" of answer.quality_intent",
	"{\"seed\": true, \"intent\": \"Status\", \"description\": \"Say how things stand.\"}"},
	{"row \"Test\" of answer.quality_class",
	"{\"seed\": true, \"tool\": \"ctest\", \"class\": \"Test\", \"position\": 5, \"relevance\": null, \"description\": \"Whether its tests pass.\", \"verify_tool\": \"cmake\", \"identifier_tool\": null}"},
	{"row \"allow\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"allowed\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"permitted\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"may\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"can\", \"detail\": {}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"enable\", \"detail\": {}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"enables\", \"detail\": {}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"enabled\", \"detail\": {}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"refundable\", \"detail\": {}, \"excluded\": false, \"position\": 8}, {\"seed\": true, \"entry\": \"refunds allowed\", \"detail\": {}, \"excluded\": false, \"position\": 9}, {\"seed\": true, \"entry\": \"refunds are allowed\", \"detail\": {}, \"excluded\": false, \"position\": 10}, {\"seed\": true, \"entry\": \"can not only\", \"detail\": {}, \"excluded\": false, \"position\": 11}, {\"seed\": true, \"entry\": \"cannot only\", \"detail\": {}, \"excluded\": false, \"position\": 12}]"},
	{"row \"ambiguity\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"Could you clarify which plan type, region, or timeframe you're asking about?\", \"detail\": {\"holds\": [\"downgrade\", \"upgrade\", \"cancel\", \"change\", \"switch\", \"renew\", \"terminate\"], \"opens\": [\"can we\", \"can i\", \"is it allowed\", \"is allowed\", \"may we\", \"may i\"], \"unless\": [\"account\", \"accounts\", \"date\", \"dates\", \"plan\", \"plans\", \"region\", \"regions\", \"subscription\", \"subscriptions\", \"tier\", \"tiers\", \"timeframe\", \"timeframes\"], \"unless_topic\": true}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"Could you specify the timeframe or date you're interested in?\", \"detail\": {\"holds\": [\"current\", \"latest\", \"now\", \"today\"], \"unless\": [\"q1\", \"q2\", \"q3\", \"q4\", \"when\", \"date\", \"dates\"], \"unless_risk\": true, \"unless_topic\": true, \"unless_month_or_year\": true, \"nothing_but_stop_words_beside\": true}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"Could you clarify what you'd like to change or modify?\", \"detail\": {\"holds\": [\"downgrade\", \"upgrade\", \"cancel\", \"change\"], \"unless\": [\"feature\", \"features\", \"plan\", \"plans\", \"service\", \"services\", \"subscription\", \"subscriptions\", \"tier\", \"tiers\"], \"unless_risk\": true, \"unless_topic\": true, \"or_after_opens_of\": 0, \"nothing_but_stop_words_follow\": true}, \"excluded\": false, \"position\": 3}]"},
	{"row \"answer.investigation\" of answer.source",
	"{\"url\": null, \"seed\": true, \"source\": \"answer.investigation\", \"licence\": null, \"description\": \"What investigations in this database have recorded, and what that comes to.\", \"independence_group\": null}"},
	{"row \"answer_assessment\" of answer.tool",
	"handler answer.tool_assessment, {\"seed\": true, \"spec\": null, \"tool\": \"answer_assessment\", \"unit\": null, \"basis\": \"live-source\", \"source\": \"answer.investigation\", \"tenant\": \"\", \"country\": null, \"category\": \"quality\", \"freshness\": \"00:01:00\", \"value_path\": \"quality\", \"description\": \"What an investigation holds of a class of evidence: the derived quality (the value), and why.\", \"entity_path\": \"class\", \"source_path\": null, \"handler_owner\": null, \"optional_args\": [], \"registered_by\": null, \"required_args\": [\"investigation\", \"class\"], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"answer_observation\" of answer.tool",
	"handler answer.tool_observation, {\"seed\": true, \"spec\": null, \"tool\": \"answer_observation\", \"unit\": null, \"basis\": \"live-source\", \"source\": \"answer.investigation\", \"tenant\": \"\", \"country\": null, \"category\": \"quality\", \"freshness\": \"1 day\", \"value_path\": \"quality\", \"description\": \"A recorded observation by its digest: its quality (the value), and what was observed.\", \"entity_path\": \"target\", \"source_path\": null, \"handler_owner\": null, \"optional_args\": [\"tool\", \"target\"], \"registered_by\": null, \"required_args\": [\"investigation\", \"digest\"], \"timestamp_path\": \"recorded_at\", \"value_optional\": null}"},
	{"row \"cmake\" of answer.quality_tool",
	"{\"seed\": true, \"tool\": \"cmake\", \"class\": \"Build\", \"family\": \"build\", \"grader\": null, \"tenant\": \"\", \"description\": \"A build.\", \"grader_owner\": null, \"registered_by\": null}"},
	{"row \"ctest\" of answer.quality_tool",
	"{\"seed\": true, \"tool\": \"ctest\", \"class\": \"Test\", \"family\": \"test\", \"grader\": null, \"tenant\": \"\", \"description\": \"A run of tests.\", \"grader_owner\": null, \"registered_by\": null}"},
	{"row \"discovery\" of answer.quality_tool",
	"{\"seed\": true, \"tool\": \"discovery\", \"class\": \"Discovery\", \"family\": \"discovery\", \"grader\": null, \"tenant\": \"\", \"description\": \"A scan of the project.\", \"grader_owner\": null, \"registered_by\": null}"},
	{"row \"doc.fact\" of answer.tool",
	"handler , {\"seed\": true, \"spec\": null, \"tool\": \"doc.fact\", \"unit\": null, \"basis\": \"reported\", \"source\": null, \"tenant\": \"\", \"country\": null, \"category\": \"documents\", \"freshness\": null, \"value_path\": \"value\", \"description\": \"A fact that a person or a model read out of loaded documents (answer_document_facts_add): its value, unit, quote and chunk.\", \"entity_path\": \"doc_id\", \"source_path\": null, \"handler_owner\": null, \"optional_args\": [\"scope\"], \"registered_by\": null, \"required_args\": [\"subject\", \"attribute\"], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"doc.search\" of answer.tool",
	"handler answer.tool_doc_search, {\"seed\": true, \"spec\": {\"id\": \"doc.search\", \"io\": {\"input\": {\"k\": {\"type\": \"integer\", \"default\": 8}, \"q\": {\"type\": \"string\", \"required\": true}, \"rerank\": {\"enum\": [\"none\", \"freshness\"], \"type\": \"string\"}, \"filters\": \"object\", \"freshness_bias\": \"number\", \"freshness_days\": \"integer\"}, \"output\": {\"hits\": {\"type\": \"array\", \"items\": {\"id\": \"string\", \"uri\": \"string\", \"score\": \"number\", \"stamp\": \"string\", \"title\": \"string\", \"snippet\": \"string\"}, \"required\": true}}}, \"type\": \"ToolSpec\", \"provenance\": {\"observes\": true, \"attribution_required\": true}, \"constraints\": {\"side_effects\": false, \"latency_p50_ms\": 120, \"per_item_share\": 0.25, \"rate_limit_qps\": 50, \"input_tokens_max\": 512, \"cost_per_call_usd\": 0}}, \"tool\": \"doc.search\", \"unit\": null, \"basis\": \"live-source\", \"source\": null, \"tenant\": \"\", \"country\": null, \"category\": \"plan\", \"freshness\": \"00:01:00\", \"value_path\": \"hits\", \"description\": \"The parts of the tenant's documents that are most similar to a query.\", \"entity_path\": null, \"source_path\": null, \"handler_owner\": null, \"optional_args\": [\"k\", \"filters\", \"rerank\", \"freshness_bias\", \"freshness_days\"], \"registered_by\": null, \"required_args\": [\"q\"], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"documents\" of answer.source",
	"{\"url\": null, \"seed\": true, \"source\": \"documents\", \"licence\": null, \"description\": \"Documents that were loaded; a fact that was read out of one names the document as its source.\", \"independence_group\": null}"},
	{"row \"encrypt\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"encrypt\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"encrypted\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"encryption\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"not plaintext\", \"detail\": {}, \"excluded\": false, \"position\": 4}]"},
	{"row \"encryption_waived\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"optional\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"not required\", \"detail\": {}, \"excluded\": false, \"position\": 2}]"},
	{"row \"exceptions\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"except\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"exception\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"exceptions\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"unless\", \"detail\": {}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"excluding\", \"detail\": {}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"other than\", \"detail\": {}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"apart from\", \"detail\": {}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"with the exception of\", \"detail\": {}, \"excluded\": false, \"position\": 8}]"},
	{"row \"find\" of answer.quality_tool",
	"{\"seed\": true, \"tool\": \"find\", \"class\": \"FileSearch\", \"family\": \"search\", \"grader\": null, \"tenant\": \"\", \"description\": \"Files by their names.\", \"grader_owner\": null, \"registered_by\": null}"},
	{"row \"gh\" of answer.quality_tool",
	"{\"seed\": true, \"tool\": \"gh\", \"class\": \"CIWorkflow\", \"family\": \"ci\", \"grader\": null, \"tenant\": \"\", \"description\": \"Workflow runs at GitHub.\", \"grader_owner\": null, \"registered_by\": null}"},
	{"row \"git\" of answer.quality_tool",
	"{\"seed\": true, \"tool\": \"git\", \"class\": \"GitLog\", \"family\": \"git\", \"grader\": null, \"tenant\": \"\", \"description\": \"The history, and the working tree.\", \"grader_owner\": null, \"registered_by\": null}"},
	{"row \"golden\" of answer.suite",
	"[\"\", 1, \"sha256:343d1c762e52c145bf547cc51616937304635726bdf713547b3ee95dc3267d89\", 137, \"#f85dee29ddf3fba4fa0c800d23a670054e9e3b90\"]"},
	{"row \"graph\" of answer.source",
	"{\"url\": null, \"seed\": true, \"source\": \"graph\", \"licence\": null, \"description\": \"The graphs that were loaded into answer.graph_node, as their loaders read their sources.\", \"independence_group\": null}"},
	{"row \"graph_node\" of answer.tool",
	"handler answer.tool_graph_node, {\"seed\": true, \"spec\": null, \"tool\": \"graph_node\", \"unit\": null, \"basis\": \"live-source\", \"source\": \"graph\", \"tenant\": \"\", \"country\": null, \"category\": \"graph\", \"freshness\": \"00:01:00\", \"value_path\": \"name\", \"description\": \"A node of a project's graph, as packets cite it: its name (the value), labels, path, lines, docstring, neighbours and provenance.\", \"entity_path\": \"id\", \"source_path\": null, \"handler_owner\": null, \"optional_args\": [], \"registered_by\": null, \"required_args\": [\"project\", \"id\"], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"grep\" of answer.quality_tool",
	"{\"seed\": true, \"tool\": \"grep\", \"class\": \"FileSearch\", \"family\": \"search\", \"grader\": null, \"tenant\": \"\", \"description\": \"Lines that match.\", \"grader_owner\": null, \"registered_by\": null}"},
	{"row \"ground.verify\" of answer.tool",
	"handler answer.tool_ground_verify, {\"seed\": true, \"spec\": {\"id\": \"ground.verify\", \"io\": {\"input\": {\"claims\": {\"type\": \"array\", \"items\": \"string\", \"required\": true}, \"policy\": \"object\", \"sources\": {\"type\": \"array\", \"items\": \"Hit\", \"required\": true}, \"reported\": {\"type\": \"array\", \"items\": \"integer\"}, \"regulated\": \"boolean\", \"supersede\": \"boolean\", \"judgements\": \"array\", \"min_confidence\": {\"type\": \"number\", \"default\": 0.90}}, \"output\": {\"evidence\": {\"type\": \"Evidence\", \"required\": true}}}, \"type\": \"ToolSpec\", \"provenance\": {\"rests_on\": [\"sources\"]}, \"constraints\": {\"side_effects\": false, \"latency_p50_ms\": 200, \"per_item_share\": 0.5, \"cost_per_call_usd\": 0}}, \"tool\": \"ground.verify\", \"unit\": null, \"basis\": \"live-source\", \"source\": null, \"tenant\": \"\", \"country\": null, \"category\": \"plan\", \"freshness\": \"00:01:00\", \"value_path\": \"evidence.verdict.confidence\", \"description\": \"What sources say for and against claims, by ground-verify/2.\", \"entity_path\": null, \"source_path\": null, \"handler_owner\": null, \"optional_args\": [\"min_confidence\", \"policy\", \"regulated\", \"judgements\", \"supersede\", \"reported\"], \"registered_by\": null, \"required_args\": [\"claims\", \"sources\"], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"insufficiency\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"insufficient\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"not enough information\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"don't have enough\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"do not have enough\", \"detail\": {}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"can't provide\", \"detail\": {}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"cannot provide\", \"detail\": {}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"unable to answer\", \"detail\": {}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"unable to determine\", \"detail\": {}, \"excluded\": false, \"position\": 8}, {\"seed\": true, \"entry\": \"not sure\", \"detail\": {}, \"excluded\": false, \"position\": 9}, {\"seed\": true, \"entry\": \"not certain\", \"detail\": {}, \"excluded\": false, \"position\": 10}, {\"seed\": true, \"entry\": \"unclear\", \"detail\": {}, \"excluded\": false, \"position\": 11}, {\"seed\": true, \"entry\": \"cannot determine\", \"detail\": {}, \"excluded\": false, \"position\": 12}, {\"seed\": true, \"entry\": \"cannot find\", \"detail\": {}, \"excluded\": false, \"position\": 13}, {\"seed\": true, \"entry\": \"not found in\", \"detail\": {}, \"excluded\": false, \"position\": 14}, {\"seed\": true, \"entry\": \"not available in\", \"detail\": {}, \"excluded\": false, \"position\": 15}, {\"seed\": true, \"entry\": \"not mentioned in\", \"detail\": {}, \"excluded\": false, \"position\": 16}, {\"seed\": true, \"entry\": \"no information about\", \"detail\": {}, \"excluded\": false, \"position\": 17}, {\"seed\": true, \"entry\": \"no information available\", \"detail\": {}, \"excluded\": false, \"position\": 18}, {\"seed\": true, \"entry\": \"lack of context\", \"detail\": {}, \"excluded\": false, \"position\": 19}, {\"seed\": true, \"entry\": \"missing context\", \"detail\": {}, \"excluded\": false, \"position\": 20}, {\"seed\": true, \"entry\": \"can't answer\", \"detail\": {}, \"excluded\": false, \"position\": 21}, {\"seed\": true, \"entry\": \"cannot answer\", \"detail\": {}, \"excluded\": false, \"position\": 22}, {\"seed\": true, \"entry\": \"cannot be answered\", \"detail\": {}, \"excluded\": false, \"position\": 23}, {\"seed\": true, \"entry\": \"don't know\", \"detail\": {}, \"excluded\": false, \"position\": 24}, {\"seed\": true, \"entry\": \"do not know\", \"detail\": {}, \"excluded\": false, \"position\": 25}, {\"seed\": true, \"entry\": \"do not say\", \"detail\": {}, \"excluded\": false, \"position\": 26}, {\"seed\": true, \"entry\": \"does not say\", \"detail\": {}, \"excluded\": false, \"position\": 27}, {\"seed\": true, \"entry\": \"do not contain\", \"detail\": {}, \"excluded\": false, \"position\": 28}, {\"seed\": true, \"entry\": \"does not contain\", \"detail\": {}, \"excluded\": false, \"position\": 29}, {\"seed\": true, \"entry\": \"do not mention\", \"detail\": {}, \"excluded\": false, \"position\": 30}, {\"seed\": true, \"entry\": \"does not mention\", \"detail\": {}, \"excluded\": false, \"position\": 31}, {\"seed\": true, \"entry\": \"no information is available\", \"detail\": {}, \"excluded\": false, \"position\": 32}, {\"seed\": true, \"entry\": \"isn't enough\", \"detail\": {}, \"excluded\": false, \"position\": 33}, {\"seed\": true, \"entry\": \"is not enough\", \"detail\": {}, \"excluded\": false, \"position\": 34}, {\"seed\": true, \"entry\": \"can't find\", \"detail\": {}, \"excluded\": false, \"position\": 35}, {\"seed\": true, \"entry\": \"can't determine\", \"detail\": {}, \"excluded\": false, \"position\": 36}, {\"seed\": true, \"entry\": \"don't say\", \"detail\": {}, \"excluded\": false, \"position\": 37}, {\"seed\": true, \"entry\": \"doesn't say\", \"detail\": {}, \"excluded\": false, \"position\": 38}, {\"seed\": true, \"entry\": \"don't mention\", \"detail\": {}, \"excluded\": false, \"position\": 39}, {\"seed\": true, \"entry\": \"doesn't mention\", \"detail\": {}, \"excluded\": false, \"position\": 40}, {\"seed\": true, \"entry\": \"don't contain\", \"detail\": {}, \"excluded\": false, \"position\": 41}, {\"seed\": true, \"entry\": \"doesn't contain\", \"detail\": {}, \"excluded\": false, \"position\": 42}, {\"seed\": true, \"entry\": \"could not find\", \"detail\": {}, \"excluded\": false, \"position\": 43}, {\"seed\": true, \"entry\": \"couldn't find\", \"detail\": {}, \"excluded\": false, \"position\": 44}, {\"seed\": true, \"entry\": \"no relevant information\", \"detail\": {}, \"excluded\": false, \"position\": 45}]"},
	{"row \"mesh.mem\" of answer.tool",
	"handler answer.tool_mesh_mem, {\"seed\": true, \"spec\": {\"id\": \"mesh.mem\", \"io\": {\"input\": {\"op\": {\"enum\": [\"read\", \"write\"], \"type\": \"string\", \"required\": true}, \"key\": {\"type\": \"string\", \"required\": true}, \"ttl\": \"string\", \"value\": \"object\", \"provenance\": \"Evidence\"}, \"output\": {\"ok\": {\"type\": \"boolean\", \"required\": true}, \"value\": \"object\", \"reason\": \"string\", \"expires\": \"string\", \"provenance\": \"Evidence\", \"reported_by\": {\"type\": \"array\", \"items\": \"string\"}}}, \"type\": \"ToolSpec\", \"constraints\": {\"side_effects\": true, \"latency_p50_ms\": 60, \"per_item_share\": 0, \"cost_per_call_usd\": 0}}, \"tool\": \"mesh.mem\", \"unit\": null, \"basis\": \"live-source\", \"source\": null, \"tenant\": \"\", \"country\": null, \"category\": \"plan\", \"freshness\": \"00:01:00\", \"value_path\": null, \"description\": \"What the tenant remembers: values by key, each with the evidence that it rests on.\", \"entity_path\": null, \"source_path\": null, \"handler_owner\": null, \"optional_args\": [\"value\", \"provenance\", \"ttl\"], \"registered_by\": null, \"required_args\": [\"op\", \"key\"], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"months\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"january\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"february\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"march\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"april\", \"detail\": {}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"may\", \"detail\": {}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"june\", \"detail\": {}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"july\", \"detail\": {}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"august\", \"detail\": {}, \"excluded\": false, \"position\": 8}, {\"seed\": true, \"entry\": \"september\", \"detail\": {}, \"excluded\": false, \"position\": 9}, {\"seed\": true, \"entry\": \"october\", \"detail\": {}, \"excluded\": false, \"position\": 10}, {\"seed\": true, \"entry\": \"november\", \"detail\": {}, \"excluded\": false, \"position\": 11}, {\"seed\": true, \"entry\": \"december\", \"detail\": {}, \"excluded\": false, \"position\": 12}]"},
	{"row \"negators\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"not\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"never\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"no\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"nor\", \"detail\": {}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"nobody\", \"detail\": {}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"without\", \"detail\": {}, \"excluded\": false, \"position\": 6}]"},
	{"row \"not_negating\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"not only\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"no later\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"no more\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"no less\", \"detail\": {}, \"excluded\": false, \"position\": 4}]"},
	{"row \"plaintext\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"plaintext\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"plain text\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"unencrypted\", \"detail\": {}, \"excluded\": false, \"position\": 3}]"},
	{"row \"postgres.database.size\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"postgres_database\", \"lists\": null, \"expect\": null, \"tenant\": \"\", \"pattern\": \"(how (big | large) is | what is the size of) (this database | the database {name})\", \"examples\": [\"How big is this database?\", \"What is the size of the database postgres?\"], \"position\": 1000140, \"route_id\": \"postgres.database.size\", \"description\": \"The size of a database in bytes.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.database.smaller\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_database\", \"lists\": null, \"expect\": {\"op\": \"lt\", \"value\": \"{bytes}\"}, \"tenant\": \"\", \"pattern\": \"(is (this database | the database {name}) smaller than {bytes:count} bytes | (this database | the database {name}) is smaller than {bytes:count} bytes)\", \"examples\": [\"Is this database smaller than 1000000000 bytes?\", \"The database postgres is smaller than 1000000000 bytes.\"], \"position\": 1000150, \"route_id\": \"postgres.database.smaller\", \"description\": \"Whether a database is smaller than so many bytes.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.extension\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"postgres_extension\", \"lists\": null, \"expect\": null, \"tenant\": \"\", \"pattern\": \"(what | which) version of the extension {name} is installed\", \"examples\": [\"Which version of the extension plpgsql is installed?\"], \"position\": 1000110, \"route_id\": \"postgres.extension\", \"description\": \"The version of an extension in this database.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.extension.installed\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_extension\", \"lists\": null, \"expect\": {\"op\": \"eq\", \"path\": \"installed\", \"value\": true}, \"tenant\": \"\", \"pattern\": \"(is the extension {name} installed | the extension {name} is installed)\", \"examples\": [\"Is the extension plpgsql installed?\", \"The extension answer_eval is installed.\"], \"position\": 1000120, \"route_id\": \"postgres.extension.installed\", \"description\": \"Whether this database has an extension.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.extension.named\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_extension\", \"lists\": null, \"expect\": {\"op\": \"eq\", \"path\": \"installed\", \"value\": true}, \"tenant\": \"\", \"pattern\": \"is {name} installed\", \"examples\": [\"Is pgcrypto installed?\"], \"position\": 1000260, \"route_id\": \"postgres.extension.named\", \"description\": \"Whether this database has an extension, by its name alone.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.extension.version\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_extension\", \"lists\": null, \"expect\": {\"op\": \"semver_prefix\", \"value\": \"{version}\"}, \"tenant\": \"\", \"pattern\": \"(is the extension {name} [at] version {version:semver} | the extension {name} is [at] version {version:semver})\", \"examples\": [\"Is the extension plpgsql version 1.0?\", \"The extension plpgsql is at version 1.0.\"], \"position\": 1000130, \"route_id\": \"postgres.extension.version\", \"description\": \"Whether this database has an extension in some version.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.recovery\" of answer.route",
	"{\"args\": {}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_server\", \"lists\": null, \"expect\": {\"op\": \"eq\", \"path\": \"in_recovery\", \"value\": true}, \"tenant\": \"\", \"pattern\": \"(is this server | this server is) in recovery\", \"examples\": [\"Is this server in recovery?\", \"This server is in recovery.\"], \"position\": 1000050, \"route_id\": \"postgres.recovery\", \"description\": \"Whether this server is in recovery.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.relation.rows\" of answer.route",
	"{\"args\": {\"relation\": \"{relation}\"}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"postgres_relation\", \"lists\": null, \"expect\": null, \"tenant\": \"\", \"pattern\": \"how many rows (does the table {relation} have | has the table {relation} | are in the table {relation})\", \"examples\": [\"How many rows does the table answer.tool have?\", \"How many rows are in the table answer.tombstone?\"], \"position\": 1000160, \"route_id\": \"postgres.relation.rows\", \"description\": \"The estimated rows of a table, named with its schema.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.relation.size\" of answer.route",
	"{\"args\": {\"relation\": \"{relation}\"}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"postgres_relation\", \"lists\": null, \"expect\": {\"path\": \"size_bytes\"}, \"tenant\": \"\", \"pattern\": \"(how (big | large) is | what is the size of) the (table | index | relation) {relation}\", \"examples\": [\"How big is the table answer.tombstone?\", \"What is the size of the index answer.tombstone_pkey?\"], \"position\": 1000170, \"route_id\": \"postgres.relation.size\", \"description\": \"The size of a relation in bytes, named with its schema.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.replication.role\" of answer.route",
	"{\"args\": {}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_replication\", \"lists\": {\"role\": [\"primary\", \"standby\"]}, \"expect\": {\"op\": \"eq\", \"path\": \"role\", \"value\": \"{role}\"}, \"tenant\": \"\", \"pattern\": \"(is this server | this server is) (a | the) {role:list}\", \"examples\": [\"Is this server the primary?\", \"This server is a standby.\"], \"position\": 1000190, \"route_id\": \"postgres.replication.role\", \"description\": \"Whether this server is the primary or a standby.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.replication.standbys\" of answer.route",
	"{\"args\": {}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"postgres_replication\", \"lists\": null, \"expect\": null, \"tenant\": \"\", \"pattern\": \"how many standbys (stream | are streaming)\", \"examples\": [\"How many standbys are streaming?\"], \"position\": 1000180, \"route_id\": \"postgres.replication.standbys\", \"description\": \"How many standbys stream from this server.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.setting\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"postgres_setting\", \"lists\": null, \"expect\": null, \"tenant\": \"\", \"pattern\": \"(what is [the] setting {name} | what is {name} set to | what is the (value | setting) of {name})\", \"examples\": [\"What is the setting work_mem?\", \"What is fsync set to?\", \"What is the value of max_connections?\"], \"position\": 1000060, \"route_id\": \"postgres.setting\", \"description\": \"A configuration parameter.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.setting.named\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"postgres_setting\", \"lists\": {\"name\": [\"DateStyle\", \"IntervalStyle\", \"TimeZone\", \"allow_alter_system\", \"allow_in_place_tablespaces\", \"allow_system_table_mods\", \"application_name\", \"archive_cleanup_command\", \"archive_command\", \"archive_library\", \"archive_mode\", \"archive_timeout\", \"array_nulls\", \"authentication_timeout\", \"autovacuum\", \"autovacuum_analyze_scale_factor\", \"autovacuum_analyze_threshold\", \"autovacuum_freeze_max_age\", \"autovacuum_max_workers\", \"autovacuum_multixact_freeze_max_age\", \"autovacuum_naptime\", \"autovacuum_vacuum_cost_delay\", \"autovacuum_vacuum_cost_limit\", \"autovacuum_vacuum_insert_scale_factor\", \"autovacuum_vacuum_insert_threshold\", \"autovacuum_vacuum_max_threshold\", \"autovacuum_vacuum_scale_factor\", \"autovacuum_vacuum_threshold\", \"autovacuum_work_mem\", \"autovacuum_worker_slots\", \"backend_flush_after\", \"backslash_quote\", \"backtrace_functions\", \"bgwriter_delay\", \"bgwriter_flush_after\", \"bgwriter_lru_maxpages\", \"bgwriter_lru_multiplier\", \"block_size\", \"bonjour\", \"bonjour_name\", \"bytea_output\", \"check_function_bodies\", \"checkpoint_completion_target\", \"checkpoint_flush_after\", \"checkpoint_timeout\", \"checkpoint_warning\", \"client_connection_check_interval\", \"client_encoding\", \"client_min_messages\", \"cluster_name\", \"commit_delay\", \"commit_siblings\", \"commit_timestamp_buffers\", \"composite_type_mismatch\", \"compute_query_id\", \"config_file\", \"constraint_exclusion\", \"cpu_index_tuple_cost\", \"cpu_operator_cost\", \"cpu_tuple_cost\", \"createrole_self_grant\", \"cursor_tuple_fraction\", \"data_checksums\", \"data_directory\", \"data_directory_mode\", \"data_sync_retry\", \"db_user_namespace\", \"deadlock_timeout\", \"debug_assertions\", \"debug_discard_caches\", \"debug_io_direct\", \"debug_logical_replication_streaming\", \"debug_parallel_query\", \"debug_pretty_print\", \"debug_print_parse\", \"debug_print_plan\", \"debug_print_rewritten\", \"default_statistics_target\", \"default_table_access_method\", \"default_tablespace\", \"default_text_search_config\", \"default_toast_compression\", \"default_transaction_deferrable\", \"default_transaction_isolation\", \"default_transaction_read_only\", \"dynamic_library_path\", \"dynamic_shared_memory_type\", \"effective_cache_size\", \"effective_io_concurrency\", \"enable_async_append\", \"enable_bitmapscan\", \"enable_distinct_reordering\", \"enable_gathermerge\", \"enable_group_by_reordering\", \"enable_hashagg\", \"enable_hashjoin\", \"enable_incremental_sort\", \"enable_indexonlyscan\", \"enable_indexscan\", \"enable_material\", \"enable_memoize\", \"enable_mergejoin\", \"enable_nestloop\", \"enable_parallel_append\", \"enable_parallel_hash\", \"enable_partition_pruning\", \"enable_partitionwise_aggregate\", \"enable_partitionwise_join\", \"enable_presorted_aggregate\", \"enable_self_join_elimination\", \"enable_seqscan\", \"enable_sort\", \"enable_tidscan\", \"escape_string_warning\", \"event_source\", \"event_triggers\", \"exit_on_error\", \"extension_control_path\", \"external_pid_file\", \"extra_float_digits\", \"file_copy_method\", \"force_parallel_mode\", \"from_collapse_limit\", \"fsync\", \"full_page_writes\", \"geqo\", \"geqo_effort\", \"geqo_generations\", \"geqo_pool_size\", \"geqo_seed\", \"geqo_selection_bias\", \"geqo_threshold\", \"gin_fuzzy_search_limit\", \"gin_pending_list_limit\", \"gss_accept_delegation\", \"hash_mem_multiplier\", \"hba_file\", \"hot_standby\", \"hot_standby_feedback\", \"huge_page_size\", \"huge_pages\", \"huge_pages_status\", \"icu_validation_level\", \"ident_file\", \"idle_in_transaction_session_timeout\", \"idle_replication_slot_timeout\", \"idle_session_timeout\", \"ignore_checksum_failure\", \"ignore_invalid_pages\", \"ignore_system_indexes\", \"in_hot_standby\", \"integer_datetimes\", \"io_combine_limit\", \"io_max_combine_limit\", \"io_max_concurrency\", \"io_method\", \"io_workers\", \"jit\", \"jit_above_cost\", \"jit_debugging_support\", \"jit_dump_bitcode\", \"jit_expressions\", \"jit_inline_above_cost\", \"jit_optimize_above_cost\", \"jit_profiling_support\", \"jit_provider\", \"jit_tuple_deforming\", \"join_collapse_limit\", \"krb_caseins_users\", \"krb_server_keyfile\", \"lc_collate\", \"lc_ctype\", \"lc_messages\", \"lc_monetary\", \"lc_numeric\", \"lc_time\", \"listen_addresses\", \"lo_compat_privileges\", \"local_preload_libraries\", \"lock_timeout\", \"log_autovacuum_min_duration\", \"log_checkpoints\", \"log_connections\", \"log_destination\", \"log_directory\", \"log_disconnections\", \"log_duration\", \"log_error_verbosity\", \"log_executor_stats\", \"log_file_mode\", \"log_filename\", \"log_hostname\", \"log_line_prefix\", \"log_lock_failures\", \"log_lock_waits\", \"log_min_duration_sample\", \"log_min_duration_statement\", \"log_min_error_statement\", \"log_min_messages\", \"log_parameter_max_length\", \"log_parameter_max_length_on_error\", \"log_parser_stats\", \"log_planner_stats\", \"log_recovery_conflict_waits\", \"log_replication_commands\", \"log_rotation_age\", \"log_rotation_size\", \"log_startup_progress_interval\", \"log_statement\", \"log_statement_sample_rate\", \"log_statement_stats\", \"log_temp_files\", \"log_timezone\", \"log_transaction_sample_rate\", \"log_truncate_on_rotation\", \"logging_collector\", \"logical_decoding_work_mem\", \"maintenance_io_concurrency\", \"maintenance_work_mem\", \"max_active_replication_origins\", \"max_connections\", \"max_files_per_process\", \"max_function_args\", \"max_identifier_length\", \"max_index_keys\", \"max_locks_per_transaction\", \"max_logical_replication_workers\", \"max_notify_queue_pages\", \"max_parallel_apply_workers_per_subscription\", \"max_parallel_maintenance_workers\", \"max_parallel_workers\", \"max_parallel_workers_per_gather\", \"max_pred_locks_per_page\", \"max_pred_locks_per_relation\", \"max_pred_locks_per_transaction\", \"max_prepared_transactions\", \"max_replication_slots\", \"max_slot_wal_keep_size\", \"max_stack_depth\", \"max_standby_archive_delay\", \"max_standby_streaming_delay\", \"max_sync_workers_per_subscription\", \"max_wal_senders\", \"max_wal_size\", \"max_worker_processes\", \"md5_password_warnings\", \"min_dynamic_shared_memory\", \"min_parallel_index_scan_size\", \"min_parallel_table_scan_size\", \"min_wal_size\", \"multixact_member_buffers\", \"multixact_offset_buffers\", \"notify_buffers\", \"num_os_semaphores\", \"oauth_validator_libraries\", \"old_snapshot_threshold\", \"parallel_leader_participation\", \"parallel_setup_cost\", \"parallel_tuple_cost\", \"password_encryption\", \"plan_cache_mode\", \"port\", \"post_auth_delay\", \"pre_auth_delay\", \"primary_conninfo\", \"primary_slot_name\", \"promote_trigger_file\", \"quote_all_identifiers\", \"random_page_cost\", \"recovery_end_command\", \"recovery_init_sync_method\", \"recovery_min_apply_delay\", \"recovery_prefetch\", \"recovery_target\", \"recovery_target_action\", \"recovery_target_inclusive\", \"recovery_target_lsn\", \"recovery_target_name\", \"recovery_target_time\", \"recovery_target_timeline\", \"recovery_target_xid\", \"recursive_worktable_factor\", \"remove_temp_files_after_crash\", \"reserved_connections\", \"restart_after_crash\", \"restore_command\", \"restrict_nonsystem_relation_kind\", \"row_security\", \"scram_iterations\", \"search_path\", \"segment_size\", \"send_abort_for_crash\", \"send_abort_for_kill\", \"seq_page_cost\", \"serializable_buffers\", \"server_encoding\", \"server_version\", \"server_version_num\", \"session_preload_libraries\", \"session_replication_role\", \"shared_buffers\", \"shared_memory_size\", \"shared_memory_size_in_huge_pages\", \"shared_memory_type\", \"shared_preload_libraries\", \"ssl\", \"ssl_ca_file\", \"ssl_cert_file\", \"ssl_ciphers\", \"ssl_crl_dir\", \"ssl_crl_file\", \"ssl_dh_params_file\", \"ssl_ecdh_curve\", \"ssl_groups\", \"ssl_key_file\", \"ssl_library\", \"ssl_max_protocol_version\", \"ssl_min_protocol_version\", \"ssl_passphrase_command\", \"ssl_passphrase_command_supports_reload\", \"ssl_prefer_server_ciphers\", \"ssl_tls13_ciphers\", \"standard_conforming_strings\", \"statement_timeout\", \"stats_fetch_consistency\", \"subtransaction_buffers\", \"summarize_wal\", \"superuser_reserved_connections\", \"sync_replication_slots\", \"synchronize_seqscans\", \"synchronized_standby_slots\", \"synchronous_commit\", \"synchronous_standby_names\", \"syslog_facility\", \"syslog_ident\", \"syslog_sequence_numbers\", \"syslog_split_messages\", \"tcp_keepalives_count\", \"tcp_keepalives_idle\", \"tcp_keepalives_interval\", \"tcp_user_timeout\", \"temp_buffers\", \"temp_file_limit\", \"temp_tablespaces\", \"timezone_abbreviations\", \"trace_connection_negotiation\", \"trace_notify\", \"trace_recovery_messages\", \"trace_sort\", \"track_activities\", \"track_activity_query_size\", \"track_commit_timestamp\", \"track_cost_delay_timing\", \"track_counts\", \"track_functions\", \"track_io_timing\", \"track_wal_io_timing\", \"transaction_buffers\", \"transaction_deferrable\", \"transaction_isolation\", \"transaction_read_only\", \"transaction_timeout\", \"transform_null_equals\", \"unix_socket_directories\", \"unix_socket_group\", \"unix_socket_permissions\", \"update_process_title\", \"vacuum_buffer_usage_limit\", \"vacuum_cost_delay\", \"vacuum_cost_limit\", \"vacuum_cost_page_dirty\", \"vacuum_cost_page_hit\", \"vacuum_cost_page_miss\", \"vacuum_defer_cleanup_age\", \"vacuum_failsafe_age\", \"vacuum_freeze_min_age\", \"vacuum_freeze_table_age\", \"vacuum_max_eager_freeze_failure_rate\", \"vacuum_multixact_failsafe_age\", \"vacuum_multixact_freeze_min_age\", \"vacuum_multixact_freeze_table_age\", \"vacuum_truncate\", \"wal_block_size\", \"wal_buffers\", \"wal_compression\", \"wal_consistency_checking\", \"wal_decode_buffer_size\", \"wal_init_zero\", \"wal_keep_size\", \"wal_level\", \"wal_log_hints\", \"wal_receiver_create_temp_slot\", \"wal_receiver_status_interval\", \"wal_receiver_timeout\", \"wal_recycle\", \"wal_retrieve_retry_interval\", \"wal_segment_size\", \"wal_sender_timeout\", \"wal_skip_threshold\", \"wal_summary_keep_time\", \"wal_sync_method\", \"wal_writer_delay\", \"wal_writer_flush_after\", \"work_mem\", \"xmlbinary\", \"xmloption\", \"zero_damaged_pages\"]}, \"expect\": null, \"tenant\": \"\", \"pattern\": \"(what is | show) [the] {name:list}\", \"examples\": [\"What is max_connections?\", \"Show work_mem.\"], \"position\": 1000230, \"route_id\": \"postgres.setting.named\", \"description\": \"A configuration parameter of PostgreSQL, by its name alone.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.setting.named.off\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_setting\", \"lists\": {\"name\": [\"allow_alter_system\", \"allow_in_place_tablespaces\", \"allow_system_table_mods\", \"archive_mode\", \"array_nulls\", \"autovacuum\", \"backslash_quote\", \"bonjour\", \"check_function_bodies\", \"compute_query_id\", \"constraint_exclusion\", \"data_checksums\", \"data_sync_retry\", \"db_user_namespace\", \"debug_assertions\", \"debug_parallel_query\", \"debug_pretty_print\", \"debug_print_parse\", \"debug_print_plan\", \"debug_print_rewritten\", \"default_transaction_deferrable\", \"default_transaction_read_only\", \"enable_async_append\", \"enable_bitmapscan\", \"enable_distinct_reordering\", \"enable_gathermerge\", \"enable_group_by_reordering\", \"enable_hashagg\", \"enable_hashjoin\", \"enable_incremental_sort\", \"enable_indexonlyscan\", \"enable_indexscan\", \"enable_material\", \"enable_memoize\", \"enable_mergejoin\", \"enable_nestloop\", \"enable_parallel_append\", \"enable_parallel_hash\", \"enable_partition_pruning\", \"enable_partitionwise_aggregate\", \"enable_partitionwise_join\", \"enable_presorted_aggregate\", \"enable_self_join_elimination\", \"enable_seqscan\", \"enable_sort\", \"enable_tidscan\", \"escape_string_warning\", \"event_triggers\", \"exit_on_error\", \"force_parallel_mode\", \"fsync\", \"full_page_writes\", \"geqo\", \"gss_accept_delegation\", \"hot_standby\", \"hot_standby_feedback\", \"huge_pages\", \"huge_pages_status\", \"ignore_checksum_failure\", \"ignore_invalid_pages\", \"ignore_system_indexes\", \"in_hot_standby\", \"integer_datetimes\", \"jit\", \"jit_debugging_support\", \"jit_dump_bitcode\", \"jit_expressions\", \"jit_profiling_support\", \"jit_tuple_deforming\", \"krb_caseins_users\", \"lo_compat_privileges\", \"log_checkpoints\", \"log_disconnections\", \"log_duration\", \"log_executor_stats\", \"log_hostname\", \"log_lock_failures\", \"log_lock_waits\", \"log_parser_stats\", \"log_planner_stats\", \"log_recovery_conflict_waits\", \"log_replication_commands\", \"log_statement_stats\", \"log_truncate_on_rotation\", \"logging_collector\", \"md5_password_warnings\", \"parallel_leader_participation\", \"quote_all_identifiers\", \"recovery_prefetch\", \"recovery_target_inclusive\", \"remove_temp_files_after_crash\", \"restart_after_crash\", \"row_security\", \"send_abort_for_crash\", \"send_abort_for_kill\", \"ssl\", \"ssl_passphrase_command_supports_reload\", \"ssl_prefer_server_ciphers\", \"standard_conforming_strings\", \"summarize_wal\", \"sync_replication_slots\", \"synchronize_seqscans\", \"synchronous_commit\", \"syslog_sequence_numbers\", \"syslog_split_messages\", \"trace_connection_negotiation\", \"trace_notify\", \"trace_sort\", \"track_activities\", \"track_commit_timestamp\", \"track_cost_delay_timing\", \"track_counts\", \"track_io_timing\", \"track_wal_io_timing\", \"transaction_deferrable\", \"transaction_read_only\", \"transform_null_equals\", \"update_process_title\", \"vacuum_truncate\", \"wal_compression\", \"wal_init_zero\", \"wal_log_hints\", \"wal_receiver_create_temp_slot\", \"wal_recycle\", \"zero_damaged_pages\"]}, \"expect\": {\"op\": \"in\", \"value\": [false, \"off\"]}, \"tenant\": \"\", \"pattern\": \"(is {name:list} [set to] (off | false | no | disabled) | {name:list} is [set to] (off | false | no | disabled))\", \"examples\": [\"Is fsync off?\", \"archive_mode is disabled.\"], \"position\": 1000250, \"route_id\": \"postgres.setting.named.off\", \"description\": \"Whether a parameter of PostgreSQL is off, by its name alone.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.setting.named.on\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_setting\", \"lists\": {\"name\": [\"allow_alter_system\", \"allow_in_place_tablespaces\", \"allow_system_table_mods\", \"archive_mode\", \"array_nulls\", \"autovacuum\", \"backslash_quote\", \"bonjour\", \"check_function_bodies\", \"compute_query_id\", \"constraint_exclusion\", \"data_checksums\", \"data_sync_retry\", \"db_user_namespace\", \"debug_assertions\", \"debug_parallel_query\", \"debug_pretty_print\", \"debug_print_parse\", \"debug_print_plan\", \"debug_print_rewritten\", \"default_transaction_deferrable\", \"default_transaction_read_only\", \"enable_async_append\", \"enable_bitmapscan\", \"enable_distinct_reordering\", \"enable_gathermerge\", \"enable_group_by_reordering\", \"enable_hashagg\", \"enable_hashjoin\", \"enable_incremental_sort\", \"enable_indexonlyscan\", \"enable_indexscan\", \"enable_material\", \"enable_memoize\", \"enable_mergejoin\", \"enable_nestloop\", \"enable_parallel_append\", \"enable_parallel_hash\", \"enable_partition_pruning\", \"enable_partitionwise_aggregate\", \"enable_partitionwise_join\", \"enable_presorted_aggregate\", \"enable_self_join_elimination\", \"enable_seqscan\", \"enable_sort\", \"enable_tidscan\", \"escape_string_warning\", \"event_triggers\", \"exit_on_error\", \"force_parallel_mode\", \"fsync\", \"full_page_writes\", \"geqo\", \"gss_accept_delegation\", \"hot_standby\", \"hot_standby_feedback\", \"huge_pages\", \"huge_pages_status\", \"ignore_checksum_failure\", \"ignore_invalid_pages\", \"ignore_system_indexes\", \"in_hot_standby\", \"integer_datetimes\", \"jit\", \"jit_debugging_support\", \"jit_dump_bitcode\", \"jit_expressions\", \"jit_profiling_support\", \"jit_tuple_deforming\", \"krb_caseins_users\", \"lo_compat_privileges\", \"log_checkpoints\", \"log_disconnections\", \"log_duration\", \"log_executor_stats\", \"log_hostname\", \"log_lock_failures\", \"log_lock_waits\", \"log_parser_stats\", \"log_planner_stats\", \"log_recovery_conflict_waits\", \"log_replication_commands\", \"log_statement_stats\", \"log_truncate_on_rotation\", \"logging_collector\", \"md5_password_warnings\", \"parallel_leader_participation\", \"quote_all_identifiers\", \"recovery_prefetch\", \"recovery_target_inclusive\", \"remove_temp_files_after_crash\", \"restart_after_crash\", \"row_security\", \"send_abort_for_crash\", \"send_abort_for_kill\", \"ssl\", \"ssl_passphrase_command_supports_reload\", \"ssl_prefer_server_ciphers\", \"standard_conforming_strings\", \"summarize_wal\", \"sync_replication_slots\", \"synchronize_seqscans\", \"synchronous_commit\", \"syslog_sequence_numbers\", \"syslog_split_messages\", \"trace_connection_negotiation\", \"trace_notify\", \"trace_sort\", \"track_activities\", \"track_commit_timestamp\", \"track_cost_delay_timing\", \"track_counts\", \"track_io_timing\", \"track_wal_io_timing\", \"transaction_deferrable\", \"transaction_read_only\", \"transform_null_equals\", \"update_process_title\", \"vacuum_truncate\", \"wal_compression\", \"wal_init_zero\", \"wal_log_hints\", \"wal_receiver_create_temp_slot\", \"wal_recycle\", \"zero_damaged_pages\"]}, \"expect\": {\"op\": \"in\", \"value\": [true, \"on\"]}, \"tenant\": \"\", \"pattern\": \"(is {name:list} [set to] (on | true | yes | enabled) | {name:list} is [set to] (on | true | yes | enabled))\", \"examples\": [\"Is fsync on?\", \"synchronous_commit is enabled.\"], \"position\": 1000240, \"route_id\": \"postgres.setting.named.on\", \"description\": \"Whether a parameter of PostgreSQL is on, by its name alone.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.setting.number\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_setting\", \"lists\": null, \"expect\": {\"op\": \"abs_within\", \"tol\": 0, \"value\": \"{value}\"}, \"tenant\": \"\", \"pattern\": \"(is [the] setting {name} [set to] {value:number} | [the] setting {name} is [set to] {value:number})\", \"examples\": [\"Is the setting max_connections 100?\", \"The setting max_connections is set to 100.\"], \"position\": 1000090, \"route_id\": \"postgres.setting.number\", \"description\": \"Whether a parameter has a number, in the unit that pg_settings shows.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.setting.off\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_setting\", \"lists\": null, \"expect\": {\"op\": \"in\", \"value\": [false, \"off\"]}, \"tenant\": \"\", \"pattern\": \"(is [the] setting {name} [set to] (off | false | no) | [the] setting {name} is [set to] (off | false | no))\", \"examples\": [\"Is the setting archive_mode off?\", \"The setting full_page_writes is set to off.\"], \"position\": 1000080, \"route_id\": \"postgres.setting.off\", \"description\": \"Whether a parameter is off.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.setting.on\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_setting\", \"lists\": null, \"expect\": {\"op\": \"in\", \"value\": [true, \"on\"]}, \"tenant\": \"\", \"pattern\": \"(is [the] setting {name} [set to] (on | true | yes) | [the] setting {name} is [set to] (on | true | yes))\", \"examples\": [\"Is the setting fsync on?\", \"The setting synchronous_commit is set to on.\"], \"position\": 1000070, \"route_id\": \"postgres.setting.on\", \"description\": \"Whether a parameter is on.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.setting.text\" of answer.route",
	"{\"args\": {\"name\": \"{name}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_setting\", \"lists\": null, \"expect\": {\"op\": \"eq\", \"path\": \"text\", \"value\": \"{value}\"}, \"tenant\": \"\", \"pattern\": \"(is [the] setting {name} set to {value} | [the] setting {name} is set to {value})\", \"examples\": [\"Is the setting wal_level set to replica?\", \"The setting wal_level is set to logical.\"], \"position\": 1000100, \"route_id\": \"postgres.setting.text\", \"description\": \"Whether a parameter that is neither a number nor a switch has a value of one word.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.uptime\" of answer.route",
	"{\"args\": {}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"postgres_server\", \"lists\": null, \"expect\": {\"path\": \"uptime_s\"}, \"tenant\": \"\", \"pattern\": \"(how long has this server been (up | running) | what is the uptime of this server)\", \"examples\": [\"How long has this server been up?\", \"What is the uptime of this server?\"], \"position\": 1000040, \"route_id\": \"postgres.uptime\", \"description\": \"Seconds since this server started.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.version\" of answer.route",
	"{\"args\": {}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"postgres_server\", \"lists\": null, \"expect\": null, \"tenant\": \"\", \"pattern\": \"(what is the version of (postgres | postgresql | this server) | (what | which) version of (postgres | postgresql) is (this | running))\", \"examples\": [\"What is the version of PostgreSQL?\", \"What version of Postgres is this?\", \"Which version of Postgres is running?\", \"What is the version of this server?\"], \"position\": 1000010, \"route_id\": \"postgres.version\", \"description\": \"The version of this server.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.version.at_least\" of answer.route",
	"{\"args\": {}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_server\", \"lists\": null, \"expect\": {\"op\": \"semver_gte\", \"value\": \"{version}\"}, \"tenant\": \"\", \"pattern\": \"(is (postgres | postgresql | this server) at least version {version:semver} | (postgres | postgresql | this server) is at least version {version:semver})\", \"examples\": [\"Is PostgreSQL at least version 15?\", \"This server is at least version 15.2.\"], \"position\": 1000020, \"route_id\": \"postgres.version.at_least\", \"description\": \"Whether this server is new enough.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres.version.is\" of answer.route",
	"{\"args\": {}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"postgres_server\", \"lists\": null, \"expect\": {\"op\": \"semver_prefix\", \"value\": \"{version}\"}, \"tenant\": \"\", \"pattern\": \"(is (postgres | postgresql | this server) [at] version {version:semver} | (postgres | postgresql | this server) is [at] version {version:semver} | the version of (postgres | postgresql | this server) is {version:semver})\", \"examples\": [\"Is this server version 15?\", \"PostgreSQL is at version 15.\", \"The version of Postgres is 15.4.\"], \"position\": 1000030, \"route_id\": \"postgres.version.is\", \"description\": \"Whether this server has a version, as far as it is given.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"postgres_database\" of answer.tool",
	"handler answer.tool_database, {\"seed\": true, \"spec\": null, \"tool\": \"postgres_database\", \"unit\": \"bytes\", \"basis\": \"live-source\", \"source\": \"postgresql\", \"tenant\": \"\", \"country\": null, \"category\": \"database\", \"freshness\": \"00:01:00\", \"value_path\": \"size_bytes\", \"description\": \"A database (this one by default): its size in bytes (the value), owner, encoding, connections, transaction age.\", \"entity_path\": \"name\", \"source_path\": null, \"handler_owner\": null, \"optional_args\": [\"name\"], \"registered_by\": null, \"required_args\": [], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"postgres_extension\" of answer.tool",
	"handler answer.tool_extension, {\"seed\": true, \"spec\": null, \"tool\": \"postgres_extension\", \"unit\": null, \"basis\": \"live-source\", \"source\": \"postgresql\", \"tenant\": \"\", \"country\": null, \"category\": \"database\", \"freshness\": \"00:01:00\", \"value_path\": \"installed_version\", \"description\": \"An extension available on this server: the version installed in this database (the value; null if none) and the default one.\", \"entity_path\": \"name\", \"source_path\": null, \"handler_owner\": null, \"optional_args\": [], \"registered_by\": null, \"required_args\": [\"name\"], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"postgres_relation\" of answer.tool",
	"handler answer.tool_relation, {\"seed\": true, \"spec\": null, \"tool\": \"postgres_relation\", \"unit\": \"rows\", \"basis\": \"live-source\", \"source\": \"postgresql\", \"tenant\": \"\", \"country\": null, \"category\": \"database\", \"freshness\": \"00:01:00\", \"value_path\": \"rows_estimated\", \"description\": \"A relation named with its schema: estimated rows (the value), size in bytes, last vacuum and analyze.\", \"entity_path\": \"relation\", \"source_path\": null, \"handler_owner\": null, \"optional_args\": [], \"registered_by\": null, \"required_args\": [\"relation\"], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"postgres_replication\" of answer.tool",
	"handler answer.tool_replication, {\"seed\": true, \"spec\": null, \"tool\": \"postgres_replication\", \"unit\": \"standbys\", \"basis\": \"live-source\", \"source\": \"postgresql\", \"tenant\": \"\", \"country\": null, \"category\": \"database\", \"freshness\": \"00:01:00\", \"value_path\": \"streaming\", \"description\": \"Replication: how many standbys stream (the value), the role of this server, standbys, slots, lag.\", \"entity_path\": null, \"source_path\": null, \"handler_owner\": null, \"optional_args\": [], \"registered_by\": null, \"required_args\": [], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"postgres_server\" of answer.tool",
	"handler answer.tool_server, {\"seed\": true, \"spec\": null, \"tool\": \"postgres_server\", \"unit\": null, \"basis\": \"live-source\", \"source\": \"postgresql\", \"tenant\": \"\", \"country\": null, \"category\": \"database\", \"freshness\": \"00:01:00\", \"value_path\": \"version\", \"description\": \"Version (the value), start, uptime in seconds, recovery state and encoding of this server.\", \"entity_path\": null, \"source_path\": null, \"handler_owner\": null, \"optional_args\": [], \"registered_by\": null, \"required_args\": [], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"postgres_setting\" of answer.tool",
	"handler answer.tool_setting, {\"seed\": true, \"spec\": null, \"tool\": \"postgres_setting\", \"unit\": null, \"basis\": \"live-source\", \"source\": \"postgresql\", \"tenant\": \"\", \"country\": null, \"category\": \"database\", \"freshness\": \"00:01:00\", \"value_path\": \"setting\", \"description\": \"A configuration parameter: its setting (the value), unit, where it comes from, its default.\", \"entity_path\": \"name\", \"source_path\": null, \"handler_owner\": null, \"optional_args\": [], \"registered_by\": null, \"required_args\": [\"name\"], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"postgresql\" of answer.source",
	"{\"url\": \"https://www.postgresql.org/docs/current/catalogs.html\", \"seed\": true, \"source\": \"postgresql\", \"licence\": \"PostgreSQL\", \"description\": \"The catalogs and statistics of this server itself.\", \"independence_group\": null}"},
	{"row \"prohibit\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"prohibited\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"must not\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"may not\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"cannot\", \"detail\": {}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"can not\", \"detail\": {}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"can't\", \"detail\": {}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"forbidden\", \"detail\": {}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"not allowed\", \"detail\": {}, \"excluded\": false, \"position\": 8}, {\"seed\": true, \"entry\": \"not permitted\", \"detail\": {}, \"excluded\": false, \"position\": 9}, {\"seed\": true, \"entry\": \"non refundable\", \"detail\": {}, \"excluded\": false, \"position\": 10}, {\"seed\": true, \"entry\": \"no refunds\", \"detail\": {}, \"excluded\": false, \"position\": 11}, {\"seed\": true, \"entry\": \"not refundable\", \"detail\": {}, \"excluded\": false, \"position\": 12}, {\"seed\": true, \"entry\": \"refunds not allowed\", \"detail\": {}, \"excluded\": false, \"position\": 13}, {\"seed\": true, \"entry\": \"shall not\", \"detail\": {}, \"excluded\": false, \"position\": 14}, {\"seed\": true, \"entry\": \"should not\", \"detail\": {}, \"excluded\": false, \"position\": 15}, {\"seed\": true, \"entry\": \"must never\", \"detail\": {}, \"excluded\": false, \"position\": 16}, {\"seed\": true, \"entry\": \"should never\", \"detail\": {}, \"excluded\": false, \"position\": 17}, {\"seed\": true, \"entry\": \"no refunds allowed\", \"detail\": {}, \"excluded\": false, \"position\": 18}, {\"seed\": true, \"entry\": \"no refunds are allowed\", \"detail\": {}, \"excluded\": false, \"position\": 19}, {\"seed\": true, \"entry\": \"no refunds will be allowed\", \"detail\": {}, \"excluded\": false, \"position\": 20}, {\"seed\": true, \"entry\": \"no refund\", \"detail\": {}, \"excluded\": false, \"position\": 21}, {\"seed\": true, \"entry\": \"no refunds permitted\", \"detail\": {}, \"excluded\": false, \"position\": 22}, {\"seed\": true, \"entry\": \"no refunds are permitted\", \"detail\": {}, \"excluded\": false, \"position\": 23}, {\"seed\": true, \"entry\": \"refunds are not allowed\", \"detail\": {}, \"excluded\": false, \"position\": 24}, {\"seed\": true, \"entry\": \"no longer refundable\", \"detail\": {}, \"excluded\": false, \"position\": 25}, {\"seed\": true, \"entry\": \"never refundable\", \"detail\": {}, \"excluded\": false, \"position\": 26}]"},
	{"row \"quality.assessment\" of answer.route",
	"{\"args\": {\"class\": \"{class}\", \"investigation\": \"{investigation}\"}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"answer_assessment\", \"lists\": null, \"expect\": null, \"tenant\": \"\", \"pattern\": \"(what | which) quality of {class} does investigation {investigation:count} hold\", \"examples\": [\"What quality of Build does investigation 1 hold?\"], \"position\": 1000200, \"route_id\": \"quality.assessment\", \"description\": \"The quality of a class of evidence that an investigation holds.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"quality.assessment.is\" of answer.route",
	"{\"args\": {\"class\": \"{class}\", \"investigation\": \"{investigation}\"}, \"kind\": \"declarative\", \"seed\": true, \"tool\": \"answer_assessment\", \"lists\": {\"quality\": [\"None\", \"Weak\", \"Moderate\", \"Strong\", \"Verified\"]}, \"expect\": {\"op\": \"eq\", \"value\": \"{quality}\"}, \"tenant\": \"\", \"pattern\": \"(is the {class} of investigation {investigation:count} {quality:list} | the {class} of investigation {investigation:count} is {quality:list})\", \"examples\": [\"Is the Build of investigation 1 strong?\", \"The GitLog of investigation 1 is Moderate.\"], \"position\": 1000210, \"route_id\": \"quality.assessment.is\", \"description\": \"Whether a class of evidence that an investigation holds is of some quality.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"quality.observation\" of answer.route",
	"{\"args\": {\"digest\": \"{digest}\", \"investigation\": \"{investigation}\"}, \"kind\": \"interrogative\", \"seed\": true, \"tool\": \"answer_observation\", \"lists\": null, \"expect\": null, \"tenant\": \"\", \"pattern\": \"what is the quality of [the] observation {digest} of investigation {investigation:count}\", \"examples\": [\"What is the quality of the observation sha256:0123456789abcdef of investigation 1?\"], \"position\": 1000220, \"route_id\": \"quality.observation\", \"description\": \"The quality of one observation, named by its digest.\", \"list_owners\": null, \"list_values\": null, \"registered_by\": null}"},
	{"row \"read\" of answer.quality_tool",
	"{\"seed\": true, \"tool\": \"read\", \"class\": \"FileContent\", \"family\": \"read\", \"grader\": null, \"tenant\": \"\", \"description\": \"The content of files.\", \"grader_owner\": null, \"registered_by\": null}"},
	{"row \"reader\" of answer.quality_tool",
	"{\"seed\": true, \"tool\": \"reader\", \"class\": \"FileContent\", \"family\": \"reader\", \"grader\": null, \"tenant\": \"\", \"description\": \"Whether a second producer agrees with what a file is read to say.\", \"grader_owner\": null, \"registered_by\": null}"},
	{"row \"references\" of answer.quality_tool",
	"{\"seed\": true, \"tool\": \"references\", \"class\": \"FileSearch\", \"family\": \"search\", \"grader\": null, \"tenant\": \"\", \"description\": \"Uses of a symbol.\", \"grader_owner\": null, \"registered_by\": null}"},
	{"row \"refund_allowed\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"refundable\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"refunds allowed\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"refunds are allowed\", \"detail\": {}, \"excluded\": false, \"position\": 3}]"},
	{"row \"refund_refused\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"non refundable\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"no refunds\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"not refundable\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"refunds not allowed\", \"detail\": {}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"no refunds allowed\", \"detail\": {}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"no refunds are allowed\", \"detail\": {}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"no refunds will be allowed\", \"detail\": {}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"no refund\", \"detail\": {}, \"excluded\": false, \"position\": 8}, {\"seed\": true, \"entry\": \"no refunds permitted\", \"detail\": {}, \"excluded\": false, \"position\": 9}, {\"seed\": true, \"entry\": \"no refunds are permitted\", \"detail\": {}, \"excluded\": false, \"position\": 10}, {\"seed\": true, \"entry\": \"refunds are not allowed\", \"detail\": {}, \"excluded\": false, \"position\": 11}, {\"seed\": true, \"entry\": \"no longer refundable\", \"detail\": {}, \"excluded\": false, \"position\": 12}, {\"seed\": true, \"entry\": \"never refundable\", \"detail\": {}, \"excluded\": false, \"position\": 13}]"},
	{"row \"risk.high\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"policy\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"policies\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"legal\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"compliance\", \"detail\": {}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"security\", \"detail\": {}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"ssn\", \"detail\": {}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"ssns\", \"detail\": {}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"pii\", \"detail\": {}, \"excluded\": false, \"position\": 8}, {\"seed\": true, \"entry\": \"encryption\", \"detail\": {}, \"excluded\": false, \"position\": 9}, {\"seed\": true, \"entry\": \"encrypt\", \"detail\": {}, \"excluded\": false, \"position\": 10}, {\"seed\": true, \"entry\": \"soc2\", \"detail\": {}, \"excluded\": false, \"position\": 11}, {\"seed\": true, \"entry\": \"hipaa\", \"detail\": {}, \"excluded\": false, \"position\": 12}, {\"seed\": true, \"entry\": \"refund\", \"detail\": {}, \"excluded\": false, \"position\": 13}, {\"seed\": true, \"entry\": \"refunds\", \"detail\": {}, \"excluded\": false, \"position\": 14}, {\"seed\": true, \"entry\": \"chargeback\", \"detail\": {}, \"excluded\": false, \"position\": 15}, {\"seed\": true, \"entry\": \"chargebacks\", \"detail\": {}, \"excluded\": false, \"position\": 16}, {\"seed\": true, \"entry\": \"pricing\", \"detail\": {}, \"excluded\": false, \"position\": 17}, {\"seed\": true, \"entry\": \"limits\", \"detail\": {}, \"excluded\": false, \"position\": 18}, {\"seed\": true, \"entry\": \"retention\", \"detail\": {}, \"excluded\": false, \"position\": 19}, {\"seed\": true, \"entry\": \"delete\", \"detail\": {}, \"excluded\": false, \"position\": 20}, {\"seed\": true, \"entry\": \"gdpr\", \"detail\": {}, \"excluded\": false, \"position\": 21}, {\"seed\": true, \"entry\": \"personally identifiable\", \"detail\": {}, \"excluded\": false, \"position\": 22}, {\"seed\": true, \"entry\": \"sensitive data\", \"detail\": {}, \"excluded\": false, \"position\": 23}, {\"seed\": true, \"entry\": \"refundable\", \"detail\": {}, \"excluded\": false, \"position\": 24}, {\"seed\": true, \"entry\": \"deleted\", \"detail\": {}, \"excluded\": false, \"position\": 25}, {\"seed\": true, \"entry\": \"deletion\", \"detail\": {}, \"excluded\": false, \"position\": 26}, {\"seed\": true, \"entry\": \"retain\", \"detail\": {}, \"excluded\": false, \"position\": 27}, {\"seed\": true, \"entry\": \"retained\", \"detail\": {}, \"excluded\": false, \"position\": 28}, {\"seed\": true, \"entry\": \"encrypted\", \"detail\": {}, \"excluded\": false, \"position\": 29}, {\"seed\": true, \"entry\": \"plaintext\", \"detail\": {}, \"excluded\": false, \"position\": 30}, {\"seed\": true, \"entry\": \"unencrypted\", \"detail\": {}, \"excluded\": false, \"position\": 31}, {\"seed\": true, \"entry\": \"password\", \"detail\": {}, \"excluded\": false, \"position\": 32}, {\"seed\": true, \"entry\": \"passwords\", \"detail\": {}, \"excluded\": false, \"position\": 33}, {\"seed\": true, \"entry\": \"privacy\", \"detail\": {}, \"excluded\": false, \"position\": 34}, {\"seed\": true, \"entry\": \"personal data\", \"detail\": {}, \"excluded\": false, \"position\": 35}, {\"seed\": true, \"entry\": \"customer data\", \"detail\": {}, \"excluded\": false, \"position\": 36}, {\"seed\": true, \"entry\": \"social security\", \"detail\": {}, \"excluded\": false, \"position\": 37}, {\"seed\": true, \"entry\": \"soc 2\", \"detail\": {}, \"excluded\": false, \"position\": 38}, {\"seed\": true, \"entry\": \"pci\", \"detail\": {}, \"excluded\": false, \"position\": 39}, {\"seed\": true, \"entry\": \"breach\", \"detail\": {}, \"excluded\": false, \"position\": 40}, {\"seed\": true, \"entry\": \"breaches\", \"detail\": {}, \"excluded\": false, \"position\": 41}, {\"seed\": true, \"entry\": \"access\", \"detail\": {}, \"excluded\": false, \"position\": 42}, {\"seed\": true, \"entry\": \"price\", \"detail\": {}, \"excluded\": false, \"position\": 43}, {\"seed\": true, \"entry\": \"prices\", \"detail\": {}, \"excluded\": false, \"position\": 44}, {\"seed\": true, \"entry\": \"cost\", \"detail\": {}, \"excluded\": false, \"position\": 45}, {\"seed\": true, \"entry\": \"costs\", \"detail\": {}, \"excluded\": false, \"position\": 46}, {\"seed\": true, \"entry\": \"fee\", \"detail\": {}, \"excluded\": false, \"position\": 47}, {\"seed\": true, \"entry\": \"fees\", \"detail\": {}, \"excluded\": false, \"position\": 48}, {\"seed\": true, \"entry\": \"discount\", \"detail\": {}, \"excluded\": false, \"position\": 49}, {\"seed\": true, \"entry\": \"discounts\", \"detail\": {}, \"excluded\": false, \"position\": 50}, {\"seed\": true, \"entry\": \"backup\", \"detail\": {}, \"excluded\": false, \"position\": 51}, {\"seed\": true, \"entry\": \"backups\", \"detail\": {}, \"excluded\": false, \"position\": 52}, {\"seed\": true, \"entry\": \"api key\", \"detail\": {}, \"excluded\": false, \"position\": 53}, {\"seed\": true, \"entry\": \"api keys\", \"detail\": {}, \"excluded\": false, \"position\": 54}, {\"seed\": true, \"entry\": \"audit\", \"detail\": {}, \"excluded\": false, \"position\": 55}, {\"seed\": true, \"entry\": \"audits\", \"detail\": {}, \"excluded\": false, \"position\": 56}, {\"seed\": true, \"entry\": \"secret\", \"detail\": {}, \"excluded\": false, \"position\": 57}, {\"seed\": true, \"entry\": \"secrets\", \"detail\": {}, \"excluded\": false, \"position\": 58}, {\"seed\": true, \"entry\": \"credential\", \"detail\": {}, \"excluded\": false, \"position\": 59}, {\"seed\": true, \"entry\": \"credentials\", \"detail\": {}, \"excluded\": false, \"position\": 60}]"},
	{"row \"risk.medium\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"rate limit\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"rate limits\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"sla\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"slas\", \"detail\": {}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"uptime\", \"detail\": {}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"quota\", \"detail\": {}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"quotas\", \"detail\": {}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"throttle\", \"detail\": {}, \"excluded\": false, \"position\": 8}, {\"seed\": true, \"entry\": \"throttling\", \"detail\": {}, \"excluded\": false, \"position\": 9}, {\"seed\": true, \"entry\": \"bandwidth\", \"detail\": {}, \"excluded\": false, \"position\": 10}, {\"seed\": true, \"entry\": \"capacity\", \"detail\": {}, \"excluded\": false, \"position\": 11}]"},
	{"row \"stop_words\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"about\", \"detail\": {}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"above\", \"detail\": {}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"after\", \"detail\": {}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"again\", \"detail\": {}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"against\", \"detail\": {}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"all\", \"detail\": {}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"also\", \"detail\": {}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"and\", \"detail\": {}, \"excluded\": false, \"position\": 8}, {\"seed\": true, \"entry\": \"any\", \"detail\": {}, \"excluded\": false, \"position\": 9}, {\"seed\": true, \"entry\": \"are\", \"detail\": {}, \"excluded\": false, \"position\": 10}, {\"seed\": true, \"entry\": \"because\", \"detail\": {}, \"excluded\": false, \"position\": 11}, {\"seed\": true, \"entry\": \"been\", \"detail\": {}, \"excluded\": false, \"position\": 12}, {\"seed\": true, \"entry\": \"before\", \"detail\": {}, \"excluded\": false, \"position\": 13}, {\"seed\": true, \"entry\": \"being\", \"detail\": {}, \"excluded\": false, \"position\": 14}, {\"seed\": true, \"entry\": \"below\", \"detail\": {}, \"excluded\": false, \"position\": 15}, {\"seed\": true, \"entry\": \"between\", \"detail\": {}, \"excluded\": false, \"position\": 16}, {\"seed\": true, \"entry\": \"both\", \"detail\": {}, \"excluded\": false, \"position\": 17}, {\"seed\": true, \"entry\": \"but\", \"detail\": {}, \"excluded\": false, \"position\": 18}, {\"seed\": true, \"entry\": \"call\", \"detail\": {}, \"excluded\": false, \"position\": 19}, {\"seed\": true, \"entry\": \"can\", \"detail\": {}, \"excluded\": false, \"position\": 20}, {\"seed\": true, \"entry\": \"cannot\", \"detail\": {}, \"excluded\": false, \"position\": 21}, {\"seed\": true, \"entry\": \"come\", \"detail\": {}, \"excluded\": false, \"position\": 22}, {\"seed\": true, \"entry\": \"could\", \"detail\": {}, \"excluded\": false, \"position\": 23}, {\"seed\": true, \"entry\": \"day\", \"detail\": {}, \"excluded\": false, \"position\": 24}, {\"seed\": true, \"entry\": \"did\", \"detail\": {}, \"excluded\": false, \"position\": 25}, {\"seed\": true, \"entry\": \"does\", \"detail\": {}, \"excluded\": false, \"position\": 26}, {\"seed\": true, \"entry\": \"doing\", \"detail\": {}, \"excluded\": false, \"position\": 27}, {\"seed\": true, \"entry\": \"down\", \"detail\": {}, \"excluded\": false, \"position\": 28}, {\"seed\": true, \"entry\": \"during\", \"detail\": {}, \"excluded\": false, \"position\": 29}, {\"seed\": true, \"entry\": \"each\", \"detail\": {}, \"excluded\": false, \"position\": 30}, {\"seed\": true, \"entry\": \"few\", \"detail\": {}, \"excluded\": false, \"position\": 31}, {\"seed\": true, \"entry\": \"find\", \"detail\": {}, \"excluded\": false, \"position\": 32}, {\"seed\": true, \"entry\": \"first\", \"detail\": {}, \"excluded\": false, \"position\": 33}, {\"seed\": true, \"entry\": \"for\", \"detail\": {}, \"excluded\": false, \"position\": 34}, {\"seed\": true, \"entry\": \"from\", \"detail\": {}, \"excluded\": false, \"position\": 35}, {\"seed\": true, \"entry\": \"further\", \"detail\": {}, \"excluded\": false, \"position\": 36}, {\"seed\": true, \"entry\": \"get\", \"detail\": {}, \"excluded\": false, \"position\": 37}, {\"seed\": true, \"entry\": \"had\", \"detail\": {}, \"excluded\": false, \"position\": 38}, {\"seed\": true, \"entry\": \"has\", \"detail\": {}, \"excluded\": false, \"position\": 39}, {\"seed\": true, \"entry\": \"have\", \"detail\": {}, \"excluded\": false, \"position\": 40}, {\"seed\": true, \"entry\": \"her\", \"detail\": {}, \"excluded\": false, \"position\": 41}, {\"seed\": true, \"entry\": \"here\", \"detail\": {}, \"excluded\": false, \"position\": 42}, {\"seed\": true, \"entry\": \"him\", \"detail\": {}, \"excluded\": false, \"position\": 43}, {\"seed\": true, \"entry\": \"how\", \"detail\": {}, \"excluded\": false, \"position\": 44}, {\"seed\": true, \"entry\": \"into\", \"detail\": {}, \"excluded\": false, \"position\": 45}, {\"seed\": true, \"entry\": \"its\", \"detail\": {}, \"excluded\": false, \"position\": 46}, {\"seed\": true, \"entry\": \"itself\", \"detail\": {}, \"excluded\": false, \"position\": 47}, {\"seed\": true, \"entry\": \"just\", \"detail\": {}, \"excluded\": false, \"position\": 48}, {\"seed\": true, \"entry\": \"like\", \"detail\": {}, \"excluded\": false, \"position\": 49}, {\"seed\": true, \"entry\": \"long\", \"detail\": {}, \"excluded\": false, \"position\": 50}, {\"seed\": true, \"entry\": \"made\", \"detail\": {}, \"excluded\": false, \"position\": 51}, {\"seed\": true, \"entry\": \"make\", \"detail\": {}, \"excluded\": false, \"position\": 52}, {\"seed\": true, \"entry\": \"many\", \"detail\": {}, \"excluded\": false, \"position\": 53}, {\"seed\": true, \"entry\": \"may\", \"detail\": {}, \"excluded\": false, \"position\": 54}, {\"seed\": true, \"entry\": \"more\", \"detail\": {}, \"excluded\": false, \"position\": 55}, {\"seed\": true, \"entry\": \"most\", \"detail\": {}, \"excluded\": false, \"position\": 56}, {\"seed\": true, \"entry\": \"must\", \"detail\": {}, \"excluded\": false, \"position\": 57}, {\"seed\": true, \"entry\": \"nor\", \"detail\": {}, \"excluded\": false, \"position\": 58}, {\"seed\": true, \"entry\": \"not\", \"detail\": {}, \"excluded\": false, \"position\": 59}, {\"seed\": true, \"entry\": \"now\", \"detail\": {}, \"excluded\": false, \"position\": 60}, {\"seed\": true, \"entry\": \"off\", \"detail\": {}, \"excluded\": false, \"position\": 61}, {\"seed\": true, \"entry\": \"oil\", \"detail\": {}, \"excluded\": false, \"position\": 62}, {\"seed\": true, \"entry\": \"once\", \"detail\": {}, \"excluded\": false, \"position\": 63}, {\"seed\": true, \"entry\": \"only\", \"detail\": {}, \"excluded\": false, \"position\": 64}, {\"seed\": true, \"entry\": \"other\", \"detail\": {}, \"excluded\": false, \"position\": 65}, {\"seed\": true, \"entry\": \"our\", \"detail\": {}, \"excluded\": false, \"position\": 66}, {\"seed\": true, \"entry\": \"ours\", \"detail\": {}, \"excluded\": false, \"position\": 67}, {\"seed\": true, \"entry\": \"out\", \"detail\": {}, \"excluded\": false, \"position\": 68}, {\"seed\": true, \"entry\": \"over\", \"detail\": {}, \"excluded\": false, \"position\": 69}, {\"seed\": true, \"entry\": \"own\", \"detail\": {}, \"excluded\": false, \"position\": 70}, {\"seed\": true, \"entry\": \"part\", \"detail\": {}, \"excluded\": false, \"position\": 71}, {\"seed\": true, \"entry\": \"said\", \"detail\": {}, \"excluded\": false, \"position\": 72}, {\"seed\": true, \"entry\": \"same\", \"detail\": {}, \"excluded\": false, \"position\": 73}, {\"seed\": true, \"entry\": \"shall\", \"detail\": {}, \"excluded\": false, \"position\": 74}, {\"seed\": true, \"entry\": \"she\", \"detail\": {}, \"excluded\": false, \"position\": 75}, {\"seed\": true, \"entry\": \"should\", \"detail\": {}, \"excluded\": false, \"position\": 76}, {\"seed\": true, \"entry\": \"sit\", \"detail\": {}, \"excluded\": false, \"position\": 77}, {\"seed\": true, \"entry\": \"some\", \"detail\": {}, \"excluded\": false, \"position\": 78}, {\"seed\": true, \"entry\": \"such\", \"detail\": {}, \"excluded\": false, \"position\": 79}, {\"seed\": true, \"entry\": \"than\", \"detail\": {}, \"excluded\": false, \"position\": 80}, {\"seed\": true, \"entry\": \"that\", \"detail\": {}, \"excluded\": false, \"position\": 81}, {\"seed\": true, \"entry\": \"the\", \"detail\": {}, \"excluded\": false, \"position\": 82}, {\"seed\": true, \"entry\": \"their\", \"detail\": {}, \"excluded\": false, \"position\": 83}, {\"seed\": true, \"entry\": \"them\", \"detail\": {}, \"excluded\": false, \"position\": 84}, {\"seed\": true, \"entry\": \"then\", \"detail\": {}, \"excluded\": false, \"position\": 85}, {\"seed\": true, \"entry\": \"there\", \"detail\": {}, \"excluded\": false, \"position\": 86}, {\"seed\": true, \"entry\": \"these\", \"detail\": {}, \"excluded\": false, \"position\": 87}, {\"seed\": true, \"entry\": \"they\", \"detail\": {}, \"excluded\": false, \"position\": 88}, {\"seed\": true, \"entry\": \"this\", \"detail\": {}, \"excluded\": false, \"position\": 89}, {\"seed\": true, \"entry\": \"those\", \"detail\": {}, \"excluded\": false, \"position\": 90}, {\"seed\": true, \"entry\": \"through\", \"detail\": {}, \"excluded\": false, \"position\": 91}, {\"seed\": true, \"entry\": \"time\", \"detail\": {}, \"excluded\": false, \"position\": 92}, {\"seed\": true, \"entry\": \"too\", \"detail\": {}, \"excluded\": false, \"position\": 93}, {\"seed\": true, \"entry\": \"two\", \"detail\": {}, \"excluded\": false, \"position\": 94}, {\"seed\": true, \"entry\": \"under\", \"detail\": {}, \"excluded\": false, \"position\": 95}, {\"seed\": true, \"entry\": \"until\", \"detail\": {}, \"excluded\": false, \"position\": 96}, {\"seed\": true, \"entry\": \"very\", \"detail\": {}, \"excluded\": false, \"position\": 97}, {\"seed\": true, \"entry\": \"was\", \"detail\": {}, \"excluded\": false, \"position\": 98}, {\"seed\": true, \"entry\": \"were\", \"detail\": {}, \"excluded\": false, \"position\": 99}, {\"seed\": true, \"entry\": \"what\", \"detail\": {}, \"excluded\": false, \"position\": 100}, {\"seed\": true, \"entry\": \"when\", \"detail\": {}, \"excluded\": false, \"position\": 101}, {\"seed\": true, \"entry\": \"where\", \"detail\": {}, \"excluded\": false, \"position\": 102}, {\"seed\": true, \"entry\": \"which\", \"detail\": {}, \"excluded\": false, \"position\": 103}, {\"seed\": true, \"entry\": \"while\", \"detail\": {}, \"excluded\": false, \"position\": 104}, {\"seed\": true, \"entry\": \"who\", \"detail\": {}, \"excluded\": false, \"position\": 105}, {\"seed\": true, \"entry\": \"whom\", \"detail\": {}, \"excluded\": false, \"position\": 106}, {\"seed\": true, \"entry\": \"why\", \"detail\": {}, \"excluded\": false, \"position\": 107}, {\"seed\": true, \"entry\": \"will\", \"detail\": {}, \"excluded\": false, \"position\": 108}, {\"seed\": true, \"entry\": \"with\", \"detail\": {}, \"excluded\": false, \"position\": 109}, {\"seed\": true, \"entry\": \"words\", \"detail\": {}, \"excluded\": false, \"position\": 110}, {\"seed\": true, \"entry\": \"would\", \"detail\": {}, \"excluded\": false, \"position\": 111}, {\"seed\": true, \"entry\": \"you\", \"detail\": {}, \"excluded\": false, \"position\": 112}, {\"seed\": true, \"entry\": \"your\", \"detail\": {}, \"excluded\": false, \"position\": 113}, {\"seed\": true, \"entry\": \"yours\", \"detail\": {}, \"excluded\": false, \"position\": 114}]"},
	{"row \"synth.answer\" of answer.tool",
	"handler answer.tool_synth_answer, {\"seed\": true, \"spec\": {\"id\": \"synth.answer\", \"io\": {\"input\": {\"query\": \"string\", \"style\": {\"enum\": [\"concise+citations\"], \"type\": \"string\"}, \"evidence\": {\"type\": \"Evidence\", \"required\": true}}, \"output\": {\"text\": {\"type\": \"string\", \"required\": true}, \"citations\": {\"type\": \"array\", \"items\": {\"uri\": \"string\", \"stamp\": \"string\", \"title\": \"string\"}, \"required\": true}}}, \"type\": \"ToolSpec\", \"provenance\": {\"rests_on\": [\"evidence\"]}, \"constraints\": {\"side_effects\": false, \"latency_p50_ms\": 140, \"per_item_share\": 0, \"cost_per_call_usd\": 0}}, \"tool\": \"synth.answer\", \"unit\": null, \"basis\": \"live-source\", \"source\": null, \"tenant\": \"\", \"country\": null, \"category\": \"plan\", \"freshness\": \"00:01:00\", \"value_path\": \"text\", \"description\": \"An answer that quotes evidence, with a marker for each citation.\", \"entity_path\": null, \"source_path\": null, \"handler_owner\": null, \"optional_args\": [\"query\", \"style\"], \"registered_by\": null, \"required_args\": [\"evidence\"], \"timestamp_path\": null, \"value_optional\": null}"},
	{"row \"topics\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"ssn\", \"detail\": {\"family\": \"ssn\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"ssns\", \"detail\": {\"family\": \"ssn\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"social security\", \"detail\": {\"family\": \"ssn\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"sensitive data\", \"detail\": {\"family\": \"sensitive data\"}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"customer data\", \"detail\": {\"family\": \"customer data\"}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"refund\", \"detail\": {\"family\": \"refund\"}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"refunds\", \"detail\": {\"family\": \"refund\"}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"refundable\", \"detail\": {\"family\": \"refund\"}, \"excluded\": false, \"position\": 8}, {\"seed\": true, \"entry\": \"purchase\", \"detail\": {\"family\": \"purchase\"}, \"excluded\": false, \"position\": 9}, {\"seed\": true, \"entry\": \"purchases\", \"detail\": {\"family\": \"purchase\"}, \"excluded\": false, \"position\": 10}, {\"seed\": true, \"entry\": \"promotional\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"promotional\"}, \"excluded\": false, \"position\": 11}, {\"seed\": true, \"entry\": \"rate limit\", \"detail\": {\"kind\": \"quantity\", \"family\": \"rate limit\"}, \"excluded\": false, \"position\": 12}, {\"seed\": true, \"entry\": \"rate limits\", \"detail\": {\"kind\": \"quantity\", \"family\": \"rate limit\"}, \"excluded\": false, \"position\": 13}, {\"seed\": true, \"entry\": \"requests per hour\", \"detail\": {\"kind\": \"quantity\", \"family\": \"rate limit\"}, \"excluded\": false, \"position\": 14}, {\"seed\": true, \"entry\": \"req/hr\", \"detail\": {\"kind\": \"quantity\", \"family\": \"rate limit\"}, \"excluded\": false, \"position\": 15}, {\"seed\": true, \"entry\": \"api rate\", \"detail\": {\"kind\": \"quantity\", \"family\": \"rate limit\"}, \"excluded\": false, \"position\": 16}, {\"seed\": true, \"entry\": \"encrypt\", \"detail\": {\"family\": \"encryption\"}, \"excluded\": false, \"position\": 17}, {\"seed\": true, \"entry\": \"encrypted\", \"detail\": {\"family\": \"encryption\"}, \"excluded\": false, \"position\": 18}, {\"seed\": true, \"entry\": \"encryption\", \"detail\": {\"family\": \"encryption\"}, \"excluded\": false, \"position\": 19}, {\"seed\": true, \"entry\": \"plaintext\", \"detail\": {\"family\": \"encryption\"}, \"excluded\": false, \"position\": 20}, {\"seed\": true, \"entry\": \"data storage\", \"detail\": {\"family\": \"data storage\"}, \"excluded\": false, \"position\": 21}, {\"seed\": true, \"entry\": \"social security number\", \"detail\": {\"family\": \"ssn\"}, \"excluded\": false, \"position\": 22}, {\"seed\": true, \"entry\": \"social security numbers\", \"detail\": {\"family\": \"ssn\"}, \"excluded\": false, \"position\": 23}, {\"seed\": true, \"entry\": \"plain text\", \"detail\": {\"family\": \"encryption\"}, \"excluded\": false, \"position\": 24}, {\"seed\": true, \"entry\": \"unencrypted\", \"detail\": {\"family\": \"encryption\"}, \"excluded\": false, \"position\": 25}, {\"seed\": true, \"entry\": \"promotion\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"promotional\"}, \"excluded\": false, \"position\": 26}, {\"seed\": true, \"entry\": \"promotions\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"promotional\"}, \"excluded\": false, \"position\": 27}, {\"seed\": true, \"entry\": \"promo\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"promotional\"}, \"excluded\": false, \"position\": 28}, {\"seed\": true, \"entry\": \"legal hold\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"legal hold\"}, \"excluded\": false, \"position\": 29}, {\"seed\": true, \"entry\": \"legal holds\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"legal hold\"}, \"excluded\": false, \"position\": 30}, {\"seed\": true, \"entry\": \"backup\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"backup\"}, \"excluded\": false, \"position\": 31}, {\"seed\": true, \"entry\": \"backups\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"backup\"}, \"excluded\": false, \"position\": 32}, {\"seed\": true, \"entry\": \"gift card\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"gift card\"}, \"excluded\": false, \"position\": 33}, {\"seed\": true, \"entry\": \"gift cards\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"gift card\"}, \"excluded\": false, \"position\": 34}, {\"seed\": true, \"entry\": \"free\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"free\"}, \"excluded\": false, \"position\": 35}, {\"seed\": true, \"entry\": \"trial\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"trial\"}, \"excluded\": false, \"position\": 36}, {\"seed\": true, \"entry\": \"enterprise\", \"detail\": {\"kind\": \"qualifier\", \"family\": \"enterprise\"}, \"excluded\": false, \"position\": 37}, {\"seed\": true, \"entry\": \"retention\", \"detail\": {\"family\": \"retention\"}, \"excluded\": false, \"position\": 38}, {\"seed\": true, \"entry\": \"retained\", \"detail\": {\"family\": \"retention\"}, \"excluded\": false, \"position\": 39}, {\"seed\": true, \"entry\": \"retain\", \"detail\": {\"family\": \"retention\"}, \"excluded\": false, \"position\": 40}, {\"seed\": true, \"entry\": \"access\", \"detail\": {\"family\": \"access\"}, \"excluded\": false, \"position\": 41}, {\"seed\": true, \"entry\": \"accessed\", \"detail\": {\"family\": \"access\"}, \"excluded\": false, \"position\": 42}, {\"seed\": true, \"entry\": \"password\", \"detail\": {\"family\": \"password\"}, \"excluded\": false, \"position\": 43}, {\"seed\": true, \"entry\": \"passwords\", \"detail\": {\"family\": \"password\"}, \"excluded\": false, \"position\": 44}, {\"seed\": true, \"entry\": \"price\", \"detail\": {\"family\": \"price\"}, \"excluded\": false, \"position\": 45}, {\"seed\": true, \"entry\": \"prices\", \"detail\": {\"family\": \"price\"}, \"excluded\": false, \"position\": 46}, {\"seed\": true, \"entry\": \"pricing\", \"detail\": {\"family\": \"price\"}, \"excluded\": false, \"position\": 47}, {\"seed\": true, \"entry\": \"cost\", \"detail\": {\"family\": \"price\"}, \"excluded\": false, \"position\": 48}, {\"seed\": true, \"entry\": \"costs\", \"detail\": {\"family\": \"price\"}, \"excluded\": false, \"position\": 49}, {\"seed\": true, \"entry\": \"fee\", \"detail\": {\"family\": \"price\"}, \"excluded\": false, \"position\": 50}, {\"seed\": true, \"entry\": \"fees\", \"detail\": {\"family\": \"price\"}, \"excluded\": false, \"position\": 51}, {\"seed\": true, \"entry\": \"discount\", \"detail\": {\"family\": \"discount\"}, \"excluded\": false, \"position\": 52}, {\"seed\": true, \"entry\": \"discounts\", \"detail\": {\"family\": \"discount\"}, \"excluded\": false, \"position\": 53}, {\"seed\": true, \"entry\": \"discounted\", \"detail\": {\"family\": \"discount\"}, \"excluded\": false, \"position\": 54}]"},
	{"row \"units\" of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"attempt\", \"detail\": {\"unit\": \"attempts\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"business day\", \"detail\": {\"unit\": \"business days\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"character\", \"detail\": {\"unit\": \"characters\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"day\", \"detail\": {\"unit\": \"days\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"dollar\", \"detail\": {\"unit\": \"$\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"gb\", \"detail\": {\"unit\": \"GB\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"hour\", \"detail\": {\"unit\": \"hours\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"kb\", \"detail\": {\"unit\": \"KB\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"mb\", \"detail\": {\"unit\": \"MB\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"minute\", \"detail\": {\"unit\": \"minutes\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"month\", \"detail\": {\"unit\": \"months\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"ms\", \"detail\": {\"unit\": \"ms\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"percent\", \"detail\": {\"unit\": \"%\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"requests per day\", \"detail\": {\"unit\": \"req/day\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"requests per hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"requests per minute\", \"detail\": {\"unit\": \"req/min\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"requests per second\", \"detail\": {\"unit\": \"req/s\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"second\", \"detail\": {\"unit\": \"seconds\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"tb\", \"detail\": {\"unit\": \"TB\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"time\", \"detail\": {\"unit\": \"times\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"user\", \"detail\": {\"unit\": \"users\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"week\", \"detail\": {\"unit\": \"weeks\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"year\", \"detail\": {\"unit\": \"years\"}, \"excluded\": false, \"position\": 1}, {\"seed\": true, \"entry\": \"attempts\", \"detail\": {\"unit\": \"attempts\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"business days\", \"detail\": {\"unit\": \"business days\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"characters\", \"detail\": {\"unit\": \"characters\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"days\", \"detail\": {\"unit\": \"days\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"dollars\", \"detail\": {\"unit\": \"$\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"gigabytes\", \"detail\": {\"unit\": \"GB\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"hours\", \"detail\": {\"unit\": \"hours\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"kilobytes\", \"detail\": {\"unit\": \"KB\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"megabytes\", \"detail\": {\"unit\": \"MB\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"milliseconds\", \"detail\": {\"unit\": \"ms\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"minutes\", \"detail\": {\"unit\": \"minutes\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"months\", \"detail\": {\"unit\": \"months\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"per cent\", \"detail\": {\"unit\": \"%\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"req/day\", \"detail\": {\"unit\": \"req/day\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"req/min\", \"detail\": {\"unit\": \"req/min\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"req/s\", \"detail\": {\"unit\": \"req/s\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"request per hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"seconds\", \"detail\": {\"unit\": \"seconds\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"terabytes\", \"detail\": {\"unit\": \"TB\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"times\", \"detail\": {\"unit\": \"times\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"users\", \"detail\": {\"unit\": \"users\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"weeks\", \"detail\": {\"unit\": \"weeks\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"years\", \"detail\": {\"unit\": \"years\"}, \"excluded\": false, \"position\": 2}, {\"seed\": true, \"entry\": \"calendar day\", \"detail\": {\"unit\": \"days\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"gigabyte\", \"detail\": {\"unit\": \"GB\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"hr\", \"detail\": {\"unit\": \"hours\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"kilobyte\", \"detail\": {\"unit\": \"KB\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"megabyte\", \"detail\": {\"unit\": \"MB\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"millisecond\", \"detail\": {\"unit\": \"ms\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"min\", \"detail\": {\"unit\": \"minutes\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"pct\", \"detail\": {\"unit\": \"%\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"req per hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"requests/day\", \"detail\": {\"unit\": \"req/day\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"requests/minute\", \"detail\": {\"unit\": \"req/min\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"requests/second\", \"detail\": {\"unit\": \"req/s\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"sec\", \"detail\": {\"unit\": \"seconds\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"terabyte\", \"detail\": {\"unit\": \"TB\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"usd\", \"detail\": {\"unit\": \"$\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"working day\", \"detail\": {\"unit\": \"business days\"}, \"excluded\": false, \"position\": 3}, {\"seed\": true, \"entry\": \"calendar days\", \"detail\": {\"unit\": \"days\"}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"hrs\", \"detail\": {\"unit\": \"hours\"}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"mins\", \"detail\": {\"unit\": \"minutes\"}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"reqs per hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"requests per min\", \"detail\": {\"unit\": \"req/min\"}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"secs\", \"detail\": {\"unit\": \"seconds\"}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"working days\", \"detail\": {\"unit\": \"business days\"}, \"excluded\": false, \"position\": 4}, {\"seed\": true, \"entry\": \"h\", \"detail\": {\"unit\": \"hours\"}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"req/hr\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"requests/min\", \"detail\": {\"unit\": \"req/min\"}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"s\", \"detail\": {\"unit\": \"seconds\"}, \"excluded\": false, \"position\": 5}, {\"seed\": true, \"entry\": \"req/hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 6}, {\"seed\": true, \"entry\": \"requests/hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 7}, {\"seed\": true, \"entry\": \"requests/hr\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 8}, {\"seed\": true, \"entry\": \"requests per hr\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 9}, {\"seed\": true, \"entry\": \"api requests per hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 10}, {\"seed\": true, \"entry\": \"api calls per hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 11}, {\"seed\": true, \"entry\": \"calls per hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 12}, {\"seed\": true, \"entry\": \"requests an hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 13}, {\"seed\": true, \"entry\": \"requests each hour\", \"detail\": {\"unit\": \"req/hr\"}, \"excluded\": false, \"position\": 14}]"},
	{"row [\"Build\", \"Build\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"Build\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"Build\", \"same_target\": true, \"with_quality\": \"Strong\"}"},
	{"row [\"Build\", \"Test\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"Build\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"Test\", \"same_target\": false, \"with_quality\": \"Strong\"}"},
	{"row [\"CIWorkflow\", \"CIWorkflow\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"CIWorkflow\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"CIWorkflow\", \"same_target\": true, \"with_quality\": \"Strong\"}"},
	{"row [\"Compare\", \"FileContent\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileContent\", \"intent\": \"Compare\", \"quality\": \"Moderate\"}"},
	{"row [\"Compare\", \"FileSearch\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileSearch\", \"intent\": \"Compare\", \"quality\": \"Strong\"}"},
	{"row [\"Diagnose\", \"CIWorkflow\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"CIWorkflow\", \"intent\": \"Diagnose\", \"quality\": \"Strong\"}"},
	{"row [\"Diagnose\", \"FileContent\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileContent\", \"intent\": \"Diagnose\", \"quality\": \"Moderate\"}"},
	{"row [\"Diagnose\", \"FileSearch\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileSearch\", \"intent\": \"Diagnose\", \"quality\": \"Strong\"}"},
	{"row [\"Discovery\", \"Discovery\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"Discovery\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"Discovery\", \"same_target\": true, \"with_quality\": \"Strong\"}"},
	{"row [\"Discovery\", \"Discovery\", true] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"Discovery\", \"quality\": \"Strong\", \"same_tool\": true, \"with_class\": \"Discovery\", \"same_target\": true, \"with_quality\": \"Strong\"}"},
	{"row [\"Execute\", \"Build\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"Build\", \"intent\": \"Execute\", \"quality\": \"Strong\"}"},
	{"row [\"Execute\", \"Test\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"Test\", \"intent\": \"Execute\", \"quality\": \"Strong\"}"},
	{"row [\"Explain\", \"Discovery\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"Discovery\", \"intent\": \"Explain\", \"quality\": \"Moderate\"}"},
	{"row [\"Explain\", \"FileContent\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileContent\", \"intent\": \"Explain\", \"quality\": \"Moderate\"}"},
	{"row [\"Explain\", \"FileSearch\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileSearch\", \"intent\": \"Explain\", \"quality\": \"Strong\"}"},
	{"row [\"FileContent\", \"FileContent\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"FileContent\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"FileContent\", \"same_target\": true, \"with_quality\": \"Strong\"}"},
	{"row [\"FileContent\", \"FileSearch\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"FileContent\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"FileSearch\", \"same_target\": true, \"with_quality\": \"Strong\"}"},
	{"row [\"FileSearch\", \"FileContent\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"FileSearch\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"FileContent\", \"same_target\": true, \"with_quality\": \"Moderate\"}"},
	{"row [\"FileSearch\", \"FileSearch\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"FileSearch\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"FileSearch\", \"same_target\": true, \"with_quality\": \"Strong\"}"},
	{"row [\"GitLog\", \"GitLog\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"GitLog\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"GitLog\", \"same_target\": true, \"with_quality\": \"Strong\"}"},
	{"row [\"Locate\", \"FileContent\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileContent\", \"intent\": \"Locate\", \"quality\": \"Moderate\"}"},
	{"row [\"Locate\", \"FileSearch\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileSearch\", \"intent\": \"Locate\", \"quality\": \"Strong\"}"},
	{"row [\"Modify\", \"Build\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"Build\", \"intent\": \"Modify\", \"quality\": \"Verified\"}"},
	{"row [\"Modify\", \"Discovery\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"Discovery\", \"intent\": \"Modify\", \"quality\": \"Moderate\"}"},
	{"row [\"Modify\", \"FileContent\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileContent\", \"intent\": \"Modify\", \"quality\": \"Strong\"}"},
	{"row [\"Modify\", \"FileSearch\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileSearch\", \"intent\": \"Modify\", \"quality\": \"Strong\"}"},
	{"row [\"Modify\", \"Test\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"Test\", \"intent\": \"Modify\", \"quality\": \"Verified\"}"},
	{"row [\"Navigate\", \"FileContent\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileContent\", \"intent\": \"Navigate\", \"quality\": \"Moderate\"}"},
	{"row [\"Navigate\", \"FileSearch\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileSearch\", \"intent\": \"Navigate\", \"quality\": \"Strong\"}"},
	{"row [\"Review\", \"Discovery\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"Discovery\", \"intent\": \"Review\", \"quality\": \"Moderate\"}"},
	{"row [\"Review\", \"FileContent\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileContent\", \"intent\": \"Review\", \"quality\": \"Moderate\"}"},
	{"row [\"Review\", \"FileSearch\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"FileSearch\", \"intent\": \"Review\", \"quality\": \"Strong\"}"},
	{"row [\"Status\", \"GitLog\"] of answer.quality_requirement",
	"{\"seed\": true, \"class\": \"GitLog\", \"intent\": \"Status\", \"quality\": \"Moderate\"}"},
	{"row [\"Test\", \"Build\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"Test\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"Build\", \"same_target\": false, \"with_quality\": \"Strong\"}"},
	{"row [\"Test\", \"Test\", false] of answer.quality_compatibility",
	"{\"seed\": true, \"class\": \"Test\", \"quality\": \"Strong\", \"same_tool\": false, \"with_class\": \"Test\", \"same_target\": true, \"with_quality\": \"Strong\"}"},
	{"row [\"gh\", {\"command\": \"run view\"}] of answer.quality_authority",
	"{\"seed\": true, \"tool\": \"gh\", \"class\": \"CIWorkflow\", \"quality\": \"Strong\", \"observation\": {\"command\": \"run view\"}}"},
	{"row [\"git\", {\"command\": \"log\", \"question\": \"history\"}] of answer.quality_authority",
	"{\"seed\": true, \"tool\": \"git\", \"class\": \"GitLog\", \"quality\": \"Strong\", \"observation\": {\"command\": \"log\", \"question\": \"history\"}}"},
	{"row [\"units\", \"eur\"] of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"eur\", \"detail\": {\"unit\": \"\\u20ac\"}, \"excluded\": false, \"position\": 3}]"},
	{"row [\"units\", \"euro\"] of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"euro\", \"detail\": {\"unit\": \"\\u20ac\"}, \"excluded\": false, \"position\": 1}]"},
	{"row [\"units\", \"euros\"] of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"euros\", \"detail\": {\"unit\": \"\\u20ac\"}, \"excluded\": false, \"position\": 2}]"},
	{"row [\"units\", \"gbp\"] of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"gbp\", \"detail\": {\"unit\": \"\\u00a3\"}, \"excluded\": false, \"position\": 3}]"},
	{"row [\"units\", \"pound\"] of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"pound\", \"detail\": {\"unit\": \"\\u00a3\"}, \"excluded\": false, \"position\": 1}]"},
	{"row [\"units\", \"pounds\"] of answer.decision_rule",
	"[{\"seed\": true, \"entry\": \"pounds\", \"detail\": {\"unit\": \"\\u00a3\"}, \"excluded\": false, \"position\": 2}]"},
	{"trigger anchor_append_only on answer.anchor",
	"CREATE TRIGGER anchor_append_only BEFORE DELETE OR UPDATE ON answer.anchor FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger anchor_no_truncate on answer.anchor",
	"CREATE TRIGGER anchor_no_truncate BEFORE TRUNCATE ON answer.anchor FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger anchor_request_append_only on answer.anchor_request",
	"CREATE TRIGGER anchor_request_append_only BEFORE DELETE OR UPDATE ON answer.anchor_request FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger anchor_request_no_truncate on answer.anchor_request",
	"CREATE TRIGGER anchor_request_no_truncate BEFORE TRUNCATE ON answer.anchor_request FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger baseline_append_only on answer.baseline",
	"CREATE TRIGGER baseline_append_only BEFORE DELETE OR UPDATE ON answer.baseline FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger baseline_no_truncate on answer.baseline",
	"CREATE TRIGGER baseline_no_truncate BEFORE TRUNCATE ON answer.baseline FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger baseline_row_append_only on answer.baseline_row",
	"CREATE TRIGGER baseline_row_append_only BEFORE DELETE OR UPDATE ON answer.baseline_row FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger baseline_row_no_truncate on answer.baseline_row",
	"CREATE TRIGGER baseline_row_no_truncate BEFORE TRUNCATE ON answer.baseline_row FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger checkpoint_append_only on answer.checkpoint",
	"CREATE TRIGGER checkpoint_append_only BEFORE DELETE OR UPDATE ON answer.checkpoint FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger checkpoint_no_truncate on answer.checkpoint",
	"CREATE TRIGGER checkpoint_no_truncate BEFORE TRUNCATE ON answer.checkpoint FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger chunk_append_only on answer.chunk",
	"CREATE TRIGGER chunk_append_only BEFORE UPDATE ON answer.chunk FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger chunk_no_truncate on answer.chunk",
	"CREATE TRIGGER chunk_no_truncate BEFORE TRUNCATE ON answer.chunk FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger config_sample_guard on answer.config_sample",
	"CREATE TRIGGER config_sample_guard AFTER INSERT OR DELETE OR UPDATE ON answer.config_sample FOR EACH ROW EXECUTE FUNCTION answer.environment_guard(), enabled A"},
	{"trigger config_sample_no_truncate on answer.config_sample",
	"CREATE TRIGGER config_sample_no_truncate BEFORE TRUNCATE ON answer.config_sample FOR EACH STATEMENT EXECUTE FUNCTION answer.environment_guard(), enabled A"},
	{"trigger cosignature_append_only on answer.cosignature",
	"CREATE TRIGGER cosignature_append_only BEFORE DELETE OR UPDATE ON answer.cosignature FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger cosignature_no_truncate on answer.cosignature",
	"CREATE TRIGGER cosignature_no_truncate BEFORE TRUNCATE ON answer.cosignature FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger decision_rule_chunk_added on answer.decision_rule",
	"CREATE TRIGGER decision_rule_chunk_added AFTER INSERT ON answer.decision_rule REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.chunk_reread(), enabled O"},
	{"trigger decision_rule_chunk_changed on answer.decision_rule",
	"CREATE TRIGGER decision_rule_chunk_changed AFTER UPDATE ON answer.decision_rule REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.chunk_reread(), enabled O"},
	{"trigger decision_rule_chunk_removed on answer.decision_rule",
	"CREATE TRIGGER decision_rule_chunk_removed AFTER DELETE ON answer.decision_rule REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.chunk_reread(), enabled O"},
	{"trigger decision_rule_graph_added on answer.decision_rule",
	"CREATE TRIGGER decision_rule_graph_added AFTER INSERT ON answer.decision_rule REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_reread(), enabled O"},
	{"trigger decision_rule_graph_changed on answer.decision_rule",
	"CREATE TRIGGER decision_rule_graph_changed AFTER UPDATE ON answer.decision_rule REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_reread(), enabled O"},
	{"trigger decision_rule_graph_removed on answer.decision_rule",
	"CREATE TRIGGER decision_rule_graph_removed AFTER DELETE ON answer.decision_rule REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_reread(), enabled O"},
	{"trigger document_append_only on answer.document",
	"CREATE TRIGGER document_append_only BEFORE UPDATE ON answer.document FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger document_no_truncate on answer.document",
	"CREATE TRIGGER document_no_truncate BEFORE TRUNCATE ON answer.document FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger document_set_recorded on answer.document_set",
	"CREATE CONSTRAINT TRIGGER document_set_recorded AFTER DELETE OR UPDATE ON answer.document_set DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION answer.content_changed(), enabled O"},
	{"trigger environment_head_guard on answer.environment_head",
	"CREATE TRIGGER environment_head_guard AFTER INSERT OR DELETE OR UPDATE ON answer.environment_head FOR EACH ROW EXECUTE FUNCTION answer.environment_guard(), enabled A"},
	{"trigger environment_head_no_truncate on answer.environment_head",
	"CREATE TRIGGER environment_head_no_truncate BEFORE TRUNCATE ON answer.environment_head FOR EACH STATEMENT EXECUTE FUNCTION answer.environment_guard(), enabled A"},
	{"trigger graph_edge_added on answer.graph_edge",
	"CREATE TRIGGER graph_edge_added AFTER INSERT ON answer.graph_edge REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_edge_added(), enabled O"},
	{"trigger graph_edge_moved on answer.graph_edge",
	"CREATE TRIGGER graph_edge_moved BEFORE UPDATE ON answer.graph_edge FOR EACH ROW EXECUTE FUNCTION answer.graph_edge_moved(), enabled O"},
	{"trigger graph_edge_removed on answer.graph_edge",
	"CREATE TRIGGER graph_edge_removed AFTER DELETE ON answer.graph_edge REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_edge_removed(), enabled O"},
	{"trigger graph_edge_truncated on answer.graph_edge",
	"CREATE TRIGGER graph_edge_truncated AFTER TRUNCATE ON answer.graph_edge FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_truncated(), enabled O"},
	{"trigger graph_embedding_added on answer.graph_embedding",
	"CREATE TRIGGER graph_embedding_added AFTER INSERT ON answer.graph_embedding REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_embedding_counted(), enabled O"},
	{"trigger graph_embedding_changed on answer.graph_embedding",
	"CREATE TRIGGER graph_embedding_changed AFTER UPDATE ON answer.graph_embedding REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_embedding_counted(), enabled O"},
	{"trigger graph_embedding_removed on answer.graph_embedding",
	"CREATE TRIGGER graph_embedding_removed AFTER DELETE ON answer.graph_embedding REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_embedding_counted(), enabled O"},
	{"trigger graph_embedding_truncated on answer.graph_embedding",
	"CREATE TRIGGER graph_embedding_truncated AFTER TRUNCATE ON answer.graph_embedding FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_embedding_counted(), enabled O"},
	{"trigger graph_loose_end on answer.graph_loose",
	"CREATE CONSTRAINT TRIGGER graph_loose_end AFTER INSERT ON answer.graph_loose DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION answer.graph_loose_end(), enabled O"},
	{"trigger graph_node_added on answer.graph_node",
	"CREATE TRIGGER graph_node_added AFTER INSERT ON answer.graph_node REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_node_added(), enabled O"},
	{"trigger graph_node_changed on answer.graph_node",
	"CREATE TRIGGER graph_node_changed AFTER UPDATE ON answer.graph_node REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_node_changed(), enabled O"},
	{"trigger graph_node_removed on answer.graph_node",
	"CREATE TRIGGER graph_node_removed AFTER DELETE ON answer.graph_node REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_node_removed(), enabled O"},
	{"trigger graph_node_truncated on answer.graph_node",
	"CREATE TRIGGER graph_node_truncated AFTER TRUNCATE ON answer.graph_node FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_truncated(), enabled O"},
	{"trigger graph_set_recorded on answer.graph_set",
	"CREATE CONSTRAINT TRIGGER graph_set_recorded AFTER INSERT OR DELETE OR UPDATE ON answer.graph_set DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION answer.content_changed(), enabled O"},
	{"trigger judge_assessment_append_only on answer.judge_assessment",
	"CREATE TRIGGER judge_assessment_append_only BEFORE DELETE OR UPDATE ON answer.judge_assessment FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger judge_assessment_no_truncate on answer.judge_assessment",
	"CREATE TRIGGER judge_assessment_no_truncate BEFORE TRUNCATE ON answer.judge_assessment FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger judge_version_append_only on answer.judge_version",
	"CREATE TRIGGER judge_version_append_only BEFORE DELETE OR UPDATE ON answer.judge_version FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger judge_version_no_truncate on answer.judge_version",
	"CREATE TRIGGER judge_version_no_truncate BEFORE TRUNCATE ON answer.judge_version FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger judgement_append_only on answer.judgement",
	"CREATE TRIGGER judgement_append_only BEFORE UPDATE ON answer.judgement FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger judgement_no_truncate on answer.judgement",
	"CREATE TRIGGER judgement_no_truncate BEFORE TRUNCATE ON answer.judgement FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger log_audit_append_only on answer.log_audit",
	"CREATE TRIGGER log_audit_append_only BEFORE DELETE OR UPDATE ON answer.log_audit FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger log_audit_no_truncate on answer.log_audit",
	"CREATE TRIGGER log_audit_no_truncate BEFORE TRUNCATE ON answer.log_audit FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger log_leaf_append_only on answer.log_leaf",
	"CREATE TRIGGER log_leaf_append_only BEFORE DELETE OR UPDATE ON answer.log_leaf FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger log_leaf_no_truncate on answer.log_leaf",
	"CREATE TRIGGER log_leaf_no_truncate BEFORE TRUNCATE ON answer.log_leaf FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger log_tile_append_only on answer.log_tile",
	"CREATE TRIGGER log_tile_append_only BEFORE DELETE OR UPDATE ON answer.log_tile FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger log_tile_no_truncate on answer.log_tile",
	"CREATE TRIGGER log_tile_no_truncate BEFORE TRUNCATE ON answer.log_tile FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger packet_log_append_only on answer.packet_log",
	"CREATE TRIGGER packet_log_append_only BEFORE DELETE OR UPDATE ON answer.packet_log FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger packet_log_no_truncate on answer.packet_log",
	"CREATE TRIGGER packet_log_no_truncate BEFORE TRUNCATE ON answer.packet_log FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger plan_append_only on answer.plan",
	"CREATE TRIGGER plan_append_only BEFORE DELETE OR UPDATE ON answer.plan FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger plan_event_append_only on answer.plan_event",
	"CREATE TRIGGER plan_event_append_only BEFORE DELETE OR UPDATE ON answer.plan_event FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger plan_event_no_truncate on answer.plan_event",
	"CREATE TRIGGER plan_event_no_truncate BEFORE TRUNCATE ON answer.plan_event FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger plan_no_truncate on answer.plan",
	"CREATE TRIGGER plan_no_truncate BEFORE TRUNCATE ON answer.plan FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger receipt_append_only on answer.receipt",
	"CREATE TRIGGER receipt_append_only BEFORE DELETE OR UPDATE ON answer.receipt FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger receipt_append_only on answer.receipt_default",
	"CREATE TRIGGER receipt_append_only BEFORE DELETE OR UPDATE ON answer.receipt_default FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger receipt_no_truncate on answer.receipt",
	"CREATE TRIGGER receipt_no_truncate BEFORE TRUNCATE ON answer.receipt FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger receipt_no_truncate on answer.receipt_default",
	"CREATE TRIGGER receipt_no_truncate BEFORE TRUNCATE ON answer.receipt_default FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger recorded_rows_append_only on answer.recorded_rows",
	"CREATE TRIGGER recorded_rows_append_only BEFORE DELETE OR UPDATE ON answer.recorded_rows FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger recorded_rows_no_truncate on answer.recorded_rows",
	"CREATE TRIGGER recorded_rows_no_truncate BEFORE TRUNCATE ON answer.recorded_rows FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger route_changing on answer.route",
	"CREATE TRIGGER route_changing BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON answer.route FOR EACH STATEMENT EXECUTE FUNCTION answer.route_changing(), enabled A"},
	{"trigger route_deleted on answer.route",
	"CREATE TRIGGER route_deleted AFTER DELETE ON answer.route REFERENCING OLD TABLE AS changed_from FOR EACH STATEMENT EXECUTE FUNCTION answer.route_changed(), enabled A"},
	{"trigger route_inserted on answer.route",
	"CREATE TRIGGER route_inserted AFTER INSERT ON answer.route REFERENCING NEW TABLE AS changed_to FOR EACH STATEMENT EXECUTE FUNCTION answer.route_changed(), enabled A"},
	{"trigger route_replicated on answer.route",
	"CREATE TRIGGER route_replicated AFTER INSERT OR DELETE OR UPDATE ON answer.route FOR EACH ROW EXECUTE FUNCTION answer.route_changed(), enabled R"},
	{"trigger route_seed on answer.route",
	"CREATE TRIGGER route_seed BEFORE INSERT ON answer.route FOR EACH ROW WHEN (new.seed) EXECUTE FUNCTION answer.route_seed(), enabled O"},
	{"trigger route_table_append_only on answer.route_table",
	"CREATE TRIGGER route_table_append_only BEFORE DELETE OR UPDATE ON answer.route_table FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger route_table_no_truncate on answer.route_table",
	"CREATE TRIGGER route_table_no_truncate BEFORE TRUNCATE ON answer.route_table FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger route_truncated on answer.route",
	"CREATE TRIGGER route_truncated AFTER TRUNCATE ON answer.route FOR EACH STATEMENT EXECUTE FUNCTION answer.route_changed(), enabled A"},
	{"trigger route_updated on answer.route",
	"CREATE TRIGGER route_updated AFTER UPDATE ON answer.route REFERENCING OLD TABLE AS changed_from NEW TABLE AS changed_to FOR EACH STATEMENT EXECUTE FUNCTION answer.route_changed(), enabled A"},
	{"trigger run_timing_append_only on answer.run_timing",
	"CREATE TRIGGER run_timing_append_only BEFORE DELETE OR UPDATE ON answer.run_timing FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger run_timing_no_truncate on answer.run_timing",
	"CREATE TRIGGER run_timing_no_truncate BEFORE TRUNCATE ON answer.run_timing FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger run_work_case_guard on answer.run_work_case",
	"CREATE TRIGGER run_work_case_guard BEFORE INSERT OR DELETE OR UPDATE ON answer.run_work_case FOR EACH ROW EXECUTE FUNCTION answer.run_guard(), enabled A"},
	{"trigger run_work_case_no_truncate on answer.run_work_case",
	"CREATE TRIGGER run_work_case_no_truncate BEFORE TRUNCATE ON answer.run_work_case FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger run_work_guard on answer.run_work",
	"CREATE TRIGGER run_work_guard BEFORE INSERT OR DELETE OR UPDATE ON answer.run_work FOR EACH ROW EXECUTE FUNCTION answer.run_guard(), enabled A"},
	{"trigger run_work_no_truncate on answer.run_work",
	"CREATE TRIGGER run_work_no_truncate BEFORE TRUNCATE ON answer.run_work FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger signing_key_guard on answer.signing_key",
	"CREATE TRIGGER signing_key_guard BEFORE DELETE OR UPDATE ON answer.signing_key FOR EACH ROW EXECUTE FUNCTION answer.key_guard(), enabled A"},
	{"trigger signing_key_no_truncate on answer.signing_key",
	"CREATE TRIGGER signing_key_no_truncate BEFORE TRUNCATE ON answer.signing_key FOR EACH STATEMENT EXECUTE FUNCTION answer.key_guard(), enabled A"},
	{"trigger suite_append_only on answer.suite",
	"CREATE TRIGGER suite_append_only BEFORE DELETE OR UPDATE ON answer.suite FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger suite_case_append_only on answer.suite_case",
	"CREATE TRIGGER suite_case_append_only BEFORE DELETE OR UPDATE ON answer.suite_case FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger suite_case_no_truncate on answer.suite_case",
	"CREATE TRIGGER suite_case_no_truncate BEFORE TRUNCATE ON answer.suite_case FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger suite_no_truncate on answer.suite",
	"CREATE TRIGGER suite_no_truncate BEFORE TRUNCATE ON answer.suite FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger tells_of_changes on answer.quality_tool",
	"CREATE TRIGGER tells_of_changes BEFORE INSERT OR DELETE OR UPDATE ON answer.quality_tool FOR EACH ROW EXECUTE FUNCTION answer.tells_of_changes(), enabled A"},
	{"trigger tells_of_changes on answer.source",
	"CREATE TRIGGER tells_of_changes BEFORE INSERT OR DELETE OR UPDATE ON answer.source FOR EACH ROW EXECUTE FUNCTION answer.tells_of_changes(), enabled A"},
	{"trigger tells_of_changes on answer.tool",
	"CREATE TRIGGER tells_of_changes BEFORE INSERT OR DELETE OR UPDATE ON answer.tool FOR EACH ROW EXECUTE FUNCTION answer.tells_of_changes(), enabled A"},
	{"trigger tenant_append_only on answer.tenant",
	"CREATE TRIGGER tenant_append_only BEFORE DELETE OR UPDATE ON answer.tenant FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger tenant_no_truncate on answer.tenant",
	"CREATE TRIGGER tenant_no_truncate BEFORE TRUNCATE ON answer.tenant FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger tenant_protect on answer.tenant",
	"CREATE TRIGGER tenant_protect AFTER INSERT ON answer.tenant FOR EACH ROW EXECUTE FUNCTION answer.tenant_protect(), enabled A"},
	{"trigger tenant_role_no_truncate on answer.tenant_role",
	"CREATE TRIGGER tenant_role_no_truncate BEFORE TRUNCATE ON answer.tenant_role FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger tenant_role_unchanged on answer.tenant_role",
	"CREATE TRIGGER tenant_role_unchanged BEFORE UPDATE ON answer.tenant_role FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger tenant_role_write_guard on answer.tenant_role",
	"CREATE TRIGGER tenant_role_write_guard BEFORE INSERT OR DELETE ON answer.tenant_role FOR EACH ROW EXECUTE FUNCTION answer.tenant_write_guard(), enabled A"},
	{"trigger tenant_write_guard on answer.tenant",
	"CREATE TRIGGER tenant_write_guard BEFORE INSERT ON answer.tenant FOR EACH ROW EXECUTE FUNCTION answer.tenant_write_guard(), enabled A"},
	{"trigger tombstone_append_only on answer.tombstone",
	"CREATE TRIGGER tombstone_append_only BEFORE DELETE OR UPDATE ON answer.tombstone FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger tombstone_no_truncate on answer.tombstone",
	"CREATE TRIGGER tombstone_no_truncate BEFORE TRUNCATE ON answer.tombstone FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger witness_checkpoint_append_only on answer.witness_checkpoint",
	"CREATE TRIGGER witness_checkpoint_append_only BEFORE DELETE OR UPDATE ON answer.witness_checkpoint FOR EACH ROW EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"trigger witness_checkpoint_no_truncate on answer.witness_checkpoint",
	"CREATE TRIGGER witness_checkpoint_no_truncate BEFORE TRUNCATE ON answer.witness_checkpoint FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only(), enabled A"},
	{"type @extschema@.answer_agreement",
	"e by enum_in enum_out agree, disagree, alone"},
	{"type @extschema@.answer_assessment",
	"c by record_in record_out complete boolean, level @extschema@.answer_confidence, quality @extschema@.answer_quality_level, coverage text, agreement @extschema@.answer_agreement, explanation text, gap @extschema@.answer_quality_gap[], classes @extschema@.answer_class_quality[]"},
	{"type @extschema@.answer_check_result",
	"c by record_in record_out verdict @extschema@.answer_verdict, confidence double precision, observed jsonb, explain jsonb"},
	{"type @extschema@.answer_class_quality",
	"c by record_in record_out class text, quality @extschema@.answer_quality_level, strength @extschema@.answer_strength_level, need @extschema@.answer_quality_level, entries bigint, code @extschema@.answer_quality_code, reason text, next @extschema@.answer_quality_level, next_code @extschema@.answer_quality_code, next_reason text"},
	{"type @extschema@.answer_composite_result",
	"c by record_in record_out verdict @extschema@.answer_composite_verdict, confidence double precision, degraded boolean, checks bigint"},
	{"type @extschema@.answer_composite_verdict",
	"e by enum_in enum_out supported, contradicted, insufficient_evidence, evidenced, outside_evidence_coverage"},
	{"type @extschema@.answer_confidence",
	"e by enum_in enum_out None, Low, Medium, High, Complete"},
	{"type @extschema@.answer_confidence_result",
	"c by record_in record_out level @extschema@.answer_confidence, quality @extschema@.answer_quality_level, coverage text, agreement @extschema@.answer_agreement, explanation text"},
	{"type @extschema@.answer_gap_kind",
	"e by enum_in enum_out missing, weak, unverified"},
	{"type @extschema@.answer_graded",
	"c by record_in record_out class text, quality @extschema@.answer_quality_level, strength @extschema@.answer_strength_level, reason text"},
	{"type @extschema@.answer_investigation_outcome",
	"e by enum_in enum_out success, InsufficientEvidence"},
	{"type @extschema@.answer_key_status",
	"e by enum_in enum_out active, retired, compromised"},
	{"type @extschema@.answer_log_finding",
	"e by enum_in enum_out changed, missing, reordered, extra, key, catalog, configuration, forgotten, detached"},
	{"type @extschema@.answer_outcome",
	"e by enum_in enum_out holds, fails, not_evaluable"},
	{"type @extschema@.answer_quality_code",
	"e by enum_in enum_out nothing_collected, nothing_found, one_producer, corroborated, authoritative, no_better_entry, partner_weak, same_family, other_target, no_target, no_partner"},
	{"type @extschema@.answer_quality_gap",
	"c by record_in record_out class text, have @extschema@.answer_quality_level, need @extschema@.answer_quality_level, kind @extschema@.answer_gap_kind, tool text, reason text"},
	{"type @extschema@.answer_quality_level",
	"e by enum_in enum_out None, Weak, Moderate, Strong, Verified"},
	{"type @extschema@.answer_quality_reason",
	"c by record_in record_out class text, quality @extschema@.answer_quality_level, holds boolean, code @extschema@.answer_quality_code, reason text"},
	{"type @extschema@.answer_quality_relevance",
	"e by enum_in enum_out query, target"},
	{"type @extschema@.answer_recorded",
	"c by record_in record_out class text, quality @extschema@.answer_quality_level, strength @extschema@.answer_strength_level, reason text, digest text, is_new boolean"},
	{"type @extschema@.answer_route_kind",
	"e by enum_in enum_out interrogative, declarative"},
	{"type @extschema@.answer_strength_level",
	"e by enum_in enum_out None, Low, Medium, High"},
	{"type @extschema@.answer_verdict",
	"e by enum_in enum_out supported, contradicted, value, not_evaluable, evidence_unavailable, outside_evidence_coverage, not_checked"},
	{"what goes into column answer.anchor.attached_at",
	"not null"},
	{"what goes into column answer.anchor.imprint",
	"not null"},
	{"what goes into column answer.anchor.receipt_id",
	"not null"},
	{"what goes into column answer.anchor.tenant",
	"not null default ''::text"},
	{"what goes into column answer.anchor.token",
	"not null"},
	{"what goes into column answer.anchor.token_digest",
	"not null"},
	{"what goes into column answer.anchor_request.nonce",
	"not null"},
	{"what goes into column answer.anchor_request.policy",
	"null"},
	{"what goes into column answer.anchor_request.receipt_id",
	"not null"},
	{"what goes into column answer.anchor_request.requested_at",
	"not null"},
	{"what goes into column answer.anchor_request.tenant",
	"not null default ''::text"},
	{"what goes into column answer.baseline.digest",
	"not null"},
	{"what goes into column answer.baseline.loaded_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.baseline.loaded_by",
	"not null"},
	{"what goes into column answer.baseline.name",
	"not null"},
	{"what goes into column answer.baseline.questions",
	"not null"},
	{"what goes into column answer.baseline.tenant",
	"not null default ''::text"},
	{"what goes into column answer.baseline.version",
	"not null"},
	{"what goes into column answer.baseline_row.answered",
	"not null"},
	{"what goes into column answer.baseline_row.cited",
	"not null"},
	{"what goes into column answer.baseline_row.contradictory",
	"not null"},
	{"what goes into column answer.baseline_row.cost_usd",
	"not null"},
	{"what goes into column answer.baseline_row.latency_ms",
	"not null"},
	{"what goes into column answer.baseline_row.name",
	"not null"},
	{"what goes into column answer.baseline_row.question",
	"not null"},
	{"what goes into column answer.baseline_row.tenant",
	"not null default ''::text"},
	{"what goes into column answer.baseline_row.version",
	"not null"},
	{"what goes into column answer.budget_cap.cost_cap_usd",
	"not null"},
	{"what goes into column answer.budget_cap.period",
	"not null"},
	{"what goes into column answer.budget_cap.tenant",
	"not null default ''::text"},
	{"what goes into column answer.budget_period.period",
	"not null"},
	{"what goes into column answer.budget_period.reserved_usd",
	"not null"},
	{"what goes into column answer.budget_period.spent_usd",
	"not null"},
	{"what goes into column answer.budget_period.starts_on",
	"not null"},
	{"what goes into column answer.budget_period.tenant",
	"not null default ''::text"},
	{"what goes into column answer.budget_reservation.backend_start",
	"not null"},
	{"what goes into column answer.budget_reservation.charged_ms",
	"not null"},
	{"what goes into column answer.budget_reservation.charged_usd",
	"not null"},
	{"what goes into column answer.budget_reservation.day",
	"not null"},
	{"what goes into column answer.budget_reservation.pending_since",
	"null"},
	{"what goes into column answer.budget_reservation.pid",
	"not null"},
	{"what goes into column answer.budget_reservation.reserved_ms",
	"not null"},
	{"what goes into column answer.budget_reservation.reserved_usd",
	"not null"},
	{"what goes into column answer.budget_reservation.settled_at",
	"null"},
	{"what goes into column answer.budget_reservation.step_ms",
	"not null"},
	{"what goes into column answer.budget_reservation.step_usd",
	"not null"},
	{"what goes into column answer.budget_reservation.tenant",
	"not null default ''::text"},
	{"what goes into column answer.budget_reservation.trace_id",
	"not null"},
	{"what goes into column answer.checkpoint.edge",
	"not null"},
	{"what goes into column answer.checkpoint.key_id",
	"not null"},
	{"what goes into column answer.checkpoint.note",
	"not null"},
	{"what goes into column answer.checkpoint.origin",
	"not null"},
	{"what goes into column answer.checkpoint.previous_size",
	"null"},
	{"what goes into column answer.checkpoint.root_hash",
	"not null"},
	{"what goes into column answer.checkpoint.sealed_at",
	"not null"},
	{"what goes into column answer.checkpoint.tree_size",
	"not null"},
	{"what goes into column answer.chunk.anchor",
	"null, no samples"},
	{"what goes into column answer.chunk.chunk_id",
	"not null"},
	{"what goes into column answer.chunk.content_hash",
	"not null"},
	{"what goes into column answer.chunk.doc_id",
	"not null"},
	{"what goes into column answer.chunk.ordinal",
	"not null"},
	{"what goes into column answer.chunk.section",
	"null, no samples"},
	{"what goes into column answer.chunk.tenant",
	"not null"},
	{"what goes into column answer.chunk.text",
	"not null, no samples"},
	{"what goes into column answer.chunk.title",
	"not null, no samples"},
	{"what goes into column answer.chunk.uri",
	"null, no samples"},
	{"what goes into column answer.chunk.version",
	"not null"},
	{"what goes into column answer.chunk_embedding.chunk_id",
	"not null"},
	{"what goes into column answer.chunk_embedding.content_hash",
	"not null"},
	{"what goes into column answer.chunk_embedding.embedding",
	"not null, no samples"},
	{"what goes into column answer.chunk_embedding.tenant",
	"not null"},
	{"what goes into column answer.chunk_item.chunks",
	"not null"},
	{"what goes into column answer.chunk_item.item",
	"not null, no samples"},
	{"what goes into column answer.chunk_item.tenant",
	"not null"},
	{"what goes into column answer.chunk_search.\"timestamp\"",
	"not null"},
	{"what goes into column answer.chunk_search.chunk_id",
	"not null"},
	{"what goes into column answer.chunk_search.doc_id",
	"not null"},
	{"what goes into column answer.chunk_search.items",
	"not null, no samples"},
	{"what goes into column answer.chunk_search.ordinal",
	"not null"},
	{"what goes into column answer.chunk_search.sketch",
	"not null, no samples"},
	{"what goes into column answer.chunk_search.tenant",
	"not null"},
	{"what goes into column answer.chunk_search.title_items",
	"not null, no samples"},
	{"what goes into column answer.chunk_search.version",
	"not null"},
	{"what goes into column answer.config_sample.asked_by",
	"not null"},
	{"what goes into column answer.config_sample.environment",
	"not null"},
	{"what goes into column answer.config_sample.issued_at",
	"not null"},
	{"what goes into column answer.config_sample.receipt_id",
	"not null"},
	{"what goes into column answer.config_sample.revision",
	"not null"},
	{"what goes into column answer.config_sample.tenant",
	"not null default ''::text"},
	{"what goes into column answer.cosignature.added_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.cosignature.line",
	"not null"},
	{"what goes into column answer.cosignature.tree_size",
	"not null"},
	{"what goes into column answer.cosignature.vkey",
	"not null"},
	{"what goes into column answer.decision_cache.expires_at",
	"not null"},
	{"what goes into column answer.decision_cache.hits",
	"not null default 0"},
	{"what goes into column answer.decision_cache.issued_at",
	"not null"},
	{"what goes into column answer.decision_cache.key",
	"not null"},
	{"what goes into column answer.decision_cache.last_hit_at",
	"not null"},
	{"what goes into column answer.decision_cache.receipt_id",
	"not null"},
	{"what goes into column answer.decision_cache.sig",
	"not null"},
	{"what goes into column answer.decision_cache.tenant",
	"not null default ''::text"},
	{"what goes into column answer.decision_rule.\"position\"",
	"not null"},
	{"what goes into column answer.decision_rule.detail",
	"not null default '{}'::jsonb"},
	{"what goes into column answer.decision_rule.entry",
	"not null"},
	{"what goes into column answer.decision_rule.excluded",
	"not null default false"},
	{"what goes into column answer.decision_rule.list",
	"not null"},
	{"what goes into column answer.decision_rule.seed",
	"not null default false"},
	{"what goes into column answer.document.\"timestamp\"",
	"not null"},
	{"what goes into column answer.document.chunks",
	"not null"},
	{"what goes into column answer.document.content_hash",
	"not null"},
	{"what goes into column answer.document.doc_id",
	"not null"},
	{"what goes into column answer.document.loaded_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.document.loaded_by",
	"not null"},
	{"what goes into column answer.document.tenant",
	"not null"},
	{"what goes into column answer.document.title",
	"not null, no samples"},
	{"what goes into column answer.document.url",
	"null, no samples"},
	{"what goes into column answer.document.version",
	"not null"},
	{"what goes into column answer.document_fact.added_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.document_fact.attribute",
	"not null, no samples"},
	{"what goes into column answer.document_fact.by",
	"null"},
	{"what goes into column answer.document_fact.chunk_id",
	"not null"},
	{"what goes into column answer.document_fact.digest",
	"not null"},
	{"what goes into column answer.document_fact.doc_id",
	"not null"},
	{"what goes into column answer.document_fact.key",
	"not null"},
	{"what goes into column answer.document_fact.quote",
	"not null, no samples"},
	{"what goes into column answer.document_fact.role",
	"not null"},
	{"what goes into column answer.document_fact.scope",
	"null, no samples"},
	{"what goes into column answer.document_fact.subject",
	"not null, no samples"},
	{"what goes into column answer.document_fact.tenant",
	"not null"},
	{"what goes into column answer.document_fact.unit",
	"null"},
	{"what goes into column answer.document_fact.value",
	"not null, no samples"},
	{"what goes into column answer.document_fact.version",
	"not null"},
	{"what goes into column answer.document_set.chunks",
	"not null"},
	{"what goes into column answer.document_set.sum",
	"not null default '\\x'::bytea"},
	{"what goes into column answer.document_set.tenant",
	"not null"},
	{"what goes into column answer.document_set.version",
	"not null"},
	{"what goes into column answer.environment_head.environment",
	"not null"},
	{"what goes into column answer.environment_head.revision",
	"not null"},
	{"what goes into column answer.environment_head.tenant",
	"not null default ''::text"},
	{"what goes into column answer.evidence.args",
	"not null, no samples"},
	{"what goes into column answer.evidence.args_digest",
	"not null"},
	{"what goes into column answer.evidence.digest",
	"not null"},
	{"what goes into column answer.evidence.expires",
	"null"},
	{"what goes into column answer.evidence.observed_at",
	"not null"},
	{"what goes into column answer.evidence.raw",
	"not null, no samples"},
	{"what goes into column answer.evidence.recorded_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.evidence.source",
	"not null"},
	{"what goes into column answer.evidence.tenant",
	"not null default ''::text"},
	{"what goes into column answer.evidence.tool",
	"not null"},
	{"what goes into column answer.evidence_series.args_digest",
	"not null"},
	{"what goes into column answer.evidence_series.source",
	"not null"},
	{"what goes into column answer.evidence_series.tenant",
	"not null default ''::text"},
	{"what goes into column answer.evidence_series.tool",
	"not null"},
	{"what goes into column answer.graph_edge.from_id",
	"not null, no samples"},
	{"what goes into column answer.graph_edge.project",
	"not null"},
	{"what goes into column answer.graph_edge.tenant",
	"not null default ''::text"},
	{"what goes into column answer.graph_edge.to_id",
	"not null, no samples"},
	{"what goes into column answer.graph_edge.type",
	"not null"},
	{"what goes into column answer.graph_embedding.embedding",
	"not null, no samples"},
	{"what goes into column answer.graph_embedding.id",
	"not null, no samples"},
	{"what goes into column answer.graph_embedding.project",
	"not null"},
	{"what goes into column answer.graph_embedding.tenant",
	"not null"},
	{"what goes into column answer.graph_loose.from_id",
	"not null"},
	{"what goes into column answer.graph_loose.project",
	"not null"},
	{"what goes into column answer.graph_loose.tenant",
	"not null"},
	{"what goes into column answer.graph_loose.to_id",
	"not null"},
	{"what goes into column answer.graph_loose.type",
	"not null"},
	{"what goes into column answer.graph_node.content_hash",
	"not null, no samples"},
	{"what goes into column answer.graph_node.doc_type",
	"null"},
	{"what goes into column answer.graph_node.docstring",
	"null, no samples"},
	{"what goes into column answer.graph_node.end_line",
	"null"},
	{"what goes into column answer.graph_node.extraction_method",
	"not null"},
	{"what goes into column answer.graph_node.id",
	"not null, no samples"},
	{"what goes into column answer.graph_node.indexed_at",
	"not null default now()"},
	{"what goes into column answer.graph_node.labels",
	"not null"},
	{"what goes into column answer.graph_node.last_modified",
	"not null default 0"},
	{"what goes into column answer.graph_node.loaded_at",
	"not null default now()"},
	{"what goes into column answer.graph_node.name",
	"not null, no samples"},
	{"what goes into column answer.graph_node.path",
	"not null, no samples"},
	{"what goes into column answer.graph_node.project",
	"not null"},
	{"what goes into column answer.graph_node.source_path",
	"not null, no samples"},
	{"what goes into column answer.graph_node.start_line",
	"null"},
	{"what goes into column answer.graph_node.tenant",
	"not null default ''::text"},
	{"what goes into column answer.graph_node.text",
	"null, no samples"},
	{"what goes into column answer.graph_search.id",
	"not null, no samples"},
	{"what goes into column answer.graph_search.items",
	"not null, no samples"},
	{"what goes into column answer.graph_search.labels",
	"not null, no samples"},
	{"what goes into column answer.graph_search.path",
	"not null, no samples"},
	{"what goes into column answer.graph_search.project",
	"not null"},
	{"what goes into column answer.graph_search.sketch",
	"not null, no samples"},
	{"what goes into column answer.graph_search.tenant",
	"not null"},
	{"what goes into column answer.graph_search.title_items",
	"not null, no samples"},
	{"what goes into column answer.graph_set.edges",
	"not null"},
	{"what goes into column answer.graph_set.nodes",
	"not null"},
	{"what goes into column answer.graph_set.project",
	"not null"},
	{"what goes into column answer.graph_set.sum",
	"not null default '\\x'::bytea"},
	{"what goes into column answer.graph_set.tenant",
	"not null"},
	{"what goes into column answer.graph_set.version",
	"not null"},
	{"what goes into column answer.investigation.closed_at",
	"null"},
	{"what goes into column answer.investigation.intent",
	"not null"},
	{"what goes into column answer.investigation.investigation",
	"not null identity a"},
	{"what goes into column answer.investigation.opened_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.investigation.opened_by",
	"not null default CURRENT_USER"},
	{"what goes into column answer.investigation.outcome",
	"null"},
	{"what goes into column answer.investigation.question",
	"not null"},
	{"what goes into column answer.investigation.subject",
	"null"},
	{"what goes into column answer.investigation.tenant",
	"not null default ''::text"},
	{"what goes into column answer.judge.deadline_ms",
	"null"},
	{"what goes into column answer.judge.handler",
	"null"},
	{"what goes into column answer.judge.handler_digest",
	"null"},
	{"what goes into column answer.judge.handler_owner",
	"null"},
	{"what goes into column answer.judge.kinds",
	"not null"},
	{"what goes into column answer.judge.max_chars",
	"not null default 8000"},
	{"what goes into column answer.judge.max_pairs",
	"not null default 64"},
	{"what goes into column answer.judge.model",
	"not null"},
	{"what goes into column answer.judge.name",
	"not null"},
	{"what goes into column answer.judge.registered_by",
	"not null"},
	{"what goes into column answer.judge.revision",
	"not null"},
	{"what goes into column answer.judge.role",
	"null"},
	{"what goes into column answer.judge.seed",
	"not null default false"},
	{"what goes into column answer.judge.tenant",
	"not null default ''::text"},
	{"what goes into column answer.judge.version",
	"not null"},
	{"what goes into column answer.judge.weights_digest",
	"null"},
	{"what goes into column answer.judge_assessment.assessed_at",
	"not null"},
	{"what goes into column answer.judge_assessment.assessed_by",
	"not null"},
	{"what goes into column answer.judge_assessment.assessment",
	"not null"},
	{"what goes into column answer.judge_assessment.balanced_accuracy",
	"null"},
	{"what goes into column answer.judge_assessment.judge",
	"not null"},
	{"what goes into column answer.judge_assessment.kind",
	"not null"},
	{"what goes into column answer.judge_assessment.n",
	"not null"},
	{"what goes into column answer.judge_assessment.pairs",
	"not null"},
	{"what goes into column answer.judge_assessment.revision",
	"not null"},
	{"what goes into column answer.judge_assessment.tenant",
	"not null default ''::text"},
	{"what goes into column answer.judge_assessment.version",
	"not null"},
	{"what goes into column answer.judge_version.handler",
	"null"},
	{"what goes into column answer.judge_version.handler_digest",
	"null"},
	{"what goes into column answer.judge_version.model",
	"not null"},
	{"what goes into column answer.judge_version.name",
	"not null"},
	{"what goes into column answer.judge_version.registered_at",
	"not null"},
	{"what goes into column answer.judge_version.registered_by",
	"not null"},
	{"what goes into column answer.judge_version.revision",
	"not null"},
	{"what goes into column answer.judge_version.tenant",
	"not null default ''::text"},
	{"what goes into column answer.judge_version.version",
	"not null"},
	{"what goes into column answer.judge_version.weights_digest",
	"null"},
	{"what goes into column answer.judgement.by",
	"not null"},
	{"what goes into column answer.judgement.judge",
	"not null"},
	{"what goes into column answer.judgement.judge_tenant",
	"not null default ''::text"},
	{"what goes into column answer.judgement.judged_at",
	"not null"},
	{"what goes into column answer.judgement.kind",
	"not null"},
	{"what goes into column answer.judgement.origin",
	"not null"},
	{"what goes into column answer.judgement.pair",
	"not null"},
	{"what goes into column answer.judgement.relation",
	"not null"},
	{"what goes into column answer.judgement.revision",
	"not null"},
	{"what goes into column answer.judgement.score",
	"not null"},
	{"what goes into column answer.judgement.tenant",
	"not null default ''::text"},
	{"what goes into column answer.judgement.version",
	"not null"},
	{"what goes into column answer.log_audit.audited_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.log_audit.defects",
	"not null"},
	{"what goes into column answer.log_audit.from_size",
	"not null"},
	{"what goes into column answer.log_audit.root_hash",
	"not null"},
	{"what goes into column answer.log_audit.to_size",
	"not null"},
	{"what goes into column answer.log_leaf.digest",
	"not null"},
	{"what goes into column answer.log_leaf.issued_at",
	"not null"},
	{"what goes into column answer.log_leaf.leaf_index",
	"not null"},
	{"what goes into column answer.log_leaf.receipt_id",
	"not null"},
	{"what goes into column answer.log_tile.hashes",
	"not null"},
	{"what goes into column answer.log_tile.level",
	"not null"},
	{"what goes into column answer.log_tile.tile",
	"not null"},
	{"what goes into column answer.memory_entry.digest",
	"not null"},
	{"what goes into column answer.memory_entry.expires_at",
	"not null"},
	{"what goes into column answer.memory_entry.key",
	"not null, no samples"},
	{"what goes into column answer.memory_entry.provenance",
	"not null, no samples"},
	{"what goes into column answer.memory_entry.reported_by",
	"null"},
	{"what goes into column answer.memory_entry.tenant",
	"not null default ''::text"},
	{"what goes into column answer.memory_entry.trace_id",
	"not null"},
	{"what goes into column answer.memory_entry.ttl",
	"not null"},
	{"what goes into column answer.memory_entry.value",
	"not null, no samples"},
	{"what goes into column answer.memory_entry.written_at",
	"not null"},
	{"what goes into column answer.memory_policy.key_prefix",
	"not null"},
	{"what goes into column answer.memory_policy.reported",
	"not null"},
	{"what goes into column answer.memory_policy.tenant",
	"not null default ''::text"},
	{"what goes into column answer.packet_log.at",
	"not null"},
	{"what goes into column answer.packet_log.content_hash",
	"not null"},
	{"what goes into column answer.packet_log.project",
	"not null"},
	{"what goes into column answer.packet_log.query_id",
	"not null, no samples"},
	{"what goes into column answer.packet_log.question",
	"not null, no samples"},
	{"what goes into column answer.packet_log.score",
	"not null"},
	{"what goes into column answer.packet_log.status",
	"not null"},
	{"what goes into column answer.packet_log.tenant",
	"not null default ''::text"},
	{"what goes into column answer.plan.digest",
	"not null"},
	{"what goes into column answer.plan.plan",
	"not null"},
	{"what goes into column answer.plan.plan_id",
	"not null"},
	{"what goes into column answer.plan.registered_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.plan.registered_by",
	"null"},
	{"what goes into column answer.plan.seed",
	"not null default false"},
	{"what goes into column answer.plan.tenant",
	"not null default ''::text"},
	{"what goes into column answer.plan.version",
	"not null"},
	{"what goes into column answer.plan_event.event",
	"not null"},
	{"what goes into column answer.plan_event.plan_id",
	"not null"},
	{"what goes into column answer.plan_event.seq",
	"not null"},
	{"what goes into column answer.plan_event.step",
	"not null"},
	{"what goes into column answer.plan_event.tenant",
	"not null default ''::text"},
	{"what goes into column answer.plan_event.trace_id",
	"not null"},
	{"what goes into column answer.plan_event.ts_end",
	"not null"},
	{"what goes into column answer.plan_run.evaluated_at",
	"not null"},
	{"what goes into column answer.plan_run.expires_at",
	"null"},
	{"what goes into column answer.plan_run.finished_at",
	"null"},
	{"what goes into column answer.plan_run.issued_at",
	"null"},
	{"what goes into column answer.plan_run.plan_id",
	"not null"},
	{"what goes into column answer.plan_run.receipt_id",
	"null"},
	{"what goes into column answer.plan_run.request_digest",
	"not null"},
	{"what goes into column answer.plan_run.request_id",
	"null"},
	{"what goes into column answer.plan_run.role",
	"not null"},
	{"what goes into column answer.plan_run.started_at",
	"not null"},
	{"what goes into column answer.plan_run.state",
	"null, no samples"},
	{"what goes into column answer.plan_run.status",
	"not null"},
	{"what goes into column answer.plan_run.tenant",
	"not null default ''::text"},
	{"what goes into column answer.plan_run.trace_id",
	"not null"},
	{"what goes into column answer.plan_run.verdict",
	"null"},
	{"what goes into column answer.plan_step.inputs",
	"null, no samples"},
	{"what goes into column answer.plan_step.outputs",
	"null, no samples"},
	{"what goes into column answer.plan_step.seq",
	"not null"},
	{"what goes into column answer.plan_step.tenant",
	"not null default ''::text"},
	{"what goes into column answer.plan_step.trace_id",
	"not null"},
	{"what goes into column answer.quality_authority.class",
	"not null"},
	{"what goes into column answer.quality_authority.observation",
	"not null"},
	{"what goes into column answer.quality_authority.quality",
	"not null default 'Strong'::@extschema@.answer_quality_level"},
	{"what goes into column answer.quality_authority.seed",
	"not null default false"},
	{"what goes into column answer.quality_authority.tool",
	"not null"},
	{"what goes into column answer.quality_class.\"position\"",
	"not null"},
	{"what goes into column answer.quality_class.class",
	"not null"},
	{"what goes into column answer.quality_class.description",
	"null"},
	{"what goes into column answer.quality_class.identifier_tool",
	"null"},
	{"what goes into column answer.quality_class.relevance",
	"null"},
	{"what goes into column answer.quality_class.seed",
	"not null default false"},
	{"what goes into column answer.quality_class.tool",
	"null"},
	{"what goes into column answer.quality_class.verify_tool",
	"null"},
	{"what goes into column answer.quality_compatibility.class",
	"not null"},
	{"what goes into column answer.quality_compatibility.quality",
	"not null default 'Strong'::@extschema@.answer_quality_level"},
	{"what goes into column answer.quality_compatibility.same_target",
	"not null default true"},
	{"what goes into column answer.quality_compatibility.same_tool",
	"not null default false"},
	{"what goes into column answer.quality_compatibility.seed",
	"not null default false"},
	{"what goes into column answer.quality_compatibility.with_class",
	"not null"},
	{"what goes into column answer.quality_compatibility.with_quality",
	"not null default 'Strong'::@extschema@.answer_quality_level"},
	{"what goes into column answer.quality_entry.class",
	"not null"},
	{"what goes into column answer.quality_entry.digest",
	"not null"},
	{"what goes into column answer.quality_entry.entry",
	"not null"},
	{"what goes into column answer.quality_entry.exact_match_count",
	"not null default 0"},
	{"what goes into column answer.quality_entry.investigation",
	"not null"},
	{"what goes into column answer.quality_entry.match_count",
	"not null default 0"},
	{"what goes into column answer.quality_entry.observation",
	"not null, no samples"},
	{"what goes into column answer.quality_entry.phrase_match",
	"not null default false"},
	{"what goes into column answer.quality_entry.quality",
	"not null"},
	{"what goes into column answer.quality_entry.query",
	"not null"},
	{"what goes into column answer.quality_entry.reason",
	"not null"},
	{"what goes into column answer.quality_entry.recorded_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.quality_entry.run",
	"not null default ''::text"},
	{"what goes into column answer.quality_entry.sources",
	"not null default '{}'::text[], no samples"},
	{"what goes into column answer.quality_entry.strength",
	"not null"},
	{"what goes into column answer.quality_entry.target",
	"not null"},
	{"what goes into column answer.quality_entry.tenant",
	"not null default ''::text"},
	{"what goes into column answer.quality_entry.tool",
	"not null"},
	{"what goes into column answer.quality_intent.description",
	"null"},
	{"what goes into column answer.quality_intent.intent",
	"not null"},
	{"what goes into column answer.quality_intent.seed",
	"not null default false"},
	{"what goes into column answer.quality_requirement.class",
	"not null"},
	{"what goes into column answer.quality_requirement.intent",
	"not null"},
	{"what goes into column answer.quality_requirement.quality",
	"not null"},
	{"what goes into column answer.quality_requirement.seed",
	"not null default false"},
	{"what goes into column answer.quality_tool.class",
	"not null"},
	{"what goes into column answer.quality_tool.description",
	"null"},
	{"what goes into column answer.quality_tool.family",
	"not null"},
	{"what goes into column answer.quality_tool.grader",
	"null"},
	{"what goes into column answer.quality_tool.grader_owner",
	"null"},
	{"what goes into column answer.quality_tool.registered_by",
	"null"},
	{"what goes into column answer.quality_tool.seed",
	"not null default false"},
	{"what goes into column answer.quality_tool.tenant",
	"not null default ''::text"},
	{"what goes into column answer.quality_tool.tool",
	"not null"},
	{"what goes into column answer.receipt.body",
	"not null, no samples"},
	{"what goes into column answer.receipt.citation_given",
	"null"},
	{"what goes into column answer.receipt.citation_required",
	"null"},
	{"what goes into column answer.receipt.confidence",
	"null"},
	{"what goes into column answer.receipt.contradicted",
	"null"},
	{"what goes into column answer.receipt.cost_usd",
	"null"},
	{"what goes into column answer.receipt.degraded",
	"null"},
	{"what goes into column answer.receipt.given",
	"null"},
	{"what goes into column answer.receipt.grounded",
	"null"},
	{"what goes into column answer.receipt.intent",
	"null"},
	{"what goes into column answer.receipt.issued_at",
	"not null"},
	{"what goes into column answer.receipt.key_id",
	"not null"},
	{"what goes into column answer.receipt.prevented",
	"null"},
	{"what goes into column answer.receipt.receipt_id",
	"not null"},
	{"what goes into column answer.receipt.refusal",
	"null"},
	{"what goes into column answer.receipt.schema",
	"not null"},
	{"what goes into column answer.receipt.sentences",
	"null"},
	{"what goes into column answer.receipt.supported",
	"null"},
	{"what goes into column answer.receipt.tenant",
	"not null default ''::text"},
	{"what goes into column answer.receipt.took",
	"null"},
	{"what goes into column answer.receipt.unjudged",
	"null"},
	{"what goes into column answer.receipt.verdict",
	"not null"},
	{"what goes into column answer.receipt_default.body",
	"not null, no samples"},
	{"what goes into column answer.receipt_default.citation_given",
	"null"},
	{"what goes into column answer.receipt_default.citation_required",
	"null"},
	{"what goes into column answer.receipt_default.confidence",
	"null"},
	{"what goes into column answer.receipt_default.contradicted",
	"null"},
	{"what goes into column answer.receipt_default.cost_usd",
	"null"},
	{"what goes into column answer.receipt_default.degraded",
	"null"},
	{"what goes into column answer.receipt_default.given",
	"null"},
	{"what goes into column answer.receipt_default.grounded",
	"null"},
	{"what goes into column answer.receipt_default.intent",
	"null"},
	{"what goes into column answer.receipt_default.issued_at",
	"not null"},
	{"what goes into column answer.receipt_default.key_id",
	"not null"},
	{"what goes into column answer.receipt_default.prevented",
	"null"},
	{"what goes into column answer.receipt_default.receipt_id",
	"not null"},
	{"what goes into column answer.receipt_default.refusal",
	"null"},
	{"what goes into column answer.receipt_default.schema",
	"not null"},
	{"what goes into column answer.receipt_default.sentences",
	"null"},
	{"what goes into column answer.receipt_default.supported",
	"null"},
	{"what goes into column answer.receipt_default.tenant",
	"not null default ''::text"},
	{"what goes into column answer.receipt_default.took",
	"null"},
	{"what goes into column answer.receipt_default.unjudged",
	"null"},
	{"what goes into column answer.receipt_default.verdict",
	"not null"},
	{"what goes into column answer.recorded_rows.cluster",
	"not null"},
	{"what goes into column answer.recorded_rows.covered_until",
	"null"},
	{"what goes into column answer.recorded_rows.items",
	"not null, no samples"},
	{"what goes into column answer.recorded_rows.next_xid",
	"not null"},
	{"what goes into column answer.recorded_rows.number",
	"not null"},
	{"what goes into column answer.recorded_rows.sealed_at",
	"not null"},
	{"what goes into column answer.retrieval.expires_at",
	"not null"},
	{"what goes into column answer.retrieval.retrieval_id",
	"not null"},
	{"what goes into column answer.retrieval.retrieved_at",
	"not null"},
	{"what goes into column answer.retrieval.role",
	"not null"},
	{"what goes into column answer.retrieval.sig",
	"not null"},
	{"what goes into column answer.retrieval.state",
	"not null"},
	{"what goes into column answer.retrieval.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup.answers",
	"not null"},
	{"what goes into column answer.rollup.cited",
	"not null"},
	{"what goes into column answer.rollup.confidence",
	"not null"},
	{"what goes into column answer.rollup.contradicted",
	"not null"},
	{"what goes into column answer.rollup.cost_usd",
	"not null"},
	{"what goes into column answer.rollup.costed",
	"not null"},
	{"what goes into column answer.rollup.costed_verified",
	"not null"},
	{"what goes into column answer.rollup.documents",
	"not null"},
	{"what goes into column answer.rollup.given",
	"not null"},
	{"what goes into column answer.rollup.grain",
	"not null"},
	{"what goes into column answer.rollup.grounded",
	"not null"},
	{"what goes into column answer.rollup.intent",
	"not null"},
	{"what goes into column answer.rollup.prevented",
	"not null"},
	{"what goes into column answer.rollup.required",
	"not null"},
	{"what goes into column answer.rollup.schema",
	"not null"},
	{"what goes into column answer.rollup.sentences",
	"not null"},
	{"what goes into column answer.rollup.starts_at",
	"not null"},
	{"what goes into column answer.rollup.supported",
	"not null"},
	{"what goes into column answer.rollup.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup.unjudged",
	"not null"},
	{"what goes into column answer.rollup.verdict",
	"not null"},
	{"what goes into column answer.rollup_correction.contradicted",
	"not null"},
	{"what goes into column answer.rollup_correction.issued_at",
	"not null"},
	{"what goes into column answer.rollup_correction.judge",
	"null"},
	{"what goes into column answer.rollup_correction.pair",
	"null"},
	{"what goes into column answer.rollup_correction.receipt_id",
	"not null"},
	{"what goes into column answer.rollup_correction.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup_day.answers",
	"not null"},
	{"what goes into column answer.rollup_day.cited",
	"not null"},
	{"what goes into column answer.rollup_day.confidence",
	"not null"},
	{"what goes into column answer.rollup_day.contradicted",
	"not null"},
	{"what goes into column answer.rollup_day.cost_usd",
	"not null"},
	{"what goes into column answer.rollup_day.costed",
	"not null"},
	{"what goes into column answer.rollup_day.costed_verified",
	"not null"},
	{"what goes into column answer.rollup_day.documents",
	"not null"},
	{"what goes into column answer.rollup_day.given",
	"not null"},
	{"what goes into column answer.rollup_day.grain",
	"not null"},
	{"what goes into column answer.rollup_day.grounded",
	"not null"},
	{"what goes into column answer.rollup_day.intent",
	"not null"},
	{"what goes into column answer.rollup_day.prevented",
	"not null"},
	{"what goes into column answer.rollup_day.required",
	"not null"},
	{"what goes into column answer.rollup_day.schema",
	"not null"},
	{"what goes into column answer.rollup_day.sentences",
	"not null"},
	{"what goes into column answer.rollup_day.starts_at",
	"not null"},
	{"what goes into column answer.rollup_day.supported",
	"not null"},
	{"what goes into column answer.rollup_day.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup_day.unjudged",
	"not null"},
	{"what goes into column answer.rollup_day.verdict",
	"not null"},
	{"what goes into column answer.rollup_hour.answers",
	"not null"},
	{"what goes into column answer.rollup_hour.cited",
	"not null"},
	{"what goes into column answer.rollup_hour.confidence",
	"not null"},
	{"what goes into column answer.rollup_hour.contradicted",
	"not null"},
	{"what goes into column answer.rollup_hour.cost_usd",
	"not null"},
	{"what goes into column answer.rollup_hour.costed",
	"not null"},
	{"what goes into column answer.rollup_hour.costed_verified",
	"not null"},
	{"what goes into column answer.rollup_hour.documents",
	"not null"},
	{"what goes into column answer.rollup_hour.given",
	"not null"},
	{"what goes into column answer.rollup_hour.grain",
	"not null"},
	{"what goes into column answer.rollup_hour.grounded",
	"not null"},
	{"what goes into column answer.rollup_hour.intent",
	"not null"},
	{"what goes into column answer.rollup_hour.prevented",
	"not null"},
	{"what goes into column answer.rollup_hour.required",
	"not null"},
	{"what goes into column answer.rollup_hour.schema",
	"not null"},
	{"what goes into column answer.rollup_hour.sentences",
	"not null"},
	{"what goes into column answer.rollup_hour.starts_at",
	"not null"},
	{"what goes into column answer.rollup_hour.supported",
	"not null"},
	{"what goes into column answer.rollup_hour.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup_hour.unjudged",
	"not null"},
	{"what goes into column answer.rollup_hour.verdict",
	"not null"},
	{"what goes into column answer.rollup_kept.citation_given",
	"null"},
	{"what goes into column answer.rollup_kept.citation_required",
	"null"},
	{"what goes into column answer.rollup_kept.confidence",
	"null"},
	{"what goes into column answer.rollup_kept.contradicted",
	"null"},
	{"what goes into column answer.rollup_kept.corrects",
	"null"},
	{"what goes into column answer.rollup_kept.cost_usd",
	"null"},
	{"what goes into column answer.rollup_kept.given",
	"null"},
	{"what goes into column answer.rollup_kept.grounded",
	"null"},
	{"what goes into column answer.rollup_kept.intent",
	"null"},
	{"what goes into column answer.rollup_kept.issued_at",
	"not null"},
	{"what goes into column answer.rollup_kept.key_id",
	"not null"},
	{"what goes into column answer.rollup_kept.pairs",
	"null"},
	{"what goes into column answer.rollup_kept.prevented",
	"null"},
	{"what goes into column answer.rollup_kept.receipt_id",
	"null"},
	{"what goes into column answer.rollup_kept.refusal",
	"null"},
	{"what goes into column answer.rollup_kept.schema",
	"not null"},
	{"what goes into column answer.rollup_kept.sentences",
	"null"},
	{"what goes into column answer.rollup_kept.supported",
	"null"},
	{"what goes into column answer.rollup_kept.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup_kept.took",
	"null"},
	{"what goes into column answer.rollup_kept.unjudged",
	"null"},
	{"what goes into column answer.rollup_kept.verdict",
	"not null"},
	{"what goes into column answer.rollup_kept.words",
	"null"},
	{"what goes into column answer.rollup_key.documents",
	"not null"},
	{"what goes into column answer.rollup_key.first_at",
	"not null"},
	{"what goes into column answer.rollup_key.key_id",
	"not null"},
	{"what goes into column answer.rollup_key.last_at",
	"not null"},
	{"what goes into column answer.rollup_key.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup_latency.grain",
	"not null"},
	{"what goes into column answer.rollup_latency.intent",
	"not null"},
	{"what goes into column answer.rollup_latency.latency",
	"not null"},
	{"what goes into column answer.rollup_latency.starts_at",
	"not null"},
	{"what goes into column answer.rollup_latency.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup_latency.whole",
	"not null"},
	{"what goes into column answer.rollup_minute.answers",
	"not null"},
	{"what goes into column answer.rollup_minute.cited",
	"not null"},
	{"what goes into column answer.rollup_minute.confidence",
	"not null"},
	{"what goes into column answer.rollup_minute.contradicted",
	"not null"},
	{"what goes into column answer.rollup_minute.cost_usd",
	"not null"},
	{"what goes into column answer.rollup_minute.costed",
	"not null"},
	{"what goes into column answer.rollup_minute.costed_verified",
	"not null"},
	{"what goes into column answer.rollup_minute.documents",
	"not null"},
	{"what goes into column answer.rollup_minute.given",
	"not null"},
	{"what goes into column answer.rollup_minute.grain",
	"not null"},
	{"what goes into column answer.rollup_minute.grounded",
	"not null"},
	{"what goes into column answer.rollup_minute.intent",
	"not null"},
	{"what goes into column answer.rollup_minute.prevented",
	"not null"},
	{"what goes into column answer.rollup_minute.required",
	"not null"},
	{"what goes into column answer.rollup_minute.schema",
	"not null"},
	{"what goes into column answer.rollup_minute.sentences",
	"not null"},
	{"what goes into column answer.rollup_minute.starts_at",
	"not null"},
	{"what goes into column answer.rollup_minute.supported",
	"not null"},
	{"what goes into column answer.rollup_minute.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup_minute.unjudged",
	"not null"},
	{"what goes into column answer.rollup_minute.verdict",
	"not null"},
	{"what goes into column answer.rollup_new.citation_given",
	"null"},
	{"what goes into column answer.rollup_new.citation_required",
	"null"},
	{"what goes into column answer.rollup_new.confidence",
	"null"},
	{"what goes into column answer.rollup_new.contradicted",
	"null"},
	{"what goes into column answer.rollup_new.corrects",
	"null"},
	{"what goes into column answer.rollup_new.cost_usd",
	"null"},
	{"what goes into column answer.rollup_new.given",
	"null"},
	{"what goes into column answer.rollup_new.grounded",
	"null"},
	{"what goes into column answer.rollup_new.intent",
	"null"},
	{"what goes into column answer.rollup_new.issued_at",
	"not null"},
	{"what goes into column answer.rollup_new.key_id",
	"not null"},
	{"what goes into column answer.rollup_new.pairs",
	"null"},
	{"what goes into column answer.rollup_new.prevented",
	"null"},
	{"what goes into column answer.rollup_new.receipt_id",
	"null"},
	{"what goes into column answer.rollup_new.refusal",
	"null"},
	{"what goes into column answer.rollup_new.schema",
	"not null"},
	{"what goes into column answer.rollup_new.sentences",
	"null"},
	{"what goes into column answer.rollup_new.supported",
	"null"},
	{"what goes into column answer.rollup_new.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup_new.took",
	"null"},
	{"what goes into column answer.rollup_new.unjudged",
	"null"},
	{"what goes into column answer.rollup_new.verdict",
	"not null"},
	{"what goes into column answer.rollup_new.words",
	"null"},
	{"what goes into column answer.rollup_pruned.before",
	"not null"},
	{"what goes into column answer.rollup_pruned.one",
	"not null default true"},
	{"what goes into column answer.rollup_pruned.pruned_at",
	"not null"},
	{"what goes into column answer.rollup_refusal.count",
	"not null"},
	{"what goes into column answer.rollup_refusal.grain",
	"not null"},
	{"what goes into column answer.rollup_refusal.intent",
	"not null"},
	{"what goes into column answer.rollup_refusal.reason",
	"not null"},
	{"what goes into column answer.rollup_refusal.starts_at",
	"not null"},
	{"what goes into column answer.rollup_refusal.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup_word.count",
	"not null"},
	{"what goes into column answer.rollup_word.grain",
	"not null"},
	{"what goes into column answer.rollup_word.schema",
	"not null"},
	{"what goes into column answer.rollup_word.starts_at",
	"not null"},
	{"what goes into column answer.rollup_word.tenant",
	"not null default ''::text"},
	{"what goes into column answer.rollup_word.word",
	"not null"},
	{"what goes into column answer.route.\"position\"",
	"not null"},
	{"what goes into column answer.route.args",
	"not null default '{}'::jsonb"},
	{"what goes into column answer.route.description",
	"null"},
	{"what goes into column answer.route.enabled",
	"not null default true"},
	{"what goes into column answer.route.examples",
	"not null"},
	{"what goes into column answer.route.expect",
	"null"},
	{"what goes into column answer.route.kind",
	"not null"},
	{"what goes into column answer.route.list_owners",
	"null"},
	{"what goes into column answer.route.list_values",
	"null"},
	{"what goes into column answer.route.lists",
	"null"},
	{"what goes into column answer.route.pattern",
	"not null"},
	{"what goes into column answer.route.registered_by",
	"null"},
	{"what goes into column answer.route.route_id",
	"not null"},
	{"what goes into column answer.route.seed",
	"not null default false"},
	{"what goes into column answer.route.tenant",
	"not null default ''::text"},
	{"what goes into column answer.route.tool",
	"not null"},
	{"what goes into column answer.route_state.tenant",
	"not null default ''::text"},
	{"what goes into column answer.route_state.token",
	"not null"},
	{"what goes into column answer.route_table.content",
	"not null"},
	{"what goes into column answer.route_table.pinned_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.route_table.sha256",
	"not null"},
	{"what goes into column answer.route_table.tenant",
	"not null default ''::text"},
	{"what goes into column answer.run_timing.run_id",
	"not null"},
	{"what goes into column answer.run_timing.started_at",
	"not null"},
	{"what goes into column answer.run_timing.tenant",
	"not null default ''::text"},
	{"what goes into column answer.run_timing.took",
	"not null"},
	{"what goes into column answer.run_work.cases",
	"not null"},
	{"what goes into column answer.run_work.chain",
	"not null"},
	{"what goes into column answer.run_work.config_digest",
	"not null"},
	{"what goes into column answer.run_work.done",
	"not null"},
	{"what goes into column answer.run_work.engine_digest",
	"not null"},
	{"what goes into column answer.run_work.key_id",
	"not null"},
	{"what goes into column answer.run_work.role",
	"not null"},
	{"what goes into column answer.run_work.sig",
	"not null"},
	{"what goes into column answer.run_work.started_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.run_work.suite",
	"not null"},
	{"what goes into column answer.run_work.suite_digest",
	"not null"},
	{"what goes into column answer.run_work.tenant",
	"not null default ''::text"},
	{"what goes into column answer.run_work.updated_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.run_work.version",
	"not null"},
	{"what goes into column answer.run_work.work_id",
	"not null"},
	{"what goes into column answer.run_work_case.body",
	"not null"},
	{"what goes into column answer.run_work_case.ordinal",
	"not null"},
	{"what goes into column answer.run_work_case.tenant",
	"not null default ''::text"},
	{"what goes into column answer.run_work_case.took",
	"not null"},
	{"what goes into column answer.run_work_case.work_id",
	"not null"},
	{"what goes into column answer.signing_key.active_from",
	"null"},
	{"what goes into column answer.signing_key.compromised_after",
	"null"},
	{"what goes into column answer.signing_key.fingerprint",
	"null generated s default encode(sha256(public_key), 'hex'::text)"},
	{"what goes into column answer.signing_key.folder",
	"null"},
	{"what goes into column answer.signing_key.key_id",
	"not null"},
	{"what goes into column answer.signing_key.public_key",
	"not null"},
	{"what goes into column answer.signing_key.retired_at",
	"null"},
	{"what goes into column answer.signing_key.status",
	"not null"},
	{"what goes into column answer.source.description",
	"null"},
	{"what goes into column answer.source.independence_group",
	"null"},
	{"what goes into column answer.source.licence",
	"null"},
	{"what goes into column answer.source.seed",
	"not null default false"},
	{"what goes into column answer.source.source",
	"not null"},
	{"what goes into column answer.source.url",
	"null"},
	{"what goes into column answer.suite.cases",
	"not null"},
	{"what goes into column answer.suite.digest",
	"not null"},
	{"what goes into column answer.suite.document_set",
	"not null"},
	{"what goes into column answer.suite.documents",
	"not null"},
	{"what goes into column answer.suite.loaded_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.suite.loaded_by",
	"not null"},
	{"what goes into column answer.suite.name",
	"not null"},
	{"what goes into column answer.suite.now",
	"not null"},
	{"what goes into column answer.suite.seed",
	"not null default false"},
	{"what goes into column answer.suite.tenant",
	"not null default ''::text"},
	{"what goes into column answer.suite.version",
	"not null"},
	{"what goes into column answer.suite_case.body",
	"not null"},
	{"what goes into column answer.suite_case.case_id",
	"not null"},
	{"what goes into column answer.suite_case.ordinal",
	"not null"},
	{"what goes into column answer.suite_case.suite",
	"not null"},
	{"what goes into column answer.suite_case.tenant",
	"not null default ''::text"},
	{"what goes into column answer.suite_case.version",
	"not null"},
	{"what goes into column answer.tenant.created_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.tenant.tenant",
	"not null"},
	{"what goes into column answer.tenant_role.granted_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.tenant_role.role",
	"not null"},
	{"what goes into column answer.tenant_role.tenant",
	"not null"},
	{"what goes into column answer.tombstone.body",
	"not null"},
	{"what goes into column answer.tombstone.digest",
	"not null"},
	{"what goes into column answer.tombstone.forgotten_at",
	"not null"},
	{"what goes into column answer.tombstone.forgotten_by",
	"not null"},
	{"what goes into column answer.tombstone.reason",
	"not null"},
	{"what goes into column answer.tombstone.receipt_id",
	"null"},
	{"what goes into column answer.tombstone.tenant",
	"not null default ''::text"},
	{"what goes into column answer.tool.basis",
	"not null default 'live-source'::text"},
	{"what goes into column answer.tool.category",
	"null"},
	{"what goes into column answer.tool.country",
	"null"},
	{"what goes into column answer.tool.description",
	"null"},
	{"what goes into column answer.tool.entity_path",
	"null"},
	{"what goes into column answer.tool.freshness",
	"null"},
	{"what goes into column answer.tool.handler",
	"null"},
	{"what goes into column answer.tool.handler_owner",
	"null"},
	{"what goes into column answer.tool.optional_args",
	"not null default '{}'::text[]"},
	{"what goes into column answer.tool.registered_by",
	"null"},
	{"what goes into column answer.tool.required_args",
	"not null default '{}'::text[]"},
	{"what goes into column answer.tool.seed",
	"not null default false"},
	{"what goes into column answer.tool.source",
	"null"},
	{"what goes into column answer.tool.source_path",
	"null"},
	{"what goes into column answer.tool.spec",
	"null"},
	{"what goes into column answer.tool.tenant",
	"not null default ''::text"},
	{"what goes into column answer.tool.timestamp_path",
	"null"},
	{"what goes into column answer.tool.tool",
	"not null"},
	{"what goes into column answer.tool.unit",
	"null"},
	{"what goes into column answer.tool.value_optional",
	"null"},
	{"what goes into column answer.tool.value_path",
	"null"},
	{"what goes into column answer.tool_bucket.full_at",
	"not null"},
	{"what goes into column answer.tool_bucket.tenant",
	"not null"},
	{"what goes into column answer.tool_bucket.tool",
	"not null"},
	{"what goes into column answer.tool_call.called_at",
	"not null"},
	{"what goes into column answer.tool_call.microseconds",
	"not null"},
	{"what goes into column answer.tool_call.tenant",
	"not null default ''::text"},
	{"what goes into column answer.tool_call.tool",
	"not null"},
	{"what goes into column answer.unsealed.digest",
	"not null"},
	{"what goes into column answer.unsealed.issued_at",
	"not null"},
	{"what goes into column answer.unsealed.receipt_id",
	"not null"},
	{"what goes into column answer.witness_checkpoint.note",
	"not null"},
	{"what goes into column answer.witness_checkpoint.origin",
	"not null"},
	{"what goes into column answer.witness_checkpoint.root_hash",
	"not null"},
	{"what goes into column answer.witness_checkpoint.tree_size",
	"not null"},
	{"what goes into column answer.witness_checkpoint.witnessed_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.witness_key.origin",
	"not null"},
	{"what goes into column answer.witness_key.trusted_at",
	"not null default clock_timestamp()"},
	{"what goes into column answer.witness_key.vkey",
	"not null"},
};

#endif							/* ANSWER_EVAL_MANIFEST_H */
