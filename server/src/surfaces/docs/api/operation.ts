import { ROLES } from '../../../platform/http/access/permissions.ts';
import { type Html, html, join } from '../../../platform/http/server/html.ts';
import { codeBlock, highlight, jsonBlock } from '../pages/highlight.ts';
import { linkTo, markdown } from '../pages/markup.ts';
import { doneOf, type Operation } from './api-document.ts';
import { renderCurl } from './curl.ts';
import { errorTables, type makeIsCommon } from './error-table.ts';
import { fieldTable, parameterTable } from './field-table.ts';

/** What an operation's part needs to know of the whole page. */
export interface PageFacts {
  readonly baseUrl: string;
  readonly isCommon: ReturnType<typeof makeIsCommon>;
}

/** One operation: what it is on the one side, how it looks on the other. */
export function renderOperation(operation: Operation, page: PageFacts): Html {
  const { operationId, method, path, summary } = operation;
  const content = doneOf(operation)?.content;
  const answer = content?.['application/json'];
  const stream = content?.['text/event-stream'];
  const body = operation.requestBody?.content['application/json'];
  const titleId = `${operationId}-title`;
  return html`
<section class="op" id="${operationId}" aria-labelledby="${titleId}">
<div class="text">
<h3 id="${titleId}">${linkTo(operationId, summary)}</h3>
<p class="call">${methodBadge(method)} <code>${renderPath(path)}</code></p>
${renderAccess(operation)}
${markdown(operation.description ?? '')}
${renderParameters(operation)}
${body ? html`<h4>Body</h4>${fieldTable(body.schema, 'request')}` : null}
${answer ? html`<h4>Answer</h4>${fieldTable(answer.schema, 'answer')}` : null}
${stream ? html`<h4>Answer</h4><p>A stream of server-sent events, <code>text/event-stream</code>.</p>` : null}
${errorTables(operation, page.isCommon)}
</div>
<div class="examples">
${codeBlock('Request', renderCurl(operation, page.baseUrl))}
${answer?.example === undefined ? null : jsonBlock('Answer', answer.example)}
${stream ? codeBlock('Answer', highlight(stream.example, 'json')) : null}
</div>
</section>`;
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** With its parameters marked, and able to break after a slash. */
function renderPath(path: string): Html {
  return html`${path
    .split(/(\{\w+\}|\/)/)
    .map((part) =>
      part === '/' ? html`/<wbr>` : part.startsWith('{') ? html`<em>${part}</em>` : part,
    )}`;
}

function renderAccess(operation: Operation): Html {
  return html`<p class="access">${describeAccess(operation)}</p>`;
}

function describeAccess(operation: Operation): Html {
  const {
    security = [],
    'x-callers': callers,
    'x-permissions': permissions,
    'x-roles': roles,
  } = operation;
  if (callers.includes('anyone')) return html`Anyone, without a credential`;
  if (callers.includes('provider')) return html`The provider, by its signature`;
  const [{ widget = [] } = {}] = security;
  if (callers.includes('widget')) return html`Widget token${withAll(widget)}`;
  if (!callers.includes('operator')) return html`Whoever is signed in`;
  const users = describeRoles(roles);
  if (!callers.includes('apiKey')) return html`The operator; ${users}`;
  return html`API key${withAll(permissions)}; the operator; ${users}`;
}

function describeRoles(roles: readonly string[]): Html {
  if (roles.length === ROLES.length) return html`users of every role`;
  return html`users who are ${join(
    roles.map((role) => html`<code>${role}</code>`),
    ' or ',
  )}`;
}

function withAll(names: readonly string[]): Html | null {
  const all = names.map((name) => html`<code class="permission">${name}</code>`);
  return all.length === 0 ? null : html` with ${join(all, ' and ')}`;
}

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

function renderParameters({ parameters = [] }: Operation): Html {
  const groups = PLACES.map(([place, title]) => {
    const named = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required = false, description, schema }) => ({
        name,
        required,
        schema: description === undefined ? schema : { ...schema, description },
      }));
    return named.length === 0 ? null : html`<h4>${title}</h4>${parameterTable(named)}`;
  });
  return html`${groups}`;
}
