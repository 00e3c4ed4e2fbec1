/** How text, tables and code look. */
export const CONTENT_STYLES = `
h1, h2, h3, h4 { color: var(--strong); line-height: 1.25; text-wrap: balance; }
h1 { margin: 3rem 0 .75rem; font-size: 2.25rem; letter-spacing: -.02em; }
h2 { margin: 4.5rem 0 1.5rem; font-size: 1.7rem; letter-spacing: -.015em; }
h3 { margin: 0 0 .75rem; font-size: 1.25rem; letter-spacing: -.01em; }
h4 { margin: 1.75rem 0 .5rem; font-size: .95rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h3 a::after { content: " #" / ""; color: transparent; font-weight: 400; }
h3 a:hover::after, h3 a:focus-visible::after { color: var(--quiet); }
p { margin: 0 0 .75rem; }
.lead { max-width: 46rem; font-size: 1.125rem; }
.text > p, .text > ul { max-width: 44rem; }
.text > ul { margin: 0 0 .75rem; padding-left: 1.2rem; }
.text li { margin: .3rem 0; }
code { font-family: var(--mono); font-size: .875em; overflow-wrap: anywhere; }
p > code, li > code, td > code, .type code { display: inline-block; max-width: 100%; padding: 0 .3em; border-radius: 4px; background: var(--raised); line-height: 1.5; }

.method { display: inline-block; padding: .15rem .5rem; border-radius: 5px; font: 650 .75rem/1.3 var(--mono); letter-spacing: .02em; }
.get { background: var(--get-ground); color: var(--get); }
.post { background: var(--post-ground); color: var(--post); }
.put { background: var(--put-ground); color: var(--put); }
.patch { background: var(--patch-ground); color: var(--patch); }
.delete { background: var(--delete-ground); color: var(--delete); }
.call { display: flex; align-items: baseline; gap: .6rem; }
.call code, p.call > code { padding: 0; background: none; color: var(--strong); font-size: .95rem; }
.call em { color: var(--accent); font-style: normal; }
.access { color: var(--quiet); font-size: .9rem; }
.access::before { content: ""; display: inline-block; width: .5rem; height: .5rem; margin-right: .5rem; border-radius: 50%; background: var(--accent); }
.access .permission { color: var(--text); }

table { width: 100%; margin-bottom: 1rem; border-collapse: collapse; font-size: .9rem; line-height: 1.5; }
th, td { padding: .55rem .75rem .55rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
tr > :last-child { padding-right: 0; }
tbody tr:last-child > * { border-bottom: 1px solid var(--line); }
thead th { padding: .35rem .75rem .35rem 0; border-top: 0; color: var(--quiet); font-size: .8rem; }
td p { margin: .2rem 0 0; }
.fields thead, .parents { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.fields th[scope="row"] { width: 38%; }
.fields th code { color: var(--strong); font-weight: 600; font-size: .85rem; }
.depth-1 { --indent: 1rem; }
.depth-2 { --indent: 2rem; }
.depth-3 { --indent: 3rem; }
.depth-4 { --indent: 4rem; }
[class*="depth-"]:not(.depth-0) > th { padding-left: calc(var(--indent) + .1rem); background: repeating-linear-gradient(90deg, var(--line) 0 2px, transparent 2px 1rem) 0 0 / var(--indent) 100% no-repeat; }
.option th { color: var(--quiet); font-size: .85rem; font-style: italic; }
.must, .may { display: block; font-size: .75rem; }
.must { color: var(--must); }
.may { color: var(--quiet); }
.type { font-size: .875rem; color: var(--quiet); }
.type code { color: var(--text); font-size: .8rem; }
details { font-size: .9rem; }
summary { width: fit-content; padding: .2rem 0; color: var(--quiet); cursor: pointer; }
summary:hover { color: var(--text); }
.errors td:first-child { width: 3.5rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
.errors td:nth-child(2) { width: 42%; }
.errors td > code { padding: 0; background: none; font-size: .8rem; }
.errors .reason { display: block; color: var(--quiet); }
.errors td:last-child > code { padding: 0 .3em; background: var(--raised); }
.plain td:first-child { width: 38%; }

.code { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); overflow: hidden; }
.code figcaption { display: flex; align-items: center; justify-content: space-between; min-height: 2.25rem; padding: .25rem .5rem .25rem .9rem; border-bottom: 1px solid var(--line); color: var(--quiet); font-size: .8rem; }
.code button { padding: .1rem .55rem; font-size: .75rem; }
pre { margin: 0; padding: .8rem .9rem; font: .8125rem/1.55 var(--mono); white-space: pre-wrap; }
pre code { font-size: inherit; }
.scrolls pre { white-space: pre; overflow-x: auto; scrollbar-width: thin; }
.scrolls code { overflow-wrap: normal; }
.k { color: var(--get); }
.s { color: var(--post); }
.n { color: var(--put); }
.w { color: var(--patch); }
.c { color: var(--quiet); font-style: italic; }

.schema { max-width: 52rem; padding: 1.75rem 0; border-top: 1px solid var(--line); }
.op:target, .schema:target { border-top-color: var(--accent); }
:target h3 a::after { color: var(--accent); }
@media (max-width: 30rem) {
  h1 { font-size: 1.8rem; }
  h2 { font-size: 1.45rem; margin-top: 3rem; }
  .call { flex-direction: column; gap: .35rem; }
}
`;
