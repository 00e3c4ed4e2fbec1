/** How the written pages and the first page look. */
export const GUIDE_STYLES = `
article { max-width: 46rem; margin: 0 auto; padding-top: 2.5rem; line-height: 1.7; }
article .where { margin: 0 0 .4rem; color: var(--accent); font-size: .875rem; font-weight: 600; }
article h1 { margin: 0 0 1.25rem; font-size: 2.4rem; line-height: 1.15; letter-spacing: -.028em; font-weight: 720; }
article h2 { margin: 3.25rem 0 .9rem; font-size: 1.55rem; letter-spacing: -.018em; }
article h3 { margin: 2.25rem 0 .6rem; font-size: 1.2rem; }
article h4 { margin: 1.75rem 0 .5rem; font-size: 1rem; }
article p, article ul, article ol { margin: 0 0 1.1rem; }
article h1 ~ p:first-of-type:not(.where), article h1 + .outline + p, article h1 + p { font-size: 1.125rem; line-height: 1.65; color: var(--lead); }
article ul, article ol { padding-left: 1.35rem; }
article li { margin: .35rem 0; padding-left: .15rem; }
article li::marker { color: var(--quiet); }
article li > p { margin-bottom: .6rem; }
article li > .code { margin: .6rem 0 1rem; }
article a { text-decoration-thickness: 1px; text-underline-offset: .2em; }
article strong { color: var(--strong); font-weight: 650; }
article hr { margin: 2.5rem 0; border: 0; border-top: 1px solid var(--line); }
article :is(p, li, td, th, h2, h3, h4, figcaption) code, .hero code { padding: .1em .35em; border: 1px solid var(--line); border-radius: 5px; background: var(--raised); font-size: .86em; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
article :is(h2, h3, h4) code { border: 0; padding: 0; background: none; }
article td > code, article p > code, article li > code { display: inline; line-height: inherit; }
article .anchor { color: inherit; text-decoration: none; }
article .anchor::after { content: " #" / ""; color: transparent; font-weight: 400; transition: color .12s; }
article .anchor:hover::after, article .anchor:focus-visible::after, article :target > .anchor::after { color: var(--accent); }
article .in-repository { border-bottom: 1px dotted var(--quiet); }
article .code { margin: 0 0 1.4rem; }
article pre { padding: 1rem 1.1rem; font-size: .84rem; line-height: 1.65; }
article .note { margin: 0 0 1.4rem; padding: .9rem 1.1rem; border-left: 3px solid var(--accent); border-radius: 0 8px 8px 0; background: var(--tint); }
article .note > :last-child { margin-bottom: 0; }
article .tick { display: inline-block; width: .95em; height: .95em; margin: 0 .5em 0 -1.45em; border: 1.5px solid var(--quiet); border-radius: 4px; vertical-align: -.1em; }
article li:has(> .tick) { list-style: none; }
.wide { margin: 0 0 1.4rem; overflow-x: auto; scrollbar-width: thin; }
.wide > table { margin: 0; }
.prose th { padding-block: .5rem; color: var(--strong); font-size: .8125rem; font-weight: 650; text-align: left; }
.prose td { padding-block: .6rem; }
.prose code { overflow-wrap: normal; }
.columns-3 { min-width: 28rem; }
.columns-4 { min-width: 40rem; }
.columns-many { min-width: 46rem; }
.prose .number { text-align: right; font-variant-numeric: tabular-nums; }

.beside { position: sticky; top: var(--bar); align-self: start; max-height: calc(100vh - var(--bar)); padding: 2.75rem 1.5rem 2rem 0; overflow-y: auto; scrollbar-width: thin; font-size: .85rem; scroll-target-group: auto; }
.beside p { margin: 0 0 .5rem; color: var(--strong); font-weight: 650; }
.beside ul, .outline ul { margin: 0; padding: 0; list-style: none; }
.beside li a { display: block; padding: .22rem 0 .22rem .9rem; border-left: 2px solid var(--line); color: var(--quiet); line-height: 1.45; text-decoration: none; }
.beside .level-3 a { padding-left: 1.8rem; }
.beside li a:hover { color: var(--accent); }
.beside li a:target-current { border-left-color: var(--accent); color: var(--accent); }
.outline { display: none; margin: 0 0 1.5rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
.outline summary { width: auto; padding: .6rem .9rem; color: var(--text); }
.outline ul { padding: 0 .9rem .7rem; }
.outline a { display: block; padding: .25rem 0; color: var(--text); text-decoration: none; }
.outline .level-3 a { padding-left: 1rem; color: var(--quiet); }

.pager { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin-top: 4rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.pager a { display: block; padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: 10px; color: var(--accent); font-weight: 600; text-decoration: none; }
.pager a:hover { border-color: var(--accent); }
.pager span { display: block; color: var(--quiet); font-size: .8rem; font-weight: 400; }
.pager [rel="next"] { grid-column: 2; text-align: right; }

.home main { max-width: 68rem; margin: 0 auto; padding-top: 3.5rem; }
.hero { max-width: 44rem; margin-bottom: 2.5rem; }
.hero h1 { margin: 0 0 1rem; font-size: clamp(2rem, 1.2rem + 3vw, 3.1rem); line-height: 1.08; letter-spacing: -.035em; font-weight: 740; }
.hero p { color: var(--lead); font-size: 1.15rem; line-height: 1.6; }
.hero .ways { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
.ways a { padding: .55rem 1.1rem; border: 1px solid var(--line); border-radius: 9px; color: var(--strong); font-size: 1rem; font-weight: 550; text-decoration: none; }
.ways a:hover { border-color: var(--accent); color: var(--accent); }
.ways .main-way { border-color: var(--action); background: var(--action); color: #ffffff; }
.ways .main-way:hover { background: var(--action-hover); color: #ffffff; }
.sections section { padding: 2rem 0 1rem; border-top: 1px solid var(--line); }
.sections h2 { margin: 0 0 1rem; font-size: 1.15rem; letter-spacing: -.01em; }
.sections ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .75rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.sections a { display: block; height: 100%; padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: 10px; color: var(--text); text-decoration: none; }
.sections a:hover { border-color: var(--accent); }
.sections strong { display: block; color: var(--strong); font-weight: 620; }
.sections a:hover strong { color: var(--accent); }
.sections span { display: -webkit-box; overflow: hidden; color: var(--quiet); font-size: .9rem; line-height: 1.5; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
@media (max-width: 74rem) { .outline { display: block; } }
@media (max-width: 56rem) { article, .home main { padding-top: 1.5rem; } }
@media (max-width: 30rem) {
  article h1 { font-size: 1.9rem; }
  article h2 { margin-top: 2.5rem; font-size: 1.35rem; }
  .pager { grid-template-columns: 1fr; }
  .pager [rel="next"] { grid-column: 1; }
}
@media (prefers-reduced-motion: reduce) { article .anchor::after { transition: none; } }
`;
