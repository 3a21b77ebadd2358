/*-------------------------------------------------------------------------
 *
 * rfc3161.c
 *		RFC 3161: time-stamp requests, and the examination of tokens.
 *
 * Rule: RFC 3161 as RFC 5816 updates it (ESSCertIDv2), RFC 5652 for the signed message
 * around a token.  All ASN.1 and all cryptography are OpenSSL's (its TS, PKCS7, ESS and
 * X509 interfaces). anchor.c knows what a token means for a receipt.
 *
 * Promises: nothing here raises an error, whatever bytes are examined, and no server
 * function that could raise one is called.  So no OpenSSL object outlives its use,
 * except the roots that were read last, and the error queue is left empty.  Pure: there
 * is no clock, because a chain is judged at the token's own genTime unless the caller
 * names an instant; and no network, so revocation (CRLs, OCSP) is not consulted.  Input
 * is bounded: see the limits below.
 *
 * A token's signature leaves some bytes open.  Those bytes must have one fixed form
 * (DER, versions, algorithm identifiers, the signer's name), so that they cannot vary
 * unnoticed.  Unsigned attributes and additional certificates remain open: they prove
 * nothing, and nothing is taken from them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/ess.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>
#include <openssl/rand.h>
#include <openssl/ts.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "base/rfc3339.h"
#include "document/rfc3161.h"

#ifdef OPENSSL_NO_TS

#error "answer_eval needs an OpenSSL with time-stamping (TS)"
#endif

/* Limits of what is read. */
#define TOKEN_MAX_INTEGER	64		/* bytes of a serial number or nonce */
#define ROOTS_MAX_SIZE		1048576 /* bytes of PEM */
#define CHAIN_MAX_DEPTH		16
#define TERM_MAX_LENGTH		250		/* digits of a demanded nonce or policy */

/*
 * The signatures of a token and its chain must withstand 2^112 operations: RSA of 2048
 * bits, ECDSA of 224, SHA-2.  This is OpenSSL's security level 2.
 */
#define SECURITY_BITS		112
#define SECURITY_LEVEL		2
#define DIGEST_MIN_SIZE		28

#define NONCE_BYTES			8

/*
 * findings
 */

static void
FailStep(TokenStep *step, const char *reason)
{
	step->finding = TOKEN_FAILS;
	step->reason = reason;
}

static void
SettleStep(TokenStep *step, const char *problem)
{
	step->finding = problem ? TOKEN_FAILS : TOKEN_HOLDS;
	step->reason = problem;
}

/*
 * texts of what OpenSSL read
 */

/* Writes 0x and lower-case hex; returns false if it is too long. */
static bool
BignumText(const BIGNUM *number, char *out)
{
	char	   *hex;

	if (BN_num_bytes(number) > TOKEN_MAX_INTEGER)
		return false;
	hex = BN_bn2hex(number);
	if (hex == NULL)
		return false;
	snprintf(out, TOKEN_INTEGER_SIZE, "%s0x%s", hex[0] == '-' ? "-" : "",
			 hex[0] == '-' ? hex + 1 : hex);
	OPENSSL_free(hex);
	for (; *out; out++)
	{
		if (*out >= 'A' && *out <= 'F')
			*out += 'a' - 'A';
	}
	return true;
}

static bool
IntegerText(const ASN1_INTEGER *integer, char *out)
{
	BIGNUM	   *number;
	bool		ok;

	if (integer == NULL || ASN1_STRING_length(integer) > TOKEN_MAX_INTEGER)
		return false;
	number = ASN1_INTEGER_to_BN(integer, NULL);
	ok = number != NULL && BignumText(number, out);
	BN_free(number);
	return ok;
}

static bool
OidText(const ASN1_OBJECT *oid, char *out)
{
	int			len = oid ? OBJ_obj2txt(out, TOKEN_OID_SIZE, oid, 1) : 0;

	return len > 0 && len < TOKEN_OID_SIZE;
}

/* Copies a text as ASCII, truncated to TOKEN_NAME_SIZE. */
static void
TakeText(const char *text, long len, char *out)
{
	int			n = 0;

	for (; n < len && n < TOKEN_NAME_SIZE - 1; n++)
		out[n] = text[n] >= 0x20 && text[n] <= 0x7E ? text[n] : '?';
	out[n] = '\0';
}

static void
TakePrinted(BIO *bio, char *out)
{
	char	   *data;
	long		len = BIO_get_mem_data(bio, &data);

	TakeText(data, len, out);
}

/* Writes a name in the form of RFC 2253, which escapes everything but printable ASCII. */
static void
NameText(const X509_NAME *name, char *out)
{
	BIO		   *bio = BIO_new(BIO_s_mem());

	out[0] = '\0';
	if (bio && X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253) >= 0)
		TakePrinted(bio, out);
	BIO_free(bio);
}

