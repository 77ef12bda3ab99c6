"""The style of the parts that pages are made of: lists of verdicts, the proof graph, dots, statements, figures."""

PARTS = """
.contents { display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; padding: .8rem 0; font-size: .95rem; }
.contents { border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); }
.contents a { text-decoration: none; }

.filters { display: flex; flex-wrap: wrap; gap: .4rem 2.4rem; margin: .6rem 0 1.4rem; font-size: .92rem; }
.filters fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .3rem .5rem; }
.filters legend { float: left; color: var(--faint); padding: .22rem .5rem .22rem 0; }
.filters label { border: 1px solid var(--rule); border-radius: 999px; padding: .18rem .8rem; cursor: pointer; }
.filters label:has(:checked) { background: var(--wash); border-color: var(--faint); }
.filters label:not(:has(:checked)) { color: var(--faint); text-decoration: line-through; }
.filters label:focus-within { outline: 2px solid var(--link); outline-offset: 2px; }
.filters input { position: absolute; opacity: 0; pointer-events: none; }
.filters small { color: var(--faint); margin-left: .2em; }

table.verdicts { width: 100%; counter-reset: shown; }
table.verdicts th { border-bottom: 0; }
table.verdicts tr.group th { padding-top: 2rem; font-size: 1.05rem; color: var(--ink); font-weight: 600; }
table.verdicts tr.group th { border-bottom: 1px solid var(--faint); }
table.verdicts tr.group small { color: var(--faint); font-weight: 400; }
table.verdicts td { padding-top: .85rem; padding-bottom: .85rem; }
table.verdicts tr:not(.group):not(:first-child) { counter-increment: shown; }
table.verdicts td.mark { width: 11rem; }
table.verdicts td.number { width: 6.5rem; }
table.verdicts td small, table.verdicts small span { display: block; color: var(--faint); white-space: normal; }
table.verdicts td p { margin: .2rem 0 0; max-width: 46rem; }
table.verdicts .title { color: var(--ink); font-weight: 600; font-size: 1.02rem; margin-right: .5em; }
table.verdicts .title:not(:hover) { text-decoration: none; }
tr.unexpected td, tr.false td { background: var(--alarm); }
.shown::before { content: counter(shown) " of " attr(data-all) " shown"; }

.proofs { position: relative; }
.proofs > input { position: absolute; opacity: 0; pointer-events: none; }
.key { display: flex; flex-wrap: wrap; gap: .4rem 1.8rem; font-size: .9rem; color: var(--faint); max-width: none; }
.key span { display: inline-flex; align-items: center; gap: .5rem; }
.key i { font-style: normal; }
.key .node { position: static; width: 2.2rem; justify-content: center; cursor: default; }
.board { position: relative; margin: 1rem 0; }
.board svg { position: absolute; inset: 0; max-width: none; }
.arrow path { fill: none; stroke: var(--mark, var(--faint)); stroke-width: 1; }
.arrow path.head { fill: var(--mark, var(--faint)); stroke: none; }
.arrow.weak path:not(.head) { stroke-dasharray: 5 3; }
.node {
  position: absolute; height: 24px; border: 1px solid var(--mark, var(--own)); border-radius: 12px; cursor: pointer;
  background: var(--tint, var(--wash)); color: var(--mark, var(--ink)); white-space: nowrap; overflow: hidden;
  font: 400 11px/1 ui-sans-serif, system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  display: inline-flex; align-items: center; justify-content: center; gap: .45em; --own: var(--holds);
}
.node.holds { background: var(--tint, var(--good)); }
.node.flawed { background: var(--tint, var(--good)); border-style: double; border-width: 3px; }
.node.refuted, .node.unproved, .node.shaken { --own: var(--refuted); border-radius: 4px; }
.node.refuted, .node.unproved { color: var(--refuted); font-weight: 600; }
.node.unproved, .node.vacuous { border-style: dashed; }
.node.vacuous, .node.unjudged { --own: var(--faint); border-radius: 4px; color: var(--faint); }
.node.unjudged { border-style: dotted; }
.node input { position: absolute; opacity: 0; pointer-events: none; }
.node:hover { box-shadow: 0 0 0 1px var(--own); }
.node:has(:checked) { opacity: 1 !important; color: var(--paper); background: var(--own); border-color: var(--own); }
.node:focus-within { outline: 2px solid var(--ink); outline-offset: 2px; }
.board:has(:checked) :is(.node, .arrow) { opacity: .28; }
.board:has(:checked) .arrow { --mark: initial; }
.cards { position: sticky; bottom: 0; z-index: 2; }
.card {
  display: none; grid-template-columns: 1.15fr 1.2fr 1fr; gap: 0 2.5rem; max-height: 52vh; overflow-y: auto;
  background: var(--paper); border: 1px solid var(--rule); border-top: 3px solid var(--ink); border-radius: 0 0 8px 8px;
  box-shadow: 0 -10px 30px rgb(0 0 0 / .1); padding: 1.2rem 1.6rem; font-size: .95rem; line-height: 1.45;
}
.card.refuted { border-top-color: var(--refuted); }
.card.hint { display: block; box-shadow: none; border-top-width: 1px; color: var(--faint); border-radius: 8px; }
.proofs:not(:has(#pick-none:checked)) .card.hint { display: none; }
.card h4 { margin: 0 0 .3rem; color: var(--faint); font-weight: 400; font-size: .85rem; }
.card p + h4, .card ol + h4 { margin-top: 1rem; }
.card p { margin: .3rem 0; }
.card .formula { margin: .6rem 0; overflow-x: auto; overflow-y: hidden; }
.card .close { position: absolute; right: .9rem; top: .5rem; font-size: 1.5rem; line-height: 1; cursor: pointer; }
ol.steps { list-style: none; margin: 0; padding: 0; }
ol.steps li { display: grid; grid-template-columns: 1.5rem 1fr; padding: .1rem 0; }
ol.steps i { color: var(--holds); }
ol.steps .refuted, ol.steps .refuted i { color: var(--refuted); }
.pick { color: var(--link); cursor: pointer; }
.pick:hover { text-decoration: underline; }

.tightness { font-size: .92rem; --wide: 21rem; }
.tightness .row { display: grid; grid-template-columns: var(--wide) 1fr 3.5rem; gap: 0 1.4rem; align-items: center; }
.tightness .row:not(.top):hover { background: var(--wash); }
.tightness a { color: inherit; text-decoration: none; }
.tightness b { font-weight: 400; text-align: right; font-variant-numeric: tabular-nums; }
.tightness .track { position: relative; height: 1.75rem; margin: 0 .6rem; }
.tightness .top .track { height: 1.5rem; color: var(--faint); }
.tightness .top .track span { position: absolute; transform: translateX(-50%); }
.tightness .top .one { color: var(--ink); font-weight: 600; }
.line { position: absolute; top: 0; bottom: 0; border-left: 1px solid var(--rule); }
.line.one { border-color: var(--ink); }
.dot {
  position: absolute; top: 50%; width: 10px; height: 10px; margin: -5px 0 0 -5px; background: var(--holds);
  border: 1.5px solid var(--paper); border-radius: 50%;
}
.key .dot { position: static; margin: 0; }
.track .dot.sampled { top: calc(50% - 8px); }
.track .dot.exact { top: calc(50% + 8px); }
.dot.adversarial { border-radius: 0; transform: rotate(45deg) scale(.85); }
.dot.exact { border-radius: 0; background: var(--paper); border-color: var(--holds); }
.dot.identity { border-radius: 0; clip-path: polygon(50% 0, 100% 100%, 0 100%); }
.dot:is(.left, .right) { opacity: .45; }
.broken .dot { background: var(--refuted); }
.broken .dot.exact { background: var(--paper); border-color: var(--refuted); }
.broken b, .broken a { color: var(--refuted); }

section.statement { margin: 0; padding: 2.2rem 0 2.4rem; border-top: 1px solid var(--rule); }
section.statement header { display: flex; flex-wrap: wrap; gap: .1rem .9rem; align-items: baseline; }
section.statement:target header { background: var(--wash); box-shadow: 0 0 0 .5rem var(--wash); }
section.statement > .claim { font-size: 1.05rem; }
div.formula { margin: 1rem 0; padding: .3rem 0; overflow-x: auto; overflow-y: hidden; font-size: 1.1rem; }
div.formula math { width: fit-content; margin: 0 0 0 1.5rem; }
.witness { margin: 1.4rem 0; padding: .1rem 1.4rem 1rem; background: var(--wash); border-radius: 8px; }
.witness h4 { margin-top: .9rem; }
.witness .shown { display: flex; flex-wrap: wrap; gap: 1rem 3.5rem; align-items: flex-start; color: var(--ink); }
.witness .shown::before { content: none; }
.witness .settled { font-size: 1.08rem; max-width: 52rem; }
.witness dl { margin: .8rem 0 0; }
table.pairs td { padding-top: .2rem; padding-bottom: .2rem; }
table.steps .claim { min-width: 19rem; }
.bar { display: inline-block; width: 8rem; height: .5rem; margin-right: .7rem; background: var(--rule); }
.bar i { display: block; height: 100%; background: var(--holds); }
.bar.broken i { background: var(--refuted); }

.about { color: var(--faint); font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.about { font-size: .82rem; margin-bottom: 1.4rem; overflow-wrap: anywhere; }
.answer h1 { font-size: 1.75rem; line-height: 1.28; margin: 0; }
.answer .verdict { font-size: 1.1rem; }
.answer { border-left: 4px solid var(--own, var(--holds)); padding: .1rem 0 .1rem 1.3rem; margin: 0 0 1.5rem; }
.answer.bad { --own: var(--refuted); }
.answer.unsure { --own: var(--vacuous); }
.next { padding-left: 1.3rem; max-width: 46rem; }
.next li { margin: .5rem 0; padding-left: .2rem; }
.next pre { margin: .4rem 0; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 2.5rem 3rem; }
figure { margin: 0; }
figcaption { color: var(--faint); font-size: .92rem; margin-top: .5rem; max-width: 40rem; }
figure svg { width: 100% !important; min-width: 33rem; }
.on-a-phone { display: none; }
@media screen and (max-width: 34rem) {
  .on-a-desk { display: none; }
  .on-a-phone { display: block; }
  .on-a-phone svg { min-width: 0; }
}
pre:has(> code) { white-space: pre-wrap; overflow-wrap: anywhere; }
.tables { columns: 2 30rem; column-gap: 3.5rem; }
.tables > div { break-inside: avoid; margin-bottom: 2.2rem; }
.tables h3 { font-size: 1.02rem; margin-bottom: .4rem; }
.tables table { width: 100%; }
td.no { color: var(--refuted); font-weight: 600; }
"""

