import type { TSchema } from 'typebox';
import { CURRENCY_EXPONENTS } from '../../kit/currencies.ts';
import { ERROR_CODES } from '../../kit/errors.ts';
import { groupBy } from '../../kit/group-by.ts';
import { callersOf, permissionsNeeded, rolesAllowed } from '../access/authorize.ts';
import { PERMISSION_PRESETS } from '../access/permissions.ts';
import { type DescribedRefusal, listRefusals } from './refusals.ts';
import { keepsAnswers, type Route } from './route.ts';

type Json = Record<string, unknown>;

function errorComponent(routes: readonly Route[]): Json {
  const reasons = new Set(routes.flatMap(listRefusals).map(({ reason }) => reason ?? ''));
  reasons.delete('');
  return {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { const: false },
      error: {
        type: 'object',
        required: ['code', 'reason', 'message', 'requestId', 'details'],
        properties: {
          code: { type: 'string', enum: ERROR_CODES },
          reason: {
            type: ['string', 'null'],
            enum: [...[...reasons].sort(), null],
            description: 'The exact cause, for programs. Ignore values that you do not know.',
          },
          message: { type: 'string', description: 'A description of the error, for people.' },
          requestId: { type: 'string' },
          details: {
            type: ['array', 'null'],
            items: {
              type: 'object',
              required: ['path', 'issue'],
              properties: { path: { type: 'string' }, issue: { type: 'string' } },
            },
          },
        },
      },
    },
  };
}

/** A request that the service itself sends, and the meaning of the responses. */
export interface DescribedWebhook {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: TSchema;
  readonly example: unknown;
  /** By status, in OpenAPI's syntax. */
  readonly answers: Readonly<Record<string, string>>;
}

/**
 * Describes the routes, and the requests to the callers' own servers, in OpenAPI 3.1. Schemas with
 * a title become named components.
 */
export function describeApi(
  routes: readonly Route[],
  version: string,
  webhooks: readonly DescribedWebhook[] = [],
): Json {
  const components = new Map<string, Json>([['Error', errorComponent(routes)]]);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    (paths[route.path] as Json)[route.method.toLowerCase()] = describeRoute(route, components);
  }
  const described = webhooks.map((webhook) => [
    webhook.name,
    { post: describeWebhook(webhook, components) },
  ]);
  const tags = [...new Set(routes.map((route) => route.tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Goodword API',
      version,
      description:
        'Referral and rewards service. Every response has the header `X-Request-Id`. Times are UTC with milliseconds; money is a decimal string in minor units. Unknown body fields are refused.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    'x-currency-exponents': Object.fromEntries([...CURRENCY_EXPONENTS].sort()),
    'x-permission-presets': PERMISSION_PRESETS,
    tags: tags.map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(described),
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'A Workspace API key. For backends only.',
        },
        operator: {
          type: 'http',
          scheme: 'bearer',
          description: 'The admin token of the installation.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-goodword.session_token',
          description:
            'A user who is signed in to the console, with the permissions of their role in the Workspace. Over plain http, which works only on the same machine, the cookie’s name has no `__Host-` prefix.',
        },
        widget: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A token for one participant, signed by the Project’s backend. It is valid for at most 15 minutes.',
        },
      },
    },
  };
}

function describeRoute(route: Route, components: Map<string, Json>): Json {
  const toSchema = (schema: TSchema) => hoist(schema as Json, components);
  const refusals = listRefusals(route);
  const hookBody = route.signatureHeader !== null && {
    required: true,
    content: {
      'application/json': { schema: { type: 'object' }, example: route.example.body },
    },
  };
  const body = route.body && {
    required: true,
    content: {
      'application/json': {
        schema: toSchema(route.body),
        ...(route.example.body === undefined
          ? {}
          : { example: { ...projectIdExample(route), ...(route.example.body as Json) } }),
      },
    },
  };
  return {
    operationId: toOperationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: describeSecurity(route),
    'x-callers': callersOf(route.access),
    'x-permissions': permissionsNeeded(route.access),
    'x-roles': rolesAllowed(route.access),
    'x-refusals': refusals,
    ...describeParameters(route, toSchema),
    ...(body || hookBody ? { requestBody: body || hookBody } : {}),
    responses: {
      [route.status]: {
        description: describeDone(route),
        content: {
          [contentTypeOf(route)]: {
            schema: toSchema(route.answer),
            example: route.example.answer,
          },
        },
      },
      ...describeRefusals(refusals),
    },
  };
}

function describeWebhook(webhook: DescribedWebhook, components: Map<string, Json>): Json {
  const { operationId, summary, description, headers, body, example, answers } = webhook;
  return {
    operationId,
    summary,
    description,
    security: [],
    parameters: Object.entries(headers).map(([name, about]) => describeHeader(name, true, about)),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: hoist(body as Json, components), example } },
    },
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, meaning]) => [status, { description: meaning }]),
    ),
  };
}

