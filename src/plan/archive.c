/*-------------------------------------------------------------------------
 *
 * archive.c
 *		Writes and reads named files as one archive: a BagIt bag in a ustar file.
 *		The same files always give the same bytes.
 *
 * Rule: doc/spec/plan.md §16.6; POSIX.1's ustar format; RFC 8493 (BagIt).  An
 * archive contains only regular files below one directory, sorted by the bytes
 * of their names.  Mode is 0644; owner, group and time are 0; the names of owner
 * and group are empty.  It ends with exactly two blocks of zeros.  So nothing in
 * it tells where or when it was written, and tar, sha256sum and openssl can read
 * it without this extension.
 *
 * The reader takes out names and contents, writes the archive again, and refuses
 * any archive that is not identical to the result.  So a malformed archive cannot
 * be read in two ways, and no file can hide behind another one with its name.
 *
 * Promises: pure; linear, except for sorting names; reads no more than the bytes
 * given, whatever sizes a header states.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/grow.h"
#include "base/sha256.h"
#include "plan/archive.h"

#define BLOCK_SIZE			512
#define END_BLOCKS			2
#define CHECKSUM_DIGITS		6
#define SIZE_DIGITS			11

/* Files that describe the bag. */
#define BAG_DECLARATION		"bagit.txt"
#define BAG_INFO			"bag-info.txt"
#define BAG_MANIFEST		"manifest-sha256.txt"
#define BAG_TAG_MANIFEST	"tagmanifest-sha256.txt"

static const char bag_declaration[] =
"BagIt-Version: 1.0\n"
"Tag-File-Character-Encoding: UTF-8\n";

/* A header as in POSIX.1; all members are characters. */
typedef struct UstarHeader
{
	char		name[100];
	char		mode[8];
	char		uid[8];
	char		gid[8];
	char		size[12];
	char		mtime[12];
	char		checksum[8];
	char		typeflag;
	char		linkname[100];
	char		magic[6];
	char		version[2];
	char		uname[32];
	char		gname[32];
	char		devmajor[8];
	char		devminor[8];
	char		prefix[155];
	char		rest[12];
} UstarHeader;

StaticAssertDecl(sizeof(UstarHeader) == BLOCK_SIZE, "a header is a block");
StaticAssertDecl(sizeof(((UstarHeader *) 0)->name) == BUNDLE_PATH_MAX, "a path is a name");

/*
 * lists of files
 */

void
BundleAdd(BundleFiles *files, const char *path, Span bytes)
{
	GROW_ARRAY(files->files, files->count, files->capacity, 32);
	files->files[files->count++] = (BundleFile) {SpanOfCString(path), bytes};
}

void
BundleSort(BundleFiles *files)
{
	if (files->count > 0)
		qsort(files->files, files->count, sizeof(BundleFile), SpanOrderItems);
}

const BundleFile *
BundleFind(const BundleFiles *files, const char *path)
{
	Span		sought = SpanOfCString(path);

	if (files->count == 0)
		return NULL;
	return bsearch(&sought, files->files, files->count, sizeof(BundleFile), SpanOrderItems);
}

/*
 * the bag
 */

static void
AppendManifestLine(StringInfo manifest, const BundleFile *file)
{
	uint8		sha256[SHA256_LENGTH];
	char		hex[2 * SHA256_LENGTH];

	Sha256(file->bytes.str, file->bytes.len, sha256);
	HexEncode(sha256, SHA256_LENGTH, hex);
	appendBinaryStringInfo(manifest, hex, sizeof(hex));
	appendStringInfo(manifest, "  %.*s\n", file->path.len, file->path.str);
}

static Span
ManifestOf(const BundleFiles *files)
{
	StringInfoData manifest;

	initStringInfo(&manifest);
	for (int i = 0; i < files->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AppendManifestLine(&manifest, &files->files[i]);
	}
	return SpanOf(manifest.data, manifest.len);
}

/* Returns bag-info.txt: the bytes and the number of files of the payload. */
static Span
InfoOf(const BundleFiles *payload)
{
	int64		bytes = 0;
	char	   *info;

	for (int i = 0; i < payload->count; i++)
		bytes += payload->files[i].bytes.len;
	info = psprintf("Payload-Oxum: " INT64_FORMAT ".%d\n", bytes, payload->count);
	return SpanOfCString(info);
}

