/*
 * What the page checks of each kind of document: that its parts belong together
 * (closure), and what of it comes out again (replay), as tools/answer-verify does.
 *
 * Closure is whole for every kind.  Replay is whole for answers and for receipts put
 * elsewhere; of decisions and plans it is the part that needs no rules document:
 * statuses against judgements, the numbers, the digests of the trace.  What is found
 * wrong is wrong; what is not recomputed is named, in answerRules.left.
 */
const answerRules = (() => {
	const {Num, Refused, need, member, canonical, plainText, instant, digestBytes, sha256Text, without, byCodePoint,
		isAscii, items, isJudgedDecision, configOf, panelOf, judgesOf, sentencesOf, judgementsAreNeeded, isEarlier} = answerReceipt;

	/*
	 * values
	 */

	async function digest(value) {
		return 'sha256:' + await sha256Text(canonical(value));
	}

	const NUMERIC = /^-?[0-9]+(?:\.[0-9]+)?$/;

	/* A number that every language prints alike; else its text. */
	function portableNumber(number) {
		const text = plainText(number.text);
		if (text === null)
			return number;
		const [, whole, after] = /^-?([0-9]+)(?:\.([0-9]+))?$/.exec(text);
		const safe = after === undefined ? whole.length <= 16 && BigInt(whole) < 2n ** 53n :
			whole.length <= 16 && /[1-9]/.test(whole + after.slice(0, 4)) && text.length <= 40 && String(Number(text)) === text;
		return safe ? new Num(text) : text;
	}

	function portable(value) {
		return value instanceof Num ? portableNumber(value) : Array.isArray(value) ? value.map(portable) :
			value instanceof Map ? new Map([...value].map(([name, v]) => [name, portable(v)])) : value;
	}

	/* Is a member as it is made again, which gets its portable form? */
	function sameAs(stated, again) {
		return stated === undefined || again === undefined ? stated === again : canonical(stated) === canonical(portable(again));
	}

	function isTexts(value) {
		return Array.isArray(value) && value.every((one) => typeof one === 'string');
	}

	function isTextOrNull(value) {
		return value === null || typeof value === 'string';
	}

	/* An integer from 0 on, of 18 digits at most; else null. */
	function countOf(value) {
		const text = value instanceof Num ? plainText(value.text) : null;
		return text !== null && /^[0-9]{1,18}$/.test(text) ? BigInt(text) : null;
	}

	/* A number below 10, or the text that holds one in portable form, as plain decimal text; else null. */
	function shareText(value, asPortable) {
		if (asPortable && typeof value === 'string' && NUMERIC.test(value) && portableNumber(new Num(value)) === value)
			return value;
		return value instanceof Num ? plainText(value.text) : null;
	}

	function isShare(value, asPortable) {
		const text = shareText(value, asPortable);
		return text !== null && /^(?:0(?:\.[0-9]+)?|1)$/.test(text);
	}

	function needMembers(document, names) {
		names.forEach((name) => need(document.has(name), `${name} is missing`));
	}

	/*
	 * answer/v1: confidence of facts (fact-conf/1), citations
	 */

	const WEIGHTS = {source_present: 30, signed: 20, fresh: 30, corroborated: 15, conflict: 0};
	const BASIS_CAP = {forecast: 70, computed: 70, inferred: 50};

	/* In hundredths, from the signals and the basis alone; null if they are none. */
	function factConfidence(verification) {
		const signals = verification.has('signals') ? verification.get('signals') : new Map();
		if (!(signals instanceof Map) ||
			Object.keys(WEIGHTS).some((name) => signals.has(name) && typeof signals.get(name) !== 'boolean'))
			return null;
		let score = Object.entries(WEIGHTS).reduce((sum, [name, weight]) => sum + (signals.get(name) ? weight : 0), 0);
		if (signals.get('conflict'))
			score = Math.min(score, 40);
		const basis = verification.get('basis');
		return Math.min(score, typeof basis === 'string' && Object.hasOwn(BASIS_CAP, basis) ? BASIS_CAP[basis] : 100);
	}

	function confidenceFollows(fact) {
		const verification = fact.get('verification');
		const score = verification instanceof Map ? factConfidence(verification) : null;
		const claimed = member(verification, 'confidence');
		return score !== null && claimed instanceof Num && plainText(claimed.text) === String(score / 100);
	}

	function evidenceOf(check) {
		const digests = member(check, 'evidence');
		need(Array.isArray(digests) && digests.every((d) => typeof d === 'string'), 'a check does not say which evidence it cites');
		return digests;
	}

	async function answerClosure(receipt) {
		const checks = receipt.get('checks');
		const index = receipt.get('evidence_index');
		need(Array.isArray(checks), 'checks is missing');
		need(index instanceof Map, 'evidence_index is missing');
		const cited = new Set(checks.flatMap(evidenceOf));
		need([...cited].every((d) => index.has(d) && isAscii(d)), 'a check cites evidence that is not in the index');
		need(cited.size === index.size, 'the index holds evidence that nothing cites');
		for (const [name, fact] of index) {
			need(fact instanceof Map, 'the evidence index holds something that is no fact');
			need(await digest(without(fact, 'attestation', 'raw')) === name, 'a fact does not hash to its digest');
			need(confidenceFollows(fact), "a fact's confidence does not follow from its signals");
		}
	}

	/*
	 * answer/v1, again: the operators of expectations
	 */

	const MOST_DIGITS = 1000;
	const SPACE = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
	const AROUND = new RegExp(`^${SPACE}+|${SPACE}+$`, 'g');
	const [HOLDS, FAILS, UNKNOWN] = ['holds', 'fails', 'not_evaluable'];

	function says(truth) {
		return truth ? HOLDS : FAILS;
	}

	/* How a value reads as text; null for a number beyond the range. */
	function textOf(value) {
		return typeof value === 'string' ? value : value instanceof Num ? plainText(value.text) : canonical(portable(value));
	}

	/* The text by which a value is equal to others. */
	function compared(value) {
		const text = textOf(value);
		return text === null ? null : text.replace(AROUND, '');
	}

	/* [sign, digits before the point, digits behind it], or null; beyond the range too many digits to be compared. */
	function numeric(value) {
		const text = value instanceof Num ? plainText(value.text) ?? '9'.repeat(MOST_DIGITS + 1) :
			typeof value === 'string' && NUMERIC.test(value) ? value : null;
		if (text === null)
			return null;
		const [, sign, before, after] = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(text);
		const [whole, frac] = [before.replace(/^0+/, ''), (after || '').replace(/0+$/, '')];
		return [whole || frac ? sign : '', whole, frac];
	}

	/* Numbers as integers of one scale, and one on that scale; null when one is none. */
	function integers(...values) {
		const parts = values.map(numeric);
		if (parts.some((p) => p === null || p[1].length > MOST_DIGITS || p[2].length > MOST_DIGITS))
			return null;
		const scale = Math.max(...parts.map(([, , frac]) => frac.length));
		const found = parts.map(([sign, whole, frac]) => BigInt(sign + (whole + frac.padEnd(scale, '0') || '0')));
		return [...found, 10n ** BigInt(scale)];
	}

	function order(test) {
		return (observed, value) => {
			const found = integers(observed, value);
			return found ? says(test(found[0], found[1])) : UNKNOWN;
		};
	}

	function distance(a, b) {
		return a < b ? b - a : a - b;
	}

	function equal(wanted) {
		return (observed, value) => {
			const [a, b] = [compared(observed), compared(value)];
			return b === null || (a === null && !(observed instanceof Num && value instanceof Num)) ? UNKNOWN : says((a === b) === wanted);
		};
	}

	function search(test) {
		const isScalar = (value) => typeof value === 'string' || value instanceof Num || typeof value === 'boolean';
		return (observed, value) => {
			const texts = isScalar(observed) && isScalar(value) ? [textOf(observed), textOf(value)] : [null];
			return texts.includes(null) ? UNKNOWN : says(test(...texts));
		};
	}

	/* Digits as [length, digits], which are in the order of the numbers. */
	function component(digits) {
		const bare = digits.replace(/^0+/, '');
		return [bare.length, bare];
	}

	function versionOf(value) {
		const text = value instanceof Num ? plainText(value.text) ?? '-' : value;
		if (typeof text !== 'string' || !(value instanceof Num ? /^[0-9]+$/ : /^[0-9]+(?:\.[0-9]+)*$/).test(text))
			return null;
		return text.split('.').map(component);
	}

	function compareVersions(a, b) {
		for (let i = 0; i < Math.max(a.length, b.length); i++) {
			const [x, y] = [a[i] || [0, ''], b[i] || [0, '']];
			if (x[0] !== y[0] || x[1] !== y[1])
				return x[0] !== y[0] ? x[0] - y[0] : x[1] < y[1] ? -1 : 1;
		}
		return 0;
	}

	function version(test) {
		return (observed, value) => {
			const [a, b] = [versionOf(observed), versionOf(value)];
			return a === null || b === null ? UNKNOWN : says(test(a, b));
		};
	}

	const OPERATORS = {
		eq: equal(true), ne: equal(false),
		lt: order((a, b) => a < b), lte: order((a, b) => a <= b), gt: order((a, b) => a > b), gte: order((a, b) => a >= b),
		between: (observed, value) => {
			const found = integers(value[0], observed, value[1]);
			return found ? says(found[0] <= found[1] && found[1] <= found[2]) : UNKNOWN;
		},
		abs_within: (observed, value, tol) => {
			const found = integers(observed, value, tol);
			return found ? says(distance(found[0], found[1]) <= found[2]) : UNKNOWN;
		},
		pct_within: (observed, value, tol) => {
			const found = integers(observed, value, tol);
			if (!found || found[1] === 0n)
				return UNKNOWN;
			const [a, b, t, one] = found;
			return says(distance(a, b) * 100n * one <= t * distance(b, 0n));
		},
		in: (observed, value) => {
			const wanted = compared(observed);
			return wanted === null ? UNKNOWN : says(value.some((v) => compared(v) === wanted));
		},
		contains: (observed, value) => {
			if (!Array.isArray(observed))
				return search((whole, part) => whole.includes(part))(observed, value);
			const wanted = compared(value);
			return wanted === null ? UNKNOWN : says(observed.some((v) => compared(v) === wanted));
		},
		starts_with: search((whole, part) => whole.startsWith(part)), ends_with: search((whole, part) => whole.endsWith(part)),
		semver_eq: version((a, b) => compareVersions(a, b) === 0), semver_gte: version((a, b) => compareVersions(a, b) >= 0),
		semver_lt: version((a, b) => compareVersions(a, b) < 0),
		semver_prefix: version((a, b) => b.length <= a.length && compareVersions(a.slice(0, b.length), b) === 0),
	};
	const PRESENCE = ['exists', 'not_exists'];
	const MALFORMED = 'a check is malformed';

	function needNotNegative(value) {
		const parts = value === undefined ? null : numeric(value);
		need(parts !== null && parts[0] === '', MALFORMED);
	}

	/* {path, op, value, tol} of an expectation whose operands are what its operator takes. */
	function expectationOf(raw, observe) {
		need(raw instanceof Map && [...raw.keys()].every((key) => ['path', 'op', 'value', 'tol'].includes(key)), MALFORMED);
		const path = raw.get('path');
		const op = raw.get('op');
		let [value, tol] = [raw.get('value'), raw.get('tol')];
		need(path === undefined || (typeof path === 'string' && path.split('.').length <= 8 && !path.split('.').includes('')), MALFORMED);
		if (op === undefined) {
			need(observe && tol === undefined, MALFORMED);
			return {path, value};
		}
		need(typeof op === 'string' && (Object.hasOwn(OPERATORS, op) || PRESENCE.includes(op) || op === 'fresh_within_s'), MALFORMED);
		if (op === 'abs_within' || op === 'pct_within') {
			if (value instanceof Map) {
				need(tol === undefined && value.size === 2 && value.has('value') && value.has('tol') && !(value.get('value') instanceof Map), MALFORMED);
				[value, tol] = [value.get('value'), value.get('tol')];
			}
			need(value !== undefined, MALFORMED);
			needNotNegative(tol);
			return {path, op, value, tol};
		}
		need(tol === undefined && (value !== undefined || PRESENCE.includes(op)), MALFORMED);
		need(op !== 'in' || Array.isArray(value), MALFORMED);
		need(op !== 'between' || (Array.isArray(value) && value.length === 2), MALFORMED);
		if (op === 'fresh_within_s')
			needNotNegative(value);
		return {path, op, value};
	}

	const QUALITIES = ['None', 'Weak', 'Moderate', 'Strong', 'Verified'];

	function flag(check, name, otherwise) {
		const value = check.has(name) ? check.get(name) : otherwise;
		need(typeof value === 'boolean', MALFORMED);
		return value;
	}

	/* A check with what it does not say filled in. */
	function normalCheck(check, position) {
		need(check instanceof Map, MALFORMED);
		const id = check.has('id') ? check.get('id') : `c${position}`;
		need(typeof id === 'string' && id !== '' && [...id].length <= 200, MALFORMED);
		need(typeof check.get('tool') === 'string' && check.get('tool') !== '', MALFORMED);
		need(!check.has('args') || check.get('args') instanceof Map, MALFORMED);
		need(!check.has('min_quality') || QUALITIES.includes(check.get('min_quality')), MALFORMED);
		const observe = flag(check, 'observe', false);
		const required = flag(check, 'required', true);
		const expect = check.has('expect') ? check.get('expect') : [];
		const list = expect instanceof Map ? [expect] : expect;
		need(Array.isArray(list) && list.length <= 8, MALFORMED);
		return {id, observe, required, needed: check.get('min_quality') ?? 'None', expect: list.map((one) => expectationOf(one, observe))};
	}

	/* What a dotted path leads to; undefined if nowhere. */
	function walked(raw, path) {
		return path.split('.').reduce((found, segment) => found instanceof Map ? found.get(segment) :
			Array.isArray(found) && /^(?:0|[1-9][0-9]{0,9})$/.test(segment) ? found[Number(segment)] : undefined, raw);
	}

	/* What one expectation looks at in a fact. */
	function observedIn(fact, {op, path}) {
		if (op === 'fresh_within_s')
			return instant(fact.get('timestamp')) === null ? undefined : fact.get('timestamp');
		return path === undefined ? fact.get('value') : fact.has('raw') ? walked(fact.get('raw'), path) : undefined;
	}

	function isFreshWithin(fact, value, now) {
		const then = instant(fact.get('timestamp'));
		const [, whole, frac] = numeric(value);
		if (then === null || (whole.length > MOST_DIGITS && value instanceof Num && plainText(value.text) === null))
			return UNKNOWN;
		/* more digits than any age has */
		return says(whole.length > 20 || distance(now, then) <= BigInt((whole || '0') + frac.slice(0, 6).padEnd(6, '0')));
	}

	function outcomeOf(fact, expectation, now) {
		const {op, path, value, tol} = expectation;
		if (op === 'fresh_within_s')
			return isFreshWithin(fact, value, now);
		if (path !== undefined && !fact.has('raw'))
			return UNKNOWN;
		const observed = observedIn(fact, expectation);
		if (PRESENCE.includes(op))
			return says((observed === undefined) === (op === 'not_exists'));
		return observed === undefined ? UNKNOWN : OPERATORS[op](observed, value, tol);
	}

	/* What a fact contributes to a check: 0 unless it claims a portable number from 0 to 1. */
	function factScore(fact) {
		const claimed = member(fact.get('verification'), 'confidence');
		const number = claimed instanceof Num && plainText(claimed.text) !== null ? portableNumber(claimed) : null;
		return number instanceof Num && Number(number.text) >= 0 && Number(number.text) <= 1 ? Number(number.text) : 0;
	}

	/* The verdict, confidence and observation of a check over its facts. */
	function adjudged(check, facts, now, requireFresh) {
		const found = {confidence: Math.min(...facts.map(factScore)), observed: observedIn(facts[0], check.expect[0] ?? {}), verdict: 'value'};
		const rank = (fact) => Math.max(0, QUALITIES.indexOf(fact.get('quality')));
		if (Math.min(...facts.map(rank)) < QUALITIES.indexOf(check.needed) ||
			(requireFresh && !facts.every((fact) => member(member(fact.get('verification'), 'signals'), 'fresh') === true)))
			return {...found, verdict: 'not_evaluable'};
		if (check.observe || check.expect.length === 0)
			return found;
		const outcomes = check.expect.map((one) => outcomeOf(facts[0], one, now));
		return {...found, verdict: outcomes.includes(FAILS) ? 'contradicted' : outcomes.includes(UNKNOWN) ? 'not_evaluable' : 'supported'};
	}

	const MOST_CHECKS = 20;
	const UNCITED = ['evidence_unavailable', 'outside_evidence_coverage', 'not_evaluable'];
	const LOST = ['evidence_unavailable', 'outside_evidence_coverage', 'not_checked'];

	/* To two decimals, half to even where a binary fraction is just between. */
	function hundredths(share) {
		const isBetween = Number.isInteger(share * 8) && Number.isInteger(share * 200) && !Number.isInteger(share * 100);
		const below = Math.floor(share * 100);
		return isBetween ? (below + below % 2) / 100 : Number(share.toFixed(2));
	}

	/* answer-conf/1 over [{verdict, confidence, required}]. */
	function composite(checks) {
		const needed = checks.filter((one) => one.required);
		const verdicts = needed.map((one) => one.verdict);
		const verdict = verdicts.includes('contradicted') ? 'contradicted' :
			verdicts.some((v) => v === 'not_evaluable' || LOST.includes(v)) ? 'insufficient_evidence' :
			verdicts.includes('supported') ? 'supported' : 'evidenced';
		const of = needed.filter((one) => verdict !== 'contradicted' || one.verdict === 'contradicted').map((one) => one.confidence);
		const confidence = of.length === 0 || verdict === 'insufficient_evidence' ? 0 :
			verdict === 'contradicted' ? Math.max(...of) : Math.min(...of);
		return {verdict, confidence: hundredths(confidence), degraded: checks.some((one) => LOST.includes(one.verdict))};
	}

	function isConfidence(recorded, recomputed) {
		const text = recorded instanceof Num ? plainText(recorded.text) : null;
		return text !== null && Number(text) === recomputed;
	}

	const OTHERWISE = 'recomputing gives something else';

	function checkAgain(check, position, receipt, now) {
		const normal = normalCheck(check, position);
		const index = receipt.get('evidence_index');
		const cited = member(check, 'evidence');
		need(Array.isArray(cited), 'a check does not say which evidence it cites');
		let found = {confidence: 0, observed: undefined};
		if (position > MOST_CHECKS)
			found.verdict = 'not_checked';
		else if (cited.length === 0)
			found.verdict = UNCITED.includes(check.get('verdict')) ? check.get('verdict') : UNCITED[0];
		else {
			need(cited.every((d) => isAscii(d) && index.get(d) instanceof Map), 'a check cites evidence that is not in the index');
			found = adjudged(normal, cited.map((d) => index.get(d)), now, receipt.get('require_fresh') ?? false);
		}
		const part = `check ${normal.id}`;
		need(check.get('verdict') === found.verdict, OTHERWISE, {part: `the verdict of ${part}`});
		need(isConfidence(check.get('confidence'), found.confidence), OTHERWISE, {part: `the confidence of ${part}`});
		need(sameAs(check.get('observed'), found.observed), OTHERWISE, {part: `what ${part} observed`});
		return {...found, required: normal.required};
	}

	/* All that was adjudicated comes out again. */
	async function answerReplay(receipt) {
		const now = instant(receipt.get('evaluated_at'));
		need(Array.isArray(receipt.get('checks')) && receipt.get('evidence_index') instanceof Map, 'checks or evidence_index is missing');
		need(now !== null, 'evaluated_at is missing or no instant');
		need(!receipt.has('require_fresh') || typeof receipt.get('require_fresh') === 'boolean', 'require_fresh is not true or false');
		const checks = receipt.get('checks').map((check, i) => checkAgain(check, i + 1, receipt, now));
		const total = composite(checks);
		if (checks.length === 0 && receipt.get('mode') === 'question')
			total.verdict = 'outside_evidence_coverage';
		need(receipt.get('verdict') === total.verdict, OTHERWISE, {part: 'the verdict'});
		need(isConfidence(receipt.get('confidence'), total.confidence), OTHERWISE, {part: 'the confidence of the verdict'});
		need(receipt.get('degraded') === total.degraded, OTHERWISE, {part: 'whether something was missing'});
		return {};
	}

	/*
	 * configurations of decisions
	 */

	const SHARES = ['confidence_threshold', 'confidence_threshold_high_risk', 'freshness_bias', 'citation_threshold', 'contradiction_tolerance'];
	const LATER_SHARES = ['min_confidence', 'floor', 'support_min', 'contradict_min'];
	const COUNTS = {top_k: [1n, 50n], min_chunks: [0n, 2147483647n], freshness_days: [0n, 2147483647n],
		freshness_days_high_risk: [0n, 2147483647n], cache_ttl_s: [0n, 2147483647n]};
	const PANELS = ['judge_answers', 'judge_entailment', 'judge_conflict'];
	const CHOICES = {rerank: ['none', 'freshness'], unjudged_passages: ['plain', 'caveat'], judge: ['optional', 'required'],
		supersede: ['never', 'asked', 'always']};
	const EARLIER_CONFIG = [...SHARES, ...Object.keys(COUNTS), 'conflict_min_similarity', 'caveats', 'rerank'];
	const CONFIG = [...SHARES, ...LATER_SHARES, ...Object.keys(COUNTS), ...PANELS, ...Object.keys(CHOICES), 'judge_passages', 'caveats'];

	function hasJust(object, names) {
		return object.size === names.length && names.every((name) => object.has(name));
	}

	function isPanel(value) {
		const names = value === null ? [] : typeof value === 'string' ? [value] : value;
		return isTexts(names) && !names.includes('') && new Set(names).size === names.length && (names.length > 0 || value === null);
	}

	/* Is it a whole configuration, of decisions as they are or, if they may be, as they were? */
	function isConfig(config, mayBeEarlier) {
		const isOld = config instanceof Map && mayBeEarlier && hasJust(config, EARLIER_CONFIG);
		if (!(config instanceof Map) || !(isOld || hasJust(config, CONFIG)))
			return false;
		const within = (name, [least, most]) => {
			const found = countOf(config.get(name));
			return found !== null && found >= least && found <= most;
		};
		return [...SHARES, ...(isOld ? ['conflict_min_similarity'] : LATER_SHARES)].every((name) => isShare(config.get(name), true)) &&
			Object.entries(COUNTS).every(([name, bounds]) => within(name, bounds)) && typeof config.get('caveats') === 'boolean' &&
			Object.entries(CHOICES).every(([name, words]) => !config.has(name) || words.includes(config.get(name))) &&
			(isOld || (within('judge_passages', [1n, 50n]) && PANELS.every((name) => isPanel(config.get(name))) &&
				/^(?:1|0\.[89][0-9]*)$/.test(shareText(config.get('min_confidence'), true))));
	}

	/*
	 * decision/v1
	 */

	const DECISION_MEMBERS = ['query', 'decision', 'answer', 'user_message', 'citations', 'proposed', 'retrieval', 'retrieval_quality',
		'validation', 'conflicts', 'reasons', 'signals', 'thresholds', 'risk', 'degraded', 'config', 'reproduce'];
	const JUDGED_MEMBERS = ['judges', 'judgements', 'quotes', 'superseded', 'stale', 'to_judge', 'config_changed', 'explain'];
	const DECISIONS = ['ANSWER', 'ANSWER_WITH_CAVEATS', 'CLARIFY', 'ABSTAIN', 'BLOCK'];
	const BUILT_IN = ['encryption', 'refund', 'policy', 'numeric', 'copy', 'fact'];
	const RELATIONS = {entailment: ['supports', 'contradicts', 'neutral', 'no_claim'], answers: ['answers', 'does_not'],
		conflict: ['contradicts', 'neutral']};

	function isEarlierDecision(document) {
		return isEarlier(document) && !JUDGED_MEMBERS.some((name) => document.has(name));
	}

	function isFact(one) {
		const value = member(one, 'value');
		return one instanceof Map && ['subject', 'attribute', 'quote'].every((name) => typeof one.get(name) === 'string') &&
			(typeof value === 'string' || typeof value === 'boolean' || value instanceof Num) &&
			['unit', 'scope'].every((name) => isTextOrNull(one.get(name) ?? null));
	}

	function areFacts(value) {
		return [undefined, null, false, ''].includes(value) || (value instanceof Map && value.size === 0) ||
			(Array.isArray(value) && value.every(isFact));
	}

	/* The passages of a document, by their names. */
	function chunksOf(document) {
		const chunks = member(document.get('retrieval'), 'chunks');
		const isChunk = (one) => one instanceof Map && ['chunk_id', 'doc_id', 'text'].every((name) => typeof one.get(name) === 'string') &&
			isShare(one.get('similarity'), true) && areFacts(one.get('facts'));
		need(Array.isArray(chunks) && chunks.every(isChunk), 'retrieval.chunks is malformed');
		const named = new Map(chunks.map((chunk) => [chunk.get('chunk_id'), chunk]));
		need(named.size === chunks.length, 'retrieval.chunks is malformed');
		return named;
	}

	function isConflict(pair, chunks) {
		const ends = ['chunk_a', 'chunk_b'].map((name) => member(pair, name));
		return ends.every((end) => end instanceof Map && chunks.has(end.get('chunk_id')) &&
			chunks.get(end.get('chunk_id')).get('doc_id') === end.get('doc_id')) && ends[0].get('chunk_id') !== ends[1].get('chunk_id');
	}

	/* {answer, citations, quotes, checked} of what was proposed. */
	function proposalOf(document, isOld) {
		const proposed = document.get('proposed');
		if (proposed === null)
			return {answer: null, citations: null, quotes: null, checked: false};
		const isExtract = member(proposed, 'by') === 'extract';
		const names = ['by', 'answer', 'citations', ...(isOld && isExtract ? ['quotes'] : [])];
		need(proposed instanceof Map && (isExtract || proposed.get('by') === 'caller') && hasJust(proposed, names), 'proposed is malformed');
		const [answer, citations, quotes] = ['answer', 'citations', 'quotes'].map((name) => proposed.get(name) ?? null);
		need(typeof answer === 'string' || (answer === null && !isExtract), 'proposed is malformed');
		need(isTexts(citations) || (citations === null && !isExtract), 'proposed is malformed');
		need(quotes === null ? !(isOld && isExtract) : isTexts(quotes), 'proposed is malformed');
		return {answer, citations, quotes, checked: !isExtract || answer === ''};
	}

	/* An answer that is made of quotes. */
	function madeOfQuotes(texts) {
		return texts.map((text, i) => `"${text}" [${i + 1}]`).join(' ');
	}

	function quotesClosure(document, chunks, {answer, citations, checked}) {
		const quotes = document.get('quotes');
		need(Array.isArray(quotes) && quotes.every((one) => typeof member(one, 'text') === 'string' && one.get('text') !== '' &&
			chunks.has(one.get('chunk_id')) && chunks.get(one.get('chunk_id')).get('text').includes(one.get('text'))),
			'a quote is no part of its chunk', {part: 'a quote'});
		const texts = quotes.map((one) => one.get('text').replace(/\[([0-9]+)\]/g, '($1)').replaceAll('"', "'"));
		need(document.get('proposed') === null || checked || (answer === madeOfQuotes(texts) &&
			canonical(citations) === canonical(quotes.map((one) => one.get('chunk_id')))), 'the extract is not made of the quotes', {part: 'the answer'});
	}

	/* What a document cites, as it was decided. */
	function expectedCitations(document, citations) {
		const decision = document.get('decision');
		const [pair] = document.get('conflicts').get('pairs');
		if (decision === 'ANSWER' || decision === 'ANSWER_WITH_CAVEATS')
			return citations || [];
		if (decision === 'ABSTAIN' && items(document.get('reasons'))[0] === 'conflict_detected' && pair)
			return ['chunk_a', 'chunk_b'].map((name) => pair.get(name).get('chunk_id'));
		return [];
	}

	/*
	 * Rules stand inside, or are named by their digest, or by what they differ in from rules that are named. This reader
	 * has none: of what is not inside it sees the form, and answer-verify the rest.
	 */
	async function rulesClosure(document, named) {
		const part = {part: 'the rules'};
		const rules = document.get('rules');
		const base = member(rules, 'base');
		if (document.has('rules') && typeof base !== 'string') {
			need(named === await digest(rules), 'the rules do not hash to their digest', part);
			return;
		}
		need(digestBytes(named) !== null, 'the rules do not hash to their digest', part);
		need(!document.has('rules') || (digestBytes(base) !== null && [...rules].every(([name, value]) =>
			name === 'base' || (['removed', 'added'].includes(name) && value instanceof Map))), 'the rules are malformed', part);
	}

	async function decisionClosure(document) {
		const isOld = isEarlierDecision(document);
		needMembers(document, [...DECISION_MEMBERS, ...(isOld ? ['rules'] : JUDGED_MEMBERS)]);
		need(typeof document.get('query') === 'string', 'query is no text');
		const decision = document.get('decision');
		need(DECISIONS.includes(decision), 'decision is none of ANSWER, ANSWER_WITH_CAVEATS, CLARIFY, ABSTAIN and BLOCK');
		const chunks = chunksOf(document);
		for (const chunk of chunks.values())
			need(!chunk.has('content_hash') || chunk.get('content_hash') === 'sha256:' + await sha256Text(chunk.get('text')),
				'a chunk does not hash to its content_hash', {part: 'a passage'});
		const cited = document.get('citations');
		need(isTexts(cited) && cited.every((one) => chunks.has(one)), 'a citation names no chunk', {part: 'a citation'});
		const pairs = member(document.get('conflicts'), 'pairs');
		need(Array.isArray(pairs) && pairs.every((pair) => isConflict(pair, chunks)), 'a conflict is not between two of the chunks');
		const proposal = proposalOf(document, isOld);
		const {answer, citations, quotes} = proposal;
		if (!isOld)
			quotesClosure(document, chunks, proposal);
		else
			need(quotes === null || (quotes.length === citations.length && quotes.every((quote, i) => quote !== '' &&
				chunks.has(citations[i]) && chunks.get(citations[i]).get('text').includes(quote)) && answer === madeOfQuotes(quotes)),
			'the extract is not made of its chunks', {part: 'the answer'});
		const isGiven = decision === 'ANSWER' || decision === 'ANSWER_WITH_CAVEATS';
		const shown = isGiven ? answer : document.get('user_message');
		need((!isGiven || document.get('proposed') !== null) && sameAs(document.get('answer'), shown), 'answer is not what was decided', {part: 'the answer'});
		need(canonical(cited) === canonical(expectedCitations(document, citations)), 'citations are not what was decided', {part: 'the citations'});
		const digests = member(member(member(document, 'reproduce'), 'evaluator'), 'digests');
		await rulesClosure(document, member(digests, 'decision_rules'));
		need(member(digests, 'decision_config') === await digest(isOld ? document.get('config') : configOf(document)), 'the config does not hash to its digest', {part: 'the configuration'});
		if (isOld)
			detectorsClosure(document, pairs);
		else
			judgingClosure(document, chunks);
	}

	function detectorsClosure(document, pairs) {
		const detectors = document.has('detectors') ? document.get('detectors') : [];
		need(Array.isArray(detectors) && detectors.every((one) => typeof member(one, 'name') === 'string' &&
			['ok', 'failed'].includes(one.get('outcome'))), 'detectors is malformed');
		const first = (name) => detectors.find((one) => one.get('name') === name);
		need(pairs.every((pair) => BUILT_IN.includes(pair.get('kind')) || member(first(pair.get('kind')), 'outcome') === 'ok'),
			'a conflict is of no detector');
	}

	function isJudgement(one, judges) {
		const relations = typeof member(one, 'kind') === 'string' && Object.hasOwn(RELATIONS, one.get('kind')) ? RELATIONS[one.get('kind')] : [];
		const judge = judges.get(member(one, 'judge'));
		return judge !== undefined && one.get('version') === judge.get('version') && typeof one.get('by') === 'string' &&
			['observed', 'reported'].includes(one.get('origin')) && instant(one.get('judged_at')) !== null &&
			digestBytes(one.get('pair')) !== null && relations.includes(one.get('relation')) && isShare(one.get('score'), true);
	}

	/* Who judged, what of, and what was left out are in the document. */
	function judgingClosure(document, chunks) {
		const config = configOf(document);
		need(isConfig(config, false), 'the config is malformed');
		const judges = judgesOf(document);
		const configured = new Set(Object.keys(RELATIONS).flatMap((kind) => panelOf(document, kind)));
		need(configured.size === judges.size && [...configured].every((name) => judges.has(name)), 'judges are not those of the config');
		const judgements = document.get('judgements');
		need(Array.isArray(judgements) && judgements.every((one) => isJudgement(one, judges)), 'a judgement is of no judge', {part: 'what a judge said'});
		const known = new Set(judgements.map((one) => one.get('pair') + ' ' + one.get('judge')));
		need(known.size === judgements.length, 'judgements is malformed');
		need(isTexts(document.get('reasons')), 'reasons is malformed');
		const failed = document.get('reasons').filter((reason) => reason.startsWith('judge_failed: ')).map((reason) => reason.slice(14));
		need(new Set(failed).size === failed.length && failed.every((name) => judges.has(name)), 'reasons name a judge that was not to judge');
		const changed = document.get('config_changed');
		need(Array.isArray(changed) && changed.every((one) => one instanceof Map && hasJust(one, ['key', 'old', 'new']) && config.has(one.get('key')) &&
			canonical(one.get('new')) === canonical(config.get(one.get('key'))) && canonical(one.get('new')) !== canonical(one.get('old'))) &&
			new Set(changed.map((one) => one.get('key'))).size === changed.length, 'config_changed is malformed');
		const [stale, superseded, open] = ['stale', 'superseded', 'to_judge'].map((name) => document.get(name));
		need(isTexts(stale) && stale.every((one) => chunks.has(one)) && Array.isArray(superseded) &&
			superseded.every((one) => chunks.has(member(one, 'chunk_id')) && chunks.has(one.get('by'))) && Array.isArray(open) &&
			open.every((one) => typeof member(one, 'kind') === 'string' && Object.hasOwn(RELATIONS, one.get('kind')) && isTexts(one.get('chunk_ids')) &&
				one.get('chunk_ids').every((id) => chunks.has(id))), 'a chunk is none of the document');
	}

	/*
	 * decision/v1, again: statuses against what judges said, and the numbers of the verdict
	 */

	const JUDGED = {supported: ['supports'], no_claim: ['no_claim'], unsupported: ['neutral'], contradicted: ['contradicts', null],
		not_judged: [null, 'neutral'], quoted: [null], misquoted: [null], insufficient: [null]};

	/* A text without all but its ASCII letters and digits, in one case: what of a quotation is there whatever else is folded. */
	function lettersOf(text) {
		return text.toLowerCase().replace(/[^0-9a-z]/g, '');
	}

	/* What can be told of a status that rests on words alone: never that it is right, but of some that it is not. */
	function canBe(sentence, sentences) {
		const ascii = !/[^\0-\x7f]/.test(sentence.text);
		return sentence.status === 'insufficient' ? sentences.every((one) => one.status === 'insufficient') :
			sentence.status === 'misquoted' ? sentences.some((one) => /["\u201c]/.test(one.text)) :
			sentence.status !== 'quoted' || !ascii || lettersOf(sentence.passages).includes(lettersOf(sentence.text));
	}

	function statusesFollow(sentences) {
		sentences.forEach(({status, says: said}, i) => {
			const part = {part: `what sentence ${i + 1} is told to be, or what a judge said of it`};
			need(typeof status === 'string' && Object.hasOwn(JUDGED, status), 'a sentence has a status that there is not', part);
			need(said === undefined || JUDGED[status].includes(said), said === null ?
				`a sentence is told as ${status}, and no judgement of it is in the document` :
				`a sentence is told as ${status}, and the judgements in the document say something else`, part);
		});
		need(sentences.every((one, _, all) => canBe(one, all)), 'a sentence is told as what its words cannot be');
	}

	/* A share of at most four decimals in ten-thousandths, else undefined. */
	function tenThousandths(value) {
		const text = shareText(value, true) ?? '';
		return /^[01](?:\.[0-9]{1,4})?$/.test(text) ? Math.round(Number(text) * 10000) : undefined;
	}

	/* How sure somebody is that a passage answers is what a judge said. */
	function confidenceIsSaid(document) {
		const told = tenThousandths(member(document.get('signals'), 'answer_confidence'));
		const scores = items(document.get('judgements')).filter((one) => member(one, 'relation') === 'answers')
			.map((one) => tenThousandths(member(one, 'score')));
		return told === undefined || scores.includes(undefined) || scores.includes(told);
	}

	/* A number that is a given one, however it is spelt. */
	function isNumber(value, number) {
		const texts = [value, number].map((one) => shareText(one, true));
		return texts[0] !== null && texts[0] === texts[1];
	}

	/* What is told of the passages is what they come to, and what was needed is what the configuration says. */
	function numbersFollow(document) {
		const [signals, needed, config] = [document.get('signals'), document.get('thresholds'), configOf(document)];
		const part = {part: 'a number of the verdict'};
		const high = member(document.get('risk'), 'risk_level') === 'high';
		const reasons = items(document.get('reasons'));
		need(isNumber(member(needed, 'conf_max'), member(config, high ? 'confidence_threshold_high_risk' : 'confidence_threshold')),
			'what was needed is not what the config says', part);
		need(['floor', 'min_chunks'].every((name) => sameAs(member(needed, name), member(config, name))), 'what was needed is not what the config says', part);
		need(isNumber(member(signals, 'retrieval_hit_count'), member(member(document.get('retrieval_quality'), 'confidence'), 'hit_count')),
			'the number of passages is not what was counted', part);
		need(sameAs(member(signals, 'retrieval_confidence_max'), member(member(document.get('retrieval_quality'), 'confidence'), 'max')),
			'the greatest similarity is not what was found', part);
		need(document.get('degraded') === reasons.some((reason) => typeof reason === 'string' && reason.startsWith('judge_failed: ')),
			'degraded is not what the reasons say', part);
		const pairs = items(member(document.get('conflicts'), 'pairs'));
		need(member(document.get('conflicts'), 'conflict_detected') === pairs.length > 0, 'conflict_detected is not what the conflicts say', part);
	}

	async function decisionReplay(document, report) {
		if (!isJudgedDecision(document))
			return {ok: null, done: [], reason: 'deciding it again', incomplete: 'rules decision/1'};
		report.sentences = await sentencesOf(document);
		statusesFollow(report.sentences);
		need(typeof document.get('query') === 'string', 'query is no text');
		need(await judgementsAreNeeded(document, report.sentences), 'a judgement is of nothing in the document', {part: 'what a judge said'});
		need(confidenceIsSaid(document), 'answer_confidence is not what a judge said', {part: 'a number of the verdict'});
		numbersFollow(document);
		return {ok: null, done: ['what each sentence is said to be agrees with what the judges in the document said of exactly these words',
			'the numbers of the verdict agree with the passages and the configuration'], reason: 'deciding it again from the passages'};
	}

	/*
	 * plan/v1
	 */

	const PLAN_MEMBERS = ['plan_id', 'trace_id', 'evaluated_at', 'plan', 'vars', 'request', 'tools', 'limits', 'predicted', 'degradation',
		'policy', 'trace', 'last_event', 'verdict', 'reason', 'response', 'caveats', 'budget_used', 'reproduce'];

	/* The digest of the last event of a chain; null without one. */
	async function chainLast(events) {
		let last = null;
		for (const [i, event] of events.entries()) {
			const n = i + 1;
			const part = {part: `event ${n} of the trace`};
			need(event instanceof Map, `event ${n} is no object`, part);
			need(sameAs(event.get('seq'), new Num(String(n))), `event ${n} has another seq`, part);
			for (const name of ['plan_id', 'trace_id', 'tenant'])
				need(sameAs(event.get(name), events[0].get(name)), `event ${n} has another ${name} than the first one`, part);
			const [begin, end] = [instant(event.get('ts_start')), instant(event.get('ts_end'))];
			need(begin !== null && end !== null && begin <= end, `event ${n} ends before it starts`, part);
			need(event.get('prev') === last, `prev of event ${n} is not the digest of the event before it`, {part: i === 0 ? part.part : `event ${i} of the trace`});
			last = await digest(event);
		}
		return last;
	}

	async function planClosure(document) {
		needMembers(document, PLAN_MEMBERS);
		need(Array.isArray(document.get('trace')), 'trace is missing');
		const events = document.get('trace').map((one) => member(one, 'event') ?? null);
		need(document.get('plan') instanceof Map, 'plan is missing or no object');
		const last = await chainLast(events);
		for (const name of events.length > 0 ? ['plan_id', 'trace_id', 'tenant'] : [])
			need(sameAs(document.get(name), events[0].get(name)), `the trace has another ${name}`);
		need(sameAs(document.get('last_event'), last), 'last_event is not the digest of the last event', {part: 'the trace'});
		need(sameAs(document.get('plan_id'), document.get('plan').get('plan_id')), 'plan_id is not that of the plan');
	}

	/* Amounts added up, as plain decimal text; null where one is none. */
	function sumOf(values) {
		const found = integers(new Num('0'), ...values);
		if (found === null || values.some((value) => !(value instanceof Num)))
			return null;
		const one = found.pop();
		const sum = found.reduce((a, b) => a + b);
		return plainText(`${sum / one}.${String(sum % one).padStart(String(one).length - 1, '0')}`);
	}

	/* What came out of a step is what its event names. */
	async function resultsFollow(document) {
		for (const [i, entry] of document.get('trace').entries()) {
			const event = member(entry, 'event');
			const declared = member(member(member(document.get('tools'), member(event, 'tool')), 'io'), 'output');
			/* what comes back as evidence is judged again before it is hashed */
			const isPlain = member(event, 'type') === 'step' && event.get('op') === 'call' && declared !== undefined &&
				!canonical(declared).includes('Evidence');
			if (isPlain && event.get('outcome') === 'ok' && entry.has('outputs'))
				need(event.get('outputs_hash') === await digest(portable(entry.get('outputs'))), `outputs of event ${i + 1} are not those of its digest`,
					{part: `event ${i + 1} of the trace`});
		}
	}

	/* Did earlier rules judge an answer, which nothing judges again? */
	function isOfEarlierVerify(document) {
		return items(document.get('trace')).some((one) => member(member(one, 'event'), 'tool') === 'ground.verify' &&
			member(member(one, 'event'), 'outcome') === 'ok' && member(member(member(one, 'outputs'), 'evidence'), 'method') === 'ground-verify/1');
	}

	async function planReplay(document) {
		const part = {part: 'a number of the verdict'};
		const events = items(document.get('trace')).map((one) => member(one, 'event'));
		need(Array.isArray(document.get('trace')), 'trace is missing');
		await resultsFollow(document);
		const used = document.get('budget_used');
		if (!document.has('summary')) {
			for (const name of ['cost_usd', 'latency_ms']) {
				const sum = sumOf(events.map((event) => member(event, name)).filter((value) => value !== undefined));
				need(sum === null || isNumber(new Num(sum), member(used, name)) || sameAs(member(used, name), new Num(sum)),
					`budget_used is not what the steps were charged`, part);
			}
		}
		const response = document.get('response');
		need(response === null || response === undefined || (member(response, 'trace_id') === document.get('trace_id') &&
			sameAs(member(response, 'budget_used'), used)), 'the response is of another trace, or was charged something else', part);
		return {ok: null, done: ['what each step returned is what the chain of its events names, and the charges add up'],
			reason: 'running it again by its plan', incomplete: isOfEarlierVerify(document) ? 'rules ground-verify/1' : undefined};
	}

	/*
	 * quality/v1, change/v1, retention/v1
	 */

	async function qualityClosure(document) {
		needMembers(document, ['investigation', 'rules', 'entries', 'outcome']);
		need(Array.isArray(document.get('entries')), 'entries is no array');
		for (const [i, entry] of document.get('entries').entries()) {
			need(entry instanceof Map && entry.has('observation'), 'an entry has no observation');
			need(entry.get('digest') === await digest(entry.get('observation')), 'an observation does not hash to its digest', {part: `entry ${i + 1}`});
		}
	}

	async function changeClosure(document) {
		needMembers(document, ['kind', 'name', 'revision', 'action', 'before', 'after']);
		const [before, after, revision] = ['before', 'after', 'revision'].map((name) => document.get(name));
		need(typeof document.get('kind') === 'string' && typeof document.get('name') === 'string', 'kind or name is no text');
		const number = revision instanceof Num ? plainText(revision.text) : null;
		need(number !== null && /^[1-9][0-9]*$/.test(number), 'revision is no integer from 1 on');
		need(isTextOrNull(before), 'before is neither a digest nor null');
		need(after === null || after instanceof Map, 'after is neither an object nor null');
		need(before !== null || after !== null, 'nothing was there before, and nothing is after');
		need(number !== '1' || before === null, 'the first revision has something before it');
	}

	/* The ranges of leaves as pairs of numbers, up to the first that is malformed. */
	function rangesOf(document) {
		const found = [];
		for (const leaves of items(document.get('leaves'))) {
			const [first, last] = [countOf(member(leaves, 'first')), countOf(member(leaves, 'last'))];
			if (first === null || last === null || first > last)
				break;
			found.push([first, last]);
		}
		return found;
	}

	async function retentionClosure(document) {
		needMembers(document, ['partition', 'kept_in', 'receipts', 'first_issued_at', 'last_issued_at', 'leaves', 'log']);
		const [log, leaves] = [document.get('log'), document.get('leaves')];
		need(typeof document.get('partition') === 'string' && typeof document.get('kept_in') === 'string', 'partition or kept_in is no text');
		need(countOf(document.get('receipts')) !== null, 'receipts is no integer from 0 on');
		need(Array.isArray(leaves), 'leaves is no array');
		const size = log === null ? 0n : countOf(member(log, 'tree_size'));
		need(size !== null, 'log has no tree_size');
		const ranges = rangesOf(document);
		need(ranges.every(([first], i) => i === 0 || first > ranges[i - 1][1] + 1n), 'the ranges of leaves are not in order');
		need(ranges.length === leaves.length, 'a range of leaves is malformed');
		need(ranges.length === 0 || ranges[ranges.length - 1][1] + 1n <= size, 'a leaf is beyond the log');
		const bounds = ['first_issued_at', 'last_issued_at'].map((name) => document.get(name));
		const [begin, end] = bounds.map(instant);
		need(ranges.length > 0 ? begin !== null && end !== null && begin <= end : bounds.every((bound) => bound === null),
			'first_issued_at and last_issued_at are not the ends of a period');
	}

	async function retentionReplay(document) {
		const leaves = rangesOf(document).reduce((sum, [first, last]) => sum + last - first + 1n, 0n);
		need(countOf(document.get('receipts')) === leaves, 'receipts is not the number of leaves', {part: 'the number of receipts'});
		return {};
	}

	/*
	 * packet/v1: the form of packets
	 */

	const FIRST_MOMENT = -62135596800n * 1000000n;
	const END_MOMENT = 253402300800n * 1000000n;
	const MOST_NEIGHBORS = 50n;
	const isWord = (value) => typeof value === 'string' && value !== '';
	const areWords = (value) => Array.isArray(value) && value.every(isWord);
	const areSomeWords = (value) => areWords(value) && value.length > 0;
	const isMap = (value) => value instanceof Map;
	const isFlag = (value) => typeof value === 'boolean';
	const isCount = (value) => countOf(value) !== null;
	const isDigest = (value) => digestBytes(value) !== null;
	const upTo = (least, most) => (value) => {
		const found = countOf(value);
		return found !== null && found >= least && found <= most;
	};
	const isLimit = upTo(1n, 1000n);

	function areNeighbors(value) {
		return areWords(value) && value.length <= Number(MOST_NEIGHBORS) && value.every((one, i) => i === 0 || byCodePoint(value[i - 1], one) <= 0);
	}

	function isMoment(value) {
		const found = instant(value);
		return found !== null && found >= FIRST_MOMENT && found < END_MOMENT;
	}

	function isSimilarity(value) {
		return isShare(value, false) && /^[01](?:\.[0-9]{1,4})?$/.test(plainText(value.text));
	}

	function areNumbers(value) {
		return Array.isArray(value) && value.length > 0 && value.every((one) => one instanceof Num ||
			(typeof one === 'string' && one.length <= 1000 && NUMERIC.test(one) && portableNumber(new Num(one)) === one));
	}

	/* {member: what its value must be}; what begins with a question mark may be missing, and there is nothing else. */
	const WORD_FORM = (...names) => Object.fromEntries(names.map((name) => [name, isWord]));
	const PACKET_FORM = {meta: isMap, context_veracity: isMap, code_truth: Array.isArray, doc_claims: Array.isArray,
		graph_relationships: Array.isArray, suggested_actions: areWords, status: isWord, content_hash: isDigest, '?signature': isMap};
	const META_FORM = {...WORD_FORM('schema_version', 'query_id', 'project', 'question', 'mode'), timestamp: isMoment, options: isMap};
	const VERACITY_FORM = {confidence_score: upTo(0n, 100n), is_stale: isFlag, faults: Array.isArray};
	const FAULT_FORM = {type: isWord, message: isWord, evidence: isMap};
	const ENTRY_FORM = {id: isWord, name: isWord, type: areSomeWords, path: isWord, score: isSimilarity, neighbors: areNeighbors,
		neighbor_count: isCount, provenance: isMap};
	const isLine = upTo(1n, 2147483647n);
	const CODE_FORM = {...ENTRY_FORM, '?start_line': isLine, '?end_line': isLine, '?docstring': (value) => typeof value === 'string',
		'?last_modified': isCount};
	const CLAIM_FORM = {...ENTRY_FORM, last_modified: isCount, doc_type: isWord};
	const PROVENANCE_FORM = {source_path: isWord, content_hash: isDigest, extraction_method: isWord, indexed_at: isMoment};
	const OPTIONS_FORM = {'?limit': isLimit, '?min_score': (value) => isShare(value, true), '?labels': areSomeWords, '?paths': areSomeWords,
		'?embedding': areNumbers, '?extended': isFlag, '?log': isFlag};

	function needForm(place, value, form) {
		need(value instanceof Map, `${place} is no object`);
		for (const [name, holds] of Object.entries(form)) {
			const bare = name.replace(/^\?/, '');
			need(value.has(bare) || bare !== name, `${place}.${bare} is missing`);
			need(!value.has(bare) || holds(value.get(bare)), `${place}.${bare} is not what it must be`);
		}
		const known = Object.keys(form).map((name) => name.replace(/^\?/, ''));
		need([...value.keys()].every((name) => known.includes(name)), `${place} has an unknown member`);
	}

	function needEntries(packet, name, form) {
		packet.get(name).forEach((entry, i) => {
			needForm(`${name}[${i}]`, entry, form);
			needForm(`${name}[${i}].provenance`, entry.get('provenance'), PROVENANCE_FORM);
			const count = countOf(entry.get('neighbor_count'));
			need(BigInt(entry.get('neighbors').length) === (count < MOST_NEIGHBORS ? count : MOST_NEIGHBORS),
				`${name}[${i}] lists not as many neighbors as it has`);
		});
	}

	async function packetClosure(document) {
		const packet = document.get('packet');
		need(packet instanceof Map, 'packet is missing');
		needForm('packet', packet, PACKET_FORM);
		const [meta, context, links] = ['meta', 'context_veracity', 'graph_relationships'].map((name) => packet.get(name));
		needForm('meta', meta, META_FORM);
		need(meta.get('schema_version') === '1.0', 'meta.schema_version is unknown');
		need(meta.get('mode') === 'evidence-only', 'the packet has another mode than evidence-only');
		needForm('meta.options', meta.get('options'), OPTIONS_FORM);
		needForm('context_veracity', context, VERACITY_FORM);
		context.get('faults').forEach((fault, i) => needForm(`context_veracity.faults[${i}]`, fault, FAULT_FORM));
		needEntries(packet, 'code_truth', CODE_FORM);
		needEntries(packet, 'doc_claims', CLAIM_FORM);
		const entries = [...packet.get('code_truth'), ...packet.get('doc_claims')];
		const limit = meta.get('options').has('limit') ? countOf(meta.get('options').get('limit')) : 20n;
		need(BigInt(entries.length) <= limit, 'packet has more entries than its limit');
		links.forEach((one, i) => needForm(`graph_relationships[${i}]`, one, WORD_FORM('from', 'to', 'type', 'from_id', 'to_id')));
		need(links.length <= 500, 'graph_relationships has too many');
		if (packet.has('signature'))
			needForm('signature', packet.get('signature'), WORD_FORM('?alg', '?key_id', '?canonicalization', '?sig'));
		need(['success', 'insufficient_evidence'].includes(packet.get('status')), 'packet.status is unknown');
		need(new Set(entries.map((entry) => entry.get('id'))).size === entries.length, 'an id stands twice in the packet');
		need(entries.every((entry) => !entry.get('type').includes('Document') || entry.has('doc_type')), 'a Document has no doc_type');
	}

	/*
	 * run/v1
	 */

	const RUN_MEMBERS = ['suite', 'config', 'config_digest', 'engine_digest', 'insufficiency', 'cases', 'summary', 'verdict', 'digest', 'reproduce'];

	async function runClosure(document) {
		needMembers(document, RUN_MEMBERS);
		const rows = document.get('cases');
		need(Array.isArray(rows), 'cases is no array');
		for (const [i, row] of rows.entries()) {
			const found = member(row, 'case');
			const part = {part: `case ${i + 1}`};
			need(found instanceof Map, 'a row has no case', part);
			need(isWord(row.get('id')) && row.get('id') === found.get('id'), 'a row has another id than its case', part);
			need(row.get('ordinal') instanceof Num && row.get('ordinal').text === String(i + 1), 'the rows are not in their order', part);
			need(row.get('digest') === await digest(found), 'a case does not hash to its digest', part);
		}
		need(new Set(rows.map((row) => row.get('id'))).size === rows.length, 'a case stands twice');
		const [suite, config] = [document.get('suite'), document.get('config')];
		need(Array.isArray(member(suite, 'documents')) && suite.has('now'), 'suite is malformed');
		need(suite.get('digest') === await digest(new Map([['cases', rows.map((row) => row.get('digest'))],
			['documents', suite.get('documents')], ['now', suite.get('now')]])), 'the cases are not those of the suite', {part: 'the suite'});
		need(isConfig(config, true), 'config is not a whole configuration');
		need(document.get('config_digest') === await digest(config), 'config does not hash to config_digest', {part: 'the configuration'});
		const evaluator = member(document.get('reproduce'), 'evaluator');
		need(evaluator instanceof Map, 'reproduce has no evaluator');
		const digests = evaluator.get('digests');
		const engine = digests instanceof Map ? new Map([...evaluator, ['digests', without(digests, 'decision_config')]]) : evaluator;
		need(document.get('engine_digest') === await digest(engine), 'the evaluator does not hash to engine_digest');
		need(document.get('digest') === await digest(new Map([['suite', suite.get('digest')], ['config', document.get('config_digest')],
			['engine', document.get('engine_digest')], ['cases', rows], ['summary', document.get('summary')]])),
			'the content does not hash to digest', {part: 'a case or the summary'});
	}

	const LATER = (reason) => async () => ({ok: null, done: [], reason});
	const KINDS = {
		'answer/v1': [answerClosure, answerReplay], 'decision/v1': [decisionClosure, decisionReplay], 'plan/v1': [planClosure, planReplay],
		'quality/v1': [qualityClosure, LATER('assessing the evidence again')], 'packet/v1': [packetClosure, LATER('scoring the entries again')],
		'run/v1': [runClosure, LATER('scoring the cases again')], 'change/v1': [changeClosure, LATER('that the step follows from its gate')],
		'retention/v1': [retentionClosure, retentionReplay],
	};

	async function closure(document) {
		const tenant = document.get('tenant');
		need(tenant === undefined || (typeof tenant === 'string' && /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$/.test(tenant)), 'tenant is no name of a tenant');
		await KINDS[document.get('schema')][0](document);
		return {};
	}

	async function replay(document, report) {
		return KINDS[document.get('schema')][1](document, report);
	}

	return {closure, replay};
})();
