/*-------------------------------------------------------------------------
 *
 * timestamp.c
 *		Anchors: RFC 3161 time-stamps over receipts.
 *
 * An anchor is a time-stamping authority's word that a receipt's digest existed
 * at an instant.  Rule: RFC 3161 as RFC 5816 updates it (ESSCertIDv2), RFC 5652
 * for the signed message around it, and section 7 of the published semantics:
 * the message imprint is the SHA-256 over the canonical receipt without its
 * anchor.  All ASN.1 and all cryptography are OpenSSL's (its TS, PKCS7, ESS and
 * X509 interfaces); this file and signature.c are the only ones that know it.
 *
 * Promises: examining an anchor never raises over what the receipt, the token
 * or the certificates hold; it reports.  It is pure: no clock, for the chain is
 * judged at the token's own genTime unless the caller names an instant, and no
 * network, so revocation (CRLs, OCSP) is not consulted.  Every OpenSSL object
 * lives inside functions that call nothing of the server that could raise, so
 * none leaks; the error queue is left empty.  Input is bounded: see the limits
 * below.
 *
 * What a signature leaves open in a token is held to one form (versions,
 * algorithm identifiers), so that bytes outside of it cannot vary unnoticed;
 * open remain certificates and unsigned attributes that are merely enclosed.
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

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "canonical.h"
#include "check.h"
#include "evidence.h"
#include "forget.h"
#include "query.h"
#include "receipt.h"
#include "signature.h"
#include "timestamp.h"
#include "verify.h"

#ifdef OPENSSL_NO_TS
#error "answer_eval needs an OpenSSL with time-stamping (TS)"
#endif

/* The limits of what is read. */
#define TOKEN_MAX_SIZE		65536	/* bytes of a token or response */
#define TOKEN_MAX_INTEGER	64		/* bytes of a serial number or nonce */
#define ROOTS_MAX_SIZE		1048576 /* bytes of PEM */
#define CHAIN_MAX_DEPTH		16
#define TERM_MAX_LENGTH		250		/* digits of a nonce or policy asked for */

/*
 * What a token and its chain are signed with must withstand 2^112 operations:
 * RSA of 2048 bits, ECDSA of 224, SHA-2.  It is OpenSSL's security level 2.
 */
#define SECURITY_BITS		112
#define SECURITY_LEVEL		2
#define DIGEST_MIN_SIZE		28

#define NONCE_BYTES			8
#define REQUEST_MAX_SIZE	512		/* an imprint, a nonce and a policy of TERM_MAX_LENGTH */

#define ANCHOR_HASH_ALG		"sha256"

const char *const anchor_outcome_labels[] = {"absent", "mismatch", "declared", "verified"};

/*
 * texts of what OpenSSL read
 *
 * From here to the next section nothing may raise: no palloc, no ereport.
 */

static void
Fails(TokenStep *step, const char *reason)
{
	step->finding = TOKEN_FAILS;
	step->reason = reason;
}

static void
Settle(TokenStep *step, const char *problem)
{
	step->finding = problem ? TOKEN_FAILS : TOKEN_HOLDS;
	step->reason = problem;
}

/* Writes 0x and lower-case hex; false if it is too long. */
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

/* Takes what was printed, as ASCII and cut to TOKEN_NAME_SIZE. */
static void
TakePrinted(BIO *bio, char *out)
{
	char	   *data;
	long		len = BIO_get_mem_data(bio, &data);
	int			n = 0;

	for (; n < len && n < TOKEN_NAME_SIZE - 1; n++)
		out[n] = data[n] >= 0x20 && data[n] <= 0x7E ? data[n] : '?';
	out[n] = '\0';
}

/* RFC 2253 escapes whatever is not printable ASCII. */
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
 * Reads YYYYMMDDhhmmss[.s…]Z, the one form that RFC 3161 allows.  OpenSSL's own
 * conversion would drop the fraction; we keep microseconds of it.
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

