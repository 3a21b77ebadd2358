/*-------------------------------------------------------------------------
 *
 * closest.c
 *		Finds the known words that are closest to an unknown one.
 *
 * Error hints use this: for a misspelt word they list the allowed words, the
 * closest first.  The distance is PostgreSQL's own (Levenshtein), which it uses
 * for misspelt columns.  Words are in the encoding of the database.
 *
 * Promises: words of more than CLOSEST_MAX_LENGTH bytes are not compared, so an
 * unknown word of any length costs little.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/varlena.h"

#include "base/closest.h"

/*
 * Returns how many letters must be inserted, deleted or replaced to turn one word into
 * the other.  If it is more than "most", the result is some number above "most".
 */
int
WordDistance(const char *a, const char *b, int most)
{
	size_t		a_len = strlen(a);
	size_t		b_len = strlen(b);

	if (a_len > CLOSEST_MAX_LENGTH || b_len > CLOSEST_MAX_LENGTH)
		return most + 1;
	return varstr_levenshtein_less_equal(a, a_len, b, b_len, 1, 1, 1, most, true);
}

/*
 * Returns the words, which end with NULL, quoted and separated by commas, those closest
 * to "word" first.  If "word" is empty, their order is kept.
 */
char *
WordsClosestFirst(const char *word, const char *const *words)
{
	StringInfoData list;
	int			count = 0;
	const char **sorted;
	int		   *distances;

	while (words[count])
		count++;
	sorted = palloc(sizeof(char *) * Max(count, 1));
	distances = palloc(sizeof(int) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		int			distance = *word ? WordDistance(word, words[i], CLOSEST_MAX_LENGTH) : 0;
		int			at = i;

		for (; at > 0 && distances[at - 1] > distance; at--)
		{
			sorted[at] = sorted[at - 1];
			distances[at] = distances[at - 1];
		}
		sorted[at] = words[i];
		distances[at] = distance;
	}
	initStringInfo(&list);
	for (int i = 0; i < count; i++)
		appendStringInfo(&list, "%s\"%s\"", i > 0 ? ", " : "", sorted[i]);
	return list.data;
}