SMALL = """
@media screen and (max-width: 52rem) {
  html { font-size: 16px; }
  main { padding: 1.8rem 1.1rem 4rem; }
  h1 { font-size: 1.6rem; }
  h2 { margin-top: 3rem; }
  .counts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .8rem 1.2rem; }
  .counts b { font-size: 1.6rem; }
  table.verdicts, table.verdicts tbody { display: block; }
  table.verdicts thead { display: none; }
  table.verdicts tr { display: grid; grid-template-columns: auto 1fr; padding: .9rem 0; }
  table.verdicts tr { border-bottom: 1px solid var(--rule); }
  table.verdicts tr.group { display: block; border: 0; padding: 0; }
  table.verdicts tr.group th { display: block; padding-top: 1.4rem; }
  table.verdicts td { display: block; border: 0; padding: 0; width: auto !important; min-width: 0; }
  table.verdicts td.mark, table.verdicts td.told { grid-column: 1 / -1; overflow-wrap: anywhere; }
  table.verdicts td.mark small { display: inline; margin-left: .5rem; }
  table.verdicts td.mark small span { display: inline; }
  table.verdicts td.mark small span:not(:last-child)::after { content: ", "; }
  table.verdicts td.number { color: var(--faint); font-size: .85rem; text-align: left; padding: .3rem 1rem 0 0; }
  table.verdicts td.tried::after { content: " instances"; }
  table.verdicts td.ratio::before { content: "tightness "; }
  table.verdicts td.ratio small { display: inline; margin-left: .5rem; }
  .card { grid-template-columns: 1fr; gap: .8rem; max-height: 46vh; padding: 1rem 1.1rem; }
  .board { margin-bottom: .5rem; }
  :is(table.steps, table.trials), :is(table.steps, table.trials) tbody { display: block; }
  :is(table.steps, table.trials) thead { display: none; }
  :is(table.steps, table.trials) tr { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: .6rem 0; }
  :is(table.steps, table.trials) tr { border-bottom: 1px solid var(--rule); }
  :is(table.steps, table.trials) td { border: 0; padding: 0; }
  table.steps .claim, table.trials td:first-child { flex: 0 0 100%; min-width: 0; }
  :is(table.steps, table.trials) td.number, table.trials td.short { font-size: .85rem; color: var(--faint); }
  :is(table.steps, table.trials) td.number::before, table.trials td.short::before { content: attr(data-label) " "; }
  :is(table.verdicts, table.steps, table.trials) td:empty { display: none; }
  .bar { width: 4rem; }
  tr.false { background: var(--alarm); }
  .tightness .row { grid-template-columns: 1fr 3rem; padding: .3rem 0; }
  .tightness .row > span { grid-column: 1 / -1; line-height: 1.3; }
  .tightness .top > span { display: none; }
  dl > div, dl.plain > div { grid-template-columns: 1fr; gap: 0; }
  dl { gap: .7rem; }
  dl.plain { grid-template-columns: 1fr 1fr; }
  .witness { padding: .1rem 1rem .8rem; }
  .claim, .settled, .numbers, .lead, h1, h3 { overflow-wrap: anywhere; }
  div.formula math { margin-left: 0; }
  .tables { columns: 1; }
  .tables :is(th, td) { padding-right: .75rem; }
}
"""