static void
GeneralNameText(GENERAL_NAME *name, char *out)
{
	BIO		   *bio;

	if (name->type == GEN_DIRNAME)
	{
		NameText(name->d.directoryName, out);
		return;
	}
	out[0] = '\0';
	bio = BIO_new(BIO_s_mem());
	if (bio && GENERAL_NAME_print(bio, name) > 0)
		TakePrinted(bio, out);
	BIO_free(bio);
}

/*
 * Parses YYYYMMDDhhmmss[.s…]Z, the only form that RFC 3161 allows.  OpenSSL's own
 * conversion would drop the fraction; we keep microseconds.
 */
static bool
ReadGenTime(const ASN1_GENERALIZEDTIME *time, TimestampTz *instant)
{
	const char *s = time ? (const char *) ASN1_STRING_get0_data(time) : "";
	int			len = time ? ASN1_STRING_length(time) : 0;
	int			digits = len - 16;
	char		text[INSTANT_SIZE];
	int			n;

	if (len < 15 || s[len - 1] != 'Z')
		return false;
	n = snprintf(text, sizeof(text), "%.4s-%.2s-%.2sT%.2s:%.2s:%.2s",
				 s, s + 4, s + 6, s + 8, s + 10, s + 12);
	if (n != 19)				/* a terminator among the digits */
		return false;
	if (len > 15)
	{
		if (s[14] != '.' || digits < 1 || s[len - 2] == '0')
			return false;
		for (int i = 0; i < digits; i++)
		{
			if (s[15 + i] < '0' || s[15 + i] > '9')
				return false;
		}
		n += snprintf(text + n, sizeof(text) - n, ".%.*s", Min(digits, 6), s + 15);
	}
	text[n++] = 'Z';
	return InstantParse(text, n, instant);
}