function describeDone({ isStream, status }: Route): string {
  if (isStream) return 'A stream that does not end.';
  return status === 202 ? 'Queued.' : 'Done.';
}

function contentTypeOf({ isStream, isCsv }: Route): string {
  if (isStream) return 'text/event-stream';
  return isCsv ? 'text/csv' : 'application/json';
}

function projectIdExample(route: Route): Json {
  return route.projectIn === 'body' ? { projectId: 'prj_01ka3m…' } : {};
}

function toOperationId(route: Route): string {
  const words = route.path
    .replace('/v1/', '')
    .split(/[/-]/)
    .map((part) => part.replace(/^\{(\w+)\}$/, 'by-$1'))
    .join('-');
  return `${route.method.toLowerCase()}-${words}`.replace(/-(\w)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
}

function describeSecurity(route: Route): Json[] {
  switch (route.access.by) {
    case 'key':
      return [
        { apiKey: [...route.access.permissions] },
        { operator: [] },
        { session: [...route.access.permissions] },
      ];
    case 'operator':
      return [{ operator: [] }, { session: permissionsNeeded(route.access) }];
    case 'session':
      return [{ session: [] }];
    case 'widget':
      return [{ widget: [route.access.scope] }];
    case 'signature':
    case 'public':
      return [];
  }
}

function describeParameters(route: Route, toSchema: (schema: TSchema) => Json): Json {
  const parameters: Json[] = [];
  const add = (place: 'path' | 'query', source: Route['query']) => {
    for (const [name, schema] of Object.entries(source?.properties ?? {})) {
      const { description, ...rest } = toSchema(schema);
      parameters.push({
        name,
        in: place,
        required:
          place === 'path' || (source?.required as string[] | undefined)?.includes(name) === true,
        ...(description === undefined ? {} : { description }),
        schema: rest,
      });
    }
  };
  add('path', route.params);
  add('query', route.query);
  if (keepsAnswers(route)) {
    const about = 'A repeat with the same key within 24 hours returns the first response.';
    const limits = { minLength: 1, maxLength: 255 };
    parameters.push(describeHeader('Idempotency-Key', false, about, limits));
  }
  if (route.signatureHeader !== null) {
    const about = 'The provider’s signature over the bytes of the body.';
    parameters.push(describeHeader(route.signatureHeader, true, about));
  }
  if (route.isStream) {
    const about = 'The `id` of the last received event. Takes precedence over `after`.';
    parameters.push(describeHeader('Last-Event-ID', false, about));
  }
  return parameters.length > 0 ? { parameters } : {};
}

function describeHeader(name: string, required: boolean, description: string, limits = {}): Json {
  return { name, in: 'header', required, description, schema: { type: 'string', ...limits } };
}

/** The refusals of a route. Programs read `x-refusals`. */
function describeRefusals(refusals: readonly DescribedRefusal[]): Json {
  return Object.fromEntries(
    [...groupBy(refusals, ({ status }) => String(status))].map(([status, all]) => [
      status,
      {
        description: all.map(sayRefusal).join('\n'),
        content: { 'application/json': { schema: errorSchema(all) } },
      },
    ]),
  );
}

/** For people who use other viewers than ours. */
function sayRefusal({ code, reason, when }: DescribedRefusal): string {
  return `- \`${code}\`${reason === null ? '' : ` \`${reason}\``}: ${when}`;
}

/** The only format of refusals; with the possible reasons of a status, if there are any. */
function errorSchema(refusals: readonly DescribedRefusal[]): Json {
  const error = { $ref: '#/components/schemas/Error' };
  if (refusals.every(({ reason }) => reason === null)) return error;
  const codes = new Set(refusals.map(({ code }) => code));
  const reasons = new Set(refusals.map(({ reason }) => reason));
  const properties = { code: { enum: [...codes] }, reason: { enum: [...reasons] } };
  return { allOf: [error, { properties: { error: { properties } } }] };
}

/** Copies a schema, moving every titled object to the components and leaving a reference. */
function hoist(schema: Json, components: Map<string, Json>): Json {
  const copy: Json = {};
  for (const [name, value] of Object.entries(schema)) {
    copy[name] = hoistMember(value, components);
  }
  const { title } = schema;
  if (typeof title !== 'string' || schema.type !== 'object') return copy;
  const known = components.get(title);
  if (known && JSON.stringify(known) !== JSON.stringify(copy)) {
    throw new Error(`Two different schemas have the title ${title}.`);
  }
  components.set(title, copy);
  return { $ref: `#/components/schemas/${title}` };
}

function hoistMember(value: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((member) => hoistMember(member, components));
  if (value !== null && typeof value === 'object') return hoist(value as Json, components);
  return value;
}
