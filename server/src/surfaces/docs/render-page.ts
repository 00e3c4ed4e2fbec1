import { type Html, html } from '../../platform/http/server/html.ts';
import type { DocPage, Part } from './pages/doc-page.ts';
import { type Assets, renderShell } from './site/shell.ts';
import {
  renderOutline,
  renderPager,
  renderSiteMap,
  type SiteSection,
  withoutLinks,
} from './site/site-map.ts';

/** What a page needs to know of the site around it. */
export interface SiteFacts {
  readonly sections: readonly SiteSection[];
  readonly assets: Assets;
  readonly version: string;
}

export function renderPage(page: DocPage, site: SiteFacts): string {
  const { sections, assets, version } = site;
  const { fold, beside } = renderOutline(page);
  const section = sections.find(({ places }) => places.some(({ slug }) => slug === page.slug));
  const [first, ...rest] = page.parts;
  return renderShell({
    title: `${page.title} · Goodword`,
    description: page.lead,
    kind: 'guide',
    version,
    assets,
    side: renderSiteMap(sections, page.slug),
    main: html`<main id="main" tabindex="-1"><article>
${section ? html`<p class="where">${section.title}</p>` : null}
<h1 id="${first?.id ?? ''}">${first?.heading ?? ''}</h1>
${fold}
${first?.body ?? null}
${rest.map(renderPart)}
${renderPager(sections, page.slug)}
</article></main>
${beside}`,
  });
}

const LEVELS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

function renderPart({ id, depth, heading, body }: Part): Html {
  const link = html`<a class="anchor" href="#${id}">${withoutLinks(heading)}</a>`;
  switch (LEVELS[depth - 1]) {
    case 'h2':
      return html`<h2 id="${id}">${link}</h2>\n${body}`;
    case 'h3':
      return html`<h3 id="${id}">${link}</h3>\n${body}`;
    default:
      return html`<h4 id="${id}">${link}</h4>\n${body}`;
  }
}