/* Collects the payload and the files that describe the bag, in the order of the archive. */
static void
MakeBag(BundleFiles *payload, BundleFiles *bag)
{
	BundleFiles tags = {0};

	BundleSort(payload);
	BundleAdd(&tags, BAG_INFO, InfoOf(payload));
	BundleAdd(&tags, BAG_DECLARATION, SpanOf(bag_declaration, sizeof(bag_declaration) - 1));
	BundleAdd(&tags, BAG_MANIFEST, ManifestOf(payload));
	BundleAdd(&tags, BAG_TAG_MANIFEST, ManifestOf(&tags));
	bag->count = bag->capacity = payload->count + tags.count;
	bag->files = palloc_extended(sizeof(BundleFile) * (Size) bag->count, MCXT_ALLOC_HUGE);
	memcpy(bag->files, tags.files, sizeof(BundleFile) * tags.count);
	if (payload->count > 0)
		memcpy(bag->files + tags.count, payload->files, sizeof(BundleFile) * (Size) payload->count);
	BundleSort(bag);
}

/*
 * the archive
 */

/* Writes a number in octal digits, which fill a member except its last byte. */
static void
PutOctal(char *member, int digits, int64 number)
{
	for (int i = digits - 1; i >= 0; i--, number >>= 3)
		member[i] = '0' + (number & 7);
}

static void
FillHeader(UstarHeader *header, Span top, Span path, int size)
{
	uint32		checksum = 0;

	memset(header, 0, sizeof(*header));
	memcpy(header->name, top.str, top.len);
	header->name[top.len] = '/';
	memcpy(header->name + top.len + 1, path.str, path.len);
	PutOctal(header->mode, 7, 0644);
	PutOctal(header->uid, 7, 0);
	PutOctal(header->gid, 7, 0);
	PutOctal(header->size, SIZE_DIGITS, size);
	PutOctal(header->mtime, SIZE_DIGITS, 0);
	header->typeflag = '0';
	memcpy(header->magic, "ustar", 6);
	memcpy(header->version, "00", 2);
	PutOctal(header->devmajor, 7, 0);
	PutOctal(header->devminor, 7, 0);
	/* the sum is computed with blanks in place of itself */
	memset(header->checksum, ' ', sizeof(header->checksum));
	for (int i = 0; i < BLOCK_SIZE; i++)
		checksum += ((const unsigned char *) header)[i];
	PutOctal(header->checksum, CHECKSUM_DIGITS, checksum);
	header->checksum[CHECKSUM_DIGITS] = '\0';
}

static int64
BlocksOf(int size)
{
	return ((int64) size + BLOCK_SIZE - 1) / BLOCK_SIZE;
}

static int64
ArchiveSize(const BundleFiles *bag)
{
	int64		blocks = END_BLOCKS;

	for (int i = 0; i < bag->count; i++)
		blocks += 1 + BlocksOf(bag->files[i].bytes.len);
	return blocks * BLOCK_SIZE;
}

bool
BundleWrite(const char *top, BundleFiles *payload, Span *archive)
{
	BundleFiles bag;
	int64		size;
	char	   *out;

	MakeBag(payload, &bag);
	size = ArchiveSize(&bag);
	if (size > BUNDLE_MAX_SIZE)
		return false;
	out = palloc0(size);
	*archive = SpanOf(out, (int) size);
	for (int i = 0; i < bag.count; i++)
	{
		const BundleFile *file = &bag.files[i];

		CHECK_FOR_INTERRUPTS();
		Assert(strlen(top) + 1 + file->path.len <= BUNDLE_PATH_MAX);
		FillHeader((UstarHeader *) out, SpanOfCString(top), file->path, file->bytes.len);
		out += BLOCK_SIZE;
		if (file->bytes.len > 0)
			memcpy(out, file->bytes.str, file->bytes.len);
		out += BlocksOf(file->bytes.len) * BLOCK_SIZE;
	}
	return true;
}

/*
 * reading
 */

/* Is it a safe file name: ASCII, without characters that are special in a shell or a path? */
static bool
IsPlainName(Span name)
{
	for (int i = 0; i < name.len; i++)
	{
		char		c = name.str[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			  (i > 0 && strchr("._-", c) != NULL)))
			return false;
	}
	return name.len > 0;
}

static bool
IsPlainPath(Span path)
{
	int			begin = 0;

	for (int i = 0; i <= path.len; i++)
	{
		if (i < path.len && path.str[i] != '/')
			continue;
		if (!IsPlainName(SpanOf(path.str + begin, i - begin)))
			return false;
		begin = i + 1;
	}
	return true;
}

/* Returns the size in a header, or -1. */
static int64
StatedSize(const UstarHeader *header)
{
	int64		size = 0;

	for (int i = 0; i < SIZE_DIGITS; i++)
	{
		if (header->size[i] < '0' || header->size[i] > '7')
			return -1;
		size = size * 8 + (header->size[i] - '0');
	}
	return size;
}

static bool
IsZero(const char *bytes, int64 len)
{
	for (int64 i = 0; i < len; i++)
	{
		if (bytes[i] != '\0')
			return false;
	}
	return true;
}

