/*
 * The other half: what was read for verifying is shown.  A value reaches the page
 * as the text of a node, in an element that keeps its direction of writing to
 * itself; what steers or does not show is shown as what it is, in words.
 */
(() => {
	const {Num, parse, canonical, instant, verify, isJudgedDecision, panelOf, saidOf, pairDigest, passageOf} = answerReceipt;
	const MOST_SHOWN = 200;			/* of the members of one container; the text below has all */
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

	const WORDS = {true: ['ok', '\u2713 ok'], false: ['bad', '\u2717 not ok'], null: ['open', '\u2013 not judged']};

	function mark(ok) {
		const [className, words] = WORDS[ok];
		return classed('span', 'mark ' + className, words);
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

	const GOOD = ['supported', 'answered', 'ANSWER', 'success', 'SufficientEvidence', 'Complete', 'pass'];
	const BAD = ['contradicted', 'misquoted', 'unsupported', 'BLOCK', 'blocked', 'failed', 'fail'];

	function verdictChip(word) {
		const className = GOOD.includes(word) ? 'good' : BAD.includes(word) ? 'bad' : 'open';
		return classed('span', 'mark ' + className, shown(word));
	}

	function verdictOf(receipt) {
		return receipt.get('schema') === 'answer/tombstone/v1' ? 'forgotten' :
			string(receipt.get('verdict'), receipt.get('decision'), receipt.get('outcome'), at(receipt, 'packet', 'status'),
				receipt.get('action'));
	}

	function questionOf(receipt) {
		return string(receipt.get('question'), receipt.get('query'), at(receipt, 'investigation', 'question'),
			at(receipt, 'packet', 'meta', 'question'), receipt.get('plan_id'), receipt.get('name'), receipt.get('partition'));
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
				['Source', at(fact, 'provenance', 'source')], ['Address', at(fact, 'provenance', 'source_url')],
				['Licence', at(fact, 'provenance', 'licence')],
				['Measured at', stamp], ['Age when it was judged', ageThen(stamp, then)], ['Age now', ageNow(stamp)],
				['Expires', at(fact, 'expires') === null ? undefined : at(fact, 'expires')],
				['Confidence', at(fact, 'verification', 'confidence')], ['Basis', at(fact, 'verification', 'basis')],
				['Compared at the path', at(fact, 'verification', 'path')],
				['Signals', at(fact, 'verification', 'signals')], ['Note', at(fact, 'verification', 'note')],
				['Quality', at(fact, 'quality')], ['Digest', digest],
			],
		};
	}

	/* An object whose members are shown as they are named, with the age of its instant, if it has one. */
	function thingOf(value, then, titles, stamps) {
		const stamp = string(...stamps.map((name) => at(value, name)));
		const title = string(...titles.map((name) => at(value, name)));
		const pairs = value instanceof Map ? [...value].slice(0, MOST_SHOWN).map(([name, v]) => [shown(name), v]) : [['Value', value]];
		return {
			title: title === undefined ? 'without a name' : title,
			pairs: pairs.concat([['Age when it was judged', ageThen(stamp, then)], ['Age now', ageNow(stamp)]]),
		};
	}

	/* A passage that was retrieved; what its similarity is worth stands beside it. */
	function chunkOf(value, then) {
		const made = thingOf(value, then, ['title', 'chunk_id', 'doc_id'], ['timestamp']);
		const similarity = at(value, 'similarity');
		if (similarity !== undefined)
			made.pairs = made.pairs.filter(([label]) => label.textContent !== 'similarity').concat([[SIMILARITY, similarity]]);
		return made;
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

	function expectationOf(expectation) {
		const word = (name) => at(expectation, name) === undefined ? '' : ' ' + plain(at(expectation, name));
		return (at(expectation, 'path') === undefined ? 'value' : plain(at(expectation, 'path'))) + word('op') + word('value') +
			(at(expectation, 'tol') === undefined ? '' : ' within' + word('tol'));
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
				['Observed', at(check, 'observed')], ['Confidence', at(check, 'confidence')],
				['Required', at(check, 'required')], ['Why', at(check, 'explain', 'summary')],
				['Message', at(check, 'explain', 'message')], ['Evidence', at(check, 'evidence')],
			],
		};
	}

	function eventOf(entry) {
		const event = at(entry, 'event');
		return {
			title: [string(at(event, 'step')), string(at(event, 'op'))].filter((s) => s !== undefined).join(' \u2014 ') || 'event',
			verdict: string(at(event, 'outcome')),
			pairs: [['Reason', at(event, 'reason')], ['Began', at(event, 'started_at')], ['Cost in USD', at(event, 'cost_usd')]],
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
			title: `Sentence ${n + 1}`, verdict: plain(status ?? null).replace('_', ' '),
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
				pairs: [['Words', at(quote, 'text')], ['Does it answer?', judgedBy(receipt, 'answers', said.get(pair) || [])], ['From', at(chunk, 'timestamp')]],
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
			['Not all of it is judged. What is, was judged by ', shown(names()), '; below stands of each part what it is, and who says so.'] :
			['Judged by ', shown(names()), '; below stands of each part what it is, and who says so.']));
	}

	function neededOf(receipt) {
		const needed = (name) => plain(at(receipt, 'thresholds', name) ?? null);
		return [`a similarity, or a judge's score, of ${needed('conf_max')}; no similarity below ${needed('floor')}`,
			`${needed('min_chunks')} passages`, `at most ${needed('freshness_days')} days old`];
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
			return element('article', title, rows(thing.pairs));
		}).concat(things.length <= MOST_SHOWN ? [] :
			[classed('p', 'quiet', `and ${things.length - MOST_SHOWN} more, in the text of the document`)]);
	}

	function folded(title, ...content) {
		return element('details', element('summary', title), ...content);
	}

	const NAMES = {
		signature: ['Signature', 'the holder of the key signed exactly this content, in the life of the key'],
		receipt_id: ['Name', 'the id follows from the content'],
		anchor: ['Time-stamp', 'a time-stamp is over exactly this document'],
		closure: ['Closure', 'the parts belong together: all evidence that is cited is inside, unchanged'],
		replay: ['Replay', 'what was decided, and the status of each sentence, comes out again from the evidence by the rules'],
		inclusion: ['Log', 'the document is in a log that the issuer cannot change afterwards'],
	};

	/* What a step shows stands there as so only where it is; else what was found comes first. */
	function meaning(holds, sentence, words) {
		const found = words.filter((word) => word !== undefined);
		const said = element('td');
		[...(holds ? [sentence] : []), ...found].forEach((word, n) => said.append(...(n > 0 ? [element('br')] : []), shown(word)));
		if (!holds && sentence)
			said.append(classed('span', 'why quiet', 'If it were ok: ', sentence));
		return said;
	}

	function stepRow(name, step) {
		const words = [step.reason];
		if (name === 'signature' && step.ok && !step.life)
			words.push('the keys say nothing of the life of the key');
		if (name === 'inclusion' && step.ok)
			words.push(`leaf ${step.leaf} of a tree of ${step.size} in the log `, step.origin);
		const said = step.state === 'absent' ? meaning(false, null, words) : meaning(step.ok === true, NAMES[name][1], words);
		const head = element('th', NAMES[name][0]);
		head.scope = 'row';
		return element('tr', head, element('td', step.state === 'absent' ? classed('span', 'quiet', 'none') : mark(step.ok)), said);
	}

	function showSteps(report) {
		const body = document.getElementById('steps');
		const first = element('th', 'Text');
		first.scope = 'row';
		const read = meaning(report.document !== null, 'it is one JSON object, and no member stands twice in an object', []);
		if (report.digest)
			read.append(element('br'), 'SHA-256 of its canonical form: ', classed('code', 'digest', report.digest));
		body.append(element('tr', first, element('td', mark(report.document !== null)), read));
		for (const name of ['receipt_id', 'signature', 'closure', 'anchor', 'inclusion', 'replay']) {
			if (report.steps[name])
				body.append(stepRow(name, report.steps[name]));
		}
		document.getElementById('steps-table').hidden = false;
	}

	function showResult(report, lack) {
		const place = document.getElementById('result');
		const failed = Object.values(report.steps).find((step) => step.ok === false);
		document.body.classList.add(report.ok === true ? 'is-ok' : report.ok === false ? 'is-bad' : 'is-open');
		place.replaceChildren(report.ok === true ?
			'\u2713 This is exactly what was signed, with the key below.' : report.ok === false ?
			'\u2717 This document does not verify. Do not rely on it.' :
			'\u2013 Not verified: ' + (lack || 'the signature could not be judged') + '. Use answer-verify, as told below.');
		const open = Object.entries(report.steps).filter(([, step]) => step.ok === null).map(([name]) => NAMES[name][0]);
		if (report.ok === true && open.length > 0)
			place.append(' ', classed('span', 'why', 'This page leaves to answer-verify or cannot judge: ' + open.join(', ') + '.'));
		if (failed && failed.reason)
			place.append(' ', classed('span', 'why', 'Why: ', shown(failed.reason), '.'));
	}

	async function showReceipt(receipt, sentences) {
		const place = document.getElementById('content');
		const schema = receipt.get('schema');
		const issued = receipt.get('issued_at');
		const verdict = verdictOf(receipt);
		const question = questionOf(receipt);
		const saying = sayingOf(receipt);
		const title = typeof schema === 'string' && Object.hasOwn(TITLES, schema) ? TITLES[schema] : 'Signed document';
		const heading = document.getElementById('title');

		heading.replaceChildren(title);
		if (verdict !== undefined)
			heading.append(' ', verdictChip(verdict));
		if (question !== undefined)
			document.getElementById('question').replaceChildren(shown(question));
		const judged = isJudgedDecision(receipt);
		if (saying !== undefined)
			place.append(section('saying', 'What was said', classed('p', 'saying', shown(saying)), ...(judged && isGiven(receipt) ? [judgedLine(receipt)] : [])));
		if (judged)
			place.append(...await decisionSections(receipt, sentences));
		place.append(section('about', 'About this document', rows([
			['Id', receipt.get('receipt_id')], ['Kind', schema], ['Issuer', receipt.get('issuer')],
			['Tenant', receipt.has('tenant') ? receipt.get('tenant') : element('span', 'none: the issuer itself')],
			['Issued at', issued], ['That is', ageNow(issued)], ['Judged at', receipt.get('evaluated_at')],
			['Forgotten at', receipt.get('forgotten_at')], ['Reason', receipt.get('reason') === null ? undefined : receipt.get('reason')],
			['Confidence', receipt.get('confidence')], ['Degraded', receipt.get('degraded')],
			['Rests on', at(receipt, 'response', 'evidence', 'origin')], ['Caveats', caveatsOf(receipt)],
			['Disclaimer', receipt.get('disclaimer')]])));
		const checks = checksOf(receipt);
		const evidence = evidenceOf(receipt);
		if (checks.length > 0)
			place.append(section('checks', 'Checks and findings', ...cards(checks)));
		if (evidence.length > 0)
			place.append(section('evidence', 'Evidence', ...cards(evidence)));
		place.append(section('members', 'Everything in it', folded('All members of the document', nested(receipt, 0))));
	}

	function showKey(report, keys) {
		const place = document.getElementById('key');
		const keyId = at(report.document, 'signature', 'key_id');
		const step = report.steps.signature;
		const entry = Array.isArray(keys) ? keys.find((k) => at(k, 'key_id') === keyId) : undefined;

		place.append(rows([
			['Key', typeof keyId === 'string' ? keyId : undefined],
			['Fingerprint (SHA-256)', step && step.fingerprint ? classed('code', 'digest', step.fingerprint.replace(/.{8}(?=.)/g, '$& ')) : undefined],
			['Status', at(entry, 'status')], ['Active from', at(entry, 'active_from')], ['Retired at', at(entry, 'retired_at')],
			['Compromised after', at(entry, 'compromised_after')]]));
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
		if (report.document !== null) {
			await showReceipt(report.document, report.sentences);
			showKey(report, keys);
		}
		showSteps(report);
		showResult(report, await answerReceipt.lacking());
		answerReceipt.report = report;
	}

	main().catch((e) => {
		document.body.classList.add('is-open');
		document.getElementById('result').replaceChildren('\u2013 Not verified: the script of this page failed (' + e.name +
			'). Use answer-verify, as told below.');
	});
})();
