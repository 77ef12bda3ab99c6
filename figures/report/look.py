"""The look of the report: one style sheet for light and dark screens and for paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fffdf9; --ink: #22252a; --faint: #666b73; --rule: #dcd8cf; --wash: #f5f2ea; --alarm: #fbe3d6;
  --holds: #00618f; --refuted: #a84300; --vacuous: #6a5a00; --link: #00618f;
  --sans: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17191d; --ink: #e4e2dd; --faint: #a2a6ad; --rule: #383c43; --wash: #1f2227; --alarm: #45260f;
    --holds: #6cc0ee; --refuted: #ff9a5c; --vacuous: #d9c34a; --link: #7cc4ea;
  }
}
* { box-sizing: border-box; }
html {
  background: var(--paper); color: var(--ink);
  font: 17px/1.5 Charter, "Bitstream Charter", "Source Serif 4", "Noto Serif", Georgia, serif;
}
body { max-width: 76rem; margin: 0 auto; padding: 2.5rem 1.5rem 5rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; text-wrap: balance; }
h2 { font-size: 1.35rem; margin: 3.2rem 0 .8rem; padding-top: .6rem; border-top: 1px solid var(--rule); }
h3 { font-size: 1.12rem; margin: 0; display: flex; flex-wrap: wrap; gap: .35rem .8rem; align-items: baseline; }
h4 { font: 600 .8rem/1.4 var(--sans); color: var(--faint); margin: 1.1rem 0 .3rem; }
p { margin: .5rem 0; max-width: 44rem; text-wrap: pretty; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .82em; }
pre { background: var(--wash); padding: .7rem .9rem; overflow-x: auto; border-radius: 4px; line-height: 1.4; }
svg { display: block; max-width: 100%; height: auto; overflow: visible; }
svg.formula { display: inline; max-width: none; }
.lead { font-size: 1.12rem; }
.wide { overflow-x: auto; }
.wide > svg { min-width: 44rem; }

.counts { display: flex; flex-wrap: wrap; gap: .4rem 2.4rem; margin: 1.4rem 0; padding: 0; list-style: none; }
.counts li { font: .82rem/1.4 var(--sans); color: var(--faint); }
.counts b { display: block; color: var(--ink); font-size: 1.9rem; line-height: 1.1; font-weight: 600; }
.counts b.holds { color: var(--holds); }
.counts b.refuted { color: var(--refuted); }
.counts b.vacuous { color: var(--vacuous); }

table { border-collapse: collapse; font: .82rem/1.4 var(--sans); }
table.verdicts { width: 100%; }
th { text-align: left; font-weight: 600; color: var(--faint); border-bottom: 1.5px solid var(--rule); }
th { vertical-align: bottom; }
th, td { padding: .32rem .8rem .32rem 0; }
td { border-bottom: 1px solid var(--rule); vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.slug, td.short { white-space: nowrap; }
td.claim { min-width: 13rem; }
table.verdicts td.claim { min-width: 18rem; }
tr.unexpected td, tr.false td { background: var(--alarm); }

.verdict { font: 600 .82rem/1.4 var(--sans); white-space: nowrap; }
.verdict.holds { color: var(--holds); }
.verdict.refuted { color: var(--refuted); }
.verdict.vacuous { color: var(--vacuous); }
.verdict.unexpected { color: var(--paper); background: var(--refuted); padding: .1em .5em; border-radius: 3px; }

section.statement { margin: 0 0 2.2rem; padding: 1.3rem 0 0; border-top: 1px solid var(--rule); }
section.statement:target h3 { background: var(--wash); }
h2 + section.statement { border-top: 0; padding-top: 0; }
p.formula { margin: .9rem 0; padding: .2rem 0 .2rem 1.4rem; max-width: none; font-size: 1.08rem; }
p.formula { overflow-x: auto; overflow-y: hidden; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.1rem; margin: .7rem 0; max-width: 50rem; }
dl { font: .84rem/1.45 var(--sans); }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
.bar { display: inline-block; width: 9rem; height: .55rem; margin-right: .6rem; }
.bar { background: var(--wash); border: 1px solid var(--rule); }
.bar i { display: block; height: 100%; background: var(--holds); opacity: .7; }
.witness { display: flex; flex-wrap: wrap; gap: 1rem 3rem; align-items: flex-start; margin: .4rem 0; }
.settled { font: .86rem/1.5 var(--sans); }
summary { cursor: pointer; color: var(--link); font: .84rem/1.5 var(--sans); }

.filters { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin: .6rem 0 1rem; font: .84rem/1.6 var(--sans); }
.filters fieldset { border: 1px solid var(--rule); border-radius: 4px; padding: .2rem .8rem .3rem; margin: 0; }
.filters legend { color: var(--faint); padding: 0 .3rem; }
.filters label { margin-right: 1rem; white-space: nowrap; }
.numbers { color: var(--refuted); }
h3 small { font: .78rem/1.4 var(--sans); color: var(--faint); }
svg a { cursor: pointer; }
svg a:hover path { stroke-width: 2.4; }

@media screen and (max-width: 50rem) {
  table.verdicts thead { display: none; }
  table.verdicts, table.verdicts tbody { display: block; width: 100%; }
  table.verdicts tr { display: block; padding: .7rem 0; border-bottom: 1px solid var(--rule); }
  table.verdicts td { display: inline; border: 0; padding: 0 .5rem 0 0; overflow-wrap: anywhere; }
  table.verdicts td.claim { display: block; min-width: 0; padding: .2rem 0; }
  table.verdicts td.short { display: block; white-space: normal; color: var(--faint); }
  table.verdicts td.number { white-space: normal; color: var(--faint); }
  table.verdicts td:nth-child(5)::before { content: "tried "; }
  table.verdicts td:nth-child(6), table.verdicts td:nth-child(7) { display: none; }
  table.verdicts td:nth-child(8)::before { content: "tightness "; }
  table.verdicts td:nth-child(9):not(:empty)::before { content: "first false step "; }
  section.statement { overflow-wrap: anywhere; }
  html { font-size: 16px; }
  body { padding: 1.4rem 1rem 3rem; }
  dl { grid-template-columns: 1fr; }
  dt { margin-top: .4rem; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --ink: #000; --faint: #444; --rule: #bbb; --wash: #f4f4f4; --alarm: #f7e0d3;
    --holds: #00507a; --refuted: #8f3600; --vacuous: #554800; --link: #000;
  }
  @page { margin: 16mm 14mm; }
  html { font-size: 10.5pt; }
  body { max-width: none; padding: 0; }
  a { text-decoration: none; }
  thead { display: table-header-group; }
  tr, svg, dl, .witness { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .wide, p.formula { overflow: visible; }
  .wide > svg { min-width: 0; }
  details, .filters { display: none; }
  th, td { padding-right: .45rem; }
  table.verdicts { font-size: 7.5pt; }
  table.verdicts td.slug { white-space: normal; }
  table.verdicts td.claim { min-width: 15rem; }
}
"""