/* Returns seconds since 1970, rounded down. */
static time_t
UnixTime(TimestampTz instant)
{
	int64		seconds = instant / USECS_PER_SEC - (instant % USECS_PER_SEC < 0 ? 1 : 0);

	return seconds + (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * (int64) SECS_PER_DAY;
}

/*
 * reading a token
 */

/* The OpenSSL objects of a token that is being examined. */
typedef struct Token
{
	PKCS7	   *pkcs7;
	TS_TST_INFO *info;
	PKCS7_SIGNER_INFO *signer_info; /* owned by pkcs7 */
	STACK_OF(X509) *roots;		/* all certificates given, or NULL; owned by last_roots */
	X509	   *signer;			/* owned by pkcs7 or roots; NULL if not found */
} Token;

static void
TokenFree(Token *token)
{
	PKCS7_free(token->pkcs7);
	TS_TST_INFO_free(token->info);
	ERR_clear_error();
}

/* Reads a message with nothing after it. */
static PKCS7 *
ReadPkcs7(const uint8 *bytes, size_t len)
{
	const uint8 *p = bytes;
	PKCS7	   *pkcs7 = d2i_PKCS7(NULL, &p, len);

	if (pkcs7 && p != bytes + len)
	{
		PKCS7_free(pkcs7);
		pkcs7 = NULL;
	}
	return pkcs7;
}

/*
 * RFC 3161 demands DER.  OpenSSL reads more, so what it read must be what it would
 * write.
 */
static bool
IsDer(const PKCS7 *pkcs7, const uint8 *bytes, size_t len)
{
	uint8	   *der = NULL;
	int			der_len = i2d_PKCS7(pkcs7, &der);
	bool		same = der_len > 0 && (size_t) der_len == len && memcmp(der, bytes, len) == 0;

	OPENSSL_free(der);
	return same;
}

/* Returns the TSTInfo in a token, with nothing after it, or NULL. */
static TS_TST_INFO *
ReadInfo(const PKCS7 *pkcs7)
{
	const PKCS7 *content;
	const ASN1_OCTET_STRING *octets;
	const uint8 *begin;
	const uint8 *p;
	TS_TST_INFO *info;

	if (!PKCS7_type_is_signed(pkcs7) || pkcs7->d.sign == NULL)
		return NULL;
	content = pkcs7->d.sign->contents;
	if (content == NULL || OBJ_obj2nid(content->type) != NID_id_smime_ct_TSTInfo ||
		content->d.other == NULL || content->d.other->type != V_ASN1_OCTET_STRING)
		return NULL;
	octets = content->d.other->value.octet_string;
	begin = p = ASN1_STRING_get0_data(octets);
	info = d2i_TS_TST_INFO(NULL, &p, ASN1_STRING_length(octets));
	if (info && p != begin + ASN1_STRING_length(octets))
	{
		TS_TST_INFO_free(info);
		info = NULL;
	}
	return info;
}

static bool
ReadAccuracyPart(const ASN1_INTEGER *part, int64 *value)
{
	*value = 0;
	return part == NULL || ASN1_INTEGER_get_int64(value, part) == 1;
}

/* Reads seconds, and thousandths and millionths from 1 to 999; an explicit 0 is accepted. */
static const char *
ReadAccuracy(TS_ACCURACY *accuracy, TokenReport *report)
{
	if (accuracy == NULL)
		return NULL;
	if (!ReadAccuracyPart(TS_ACCURACY_get_seconds(accuracy), &report->seconds) ||
		!ReadAccuracyPart(TS_ACCURACY_get_millis(accuracy), &report->millis) ||
		!ReadAccuracyPart(TS_ACCURACY_get_micros(accuracy), &report->micros) ||
		report->seconds < 0 || report->millis < 0 || report->millis > 999 ||
		report->micros < 0 || report->micros > 999)
		return "the accuracy is out of range";
	report->has_accuracy = true;
	return NULL;
}

/* Reads what the token says into the report.  Returns the problem, or NULL. */
static const char *
TokenRead(Token *token, const uint8 *der, size_t len, TokenReport *report)
{
	STACK_OF(PKCS7_SIGNER_INFO) *signer_infos;
	GENERAL_NAME *tsa;
	TS_TST_INFO *info;

	if (len > TOKEN_MAX_SIZE)
		return "the token is too large";
	token->pkcs7 = ReadPkcs7(der, len);
	token->info = info = token->pkcs7 ? ReadInfo(token->pkcs7) : NULL;
	if (info == NULL)
		return "the token is no TimeStampToken of RFC 3161";
	if (!IsDer(token->pkcs7, der, len))
		return "the token is not in DER";
	signer_infos = PKCS7_get_signer_info(token->pkcs7);
	if (sk_PKCS7_SIGNER_INFO_num(signer_infos) != 1)
		return "the token does not have exactly one signature";
	token->signer_info = sk_PKCS7_SIGNER_INFO_value(signer_infos, 0);
	if (TS_TST_INFO_get_version(info) != 1)
		return "the token is not of version 1";
	if (TS_TST_INFO_get_ext_by_critical(info, 1, -1) >= 0)
		return "the token has a critical extension that is not understood";
	if (!ReadGenTime(TS_TST_INFO_get_time(info), &report->gen_time))
		return "genTime is not written as RFC 3161 demands";
	if (!IntegerText(TS_TST_INFO_get_serial(info), report->serial))
		return "the serial number is too long";
	if (TS_TST_INFO_get_nonce(info) &&
		!IntegerText(TS_TST_INFO_get_nonce(info), report->nonce_text))
		return "the nonce is too long";
	if (!OidText(TS_TST_INFO_get_policy_id(info), report->policy_id))
		return "the policy is too long";
	report->ordering = TS_TST_INFO_get_ordering(info) != 0;
	tsa = TS_TST_INFO_get_tsa(info);
	if (tsa)
		GeneralNameText(tsa, report->tsa);
	return NULL;
}

/*
 * signature
 */

/* Is it an algorithm without parameters, or with the NULL that some write? */
static bool
IsPlainAlgorithm(const X509_ALGOR *algorithm)
{
	const ASN1_OBJECT *oid;
	int			type;

	X509_ALGOR_get0(&oid, &type, NULL, algorithm);
	return type == V_ASN1_UNDEF || type == V_ASN1_NULL;
}

/*
 * Does the signature's algorithm fit the digest and the key? OpenSSL uses these two and
 * ignores it.
 */
static bool
IsSignatureAlgorithm(const X509_ALGOR *algorithm, const EVP_MD *md, const EVP_PKEY *key)
{
	int			nid = OBJ_obj2nid(algorithm->algorithm);
	int			md_nid;
	int			key_nid;

	if (!IsPlainAlgorithm(algorithm))
		return false;
	return nid == EVP_PKEY_get_base_id(key) ||
		(OBJ_find_sigid_algs(nid, &md_nid, &key_nid) &&
		 md_nid == EVP_MD_get_type(md) && key_nid == EVP_PKEY_get_base_id(key));
}

/* Gives a signed attribute, or NULL if there is none; returns false if it has another type. */
static bool
SignedAttribute(const PKCS7_SIGNER_INFO *signer_info, int nid, int type, ASN1_TYPE **value)
{
	*value = PKCS7_get_signed_attribute(signer_info, nid);
	return *value == NULL || (*value)->type == type;
}

/*
 * Checks that the parts of the message which the signature does not cover have the one
 * form that is allowed here, and that the attributes have their types, which OpenSSL
 * did not always check before use.
 */
static const char *
FormProblem(const Token *token)
{
	const PKCS7_SIGNED *signed_data = token->pkcs7->d.sign;
	const PKCS7_SIGNER_INFO *signer_info = token->signer_info;
	const X509_ALGOR *digest;
	ASN1_TYPE  *value;

	if (ASN1_INTEGER_get(signed_data->version) != 3 ||
		ASN1_INTEGER_get(signer_info->version) != 1)
		return "the message around the token is of another version";
	if (sk_X509_ALGOR_num(signed_data->md_algs) != 1)
		return "the message around the token has not one digest algorithm";
	digest = sk_X509_ALGOR_value(signed_data->md_algs, 0);
	if (OBJ_cmp(digest->algorithm, signer_info->digest_alg->algorithm) != 0 ||
		!IsPlainAlgorithm(digest) || !IsPlainAlgorithm(signer_info->digest_alg))
		return "the digest algorithms do not agree";
	if (!SignedAttribute(signer_info, NID_pkcs9_contentType, V_ASN1_OBJECT, &value) ||
		value == NULL || OBJ_obj2nid(value->value.object) != NID_id_smime_ct_TSTInfo)
		return "what is signed is not said to be a time-stamp";
	if (!SignedAttribute(signer_info, NID_pkcs9_messageDigest, V_ASN1_OCTET_STRING, &value) ||
		value == NULL)
		return "the digest is not signed";
	return NULL;
}

/* Is a name one of the certificate's? */
static bool
IsNameOf(GENERAL_NAME *name, X509 *certificate)
{
	GENERAL_NAMES *others;
	bool		found;

	if (name->type == GEN_DIRNAME &&
		X509_NAME_cmp(name->d.directoryName, X509_get_subject_name(certificate)) == 0)
		return true;
	others = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
	found = false;
	for (int i = 0; i < sk_GENERAL_NAME_num(others) && !found; i++)
		found = GENERAL_NAME_cmp(name, sk_GENERAL_NAME_value(others, i)) == 0;
	GENERAL_NAMES_free(others);
	return found;
}

/*
 * Do the signed ESS attributes name the signer's certificate first, and otherwise only
 * certificates that are at hand? If there are roots, the chain is compared with them
 * too.
 */
static bool
EssNamesSigner(const Token *token)
{
	ASN1_TYPE  *v1;
	ASN1_TYPE  *v2;
	ESS_SIGNING_CERT *ess = NULL;
	ESS_SIGNING_CERT_V2 *ess_v2 = NULL;
	STACK_OF(X509) *certificates;
	const uint8 *p;
	bool		ok;

	if (!SignedAttribute(token->signer_info, NID_id_smime_aa_signingCertificate,
						 V_ASN1_SEQUENCE, &v1) ||
		!SignedAttribute(token->signer_info, NID_id_smime_aa_signingCertificateV2,
						 V_ASN1_SEQUENCE, &v2))
		return false;
	if (v1)
	{
		p = ASN1_STRING_get0_data(v1->value.sequence);
		ess = d2i_ESS_SIGNING_CERT(NULL, &p, ASN1_STRING_length(v1->value.sequence));
	}
	if (v2)
	{
		p = ASN1_STRING_get0_data(v2->value.sequence);
		ess_v2 = d2i_ESS_SIGNING_CERT_V2(NULL, &p, ASN1_STRING_length(v2->value.sequence));
	}
	certificates = sk_X509_new_null();
	ok = (v1 == NULL || ess != NULL) && (v2 == NULL || ess_v2 != NULL) &&
		certificates != NULL && sk_X509_push(certificates, token->signer) > 0 &&
		X509_add_certs(certificates, token->pkcs7->d.sign->cert, X509_ADD_FLAG_NO_DUP) == 1 &&
		X509_add_certs(certificates, token->roots, X509_ADD_FLAG_NO_DUP) == 1 &&
		OSSL_ESS_check_signing_certs(ess, ess_v2, certificates, 1) > 0;
	sk_X509_free(certificates);
	ESS_SIGNING_CERT_free(ess);
	ESS_SIGNING_CERT_V2_free(ess_v2);
	return ok;
}

/* Finds the signer's certificate in the token or among the roots. */
static X509 *
FindSigner(const Token *token, TokenReport *report)
{
	const PKCS7_ISSUER_AND_SERIAL *id = token->signer_info->issuer_and_serial;
	STACK_OF(X509) *signers = PKCS7_get0_signers(token->pkcs7, token->roots, 0);
	X509	   *signer = sk_X509_num(signers) == 1 ? sk_X509_value(signers, 0) : NULL;

	sk_X509_free(signers);
	report->embedded = X509_find_by_issuer_and_serial(token->pkcs7->d.sign->cert,
													  id->issuer, id->serial) != NULL;
	if (signer)
		NameText(X509_get_subject_name(signer), report->signer);
	return signer;
}

/*
 * OpenSSL finds the certificate by a name, ignoring case and white space, and that name
 * is not signed.  So it must be the certificate's, byte for byte.
 */
static bool
IsSameName(const X509_NAME *a, const X509_NAME *b)
{
	const uint8 *a_der;
	const uint8 *b_der;
	size_t		a_len;
	size_t		b_len;

	return X509_NAME_get0_der(a, &a_der, &a_len) == 1 &&
		X509_NAME_get0_der(b, &b_der, &b_len) == 1 &&
		a_len == b_len && memcmp(a_der, b_der, a_len) == 0;
}

static const char *
SignatureProblem(const Token *token, TokenReport *report)
{
	const PKCS7_SIGNER_INFO *signer_info = token->signer_info;
	const EVP_MD *md = EVP_get_digestbyobj(signer_info->digest_alg->algorithm);
	EVP_PKEY   *key = X509_get0_pubkey(token->signer);
	GENERAL_NAME *tsa = TS_TST_INFO_get_tsa(token->info);
	const char *problem;

	if (md == NULL || key == NULL)
		return "the signature's algorithm is not known";
	strlcpy(report->digest_alg, OBJ_nid2sn(EVP_MD_get_type(md)), sizeof(report->digest_alg));
	problem = FormProblem(token);
	if (problem)
		return problem;
	if (!IsSameName(signer_info->issuer_and_serial->issuer, X509_get_issuer_name(token->signer)))
		return "the signer is not named as its certificate names it";
	if (EVP_MD_get_size(md) < DIGEST_MIN_SIZE || EVP_PKEY_get_security_bits(key) < SECURITY_BITS)
		return "the signature is weaker than 112 bits";
	if (!IsSignatureAlgorithm(signer_info->digest_enc_alg, md, key))
		return "the signature's algorithm is not that of the certificate's key";
	if (PKCS7_verify(token->pkcs7, token->roots, NULL, NULL, NULL, PKCS7_NOVERIFY) != 1)
		return "the signature does not match the token";
	if (!EssNamesSigner(token))
		return "the signature does not name its certificate";
	if (tsa && !IsNameOf(tsa, token->signer))
		return "the authority's name is not that of the certificate";
	return NULL;
}

/*
 * RFC 3161, 2.3: the certificate has one extended key usage, timeStamping, in a
 * critical extension.  OpenSSL checks the usages that it knows, and the key usage.
 */
static const char *
UsageProblem(X509 *signer)
{
	int			critical;
	EXTENDED_KEY_USAGE *usage = X509_get_ext_d2i(signer, NID_ext_key_usage, &critical, NULL);
	int			count = sk_ASN1_OBJECT_num(usage);
	bool		is_stamping = usage && count == 1 &&
		OBJ_obj2nid(sk_ASN1_OBJECT_value(usage, 0)) == NID_time_stamp;

	EXTENDED_KEY_USAGE_free(usage);
	if (usage == NULL)
		return "the certificate has no extended key usage";
	if (!is_stamping)
		return "the certificate's extended key usage is not timeStamping alone";
	if (critical != 1)
		return "the certificate's extended key usage is not critical";
	if (X509_check_purpose(signer, X509_PURPOSE_TIMESTAMP_SIGN, 0) != 1)
		return "the certificate's key usage does not allow time-stamping";
	return NULL;
}

/*
 * chain
 */

/*
 * Cache of the certificates read last.  It lives as long as the process, because
 * whoever verifies many anchors does so with the same certificates, and OpenSSL needs
 * time to read the hundreds that a system trusts.
 */
static struct
{
	char	   *pem;
	STACK_OF(X509) *certificates;
}			last_roots;

/* Reads certificates in PEM, and nothing else. */
static const char *
ReadCertificates(const char *pem, STACK_OF(X509) *certificates)
{
	BIO		   *bio;
	char	   *name;
	char	   *header;
	uint8	   *data;
	long		len;
	const char *problem = NULL;
	unsigned long code;

	ERR_clear_error();
	bio = BIO_new_mem_buf(pem, -1);
	while (bio && !problem && PEM_read_bio(bio, &name, &header, &data, &len) == 1)
	{
		const uint8 *p = data;
		X509	   *certificate = NULL;

		if ((strcmp(name, PEM_STRING_X509) == 0 || strcmp(name, PEM_STRING_X509_OLD) == 0) &&
			header[0] == '\0')
			certificate = d2i_X509(NULL, &p, len);
		if (certificate == NULL || p != data + len ||
			sk_X509_push(certificates, certificate) <= 0)
		{
			X509_free(certificate);
			problem = "the roots hold something that is no certificate";
		}
		OPENSSL_free(name);
		OPENSSL_free(header);
		OPENSSL_free(data);
	}
	BIO_free(bio);
	if (problem)
		return problem;
	/* at the end there is no further start of a block */
	code = ERR_peek_last_error();
	if (bio == NULL || ERR_GET_LIB(code) != ERR_LIB_PEM ||
		ERR_GET_REASON(code) != PEM_R_NO_START_LINE)
		return "the roots are not well-formed PEM";
	return sk_X509_num(certificates) > 0 ? NULL : "the roots hold no certificate";
}

/* Gives the certificates of a PEM text, from the cache if possible. */
static const char *
ReadRoots(const char *pem, STACK_OF(X509) **certificates)
{
	const char *problem;

	*certificates = NULL;
	if (strlen(pem) > ROOTS_MAX_SIZE)
		return "the roots are too large";
	if (last_roots.pem == NULL || strcmp(last_roots.pem, pem) != 0)
	{
		STACK_OF(X509) *read = sk_X509_new_null();
		char	   *copy = OPENSSL_strdup(pem);

		problem = read && copy ? ReadCertificates(pem, read) : "out of memory";
		if (problem)
		{
			sk_X509_pop_free(read, X509_free);
			OPENSSL_free(copy);
			return problem;
		}
		sk_X509_pop_free(last_roots.certificates, X509_free);
		OPENSSL_free(last_roots.pem);
		last_roots.certificates = read;
		last_roots.pem = copy;
	}
	*certificates = last_roots.certificates;
	return NULL;
}

/*
 * Returns a store that trusts the self-signed certificates, or NULL if there is none.
 * The others may be intermediate ones.  A root's own signature is verified where the
 * root is used.
 */
static X509_STORE *
MakeStore(STACK_OF(X509) *certificates, TimestampTz at)
{
	X509_STORE *store = X509_STORE_new();
	X509_VERIFY_PARAM *param;
	int			anchors = 0;

	for (int i = 0; store && i < sk_X509_num(certificates); i++)
	{
		X509	   *certificate = sk_X509_value(certificates, i);

		if (X509_self_signed(certificate, 0) == 1 &&
			X509_STORE_add_cert(store, certificate) == 1)
			anchors++;
	}
	if (anchors == 0)
	{
		X509_STORE_free(store);
		return NULL;
	}
	param = X509_STORE_get0_param(store);
	X509_VERIFY_PARAM_set_time(param, UnixTime(at));
	X509_VERIFY_PARAM_set_depth(param, CHAIN_MAX_DEPTH);
	X509_VERIFY_PARAM_set_auth_level(param, SECURITY_LEVEL);
	X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_CHECK_SS_SIGNATURE);
	return store;
}

