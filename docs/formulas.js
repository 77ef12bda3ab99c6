// Formulas are set by KaTeX, which comes along; without scripts the browser's own MathML stays. Short ones are not broken.
for (const place of document.querySelectorAll(".formula")) {
  const display = place.tagName === "DIV";
  katex.render(place.dataset.tex, place, { displayMode: display, throwOnError: false });
  if (!display && place.dataset.tex.length <= 24) place.style.whiteSpace = "nowrap";
}
