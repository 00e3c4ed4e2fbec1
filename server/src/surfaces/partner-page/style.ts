import { COLOURS } from '../../platform/http/server/page-html.ts';

export const STYLE = `${COLOURS}
:root { --well: #eef2ef; --good: #1c6b45; --bad: #a02c1c; }
@media (prefers-color-scheme: dark) { :root { --well: #111815; --good: #7fd3a0; --bad: #ff9d8a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100svh; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
a { color: var(--accent); text-underline-offset: .2em; }
a:focus-visible, button:focus-visible, code:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; line-height: 1.3; }
h3 { font-size: 1rem; line-height: 1.4; overflow-wrap: anywhere; }
p { overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: .9375rem; }
button, .button { display: inline-block; min-height: 3rem; padding: .6875rem 1.25rem; border: 0; border-radius: .625rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { filter: brightness(1.08); }
.quiet { background: none; color: var(--accent); border: 1px solid var(--line); min-height: 2.75rem; padding: .5rem 1rem; }
@media (forced-colors: active) { button, .button { border: 1px solid ButtonText; } }
.note { padding: .75rem 1rem; border: 1px solid var(--warn); border-radius: .625rem; color: var(--warn); }
.note.good { border-color: var(--good); color: var(--good); }
.card { display: grid; gap: 1rem; align-content: start; min-width: 0; padding: clamp(1rem, 4vw, 1.5rem); background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
.narrow { display: grid; grid-template-rows: 1fr auto; place-items: center; padding: 1rem; }
.narrow main { width: 100%; max-width: 30rem; padding: clamp(1.25rem, 6vw, 2.5rem); }
.narrow button { width: 100%; }
.bar { border-bottom: 1px solid var(--line); background: var(--card); }
.bar > div { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; max-width: 64rem; margin: 0 auto; padding: .75rem 1rem; }
.bar .who { display: flex; align-items: center; gap: .75rem; min-width: 0; flex: 1 1 10rem; line-height: 1.4; }
.bar .who > span { min-width: 0; overflow-wrap: anywhere; }
.bar strong { display: block; }
.bar nav { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.wide main { display: grid; gap: 1rem; max-width: 64rem; margin: 0 auto; padding: clamp(1rem, 4vw, 2rem) 1rem 3rem; }
.slim main { max-width: 40rem; }
.hero { position: relative; overflow: hidden; background: var(--accent); color: var(--on-accent); }
.hero > div { position: relative; display: grid; gap: .75rem; max-width: 64rem; margin: 0 auto; padding: clamp(1.5rem, 6vw, 3.5rem) 1rem clamp(4.5rem, 10vw, 6.5rem); }
.hero .who { display: flex; align-items: center; gap: .75rem; font-size: 1.0625rem; }
.hero h1 { max-width: 22ch; font-size: clamp(1.75rem, 5.5vw, 2.75rem); line-height: 1.12; letter-spacing: -.02em; }
.hero h1 + p { font-size: 1.125rem; }
.hero .logo { width: 3rem; height: 3rem; border-color: transparent; border-radius: .75rem; }
.hero .monogram { background: var(--on-accent); color: var(--accent); font-size: 1.375rem; }
@media (min-width: 54rem) { .hero::after { content: ''; position: absolute; inset-block: -9rem; inset-inline-end: max(-6rem, calc(50% - 44rem)); width: 34rem; border: 4.5rem solid var(--on-accent); border-radius: 50%; opacity: .09; } }
@media (prefers-color-scheme: dark) { .hero { background: var(--card); background: color-mix(in srgb, var(--accent) 26%, var(--card)); color: var(--text); } .hero::after { border-color: var(--accent); } .hero .monogram { background: var(--accent); color: var(--on-accent); } }
@media (forced-colors: active) { .hero { border-bottom: 1px solid CanvasText; } }
.branded { display: flex; flex-direction: column; }
.branded main { position: relative; flex: 1; width: 100%; max-width: 64rem; margin: -3.5rem auto 0; padding: 0 1rem 1rem; }
.branded .alone { max-width: 38rem; }
.branded .columns > div > p { padding-inline: clamp(1rem, 4vw, 1.5rem); }
.columns { display: grid; gap: 1rem; }
.columns > div { display: grid; gap: 1rem; align-content: start; min-width: 0; }
@media (min-width: 54rem) { .columns { grid-template-columns: 3fr 2fr; } }
@media (min-width: 54rem) { .branded .columns { grid-template-columns: 2fr 3fr; align-items: start; } }
.totals { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); }
.totals > div { padding: .75rem 1rem; border-radius: .75rem; background: var(--well); }
.totals dt { color: var(--soft); font-size: .875rem; }
.totals dd { font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.rows { list-style: none; }
.rows > li { display: grid; grid-template-columns: minmax(8rem, 1fr) minmax(0, auto); gap: 0 1rem; padding: .75rem 0; border-top: 1px solid var(--line); }
.rows > li:first-child { border-top: 0; padding-top: 0; }
.rows > li:last-child { padding-bottom: 0; }
.rows strong { font-variant-numeric: tabular-nums; }
.rows .soft { grid-column: 1 / -1; overflow-wrap: anywhere; min-width: 0; }
@media (min-width: 40rem) { .rows .when:not(:last-child) { grid-column: 1; } .rows .when + .soft { grid-column: 2; text-align: end; max-width: 20rem; } }
.state { font-weight: 600; text-align: end; }
.state.good { color: var(--good); }
.state.bad { color: var(--bad); }
.state.off { color: var(--soft); }
.stack { display: grid; gap: 1rem; min-width: 0; }
.program { gap: 1.25rem; }
.program > header { display: flex; align-items: center; gap: .75rem; min-width: 0; }
.program > header > div { min-width: 0; }
.count { margin-inline-start: auto; flex: none; text-align: end; }
.count strong { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-size: .875rem; font-weight: 600; }
th, td { padding: .375rem .5rem; text-align: start; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { text-align: end; }
.own td { background: var(--well); }
.logo { flex: none; width: 2.5rem; height: 2.5rem; border-radius: .5rem; object-fit: contain; background: #ffffff; border: 1px solid var(--line); }
.monogram { display: grid; place-items: center; border: 0; background: var(--accent); color: var(--on-accent); font-size: 1.125rem; font-weight: 700; }
.block { display: grid; gap: .5rem; min-width: 0; }
h4 { margin: 0; font-size: .875rem; font-weight: 600; color: var(--soft); }
.links { display: grid; gap: .5rem; list-style: none; }
.links > li { display: grid; gap: .5rem; }
.shared { display: flex; align-items: stretch; gap: .5rem; min-width: 0; }
.shared code { flex: 1; min-width: 0; display: flex; align-items: center; }
.shared button { flex: none; min-width: 5.5rem; }
button[hidden] { display: none; }
details[open] > summary { margin-bottom: .5rem; }
details > summary { cursor: pointer; color: var(--accent); font-size: .9375rem; width: fit-content; }
.scan { display: flex; flex-wrap: wrap; align-items: end; gap: 1rem; }
.qr { display: block; width: 10rem; height: 10rem; border-radius: .5rem; border: 1px solid var(--line); }
.terms { display: grid; gap: .625rem; list-style: none; }
.terms > li { padding-inline-start: .875rem; border-inline-start: 3px solid var(--accent); }
.terms strong { display: block; font-weight: 600; }
.bars { display: grid; gap: 1rem; list-style: none; }
.bars > li { display: grid; gap: .25rem; }
.bars strong { font-weight: 600; font-variant-numeric: tabular-nums; }
progress { appearance: none; width: 100%; height: .625rem; border: 0; border-radius: 1rem; background: var(--well); overflow: hidden; }
progress::-webkit-progress-bar { background: var(--well); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 1rem; }
progress::-moz-progress-bar { background: var(--accent); border-radius: 1rem; }
.inline { display: flex; flex-wrap: wrap; gap: .5rem; }
.inline input { flex: 1 1 12rem; width: auto; min-width: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
code { display: block; padding: .5rem .75rem; border-radius: .5rem; background: var(--well); font: .9375rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; user-select: all; -webkit-user-select: all; }
dd + dd { margin-top: .375rem; }
.between { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem 1rem; }
form.fields { display: grid; gap: 1rem; }
.field { display: grid; gap: .25rem; }
label { font-weight: 600; }
input, select, textarea { width: 100%; min-height: 3rem; padding: .625rem .75rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: var(--text); font: inherit; }
input:focus-visible, select:focus-visible, textarea:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
[aria-invalid] { border: 2px solid var(--bad); }
.error { color: var(--bad); font-weight: 600; }
.tabs { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; }
.tabs a { display: block; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 2rem; text-decoration: none; }
.tabs a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
#results { grid-template-columns: minmax(0, 1fr); }
#results .between { align-items: center; gap: .5rem 1rem; }
.tabs.small { gap: .375rem; }
.tabs.small a { padding: .375rem .625rem; font-size: .875rem; }
.tiles { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 6.75rem), 1fr)); list-style: none; }
.tiles a { display: grid; align-content: start; height: 100%; padding: .625rem .75rem; border: 1px solid var(--line); border-radius: .75rem; color: var(--text); text-decoration: none; }
.tiles a:hover { border-color: var(--accent); }
.tiles a[aria-current] { border-color: var(--accent); box-shadow: inset 0 2px 0 var(--accent); background: var(--well); }
.tiles span { color: var(--soft); font-size: .875rem; }
.tiles b { font-size: clamp(.9375rem, 4.2vw, 1.25rem); line-height: 1.35; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.chart { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .375rem .625rem; margin: 0; }
.chart figcaption { grid-column: 1 / -1; min-height: 1.55em; font-variant-numeric: tabular-nums; }
.scale { display: flex; flex-direction: column; justify-content: space-between; color: var(--soft); font-size: .75rem; line-height: 1; text-align: end; font-variant-numeric: tabular-nums; }
.plot { position: relative; }
.plot svg { display: block; width: 100%; height: 11rem; overflow: visible; }
.plot p { position: absolute; inset: 0; display: grid; place-items: center; padding: 1rem; text-align: center; pointer-events: none; }
.plot rect { fill: var(--accent); }
.plot .hit { fill: transparent; }
.plot g:hover .hit { fill: var(--well); }
.plot .lines { fill: none; stroke: var(--line); vector-effect: non-scaling-stroke; }
[dir=rtl] .plot svg { transform: scaleX(-1); }
.ends { grid-column: 2; display: flex; justify-content: space-between; gap: 1rem; font-size: .8125rem; }
.across { overflow-x: auto; max-height: 24rem; overflow-y: auto; }
.numbers { font-size: .875rem; white-space: nowrap; }
.numbers td, .numbers thead th:not(:first-child) { text-align: end; }
.numbers tbody th { white-space: normal; min-width: 7.5rem; font-weight: 400; color: var(--text); }
.languages { padding: 1.5rem 1rem 2rem; }
.languages ul { display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem 1rem; list-style: none; font-size: .875rem; }
.languages a { display: inline-block; padding: .25rem 0; color: var(--soft); }
.languages a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
.wide { display: flex; flex-direction: column; }
.wide main { width: 100%; flex: 1; align-content: start; }
.choices { display: grid; gap: .75rem; }
.choices button { width: 100%; text-align: start; }
.choices span { display: block; font-weight: 400; font-size: .9375rem; }
`;

/** Buttons that copy: they appear only where this runs, and say that it worked. */
export const COPY_SCRIPT = `
for (const button of document.querySelectorAll('button[data-copy]')) {
  const label = button.textContent;
  const name = button.getAttribute('aria-label');
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      getSelection().selectAllChildren(text);
      return;
    }
    button.textContent = button.dataset.done;
    button.setAttribute('aria-label', button.dataset.done);
    setTimeout(() => {
      button.textContent = label;
      button.setAttribute('aria-label', name);
    }, 2000);
  });
}
`;
