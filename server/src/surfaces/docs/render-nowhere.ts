import { html } from '../../platform/http/server/html.ts';
import type { SiteFacts } from './render-page.ts';
import { renderShell } from './site/shell.ts';
import { renderSiteMap } from './site/site-map.ts';

/** For an address below /docs that has no page. */
export function renderNowhere({ sections, assets, version }: SiteFacts): string {
  return renderShell({
    title: 'No such page · Goodword',
    description: 'There is no such page.',
    kind: 'guide',
    version,
    assets,
    side: renderSiteMap(sections, ''),
    main: html`<main id="main" tabindex="-1"><article><h1>No such page</h1><p>There is no page at this address. Look for it in the contents, search with <kbd>/</kbd>, or go to the <a href="/docs">first page</a>.</p></article></main>`,
  });
}