/* Was the signer's own certificate valid at genTime? This needs no roots. */
static const char *
ValidityProblem(X509 *signer, TimestampTz gen_time)
{
	time_t		seconds = UnixTime(gen_time);
	int			begin = X509_cmp_time(X509_get0_notBefore(signer), &seconds);
	int			end = X509_cmp_time(X509_get0_notAfter(signer), &seconds);

	if (begin == 0 || end == 0)
		return "the certificate's validity is malformed";
	if (begin > 0)
		return "the certificate was not valid yet at genTime";
	return end < 0 ? "the certificate was not valid any more at genTime" : NULL;
}

/*
 * Verifies the chain from the signer's certificate up to a trust anchor, at the given
 * instant.  Another step checks what the certificate may be used for.
 */
static const char *
VerifyChain(const Token *token, X509_STORE *store, char *reason)
{
	X509_STORE_CTX *ctx = X509_STORE_CTX_new();
	STACK_OF(X509) *between = sk_X509_new_null();
	bool		ready;
	bool		ok;

	ready = ctx && between &&
		X509_add_certs(between, token->pkcs7->d.sign->cert, X509_ADD_FLAG_DEFAULT) == 1 &&
		X509_add_certs(between, token->roots, X509_ADD_FLAG_DEFAULT) == 1 &&
		X509_STORE_CTX_init(ctx, store, token->signer, between) == 1;
	ok = ready && X509_verify_cert(ctx) == 1;
	if (!ok)
		snprintf(reason, TOKEN_REASON_SIZE, "the chain does not hold: %s",
				 X509_verify_cert_error_string(ready ? X509_STORE_CTX_get_error(ctx) :
											   X509_V_ERR_OUT_OF_MEM));
	X509_STORE_CTX_free(ctx);
	sk_X509_free(between);
	return ok ? NULL : reason;
}

