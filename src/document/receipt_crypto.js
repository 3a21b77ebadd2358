/*
 * SHA-2 (FIPS 180-4) and Ed25519 (RFC 8032) in the language alone, for browsers
 * whose Web Cryptography lacks them, or gives none to a page of this place.
 *
 * Only public things are computed here, so nothing has to take the same time
 * always.  What OpenSSL accepts is accepted, nothing else: the scalar is less than
 * the order of the group, and the encoded point is compared byte for byte.
 */
'use strict';

const answerCrypto = (() => {

	/*
	 * SHA-2: its constants are the first 64 bits behind the point of roots of primes
	 */

	const primes = [];
	for (let n = 2; primes.length < 80; n++) {
		if (primes.every((p) => n % p !== 0))
			primes.push(n);
	}

	/* The greatest integer whose power is not greater. */
	function integerRoot(number, power) {
		let low = 0n;
		let high = 1n << 80n;
		while (high - low > 1n) {
			const middle = (low + high) >> 1n;
			if (middle ** power <= number)
				low = middle;
			else
				high = middle;
		}
		return low;
	}

	/* As pairs of 32 bits. */
	function fractions(count, power) {
		return Uint32Array.from(primes.slice(0, count).flatMap((p) => {
			const found = BigInt.asUintN(64, integerRoot(BigInt(p) << 64n * power, power));
			return [Number(found >> 32n), Number(found & 0xffffffffn)];
		}));
	}

	let constants;

	function prepared() {
		constants = constants || {start: fractions(8, 2n), round: fractions(80, 3n)};
		return constants;
	}

	/* The message in whole blocks: a bit, zeros, and its length. */
	function padded(bytes, block) {
		const all = new Uint8Array(Math.ceil((bytes.length + 1 + block / 8) / block) * block);
		all.set(bytes);
		all[bytes.length] = 0x80;
		new DataView(all.buffer).setBigUint64(all.length - 8, BigInt(bytes.length) * 8n);
		return new DataView(all.buffer);
	}

	function wordBytes(words) {
		const view = new DataView(new ArrayBuffer(words.length * 4));
		words.forEach((word, i) => view.setUint32(i * 4, word));
		return new Uint8Array(view.buffer);
	}

	function sha256(bytes) {
		const {start, round} = prepared();
		const data = padded(bytes, 64);
		const state = Uint32Array.from({length: 8}, (_, i) => start[2 * i]);
		const w = new Uint32Array(64);
		const turned = (x, n) => (x >>> n) | (x << (32 - n));

		for (let at = 0; at < data.byteLength; at += 64) {
			for (let t = 0; t < 16; t++)
				w[t] = data.getUint32(at + 4 * t);
			for (let t = 16; t < 64; t++) {
				const x = w[t - 15];
				const y = w[t - 2];
				w[t] = w[t - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + w[t - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
			}
			let [a, b, c, d, e, f, g, h] = state;
			for (let t = 0; t < 64; t++) {
				const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + round[2 * t] + w[t]) | 0;
				const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
				[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
			}
			[a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
		}
		return wordBytes(state);
	}

	/* Words of 64 bits are sums of 32 by name, for such numbers are quick. */
	function sha512(bytes) {
		const {start, round} = prepared();
		const data = padded(bytes, 128);
		const state = Uint32Array.from(start);
		const w = new Uint32Array(160);
		const v = new Uint32Array(16);

		for (let at = 0; at < data.byteLength; at += 128) {
			for (let t = 0; t < 32; t++)
				w[t] = data.getUint32(at + 4 * t);
			for (let t = 32; t < 160; t += 2) {
				const [h, l, p, q] = [w[t - 30], w[t - 29], w[t - 4], w[t - 3]];
				const low = ((l >>> 1 | h << 31) ^ (l >>> 8 | h << 24) ^ (l >>> 7 | h << 25)) >>> 0;
				const next = ((q >>> 19 | p << 13) ^ (p >>> 29 | q << 3) ^ (q >>> 6 | p << 26)) >>> 0;
				const sum = low + next + w[t - 13] + w[t - 31];
				w[t] = ((h >>> 1 | l << 31) ^ (h >>> 8 | l << 24) ^ h >>> 7) + ((p >>> 19 | q << 13) ^ (q >>> 29 | p << 3) ^ p >>> 6) +
					w[t - 14] + w[t - 32] + Math.floor(sum / 4294967296);
				w[t + 1] = sum;
			}
			v.set(state);
			for (let t = 0; t < 160; t += 2) {
				const [a, b, c, d, e, f, g] = [v[0], v[1], v[2], v[3], v[4], v[5], v[8]];
				const h = v[9];
				const one = (((h >>> 14 | g << 18) ^ (h >>> 18 | g << 14) ^ (g >>> 9 | h << 23)) >>> 0) + v[15] +
					(((h & v[11]) ^ (~h & v[13])) >>> 0) + round[t + 1] + w[t + 1];
				const oneHigh = (((g >>> 14 | h << 18) ^ (g >>> 18 | h << 14) ^ (h >>> 9 | g << 23)) + v[14] +
					((g & v[10]) ^ (~g & v[12])) + round[t] + w[t] + Math.floor(one / 4294967296)) >>> 0;
				const two = (((b >>> 28 | a << 4) ^ (a >>> 2 | b << 30) ^ (a >>> 7 | b << 25)) >>> 0) +
					(((b & d) ^ (b & f) ^ (d & f)) >>> 0) + (one >>> 0);
				const twoHigh = ((a >>> 28 | b << 4) ^ (b >>> 2 | a << 30) ^ (b >>> 7 | a << 25)) + ((a & c) ^ (a & e) ^ (c & e)) +
					oneHigh + Math.floor(two / 4294967296);
				const four = v[7] + (one >>> 0);
				const fourHigh = v[6] + oneHigh + Math.floor(four / 4294967296);
				v.copyWithin(2, 0, 14);
				v[0] = twoHigh;
				v[1] = two;
				v[8] = fourHigh;
				v[9] = four;
			}
			for (let i = 14; i >= 0; i -= 2) {
				const sum = state[i + 1] + v[i + 1];
				state[i] += v[i] + Math.floor(sum / 4294967296);
				state[i + 1] = sum;
			}
		}
		return wordBytes(state);
	}

	/*
	 * Ed25519
	 */

	const P = 2n ** 255n - 19n;
	const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

	function mod(a) {
		const found = a % P;
		return found < 0n ? found + P : found;
	}

	function power(base, exponent) {
		let found = 1n;
		for (let square = mod(base); exponent > 0n; exponent >>= 1n) {
			if (exponent & 1n)
				found = found * square % P;
			square = square * square % P;
		}
		return found;
	}

	const D = mod(-121665n * power(121666n, P - 2n));
	const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);

	function littleEndian(bytes) {
		return bytes.reduceRight((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
	}

	/* A point from its encoding, as [X, Y, Z, T]; null if there is none. */
	function pointOf(bytes) {
		const number = littleEndian(bytes);
		const y = mod(number & (2n ** 255n - 1n));
		const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
		let x = power(square, (P + 3n) / 8n);
		if (mod(x * x) !== square)
			x = mod(x * ROOT_OF_MINUS_ONE);
		if (mod(x * x) !== square)
			return null;
		if ((x & 1n) !== number >> 255n)
			x = mod(-x);
		return [x, y, 1n, mod(x * y)];
	}

	function added([x1, y1, z1, t1], [x2, y2, z2, t2]) {
		const a = (y1 - x1) * (y2 - x2) % P;
		const b = (y1 + x1) * (y2 + x2) % P;
		const c = 2n * t1 * t2 % P * D % P;
		const d = 2n * z1 * z2 % P;
		return [mod((b - a) * (d - c)), mod((d + c) * (b + a)), mod((d - c) * (d + c)), mod((b - a) * (b + a))];
	}

	function times(number, point) {
		let found = [0n, 1n, 1n, 0n];
		for (let doubled = point; number > 0n; number >>= 1n) {
			if (number & 1n)
				found = added(found, doubled);
			doubled = added(doubled, doubled);
		}
		return found;
	}

	function encoded([x, y, z]) {
		const inverse = power(z, P - 2n);
		let number = mod(y * inverse) | (mod(x * inverse) & 1n) << 255n;
		return Uint8Array.from({length: 32}, () => {
			const byte = Number(number & 0xffn);
			number >>= 8n;
			return byte;
		});
	}

	/* hash: SHA-512 of bytes, or its promise. */
	async function ed25519(publicKey, message, signature, hash) {
		const point = pointOf(publicKey);
		const scalar = littleEndian(signature.slice(32));
		if (point === null || scalar >= ORDER)
			return false;
		const all = new Uint8Array(64 + message.length);
		all.set(signature.slice(0, 32));
		all.set(publicKey, 32);
		all.set(message, 64);
		const k = littleEndian(await hash(all)) % ORDER;
		const base = pointOf(Uint8Array.from({length: 32}, (_, i) => i === 0 ? 0x58 : 0x66));
		const [x, y, z, t] = times(k, point);
		const found = encoded(added(times(scalar, base), [mod(-x), y, z, mod(-t)]));
		return found.every((byte, i) => byte === signature[i]);
	}

	return {sha256, sha512, ed25519};
})();
