import { type Html, html } from '../../../platform/http/server/html.ts';
import type { SiteFacts } from '../render-page.ts';
import { renderShell } from '../site/shell.ts';
import { renderSiteMap } from '../site/site-map.ts';
import { API_SLUG } from './contents.ts';
import { addressOf } from './doc-page.ts';

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
