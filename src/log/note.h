/*-------------------------------------------------------------------------
 *
 * note.h
 *		Signed notes, checkpoints and cosignatures.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_NOTE_H
#define ANSWER_EVAL_NOTE_H

#include "base/jsonview.h"
#include "check/operator.h"
#include "keys/keyring.h"
#include "log/merkle.h"

#define NOTE_KEY_HASH_LENGTH	4
#define NOTE_MAX_SIGNATURES		100
#define NOTE_MAX_SIZE			(1024 * 1024)
#define HASH_TEXT_LENGTH		44	/* base64 of a hash */

/* Algorithm bytes of signed-note keys. */
#define NOTE_ALG_ED25519		0x01
#define NOTE_ALG_COSIGNATURE	0x04

/* A parsed vkey, which was given to a verifier. */
typedef struct NoteKey
{
	Span		name;
	uint8		hash[NOTE_KEY_HASH_LENGTH];
	uint8		alg;
	uint8		public_key[ED25519_KEY_LENGTH];
} NoteKey;

typedef struct NoteSignature
{
	Span		name;
	uint8		hash[NOTE_KEY_HASH_LENGTH];
	const uint8 *bytes;			/* the bytes after the key hash */
	int			len;
} NoteSignature;

typedef struct Note
{
	Span		whole;
	Span		text;			/* the signed text, with its last newline */
	int			count;
	NoteSignature *signatures;
} Note;

typedef struct Checkpoint
{
	Note		note;
	Span		origin;
	uint64		tree_size;
	MerkleHash	root;
} Checkpoint;

/* The result of looking at a note's signature. */
typedef enum NoteSignatureState
{
	NOTE_SIGNATURE_UNKNOWN,		/* by none of the given keys */
	NOTE_SIGNATURE_VERIFIED,
	NOTE_SIGNATURE_INVALID
} NoteSignatureState;

/* keys */
extern void NoteKeyInit(NoteKey *key, Span name, uint8 alg, const uint8 *public_key);
extern bool NoteKeyParse(Span vkey, NoteKey *key);
extern char *NoteKeyFormat(const NoteKey *key);
extern bool NoteNameIsValid(Span name);

/* writing */
extern void CheckpointText(StringInfo out, Span origin, uint64 tree_size,
						   const MerkleHash *root);
extern void NoteSignatureLine(StringInfo out, const NoteKey *key, const uint8 *prefix,
							  int prefix_len, const uint8 *signature);
extern void CosignatureMessage(StringInfo out, Span text, uint64 time);
extern void BigEndian64(uint64 value, uint8 *bytes);

/* reading */
extern bool DecimalParse(Span text, uint64 *value);
extern bool HashParse(Span text, MerkleHash *hash);
extern const char *NoteParse(Span text, Note *note);
extern const char *CheckpointParse(Span text, Checkpoint *checkpoint);
extern bool NoteSignatureNamesSameKey(const NoteSignature *a, const NoteSignature *b);
extern NoteSignatureState NoteSignatureCheck(const Note *note, const NoteSignature *signature,
											 const NoteKey *keys, int nkeys,
											 const NoteKey **key, uint64 *time);
extern const char *CheckpointProblem(const Checkpoint *checkpoint, const NoteKey *keys,
									 int nkeys, JsonView *signatures);

#endif							/* ANSWER_EVAL_NOTE_H */
