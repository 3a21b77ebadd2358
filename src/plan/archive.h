/*-------------------------------------------------------------------------
 *
 * archive.h
 *		Named files as one archive: ustar around a BagIt bag, the same bytes for
 *		the same files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ARCHIVE_H
#define ANSWER_EVAL_ARCHIVE_H

#include "base/span.h"

/* Bytes of a path, the top directory included: what the name of a ustar header holds. */
#define BUNDLE_PATH_MAX		100

/* Bytes of an archive, so that it is a bytea whatever is done with it. */
#define BUNDLE_MAX_SIZE		(512 * 1024 * 1024)

/* Below this lies what a bag is about; everything else in it is about the bag. */
#define BUNDLE_PAYLOAD		"data/"

/* A file of the payload. */
typedef struct BundleFile
{
	Span		path;			/* below the top directory: "data/plan.json"; ASCII letters, digits and ._-/ */
	Span		bytes;
} BundleFile;

/* In the order of the bytes of their paths, once they were sorted, written or read. */
typedef struct BundleFiles
{
	int			count;
	int			capacity;
	BundleFile *files;
} BundleFiles;

/* Adds a file; path and bytes must outlive the list.  No path may be there twice. */
extern void BundleAdd(BundleFiles *files, const char *path, Span bytes);

extern void BundleSort(BundleFiles *files);

/* Returns the file of a path in a list that is in order, or NULL. */
extern const BundleFile *BundleFind(const BundleFiles *files, const char *path);

/*
 * Writes the archive, with bagit.txt, bag-info.txt and both manifests beside the
 * payload, all below the directory "top".  Puts the list in order.  False, if it
 * would have more than BUNDLE_MAX_SIZE bytes.
 */
extern bool BundleWrite(const char *top, BundleFiles *payload, Span *archive);

/*
 * Reads an archive: its payload, and the name of the top directory.  Only what
 * BundleWrite writes of that payload is one, byte for byte, so that two
 * archives with the same files are the same.  False, and *problem (one sentence
 * in ASCII that names the file), if it is none.  The result borrows the bytes.
 */
extern bool BundleRead(Span archive, Span *top, BundleFiles *payload, const char **problem);

#endif							/* ANSWER_EVAL_ARCHIVE_H */
