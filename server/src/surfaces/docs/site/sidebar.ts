import { type Html, html } from '../../../platform/http/server/html.ts';
import type { Operation } from '../api/api-document.ts';
import { methodBadge } from '../api/operation.ts';
import { linkTo, schemaAnchor, tagAnchor } from '../pages/anchors.ts';

export interface Contents {
  readonly chapters: readonly { readonly id: string; readonly title: string }[];
  readonly groups: ReadonlyMap<string, readonly Operation[]>;
  readonly schemas: readonly string[];
}

/** On a narrow screen it is a popover, which needs no script to open. */
export function renderSidebar({ chapters, groups, schemas }: Contents): Html {
  return html`
<nav class="side" id="contents" popover aria-label="Contents">
<p class="back"><a href="/docs">All docs</a></p>
<div class="filter scripted"><input type="search" placeholder="Filter" aria-label="Filter the contents" autocomplete="off" spellcheck="false"><p role="status" class="found"></p></div>
${group(
  'introduction',
  'Introduction',
  chapters.map(({ id, title }) => item(title, linkTo(id, title))),
)}
${[...groups].map(([tag, operations]) => group(tagAnchor(tag), tag, operations.map(operationItem)))}
${group(
  'schemas',
  'Schemas',
  schemas.map((name) => item(name, linkTo(schemaAnchor(name), name))),
)}
</nav>`;
}

function group(anchor: string, title: string, items: readonly Html[]): Html {
  return html`<div class="group"><p>${linkTo(anchor, title)}</p><ul>${items}</ul></div>`;
}

function item(find: string, content: Html): Html {
  return html`<li data-find="${find.toLowerCase()}">${content}</li>`;
}

function operationItem({ operationId, method, path, summary }: Operation): Html {
  const content = html`${methodBadge(method)}<span>${shorten(summary)}</span>`;
  return item(`${method} ${path} ${summary} ${operationId}`, linkTo(operationId, content));
}

/** A summary up to its first pause: enough to find it by, unless that is one word. */
function shorten(summary: string): string {
  const [short = summary] = summary.split(/[,;:(]/, 1);
  return short.trim().includes(' ') ? short : summary;
}
