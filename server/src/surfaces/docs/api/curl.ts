import { type Html, html } from '../../../platform/http/server/html.ts';
import { highlight } from '../pages/highlight.ts';
import { doneOf, type Operation, type Parameter, type Schema } from './api-document.ts';
import { optionsOf, unwrapNull } from './describe-schema.ts';

const PROJECT_ID = 'prj_01ka3m…';

/** The operation's example as a command for a POSIX shell. */
export function renderCurl(operation: Operation, baseUrl: string): Html {
  const examples = [operation.requestBody, doneOf(operation)].map(
    (message) => message?.content?.['application/json']?.example,
  );
  const content = operation.requestBody?.content['application/json'];
  const body = content && (content.example ?? exampleOf(content.schema));
  const headers = credential(operation);
  if (body !== undefined) headers.push('Content-Type: application/json');
  const url = baseUrl + exampleUrl(operation, examples);
  const lines = [
    `curl${flags(operation)} '${quoteInside(url)}'`,
    ...headers.map((header) => `-H "${header}"`),
  ];
  if (body === undefined) return highlight(lines.join(LINE_END), 'sh');
  const sent = quoteInside(JSON.stringify(body, null, 2));
  return html`${highlight([...lines, '-d '].join(LINE_END), 'sh')}'${highlight(sent, 'json')}'`;
}

const LINE_END = ' \\\n  ';

/** What streams is shown as it comes. */
function flags(operation: Operation): string {
  const { method } = operation;
  if (doneOf(operation)?.content?.['text/event-stream']) return ' -N';
  return method === 'GET' ? '' : ` -X ${method}`;
}

/** Ends the quotes, adds a quote of its own, and begins them again. */
function quoteInside(value: string): string {
  return value.replaceAll("'", "'\\''");
}

function credential(operation: Operation): string[] {
  const [scheme] = operation.security ?? [];
  if (!scheme) return [];
  if ('apiKey' in scheme) return ['X-Api-Key: $GOODWORD_KEY'];
  return [`Authorization: Bearer $${'widget' in scheme ? 'WIDGET_TOKEN' : 'ADMIN_TOKEN'}`];
}

function exampleUrl(operation: Operation, examples: readonly unknown[]): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    exampleId(name, operation.path, examples),
  );
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map((parameter) => `${parameter.name}=${exampleQuery(parameter, examples)}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** An id that the examples show under this name; the id of what the path is about; else the name. */
function exampleId(name: string, path: string, examples: readonly unknown[]): string {
  const known = findText(examples, name);
  if (known !== undefined) return known;
  if (name === 'projectId') return PROJECT_ID;
  const isLast = path.lastIndexOf('{') === path.indexOf(`{${name}}`);
  const own = isLast ? findText(examples, 'id') : undefined;
  return own ?? name.replace(/[A-Z]/g, '_$&').toUpperCase();
}

function exampleQuery({ name, schema }: Parameter, examples: readonly unknown[]): string {
  if (name === 'projectId') return PROJECT_ID;
  return findText(examples, name) ?? String(exampleOf(schema));
}

/** The nearest text under a name, level by level. */
function findText(values: readonly unknown[], name: string): string | undefined {
  const objects = values.filter((value) => value !== null && typeof value === 'object');
  if (objects.length === 0) return undefined;
  for (const object of objects) {
    const value = (object as Record<string, unknown>)[name];
    if (typeof value === 'string') return value;
  }
  return findText(
    objects.flatMap((object) => Object.values(object as object)),
    name,
  );
}

/** The least that fits a schema, for an operation whose example shows no body. */
function exampleOf(schema: Schema): unknown {
  const [only = schema] = optionsOf(unwrapNull(schema).schema);
  if (only.const !== undefined) return only.const;
  if (only.enum) return only.enum[0];
  switch (only.type) {
    case 'object':
      return Object.fromEntries(
        (only.required ?? []).map((name) => [
          name,
          name === 'projectId' ? PROJECT_ID : exampleOf(only.properties?.[name] ?? {}),
        ]),
      );
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return only.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return '…';
  }
}
