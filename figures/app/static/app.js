// The program of every page: controls ask, the page's places take the answer. No library, no outside.
"use strict";
const form = document.getElementById("controls");
const path = document.body.dataset.path;
let asked = 0, stop = null, tab = 0, file = null, timer = 0, playing = null;

function steps(input) { return JSON.parse(input.dataset.steps); }

function values() {
  const out = new URLSearchParams();
  for (const input of form.querySelectorAll("[name]")) {
    if (input.type === "range") out.set(input.name, steps(input)[Number(input.value)]);
    else out.set(input.name, input.value);
  }
  for (const bars of form.querySelectorAll(".bars")) {
    const levels = JSON.parse(bars.dataset.levels);
    const here = [...bars.querySelectorAll("input")].map(input => levels[Number(input.value)]);
    out.set(bars.dataset.name, here.join(","));
  }
  return out;
}

function tell(input) {
  if (input.type !== "range") return;
  input.style.setProperty("--share", `${100 * input.value / input.max}%`);
  const output = input.closest("label")?.querySelector("output");
  if (!output) return;
  let words = input.dataset.steps ? steps(input)[Number(input.value)] : input.value;
  if (words.length > 7) words = String(Number(Number(words).toPrecision(4)));
  output.textContent = words;
  input.setAttribute("aria-valuetext", words);
}

function put(parts) {
  for (const name of ["verdict", "tabs", "picture", "numbers", "code", "below"]) {
    const place = document.getElementById(name);
    if (place.innerHTML !== parts[name]) place.innerHTML = parts[name];
  }
  if (parts.key !== form.dataset.key) {
    const held = document.activeElement?.name;
    form.innerHTML = parts.controls;
    form.dataset.key = parts.key;
    if (held) form.elements[held]?.focus();
  }
  for (const input of form.querySelectorAll("input")) tell(input);
  film();
}

function say(words) {
  const place = document.getElementById("verdict");
  place.innerHTML = '<p class="verdict bad" data-name="verdict"></p>';
  place.firstChild.textContent = words;
}

async function ask(fresh) {
  const mine = ++asked, query = values();
  if (tab) query.set("tab", tab);
  const shown = query.toString();
  if (fresh) query.set("fresh", "1");
  stop?.abort();
  stop = new AbortController();
  document.body.classList.add("waiting");
  const options = { signal: stop.signal };
  if (file) Object.assign(options, { method: "POST", body: JSON.stringify(file) });
  else history.replaceState(null, "", `?${shown}`);
  try {
    const response = await fetch(`/answer/${path}?${query}`, options);
    if (mine !== asked) return;
    if (response.ok) put(await response.json());
    else if (response.status === 503) { say(await response.text()); setTimeout(() => mine === asked && ask(), 3000); }
    else say(await response.text());
  } catch (error) {
    if (error.name !== "AbortError" && mine === asked) say("The app does not answer. Is krope demo still running?");
  }
  if (mine === asked) document.body.classList.remove("waiting");
}

function soon() { clearTimeout(timer); timer = setTimeout(ask, 40); }

function film() {
  clearInterval(playing);
  playing = null;
  const player = document.querySelector(".player");
  if (!player) return;
  const range = player.querySelector(".film"), last = Number(player.dataset.steps);
  const show = () => {
    player.querySelector("output").textContent = range.value;
    range.style.setProperty("--share", `${100 * range.value / range.max}%`);
    for (const mark of document.querySelectorAll("#picture [data-step]"))
      mark.classList.toggle("unseen", Number(mark.dataset.step) > Number(range.value));
    for (const mark of document.querySelectorAll("#picture [data-only]"))
      mark.classList.toggle("unseen", Number(mark.dataset.only) !== Number(range.value));
  };
  const button = player.querySelector(".play");
  const pause = () => { clearInterval(playing); playing = null; button.textContent = "Play"; };
  const play = () => {
    if (Number(range.value) >= last) range.value = 0;
    button.textContent = "Pause";
    clearInterval(playing);
    playing = setInterval(() => {
      range.value = Number(range.value) + 1;
      show();
      if (Number(range.value) >= last) pause();
    }, Math.max(120, 4000 / last));
  };
  button.onclick = () => playing ? pause() : play();
  player.querySelector(".again").onclick = () => { range.value = 0; show(); play(); };
  range.oninput = () => { pause(); show(); };
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) { pause(); show(); }
  else { range.value = 0; show(); play(); }
}

form.addEventListener("submit", event => { event.preventDefault(); ask(); });
form.addEventListener("input", event => {
  tell(event.target);
  if (event.target.type === "range") soon();
});
form.addEventListener("change", event => {
  const input = event.target;
  if (input.type === "file") take(input.files[0]);
  else if (input.type !== "range") ask();
});
form.addEventListener("click", event => { if (event.target.matches(".send")) ask(); });

async function take(chosen) {
  if (!chosen) return;
  if (chosen.size > 2 << 20) { say("A file may have 2 MB at most."); return; }
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  file = { name: chosen.name, content: btoa(text) };
  ask(true);
}

document.getElementById("tabs").addEventListener("click", event => {
  const button = event.target.closest("[data-tab]");
  if (button) { tab = Number(button.dataset.tab); ask(); }
});
document.getElementById("tabs").addEventListener("keydown", event => {
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const all = [...document.querySelectorAll("[data-tab]")];
  if (!move || !all.length) return;
  tab = (all.findIndex(one => one.getAttribute("aria-selected") === "true") + move + all.length) % all.length;
  ask().then(() => document.querySelector(`[data-tab="${tab}"]`)?.focus());
});
document.addEventListener("click", async event => {
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    let done = "Copied";
    try { await navigator.clipboard.writeText(copy.dataset.copy); }
    catch { done = "Select it below"; copy.closest("article")?.querySelector("details")?.setAttribute("open", ""); }
    const words = copy.textContent;
    copy.textContent = done;
    setTimeout(() => { copy.textContent = words; }, 1500);
  }
  const fill = event.target.closest("[data-fill]");
  if (fill) {
    const [name, text] = JSON.parse(fill.dataset.fill);
    form.elements[name].value = text;
    ask();
  }
});

const projector = document.getElementById("projector");
function room(large) {
  document.documentElement.classList.toggle("projector", large);
  projector.setAttribute("aria-pressed", String(large));
}
projector.onclick = () => {
  const large = !document.documentElement.classList.contains("projector");
  try { localStorage.setItem("projector", large ? "1" : ""); } catch { /* a private window */ }
  room(large);
};
try { room(localStorage.getItem("projector") === "1"); } catch { room(false); }
document.addEventListener("keydown", event => {
  if (event.target.closest("input, select, [role=tab]")) return;
  const link = { ArrowRight: "next", ArrowLeft: "prev" }[event.key];
  if (link) document.querySelector(`footer [rel=${link}]`)?.click();
});
document.querySelector(".menu [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
const first = new URLSearchParams(location.search).get("tab");
if (first) tab = Number(first);
for (const input of form.querySelectorAll("input")) tell(input);
film();
document.body.classList.add("ready");
