"""What the command prints: doc/offline.md."""

from verify.document.canonical import canonical
from verify.document.small_text import printable
from verify.df_verify_1.report import Unusable


def print_report(document, report, options):
    """Print one report, for a program or for people."""
    if options.json:
        print(canonical({"document": document.name, **report}))
        return
    left = left_undone(report)
    if report["ok"] and left is None and options.quiet:
        return
    print("%s: %s%s" % (printable(document.name), "DOES NOT VERIFY" if not report["ok"] else
                        "verifies by the key in the page, which nobody has vouched for" if "keys" in report else "verifies",
                        ", but is incomplete: %s" % printable(left) if report["ok"] and left is not None else ""))
    for name, step in report.get("steps", {}).items():
        print_step(name, step)
    if "fingerprint" in report:
        print("  Compare the key's fingerprint (SHA-256) with one that you have from the issuer by another way:")
        print("  " + report["fingerprint"])
    if "result" in report:
        print_bundle(report)
    elif "steps" not in report:
        print_checkpoint(report)


def left_undone(report):
    """Why a document or a bundle was not fully recomputed; None if it was."""
    return report.get("what") if report.get("result") == "incomplete" else report.get("incomplete")


def print_step(name, step):
    """Print a line for the step, and one for each difference or signature."""
    words = [step.get("reason")] if not step["ok"] else []
    words += [step.get(n) for n in ("state", "gen_time", "key_id") if step["ok"] and step.get(n)]
    if step["ok"] and "incomplete" in step:
        words.append("(incomplete: %s%s)" % (step["incomplete"], "; ask the issuer for them, and give them with --rules"
                                             if step["incomplete"].startswith("rules sha256:") else ""))
    if name == "checkpoint" and step.get("state") == "absent":
        words.append("(nobody vouches for the tree)")
    print(("  %-15s %-4s %s" % (name, "ok" if step["ok"] else "FAIL", printable(" ".join(words)))).rstrip())
    for difference in step.get("differences", ()):
        where = "check %s: " % canonical(difference["check"]) if "check" in difference else ""
        if "reason" in difference:
            sides = "".join("; %s %s" % (key, canonical(difference[key])) for key in ("expected", "found") if key in difference)
            print(printable("    %s%s: %s%s" % (where, difference["field"], difference["reason"], sides)))
        else:
            print(printable("    %s%s is recorded as %s and comes out as %s" % (
                where, difference["field"], shown(difference, "recorded"), shown(difference, "recomputed"))))
    for line in step.get("judged", ()):
        print(printable("    " + line))
    for entry in step.get("signatures", ()):
        print_signature(entry)


def shown(difference, key):
    """One side of a difference."""
    return canonical(difference[key]) if key in difference else "absent"


def print_bundle(report):
    """Print the result of replaying a bundle."""
    print("  result          %s" % report["result"])
    for key in ("step", "field", "expected", "found", "what", "receipt_id", "trace_id"):
        if report.get(key) is not None:
            value = report[key]
            print(printable("  %-15s %s" % (key, value if isinstance(value, str) else canonical(value))))


def print_checkpoint(report):
    """Print what a checkpoint says and who signed it."""
    if "origin" in report:
        print(printable("  origin          %s" % report["origin"]))
        print("  tree_size       %s\n  root_hash       %s" % (report["tree_size"].text, report["root_hash"]))
    if not report["ok"]:
        print("  reason          %s" % printable(report["reason"]))
    for entry in report.get("signatures", ()):
        print_signature(entry)


def print_signature(entry):
    """Print one signature of a note."""
    kind = entry.get("kind", "signature")
    time = " at %s" % entry["time"].text if "time" in entry else ""
    print(printable("    %s by %s+%s%s: %s" % (kind, entry["name"], entry["key_hash"], time, entry["state"])))


def guarded(verify, document):
    """Verify one document; if the verifier itself fails on it, the document does not verify."""
    try:
        return verify(document)
    except (Unusable, KeyboardInterrupt):
        raise
    except Exception as e:      # pylint: disable=broad-except
        return {"ok": False, "reason": "the verifier failed: %s" % type(e).__name__,
                "steps": {"verifier": {"ok": False, "reason": "the verifier failed: %s" % type(e).__name__}}}