/* Seconds since 1970, whole and rounded down. */
static time_t
UnixTime(TimestampTz instant)
{
	int64		seconds = instant / USECS_PER_SEC - (instant % USECS_PER_SEC < 0 ? 1 : 0);

	return seconds + (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * (int64) SECS_PER_DAY;
}

/*
 * reading a token
 */

/* What OpenSSL holds of a token while it is examined. */
typedef struct Token
{
	PKCS7	   *pkcs7;
	TS_TST_INFO *info;
	PKCS7_SIGNER_INFO *signer_info; /* belongs to pkcs7 */
	STACK_OF(X509) *roots;		/* every certificate given, or NULL */
	X509	   *signer;			/* belongs to pkcs7 or roots; NULL: not at hand */
} Token;

static void
TokenFree(Token *token)
{
	PKCS7_free(token->pkcs7);
	TS_TST_INFO_free(token->info);
	sk_X509_pop_free(token->roots, X509_free);
	ERR_clear_error();
}

/* Reads a message with nothing behind it. */
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
 * RFC 3161 sends DER.  OpenSSL reads more, and so what it read must be what it
 * would write.
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

/* The TSTInfo in a token, with nothing behind it, or NULL. */
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

/* Seconds, and 1 to 999 thousandths and millionths; a stated 0 does no harm. */
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

/* Reads what the token says into the report.  Returns what keeps it from that. */
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

/* An algorithm without parameters, or with the NULL that some write. */
static bool
IsPlainAlgorithm(const X509_ALGOR *algorithm)
{
	const ASN1_OBJECT *oid;
	int			type;

	X509_ALGOR_get0(&oid, &type, NULL, algorithm);
	return type == V_ASN1_UNDEF || type == V_ASN1_NULL;
}

/*
 * Is the signature's algorithm what the digest and the key make it?  OpenSSL
 * goes by these two alone and does not look at it.
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

/* A signed attribute, if there is one of that type or none. */
static bool
SignedAttribute(const PKCS7_SIGNER_INFO *signer_info, int nid, int type, ASN1_TYPE **value)
{
	*value = PKCS7_get_signed_attribute(signer_info, nid);
	return *value == NULL || (*value)->type == type;
}

/*
 * Holds the parts of the message that the signature does not cover to the one
 * form that they can have here, and the attributes to their types, which
 * OpenSSL did not always check before use.
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

/* Does a name stand in the certificate? */
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
 * Do the signed ESS attributes name the signer's certificate first, and beyond
 * it only certificates that are at hand?  Where there are roots, the chain is
 * held against them too.
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
 * OpenSSL finds the certificate by a name in which case and space are not
 * looked at, and that name is not signed: so it must be the certificate's to
 * the byte.
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
 * RFC 3161, 2.3: the certificate has one extended key usage, timeStamping, in
 * a critical extension.  OpenSSL looks at the usages that it knows, and at the
 * key usage.
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
 * Reads certificates, PEM and nothing else.  Those that are signed with their
 * own key become anchors of trust in the store, the others may lie between.
 */
static const char *
ReadRoots(const char *pem, STACK_OF(X509) *certificates)
{
	BIO		   *bio;
	char	   *name;
	char	   *header;
	uint8	   *data;
	long		len;
	const char *problem = NULL;
	unsigned long code;

	if (strlen(pem) > ROOTS_MAX_SIZE)
		return "the roots are too large";
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
	/* only at the end is there no further start of a block */
	code = ERR_peek_last_error();
	if (bio == NULL || ERR_GET_LIB(code) != ERR_LIB_PEM ||
		ERR_GET_REASON(code) != PEM_R_NO_START_LINE)
		return "the roots are not well-formed PEM";
	return sk_X509_num(certificates) > 0 ? NULL : "the roots hold no certificate";
}

/* A store that trusts the self-signed among the certificates; NULL if none is. */
static X509_STORE *
MakeStore(STACK_OF(X509) *certificates, TimestampTz at)
{
	X509_STORE *store = X509_STORE_new();
	X509_VERIFY_PARAM *param;
	int			anchors = 0;

	for (int i = 0; store && i < sk_X509_num(certificates); i++)
	{
		X509	   *certificate = sk_X509_value(certificates, i);

		if (X509_self_signed(certificate, 1) == 1 &&
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
	return store;
}

/* What OpenSSL has against the chain, from its error queue. */
static void
TakeChainReason(char *reason)
{
	static const char prefix[] = "Verify error:";
	const char *data;
	int			flags;
	unsigned long code;

	strlcpy(reason, "the token does not verify up to an anchor of trust", TOKEN_REASON_SIZE);
	while ((code = ERR_get_error_all(NULL, NULL, NULL, &data, &flags)) != 0)
	{
		if (ERR_GET_LIB(code) == ERR_LIB_TS &&
			ERR_GET_REASON(code) == TS_R_CERTIFICATE_VERIFY_ERROR &&
			(flags & ERR_TXT_STRING) && strncmp(data, prefix, sizeof(prefix) - 1) == 0)
			snprintf(reason, TOKEN_REASON_SIZE, "the chain does not hold: %s",
					 data + sizeof(prefix) - 1);
	}
}

/* Was the signer's own certificate valid at genTime?  Needs no roots. */
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
 * Has OpenSSL verify the token as a whole: signature, chain up to an anchor of
 * trust at the instant asked for, ESS attributes against that chain.
 */
static const char *
ChainProblem(const Token *token, TokenReport *report)
{
	X509_STORE *store;
	bool		ok;

	if (TIMESTAMP_NOT_FINITE(report->chain_at))
		return "no chain is valid at an infinite instant";
	store = MakeStore(token->roots, report->chain_at);
	if (store == NULL)
		return "none of the roots is self-signed";
	ERR_clear_error();
	ok = TS_RESP_verify_signature(token->pkcs7, token->roots, store, NULL) == 1;
	X509_STORE_free(store);
	if (ok)
		return NULL;
	TakeChainReason(report->chain_reason);
	return report->chain_reason;
}

/*
 * the whole token
 */

static const char *
ImprintProblem(TS_TST_INFO *info, const uint8 *sha256)
{
	TS_MSG_IMPRINT *imprint = TS_TST_INFO_get_msg_imprint(info);
	const X509_ALGOR *algorithm = TS_MSG_IMPRINT_get_algo(imprint);
	const ASN1_OCTET_STRING *octets = TS_MSG_IMPRINT_get_msg(imprint);

	if (OBJ_obj2nid(algorithm->algorithm) != NID_sha256 || !IsPlainAlgorithm(algorithm))
		return "the token's hash algorithm is not sha256";
	if (ASN1_STRING_length(octets) != SHA256_LENGTH ||
		memcmp(ASN1_STRING_get0_data(octets), sha256, SHA256_LENGTH) != 0)
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

/* The steps that need the signer's certificate. */
static void
ExamineSigner(Token *token, const AnchorTerms *terms, const char *roots_problem,
			  TokenReport *report)
{
	const char *problem;

	token->signer = FindSigner(token, report);
	if (token->signer == NULL)
	{
		if (terms->roots)
		{
			Fails(&report->signature, "the signer's certificate is neither in the token nor among the roots");
			Fails(&report->chain, roots_problem ? roots_problem : report->signature.reason);
		}
		return;
	}
	Settle(&report->signature, SignatureProblem(token, report));
	Settle(&report->eku, UsageProblem(token->signer));
	problem = ValidityProblem(token->signer, report->gen_time);
	if (problem == NULL)
		problem = roots_problem;
	if (problem == NULL && terms->roots)
		problem = ChainProblem(token, report);
	if (problem || terms->roots)
		Settle(&report->chain, problem);
}

/* Examines a token: raises nothing, leaks nothing. */
static void
TokenExamine(const uint8 *der, size_t len, const uint8 *sha256, const AnchorTerms *terms,
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
		Settle(&report->imprint, ImprintProblem(token.info, sha256));
		Settle(&report->nonce, NonceProblem(report, terms->nonce));
		Settle(&report->policy, terms->policy && strcmp(terms->policy, report->policy_id) != 0 ?
			   "the policy is not the one asked for" : NULL);
		Settle(&report->accuracy, ReadAccuracy(TS_TST_INFO_get_accuracy(token.info), report));
		report->chain_at = terms->at ? *terms->at : report->gen_time;
		if (terms->roots)
		{
			token.roots = sk_X509_new_null();
			roots_problem = token.roots ? ReadRoots(terms->roots, token.roots) :
				"out of memory";
		}
		ExamineSigner(&token, terms, roots_problem, report);
	}
	TokenFree(&token);
}

/* Writes a nonce given as decimal or 0x… hex the way tokens' nonces are written. */
static bool
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

/* Writes a dotted object identifier the way tokens' policies are written. */
static bool
NormalPolicy(const char *text, char *out)
{
	ASN1_OBJECT *oid;
	bool		ok;

	if (strlen(text) > TERM_MAX_LENGTH || strspn(text, "0123456789.") != strlen(text))
		return false;
	oid = OBJ_txt2obj(text, 1);
	ok = oid && OidText(oid, out);
	ASN1_OBJECT_free(oid);
	ERR_clear_error();
	return ok;
}

/* Makes a TimeStampReq; the caller frees *der.  Returns its length, or 0. */
static int
MakeRequest(uint8 *sha256, const char *policy, uint8 **der, char *nonce_text)
{
	TS_REQ	   *request = TS_REQ_new();
	TS_MSG_IMPRINT *imprint = TS_MSG_IMPRINT_new();
	X509_ALGOR *algorithm = X509_ALGOR_new();
	ASN1_OBJECT *oid = policy ? OBJ_txt2obj(policy, 1) : NULL;
	uint8		random[NONCE_BYTES];
	BIGNUM	   *number = NULL;
	ASN1_INTEGER *nonce = NULL;
	int			len = 0;

	ERR_clear_error();
	if (RAND_bytes(random, sizeof(random)) == 1)
		number = BN_bin2bn(random, sizeof(random), NULL);
	if (number)
		nonce = BN_to_ASN1_INTEGER(number, NULL);
	if (request && imprint && algorithm && nonce && (policy == NULL || oid) &&
		BignumText(number, nonce_text) &&
		X509_ALGOR_set0(algorithm, OBJ_nid2obj(NID_sha256), V_ASN1_NULL, NULL) == 1 &&
		TS_MSG_IMPRINT_set_algo(imprint, algorithm) == 1 &&
		TS_MSG_IMPRINT_set_msg(imprint, sha256, SHA256_LENGTH) == 1 &&
		TS_REQ_set_version(request, 1) == 1 &&
		TS_REQ_set_msg_imprint(request, imprint) == 1 &&
		(policy == NULL || TS_REQ_set_policy_id(request, oid) == 1) &&
		TS_REQ_set_nonce(request, nonce) == 1 &&
		TS_REQ_set_cert_req(request, 1) == 1)
		len = i2d_TS_REQ(request, der);
	TS_REQ_free(request);
	TS_MSG_IMPRINT_free(imprint);
	X509_ALGOR_free(algorithm);
	ASN1_OBJECT_free(oid);
	BN_free(number);
	ASN1_INTEGER_free(nonce);
	ERR_clear_error();
	return Max(len, 0);
}

/* What came back from an authority. */
typedef enum ResponseKind
{
	RESPONSE_TOKEN,				/* a TimeStampToken, or a TimeStampResp with one */
	RESPONSE_REFUSED,			/* a TimeStampResp without */
	RESPONSE_MALFORMED
} ResponseKind;

/* Copies the authority's own words, as ASCII. */
static void
TakeStatusText(const TS_STATUS_INFO *status, char *out)
{
	const STACK_OF(ASN1_UTF8STRING) *texts = TS_STATUS_INFO_get0_text(status);
	const ASN1_UTF8STRING *text = sk_ASN1_UTF8STRING_num(texts) > 0 ?
		sk_ASN1_UTF8STRING_value(texts, 0) : NULL;
	int			len = text ? ASN1_STRING_length(text) : 0;
	const uint8 *data = text ? ASN1_STRING_get0_data(text) : NULL;
	int			n = 0;

	for (; n < len && n < TOKEN_NAME_SIZE - 1; n++)
		out[n] = data[n] >= 0x20 && data[n] <= 0x7E ? data[n] : '?';
	out[n] = '\0';
}

/*
 * Tells what an authority's answer is.  If there is a token in it, *token is
 * that one in DER, of *len bytes, to be freed by the caller.
 */
static ResponseKind
ReadResponse(const uint8 *bytes, size_t size, uint8 **token, int *len,
			 int64 *status, char *status_text)
{
	const uint8 *p = bytes;
	PKCS7	   *pkcs7;
	TS_RESP    *response;
	TS_STATUS_INFO *info;
	ResponseKind kind = RESPONSE_MALFORMED;

	ERR_clear_error();
	pkcs7 = ReadPkcs7(bytes, size);
	if (pkcs7)
	{
		*len = i2d_PKCS7(pkcs7, token);
		PKCS7_free(pkcs7);
		ERR_clear_error();
		return *len > 0 ? RESPONSE_TOKEN : RESPONSE_MALFORMED;
	}
	response = d2i_TS_RESP(NULL, &p, size);
	info = response && p == bytes + size ? TS_RESP_get_status_info(response) : NULL;
	if (info && ASN1_INTEGER_get_int64(status, TS_STATUS_INFO_get0_status(info)) == 1)
	{
		if (*status != TS_STATUS_GRANTED && *status != TS_STATUS_GRANTED_WITH_MODS)
		{
			TakeStatusText(info, status_text);
			kind = RESPONSE_REFUSED;
		}
		else if (TS_RESP_get_token(response) &&
				 (*len = i2d_PKCS7(TS_RESP_get_token(response), token)) > 0)
			kind = RESPONSE_TOKEN;
	}
	TS_RESP_free(response);
	ERR_clear_error();
	return kind;
}

/*
 * anchors
 *
 * From here on the server's functions may be called, and no object of OpenSSL
 * is at hand.
 */

/*
 * The digest that is anchored.  Where a receipt was forgotten, its tombstone
 * keeps it.
 */
static bool
AnchoredDigest(const JsonView *receipt, uint8 *sha256, bool *forgotten)
{
	JsonView	schema;
	JsonView	digest;

	*forgotten = JsonViewGet(receipt, "schema", 6, &schema) &&
		JsonViewStringIs(&schema, TOMBSTONE_SCHEMA);
	if (!*forgotten)
	{
		ReceiptDigest(receipt, sha256);
		return true;
	}
	if (!JsonViewGet(receipt, "digest", 6, &digest) || digest.type != JVIEW_STRING ||
		digest.len != DIGEST_TEXT_LENGTH ||
		memcmp(digest.str, DIGEST_PREFIX, 7) != 0)
		return false;
	for (int i = 7; i < digest.len; i++)
	{
		if (digest.str[i] == '\0' || strchr("0123456789abcdef", digest.str[i]) == NULL)
			return false;
	}
	hex_decode(digest.str + 7, 2 * SHA256_LENGTH, (char *) sha256);
	return true;
}

/* The anchor's members, decoded; returns what is wrong with them. */
static const char *
ReadAnchor(const JsonView *anchor, const uint8 *sha256, uint8 **token, int *len)
{
	static const char *const members[] = {"token", "imprint", "hash_alg", "attached_at", NULL};
	char		hex[2 * SHA256_LENGTH + 1];
	JsonView	view;
	Span		text;
	TimestampTz attached_at;

	if (anchor->type != JVIEW_OBJECT)
		return "the anchor is no object";
	if (!HasOnlyKeys(anchor, members, &text))
		return "the anchor has an unknown member";
	if (!JsonViewGet(anchor, "hash_alg", 8, &view) || !JsonViewStringIs(&view, ANCHOR_HASH_ALG))
		return "the anchor's hash_alg is not sha256";
	HexEncode(sha256, SHA256_LENGTH, hex);
	hex[2 * SHA256_LENGTH] = '\0';
	if (!JsonViewGet(anchor, "imprint", 7, &view) || !JsonViewStringIs(&view, hex))
		return "the anchor's imprint is not that of this receipt";
	if (!JsonViewGet(anchor, "attached_at", 11, &view) || !InstantOfView(&view, &attached_at))
		return "the anchor's attached_at is no instant";
	if (!JsonViewGetString(anchor, "token", &text.str, &text.len))
		return "the anchor has no token";
	if (text.len >= BASE64_SIZE(TOKEN_MAX_SIZE))
		return "the token is too large";
	*token = palloc(text.len + 1);
	*len = Base64Decode(text, *token, text.len);
	return *len > 0 ? NULL : "the anchor's token is not base64";
}

/* The first step that fails, in the order in which they are reported. */
static const char *
FirstFailure(const TokenReport *token)
{
	const TokenStep *const steps[] = {&token->imprint, &token->nonce, &token->signature,
	&token->eku, &token->chain, &token->policy, &token->accuracy};

	if (token->problem)
		return token->problem;
	for (size_t i = 0; i < lengthof(steps); i++)
	{
		if (steps[i]->finding == TOKEN_FAILS)
			return steps[i]->reason;
	}
	return NULL;
}

/*
 * Examines the anchor of a receipt, which is a JSON object.  Without one, this
 * is a look-up.
 */
void
AnchorExamine(const JsonView *receipt, const AnchorTerms *terms, AnchorReport *report)
{
	JsonView	anchor;
	uint8		sha256[SHA256_LENGTH];
	uint8	   *token;
	int			len;

	report->outcome = ANCHOR_ABSENT;
	report->reason = NULL;
	report->has_token = false;
	if (!JsonViewGet(receipt, "anchor", 6, &anchor))
		return;
	report->outcome = ANCHOR_MISMATCH;
	if (!AnchoredDigest(receipt, sha256, &report->forgotten))
	{
		report->reason = "the tombstone has no digest";
		return;
	}
	report->reason = ReadAnchor(&anchor, sha256, &token, &len);
	if (report->reason)
		return;
	CHECK_FOR_INTERRUPTS();
	report->has_token = true;
	TokenExamine(token, len, sha256, terms, &report->token);
	pfree(token);
	CHECK_FOR_INTERRUPTS();
	report->reason = FirstFailure(&report->token);
	if (report->reason == NULL)
		report->outcome = terms->roots ? ANCHOR_VERIFIED : ANCHOR_DECLARED;
}

/* The object that a receipt carries as its anchor. */
static JsonView
AnchorView(const uint8 *token, int len, const uint8 *imprint, TimestampTz attached_at)
{
	JsonView	view = JsonViewNewObject(4);
	char	   *base64 = palloc(BASE64_SIZE(len));
	char	   *hex = palloc(2 * SHA256_LENGTH);
	char	   *instant = palloc(INSTANT_SIZE);

	Base64Encode(token, len, base64);
	HexEncode(imprint, SHA256_LENGTH, hex);
	InstantFormat(attached_at, instant);
	JsonViewSet(&view, "token", JsonViewCString(base64));
	JsonViewSet(&view, "imprint", JsonViewString(hex, 2 * SHA256_LENGTH));
	JsonViewSet(&view, "hash_alg", JsonViewCString(ANCHOR_HASH_ALG));
	JsonViewSet(&view, "attached_at", JsonViewCString(instant));
	return view;
}

/*
 * the report
 */

static JsonView
StepView(const TokenStep *step)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "ok", step->finding == TOKEN_UNCHECKED ? JsonViewNull() :
				JsonViewBool(step->finding == TOKEN_HOLDS));
	if (step->reason)
		JsonViewSet(&view, "reason", JsonViewCString(step->reason));
	return view;
}

static void
SetText(JsonView *object, const char *key, const char *text)
{
	JsonViewSet(object, key, text[0] ? JsonViewCString(text) : JsonViewNull());
}

static void
SetInstant(JsonView *object, const char *key, TimestampTz instant)
{
	char	   *text;

	if (!InstantIsWritable(instant))
	{
		JsonViewSet(object, key, JsonViewNull());
		return;
	}
	text = palloc(INSTANT_SIZE);
	InstantFormat(instant, text);
	JsonViewSet(object, key, JsonViewCString(text));
}

static const char *
NonceState(const TokenReport *token, const AnchorTerms *terms)
{
	if (terms->nonce == NULL)
		return "unasked";
	if (token->nonce_text[0] == '\0')
		return "absent";
	return token->nonce.finding == TOKEN_HOLDS ? "matches" : "differs";
}

static JsonView
StepsView(const AnchorReport *report, const AnchorTerms *terms)
{
	const TokenReport *token = &report->token;
	JsonView	steps = JsonViewNewObject(7);
	JsonView	step;

	step = StepView(&token->imprint);
	if (report->forgotten)
		JsonViewSet(&step, "forgotten", JsonViewBool(true));
	JsonViewSet(&steps, "imprint", step);

	step = StepView(&token->nonce);
	JsonViewSet(&step, "state", JsonViewCString(NonceState(token, terms)));
	SetText(&step, "nonce", token->nonce_text);
	JsonViewSet(&steps, "nonce", step);

	step = StepView(&token->signature);
	JsonViewSet(&step, "state", JsonViewCString(token->signature.finding == TOKEN_UNCHECKED ?
												"unchecked" : "checked"));
	SetText(&step, "signer", token->signer);
	SetText(&step, "digest_alg", token->digest_alg);
	JsonViewSet(&steps, "signature", step);

	JsonViewSet(&steps, "eku", StepView(&token->eku));

	step = StepView(&token->chain);
	SetInstant(&step, "at", token->chain_at);
	JsonViewSet(&steps, "chain", step);

	step = StepView(&token->policy);
	JsonViewSet(&step, "state", JsonViewCString(terms->policy == NULL ? "unasked" :
												token->policy.finding == TOKEN_HOLDS ?
												"matches" : "differs"));
	JsonViewSet(&steps, "policy", step);

	step = StepView(&token->accuracy);
	JsonViewSet(&step, "state", JsonViewCString(token->has_accuracy ? "stated" : "absent"));
	JsonViewSet(&steps, "accuracy", step);
	return steps;
}

static JsonView
AccuracyView(const TokenReport *token)
{
	JsonView	view;

	if (!token->has_accuracy)
		return JsonViewNull();
	view = JsonViewNewObject(3);
	JsonViewSet(&view, "seconds", JsonViewInteger(token->seconds));
	JsonViewSet(&view, "millis", JsonViewInteger(token->millis));
	JsonViewSet(&view, "micros", JsonViewInteger(token->micros));
	return view;
}

/* The report borrows the texts of what it reports. */
static JsonView
ReportView(const AnchorReport *report, const AnchorTerms *terms)
{
	const TokenReport *token = &report->token;
	JsonView	view = JsonViewNewObject(11);

	JsonViewSet(&view, "outcome", JsonViewCString(anchor_outcome_labels[report->outcome]));
	JsonViewSet(&view, "ok", JsonViewBool(report->outcome != ANCHOR_MISMATCH));
	if (report->reason)
		JsonViewSet(&view, "reason", JsonViewCString(report->reason));
	if (!report->has_token || token->problem)
		return view;
	SetInstant(&view, "gen_time", token->gen_time);
	SetText(&view, "serial", token->serial);
	SetText(&view, "policy", token->policy_id);
	JsonViewSet(&view, "accuracy", AccuracyView(token));
	JsonViewSet(&view, "ordering", JsonViewBool(token->ordering));
	SetText(&view, "tsa", token->tsa[0] ? token->tsa : token->signer);
	JsonViewSet(&view, "steps", StepsView(report, terms));
	return view;
}

/*
 * requests and attached anchors
 */

/* The digest of a stored receipt, read as the owner.  SPI must be connected. */
static void
StoredDigest(text *receipt_id, uint8 *sha256)
{
	static FixedQuery query = {
		.text = "SELECT body FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		id = PointerGetDatum(receipt_id);
	JsonView	receipt;
	bool		isnull;
	bool		forgotten;
	Oid			user;
	int			context;

	AnswerAsOwner(&user, &context);
	QueryRun(&query, &id, NULL, false, 1);
	AnswerAsCaller(user, context);
	if (SPI_processed == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("there is no receipt \"%s\"", text_to_cstring(receipt_id))));
	JsonViewOfJsonb(DatumGetJsonbP(SPI_getbinval(SPI_tuptable->vals[0],
												 SPI_tuptable->tupdesc, 1, &isnull)),
					&receipt);
	if (!AnchoredDigest(&receipt, sha256, &forgotten))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the tombstone of receipt \"%s\" has no digest",
						text_to_cstring(receipt_id))));
	SPI_freetuptable(SPI_tuptable);
}

