import { type Html, html } from '../../../platform/http/server/html.ts';
import { type ErrorCode, STATUS_BY_CODE } from '../../../platform/kit/errors.ts';
import type { ApiDocument, Operation, SecurityScheme } from '../api/api-document.ts';
import { ERROR_MEANINGS } from '../api/error-meanings.ts';
import { codeBlock, highlight, jsonBlock } from './highlight.ts';
import { breakable, inline, linkTo, markdown } from './markup.ts';

interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly text: Html;
  readonly example: Html | null;
}

/** What holds for every call, said once before the calls themselves. */
export function listChapters(
  document: ApiDocument,
  operations: readonly Operation[],
  baseUrl: string,
): Chapter[] {
  return [
    {
      id: 'base-address',
      title: 'Base address',
      text: html`${markdown(
        'Every path on this page stands under the base address. Bodies and answers are JSON in UTF-8 (a stream and an export are not); send bodies as `application/json`, uncompressed, at most 262,144 bytes. Every success has status 200.',
      )}<p>The same description for machines, in OpenAPI 3.1: <a href="/openapi.json">openapi.json</a>.</p>`,
      example: codeBlock('Base address', html`${baseUrl}`),
    },
    {
      id: 'authentication',
      title: 'Authentication',
      text: html`${schemeTable(document)}${markdown(
        'A key belongs to one Workspace and to one environment, `sandbox` or `live`. It reaches the Projects of that Workspace in that environment. Each call names its Project in `projectId` and needs the permissions listed with it. Keys are for backends: never put one in a browser or in an app that you hand out. The operator may call everything, with the admin token.',
      )}`,
      example: codeBlock(
        'A first call',
        commandFor(`${baseUrl}/v1/webhook-events?projectId=prj_01ka3m…`),
      ),
    },
    {
      id: 'values',
      title: 'Ids, times and money',
      text: markdown(`
- **Ids** are opaque: a prefix for the kind, such as \`prg_\`, and 26 characters. Compare them as they are.
- **Times** come as UTC with milliseconds. Send RFC 3339 with seconds and any offset; a date alone is refused.
- **Money** is a whole number of minor units in a string, so that no digit is ever lost, beside its \`currency\` and \`currencyExponent\`: \`"1250"\` with exponent 2 is 12.50.
- **Empty** fields of an answer are there and \`null\`. In a POST, \`null\` is the same as leaving the field out; in a PUT or PATCH a field left out keeps its value and \`null\` clears it.
- **Unknown** body fields are refused, so that a misspelt name is never lost in silence. Answers may gain fields: ignore those you do not know.`),
      example: jsonBlock('Ids, times and money', {
        id: 'rwd_01ka3m…',
        earnedAt: '2026-11-15T09:30:00.000Z',
        money: { amountMinor: '1250', currency: 'EUR', currencyExponent: 2 },
      }),
    },
    {
      id: 'errors',
      title: 'Errors',
      text: html`${markdown(
        'Every refusal has the same body. Branch on `code`, and on `reason` where a code has several; `message` is for people and may change. `details` names each faulty field. Every answer, good or bad, carries its `requestId` in `X-Request-Id` too.',
      )}${codeTable()}${markdown(
        'After 429 and 503 wait as long as `Retry-After` says and send the same body again. A failed call should never fail a signup in your own product.',
      )}`,
      example: jsonBlock('An error', {
        success: false,
        error: {
          code: 'INVALID_REQUEST',
          reason: null,
          message: 'Invalid request: name is required.',
          requestId: 'req_01ka3m…',
          details: [{ path: 'name', issue: 'is required' }],
        },
      }),
    },
    {
      id: 'idempotency',
      title: 'Repeating a call safely',
      text: markdown(`
Many writes name their fact, such as the person who signed up or the event of a source, and a repeat gives the first result again. For the others send an \`Idempotency-Key\` of 1 to 255 characters with POST, PUT or PATCH.

- A repeat within 24 hours, with the same key, path and body, returns the first answer and does nothing.
- The same key with another body is refused: 409 with reason \`idempotency_key_reused\`.
- Only a success is kept. After a refusal the key is free.
- Calls that show a secret ignore it, since a secret is shown once.`),
      example: codeBlock('Header', highlight('-H "Idempotency-Key: order-20417-enroll"', 'sh')),
    },
    {
      id: 'paging',
      title: 'Paging',
      text: markdown(`
Lists are newest first unless they say otherwise, and come in pages.

- With \`cursor\`: send \`nextCursor\` of one page as \`cursor\` of the next. It is \`null\` on the last page. A cursor is opaque and fits only the list that gave it.
- With \`offset\`: send \`nextOffset\`, a string of digits, as \`offset\`. \`hasMore\` says whether anything is left.`),
      example: jsonBlock('A page', { success: true, data: [], nextCursor: 'cHJnXzAxa2…' }),
    },
    {
      id: 'feed',
      title: 'The feed',
      text: html`${markdown(
        'Each fact that is saved writes its event in the same transaction, so an event exists exactly when its fact does. The feed lists the events of a Project in the order of their commits, with no gap, and it is the source of truth.',
      )}${markdown(
        'Keep `next` with what you did about the events, and pass it as `after` next time. Nothing ever appears behind a cursor that you have read. With nothing new, `next` is the cursor that you sent: wait a little and ask again. Take each event `id` once, and ignore types and fields that you do not know.',
      )}${feedLink(operations)}`,
      example: codeBlock(
        'What came after a cursor',
        commandFor(`${baseUrl}/v1/webhook-events?projectId=prj_01ka3m…&after=AAAAAAAAAAG…`),
      ),
    },
  ];
}

const commandFor = (url: string): Html =>
  highlight(`curl '${url}' \\\n  -H "X-Api-Key: $GOODWORD_KEY"`, 'sh');

export function renderChapter({ id, title, text, example }: Chapter): Html {
  return html`
<section class="op chapter" id="${id}" aria-labelledby="${id}-title">
<div class="text"><h3 id="${id}-title">${linkTo(id, title)}</h3>${text}</div>
<div class="examples">${example}</div>
</section>`;
}

function schemeTable({ components }: ApiDocument): Html {
  return html`<table class="plain"><thead><tr><th scope="col">Header</th><th scope="col">Value</th></tr></thead><tbody>${Object.values(
    components.securitySchemes,
  ).map(
    (scheme) =>
      html`<tr><td><code>${headerOf(scheme)}</code></td><td>${inline(scheme.description ?? '')}</td></tr>`,
  )}</tbody></table>`;
}

function headerOf(scheme: SecurityScheme): string {
  return scheme.type === 'apiKey' ? scheme.name : 'Authorization: Bearer';
}

function codeTable(): Html {
  return html`<table class="errors"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">When</th></tr></thead><tbody>${Object.entries(
    ERROR_MEANINGS,
  ).map(
    ([code, { when }]) =>
      html`<tr><td>${STATUS_BY_CODE[code as ErrorCode]}</td><td><code>${breakable(code)}</code></td><td>${inline(when)}</td></tr>`,
  )}</tbody></table>`;
}

function feedLink(operations: readonly Operation[]): Html | null {
  const feed = operations.find((operation) => operation.path === '/v1/webhook-events');
  return feed ? html`<p>See ${linkTo(feed.operationId, feed.summary)}.</p>` : null;
}
