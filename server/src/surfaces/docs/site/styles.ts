import { CONTENT_STYLES } from './content-styles.ts';
import { DRAWING_STYLES } from './drawing-styles.ts';
import { GUIDE_STYLES } from './guide-styles.ts';
import { SEARCH_STYLES } from './search-styles.ts';

/**
 * Colours come in pairs, light and dark; `color-scheme` picks one. Each text colour keeps a
 * contrast of at least 4.5 to 1 on the grounds that it stands on.
 */
const COLOURS = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #0f1418);
  --raised: light-dark(#f6f8f9, #161d23);
  --line: light-dark(#e1e6ea, #29323b);
  --text: light-dark(#1b242c, #dce3e9);
  --strong: light-dark(#0c141b, #f3f6f8);
  --quiet: light-dark(#566370, #95a3b0);
  --accent: light-dark(#0a6a5c, #62d0bb);
  --tint: light-dark(#e6f4f1, #12302c);
  --lead: light-dark(#3c4954, #b4c0ca);
  --action: light-dark(#0a6a5c, #0d7566);
  --action-hover: light-dark(#085549, #0a6457);
  --must: light-dark(#a23b12, #f3a683);
  --get: light-dark(#0a589f, #8fc6ff);
  --get-ground: light-dark(#e6f0fa, #132c45);
  --post: light-dark(#11653a, #80dba8);
  --post-ground: light-dark(#e4f4ea, #133524);
  --put: light-dark(#854700, #f3c079);
  --put-ground: light-dark(#fbeedb, #3d2d10);
  --patch: light-dark(#663bb0, #ccb2fb);
  --patch-ground: light-dark(#f0eafb, #30224a);
  --delete: light-dark(#ad241c, #ffaca4);
  --delete-ground: light-dark(#fce9e7, #471d1a);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --bar: 3.5rem;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
`;

const LAYOUT = `
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--bar) + 1rem); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.6 var(--sans); }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[hidden] { display: none !important; }
.skip { position: fixed; left: 1rem; top: -4rem; z-index: 3; padding: .5rem 1rem; background: var(--ground); border: 1px solid var(--accent); border-radius: 6px; }
.skip:focus { top: .5rem; }

.bar { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: .75rem; height: var(--bar); padding: 0 1.5rem; background: color-mix(in srgb, var(--ground) 92%, transparent); backdrop-filter: blur(10px); border-bottom: 1px solid var(--line); }
.bar .brand { display: flex; align-items: center; gap: .6rem; margin-right: auto; color: var(--strong); font-weight: 650; letter-spacing: -.01em; text-decoration: none; white-space: nowrap; }
.bar .brand .docs { margin-left: -.25rem; color: var(--quiet); font-weight: 450; }
/* What comes last pushes the rest aside: nothing is shown before it is there. */
.bar:not(:has(#theme)) > * { visibility: hidden; }
.bar svg { flex: none; width: 1.15rem; height: 1.15rem; }
.bar .brand svg { width: 1.6rem; height: 1.6rem; }
.bar .version { color: var(--quiet); font: .8rem var(--mono); }
.bar .plain { padding: .3rem .4rem; color: var(--text); font-size: .9rem; text-decoration: none; }
.bar .plain:hover, .bar .plain[aria-current] { color: var(--accent); }
button { padding: .35rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: var(--text); font: inherit; font-size: .875rem; cursor: pointer; }
button:hover { border-color: var(--quiet); }
button.icon { display: inline-grid; place-items: center; width: 2.25rem; height: 2.25rem; padding: 0; border-color: transparent; background: none; }
button.icon:hover { background: var(--raised); }
button.menu { display: none; }
.finder { display: flex; align-items: center; gap: .5rem; width: 15rem; height: 2.25rem; padding: 0 .5rem 0 .75rem; background: var(--raised); color: var(--quiet); text-align: left; }
.finder span { flex: 1; }
kbd { display: inline-block; min-width: 1.4rem; padding: 0 .35rem; border: 1px solid var(--line); border-radius: 5px; background: var(--ground); color: var(--quiet); font: .75rem/1.35rem var(--mono); text-align: center; }
:root:not(.scripts) .scripted { visibility: hidden; }
.sun, .moon { display: none; }
.sun svg, .moon svg { display: block; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) .sun { display: block; } }
@media (prefers-color-scheme: light) { :root:not([data-theme="dark"]) .moon { display: block; } }
:root[data-theme="dark"] .sun, :root[data-theme="light"] .moon { display: block; }

.page { display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); max-width: 100rem; margin: 0 auto; }
.guide .page { grid-template-columns: 17.5rem minmax(0, 1fr) 16rem; max-width: 92rem; }
.side { position: sticky; inset: var(--bar) auto auto 0; display: block; width: auto; height: calc(100vh - var(--bar)); margin: 0; padding: .75rem 1rem 3rem; border: 0; border-right: 1px solid var(--line); background: var(--ground); color: inherit; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; scroll-target-group: auto; }
.side .back { margin: .5rem 0 0 .5rem; font-size: .875rem; }
.side .back a { color: var(--quiet); text-decoration: none; }
.side .back a::before { content: "← " / ""; }
.side .back a:hover { color: var(--accent); }
.side .filter { position: sticky; top: -.75rem; z-index: 1; padding: .75rem 0 .5rem; background: var(--ground); }
.side input { width: 100%; padding: .45rem .7rem; border: 1px solid light-dark(#87929d, #62707d); border-radius: 8px; background: var(--ground); color: inherit; font: inherit; font-size: .9rem; }
.side input::placeholder { color: var(--quiet); opacity: 1; }
.side .found { margin: .3rem .1rem 0; color: var(--quiet); font-size: .8rem; }
.side .found:empty { margin: 0; }
.side .group { padding-top: 1.25rem; }
.side .group p { margin: 0 0 .35rem .6rem; color: var(--strong); font-size: .8125rem; font-weight: 650; }
.side .group p a { color: inherit; text-decoration: none; }
.side ul { margin: 0; padding: 0; list-style: none; }
.side li a { display: flex; align-items: baseline; gap: .5rem; padding: .28rem .6rem; border-radius: 7px; color: var(--text); font-size: .9rem; line-height: 1.4; text-decoration: none; overflow-wrap: anywhere; }
.side li a:hover { background: var(--raised); }
.side li a:target-current { background: var(--tint); color: var(--accent); }
.side li a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 550; }
.reference .side li a { padding-block: .22rem; font-size: .875rem; }
.side .method { flex: none; width: 3.1rem; padding: .1rem 0; font-size: .625rem; text-align: center; }

main { min-width: 0; padding: 0 2.5rem 6rem; }
main:focus { outline: 0; }
.op { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); gap: 0 3rem; padding: 2.25rem 0; border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 900px; }
.examples { position: sticky; top: calc(var(--bar) + 1.5rem); align-self: start; }

@media (max-width: 78rem) {
  .op { grid-template-columns: minmax(0, 1fr); }
  .examples { position: static; margin-top: 1rem; }
}
@media (max-width: 74rem) {
  .guide .page { grid-template-columns: 17.5rem minmax(0, 1fr); }
  .beside { display: none; }
}
@media (max-width: 56rem) {
  .page, .guide .page { display: block; }
  button.menu { display: inline-grid; }
  .bar { padding: 0 .75rem; gap: .35rem; }
  .bar .version, .bar .plain, .bar .brand .docs { display: none; }
  .finder { width: 2.25rem; padding: 0; place-content: center; border-color: transparent; background: none; color: var(--text); }
  .finder span, .finder kbd { display: none; }
  .side { position: fixed; inset: var(--bar) auto 0 0; width: min(20rem, 88vw); height: auto; }
  .side:not(:popover-open) { display: none; }
  .side::backdrop { background: rgb(0 0 0 / .45); }
  main { padding: 0 1.15rem 4rem; }
}
@media print {
  .bar, .side, .beside, .outline, .pager, .skip, figcaption button { display: none !important; }
  .page, .guide .page { display: block; }
  .op { content-visibility: visible; }
  .code, .drawing, tr { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  article { max-width: none; }
}
`;

export const STYLES =
  COLOURS + LAYOUT + CONTENT_STYLES + GUIDE_STYLES + DRAWING_STYLES + SEARCH_STYLES;
