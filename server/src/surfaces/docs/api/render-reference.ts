import { type Html, html } from '../../../platform/http/server/html.ts';
import { linkTo, schemaAnchor, tagAnchor } from '../pages/anchors.ts';
import { listChapters, renderChapter } from '../pages/introduction.ts';
import { markdown } from '../pages/markdown.ts';
import { type Assets, renderShell } from '../site/shell.ts';
import { renderSidebar } from '../site/sidebar.ts';
import {
  type ApiDocument,
  groupByTag,
  listOperations,
  listRequestSchemas,
  type Operation,
  type Schema,
} from './api-document.ts';
import { makeIsCommon } from './error-table.ts';
import { type Direction, fieldTable } from './field-table.ts';
import { type PageFacts, renderOperation } from './operation.ts';

/** Turns the API's OpenAPI document into one page. */
export function renderReference(openapi: object, baseUrl: string, assets: Assets): string {
  const document = openapi as ApiDocument;
  const operations = listOperations(document);
  const page = { baseUrl: baseUrl.replace(/\/+$/, ''), isCommon: makeIsCommon(operations) };
  const groups = groupByTag(operations);
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
