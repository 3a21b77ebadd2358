/*
 * The script of the page that answer_receipt_html() makes: it verifies the
 * document in the page, and then shows it.  What is checked of each kind of
 * document is in receipt_rules.js.
 *
 * A second reader of the rules, beside tools/answer-verify, with nothing but what
 * every browser has.  The document is read by a parser of our own, because
 * JSON.parse() takes the last of two members of one name and loses digits.  What is
 * shown is what was read for verifying, never anything else of the page.
 *
 * Values are null, true, false, a string, a Num, an Array or a Map.  Whatever a
 * document holds, the result is a report, and it reaches the page as text alone.
 * ASCII, for the page must read the same in every encoding.
 */
const answerReceipt = (() => {

	/*
	 * JSON in
	 */

	const MAX_DEPTH = 4096;			/* containers in containers, at most */
	const RECEIPT_MAX_DEPTH = 512;	/* of what may be in the log */

	class Refused extends Error {
		constructor(reason, more) {
			super(reason);
			this.more = more || {};
		}
	}

	/* A number, as it is spelt. */
	class Num {
		constructor(text) {
			this.text = text;
		}
	}

	const NOT_JSON = 'the document is no JSON object';
	const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
	const PLAIN = /[^"\\\u0000-\u001f]*/y;
	const SPACE = /[ \t\r\n]*/y;
	const WORDS = [['true', true], ['false', false], ['null', null]];
	const ESCAPES = {'"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t'};

	/* What a regular expression takes at a place; NULL if nothing. */
	function taken(text, at, pattern) {
		pattern.lastIndex = at;
		const match = pattern.exec(text);
		return match ? match[0] : null;
	}

	/* Is every surrogate one of a pair, and no character U+0000? */
	function isText(string) {
		return !/[\ud800-\udfff\0]/u.test(string);
	}

	class Reader {
		constructor(text) {
			this.text = text;
			this.at = 0;
		}

		space() {
			this.at += taken(this.text, this.at, SPACE).length;
		}

		/* The character that comes next, after blanks. */
		next() {
			this.space();
			return this.text[this.at];
		}

		take(character) {
			if (this.next() !== character)
				throw new Refused(NOT_JSON);
			this.at++;
		}

		string() {
			const parts = [];
			this.take('"');
			for (;;) {
				const plain = taken(this.text, this.at, PLAIN);
				parts.push(plain);
				this.at += plain.length;
				const end = this.text[this.at++];
				if (end === '"')
					break;
				if (end !== '\\')
					throw new Refused(NOT_JSON);
				parts.push(this.escape());
			}
			const string = parts.join('');
			if (!isText(string))
				throw new Refused(NOT_JSON);
			return string;
		}

		escape() {
			const letter = this.text[this.at++];
			if (letter !== 'u') {
				if (!Object.hasOwn(ESCAPES, letter))
					throw new Refused(NOT_JSON);
				return ESCAPES[letter];
			}
			const hex = this.text.slice(this.at, this.at + 4);
			if (!/^[0-9a-fA-F]{4}$/.test(hex))
				throw new Refused(NOT_JSON);
			this.at += 4;
			return String.fromCharCode(parseInt(hex, 16));
		}

		scalar() {
			if (this.next() === '"')
				return this.string();
			const number = taken(this.text, this.at, NUMBER);
			if (number) {
				this.at += number.length;
				return new Num(number);
			}
			for (const [word, value] of WORDS) {
				if (this.text.startsWith(word, this.at)) {
					this.at += word.length;
					return value;
				}
			}
			throw new Refused(NOT_JSON);
		}
	}

	/*
	 * Reads JSON text (RFC 8259) that has no member twice in one object.  Without
	 * recursion, for what a stranger nests is not for our stack to bear.
	 */
	function parse(text) {
		const reader = new Reader(text);
		const stack = [];
		let container = [];
		let key;
		const outer = container;

		for (;;) {
			const begin = reader.next();
			let opened = begin === '{' || begin === '[';
			const value = begin === '{' ? new Map() : begin === '[' ? [] : reader.scalar();

			if (container instanceof Map)
				container.set(key, value);
			else
				container.push(value);
			if (opened) {
				reader.at++;
				stack.push(container);
				container = value;
				if (stack.length > MAX_DEPTH)
					throw new Refused('the document is nested too deeply');
			}
			for (;;) {
				const close = container instanceof Map ? '}' : ']';

				if (stack.length === 0) {
					if (reader.next() !== undefined)
						throw new Refused(NOT_JSON);
					return outer[0];
				}
				if (reader.next() !== close)
					break;
				reader.at++;
				container = stack.pop();
				opened = false;
			}
			if (!opened)
				reader.take(',');
			if (container instanceof Map) {
				reader.space();
				key = reader.string();
				if (container.has(key))
					throw new Refused('the document has a member twice in one object');
				reader.take(':');
			}
		}
	}

	function isDeeper(value, levels) {
		let layer = [value];
		for (let i = 0; i < levels; i++)
			layer = layer.flatMap((v) => v instanceof Map ? [...v.values()] : Array.isArray(v) ? v : []);
		return layer.some((v) => v instanceof Map || Array.isArray(v));
	}

	/*
	 * canonical form: members by code point, compact, pure ASCII, numbers as spelt
	 */

	function quote(string) {
		return JSON.stringify(string).replace(/[\u007f-\uffff]/g,
			(c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
	}

	/* Code units in the order of the code points that they begin or belong to. */
	function unitRank(unit) {
		return unit < 0xd800 ? unit : unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
	}

	function byCodePoint(a, b) {
		const length = Math.min(a.length, b.length);
		for (let i = 0; i < length; i++) {
			const x = a.charCodeAt(i);
			const y = b.charCodeAt(i);
			if (x !== y)
				return unitRank(x) - unitRank(y);
		}
		return a.length - b.length;
	}

	/* Text that stands in the canonical form as it is. */
	class Literal {
		constructor(text) {
			this.text = text;
		}
	}

	/* Without recursion, as it was read. */
	function canonical(value) {
		const parts = [];
		const stack = [value];
		const literal = (text) => stack.push(new Literal(text));

		while (stack.length > 0) {
			const item = stack.pop();
			if (item instanceof Map) {
				parts.push('{');
				literal('}');
				[...item.keys()].sort(byCodePoint).reverse().forEach((key, i, all) => {
					stack.push(item.get(key));
					literal((i + 1 < all.length ? ',' : '') + quote(key) + ':');
				});
			} else if (Array.isArray(item)) {
				parts.push('[');
				literal(']');
				for (let i = item.length - 1; i >= 0; i--) {
					stack.push(item[i]);
					if (i > 0)
						literal(',');
				}
			} else
				parts.push(item instanceof Num || item instanceof Literal ? item.text :
					typeof item === 'string' ? quote(item) : String(item));
		}
		return parts.join('');
	}

	function without(object, ...names) {
		return new Map([...object].filter(([name]) => !names.includes(name)));
	}

	/*
	 * bytes
	 */

	const encoder = new TextEncoder();

	function joined(...pieces) {
		const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
		let at = 0;
		for (const piece of pieces) {
			bytes.set(piece, at);
			at += piece.length;
		}
		return bytes;
	}

	function hex(bytes) {
		return [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
	}

	function same(a, b) {
		return a.length === b.length && a.every((byte, i) => byte === b[i]);
	}

	function hasDigests() {
		return Boolean(globalThis.crypto && crypto.subtle);
	}

	async function sha256(bytes) {
		return hasDigests() ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)) : answerCrypto.sha256(bytes);
	}

	async function sha512(bytes) {
		return hasDigests() ? new Uint8Array(await crypto.subtle.digest('SHA-512', bytes)) : answerCrypto.sha512(bytes);
	}

	async function sha256Text(text) {
		return hex(await sha256(encoder.encode(text)));
	}

	const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
	const URL_SAFE = STANDARD.slice(0, 62) + '-_';

	/* The bytes of base64, padded or not; null unless it is spelt in the one way, and of at most that many bytes. */
	function base64(text, alphabet, limit) {
		if (typeof text !== 'string')
			return null;
		const bare = text.replace(/=+$/, '');
		if (text.length > Math.floor((limit + 2) / 3) * 4 || bare.length % 4 === 1 ||
			(bare !== text && (text.length % 4 !== 0 || text.length - bare.length > 2)))
			return null;
		const bytes = [];
		let bits = 0;
		let count = 0;
		for (const letter of bare) {
			const digit = alphabet.indexOf(letter);
			if (digit < 0)
				return null;
			bits = (bits << 6 | digit) & 0xfff;
			count += 6;
			if (count >= 8) {
				count -= 8;
				bytes.push(bits >> count & 0xff);
			}
		}
		/* bits that belong to no byte */
		return (bits & (1 << count) - 1) === 0 && bytes.length <= limit ? Uint8Array.from(bytes) : null;
	}

	function base64Url(text) {
		return base64(text, URL_SAFE, 64);
	}

	/* Standard base64, whose padding must be there. */
	function base64Standard(text, limit) {
		return typeof text === 'string' && text.length % 4 === 0 ? base64(text, STANDARD, limit) : null;
	}

	function digestBytes(text) {
		const match = typeof text === 'string' ? /^sha256:([0-9a-f]{64})$/.exec(text) : null;
		return match ? Uint8Array.from(match[1].match(/../g), (h) => parseInt(h, 16)) : null;
	}

	/*
	 * numbers and instants
	 */

	/* A number's plain decimal text without idle zeros, or null beyond the range of numbers. */
	function plainText(number) {
		const [, sign, digits, after, exponentSign, exponentDigits] =
			/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?$/.exec(number);
		const size = (exponentDigits || '').replace(/^0+/, '');
		if (size.length > 6)
			return null;
		const exponent = Number(size) * (exponentSign === '-' ? -1 : 1);
		let whole = digits;
		let frac = after || '';
		if (whole.length + exponent > 131072 || frac.length - exponent > 16383)
			return null;
		if (exponent >= 0) {
			frac = frac.padEnd(exponent, '0');
			whole += frac.slice(0, exponent);
			frac = frac.slice(exponent);
		} else {
			whole = whole.padStart(-exponent, '0');
			frac = whole.slice(whole.length + exponent) + frac;
			whole = whole.slice(0, whole.length + exponent);
		}
		whole = whole.replace(/^0+/, '');
		frac = frac.replace(/0+$/, '');
		return (whole || frac ? sign : '') + (whole || '0') + (frac ? '.' + frac : '');
	}

	const STAMP = new RegExp('^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})' +
		'(?:\\.([0-9]{1,6}))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$');

	/* Microseconds since 1970, as a BigInt, or null when it is no timestamp. */
	function instant(text) {
		const match = typeof text === 'string' && text.length <= 32 ? STAMP.exec(text) : null;
		if (!match)
			return null;
		const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
		const offset = [Number(match[9] || 0), Number(match[10] || 0)];
		if (hour > 23 || minute > 59 || second > 59 || offset[0] > 15 || offset[1] > 59 || year < 1)
			return null;
		const date = new Date(0);
		date.setUTCFullYear(year, month - 1, day);
		if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
			return null;
		const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second -
			(offset[0] * 60 + offset[1]) * (match[8] === '-' ? -60 : 60);
		return BigInt(seconds) * 1000000n + BigInt((match[7] || '').padEnd(6, '0'));
	}

	/*
	 * Ed25519
	 */

	const FIELD_PRIME = 2n ** 255n - 19n;
	const SMALL_ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
	const SMALL_ORDER = [0n, 1n, FIELD_PRIME - 1n, SMALL_ORDER_8, FIELD_PRIME - SMALL_ORDER_8];

	/* Can anybody sign under a public key, in whichever encoding of the point? */
	function hasSmallOrder(publicKey) {
		const y = BigInt('0x' + hex(Uint8Array.from(publicKey).reverse())) & (2n ** 255n - 1n);
		return SMALL_ORDER.includes(y % FIELD_PRIME);
	}

	/* By the browser. */
	async function nativeEd25519(publicKey, message, signature) {
		try {
			const key = await crypto.subtle.importKey('raw', publicKey, {name: 'Ed25519'}, false, ['verify']);
			return await crypto.subtle.verify({name: 'Ed25519'}, key, signature, message);
		} catch (e) {
			/* it has none, or this is no point of the curve */
			return false;
		}
	}

	function ownEd25519(publicKey, message, signature) {
		return answerCrypto.ed25519(publicKey, message, signature, sha512);
	}

	/* RFC 8032, 7.1, test 2. */
	const TRIAL = {
		key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
		signature: '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
			'085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
	};

	/* Does an implementation tell a good signature from a bad one? */
	async function works(implementation) {
		const bytes = (text) => Uint8Array.from(text.match(/../g), (h) => parseInt(h, 16));
		const key = bytes(TRIAL.key);
		const signature = bytes(TRIAL.signature);
		return await implementation(key, Uint8Array.of(0x72), signature) && !await implementation(key, Uint8Array.of(0x73), signature);
	}

	let chosen;

	/* The browser's Ed25519 where it has one that works; else our own. */
	async function implementation() {
		chosen = chosen || (await works(nativeEd25519) ? nativeEd25519 : ownEd25519);
		return chosen;
	}

	/* What verifies signatures here, for people. */
	async function verifiedBy() {
		return await implementation() === nativeEd25519 ? 'your browser' : 'the script of this page, for your browser has no Ed25519 of its own';
	}

	async function ed25519(publicKey, message, signature) {
		if (publicKey.length !== 32 || signature.length !== 64 || hasSmallOrder(publicKey))
			return false;
		return (await implementation())(publicKey, message, signature);
	}

	/*
	 * steps, as tools/answer-verify has them
	 */

	/* more: {part} that is wrong, in words */
	function need(truth, reason, more) {
		if (!truth)
			throw new Refused(reason, more);
	}

	function isAscii(text) {
		return typeof text === 'string' && !/[^\0-\x7f]/.test(text);
	}

	function member(object, name) {
		return object instanceof Map ? object.get(name) : undefined;
	}

	/* The document, its kind, and its canonical text member by member. */
	function signedOf(document, kinds) {
		const schema = document.get('schema');
		const kind = typeof schema === 'string' && Object.hasOwn(kinds, schema) ? kinds[schema] : null;
		/* the note of a cache came after the signature */
		const minted = kind && kind.cached && document.get('cached') === true ? without(document, 'cached') : document;
		return {document: minted, kind, text: (...names) => canonical(without(minted, ...names))};
	}

	function verifyAnchor(signed, digest) {
		if (!signed.document.has('anchor'))
			return {ok: true, state: 'absent', reason: 'the document has no time-stamp'};
		const anchor = signed.document.get('anchor');
		need(anchor instanceof Map, 'the anchor is no object');
		need([...anchor.keys()].every((key) => ['token', 'imprint', 'hash_alg', 'attached_at'].includes(key)),
			'the anchor has an unknown member');
		need(anchor.get('hash_alg') === 'sha256', "the anchor's hash_alg is not sha256");
		need(anchor.get('imprint') === digest, "the anchor's imprint is not that of this receipt");
		need(instant(anchor.get('attached_at')) !== null, "the anchor's attached_at is no instant");
		need(typeof anchor.get('token') === 'string', 'the anchor has no token');
		const token = base64Standard(anchor.get('token'), 65538);
		need(token !== null && token.length > 0, "the anchor's token is not base64");
		need(token.length <= 65536, 'the token is too large');
		return {ok: null, state: 'present',
			reason: 'the time-stamp is over this receipt, if its token is good: answer-verify judges tokens'};
	}

	async function verifyId(signed) {
		need(signed.document.has('receipt_id'), 'receipt_id is missing');
		const follows = signed.kind.prefix + (await sha256Text(signed.text('receipt_id', 'signature', 'anchor'))).slice(0, 16);
		need(signed.document.get('receipt_id') === follows, 'receipt_id does not follow from the content');
	}

	/* The key of that name: its bytes, and its entry in a registry or null. */
	function findKey(keys, name) {
		need(keys instanceof Map || Array.isArray(keys), 'the keys given are neither an object nor an array');
		const found = keys instanceof Map ? (keys.has(name) ? [[keys.get(name), null]] : []) :
			keys.filter((entry) => member(entry, 'key_id') === name).map((entry) => [entry.get('public_key'), entry]);
		need(found.length > 0 && isAscii(name), 'the key is not among the keys given');
		need(found.length === 1, 'the key is given more than once');
		const bytes = base64Url(found[0][0]);
		need(bytes !== null && bytes.length === 32, 'the key given is malformed');
		return {bytes, entry: found[0][1]};
	}

	function keyInstant(entry, name) {
		const text = entry.get(name);
		if (text === undefined || text === null)
			return null;
		const found = instant(text);
		need(found !== null, 'the key given is malformed');
		return found;
	}

	/* The key must have been good when the document says that it was issued; both ends count. */
	function checkLife(entry, issuedAt) {
		const status = entry.get('status');
		need(['active', 'retired', 'compromised'].includes(status), 'the key given is malformed');
		const [begin, retired, compromised] =
			['active_from', 'retired_at', 'compromised_after'].map((name) => keyInstant(entry, name));
		need(status !== 'compromised' || compromised !== null, 'the key is compromised');
		const issued = instant(issuedAt);
		need(issued !== null, 'issued_at is missing or no instant');
		need(begin === null || issued >= begin, 'issued before the key was active');
		need(retired === null || issued <= retired, 'issued after the key was retired');
		need(compromised === null || issued <= compromised, 'issued after the key was compromised');
	}

	async function verifySignature(signed, keys) {
		const signature = signed.document.get('signature');
		need(signature instanceof Map, 'signature is missing');
		need(signature.get('alg') === 'Ed25519', 'alg is not Ed25519');
		need(signature.get('canonicalization') === 'json-sorted-compact', 'canonicalization is not json-sorted-compact');
		const name = signature.get('key_id');
		need(typeof name === 'string', 'key_id is missing');
		need(!signed.kind || [...signature.keys()].every((key) => ['alg', 'key_id', 'canonicalization', 'sig'].includes(key)),
			'signature has a member that nothing protects');
		const sig = base64Url(signature.get('sig'));
		need(sig !== null && sig.length === 64, 'sig is not the base64url of 64 bytes');
		const key = findKey(keys, name);
		if (key.entry !== null)
			checkLife(key.entry, signed.document.get('issued_at'));
		/* a receipt's anchor came after the signature; in a foreign document everything was signed */
		const text = signed.kind ? signed.text('signature', 'anchor') : signed.text('signature');
		need(await ed25519(key.bytes, encoder.encode(text), sig), 'the signature does not match the content');
		return {fingerprint: hex(await sha256(key.bytes)), life: key.entry !== null};
	}

	/*
	 * who judged what of a decision (judgement/1)
	 */

	const RELATIONS = {entailment: ['supports', 'contradicts', 'neutral', 'no_claim'], answers: ['answers', 'does_not'],
		conflict: ['contradicts', 'neutral']};
	const MOST_HASHED = 32 * 1024 * 1024;	/* characters of pairs; what is beyond is left to answer-verify */
	const BLANKS = '\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

	function items(value) {
		return Array.isArray(value) ? value : [];
	}

	/* Does a document name the rules that knew no judges? */
	function isEarlier(document) {
		return items(member(member(member(document, 'reproduce'), 'evaluator'), 'rules')).includes('decision/1');
	}

	/* Is it a decision by rules that know judges? */
	function isJudgedDecision(document) {
		return document.get('schema') === 'decision/v1' && !isEarlier(document);
	}

	const DEFAULTS = new Map(Object.entries({top_k: new Num('5'), freshness_days: new Num('90'), freshness_days_high_risk: new Num('30'),
		confidence_threshold: new Num('0.6'), confidence_threshold_high_risk: new Num('0.7'), min_confidence: new Num('0.9'), min_chunks: new Num('2'),
		floor: new Num('0.2'), caveats: true, unjudged_passages: 'plain', judge: 'optional', judge_entailment: null, judge_answers: null,
		judge_conflict: null, judge_passages: new Num('5'), support_min: new Num('0.5'), contradict_min: new Num('0.5'), supersede: 'asked',
		rerank: 'none', freshness_bias: new Num('0'), citation_threshold: new Num('0.95'), contradiction_tolerance: new Num('0.3'),
		cache_ttl_s: new Num('0')}));

	/* The configuration with all its keys; a document leaves out those that have their defaults. */
	function configOf(document) {
		const config = document.get('config');
		return config instanceof Map ? new Map([...DEFAULTS, ...config]) : config;
	}

	/* The names that a configuration has for a kind. */
	function panelOf(document, kind) {
		const named = member(document.get('config'), 'judge_' + kind);
		return typeof named === 'string' ? [named] : items(named);
	}

	function judgesOf(document) {
		const judges = document.get('judges');
		const areTexts = (...values) => values.every((value) => typeof value === 'string') || values.every((value) => value === null);
		need(Array.isArray(judges) && judges.every((one) => typeof member(one, 'name') === 'string' && areTexts(one.get('model'), one.get('version')) &&
			(one.get('assessed') === null || one.get('assessed') instanceof Map)), 'judges is malformed');
		const named = new Map(judges.map((one) => [one.get('name'), one]));
		need(named.size === judges.length, 'judges is malformed');
		return named;
	}

	/* A share of at most four decimals in ten-thousandths, else undefined. */
	function tenThousandths(value) {
		const text = value instanceof Num ? plainText(value.text) : typeof value === 'string' ? value : '';
		return /^[01](?:\.[0-9]{1,4})?$/.test(text) ? Math.round(Number(text) * 10000) : undefined;
	}

	/* What a panel of entailment says: a relation, null where it has not judged, undefined where this cannot be told here. */
	function panelSays(document, said) {
		const config = configOf(document);
		const isOf = (one) => ['entailment', undefined].includes(one.get('kind')) && RELATIONS.entailment.includes(one.get('relation'));
		const found = panelOf(document, 'entailment').map((name) => said.find((one) => one.get('judge') === name && isOf(one)));
		const sure = (one, least) => tenThousandths(one.get('score')) >= tenThousandths(member(config, least));
		const given = found.filter((one) => one !== undefined);
		if ([...given.map((one) => one.get('score')), member(config, 'support_min'), member(config, 'contradict_min')]
			.some((share) => tenThousandths(share) === undefined))
			return undefined;
		if (given.some((one) => one.get('relation') === 'contradicts' && sure(one, 'contradict_min')))
			return 'contradicts';
		if (given.length === 0 || given.length < found.length)
			return null;
		const supporting = given.filter((one) => one.get('relation') === 'supports' && sure(one, 'support_min')).length;
		const silent = given.filter((one) => one.get('relation') === 'no_claim').length;
		return supporting === given.length ? 'supports' : silent === given.length ? 'no_claim' :
			supporting + silent === given.length ? null : 'neutral';
	}

	/* What a judge is shown of a chunk. */
	function passageOf(chunk) {
		const title = member(chunk, 'title');
		const text = member(chunk, 'text');
		return (typeof title === 'string' && title !== '' ? title + '\n' : '') + (typeof text === 'string' ? text : '');
	}

	async function pairDigest(kind, a, b) {
		return 'sha256:' + await sha256Text('{"a":' + quote(a) + ',"b":' + quote(b) + ',"kind":' + quote(kind) + '}');
	}

	/* The judgements of each pair. */
	function saidOf(document) {
		const said = new Map();
		for (const one of items(document.get('judgements'))) {
			const pair = member(one, 'pair');
			if (typeof pair !== 'string')
				continue;
			if (!said.has(pair))
				said.set(pair, []);
			said.get(pair).push(one);
		}
		return said;
	}

	function withoutBlanksBehind(text) {
		let end = text.length;
		while (end > 0 && BLANKS.includes(text[end - 1]))
			end--;
		return text.slice(0, end);
	}

	/* Markers of an answer that cites these, as a pattern, and the number of the citation that each names. */
	function markersOf(citations) {
		const numbers = new Map();
		citations.forEach((id, n) => numbers.set('[' + id + ']', n));
		citations.forEach((_, n) => numbers.set('[' + (n + 1) + ']', n));
		const texts = [...numbers.keys()].sort((a, b) => b.length - a.length);
		return {numbers, pattern: texts.length === 0 ? /(?!)/ :
			new RegExp('(' + texts.map((text) => text.replace(/[^0-9A-Za-z]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))).join('|') + ')')};
	}

	/* A text without its markers, and the white space before them. */
	function bareText(text, pattern) {
		const parts = text.split(pattern).filter((_, n) => n % 2 === 0);
		return parts.map((part, n) => n + 1 < parts.length ? withoutBlanksBehind(part) : part).join('');
	}

	/* The citations whose markers each sentence has: those in it, and behind it up to the next. */
	function markedOf(answer, markers, sentences) {
		const marked = sentences.map(() => new Set());
		let at = 0;				/* in bytes */
		let kept = 0;			/* where what is no marker and no white space has ended */
		let n = 0;
		answer.split(markers.pattern).forEach((part, i) => {
			const bare = i % 2 === 0 ? withoutBlanksBehind(part) : '';
			if (i % 2 === 1) {
				while (n + 1 < sentences.length && sentences[n].end < kept)
					n++;
				marked[n].add(markers.numbers.get(part));
			} else if (bare !== '')
				kept = at + encoder.encode(bare).length;
			at += encoder.encode(part).length;
		});
		return marked;
	}

	/* The places of the sentences of an answer, one behind the other, and their texts. */
	function placesOf(document, answer, pattern) {
		const bytes = encoder.encode(answer);
		const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
		const malformed = 'the sentences are not those of the answer';
		let last = 0;
		return items(member(document.get('validation'), 'sentences')).map((one) => {
			const [start, end] = ['start', 'end'].map((name) => member(one, name) instanceof Num ? Number(one.get(name).text) : NaN);
			need(Number.isInteger(start) && Number.isInteger(end) && start >= last && end > start && end <= bytes.length, malformed);
			last = end;
			try {
				return {start, end, status: one.get('status'), given: one, text: bareText(decoder.decode(bytes.subarray(start, end)), pattern)};
			} catch (e) {
				throw new Refused(malformed);
			}
		});
	}

	/*
	 * The sentences of the answer that was checked: {text, status, given, said, says}, said being the judgements over
	 * exactly this sentence and what it cites, and says what they come to.
	 */
	async function sentencesOf(document) {
		const proposed = document.get('proposed');
		const answer = member(proposed, 'by') === 'caller' ? member(proposed, 'answer') : null;
		const listed = items(member(document.get('validation'), 'sentences'));
		if (listed.length === 0)
			return [];
		need(typeof answer === 'string' && typeof document.get('query') === 'string', 'the sentences are those of no answer');
		const citations = items(proposed.get('citations'));
		need(citations.every((id) => typeof id === 'string'), 'proposed is malformed');
		const markers = markersOf(citations);
		const sentences = placesOf(document, answer, markers.pattern);
		const marked = markedOf(answer, markers, sentences);
		const said = saidOf(document);
		const chunks = new Map(items(member(document.get('retrieval'), 'chunks')).map((chunk) => [member(chunk, 'chunk_id'), passageOf(chunk)]));
		let hashed = 0;
		for (const [n, sentence] of sentences.entries()) {
			const cited = marked[n].size > 0 ? [...marked[n]].sort((x, y) => x - y) : [...citations.keys()];
			const b = cited.map((i) => chunks.get(citations[i]) || '').filter((text) => text !== '').join('\n\n');
			sentence.cited = cited.map((i) => citations[i]);
			hashed += said.size === 0 ? 0 : 2 * (sentence.text.length + b.length);
			sentence.said = said.size === 0 ? [] : undefined;
			sentence.passages = b;
			/* a short one is shown with the question before it */
			for (const a of [sentence.text, document.get('query') + ' ' + sentence.text]) {
				if (sentence.said === undefined && hashed <= MOST_HASHED) {
					sentence.pair = await pairDigest('entailment', a, b);
					sentence.said = said.get(sentence.pair);
				}
			}
			sentence.said = sentence.said || (hashed <= MOST_HASHED ? [] : undefined);
			sentence.says = sentence.said && panelSays(document, sentence.said);
		}
		return sentences;
	}

	/* Every judgement is of a sentence of the answer, or of a passage and the question. */
	async function judgementsAreNeeded(document, sentences) {
		const judgements = items(document.get('judgements'));
		const known = new Set(sentences.map((one) => one.pair));
		let hashed = 0;
		if (judgements.some((one) => member(one, 'kind') === 'answers')) {
			for (const chunk of items(member(document.get('retrieval'), 'chunks'))) {
				hashed += passageOf(chunk).length;
				if (hashed <= MOST_HASHED)
					known.add(await pairDigest('answers', document.get('query'), passageOf(chunk)));
			}
		}
		return judgements.every((one) => {
			const kind = member(one, 'kind');
			return known.has(member(one, 'pair')) || (kind === 'entailment' ? sentences.some((sentence) => sentence.said === undefined) :
				kind !== 'answers' || hashed > MOST_HASHED);
		});
	}

	/*
	 * the log: RFC 9162, and checkpoints as C2SP has them
	 */

	const NOTE_MAX_SIZE = 1024 * 1024;
	const NOTE_MAX_SIGNATURES = 100;
	const MAX_PROOF = 64;
	const SIZE_LIMIT = 2n ** 63n;
	const ALG_ED25519 = 1;
	const ALG_COSIGNATURE = 4;

	function decimalSize(text) {
		return /^(?:0|[1-9][0-9]{0,18})$/.test(text) && BigInt(text) < SIZE_LIMIT ? BigInt(text) : null;
	}

	function sizeOf(proof, name) {
		const value = proof.get(name);
		const text = value instanceof Num ? plainText(value.text) : null;
		return text === null ? null : decimalSize(text);
	}

	function hashBytes(text) {
		const bytes = base64Standard(text, 32);
		return bytes !== null && bytes.length === 32 ? bytes : null;
	}

	function nodeHash(left, right) {
		return sha256(joined([1], left, right));
	}

	async function leadsToRoot(index, size, leaf, root, hashes) {
		if (index < 0n || index >= size)
			return false;
		let node = index;
		let last = size - 1n;
		let found = leaf;
		for (const sibling of hashes) {
			if (last === 0n)
				return false;
			if ((node & 1n) === 1n || node === last) {
				found = await nodeHash(sibling, found);
				/* the last node of a level without a sibling rises as it is */
				while ((node & 1n) === 0n && node !== 0n) {
					node >>= 1n;
					last >>= 1n;
				}
			} else
				found = await nodeHash(found, sibling);
			node >>= 1n;
			last >>= 1n;
		}
		return last === 0n && same(found, root);
	}

	function isKeyName(name) {
		return name !== '' && !/[+\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/.test(name);
	}

	async function readVkey(text) {
		const parts = typeof text === 'string' ? /^([^+]*)\+([^+]*)\+([^]*)$/.exec(text) : null;
		const bytes = parts ? base64Standard(parts[3], 33) : null;
		need(parts && isKeyName(parts[1]) && bytes !== null && bytes.length === 33 &&
			[ALG_ED25519, ALG_COSIGNATURE].includes(bytes[0]), 'a key of the log is malformed');
		const hash = hex((await sha256(joined(encoder.encode(parts[1] + '\n'), bytes))).slice(0, 4));
		need(hash === parts[2], 'a key of the log is malformed');
		return {name: parts[1], hash, alg: bytes[0], bytes: bytes.slice(1)};
	}

	function readSignatureLine(line) {
		const parts = /^\u2014 ([^ ]*) ([^]*)$/.exec(line);
		const bytes = parts ? base64Standard(parts[2], NOTE_MAX_SIZE) : null;
		need(parts && isKeyName(parts[1]) && bytes !== null && bytes.length > 4, 'a signature line is malformed');
		return {name: parts[1], hash: hex(bytes.slice(0, 4)), bytes: bytes.slice(4)};
	}

	function readNote(text) {
		need(encoder.encode(text).length <= NOTE_MAX_SIZE, 'the note is too long');
		need(!/[\0-\x09\x0b-\x1f]/.test(text), 'the note is not plain UTF-8 text');
		const end = text.lastIndexOf('\n\n');
		need(end >= 0, 'the note has no empty line before its signatures');
		need(text.endsWith('\n'), 'the note does not end with a newline');
		const lines = text.slice(end + 2).split('\n').slice(0, -1);
		need(lines.length <= NOTE_MAX_SIGNATURES, 'the note has too many signatures');
		const signatures = lines.map(readSignatureLine);
		need(signatures.length > 0, 'the note has no signature');
		return {text: text.slice(0, end + 1), signatures};
	}

	function readCheckpoint(text) {
		const note = readNote(text);
		const lines = note.text.split('\n').slice(0, -1);
		need(lines[0], 'the checkpoint has no origin');
		const size = lines.length > 1 ? decimalSize(lines[1]) : null;
		need(size !== null, 'the checkpoint has no tree size');
		const root = lines.length > 2 ? hashBytes(lines[2]) : null;
		need(root !== null, 'the checkpoint has no root hash');
		need(lines.slice(3).every((line) => line !== ''), 'the checkpoint has an empty line');
		return {note, origin: lines[0], size, root};
	}

	async function isSignedWith(vkey, note, signature) {
		const text = encoder.encode(note.text);
		if (vkey.alg === ALG_ED25519)
			return signature.bytes.length === 64 && await ed25519(vkey.bytes, text, signature.bytes);
		if (signature.bytes.length !== 72)
			return false;
		const time = BigInt('0x' + hex(signature.bytes.slice(0, 8)));
		return time < SIZE_LIMIT && await ed25519(vkey.bytes,
			joined(encoder.encode('cosignature/v1\ntime ' + time + '\n'), text), signature.bytes.slice(8));
	}

	/* A signature by the log, whose name is the origin, must hold, and none by a key that is known may fail. */
	async function checkNote(checkpoint, vkeys) {
		let own = false;
		for (const signature of checkpoint.note.signatures) {
			const known = vkeys.filter((vkey) => vkey.name === signature.name && vkey.hash === signature.hash);
			let good = null;
			for (const vkey of known) {
				if (await isSignedWith(vkey, checkpoint.note, signature)) {
					good = vkey;
					break;
				}
			}
			need(good || known.length === 0, 'a signature by a known key does not match');
			own = own || (good && good.alg === ALG_ED25519 && good.name === checkpoint.origin);
		}
		need(own, 'no known key of the log has signed the checkpoint');
	}

	/* SHA-256 of the canonical receipt without its anchor; of a tombstone the digest that it keeps. */
	async function documentDigest(signed) {
		if (isDeeper(signed.document, RECEIPT_MAX_DEPTH))
			return null;
		return signed.document.get('schema') === 'answer/tombstone/v1' ? digestBytes(signed.document.get('digest')) :
			sha256(encoder.encode(signed.text('anchor')));
	}

	async function verifyInclusion(signed, proof, vkeyTexts) {
		need(member(proof, 'schema') === 'answer/inclusion/v1', 'the document is no inclusion proof');
		const data = digestBytes(proof.get('digest'));
		const leaf = hashBytes(proof.get('leaf_hash'));
		need(data !== null, 'digest is missing or malformed');
		need(leaf !== null, 'leaf_hash is missing or malformed');
		need(same(await sha256(joined([0], data)), leaf), 'leaf_hash does not follow from the digest');
		const found = signed === null ? null : await documentDigest(signed);
		need(found !== null, 'the receipt is no JSON object, or nested too deeply');
		need(same(found, data), 'the digest is not that of the receipt');
		const index = sizeOf(proof, 'leaf_index');
		const size = sizeOf(proof, 'tree_size');
		const root = hashBytes(proof.get('root_hash'));
		need(index !== null && size !== null, 'leaf_index or tree_size is missing or malformed');
		need(root !== null, 'leaf_hash or root_hash is missing or malformed');
		const hashes = Array.isArray(proof.get('hashes')) && proof.get('hashes').length <= MAX_PROOF ?
			proof.get('hashes').map(hashBytes) : [null];
		need(!hashes.includes(null), 'hashes is missing or malformed');
		need(await leadsToRoot(index, size, leaf, root, hashes), 'the hashes do not lead from the leaf to the root');
		need(proof.has('checkpoint'), 'the proof carries no checkpoint, which the log would have signed');
		need(typeof proof.get('checkpoint') === 'string', 'the checkpoint is no text');
		const checkpoint = readCheckpoint(proof.get('checkpoint'));
		need(proof.get('origin') === checkpoint.origin, 'the checkpoint is of another log');
		need(size === checkpoint.size, 'the checkpoint is of another size');
		need(same(root, checkpoint.root), 'the checkpoint has another root hash');
		need(Array.isArray(vkeyTexts), 'a key of the log is malformed');
		const vkeys = [];
		for (const text of vkeyTexts)
			vkeys.push(await readVkey(text));
		await checkNote(checkpoint, vkeys);
		return {state: 'verified', origin: checkpoint.origin, leaf: String(index), size: String(size)};
	}

	/*
	 * a verification
	 */

	const STEPS = ['anchor', 'receipt_id', 'signature', 'closure', 'replay'];

	async function step(work) {
		try {
			return {ok: true, ...await work()};
		} catch (e) {
			if (!(e instanceof Refused))
				return {ok: false, reason: 'the verifier failed: ' + e.name};
			return {ok: false, reason: e.message, ...e.more};
		}
	}

	function notJudged(reason) {
		return {ok: null, reason};
	}

	/* What a report comes to: a step that fails decides; a signature that nobody could judge leaves it open. */
	function summed(steps) {
		const results = Object.values(steps).map((s) => s.ok);
		return results.includes(false) ? false : steps.signature.ok === true ? true : null;
	}

	/*
	 * Verifies a text.  keys: a Map or an Array, as parse() gives them; kinds: {schema: {prefix, cached}};
	 * inclusion: null, or {proof, vkeys, absent}, of which absent says why there is no proof.
	 * The report: {ok, document, digest, steps: {name: {ok, reason?}}}, ok being null for what was not judged.
	 */
	async function verify(text, keys, kinds, inclusion) {
		const report = {ok: null, document: null, digest: null, steps: {}};
		let problem = null;

		try {
			const document = parse(text);
			if (document instanceof Map)
				report.document = document;
			else
				problem = NOT_JSON;
		} catch (e) {
			problem = e instanceof Refused ? e.message : 'the verifier failed: ' + e.name;
		}
		const signed = report.document ? signedOf(report.document, kinds) : null;
		report.kind = signed !== null && signed.kind !== null;
		if (signed === null)
			STEPS.forEach((name) => { report.steps[name] = {ok: false, reason: problem}; });
		else {
			report.digest = await sha256Text(signed.text('anchor'));
			if (report.kind) {
				report.steps.anchor = await step(() => verifyAnchor(signed, report.digest));
				report.steps.receipt_id = await step(() => verifyId(signed));
			}
			report.steps.signature = await step(() => verifySignature(signed, keys));
			if (report.kind) {
				report.steps.closure = await step(() => answerRules.closure(signed.document));
				report.steps.replay = await step(() => answerRules.replay(signed.document, report));
			}
		}
		if (inclusion) {
			report.steps.inclusion = inclusion.proof === null ? notJudged(inclusion.absent) :
				await step(() => verifyInclusion(signed, inclusion.proof, inclusion.vkeys));
		}
		report.ok = summed(report.steps);
		return report;
	}

	return {Num, Refused, need, member, items, parse, canonical, without, byCodePoint, isAscii, instant, plainText, digestBytes, sha256Text,
		verify, verifiedBy, isEarlier, isJudgedDecision, markersOf, configOf, panelOf, judgesOf, sentencesOf, judgementsAreNeeded, saidOf, pairDigest, passageOf};
})();