/*
 * Finally OpenSSL verifies the token as a whole, if all our steps passed, and the
 * certificates that the signature names against the chain.
 */
static const char *
ChainProblem(const Token *token, TokenReport *report)
{
	X509_STORE *store;
	const char *problem;

	if (TIMESTAMP_NOT_FINITE(report->chain_at))
		return "no chain is valid at an infinite instant";
	store = MakeStore(token->roots, report->chain_at);
	if (store == NULL)
		return "none of the roots is self-signed";
	problem = VerifyChain(token, store, report->chain_reason);
	if (problem == NULL &&
		report->signature.finding == TOKEN_HOLDS && report->eku.finding == TOKEN_HOLDS &&
		TS_RESP_verify_signature(token->pkcs7, token->roots, store, NULL) != 1)
		problem = "the token as a whole does not verify against the roots";
	X509_STORE_free(store);
	return problem;
}

/*
 * the whole token
 */

static const char *
ImprintProblem(TS_TST_INFO *info, const uint8 *expected)
{
	TS_MSG_IMPRINT *imprint = TS_TST_INFO_get_msg_imprint(info);
	const X509_ALGOR *algorithm = TS_MSG_IMPRINT_get_algo(imprint);
	const ASN1_OCTET_STRING *octets = TS_MSG_IMPRINT_get_msg(imprint);

	if (OBJ_obj2nid(algorithm->algorithm) != NID_sha256 || !IsPlainAlgorithm(algorithm))
		return "the token's hash algorithm is not sha256";
	if (ASN1_STRING_length(octets) != IMPRINT_LENGTH ||
		memcmp(ASN1_STRING_get0_data(octets), expected, IMPRINT_LENGTH) != 0)
		return "the token's imprint is not that of this receipt";
	return NULL;
}

