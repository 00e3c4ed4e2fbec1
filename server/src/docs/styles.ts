import { CONTENT_STYLES } from './content-styles.ts';

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

.bar { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: .75rem; height: var(--bar); padding: 0 1.5rem; background: var(--ground); border-bottom: 1px solid var(--line); }
.bar .brand { display: flex; align-items: center; gap: .6rem; margin-right: auto; color: var(--strong); font-weight: 650; text-decoration: none; white-space: nowrap; }
.bar svg { width: 1.6rem; height: 1.6rem; }
.bar .version { color: var(--quiet); font: .8rem var(--mono); }
.bar .plain { font-size: .875rem; }
button { padding: .35rem .75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--ground); color: var(--text); font: inherit; font-size: .875rem; cursor: pointer; }
button:hover { border-color: var(--quiet); }
.menu { display: none; }

.page { display: grid; grid-template-columns: 18.5rem minmax(0, 1fr); max-width: 100rem; margin: 0 auto; }
nav { position: sticky; inset: var(--bar) auto auto 0; display: block; width: auto; height: calc(100vh - var(--bar)); margin: 0; padding: 0 1rem 3rem; border: 0; border-right: 1px solid var(--line); background: var(--ground); color: inherit; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; }
nav .filter { position: sticky; top: 0; z-index: 1; padding: 1rem 0 .5rem; background: var(--ground); }
nav input { width: 100%; padding: .45rem .7rem; border: 1px solid light-dark(#87929d, #62707d); border-radius: 6px; background: var(--ground); color: inherit; font: inherit; font-size: .9rem; }
nav input::placeholder { color: var(--quiet); opacity: 1; }
nav .found { margin: .3rem .1rem 0; color: var(--quiet); font-size: .8rem; }
nav .found:empty { margin: 0; }
nav .group { padding-top: 1rem; }
nav .group p { margin: 0 0 .25rem .5rem; font-size: .75rem; font-weight: 650; letter-spacing: .05em; text-transform: uppercase; }
nav .group p a { color: var(--quiet); text-decoration: none; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav { scroll-target-group: auto; }
nav li a { display: flex; align-items: baseline; gap: .5rem; padding: .22rem .5rem; border-radius: 6px; color: var(--text); font-size: .875rem; line-height: 1.4; text-decoration: none; overflow-wrap: anywhere; }
nav li a:hover { background: var(--raised); }
nav li a:target-current { background: var(--tint); color: var(--accent); }
nav .method { flex: none; width: 3.1rem; padding: .1rem 0; font-size: .625rem; text-align: center; }

main { min-width: 0; padding: 0 2.5rem 6rem; }
main:focus { outline: 0; }
.op { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); gap: 0 3rem; padding: 2.25rem 0; border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 900px; }
.examples { position: sticky; top: calc(var(--bar) + 1.5rem); align-self: start; }

@media (max-width: 78rem) {
  .op { grid-template-columns: minmax(0, 1fr); }
  .examples { position: static; margin-top: 1rem; }
}
@media (max-width: 56rem) {
  .page { display: block; }
  .menu { display: inline-block; }
  .bar { padding: 0 1rem; gap: .5rem; }
  .bar .version, .bar .plain { display: none; }
  nav { position: fixed; inset: var(--bar) auto 0 0; width: min(20rem, 88vw); }
  nav:not(:popover-open) { display: none; }
  nav::backdrop { background: rgb(0 0 0 / .45); }
  main { padding: 0 1rem 4rem; }
}
@media (max-width: 24rem) {
  .bar .brand span { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
}
@media print {
  .bar, nav, .skip, figcaption button { display: none; }
  .page { display: block; }
  .op { content-visibility: visible; }
}
`;

export const STYLES = COLOURS + LAYOUT + CONTENT_STYLES;
