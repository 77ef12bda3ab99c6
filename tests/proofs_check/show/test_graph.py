from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.judging.verdict import Verdict
from proofs_check.show.graph import proof_graph, shaken
from proofs_check.statements.registry import STATEMENTS
from tabular_krope.errors import KropeError

ANY = STATEMENTS["remark-bad-pairs"]


def statements(**uses):
    return {slug: replace(ANY, slug=slug, uses=tuple(used)) for slug, used in uses.items()}


def verdict(slug, outcome="holds", **more):
    return Verdict(slug, "", outcome, "sampled", 1, 0, 0.0, **more)


def test_edges_lead_to_what_a_proof_uses():
    graph = proof_graph(statements(lemma="", theorem=["lemma"], corollary=["theorem", "lemma"]))
    assert set(graph.edges) == {("theorem", "lemma"), ("corollary", "theorem"), ("corollary", "lemma")}


def test_every_statement_is_in_the_graph_with_its_facts():
    graph = proof_graph()
    assert set(graph) == set(STATEMENTS)
    assert set(graph.edges) == {(slug, used) for slug, s in STATEMENTS.items() for used in s.uses}
    for slug, facts in graph.nodes(data=True):
        assert facts["expected"] == STATEMENTS[slug].expected
        assert facts["source"] == STATEMENTS[slug].source
        assert facts["outcome"] is None
        assert facts["false_step"] == STATEMENTS[slug].false_step


def test_a_verdict_fills_in_what_was_found():
    found = [verdict("a", "refuted", first_false_step="last")]
    graph = proof_graph(statements(a="", b=["a"]), found)
    assert graph.nodes["a"]["outcome"] == "refuted"
    assert graph.nodes["a"]["false_step"] == "last"
    assert graph.nodes["b"]["outcome"] is None


def test_a_cycle_is_refused():
    with pytest.raises(KropeError, match=r"uses must not form a cycle; got (a -> b|b -> c|c -> a)"):
        proof_graph(statements(a=["b"], b=["c"], c=["a"], d=["a"]))


def test_a_statement_that_uses_itself_is_refused():
    with pytest.raises(KropeError, match=r"got a -> a$"):
        proof_graph(statements(a=["a"]))


def test_an_unknown_slug_is_refused():
    with pytest.raises(KropeError, match=r"theorem\.uses must be one of lemma, theorem; got 'lema' \(did you mean"):
        proof_graph(statements(lemma="", theorem=["lema"]))


def test_shaken_is_what_stands_on_a_refuted_statement():
    graph = proof_graph(statements(a="", b=["a"], c=["b"], d="", e=["c", "d"], f=["d"]))
    assert shaken(graph, [verdict("b", "refuted"), verdict("a"), verdict("d", "vacuous")]) == {"c", "e"}
    assert shaken(graph, [verdict("a"), verdict("b")]) == set()


def test_a_refuted_statement_is_shaken_only_by_another():
    graph = proof_graph(statements(a="", b=["a"], c=["b"]))
    assert shaken(graph, [verdict("a", "refuted"), verdict("b", "refuted")]) == {"b", "c"}


def test_a_verdict_on_a_stranger_is_refused():
    with pytest.raises(KropeError, match=r"verdicts\.slug must be one of a; got 'b'"):
        shaken(proof_graph(statements(a="")), [verdict("b", "refuted")])


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20), st.sets(st.integers(0, 7)))
def test_shaken_agrees_with_a_search_by_hand(pairs, refuted):
    uses = {k: {b for a, b in pairs if a == k and b < a} for k in range(8)}
    graph = proof_graph(statements(**{f"s{k}": [f"s{b}" for b in sorted(used)] for k, used in uses.items()}))
    assert nx.is_directed_acyclic_graph(graph)

    def rests(k):
        return any(b in refuted or rests(b) for b in uses[k])

    found = shaken(graph, [verdict(f"s{k}", "refuted") for k in refuted])
    assert found == {f"s{k}" for k in range(8) if rests(k)}