static void
StoreRequest(text *receipt_id, const char *nonce, const char *policy)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.anchor_request (receipt_id, nonce, policy, requested_at)"
		" VALUES ($1, $2, $3, $4)",
		.nargs = 4,
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[4];
	Oid			user;
	int			context;

	values[0] = PointerGetDatum(receipt_id);
	values[1] = CStringGetTextDatum(nonce);
	values[2] = policy ? CStringGetTextDatum(policy) : (Datum) 0;
	values[3] = TimestampTzGetDatum(GetCurrentTimestamp());
	AnswerAsOwner(&user, &context);
	QueryRun(&insert, values, policy ? "    " : "  n ", false, 0);
	AnswerAsCaller(user, context);
}

static void
RefuseToken(const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("the time-stamp token is refused"),
			 errdetail("%s.", detail),
			 hint ? errhint("%s", hint) : 0));
}

/*
 * A token must answer a request of ours for this receipt.  One without a nonce
 * that was asked for elsewhere is taken if there are no requests.
 */
static void
CheckRequested(text *receipt_id, const TokenReport *token)
{
	/* the request that the token names comes first, NULLs compare as last */
	static FixedQuery query = {
		.text = "SELECT nonce OPERATOR(pg_catalog.=) $2, policy FROM answer.anchor_request"
		" WHERE receipt_id OPERATOR(pg_catalog.=) $1 ORDER BY 1 DESC NULLS LAST LIMIT 1",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	bool		has_nonce = token->nonce_text[0] != '\0';
	Datum		values[2];
	bool		isnull;
	bool		matches;
	char	   *policy;
	Oid			user;
	int			context;

	values[0] = PointerGetDatum(receipt_id);
	values[1] = has_nonce ? CStringGetTextDatum(token->nonce_text) : (Datum) 0;
	AnswerAsOwner(&user, &context);
	QueryRun(&query, values, has_nonce ? "  " : " n", false, 1);
	AnswerAsCaller(user, context);
	if (SPI_processed == 0)
	{
		if (has_nonce)
			RefuseToken("it has a nonce, and nothing was requested for this receipt",
						"Ask with the request that answer_anchor_request() makes.");
		return;
	}
	matches = DatumGetBool(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1,
										 &isnull));
	if (isnull)
		RefuseToken("it has no nonce, and what was requested for this receipt has one", NULL);
	if (!matches)
		RefuseToken("its nonce is not that of a request for this receipt", NULL);
	policy = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 2);
	if (policy && strcmp(policy, token->policy_id) != 0)
		RefuseToken(psprintf("its policy is %s, and %s was requested", token->policy_id, policy),
					NULL);
	SPI_freetuptable(SPI_tuptable);
}

