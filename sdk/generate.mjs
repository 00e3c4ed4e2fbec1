import openapiTS, { astToString } from 'openapi-typescript';

/**
 * What the client takes from the API's description: the types, one name for each operation, which
 * refusals there are, and what a call of each operation must be given.
 * @param {Document} document
 */
export async function generate(document) {
  const operations = listOperations(document);
  return [
    '// Made from openapi.json by generate.mjs.',
    astToString(await openapiTS(withoutBulk(document))).replace(/^(?: {4})+/gm, halve),
    '/** Every operation but the stream of the feed, by its method and path. */',
    'export interface Operations {',
    ...operations.map(
      ({ name, operation: { operationId, summary } }) =>
        `  /** ${summary.replaceAll('*/', '* /')}. */\n  '${name}': operations['${operationId}'];`,
    ),
    '}',
    '',
    '/** What each code can have as its `reason`. */',
    'export interface Reasons {',
    ...[...listReasons(operations)].map(
      ([code, reasons]) =>
        `  ${code}: ${[...reasons].map((reason) => `'${reason}'`).join(' | ') || 'never'};`,
    ),
    '}',
    '',
    '/** Where an operation is told its Project, and whether it takes an `Idempotency-Key`. */',
    'export interface Traits {',
    "  readonly project?: 'query' | 'body' | 'path';",
    '  readonly takesKey?: true;',
    '}',
    '',
    'export const TRAITS: Readonly<Record<string, Traits>> = {',
    ...operations.map(({ name, operation }) => `  '${name}': ${describeTraits(operation)},`),
    '};',
    '',
    '/** How many decimals the minor unit of each currency has: an amount of `1250` in USD is $12.50. */',
    `export const CURRENCY_EXPONENTS: Readonly<Record<string, number>> = ${JSON.stringify(document['x-currency-exponents'])};`,
    '',
    '/** The sets of permissions that have a name. */',
    `export const PERMISSION_PRESETS = ${JSON.stringify(document['x-permission-presets'])} as const;`,
    '',
  ].join('\n');
}

/**
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {string} summary
 * @property {{ code: string, reason: string | null }[]} x-refusals
 * @property {{ name: string, in: string }[]} [parameters]
 * @property {{ content: Record<string, { schema: { properties?: Record<string, unknown> } }> }} [requestBody]
 * @property {Record<string, { description: string, content: Record<string, unknown> }>} responses
 */
/** @typedef {{ paths: Record<string, Record<string, Operation>>, components: { schemas: Record<string, any> }, 'x-currency-exponents': Record<string, number>, 'x-permission-presets': Record<string, string[]> }} Document */
/** @typedef {{ name: string, operation: Operation }} Named */

/**
 * @param {Document} document
 * @returns {Named[]}
 */
function listOperations({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !responses[200]?.content?.['text/event-stream'])
      .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
}

/**
 * @param {Named[]} operations
 */
function listReasons(operations) {
  /** @type {Map<string, Set<string>>} */
  const reasons = new Map();
  for (const { code, reason } of operations.flatMap(({ operation }) => operation['x-refusals'])) {
    const known = reasons.get(code) ?? new Set();
    reasons.set(code, reason === null ? known : known.add(reason));
  }
  return new Map([...reasons].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {Operation} operation */
function describeTraits({ parameters = [], requestBody }) {
  const has = (place, name) => parameters.some((one) => one.in === place && one.name === name);
  const body = requestBody?.content['application/json']?.schema.properties ?? {};
  const places = [
    [has('path', 'projectId'), 'path'],
    [has('query', 'projectId'), 'query'],
    ['projectId' in body, 'body'],
  ];
  const [, project] = places.find(([is]) => is) ?? [];
  const traits = [
    ...(project ? [`project: '${project}'`] : []),
    ...(has('header', 'Idempotency-Key') ? ['takesKey: true'] : []),
  ];
  return traits.length > 0 ? `{ ${traits.join(', ')} }` : '{}';
}

/**
 * Refusals look the same everywhere, and examples are for the reference: without them the types
 * have half the size.
 * @param {Document} document
 */
function withoutBulk(document) {
  const copy = withoutExamples(document);
  const refusal = { $ref: '#/components/schemas/Error' };
  for (const operation of Object.values(copy.paths).flatMap(Object.values)) {
    operation.responses = {
      ...(operation.responses[200] ? { 200: operation.responses[200] } : {}),
      ...(operation.responses[202] ? { 202: operation.responses[202] } : {}),
      default: { description: 'Refused.', content: { 'application/json': { schema: refusal } } },
    };
  }
  return copy;
}

function withoutExamples(value) {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([name]) => name !== 'example');
  return Object.fromEntries(members.map(([name, one]) => [name, withoutExamples(one)]));
}

/** @param {string} indent */
const halve = (indent) => indent.slice(indent.length / 2);