static const char *
NonceProblem(const TokenReport *report, const char *nonce)
{
	if (nonce == NULL)
		return NULL;
	if (report->nonce_text[0] == '\0')
		return "the token has no nonce";
	return strcmp(report->nonce_text, nonce) == 0 ? NULL : "the nonce is not the one asked for";
}

/*
 * Computes what identifies a token: the key that signed, and the signed TSTInfo.
 * Unsigned attributes, additional certificates and the value of the signature are left
 * out, because anybody can change those and still have a valid token.
 */
static bool
ReadIdentity(const Token *token, uint8 *identity)
{
	const ASN1_OCTET_STRING *content = token->pkcs7->d.sign->contents->d.other->value.octet_string;
	uint8		parts[2 * IMPRINT_LENGTH];
	uint8	   *key = NULL;
	int			len = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(token->signer), &key);
	bool		ok;

	ok = len > 0 &&
		EVP_Digest(key, len, parts, NULL, EVP_sha256(), NULL) == 1 &&
		EVP_Digest(ASN1_STRING_get0_data(content), ASN1_STRING_length(content),
				   parts + IMPRINT_LENGTH, NULL, EVP_sha256(), NULL) == 1 &&
		EVP_Digest(parts, sizeof(parts), identity, NULL, EVP_sha256(), NULL) == 1;
	OPENSSL_free(key);
	return ok;
}

