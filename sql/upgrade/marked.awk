# Prints of the files in sql/ what an update from the last release needs. A line that begins with "--: " says what
# follows it, up to the next such line or the end of the file; a file begins as released:
#
#     --: new            objects that the last release had not, and comments that it had not: taken as they are
#     --: changed        functions that it had, with the same result type: replaced, so that rights stay
#     --: as released    what is as it was, or is changed in begin.sql
FNR == 1 { part = "as released" }
/^--: / {
	part = substr($0, 5)
	if (part !~ /^(new|changed|as released)$/) {
		printf "%s:%d: unknown mark \"%s\"\n", FILENAME, FNR, part >"/dev/stderr"
		exit 1
	}
	print ""
	next
}
part == "changed" { sub(/^CREATE FUNCTION /, "CREATE OR REPLACE FUNCTION ") }
part != "as released"