/* Stores an anchor, unless it is there; gives back when it was attached. */
static TimestampTz
StoreAnchor(text *receipt_id, const uint8 *token, int len, const uint8 *imprint)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.anchor (receipt_id, token_digest, token, imprint, attached_at)"
		" VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
		.nargs = 5,
		.argtypes = {TEXTOID, TEXTOID, BYTEAOID, BYTEAOID, TIMESTAMPTZOID}
	};
	static FixedQuery stored = {
		.text = "SELECT attached_at FROM answer.anchor WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND token_digest OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	TimestampTz attached_at = GetCurrentTimestamp();
	uint8		sha256[SHA256_LENGTH];
	char		digest[DIGEST_TEXT_LENGTH];
	Datum		values[5];
	bool		isnull;
	Oid			user;
	int			context;

	Sha256(token, len, sha256);
	memcpy(digest, DIGEST_PREFIX, 7);
	HexEncode(sha256, SHA256_LENGTH, digest + 7);
	values[0] = PointerGetDatum(receipt_id);
	values[1] = PointerGetDatum(cstring_to_text_with_len(digest, sizeof(digest)));
	values[2] = PointerGetDatum(cstring_to_text_with_len((const char *) token, len));
	values[3] = PointerGetDatum(cstring_to_text_with_len((const char *) imprint, SHA256_LENGTH));
	values[4] = TimestampTzGetDatum(attached_at);
	AnswerAsOwner(&user, &context);
	QueryRun(&insert, values, NULL, false, 0);
	if (SPI_processed == 0)
	{
		QueryRun(&stored, values, NULL, false, 1);	/* sees what just got in the way */
		if (SPI_processed > 0)
			attached_at = DatumGetTimestampTz(SPI_getbinval(SPI_tuptable->vals[0],
															SPI_tuptable->tupdesc, 1, &isnull));
	}
	AnswerAsCaller(user, context);
	return attached_at;
}

