/*
 * The other half: what was read for verifying is shown.  A value reaches the page
 * as the text of a node, in an element that keeps its direction of writing to
 * itself; what steers or does not show is shown as what it is, in words.
 */
(() => {
	const {Num, parse, canonical, instant, sha256Text, verify, verifiedBy, isJudgedDecision, markersOf, panelOf, saidOf, pairDigest,
		passageOf} = answerReceipt;
	const MOST_SHOWN = 200;			/* of the members of one container; the text below has all */
	const MOST_NOTES = 50;
	const MOST_LEVELS = 12;
	const MOST_CHARACTERS = 20000;

	/*
	 * elements
	 */

	function element(name, ...content) {
		const made = document.createElement(name);
		made.append(...content);
		return made;
	}

	function classed(name, className, ...content) {
		const made = element(name, ...content);
		made.className = className;
		return made;
	}

	/* The only way in which anything of the document gets into the page. */
	function shown(string) {
		const made = element('bdi');
		const unseen = /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{DI}\p{Noncharacter_Code_Point}\u2800]/gu;
		const cut = string.length > MOST_CHARACTERS ? string.slice(0, MOST_CHARACTERS) : string;
		let at = 0;
		for (const match of cut.matchAll(unseen)) {
			made.append(cut.slice(at, match.index));
			made.append(element('i', 'U+' + match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, '0')));
			at = match.index + match[0].length;
		}
		made.append(cut.slice(at));
		if (cut !== string)
			made.append(element('i', `\u2026 and ${string.length - cut.length} characters more in the text of the document`));
		return made;
	}

	function isContainer(value) {
		return value instanceof Map || Array.isArray(value);
	}

	/* A scalar as a person writes it. */
	function plain(value) {
		return typeof value === 'string' ? value : value instanceof Num ? value.text :
			value === true ? 'yes' : value === false ? 'no' : value === null ? 'none' : canonical(value);
	}

	function nested(value, level) {
		if (!isContainer(value) || level > MOST_LEVELS)
			return shown(plain(value));
		const entries = value instanceof Map ? [...value] : [...value.entries()];
		if (entries.length === 0)
			return classed('span', 'quiet', value instanceof Map ? 'nothing' : 'none');
		if (!(value instanceof Map) && entries.every(([, v]) => !isContainer(v))) {
			const made = classed('ul', 'words');
			entries.slice(0, MOST_SHOWN).forEach(([, v]) => made.append(element('li', shown(plain(v)))));
			return withRest(made, entries.length);
		}
		const made = element(value instanceof Map ? 'dl' : 'ol');
		for (const [name, member] of entries.slice(0, MOST_SHOWN)) {
			if (value instanceof Map)
				made.append(element('dt', shown(name)), element('dd', nested(member, level + 1)));
			else
				made.append(element('li', nested(member, level + 1)));
		}
		return withRest(made, entries.length);
	}

	function withRest(made, count) {
		return count <= MOST_SHOWN ? made :
			element('div', made, classed('p', 'quiet', `and ${count - MOST_SHOWN} more, in the text of the document`));
	}

	/* A list of [label, value]; what is not there is left out. */
	function rows(pairs) {
		const made = element('dl');
		for (const [label, value] of pairs) {
			if (value === undefined)
				continue;
			made.append(element('dt', label), element('dd', value instanceof Node ? value : nested(value, 0)));
		}
		return made;
	}

	/* Did all verify?  Else nothing on the page is in the colour of what is good. */
	let isGood = false;

	function mark(className, words) {
		return classed('span', 'mark ' + (isGood || !['ok', 'good'].includes(className) ? className : 'open'), words);
	}

	/*
	 * looking into the document
	 */

	function at(value, ...path) {
		for (const name of path)
			value = value instanceof Map ? value.get(name) : undefined;
		return value;
	}

	function string(...candidates) {
		return candidates.find((value) => typeof value === 'string');
	}

	function list(value) {
		return Array.isArray(value) ? value : [];
	}

	const UNITS = [['year', 31556952], ['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];

	/* How long before a later instant, in the two largest units. */
	function age(early, late) {
		const micros = late - early;
		let seconds = Number((micros < 0n ? -micros : micros) / 1000000n);
		const words = [];
		UNITS.forEach(([unit, size]) => {
			const count = Math.floor(seconds / size);
			if (count > 0 && words.length < 2)
				words.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
			seconds -= count * size;
		});
		return words.length === 0 ? 'the same second' : words.join(' ') + (micros < 0n ? ' after it' : '');
	}

	const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

	/* An instant as a person reads it; anything else as it is. */
	function dated(text) {
		const micros = instant(text);
		if (micros === null)
			return text;
		const at = new Date(Number(micros / 1000000n) * 1000);
		const two = (number) => String(number).padStart(2, '0');
		return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} UTC`;
	}

	function ageThen(text, then) {
		const early = instant(text);
		const late = instant(then);
		return early === null || late === null ? undefined : age(early, late);
	}

	function ageNow(text) {
		const early = instant(text);
		const now = BigInt(Date.now()) * 1000n;
		return early === null ? undefined : early > now ? 'after what this device takes for now' : age(early, now) + ' ago';
	}

	const TITLES = {
		'answer/v1': 'Answer', 'quality/v1': 'Assessment of evidence', 'decision/v1': 'Grounded answer',
		'packet/v1': 'Evidence packet', 'plan/v1': 'Plan', 'run/v1': 'Run of a suite', 'change/v1': 'Record of a change',
		'retention/v1': 'Receipts put elsewhere', 'answer/tombstone/v1': 'Forgotten receipt',
	};

	const GOOD = ['supported', 'success', 'SufficientEvidence', 'Complete', 'pass', 'ok', 'Verified', 'Strong'];
	const BAD = ['contradicted', 'misquoted', 'unsupported', 'BLOCK', 'blocked', 'failed', 'fail', 'mismatch'];
	const IN_WORDS = {
		ANSWER: 'answered', ANSWER_WITH_CAVEATS: 'answered, with caveats', CLARIFY: 'asked back', ABSTAIN: 'not answered', BLOCK: 'blocked',
		evidenced: 'recorded, nothing compared', value: 'recorded', insufficient_evidence: 'too little evidence',
		outside_evidence_coverage: 'nothing here can answer this', evidence_unavailable: 'no evidence', not_evaluable: 'cannot be compared',
		InsufficientEvidence: 'too little evidence', success: 'enough evidence',
	};

	function verdictWords(word) {
		return Object.hasOwn(IN_WORDS, word) ? IN_WORDS[word] : word.replaceAll('_', ' ');
	}

	function verdictChip(word, isJudged = false) {
		return mark(GOOD.includes(word) || isJudged ? 'good' : BAD.includes(word) ? 'bad' : 'open', shown(verdictWords(word)));
	}

	function verdictOf(receipt) {
		return receipt.get('schema') === 'answer/tombstone/v1' ? 'forgotten' :
			string(receipt.get('verdict'), receipt.get('decision'), receipt.get('outcome'), at(receipt, 'packet', 'status'),
				receipt.get('action'));
	}

	function questionOf(receipt) {
		return string(receipt.get('question'), receipt.get('query'), at(receipt, 'investigation', 'question'),
			at(receipt, 'packet', 'meta', 'question'), at(receipt, 'vars', 'query'), receipt.get('plan_id'), nameOf(receipt));
	}

	/* What a document without a question is about. */
	function nameOf(receipt) {
		const checks = list(receipt.get('checks')).length;
		if (receipt.get('schema') === 'answer/v1')
			return checks === 0 ? undefined : `Answer from ${checks} check${checks === 1 ? '' : 's'}`;
		const [kind, name] = [string(receipt.get('kind')), string(receipt.get('name'), receipt.get('partition'), at(receipt, 'suite', 'name'))];
		return name === undefined ? undefined : [kind, name].filter((word) => word !== undefined).join(' ');
	}

	/* What was said, if the kind says anything. */
	function sayingOf(receipt) {
		return string(at(receipt, 'response', 'text'), receipt.get('answer'), receipt.get('user_message'),
			at(receipt, 'reason', 'message'), at(receipt, 'confidence', 'explanation'),
			at(receipt, 'packet', 'technical_brief'));
	}

	/* What belongs beside an answer: {code, text}, or in older documents a sentence. */
	function caveatsOf(receipt) {
		const texts = list(receipt.get('caveats')).map((caveat) => string(at(caveat, 'text'), caveat)).filter((s) => s !== undefined);
		return texts.length === 0 ? undefined : texts;
	}

	/* The instant that evidence was judged at. */
	function judgedAt(receipt) {
		return string(receipt.get('evaluated_at'), at(receipt, 'packet', 'meta', 'timestamp'), receipt.get('issued_at'));
	}

	/* How near words are to words is no measure of truth, and never shown as one. */
	const SIMILARITY = 'Similarity of words (no measure of truth)';

	/*
	 * evidence of each kind: [{title, pairs}]
	 */

	function factOf([digest, fact], then) {
		const stamp = at(fact, 'timestamp');
		return {
			title: string(at(fact, 'fact'), digest),
			pairs: [
				['Value', at(fact, 'value')], ['Unit', at(fact, 'unit') === null ? undefined : at(fact, 'unit')],
				['Of', at(fact, 'args')],
				['Source', at(fact, 'provenance', 'source')], ['Address', at(fact, 'provenance', 'source_url') ?? undefined],
				['Licence', at(fact, 'provenance', 'licence') ?? undefined],
				['Measured', stamp === null ? undefined : stampOf(stamp)], ['Age when it was judged', ageThen(stamp, then)], ['Age now', ageNow(stamp)],
				['Confidence', at(fact, 'verification', 'confidence')],
			],
			more: [
				['Expires', at(fact, 'expires') === null ? undefined : stampOf(at(fact, 'expires'))],
				['Basis', at(fact, 'verification', 'basis')],
				['Compared at the path', at(fact, 'verification', 'path')],
				['Signals', at(fact, 'verification', 'signals')], ['Note', at(fact, 'verification', 'note')],
				['Quality', at(fact, 'quality')], ['Digest', digest],
			],
		};
	}

	/* A member that should be an instant. */
	function stampOf(value) {
		return typeof value === 'string' ? dated(value) : value;
	}

	/* An object whose members are shown as they are named, with the age of its instant, if it has one. */
	function thingOf(value, then, titles, stamps) {
		const stamp = string(...stamps.map((name) => at(value, name)));
		const title = string(...titles.map((name) => at(value, name)));
		const pairs = value instanceof Map ? [...value].slice(0, MOST_SHOWN).map(([name, v]) => [shown(name), stamps.includes(name) ? stampOf(v) : v]) : [['Value', value]];
		return {
			title: title === undefined ? 'without a name' : title,
			pairs: pairs.concat([['Age when it was judged', ageThen(stamp, then)], ['Age now', ageNow(stamp)]]),
		};
	}

	/* A passage that was retrieved; what its similarity is worth stands beside it. */
	function chunkOf(value, then) {
		const {title, pairs} = thingOf(value, then, ['title', 'chunk_id', 'doc_id'], ['timestamp']);
		const stamp = at(value, 'timestamp');
		const isFirst = ([label]) => ['text', 'timestamp', 'similarity', 'title'].includes(label.textContent) || typeof label === 'string';
		return {
			title,
			pairs: [['Text', at(value, 'text')], ['From', stampOf(stamp)], ['Age when it was judged', ageThen(stamp, then)], ['Age now', ageNow(stamp)],
				[SIMILARITY, at(value, 'similarity')]],
			more: pairs.filter((pair) => !isFirst(pair)),
		};
	}

	/* Seconds since 1970, as nodes of graphs have them, as an instant. */
	function nodeOf(value, then) {
		const seconds = at(value, 'last_modified');
		const made = thingOf(value, then, ['name', 'id'], []);
		if (seconds instanceof Num && /^[0-9]{1,11}$/.test(seconds.text)) {
			const text = new Date(Number(seconds.text) * 1000).toISOString().replace(/\.000Z$/, 'Z');
			made.pairs = made.pairs.concat([['Changed at', text], ['Age when it was judged', ageThen(text, then)], ['Age now', ageNow(text)]]);
		}
		return made;
	}

	function evidenceOf(receipt) {
		const then = judgedAt(receipt);
		const index = receipt.get('evidence_index');
		const events = list(receipt.get('trace')).flatMap((entry) => list(at(entry, 'outputs', 'evidence', 'supports')));
		return [
			...(index instanceof Map ? [...index].map((entry) => factOf(entry, then)) : []),
			...list(at(receipt, 'retrieval', 'chunks')).map((v) => chunkOf(v, then)),
			...list(at(receipt, 'packet', 'code_truth')).map((v) => nodeOf(v, then)),
			...list(at(receipt, 'packet', 'doc_claims')).map((v) => nodeOf(v, then)),
			...list(receipt.get('entries')).map((v) => thingOf(v, then, ['class', 'tool'], ['recorded_at'])),
			...list(at(receipt, 'response', 'citations')).map((v) => thingOf(v, then, ['title', 'id', 'source'], ['timestamp', 'observed_at', 'freshness'])),
			...events.map((v) => thingOf(v, then, ['title', 'id', 'source'], ['timestamp', 'observed_at'])),
		];
	}

	/*
	 * checks of each kind
	 */

	const COMPARED = {
		eq: 'equal to #', ne: 'not equal to #', lt: 'less than #', lte: 'at most #', gt: 'more than #', gte: 'at least #', between: 'from # to #',
		abs_within: 'within ~ of #', pct_within: 'within ~ % of #', in: 'one of #', contains: 'containing #', starts_with: 'beginning with #',
		ends_with: 'ending with #', semver_eq: 'the version #', semver_gte: 'version # or later', semver_lt: 'a version before #',
		semver_prefix: 'a version #.*', exists: 'there', not_exists: 'not there', fresh_within_s: 'not older than # seconds',
	};

	/* What was expected, in words; an operator that there is not, as it stands. */
	function expectationOf(expectation) {
		const op = string(at(expectation, 'op'));
		const given = at(expectation, 'value');
		const isPair = given instanceof Map && given.has('value') && given.has('tol');
		const value = isPair ? given.get('value') : given;
		const tol = isPair ? given.get('tol') : at(expectation, 'tol');
		const values = op === 'between' && Array.isArray(value) ? value.slice(0, 2) : [Array.isArray(value) ? value.map(plain).join(', ') : value ?? null];
		const template = Object.hasOwn(COMPARED, op ?? '') ? COMPARED[op] : [op, '#'].filter((word) => word !== undefined).join(' ');
		const words = template.replaceAll(/[#~]/g, (sign) => plain(sign === '~' ? tol ?? null : values.shift() ?? null));
		return (at(expectation, 'path') === undefined ? '' : plain(at(expectation, 'path')) + ' ') + words;
	}

	function checkOf(check) {
		const tool = string(at(check, 'tool'));
		const args = at(check, 'args');
		return {
			title: [string(at(check, 'id')), tool].filter((s) => s !== undefined).join(' \u2014 '),
			verdict: string(at(check, 'verdict')),
			pairs: [
				['Asked of the tool', args instanceof Map && args.size === 0 ? undefined : args],
				['Expected', list(at(check, 'expect')).length === 0 ? undefined : list(at(check, 'expect')).map(expectationOf)],
				['Observed', at(check, 'observed')], ['Why', at(check, 'explain', 'summary')], ['Message', at(check, 'explain', 'message')],
			],
			more: [['Confidence', at(check, 'confidence')], ['Required', at(check, 'required')], ['Evidence', at(check, 'evidence')]],
		};
	}

	function eventOf(entry) {
		const event = at(entry, 'event');
		return {
			title: [string(at(event, 'step')), string(at(event, 'op'))].filter((s) => s !== undefined).join(' \u2014 ') || 'event',
			verdict: string(at(event, 'outcome')),
			pairs: [['Tool', at(event, 'tool') ?? undefined], ['Reason', at(event, 'reason') ?? undefined], ['Began', stampOf(at(event, 'ts_start'))],
				['Cost in USD', at(event, 'cost_usd')]],
		};
	}

	function classOf(entry) {
		return {
			title: string(at(entry, 'class')) || 'class', verdict: string(at(entry, 'quality')),
			pairs: [['Needed', at(entry, 'need')], ['Strength', at(entry, 'strength')], ['Why', at(entry, 'reason')]],
		};
	}

	function faultOf(fault) {
		return {title: string(at(fault, 'type')) || 'fault', pairs: [['Message', at(fault, 'message')]]};
	}

	function pairOf(pair) {
		return {title: 'Conflict', verdict: string(at(pair, 'conflict_type')), pairs: pair instanceof Map ? [...pair].map(([n, v]) => [shown(n), v]) : []};
	}

	function checksOf(receipt) {
		return [
			...list(receipt.get('checks')).map(checkOf), ...list(receipt.get('trace')).map(eventOf),
			...list(receipt.get('classes')).map(classOf), ...list(at(receipt, 'packet', 'context_veracity', 'faults')).map(faultOf),
			...list(at(receipt, 'conflicts', 'pairs')).map(pairOf),
		];
	}

	/*
	 * a decision: what each sentence is, and who judged it
	 */

	const STATUS = {
		quoted: 'these words stand in a passage that it cites; what stands around them there may change what they mean',
		supported: 'a judge says that the passages which it cites say this',
		no_claim: 'a judge says that it claims nothing',
		unsupported: 'a judge says that the passages which it cites do not say this',
		contradicted: 'the passages which it cites say something else',
		misquoted: 'what it quotes stands in no passage that it cites, by the words',
		insufficient: 'it says that too little is known',
		not_judged: 'nobody has checked that the passages which it cites say this',
	};

	/* How good a judge was measured to be at kinds of pairs. */
	function measured(judge, kinds) {
		const assessed = at(judge, 'assessed');
		const told = kinds.filter((kind) => at(assessed, kind) instanceof Map).map((kind) =>
			`${plain(at(assessed, kind, 'balanced_accuracy') ?? null)} of ${kind} over ${plain(at(assessed, kind, 'n') ?? null)} pairs`);
		return told.length > 0 ? 'measured ' + told.join(' and ') : 'never measured';
	}

	function called(judge, name) {
		return `${name} (${plain(at(judge, 'model') ?? null)}, ${plain(at(judge, 'version') ?? null)})`;
	}

	function from(origin, by) {
		return origin === 'observed' ? 'asked by the database' : 'reported by ' + plain(by ?? null);
	}

	/* Who judged one pair, a line for each judge of the panel of its kind. */
	function judgedBy(receipt, kind, said) {
		if (said === undefined)
			return element('span', 'too large for this page: answer-verify tells');
		if (said.length === 0)
			return element('span', 'not judged');
		const judges = list(receipt.get('judges'));
		const lines = said.slice(0, MOST_SHOWN).map((one) => {
			const judge = judges.find((other) => at(other, 'name') === at(one, 'judge'));
			return `judged by ${called(judge, plain(at(one, 'judge') ?? null))}, ${measured(judge, [kind])}, ` +
				`${from(at(one, 'origin'), at(one, 'by'))}: ${plain(at(one, 'relation') ?? null)}, sure ${plain(at(one, 'score') ?? null)}`;
		});
		panelOf(receipt, kind).slice(0, MOST_SHOWN).filter((name) => !said.some((one) => at(one, 'judge') === name))
			.forEach((name) => lines.push('not judged by ' + plain(name)));
		const made = classed('ul', 'words');
		lines.forEach((line) => made.append(element('li', shown(line))));
		return withRest(made, said.length);
	}

	function someOf(value) {
		return list(value).length === 0 ? undefined : value;
	}

	function sentenceOf(receipt, sentence, n) {
		const {status, given, said} = sentence;
		const asked = ['supported', 'no_claim', 'unsupported', 'not_judged', 'quoted'].includes(status) || (said && said.length > 0);
		return {
			title: `Sentence ${n + 1}`, verdict: plain(status ?? null),
			pairs: [
				['Text', sentence.text], ['That is', typeof status === 'string' && Object.hasOwn(STATUS, status) ? STATUS[status] : undefined],
				['Judged', asked ? judgedBy(receipt, 'entailment', said) : element('span', 'by rules, of the words alone; no judge')],
				['Passages that count', at(given, 'citations')],
				['Values that these lack', someOf(at(given, 'missing', 'values'))], ['Names that these lack', someOf(at(given, 'missing', 'names'))],
			],
		};
	}

	/* The quotes of an answer made of them, with who judged that they answer the question. */
	async function quotesOf(receipt, said) {
		const chunks = new Map(list(at(receipt, 'retrieval', 'chunks')).map((chunk) => [at(chunk, 'chunk_id'), chunk]));
		return Promise.all(list(receipt.get('quotes')).slice(0, MOST_SHOWN).map(async (quote) => {
			const chunk = chunks.get(at(quote, 'chunk_id'));
			const pair = said.size === 0 ? null : await pairDigest('answers', plain(receipt.get('query') ?? null), passageOf(chunk));
			return {
				title: string(at(quote, 'chunk_id')) || 'quote',
				pairs: [['Words', at(quote, 'text')], ['Does it answer?', judgedBy(receipt, 'answers', said.get(pair) || [])], ['From', stampOf(at(chunk, 'timestamp'))]],
			};
		}));
	}

	function judgeOf(receipt, judge) {
		const name = plain(at(judge, 'name') ?? null);
		const said = list(receipt.get('judgements')).filter((one) => at(one, 'judge') === at(judge, 'name'));
		const assessed = at(judge, 'assessed');
		return {
			title: called(judge, name), verdict: list(receipt.get('reasons')).includes('judge_failed: ' + name) ? 'failed' : undefined,
			pairs: [
				['How good', measured(judge, assessed instanceof Map ? [...assessed.keys()] : [])],
				['Judgements here', `${said.length}`], ['Weights', at(judge, 'weights_digest')],
				['Whose word it is', said.length === 0 ? undefined : [...new Set(said.map((one) => from(at(one, 'origin'), at(one, 'by'))))].slice(0, MOST_SHOWN)],
			],
		};
	}

	/* The reasons, with the numbers that they rest on. */
	function reasonsOf(receipt) {
		const numbers = list(receipt.get('explain'));
		return list(receipt.get('reasons')).map((reason) => {
			const found = numbers.find((one) => at(one, 'reason') === reason);
			const [value, threshold, key] = ['value', 'threshold', 'key'].map((name) => plain(at(found, name) ?? null));
			return found === undefined ? plain(reason) : `${plain(reason)}: ${value}, needs ${threshold}, ${key}`;
		});
	}

	function isGiven(receipt) {
		return receipt.get('decision') === 'ANSWER' || receipt.get('decision') === 'ANSWER_WITH_CAVEATS';
	}

	/* What a reader has to know before anything else of an answer that others could take for checked. */
	function judgedLine(receipt) {
		const judges = list(receipt.get('judges')).filter((judge) => list(receipt.get('judgements')).some((one) => at(one, 'judge') === at(judge, 'name')));
		const names = () => judges.slice(0, MOST_SHOWN).map((judge) => called(judge, plain(at(judge, 'name') ?? null))).join(', ');
		return classed('p', 'judged', ...(judges.length === 0 ?
			['Not judged: nobody has checked that the passages say this, or that they answer the question.'] :
			list(receipt.get('reasons')).includes('not_judged') ?
			['Not all of it is judged. What is, was judged by ', shown(names()), '. Below is what each part is, and who says so.'] :
			['Judged by ', shown(names()), '. Below is what each part is, and who says so.']));
	}

	function neededOf(receipt) {
		const needed = (name) => plain(at(receipt, 'thresholds', name) ?? null);
		return [`a similarity, or a judge's score, of ${needed('conf_max')}; no similarity below ${needed('floor')}`,
			`${needed('min_chunks')} ${needed('min_chunks') === '1' ? 'passage' : 'passages'}`,
			needed('freshness_days') === '0' ? 'of any age' : `at most ${needed('freshness_days')} days old`];
	}

	function decidedRows(receipt) {
		const changed = list(receipt.get('config_changed')).map((one) =>
			['key', 'old', 'new'].map((name) => at(one, name) ?? null).map((v) => Array.isArray(v) ? v.map(plain).join(', ') : plain(v)))
			.map(([key, old, now]) => `${key}: ${now}, it was ${old}`);
		return rows([
			['Reasons', someOf(reasonsOf(receipt))], ['Message', isGiven(receipt) && receipt.get('user_message') !== null ? receipt.get('user_message') : undefined],
			['Risk', at(receipt, 'risk', 'risk_level')], ['Needed at that risk', at(receipt, 'thresholds') instanceof Map ? neededOf(receipt) : undefined],
			['How sure a judge is that a used passage answers', at(receipt, 'signals', 'answer_confidence') === null ? element('span', 'not judged') : at(receipt, 'signals', 'answer_confidence')],
			['Greatest ' + SIMILARITY.toLowerCase(), at(receipt, 'signals', 'retrieval_confidence_max')],
			['Left out for newer ones', someOf(list(receipt.get('superseded')).map((one) => `${plain(at(one, 'chunk_id') ?? null)}, for ${plain(at(one, 'by') ?? null)}`))],
			['Left out as too old', someOf(receipt.get('stale'))],
			['The request changed', someOf(changed)],
			['Still to be judged', list(receipt.get('to_judge')).length === 0 ? undefined :
				list(receipt.get('to_judge')).map((one) => `${plain(at(one, 'kind') ?? null)}: ${list(at(one, 'chunk_ids')).map(plain).join(', ')}`)],
			['Degraded', receipt.get('degraded') === true ? element('span', 'yes: a judge failed, and what it did not judge is not judged') : undefined],
		]);
	}

	async function decisionSections(receipt, sentences) {
		const said = saidOf(receipt);
		const proposed = receipt.get('proposed');
		const made = [];
		if (proposed instanceof Map && !isGiven(receipt))
			made.push(section('proposed', 'The answer that was proposed, and is not given', rows([
				['By', at(proposed, 'by')], ['Answer', at(proposed, 'answer')], ['Citing', at(proposed, 'citations')]])));
		if (sentences && sentences.length > 0)
			made.push(section('sentences', 'What each sentence is, and who judged it', ...cards(sentences, (one, n) => sentenceOf(receipt, one, n))));
		const quotes = await quotesOf(receipt, said);
		if (quotes.length > 0)
			made.push(section('quotes', 'Quotes', ...cards(quotes)));
		made.push(section('decided', 'Why it was decided so', decidedRows(receipt)));
		if (list(receipt.get('judges')).length > 0)
			made.push(section('judges', 'Judges', ...cards(list(receipt.get('judges')), (one) => judgeOf(receipt, one))));
		return made;
	}

	/*
	 * the answer, with what it cites as footnotes
	 */

	/* {id, title, text, stamp, uri, quotes} of a passage. */
	function noteOf(chunk, quotes) {
		return {title: string(at(chunk, 'title')) || string(at(chunk, 'chunk_id'), at(chunk, 'uri')) || 'a passage', text: string(at(chunk, 'text')),
			stamp: at(chunk, 'timestamp'), uri: string(at(chunk, 'uri')), name: string(at(chunk, 'chunk_id')), quotes};
	}

	function decisionNotes(receipt) {
		const chunks = list(at(receipt, 'retrieval', 'chunks'));
		const quotes = [...list(at(receipt, 'validation', 'spans')), ...list(receipt.get('quotes'))];
		return list(receipt.get('citations')).slice(0, MOST_NOTES).map((id) => {
			const chunk = chunks.find((one) => at(one, 'chunk_id') === id);
			return noteOf(chunk === undefined ? new Map([['chunk_id', plain(id)]]) : chunk,
				quotes.filter((one) => at(one, 'chunk_id') === id).map((one) => at(one, 'text')).filter((text) => typeof text === 'string'));
		});
	}

	/* What a plan's steps found under an address: the first that has a text. */
	function foundIn(receipt, uri) {
		const hits = list(receipt.get('trace')).flatMap((entry) => [...list(at(entry, 'outputs', 'hits')), ...list(at(entry, 'inputs', 'sources'))]);
		return hits.find((hit) => at(hit, 'uri') === uri && string(at(hit, 'snippet'), at(hit, 'text')) !== undefined);
	}

	function planNotes(receipt) {
		return list(at(receipt, 'response', 'citations')).slice(0, MOST_NOTES).map((one) => {
			const hit = foundIn(receipt, at(one, 'uri'));
			return {title: string(at(one, 'title')) || string(at(one, 'uri'), at(one, 'id')) || 'a source', text: string(at(hit, 'snippet'), at(hit, 'text')),
				stamp: at(one, 'stamp'), uri: string(at(one, 'uri')), quotes: []};
		});
	}

	function notesOf(receipt) {
		return receipt.get('schema') === 'decision/v1' ? decisionNotes(receipt) : receipt.get('schema') === 'plan/v1' ? planNotes(receipt) : [];
	}

	/* The name by which an answer's markers call what it cites. */
	function citedNames(receipt) {
		const cited = receipt.get('schema') === 'decision/v1' ? list(receipt.get('citations')) : list(at(receipt, 'response', 'citations'));
		return cited.slice(0, MOST_NOTES).map((one, i) => typeof one === 'string' ? one : `${i + 1}`);
	}

	/* A text in which what is quoted, or else said in the same words, is marked. */
	function quotedText(text, quotes) {
		const cut = text.slice(0, MOST_CHARACTERS);
		const found = quotes.map((quote) => [cut.indexOf(quote), quote.length]).filter(([at, length]) => at >= 0 && length > 0)
			.sort((x, y) => x[0] - y[0]);
		const made = classed('p', 'saying');
		let end = 0;
		for (const [begin, length] of found) {
			if (begin < end)
				continue;
			made.append(shown(cut.slice(end, begin)), element('mark', shown(cut.slice(begin, begin + length))));
			end = begin + length;
		}
		made.append(shown(text.slice(end)));
		return made;
	}

	/* The words before each marker of a note: what is said to stand there. */
	function saidBefore(pieces, numbers) {
		const said = new Map();
		pieces.forEach((piece, i) => {
			if (i % 2 === 1 && i > 0) {
				const sentences = pieces[i - 1].trim().split(/(?<=[.!?])\s+/u);
				const n = numbers.get(piece);
				said.set(n, [...(said.get(n) || []), pieces[i - 1].trim(), sentences[sentences.length - 1]].filter((text) => text.length > 3));
			}
		});
		return said;
	}

	function opener(n) {
		const link = element('a', `${n + 1}`);
		link.href = `#note-${n + 1}`;
		link.addEventListener('click', () => { document.getElementById(`note-${n + 1}`).closest('details').open = true; });
		return link;
	}

	function noteElement(note, n, said) {
		const title = element('summary', classed('span', 'number', `${n + 1}`), shown(note.title));
		if (typeof note.stamp === 'string')
			title.append(classed('span', 'quiet', ', ', shown(dated(note.stamp))));
		const place = element('div', note.text === undefined ? classed('p', 'quiet', 'Its text is not in this file.') : quotedText(note.text, [...note.quotes, ...said]));
		place.id = `note-${n + 1}`;
		if (note.uri !== undefined)
			place.append(classed('p', 'quiet', 'At ', shown(note.uri)));
		return element('li', element('details', title, place));
	}

	/* The answer with links for its markers, and its footnotes. */
	function answerWithNotes(receipt, saying) {
		const notes = notesOf(receipt);
		const {numbers, pattern} = markersOf(citedNames(receipt));
		const pieces = notes.length > 0 && saying.length <= MOST_CHARACTERS ? saying.split(pattern) : [saying];
		const text = classed('p', 'saying');
		pieces.forEach((piece, i) => text.append(i % 2 === 0 ? shown(i + 1 < pieces.length ? piece.trimEnd() : piece) :
			element('sup', opener(numbers.get(piece)))));
		const said = saidBefore(pieces, numbers);
		const made = [text];
		if (notes.length > 0) {
			const listed = classed('ol', 'notes');
			notes.forEach((note, n) => listed.append(noteElement(note, n, said.get(n) || [])));
			made.push(listed);
		}
		return made;
	}

	/* An answer that is made of checks: a line for each, with the evidence as its footnotes. */
	function checksSaid(receipt) {
		const made = classed('ul', 'said');
		const checks = list(receipt.get('checks'));
		for (const check of checks.slice(0, MOST_SHOWN)) {
			const observed = at(check, 'observed');
			const fact = at(receipt, 'evidence_index') instanceof Map ? receipt.get('evidence_index').get(list(at(check, 'evidence'))[0]) : undefined;
			const args = at(check, 'args') instanceof Map && at(check, 'args').size > 0 ? [...at(check, 'args')].slice(0, 8).map(([, v]) => plain(v)).join(', ') : '';
			const line = element('li', verdictChip(plain(at(check, 'verdict') ?? null)), ' ', shown(plain(at(check, 'tool') ?? null) + (args === '' ? '' : ` (${args})`)));
			if (observed !== undefined)
				line.append(element('strong', ' is ', shown(plain(observed) + (typeof at(fact, 'unit') === 'string' ? ' ' + at(fact, 'unit') : ''))));
			const wanted = list(at(check, 'expect')).filter((one) => at(one, 'op') !== undefined).map(expectationOf);
			if (wanted.length > 0)
				line.append(classed('span', 'quiet', ', expected: ', shown(wanted.join('; '))));
			if (string(at(fact, 'provenance', 'source')) !== undefined)
				line.append(classed('span', 'quiet', '. Source: ', shown(at(fact, 'provenance', 'source')),
					...(typeof at(fact, 'timestamp') === 'string' ? [', ', shown(dated(at(fact, 'timestamp')))] : [])));
			made.append(line);
		}
		return checks.length === 0 ? [] : [withRest(made, checks.length)];
	}

	/* Has a judge a part in the evidence of a plan? */
	function isJudgedPlan(receipt) {
		return list(receipt.get('trace')).some((entry) => list(at(entry, 'outputs', 'evidence', 'judges')).length > 0);
	}

	/* Was what is answered judged, all of it?  Never more than that is shown. */
	function isJudgedWhole(receipt, sentences) {
		const isSaid = (one) => ['supported', 'quoted', 'no_claim'].includes(one.status);
		if (receipt.get('schema') === 'decision/v1')
			return receipt.get('decision') === 'ANSWER' && isJudgedDecision(receipt) && list(receipt.get('judgements')).length > 0 &&
				!list(receipt.get('reasons')).includes('not_judged') && (sentences || []).every(isSaid);
		return receipt.get('schema') === 'plan/v1' && receipt.get('verdict') === 'answered' && list(receipt.get('caveats')).length === 0 && isJudgedPlan(receipt);
	}

	/* The verdict with its numbers, in a line. */
	function verdictLine(receipt, sentences) {
		const verdict = verdictOf(receipt);
		const made = classed('p', 'verdict', receipt.get('schema') === 'change/v1' ? 'What was done: ' : 'Verdict: ');
		if (verdict === undefined)
			return [];
		made.append(verdictChip(verdict, isJudgedWhole(receipt, sentences)));
		const confidence = at(receipt, 'confidence'), ofEvidence = at(receipt, 'response', 'evidence', 'confidence');
		if (confidence instanceof Num)
			made.append(' Confidence ', shown(confidence.text), '.');
		else if (ofEvidence instanceof Num)
			made.append(' Confidence of its evidence ', shown(ofEvidence.text), isJudgedPlan(receipt) ? '.' : ', which nobody has judged.');
		const words = [...list(receipt.get('reasons')), at(receipt, 'reason', 'message'), at(receipt, 'reason', 'kind')]
			.filter((word) => typeof word === 'string' && word !== sayingOf(receipt)).slice(0, 5).map((word) => word.replaceAll('_', ' '));
		if (words.length > 0)
			made.append(' Why: ', shown(words.join(', ')), '.');
		return [made];
	}

	const RUN_NUMBERS = [['Cases passed', 'overall_pass_rate'], ['Answered, and should not', 'false_accept_rate'],
		['Refused, and should not', 'false_refuse_rate'], ['Contradicted', 'contradicted_rate'], ['Nobody judged', 'unjudged_rate']];

	/* A share in hundredths. */
	function shareOf(value) {
		return value instanceof Num ? `${Math.round(Number(value.text) * 1000) / 10} %` : undefined;
	}

	function answerSection(receipt, sentences) {
		const saying = sayingOf(receipt);
		const caveats = caveatsOf(receipt);
		const content = [...(saying === undefined ? [] : answerWithNotes(receipt, saying)), ...checksSaid(receipt)];
		if (receipt.get('schema') === 'run/v1')
			content.push(rows(RUN_NUMBERS.map(([label, name]) => [label, shareOf(at(receipt, 'summary', 'metrics', name, 'rate'))])));
		content.push(...verdictLine(receipt, sentences));
		if (isJudgedDecision(receipt) && isGiven(receipt))
			content.push(judgedLine(receipt));
		if (caveats !== undefined)
			content.push(classed('p', 'quiet', 'To be read with it:'), nested(caveats, 0));
		return content;
	}

	/*
	 * the page
	 */

	function section(id, title, ...content) {
		const made = element('section', element('h2', title), ...content);
		made.setAttribute('aria-labelledby', id + '-title');
		made.firstChild.id = id + '-title';
		return made;
	}

	/* What things are made into is made of those alone that are shown. */
	function cards(things, made = (thing) => thing) {
		return things.slice(0, MOST_SHOWN).map(made).map((thing) => {
			const title = element('h3', shown(thing.title));
			if (thing.verdict !== undefined)
				title.append(' ', verdictChip(thing.verdict));
			const more = (thing.more || []).filter(([, value]) => value !== undefined);
			return element('article', title, rows(thing.pairs), ...(more.length > 0 ? [folded('More', rows(more))] : []));
		}).concat(things.length <= MOST_SHOWN ? [] :
			[classed('p', 'quiet', `and ${things.length - MOST_SHOWN} more, in the text of the document`)]);
	}

	function folded(title, ...content) {
		return element('details', element('summary', title), ...content);
	}

	const NAMES = {signature: 'Signature', receipt_id: 'Content', anchor: 'Time-stamp', closure: 'Parts', replay: 'Verdict', inclusion: 'Log'};

	const CLOSED = {
		'answer/v1': 'All evidence that is cited is inside, unchanged, and as sure as its signals say.',
		'decision/v1': 'The answer is the one that was decided. Each passage is inside and unchanged, each quote stands in its passage, and settings and judges are the ones that are named.',
		'plan/v1': 'The steps are one chain, from the first to the last; none is missing and none was put in.',
		'quality/v1': 'Each observation is the one that its digest names.', 'packet/v1': 'The packet has the form of packets, and holds nothing but evidence.',
		'run/v1': 'The cases are those of the suite, each once, and settings, scores and summary are the ones that their digests name.',
		'change/v1': 'What was before and what is after go together.', 'retention/v1': 'The numbers of the receipts go with the log.',
	};

	/* What a step shows where it holds, in sentences. */
	function shownBy(name, step, report) {
		const schema = report.document.get('schema');
		return name === 'receipt_id' ? ['The id follows from the content: not a character of it is another.'] :
			name === 'signature' ? [`The holder of the key signed exactly this content${step.life ? ', while the key was in use' : '; the keys say nothing of when the key was in use'}.`] :
			name === 'closure' ? [CLOSED[schema]] :
			name === 'inclusion' ? [`It is entry ${step.leaf} of ${step.size} in the log `, shown(step.origin), ', which the issuer cannot change afterwards.'] :
			name === 'replay' ? [step.done ? step.done.map((text) => text[0].toUpperCase() + text.slice(1) + '.').join(' ') :
				schema === 'answer/v1' ? 'Every verdict, confidence and observation was computed again from the evidence, with the same result.' : 'The numbers were counted again, with the same result.'] :
			['It is over exactly this document.'];
	}

	/* What this page leaves open, in one line; undefined if nothing. */
	function leftOpen(report) {
		const {anchor, replay, inclusion} = report.steps;
		const open = [];
		if (anchor && anchor.ok === null)
			open.push('the time-stamp');
		if (replay && replay.ok === null && !replay.incomplete)
			open.push(replay.reason);
		if (!report.kind && report.document !== null && report.document.get('schema') !== 'answer/tombstone/v1')
			open.push('what is in it, for this page does not know the kind');
		const told = (replay && replay.incomplete ? `Incomplete: ${replay.incomplete}, by which nothing is decided again. ` : '') +
			(open.length === 0 ? '' : `Not checked here: ${open.join(' and ')}; answer-verify does that. `);
		return told + (inclusion && inclusion.ok === null ? 'This file brings no proof that the document is in the log: it was not yet, or whoever made the file was not given one.' : '');
	}

	function stepItem(className, words, name, ...content) {
		return element('li', mark(className, words), element('span', element('strong', name + ': '), ...content));
	}

	/* What is found where the content is not the one that was signed. */
	const CHANGED = {
		'the signature does not match the content': 'it was made for another content',
		'receipt_id does not follow from the content': 'the id is that of another content',
	};

	/* What is wrong alone, where something is: beside it the rest counts for nothing. */
	function showSteps(report) {
		const place = document.getElementById('steps');
		for (const name of ['signature', 'receipt_id', 'closure', 'replay', 'anchor', 'inclusion']) {
			const step = report.steps[name];
			if (!step || step.state === 'absent' || (step.ok === null && !(isGood && step.done && step.done.length > 0)))
				continue;
			if (step.ok === false)
				place.append(stepItem('bad', '\u2717', NAMES[name], shown(Object.hasOwn(CHANGED, step.reason) ? CHANGED[step.reason] : step.reason)));
			else if (isGood)
				place.append(stepItem('ok', '\u2713', NAMES[name], ...shownBy(name, step, report)));
		}
		document.getElementById('left').replaceChildren(isGood ? leftOpen(report) : '');
	}

	/*
	 * what was changed
	 */

	const PARTS = {
		answer: 'the answer', response: 'the answer', user_message: 'the answer', question: 'the question', query: 'the question', citations: 'the citations',
		quotes: 'a quote', verdict: 'the verdict', decision: 'the verdict', outcome: 'the verdict', reasons: 'why it was decided so', reason: 'why it was decided so',
		confidence: 'a number of the verdict', signals: 'a number of the verdict', thresholds: 'a number of the verdict', explain: 'a number of the verdict',
		retrieval_quality: 'a number of the verdict', budget_used: 'a number of the verdict', summary: 'a number of the verdict', degraded: 'the verdict',
		judgements: 'what a judge said', judges: 'who judged, or how good he was measured to be', validation: 'what a sentence is told to be', evidence_index: 'the evidence',
		retrieval: 'a passage', proposed: 'the answer that was proposed', issuer: 'the issuer', tenant: 'the tenant', issued_at: 'when it was issued',
		evaluated_at: 'when it was judged', config: 'the settings', rules: 'the rules', signature: 'the signature', receipt_id: 'the id', anchor: 'the time-stamp',
	};
	const ONE_OF = {trace: 'event # of the trace', checks: 'check #', cases: 'case #', entries: 'entry #', judgements: 'what a judge said'};

	/* The beginning of a digest, as the maker of this file put it beside the document. */
	async function hintOf(value) {
		return (await sha256Text(canonical(value))).slice(0, 8);
	}

	/*
	 * The parts that are not as when this file was made, in words.  This only helps to find the place: whoever changes a file can
	 * change these digests, too, and that something was changed rests on the signature.
	 */
	async function changedParts(document, hints) {
		const found = [];
		for (const name of new Set([...document.keys(), ...hints.keys()])) {
			const value = document.get(name);
			const hint = hints.get(name);
			const word = Object.hasOwn(PARTS, name) ? PARTS[name] : `the part \u201c${name}\u201d`;
			if (value === undefined || hint === undefined)
				found.push(word);
			else if (!Array.isArray(hint) || !Array.isArray(value) || !Object.hasOwn(ONE_OF, name) || hint.length !== value.length)
				found.push(...(canonical(hint) === canonical(Array.isArray(hint) ? await Promise.all(list(value).map(hintOf)) : await hintOf(value)) ? [] : [word]));
			else {
				for (const [i, one] of value.entries()) {
					if (hint[i] !== await hintOf(one))
						found.push(ONE_OF[name].replace('#', `${i + 1}`));
				}
			}
		}
		return [...new Set(found)];
	}

	function listed(words) {
		const some = words.length > 4 ? [...words.slice(0, 3), `${words.length - 3} other parts`] : words;
		return some.length < 2 ? some.join('') : some.slice(0, -1).join(', ') + ' and ' + some[some.length - 1];
	}

	/* What is wrong, in a sentence: the worst first. */
	async function whatIsWrong(report, hints) {
		const {signature, receipt_id: id, closure, replay, inclusion} = report.steps;
		const parts = report.document === null ? [] : await changedParts(report.document, hints);
		if (report.document === null)
			return ['Changed after signing: what is left is no document that can be read'];
		const part = [closure, replay].filter((step) => step && step.ok === false).map((step) => step.part).find((word) => word !== undefined);
		if ([signature, id].some((step) => step && step.ok === false && Object.hasOwn(CHANGED, step.reason)) || (signature.ok === false && parts.length > 0))
			return ['Changed after signing: ', shown(parts.length > 0 ? listed(parts) : part || 'which part, this file does not tell')];
		if (signature.ok === false)
			return ['Nobody can tell who signed this: ', shown(signature.reason)];
		const inside = [id, closure, replay].find((step) => step && step.ok === false);
		if (inside)
			return ['It was signed like this, but it contradicts itself: ', shown(part || inside.reason)];
		return inclusion && inclusion.ok === false ? ['It was signed like this, but its proof that it is in the log does not hold: ', shown(inclusion.reason)] :
			['Its time-stamp is of something else'];
	}

	async function showResult(report, hints) {
		const place = document.getElementById('result');
		document.body.classList.add(report.ok === true ? 'is-ok' : 'is-bad');
		if (report.ok === true) {
			place.replaceChildren('\u2713 This is exactly what was signed, with the key below.', ' ',
				classed('span', 'why', `Verified just now by ${await verifiedBy()}, from this file alone.`));
			return;
		}
		place.replaceChildren('\u2717 ', ...await whatIsWrong(report, hints), '. ', classed('span', 'why', 'Do not rely on anything in this file.'));
		document.querySelector('main').prepend(document.getElementById('verified'));
		document.getElementById('verification-title').replaceChildren('What your browser found');
		document.getElementById('answer-title').replaceChildren('What this file says now');
	}

	async function showReceipt(receipt, sentences) {
		const place = document.getElementById('content');
		const schema = receipt.get('schema');
		const issued = receipt.get('issued_at');
		const question = questionOf(receipt);
		const title = typeof schema === 'string' && Object.hasOwn(TITLES, schema) ? TITLES[schema] : 'Signed document';

		document.getElementById('title').replaceChildren(question === undefined ? title : shown(question));
		document.getElementById('kind').replaceChildren(...(question === undefined ? [] : [title, ', ']),
			...(typeof issued === 'string' ? [shown(dated(issued)), ', '] : []), 'by ', shown(plain(receipt.get('issuer') ?? null)));
		if (!['answer/v1', 'decision/v1', 'plan/v1'].includes(schema))
			document.getElementById('answer-title').replaceChildren('What it says');
		document.getElementById('answer').append(...answerSection(receipt, sentences));
		if (isJudgedDecision(receipt))
			place.append(...await decisionSections(receipt, sentences));
		const checks = checksOf(receipt);
		const evidence = evidenceOf(receipt);
		if (checks.length > 0)
			place.append(section('checks', receipt.has('trace') ? 'Steps' : 'Checks and findings', ...cards(checks)));
		if (evidence.length > 0)
			place.append(section('evidence', 'Evidence', ...cards(evidence)));
		place.append(section('about', 'About this document', rows([
			['Id', receipt.get('receipt_id')], ['Kind', schema], ['Issuer', receipt.get('issuer')],
			['Tenant', receipt.has('tenant') ? receipt.get('tenant') : element('span', 'none: the issuer itself')],
			['Issued', stampOf(issued)], ['That is', ageNow(issued)], ['Judged', stampOf(receipt.get('evaluated_at'))],
			['Forgotten', stampOf(receipt.get('forgotten_at'))], ['Reason', receipt.get('reason') === null ? undefined : receipt.get('reason')],
			['Confidence', receipt.get('confidence')], ['Degraded', receipt.get('degraded')],
			['Rests on', at(receipt, 'response', 'evidence', 'origin')], ['Caveats', caveatsOf(receipt)],
			['Disclaimer', receipt.get('disclaimer')]])));
		const all = folded('All members of the document', nested(receipt, 0));
		all.open = checks.length + evidence.length === 0;
		place.append(section('members', 'Everything in it', all));
	}

	function showKey(report, keys) {
		const place = document.getElementById('key');
		const keyId = at(report.document, 'signature', 'key_id');
		const step = report.steps.signature;
		const entry = Array.isArray(keys) ? keys.find((k) => at(k, 'key_id') === keyId) : undefined;
		const stamp = (name) => stampOf(at(entry, name));

		place.append(rows([
			['Key', typeof keyId === 'string' ? keyId : undefined],
			['Fingerprint (SHA-256)', step && step.fingerprint ? classed('code', 'digest', step.fingerprint.replace(/.{8}(?=.)/g, '$& ')) : undefined],
			['Status', at(entry, 'status')], ['In use from', stamp('active_from')], ['Retired', stamp('retired_at')],
			['Compromised after', stamp('compromised_after')]]));
	}

	function json(id) {
		const text = document.getElementById(id).textContent;
		return text === '' ? null : parse(text);
	}

	async function main() {
		const text = document.getElementById('document').textContent;
		const terms = json('terms');
		const keys = json('keys');
		const kinds = Object.fromEntries([...terms.get('kinds')].map(([schema, kind]) =>
			[schema, {prefix: kind.get('prefix'), cached: kind.get('cached')}]));

		answerReceipt.kinds = kinds;
		document.getElementById('result').replaceChildren('Verifying \u2026');
		const report = await verify(text, keys, kinds,
			{proof: json('inclusion'), vkeys: terms.get('vkeys'), absent: terms.get('absent')});
		isGood = report.ok === true;
		if (report.document !== null) {
			await showReceipt(report.document, report.sentences);
			showKey(report, keys);
		}
		showSteps(report);
		const parts = terms.get('parts');
		await showResult(report, parts instanceof Map ? parts : new Map());
		answerReceipt.report = report;
	}

	main().catch((e) => {
		// whatever of the document is there already was not verified
		document.body.classList.add('is-bad');
		document.querySelector('main').prepend(document.getElementById('verified'));
		document.getElementById('result').replaceChildren('\u2013 Not verified: the script of this page failed (' + e.name +
			'). Use answer-verify, as told below.');
	});
})();