static const char *
HeaderProblem(int64 at)
{
	return psprintf("the header at byte " INT64_FORMAT " is not one that this product writes", at);
}

/*
 * Reads the file whose header begins at *at, and moves *at behind the file.  The
 * first file sets the top directory.  Returns NULL, or what is wrong.
 */
static const char *
ReadFile(Span archive, int64 *at, Span *top, BundleFile *file)
{
	const UstarHeader *header = (const UstarHeader *) (archive.str + *at);
	int64		size = StatedSize(header);
	Span		name = SpanOf(header->name, (int) strnlen(header->name, BUNDLE_PATH_MAX));
	const char *slash = memchr(name.str, '/', name.len);
	UstarHeader again;

	if (slash == NULL || !IsPlainPath(name) || size < 0)
		return HeaderProblem(*at);
	if (size > archive.len - *at - BLOCK_SIZE)
		return psprintf("the archive ends within the file whose header is at byte " INT64_FORMAT, *at);
	if (top->len == 0)
		*top = SpanOf(name.str, (int) (slash - name.str));
	file->path = SpanOf(slash + 1, name.len - (int) (slash + 1 - name.str));
	if (!SpanEqual(SpanOf(name.str, (int) (slash - name.str)), *top))
		return psprintf("%.*s is in another directory than the first file", name.len, name.str);
	FillHeader(&again, *top, file->path, (int) size);
	if (memcmp(&again, header, BLOCK_SIZE) != 0)
		return HeaderProblem(*at);
	file->bytes = SpanOf(archive.str + *at + BLOCK_SIZE, (int) size);
	*at += BLOCK_SIZE * (1 + BlocksOf((int) size));
	return NULL;
}

/* Reads all files up to the end of the archive. */
static const char *
ReadFiles(Span archive, Span *top, BundleFiles *files)
{
	int64		at = 0;
	int64		end = archive.len - END_BLOCKS * BLOCK_SIZE;

	if (archive.len % BLOCK_SIZE != 0 || end < 0 || !IsZero(archive.str + end, archive.len - end))
		return "the archive does not end with two blocks of zeros";
	while (at < end)
	{
		BundleFile	file;
		const char *problem = ReadFile(archive, &at, top, &file);

		CHECK_FOR_INTERRUPTS();
		if (problem)
			return problem;
		if (at > end)
			return psprintf("the archive ends within %.*s", file.path.len, file.path.str);
		if (!IsZero(file.bytes.str + file.bytes.len, archive.str + at - file.bytes.str - file.bytes.len))
			return psprintf("there are bytes behind %.*s that belong to no file", file.path.len, file.path.str);
		if (files->count > 0 && SpanOrder(files->files[files->count - 1].path, file.path) >= 0)
			return psprintf("%.*s stands out of order", file.path.len, file.path.str);
		BundleAdd(files, "", file.bytes);
		files->files[files->count - 1].path = file.path;
	}
	return NULL;
}

/* Compares the bag that was read with the one that its payload makes. */
static const char *
BagProblem(const BundleFiles *read, const BundleFiles *made)
{
	for (int i = 0; i < made->count; i++)
	{
		const BundleFile *one = i < read->count ? &read->files[i] : NULL;
		const BundleFile *other = &made->files[i];

		if (one == NULL || SpanOrder(one->path, other->path) > 0)
			return psprintf("%.*s is missing", other->path.len, other->path.str);
		if (!SpanEqual(one->path, other->path))
			return psprintf("%.*s is no file of a bundle", one->path.len, one->path.str);
		if (!SpanEqual(one->bytes, other->bytes))
			return psprintf("%.*s does not say what the files below " BUNDLE_PAYLOAD " are", one->path.len, one->path.str);
	}
	/* a file that is not below data/ and sorts after all others */
	if (read->count > made->count)
		return psprintf("%.*s is no file of a bundle", read->files[made->count].path.len,
						read->files[made->count].path.str);
	return NULL;
}

bool
BundleRead(Span archive, Span *top, BundleFiles *payload, const char **problem)
{
	BundleFiles files = {0};
	BundleFiles bag;

	*top = SpanOf("", 0);
	memset(payload, 0, sizeof(*payload));
	*problem = ReadFiles(archive, top, &files);
	if (*problem)
		return false;
	for (int i = 0; i < files.count; i++)
	{
		if (!SpanStartsWith(files.files[i].path, SpanOfCString(BUNDLE_PAYLOAD)))
			continue;
		BundleAdd(payload, "", files.files[i].bytes);
		payload->files[payload->count - 1].path = files.files[i].path;
	}
	MakeBag(payload, &bag);
	*problem = BagProblem(&files, &bag);
	return *problem == NULL;
}
