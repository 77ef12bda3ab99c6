"""The look of a page: one style sheet for light and dark screens, for phones and for paper."""

from figures.report.look_of_parts import PARTS, SMALL

COLORS = """
:root {
  color-scheme: light dark;
  --paper: #fdfdfb; --ink: #1c2127; --faint: #5c6570; --rule: #e3e2dc; --wash: #f4f4ef; --alarm: #fbe8dd;
  --holds: #075985; --refuted: #a63a00; --vacuous: #6a5a00; --link: #075985; --good: #e4eff6;
  --blue: #0072b2; --green: #00805d; --grey: #6f6f6f;
  --amber: #8a6100; --rust: #b34e00; --plum: #a0437a; --sea: #1b73a6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #e6e5e1; --faint: #a0a7b0; --rule: #30353c; --wash: #1d2126; --alarm: #3e2413;
    --holds: #7cc4ef; --refuted: #ff9d66; --vacuous: #d9c34a; --link: #7cc4ef; --good: #16303f;
    --blue: #4496e8; --green: #35c99a; --grey: #a0a7b0;
    --amber: #e8b33c; --rust: #ff9d66; --plum: #e39ac5; --sea: #7cc4ef;
  }
}
"""

BASE = """
* { box-sizing: border-box; }
html {
  background: var(--paper); color: var(--ink); scroll-behavior: smooth; -webkit-text-size-adjust: 100%;
  font: 17px/1.5 "Page Text", Charter, Georgia, serif;
}
body { margin: 0; }
main { max-width: 78rem; margin: 0 auto; padding: 3.5rem 2rem 6rem; }
h1 { font-size: 2.1rem; line-height: 1.18; margin: 0 0 .5rem; max-width: 46rem; text-wrap: balance; font-weight: 600; }
h2 { scroll-margin-top: 1.2rem; font-size: 1.45rem; line-height: 1.25; margin: 4rem 0 1rem; font-weight: 600; }
h3 { font-size: 1.2rem; line-height: 1.3; margin: 0; font-weight: 600; text-wrap: balance; }
h4 { font-size: .95rem; margin: 1.6rem 0 .4rem; font-weight: 600; }
h4 small { font-weight: 400; color: var(--faint); margin-left: .4em; }
p { margin: .5rem 0; max-width: 44rem; text-wrap: pretty; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .18em; }
small { font-size: .85em; }
math { font-family: "Page Math", math; font-size: 1.03em; }
:is(h1, h3, .title) math { font-weight: 600; }
.tied { white-space: nowrap; }
mstyle > mfrac > * { font-size: .82em; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .8em; }
pre { background: var(--wash); padding: .8rem 1rem; overflow-x: auto; border-radius: 6px; line-height: 1.5; }
pre { margin: .8rem 0; }
svg { display: block; max-width: 100%; height: auto; overflow: visible; }
.lead { font-size: 1.18rem; line-height: 1.45; }
.note, .shown { color: var(--faint); font-size: .88rem; }
.scroll { overflow-x: auto; overscroll-behavior-x: contain; }
.slug { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .74rem; }
.slug { color: var(--faint); }

.counts { display: flex; flex-wrap: wrap; gap: .8rem 2.8rem; margin: 1.8rem 0 1.2rem; padding: 0; list-style: none; }
.counts li { color: var(--faint); font-size: .9rem; line-height: 1.4; }
.counts b { display: block; color: var(--ink); font-size: 2.1rem; line-height: 1.15; font-weight: 600; }
.counts b.holds { color: var(--holds); }
.counts b.refuted { color: var(--refuted); }
.counts b.vacuous { color: var(--vacuous); }

table { border-collapse: collapse; font-size: .92rem; line-height: 1.45; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 400; color: var(--faint); font-size: .85rem; vertical-align: bottom; }
th { border-bottom: 1px solid var(--faint); }
th, td { padding: .42rem 1.4rem .42rem 0; }
td { border-bottom: 1px solid var(--rule); vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
th.number, td.number { text-align: right; white-space: nowrap; }
td.short { white-space: nowrap; }
dl { display: grid; gap: .3rem 2.5rem; margin: 1.2rem 0; font-size: .92rem; }
dl > div { display: grid; grid-template-columns: 10.5rem 1fr; gap: .2rem 1rem; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; max-width: 44rem; }
dl.plain { grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
dl.plain > div { grid-template-columns: 6rem 1fr; }
summary { cursor: pointer; color: var(--link); font-size: .92rem; }
details { margin: .6rem 0; }

.verdict { font-weight: 600; white-space: nowrap; }
.verdict i, .node i, .steps i, .key i { font-style: normal; font-family: "Page Math", "DejaVu Sans", sans-serif; }
.verdict.holds, .verdict.good { color: var(--holds); }
.verdict.refuted, .verdict.bad { color: var(--refuted); }
.verdict.vacuous, .verdict.unsure { color: var(--vacuous); }
.verdict.unexpected { color: var(--paper); background: var(--refuted); padding: .1em .5em; border-radius: 4px; }
.numbers { color: var(--refuted); }
"""

PRINT = """
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --ink: #000; --faint: #444; --rule: #ccc; --wash: #f4f4f4; --alarm: #f9e6da;
    --holds: #00507a; --refuted: #8f3600; --vacuous: #554800; --link: #00507a; --good: #e4eff6;
    --blue: #0072b2; --green: #00805d; --grey: #6f6f6f;
    --amber: #8a6100; --rust: #b34e00; --plum: #a0437a; --sea: #1b73a6;
  }
  @page { margin: 16mm 15mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  html { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  a { text-decoration: none; }
  thead { display: table-header-group; }
  tr, svg, dl, .witness, figure, .tightness .row { break-inside: avoid; }
  h1, h2, h3, h4, header { break-after: avoid; }
  .scroll { overflow: visible; }
  .filters, .contents, .shown, details, .proofs .cards, .proofs > input { display: none !important; }
  .proofs .board { zoom: .55; }
  h2 { margin-top: 2rem; }
}
"""

STYLE = COLORS + BASE + PARTS + SMALL + PRINT
