#!/usr/bin/env python3
"""Checks the handbooks and questions.jsonl. Standard library only.

Fails (exit 1) if
  * a question shares a stemmed content word with a relevant page (title and text),
  * a relevant page does not exist, or lies in another handbook,
  * two pages of one handbook share more than 40 % of their 5-word shingles,
  * a page is not 120..350 words with one H1 and 2..5 H2,
  * ids, halves (odd a, even b) or fields are wrong, or a half lacks a handbook.
Near misses (a question word inside a page word or sharing a long beginning
with one) are printed as notes; with --strict they fail as well.
"""
import itertools, json, os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
BOOKS = ("oauth", "bakery", "sailing")

# function words only: articles, pronouns, prepositions, conjunctions,
# auxiliaries, question words, plain degree adverbs
STOP = set("""
a about after all also am an and any are as at be because been before being but
by can cannot could did do does doing down each every for from had has have
having he her here him his how i if in into is it its just may me might more
most must my no nor not now of off on once only or other our out over own shall
she should so some such than that the their them then there these they this
those through to too under until up us very was we were what when where which
while who whom whose why will with without would you your yours s t d ll m re ve
don doesn won isn aren can't
""".split())

SUFFIXES = ["ations", "ation", "ments", "ment", "ingly", "ings", "ing", "edly",
            "ions", "ion", "ness", "ally", "ers", "ier", "ies", "ied", "ily",
            "able", "er", "ed", "es", "ly", "al", "or", "s", "y", "e"]


def stem(w):
    changed = True
    while changed:
        changed = False
        for s in SUFFIXES:
            if w.endswith(s) and len(w) - len(s) >= 3:
                w = w[:-len(s)]
                changed = True
                break
    if len(w) > 3 and w[-1] == w[-2]:          # stopp -> stop
        w = w[:-1]
    return w


def words(text):
    text = text.lower().replace("\u2019", "'")
    return [w for w in re.findall(r"[a-z]+", text.replace("_", " "))]


def content(text):
    return {w for w in words(text) if w not in STOP and len(w) > 1}


def near(q, p):
    if len(q) >= 4 and q in p or len(p) >= 5 and p in q:
        return True
    n = len(os.path.commonprefix([q, p]))
    return n >= 5 and n >= min(len(q), len(p)) - 2


def main():
    strict = "--strict" in sys.argv
    errors, notes = [], []
    pages = {}
    for b in BOOKS:
        for name in sorted(os.listdir(os.path.join(HERE, b))):
            if name.endswith(".md"):
                with open(os.path.join(HERE, b, name), encoding="utf-8") as f:
                    pages[b + "/" + name] = f.read()
    total = 0
    for p, t in pages.items():
        n = len(t.split()); total += n
        h1 = len(re.findall(r"^# ", t, re.M)); h2 = len(re.findall(r"^## ", t, re.M))
        if not 120 <= n <= 350: errors.append(f"{p}: {n} words")
        if h1 != 1 or not t.startswith("# "): errors.append(f"{p}: {h1} H1")
        if not 2 <= h2 <= 5: errors.append(f"{p}: {h2} H2")

    worst = (0.0, "", "")
    for b in BOOKS:
        sh = {}
        for p, t in pages.items():
            if p.startswith(b + "/"):
                w = re.findall(r"[a-z0-9]+", t.lower())
                sh[p] = {tuple(w[i:i + 5]) for i in range(len(w) - 4)}
        for p, q in itertools.combinations(sh, 2):
            r = len(sh[p] & sh[q]) / min(len(sh[p]), len(sh[q]))
            worst = max(worst, (r, p, q))
            if r > 0.40: errors.append(f"{p} and {q} share {r:.0%} of shingles")

    qs = []
    with open(os.path.join(HERE, "questions.jsonl"), encoding="utf-8") as f:
        for line in f:
            if line.strip(): qs.append(json.loads(line))
    seen_q, halves = set(), {"a": {}, "b": {}}
    for i, q in enumerate(qs, 1):
        qid = q["id"]
        if set(q) != {"id", "half", "handbook", "query", "relevant"}:
            errors.append(f"{qid}: fields {sorted(q)}")
        if qid != f"q{i:02d}": errors.append(f"{qid}: expected q{i:02d}")
        if q["half"] != ("a" if i % 2 else "b"): errors.append(f"{qid}: half {q['half']}")
        halves[q["half"]][q["handbook"]] = halves[q["half"]].get(q["handbook"], 0) + 1
        if q["query"] in seen_q: errors.append(f"{qid}: repeated query")
        seen_q.add(q["query"])
        if not 1 <= len(q["relevant"]) <= 2: errors.append(f"{qid}: {len(q['relevant'])} relevant pages")
        qc = content(q["query"])
        if not qc: errors.append(f"{qid}: no content word")
        for p in q["relevant"]:
            if p not in pages: errors.append(f"{qid}: no such page {p}"); continue
            if not p.startswith(q["handbook"] + "/"): errors.append(f"{qid}: {p} is in another handbook")
            pc = content(pages[p] + " " + p)
            ps = {stem(w): w for w in pc}
            for w in sorted(qc):
                if stem(w) in ps: errors.append(f"{qid}: '{w}' shares a stem with '{ps[stem(w)]}' in {p}")
                else:
                    for x in sorted(pc):
                        if near(w, x): notes.append(f"{qid}: '{w}' is near '{x}' in {p}")
    for h in "ab":
        if set(halves[h]) != set(BOOKS): errors.append(f"half {h} lacks a handbook")

    for n in notes: print("note:", n)
    for e in errors: print("FAIL:", e)
    for b in BOOKS:
        k = [p for p in pages if p.startswith(b + "/")]
        print(f"{b}: {len(k)} pages, {sum(len(pages[p].split()) for p in k)} words, "
              f"{sum(q['handbook'] == b for q in qs)} questions")
    print(f"total: {len(pages)} pages, {total} words, {len(qs)} questions; "
          f"half a {halves['a']}, half b {halves['b']}")
    print(f"highest shingle overlap within a handbook: {worst[0]:.1%} ({worst[1]}, {worst[2]})")
    bad = bool(errors) or (strict and bool(notes))
    print("NOT OK" if bad else "OK")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
