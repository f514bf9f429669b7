"""What became of many problems, as tables in Markdown."""

import re
from collections import Counter, defaultdict

# How many problems the project has set itself to be judged without a fault.
ASKED_FOR = 20_000


def reason(text):
    """A message without the numbers in it, so that equal refusals are counted together."""
    text = re.sub(r"column '?\w+'?", "column ...", text)
    return re.sub(r"\[[^\]]*\]|-?\d[\d.e+-]*|'[^']*'", "...", text)[:110]


class Summary:
    """Counts of outcomes."""

    def __init__(self):
        self.kinds = defaultdict(Counter)
        self.tables = defaultdict(Counter)
        self.refusals = Counter()
        self.faults = defaultdict(Counter)
        self.slowest = []

    def add(self, outcome):
        """Count one outcome."""
        for counts in (self.kinds[outcome.kind], self.tables[outcome.table]):
            counts["problems"] += 1
            counts["refused"] += bool(outcome.refused)
            counts["solutions proved"] += outcome.proved
            counts["not proved"] += outcome.unproved
            counts["warned"] += outcome.warned
            counts["faults"] += bool(outcome.faults)
        if outcome.refused:
            self.refusals[reason(outcome.refused)] += 1
        for kind in {kind for kind, _ in outcome.faults}:
            self.faults[kind][outcome.kind] += 1
        self.slowest = sorted([*self.slowest, (round(outcome.seconds, 2), outcome.kind, outcome.seed)])[-5:]

    @property
    def n_problems(self):
        """How many problems were judged."""
        return sum(counts["problems"] for counts in self.kinds.values())

    @property
    def n_faulty(self):
        """How many of them have a fault."""
        return sum(counts["faults"] for counts in self.kinds.values())

    def bars(self):
        """What was asked of the problems, what was found, and whether that is enough."""
        slow, false = (sum(self.faults.get(kind, {}).values()) for kind in ("slow", "false proof"))
        infinite = sum(self.faults.get("prediction", {}).values())
        found = [
            (f"at least {ASKED_FOR} problems", self.n_problems, self.n_problems >= ASKED_FOR),
            ("false proofs, at most 0", false, not false),
            ("predictions that are not finite or out of range, at most 0", infinite, not infinite),
            ("problems of more than 20 s of the processor, at most 0", slow, not slow),
            ("problems with a fault of any kind, at most 0", self.n_faulty, not self.n_faulty),
        ]
        return rows(["bar", "measured", ""], [(asked, n, "met" if met else "NOT met") for asked, n, met in found])

    def markdown(self):
        """All tables."""
        parts = ["## Bars", self.bars(), "## What was judged"]
        parts += [self._table("kind", self.kinds), self._table("table", self.tables)]
        parts.append(rows(["refused because", "problems"], self.refusals.most_common()))
        faults = [(kind, sum(c.values()), listed(c)) for kind, c in self.faults.items()]
        parts.append(rows(["fault", "problems", "of"], faults) if faults else "No faults.")
        parts.append(rows(["processor seconds", "kind", "seed"], self.slowest[::-1]))
        return "\n\n".join(parts)

    def _table(self, name, counted):
        columns = ["problems", "refused", "solutions proved", "not proved", "warned", "faults"]
        lines = [[key, *(counts[c] for c in columns)] for key, counts in sorted(counted.items())]
        total = ["all", *(sum(counts[c] for counts in counted.values()) for c in columns)]
        return rows([name, *columns], [*lines, total])


def listed(counts):
    """Counts in one line."""
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def rows(head, lines):
    """A table in Markdown."""
    cells = [[str(cell).replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *cells])