/*
 * The token out of an authority's answer, copied into memory of the server.
 * Raises if the authority refused, or sent something else.
 */
static uint8 *
TokenOfResponse(bytea *response, int *len)
{
	static const char *const names[] = {"granted", "grantedWithMods", "rejection", "waiting",
	"revocationWarning", "revocationNotification"};
	int			size = VARSIZE_ANY_EXHDR(response);
	/* beforehand, for there must be no palloc while OpenSSL's copy is ours */
	uint8	   *copy = palloc(TOKEN_MAX_SIZE);
	uint8	   *token = NULL;
	int64		status = 0;
	char		status_text[TOKEN_NAME_SIZE];
	ResponseKind kind;

	if (size > TOKEN_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the time-stamp token is too large"),
				 errdetail("It has %d bytes; the most are %d.", size, TOKEN_MAX_SIZE)));
	kind = ReadResponse((const uint8 *) VARDATA_ANY(response), size, &token, len,
						&status, status_text);
	if (kind == RESPONSE_TOKEN && *len > TOKEN_MAX_SIZE)
		kind = RESPONSE_MALFORMED;
	if (kind == RESPONSE_TOKEN)
		memcpy(copy, token, *len);
	OPENSSL_free(token);
	switch (kind)
	{
		case RESPONSE_TOKEN:
			break;
		case RESPONSE_REFUSED:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the time-stamping authority granted no token"),
					 errdetail("Its status is %s%s%s.",
							   status >= 0 && status < (int64) lengthof(names) ?
							   names[status] : psprintf(INT64_FORMAT, status),
							   status_text[0] ? ": " : "", status_text)));
			break;
		case RESPONSE_MALFORMED:
			RefuseToken("it is neither a TimeStampToken nor a TimeStampResp of RFC 3161",
						"Give the bytes as the authority sent them, DER without any text around it.");
	}
	return copy;
}

