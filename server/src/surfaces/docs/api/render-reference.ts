import { type Html, html } from '../../../platform/http/server/html.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { listChapters, renderChapter } from '../pages/introduction.ts';
import { linkTo, markdown, schemaAnchor, tagAnchor } from '../pages/markup.ts';
import { type Assets, renderShell } from '../site/shell.ts';
import {
  type ApiDocument,
  listOperations,
  listRequestSchemas,
  type Operation,
  type Schema,
} from './api-document.ts';
import { makeIsCommon } from './error-table.ts';
import { type Direction, fieldTable } from './field-table.ts';
import { methodBadge, type PageFacts, renderOperation } from './operation.ts';

/** Turns the API's OpenAPI document into one page. */
export function renderReference(openapi: object, baseUrl: string, assets: Assets): string {
  const document = openapi as ApiDocument;
  const operations = listOperations(document);
  const page = { baseUrl: baseUrl.replace(/\/+$/, ''), isCommon: makeIsCommon(operations) };
  const groups = groupBy(operations, ({ tag }) => tag);
  const chapters = listChapters(document, operations, page.baseUrl);
  const { schemas } = document.components;
  const sent = listRequestSchemas(document, operations);
  const { title, version, description } = document.info;
  return renderShell({
    title,
    description,
    kind: 'reference',
    version,
    assets,
    side: renderSidebar({ chapters, groups, schemas: Object.keys(schemas) }),
    main: html`<main id="main" tabindex="-1">
<h1>${title}</h1>
<div class="lead">${markdown(description)}</div>
<h2 id="introduction">Introduction</h2>
${chapters.map(renderChapter)}
${[...groups].map(([tag, members]) => renderGroup(tag, members, page))}
<h2 id="schemas">Schemas</h2>
${Object.entries(schemas).map(([name, schema]) =>
  renderSchema(name, schema, sent.has(name) ? 'request' : 'answer'),
)}
</main>`,
  });
}

function renderGroup(tag: string, operations: readonly Operation[], page: PageFacts): Html {
  return html`
<h2 id="${tagAnchor(tag)}">${tag}</h2>
${operations.map((operation) => renderOperation(operation, page))}`;
}

function renderSchema(name: string, schema: Schema, direction: Direction): Html {
  const anchor = schemaAnchor(name);
  return html`
<section class="schema" id="${anchor}" aria-labelledby="${anchor}-title">
<h3 id="${anchor}-title">${linkTo(anchor, name)}</h3>
${schema.description === undefined ? null : markdown(schema.description)}
${fieldTable(schema, direction)}
</section>`;
}

interface Contents {
  readonly chapters: readonly { readonly id: string; readonly title: string }[];
  readonly groups: ReadonlyMap<string, readonly Operation[]>;
  readonly schemas: readonly string[];
}

/** On a narrow screen it is a popover, which needs no script to open. */
function renderSidebar({ chapters, groups, schemas }: Contents): Html {
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