/* Does the steps that need the signer's certificate. */
static void
ExamineSigner(Token *token, const TokenTerms *terms, const char *roots_problem,
			  TokenReport *report)
{
	const char *problem;

	token->signer = FindSigner(token, report);
	if (token->signer == NULL)
	{
		if (terms->roots)
		{
			FailStep(&report->signature, "the signer's certificate is neither in the token nor among the roots");
			FailStep(&report->chain, roots_problem ? roots_problem : report->signature.reason);
		}
		return;
	}
	report->has_identity = ReadIdentity(token, report->identity);
	SettleStep(&report->signature, SignatureProblem(token, report));
	SettleStep(&report->eku, UsageProblem(token->signer));
	problem = ValidityProblem(token->signer, report->gen_time);
	if (problem == NULL)
		problem = roots_problem;
	if (problem == NULL && terms->roots)
		problem = ChainProblem(token, report);
	if (problem || terms->roots)
		SettleStep(&report->chain, problem);
}

/* Examines a token over an imprint. */
void
TokenExamine(const uint8 *der, size_t len, const uint8 *imprint, const TokenTerms *terms,
			 TokenReport *report)
{
	Token		token;
	const char *roots_problem = NULL;

	memset(report, 0, sizeof(*report));
	memset(&token, 0, sizeof(token));
	ERR_clear_error();
	report->problem = TokenRead(&token, der, len, report);
	if (report->problem == NULL)
	{
		SettleStep(&report->imprint, ImprintProblem(token.info, imprint));
		SettleStep(&report->nonce, NonceProblem(report, terms->nonce));
		SettleStep(&report->policy, terms->policy && strcmp(terms->policy, report->policy_id) != 0 ?
			   "the policy is not the one asked for" : NULL);
		SettleStep(&report->accuracy, ReadAccuracy(TS_TST_INFO_get_accuracy(token.info), report));
		report->chain_at = terms->at ? *terms->at : report->gen_time;
		if (terms->roots)
			roots_problem = ReadRoots(terms->roots, &token.roots);
		ExamineSigner(&token, terms, roots_problem, report);
	}
	TokenFree(&token);
}

/*
 * Writes a nonce, given in decimal or 0x… hex, in the form used for tokens, in
 * TOKEN_INTEGER_SIZE bytes; returns false if it is not an integer.
 */
