/*-------------------------------------------------------------------------
 *
 * archive.h
 *		Writes and reads named files as one archive: a BagIt bag in a ustar file.
 *		The same files always give the same bytes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ARCHIVE_H
#define ANSWER_EVAL_ARCHIVE_H

#include "base/span.h"

/* Maximum bytes of a path with its top directory: the size of the name field in a ustar header. */
#define BUNDLE_PATH_MAX		100

/* Maximum bytes of an archive. It is well below 1 GB, the limit of a bytea. */
#define BUNDLE_MAX_SIZE		(512 * 1024 * 1024)

/* Files below this directory are the payload; the other files of a bag describe the bag. */
#define BUNDLE_PAYLOAD		"data/"

/* A file of the payload. */
typedef struct BundleFile
{
	Span		path;			/* first, for SpanOrderItems(); below the top directory: "data/plan.json"; ASCII letters, digits and ._-/ */
	Span		bytes;
} BundleFile;

/* A list of files. BundleSort, BundleWrite and BundleRead leave it sorted by the bytes of the paths. */
typedef struct BundleFiles
{
	int			count;
	int			capacity;
	BundleFile *files;
} BundleFiles;

/* Adds a file. path and bytes must outlive the list. A path must not be added twice. */
extern void BundleAdd(BundleFiles *files, const char *path, Span bytes);

extern void BundleSort(BundleFiles *files);

/* Returns the file with this path in a sorted list, or NULL. */
extern const BundleFile *BundleFind(const BundleFiles *files, const char *path);

/*
 * Writes the archive below the directory "top": the payload, bagit.txt,
 * bag-info.txt and both manifests.  Sorts the list.  Returns false if the archive
 * would be larger than BUNDLE_MAX_SIZE.
 */
extern bool BundleWrite(const char *top, BundleFiles *payload, Span *archive);

/*
 * Reads an archive: its payload, and the name of the top directory.  Accepts only
 * the exact bytes that BundleWrite writes for that payload, so two archives with
 * the same files are identical.  Otherwise returns false and sets *problem, one
 * sentence in ASCII that names the file.  The result points into the archive.
 */
extern bool BundleRead(Span archive, Span *top, BundleFiles *payload, const char **problem);

#endif							/* ANSWER_EVAL_ARCHIVE_H */