/*
 * SQL
 */

/* Raises unless an argument was given. */
static void
RequireArgument(FunctionCallInfo fcinfo, int n, const char *name)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", name)));
}

/* A policy or a nonce that the caller asks for, in the form of those in tokens. */
static char *
NormalTerm(FunctionCallInfo fcinfo, int n, bool is_policy)
{
	char	   *given;
	char	   *normal;

	if (PG_ARGISNULL(n))
		return NULL;
	given = text_to_cstring(PG_GETARG_TEXT_PP(n));
	normal = palloc(TOKEN_OID_SIZE);
	if (is_policy ? NormalPolicy(given, normal) : NormalNonce(given, normal))
		return normal;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 is_policy ?
			 errmsg("policy must be an object identifier in dotted form") :
			 errmsg("nonce must be an integer, decimal or 0x and hex digits")));
	return NULL;				/* not reached */
}

/* answer_anchor_request(receipt_id, policy) */
PG_FUNCTION_INFO_V1(answer_eval_anchor_request);
Datum
answer_eval_anchor_request(PG_FUNCTION_ARGS)
{
	text	   *receipt_id;
	uint8		sha256[SHA256_LENGTH];
	char		nonce[TOKEN_INTEGER_SIZE];
	char	   *policy;
	uint8	   *der = NULL;
	bytea	   *request;
	int			len;

	RequireArgument(fcinfo, 0, "receipt_id");
	PreventCommandIfReadOnly("answer_anchor_request()");
	policy = NormalTerm(fcinfo, 1, true);
	receipt_id = PG_GETARG_TEXT_PP(0);
	request = palloc(VARHDRSZ + REQUEST_MAX_SIZE);

	SPI_connect();
	StoredDigest(receipt_id, sha256);
	len = MakeRequest(sha256, policy, &der, nonce);
	if (len > 0 && len <= REQUEST_MAX_SIZE)
		memcpy(VARDATA(request), der, len);
	OPENSSL_free(der);
	if (len <= 0 || len > REQUEST_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not make a time-stamp request with OpenSSL")));
	SET_VARSIZE(request, VARHDRSZ + len);
	StoreRequest(receipt_id, nonce, policy);
	SPI_finish();
	PG_RETURN_BYTEA_P(request);
}

/* answer_anchor_attach(receipt_id, token) */
PG_FUNCTION_INFO_V1(answer_eval_anchor_attach);
Datum
answer_eval_anchor_attach(PG_FUNCTION_ARGS)
{
	static const AnchorTerms no_terms = {0};
	MemoryContext caller = CurrentMemoryContext;
	text	   *receipt_id;
	uint8		sha256[SHA256_LENGTH];
	TokenReport report;
	TimestampTz attached_at;
	JsonView	anchor;
	uint8	   *token;
	int			len;
	const char *problem;

	RequireArgument(fcinfo, 0, "receipt_id");
	RequireArgument(fcinfo, 1, "token");
	PreventCommandIfReadOnly("answer_anchor_attach()");
	receipt_id = PG_GETARG_TEXT_PP(0);
	token = TokenOfResponse(PG_GETARG_BYTEA_PP(1), &len);

	SPI_connect();
	StoredDigest(receipt_id, sha256);
	TokenExamine(token, len, sha256, &no_terms, &report);
	problem = FirstFailure(&report);
	if (problem)
		RefuseToken(problem, NULL);
	if (!report.embedded)
		RefuseToken("the certificate of its signer is not in it",
					"Ask the authority for its certificate (certReq), as answer_anchor_request() does.");
	CheckRequested(receipt_id, &report);
	attached_at = StoreAnchor(receipt_id, token, len, sha256);
	SPI_finish();
	MemoryContextSwitchTo(caller);
	anchor = AnchorView(token, len, sha256, attached_at);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&anchor, false));
}

