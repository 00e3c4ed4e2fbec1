/** How the search looks. */
export const SEARCH_STYLES = `
#search { width: min(42rem, calc(100vw - 1.5rem)); max-height: min(36rem, calc(100vh - 6rem)); margin: 4rem auto auto; padding: 0; border: 1px solid var(--line); border-radius: 14px; background: var(--ground); color: var(--text); box-shadow: 0 24px 64px rgb(0 0 0 / .28); overflow: hidden; }
#search[open] { display: flex; flex-direction: column; }
#search::backdrop { background: rgb(8 14 18 / .5); }
#search .query { display: flex; align-items: center; gap: .75rem; padding: 0 1.1rem; border-bottom: 1px solid var(--line); }
#search .query svg { flex: none; width: 1.2rem; height: 1.2rem; color: var(--quiet); }
#search input { flex: 1; min-width: 0; height: 3.5rem; padding: 0; border: 0; background: none; color: var(--strong); font: inherit; font-size: 1.1rem; }
#search input:focus { outline: 0; }
#search input::placeholder { color: var(--quiet); opacity: 1; }
#results { padding: .5rem; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; }
#results:empty { display: none; }
#results a { display: block; padding: .6rem .75rem; border-radius: 8px; color: var(--text); text-decoration: none; scroll-margin: .5rem; }
#results a:hover { background: var(--raised); }
#results a[aria-selected="true"] { background: var(--tint); }
#results span { display: block; overflow-wrap: anywhere; }
#results .where { color: var(--quiet); font-size: .78rem; }
#results .title { color: var(--strong); font-weight: 600; line-height: 1.4; }
#results .words { color: var(--quiet); font-size: .85rem; line-height: 1.45; }
#results .words:empty { display: none; }
#results mark { background: none; color: var(--accent); font-weight: 650; }
#search .told { margin: 0; padding: .5rem 1.1rem .6rem; color: var(--quiet); font-size: .8rem; }
#search .told:empty { display: none; }
`;
