import { type Html, html } from '../../../platform/http/server/html.ts';
import { API_SLUG, addressOf, type DocPage, type Part } from '../pages/contents.ts';
import { type Assets, renderShell } from './shell.ts';
import {
  renderOutline,
  renderPager,
  renderSiteMap,
  type SiteSection,
  withoutLinks,
} from './site-map.ts';

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

/** The first page: what this is, and the ways in. */
export function renderHome({ sections, assets, version }: SiteFacts, drawing: Html): string {
  const first = sections[0]?.places[0];
  return renderShell({
    title: 'Goodword documentation',
    description: 'How to set up, integrate and run Goodword, a referral and rewards service.',
    kind: 'home',
    version,
    assets,
    side: renderSiteMap(sections, ''),
    main: html`<main id="main" tabindex="-1">
<section class="hero">
<h1>A referral and rewards service that you run yourself</h1>
<p>Your backend reports signups and purchases. Goodword decides who referred each person, computes the rewards and delivers them.</p>
<p class="ways">${first ? html`<a class="main-way" href="${addressOf(first.slug)}">Start here</a>` : null}<a href="${addressOf(API_SLUG)}">API reference</a><a href="/console">Console</a></p>
</section>
${drawing}
<div class="sections">${sections.map(
      ({ title, places }) =>
        html`<section><h2>${title}</h2><ul>${places.map(
          ({ slug, label, lead }) =>
            html`<li><a href="${addressOf(slug)}"><strong>${label}</strong><span>${lead}</span></a></li>`,
        )}</ul></section>`,
    )}</div>
</main>`,
  });
}

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
