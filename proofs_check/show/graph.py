"""Which statement's proof uses which, and what a refutation shakes."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from proofs_check.judging.verdict import Verdict
from proofs_check.statements.statement import Statement
from tabular_krope.errors import KropeError, unknown_name

if TYPE_CHECKING:
    import networkx as nx


def proof_graph(
    statements: Mapping[str, Statement] | None = None, verdicts: Iterable[Verdict] = ()
) -> "nx.DiGraph[str]":
    """A directed graph with an edge from each statement to each one that its proof uses; it has no cycle.

    Args:
        statements: by slug; every statement of the laboratory if None.
        verdicts: what was decided, where it was.

    Returns:
        Nodes are slugs with the attributes ``claim``, ``source``, ``expected`` (outcome), ``outcome``, ``evidence``
        and ``formal`` (None if the statement was not judged), and ``false_step`` (name of the first false step of its
        proof, expected or found).

    >>> list(proof_graph().successors("truncation-stable"))
    ['rkhs-contraction']
    """
    import networkx as nx

    if statements is None:
        from proofs_check.statements.registry import STATEMENTS

        statements = STATEMENTS
    found = {verdict.slug: verdict for verdict in verdicts}
    graph: nx.DiGraph[str] = nx.DiGraph()
    for slug, statement in statements.items():
        graph.add_node(slug, **_facts(statement, found.get(slug)))
    for slug, statement in statements.items():
        for used in statement.uses:
            if used not in statements:
                raise unknown_name(f"{slug}.uses", used, statements)
            graph.add_edge(slug, used)
    if not nx.is_directed_acyclic_graph(graph):
        cycle = [edge[0] for edge in nx.find_cycle(graph)]
        raise KropeError(f"uses must not form a cycle; got {' -> '.join([*cycle, cycle[0]])}")
    return graph


def shaken(graph: "nx.DiGraph[str]", verdicts: Iterable[Verdict]) -> set[str]:
    """Slugs of the statements whose proof uses, directly or not, a refuted one.

    A refuted statement is among them only if its own proof uses another refuted one. A shaken statement may still be
    true: it is the proof that does not stand.

    >>> import networkx as nx
    >>> graph = nx.DiGraph([("corollary", "theorem"), ("theorem", "lemma"), ("theorem", "identity")])
    >>> sorted(shaken(graph, [Verdict("lemma", "", "refuted", "witness", 1, 0, 0.0)]))
    ['corollary', 'theorem']
    """
    import networkx as nx

    refuted = [verdict.slug for verdict in verdicts if verdict.outcome == "refuted"]
    for slug in refuted:
        if slug not in graph:
            raise unknown_name("verdicts.slug", slug, graph)
    return {above for slug in refuted for above in nx.ancestors(graph, slug)}


def _facts(statement: Statement, verdict: Verdict | None) -> dict[str, Any]:
    return {
        "claim": statement.claim,
        "source": statement.source,
        "expected": statement.expected,
        "outcome": None if verdict is None else verdict.outcome,
        "evidence": None if verdict is None else verdict.evidence,
        "formal": None if verdict is None else verdict.formal,
        "false_step": statement.false_step if verdict is None else verdict.first_false_step,
    }
