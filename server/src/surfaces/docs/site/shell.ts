import { type Html, html, raw } from '../../../platform/http/server/html.ts';
import { API_SLUG, addressOf } from '../pages/contents.ts';

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0a6a5c"/><path d="M9 9h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-6l-5 4v-4H9a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2z" fill="#fff"/><path d="m12 15 3 3 6-6" fill="none" stroke="#0a6a5c" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** Drawn with lines of the text's colour. */
const icon = (path: string): Html =>
  raw(
    `<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`,
  );

const MENU = icon('<path d="M4 7h16M4 12h16M4 17h10"/>');
const LENS = icon('<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.2-4.2"/>');
const SUN = icon(
  '<circle cx="12" cy="12" r="4"/><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"/>',
);
const MOON = icon('<path d="M20 14.5A8.3 8.3 0 0 1 9.5 4a8.3 8.3 0 1 0 10.5 10.5z"/>');

/** The files that every page loads, named after their content. */
export interface Assets {
  readonly style: string;
  readonly script: string;
}

export interface Shell {
  readonly title: string;
  readonly description: string;
  /** Of which kind the page is, for its style. */
  readonly kind: 'home' | 'guide' | 'reference';
  readonly version: string;
  readonly assets: Assets;
  readonly side: Html;
  readonly main: Html;
}

/** What all pages have in common: the bar on top, the contents, the search. */
export function renderShell(page: Shell): string {
  const isReference = page.kind === 'reference';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">
<link rel="stylesheet" href="${page.assets.style}">
<script src="${page.assets.script}"></script>
</head>
<body class="${page.kind}">
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<button class="menu icon" type="button" popovertarget="contents" aria-label="Contents">${MENU}</button>
<a class="brand" href="/docs">${raw(MARK.replace('<svg ', '<svg aria-hidden="true" '))}<span>Goodword</span> <span class="docs">docs</span></a>
<button class="finder scripted" id="find" type="button" aria-label="Search" aria-keyshortcuts="/">${LENS}<span>Search</span><kbd>/</kbd></button>
<a class="plain" href="${addressOf(API_SLUG)}"${isReference ? html` aria-current="page"` : null}>API</a>
<a class="plain" href="/console">Console</a>
<span class="version">${page.version}</span>
<button class="icon scripted" id="theme" type="button" aria-label="Dark theme"><span class="sun">${SUN}</span><span class="moon">${MOON}</span></button>
</header>
<div class="page">
${page.side}
${page.main}
</div>
<dialog id="search" aria-label="Search">
<div class="query">${LENS}<input type="text" role="combobox" aria-autocomplete="list" enterkeyhint="search" aria-expanded="false" aria-controls="results" aria-label="Search the docs" placeholder="Search guides and calls" autocomplete="off" spellcheck="false"></div>
<div id="results" role="listbox" aria-label="Results" tabindex="-1"></div>
<p class="search-status" role="status"></p>
</dialog>
</body>
</html>
`.text;
}