/*
 * answer_anchor(token, imprint, attached_at): the object that a receipt carries,
 * of the columns of answer.anchor.
 */
PG_FUNCTION_INFO_V1(answer_eval_anchor);
Datum
answer_eval_anchor(PG_FUNCTION_ARGS)
{
	bytea	   *token = PG_GETARG_BYTEA_PP(0);
	bytea	   *imprint = PG_GETARG_BYTEA_PP(1);
	JsonView	anchor;

	if (VARSIZE_ANY_EXHDR(imprint) != SHA256_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("imprint must have %d bytes", SHA256_LENGTH)));
	if (VARSIZE_ANY_EXHDR(token) > TOKEN_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the time-stamp token is too large")));
	anchor = AnchorView((const uint8 *) VARDATA_ANY(token), VARSIZE_ANY_EXHDR(token),
						(const uint8 *) VARDATA_ANY(imprint), PG_GETARG_TIMESTAMPTZ(2));
	PG_RETURN_JSONB_P(JsonViewToJsonb(&anchor, false));
}

/* Reports on the anchor of what was given as a receipt. */
static Datum
VerifyAnchorOf(FunctionCallInfo fcinfo, const JsonView *receipt)
{
	AnchorTerms terms = {0};
	AnchorReport report;
	TimestampTz at;
	JsonView	view;

	if (!PG_ARGISNULL(1))
		terms.roots = text_to_cstring(PG_GETARG_TEXT_PP(1));
	if (!PG_ARGISNULL(2))
	{
		at = PG_GETARG_TIMESTAMPTZ(2);
		terms.at = &at;
	}
	terms.nonce = NormalTerm(fcinfo, 3, false);
	terms.policy = NormalTerm(fcinfo, 4, true);
	report.reason = DocumentProblem(receipt);
	if (report.reason)
	{
		report.outcome = ANCHOR_MISMATCH;
		report.has_token = false;
	}
	else
		AnchorExamine(receipt, &terms, &report);
	view = ReportView(&report, &terms);
	return JsonbPGetDatum(JsonViewToJsonb(&view, true));
}

/* answer_anchor_verify(receipt json or text, roots, at, nonce, policy) */
PG_FUNCTION_INFO_V1(answer_eval_anchor_verify_json);
Datum
answer_eval_anchor_verify_json(PG_FUNCTION_ARGS)
{
	JsonView	receipt;

	ReadDocumentText(fcinfo, &receipt);
	return VerifyAnchorOf(fcinfo, &receipt);
}

/* answer_anchor_verify(receipt jsonb, roots, at, nonce, policy) */
PG_FUNCTION_INFO_V1(answer_eval_anchor_verify_jsonb);
Datum
answer_eval_anchor_verify_jsonb(PG_FUNCTION_ARGS)
{
	JsonView	receipt;

	ReadDocumentJsonb(fcinfo, &receipt);
	return VerifyAnchorOf(fcinfo, &receipt);
}
