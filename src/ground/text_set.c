/*-------------------------------------------------------------------------
 *
 * text_set.c
 *		Finds which of many short texts occur in a long one.
 *
 * Pure.  This is the Aho-Corasick automaton over bytes: the texts form a tree, and each node
 * is linked to the node of its longest proper suffix in the tree.  A text is read once,
 * whatever the short texts have in common, so an answer full of quotes takes time
 * proportional to its length and that of the chunks.
 *
 * Promises: pure; linear in the texts and in what is searched, times at most 256 for the
 * children of a node.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "ground/text_set.h"

#define ROOT		0
#define NO_NODE		(-1)

typedef struct TextNode
{
	int32		child;			/* first child, or NO_NODE */
	int32		sibling;
	int32		suffix;			/* node of the longest proper suffix in the tree */
	int32		ending;			/* node of the longest proper suffix that is a text, or NO_NODE */
	int32		text;			/* text that ends here, or NO_NODE */
	uint8		byte;			/* byte on the edge to this node */
	bool		seen;			/* for TextSetFind */
} TextNode;

struct TextSet
{
	int			count;
	int32	   *node_of;		/* by text */
	int			nnodes;
	TextNode   *nodes;
	int32	   *order;			/* nodes by depth, the root first */
};

static int32
ChildOf(const TextSet *set, int32 node, uint8 byte)
{
	int32		child = set->nodes[node].child;

	while (child != NO_NODE && set->nodes[child].byte != byte)
		child = set->nodes[child].sibling;
	return child;
}

static int32
AddNode(TextSet *set, int32 parent, uint8 byte)
{
	int32		added = set->nnodes++;

	set->nodes[added] = (TextNode) {
		.child = NO_NODE,
		.sibling = parent == NO_NODE ? NO_NODE : set->nodes[parent].child,
		.suffix = ROOT,
		.ending = NO_NODE,
		.text = NO_NODE,
		.byte = byte
	};
	if (parent != NO_NODE)
		set->nodes[parent].child = added;
	return added;
}

static void
AddText(TextSet *set, Span text, int which)
{
	int32		node = ROOT;

	for (int i = 0; i < text.len; i++)
	{
		uint8		byte = (uint8) text.str[i];
		int32		child = ChildOf(set, node, byte);

		node = child != NO_NODE ? child : AddNode(set, node, byte);
	}
	set->nodes[node].text = which;
	set->node_of[which] = node;
}

/* Returns the node that a byte leads to, following suffix links if necessary. */
static int32
Step(const TextSet *set, int32 node, uint8 byte)
{
	for (;;)
	{
		int32		child = ChildOf(set, node, byte);

		if (child != NO_NODE)
			return child;
		if (node == ROOT)
			return ROOT;
		node = set->nodes[node].suffix;
	}
}

/* Links each node to its longest suffix, shallower nodes first. */
static void
LinkSuffixes(TextSet *set)
{
	int			end = 1;

	set->order[0] = ROOT;
	for (int i = 0; i < end; i++)
	{
		int32		node = set->order[i];

		CHECK_FOR_INTERRUPTS();
		for (int32 child = set->nodes[node].child; child != NO_NODE; child = set->nodes[child].sibling)
		{
			int32		suffix = node == ROOT ? ROOT :
				Step(set, set->nodes[node].suffix, set->nodes[child].byte);

			set->nodes[child].suffix = suffix;
			set->nodes[child].ending = set->nodes[suffix].text != NO_NODE ? suffix :
				set->nodes[suffix].ending;
			set->order[end++] = child;
		}
	}
}

TextSet *
TextSetCreate(const Span *texts, int count)
{
	TextSet    *set = palloc0(sizeof(TextSet));
	Size		most = 1;

	for (int i = 0; i < count; i++)
		most += texts[i].len;
	if (most > PG_INT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("too much text is quoted")));
	set->count = count;
	set->node_of = palloc_extended(sizeof(int32) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	set->nodes = palloc_extended(sizeof(TextNode) * most, MCXT_ALLOC_HUGE);
	set->order = palloc_extended(sizeof(int32) * most, MCXT_ALLOC_HUGE);
	AddNode(set, NO_NODE, 0);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddText(set, texts[i], i);
	}
	LinkSuffixes(set);
	return set;
}

void
TextSetFind(TextSet *set, Span text, bool *found)
{
	int32		node = ROOT;

	for (int i = 0; i < set->nnodes; i++)
		set->nodes[i].seen = false;
	for (int i = 0; i < text.len; i++)
	{
		CHECK_FOR_INTERRUPTS();
		node = Step(set, node, (uint8) text.str[i]);
		set->nodes[node].seen = true;
	}
	/* a text that was seen was seen with all its suffixes */
	for (int i = set->nnodes - 1; i > 0; i--)
	{
		const TextNode *here = &set->nodes[set->order[i]];

		if (here->seen)
			set->nodes[here->suffix].seen = true;
	}
	for (int i = 0; i < set->count; i++)
		found[i] |= set->nodes[set->node_of[i]].seen;
}

void
TextSetEach(const TextSet *set, Span text, TextFound report, void *receiver)
{
	int32		node = ROOT;

	for (int i = 0; i < text.len; i++)
	{
		CHECK_FOR_INTERRUPTS();
		node = Step(set, node, (uint8) text.str[i]);
		for (int32 end = set->nodes[node].text != NO_NODE ? node : set->nodes[node].ending;
			 end != NO_NODE; end = set->nodes[end].ending)
			report(receiver, set->nodes[end].text, i + 1);
	}
}
