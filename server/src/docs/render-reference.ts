import { createHash } from 'node:crypto';
import { linkTo, schemaAnchor, tagAnchor } from './anchors.ts';
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
import { type Html, html, raw } from './html.ts';
import { listChapters, renderChapter } from './introduction.ts';
import { markdown } from './markdown.ts';
import { type PageFacts, renderOperation } from './operation.ts';
import { SCRIPT } from './script.ts';
import { renderSidebar } from './sidebar.ts';
import { STYLES } from './styles.ts';

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0a6a5c"/><path d="M9 9h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-6l-5 4v-4H9a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2z" fill="#fff"/><path d="m12 15 3 3 6-6" fill="none" stroke="#0a6a5c" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** Turns the API's OpenAPI document into one page that needs nothing else. */
export function renderReference(openapi: object, baseUrl: string): string {
  const document = openapi as ApiDocument;
  const operations = listOperations(document);
  const page = { baseUrl: baseUrl.replace(/\/+$/, ''), isCommon: makeIsCommon(operations) };
  const groups = groupByTag(operations);
  const chapters = listChapters(document, operations, page.baseUrl);
  const { schemas } = document.components;
  const sent = listRequestSchemas(document, operations);
  const { title, version, description } = document.info;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">
<style>${raw(STYLES)}</style>
<script>${raw(SCRIPT)}</script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<button class="menu" type="button" popovertarget="contents">Contents</button>
<a class="brand" href="#main">${raw(MARK.replace('<svg ', '<svg aria-hidden="true" '))}<span>${title}</span></a>
<span class="version">${version}</span>
<a class="plain" href="openapi.json">openapi.json</a>
<button id="theme" type="button" hidden></button>
</header>
<div class="page">
${renderSidebar({ chapters, groups, schemas: Object.keys(schemas) })}
<main id="main" tabindex="-1">
<h1>${title}</h1>
<div class="lead">${markdown(description)}</div>
<h2 id="introduction">Introduction</h2>
${chapters.map(renderChapter)}
${[...groups].map(([tag, members]) => renderGroup(tag, members, page))}
<h2 id="schemas">Schemas</h2>
${Object.entries(schemas).map(([name, schema]) =>
  renderSchema(name, schema, sent.has(name) ? 'request' : 'answer'),
)}
</main>
</div>
</body>
</html>
`.text;
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

/**
 * Lets the page run its own style and script and nothing else. It fetches nothing, cannot be
 * framed, and text that slipped through the escaping could still not run.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src '${hashOf(STYLES)}'`,
  `script-src '${hashOf(SCRIPT)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