bool
NormalNonce(const char *text, char *out)
{
	const char *digits = text[0] == '-' ? text + 1 : text;
	bool		is_hex = digits[0] == '0' && digits[1] == 'x';
	BIGNUM	   *number = NULL;
	size_t		len;
	bool		ok;

	if (is_hex)
		digits += 2;
	len = strlen(digits);
	if (len == 0 || len > TERM_MAX_LENGTH ||
		strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789") != len)
		return false;
	ok = (is_hex ? BN_hex2bn(&number, digits) : BN_dec2bn(&number, digits)) != 0;
	if (ok)
	{
		BN_set_negative(number, text[0] == '-');
		ok = BignumText(number, out);
	}
	BN_free(number);
	ERR_clear_error();
	return ok;
}

/*
 * Writes a dotted object identifier in the form used for tokens, in TOKEN_OID_SIZE
 * bytes; returns false if it is not one.
 */
bool
NormalPolicy(const char *text, char *out)
{
	ASN1_OBJECT *oid;
	bool		ok;

	if (strlen(text) > TERM_MAX_LENGTH || strspn(text, "0123456789.") != strlen(text))
		return false;
	oid = OBJ_txt2obj(text, 1);
	/* OpenSSL accepts more than one spelling */
	ok = oid && OidText(oid, out) && strcmp(text, out) == 0;
	ASN1_OBJECT_free(oid);
	ERR_clear_error();
	return ok;
}

/* Copies and frees what OpenSSL allocated; returns its length, or 0 if it does not fit. */
static int
TakeDer(uint8 *der, int len, uint8 *buffer, int size)
{
	if (len <= 0 || len > size)
		len = 0;
	else
		memcpy(buffer, der, len);
	OPENSSL_free(der);
	return len;
}

/*
 * Makes a TimeStampReq with a new nonce in a buffer of REQUEST_MAX_SIZE bytes.  The
 * policy comes from NormalPolicy, or is NULL.  Returns its length, or 0.
 */
int
RequestMake(const uint8 *imprint, const char *policy, uint8 *buffer, char *nonce_text)
{
	TS_REQ	   *request = TS_REQ_new();
	TS_MSG_IMPRINT *message = TS_MSG_IMPRINT_new();
	X509_ALGOR *algorithm = X509_ALGOR_new();
	ASN1_OBJECT *oid = policy ? OBJ_txt2obj(policy, 1) : NULL;
	uint8		random[NONCE_BYTES];
	BIGNUM	   *number = NULL;
	ASN1_INTEGER *nonce = NULL;
	uint8	   *der = NULL;
	int			len = 0;

	if (RAND_bytes(random, sizeof(random)) == 1)
		number = BN_bin2bn(random, sizeof(random), NULL);
	if (number)
		nonce = BN_to_ASN1_INTEGER(number, NULL);
	if (request && message && algorithm && nonce && (policy == NULL || oid) &&
		BignumText(number, nonce_text) &&
		X509_ALGOR_set0(algorithm, OBJ_nid2obj(NID_sha256), V_ASN1_NULL, NULL) == 1 &&
		TS_MSG_IMPRINT_set_algo(message, algorithm) == 1 &&
		TS_MSG_IMPRINT_set_msg(message, unconstify(uint8 *, imprint), IMPRINT_LENGTH) == 1 &&
		TS_REQ_set_version(request, 1) == 1 &&
		TS_REQ_set_msg_imprint(request, message) == 1 &&
		(policy == NULL || TS_REQ_set_policy_id(request, oid) == 1) &&
		TS_REQ_set_nonce(request, nonce) == 1 &&
		TS_REQ_set_cert_req(request, 1) == 1)
		len = i2d_TS_REQ(request, &der);
	TS_REQ_free(request);
	TS_MSG_IMPRINT_free(message);
	X509_ALGOR_free(algorithm);
	ASN1_OBJECT_free(oid);
	BN_free(number);
	ASN1_INTEGER_free(nonce);
	ERR_clear_error();
	return TakeDer(der, len, buffer, REQUEST_MAX_SIZE);
}

/* Copies the authority's status text, as ASCII. */
static void
TakeStatusText(const TS_STATUS_INFO *info, char *out)
{
	const STACK_OF(ASN1_UTF8STRING) *texts = TS_STATUS_INFO_get0_text(info);
	const ASN1_UTF8STRING *text = sk_ASN1_UTF8STRING_num(texts) > 0 ?
		sk_ASN1_UTF8STRING_value(texts, 0) : NULL;

	TakeText(text ? (const char *) ASN1_STRING_get0_data(text) : NULL,
			 text ? ASN1_STRING_length(text) : 0, out);
}

/*
 * Reads an authority's response: a TimeStampToken alone, or a TimeStampResp.  A token
 * is written in DER into a buffer of TOKEN_MAX_SIZE bytes.
 */
ResponseKind
ResponseRead(const uint8 *bytes, size_t size, uint8 *buffer, int *len,
			 int64 *status, char *status_text)
{
	const uint8 *p = bytes;
	PKCS7	   *pkcs7;
	TS_RESP    *response = NULL;
	TS_STATUS_INFO *info;
	uint8	   *der = NULL;
	ResponseKind kind = RESPONSE_MALFORMED;

	*len = 0;
	pkcs7 = ReadPkcs7(bytes, size);
	if (pkcs7)
		*len = i2d_PKCS7(pkcs7, &der);
	else
		response = d2i_TS_RESP(NULL, &p, size);
	info = response && p == bytes + size ? TS_RESP_get_status_info(response) : NULL;
	if (info && ASN1_INTEGER_get_int64(status, TS_STATUS_INFO_get0_status(info)) == 1)
	{
		if (*status != TS_STATUS_GRANTED && *status != TS_STATUS_GRANTED_WITH_MODS)
		{
			TakeStatusText(info, status_text);
			kind = RESPONSE_REFUSED;
		}
		else if (TS_RESP_get_token(response))
			*len = i2d_PKCS7(TS_RESP_get_token(response), &der);
	}
	PKCS7_free(pkcs7);
	TS_RESP_free(response);
	ERR_clear_error();
	*len = TakeDer(der, *len, buffer, TOKEN_MAX_SIZE);
	return *len > 0 ? RESPONSE_TOKEN : kind;
}
