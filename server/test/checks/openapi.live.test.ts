import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import {
  makeSecret,
  SECRET_BYTES,
  signatureHeaders,
} from '../../src/outbound/webhooks/sender/sign.ts';
import { EVENT_TYPES } from '../../src/platform/feed/writer/project-write.ts';
import { STATUS_BY_CODE } from '../../src/platform/kit/errors.ts';
import {
  collectOfflineRoutes,
  describeOffline,
} from '../../src/programs/openapi/describe-offline.ts';
import {
  type ApiDocument,
  doneOf,
  listOperations,
  refName,
  type Schema,
} from '../../src/surfaces/docs/api/api-document.ts';

const committed = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');

test('the committed openapi.json is what the routes say (npm run openapi writes it)', () => {
  expect(committed).toBe(describeOffline());
});

test('every type of event has a webhook, with its schema, its headers and what answers mean', () => {
  const { webhooks, components }: ApiDocument = JSON.parse(committed);
  expect(Object.keys(webhooks)).toEqual(EVENT_TYPES);
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { schema, example } = post.requestBody.content['application/json'];
    const { properties = {}, required } = components.schemas[refName(schema.$ref ?? '')] ?? {};
    expect(properties.type?.const, type).toBe(type);
    expect(properties.data?.properties, type).toBeDefined();
    expect(required, type).toEqual(Object.keys(properties));
    expect(Object.keys(example as object), type).toEqual(required);
    expect(post.parameters.map(({ name }) => name)).toEqual(
      Object.keys(
        signatureHeaders({
          id: 'wev_1',
          signedAt: '2026-11-15T09:30:00.000Z',
          body: Buffer.of(),
          secrets: [makeSecret(Buffer.alloc(SECRET_BYTES))],
        }),
      ),
    );
    const answers = Object.keys(post.responses);
    expect(answers, type).toEqual([...(type === 'reward.earned' ? ['202'] : []), '2XX', 'default']);
  }
});

test('every operation has a summary, an example and its errors', () => {
  const { paths } = JSON.parse(committed);
  for (const [path, operations] of Object.entries<Record<string, Operation>>(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method} ${path}`;
      expect(operation.summary, name).toMatch(/\S/);
      const [answer] = Object.values(doneOf(operation)?.content ?? {});
      expect(answer?.example, name).toBeDefined();
      const body = operation.requestBody?.content['application/json'];
      if (body) expect(body.example, name).toBeDefined();
    }
  }
});

test('every operation says by fields who may call it', () => {
  const { components, ...document } = JSON.parse(committed);
  const schemes = [...Object.keys(components.securitySchemes), 'provider', 'anyone'];
  const operations = listOperations({ components, ...document });
  for (const route of collectOfflineRoutes()) {
    const name = `${route.method} ${route.path}`;
    const operation = operations.find((one) => `${one.method} ${one.path}` === name);
    const {
      'x-callers': callers = [],
      'x-permissions': permissions,
      'x-roles': roles,
    } = operation ?? {};
    expect(callers.length, name).toBeGreaterThan(0);
    expect(
      callers.filter((one) => !schemes.includes(one)),
      name,
    ).toEqual([]);
    const named = (operation?.security ?? []).flatMap(Object.keys);
    expect(
      callers.filter((one) => one !== 'provider' && one !== 'anyone'),
      name,
    ).toEqual(named);
    if (route.access.by === 'key') expect(permissions, name).toEqual(route.access.permissions);
    expect((roles ?? []).length > 0, name).toBe(callers.includes('session'));
  }
});

test('every refusal that a route declares is a field, and one of the answers of its status', () => {
  const operations = listOperations(JSON.parse(committed));
  for (const route of collectOfflineRoutes()) {
    const name = `${route.method} ${route.path}`;
    const operation = operations.find((one) => `${one.method} ${one.path}` === name);
    const refusals = operation?.['x-refusals'] ?? [];
    for (const { code, reason = null, when } of route.refusals ?? []) {
      expect(refusals, name).toContainEqual({ status: STATUS_BY_CODE[code], code, reason, when });
    }
    const statuses = Object.keys(operation?.responses ?? {}).filter((status) => status[0] !== '2');
    expect([...new Set(refusals.map(({ status }) => String(status)))], name).toEqual(statuses);
    for (const { status, code, reason } of refusals) {
      const schema = operation?.responses[status]?.content?.['application/json']?.schema;
      const error = schema?.allOf?.[1]?.properties?.error?.properties;
      if (reason === null && error === undefined) continue;
      expect(error?.code?.enum, name).toContain(code);
      expect(error?.reason?.enum, name).toContain(reason);
    }
  }
});

test('only streams and tables answer with anything but JSON, and they say so', () => {
  const { paths } = JSON.parse(committed);
  for (const route of collectOfflineRoutes()) {
    const operation: Operation = paths[route.path][route.method.toLowerCase()];
    const types = Object.keys(doneOf(operation)?.content ?? {});
    const type = route.isCsv ? 'text/csv' : 'application/json';
    expect(types).toEqual([route.isStream ? 'text/event-stream' : type]);
  }
});

test('every list says how many rows a page has by default, and at most', () => {
  const limits = listOperations(JSON.parse(committed)).flatMap(
    ({ method, path, parameters = [] }) =>
      parameters
        .filter(({ name }) => name === 'limit')
        .map(({ schema }) => ({ list: `${method} ${path}`, ...schema })),
  );
  expect(limits.length).toBeGreaterThan(15);
  for (const { list, minimum, maximum = 0, default: rows } of limits) {
    expect(rows, list).toBeTypeOf('number');
    expect(minimum, list).toBe(1);
    expect(maximum, list).toBeGreaterThanOrEqual(rows as number);
  }
  const feed = limits.find(({ list }) => list === 'GET /v1/webhook-events');
  expect(feed).toMatchObject({ default: 100, maximum: 500 });
});

/** What people write, or read: any text. */
const FREE_TEXTS = [
  'Partner.suspensionReason',
  'PartnerApplication.rejectionReason',
  'PartnerDetail.suspensionReason',
  'PayoutAdvance.reason',
  'RestoreCheck.reason',
  'RewardVoid.reason',
];

test('every reason in an answer is one of a list, unless people write it', () => {
  const { components, paths, webhooks = {} } = JSON.parse(committed);
  const open: string[] = [];
  const hasList = (schema: Schema): boolean =>
    schema.enum !== undefined || (schema.anyOf ?? []).some(hasList);
  const visit = (value: unknown, place: string): void => {
    if (value === null || typeof value !== 'object') return;
    const { properties } = value as Schema;
    for (const [name, schema] of Object.entries(properties ?? {})) {
      const isReason = /^reason$|Reason$|reasonCode$/.test(name);
      if (isReason && !hasList(schema)) open.push(`${place}.${name}`);
    }
    for (const [name, member] of Object.entries(value)) {
      if (name !== 'example') visit(member, place);
    }
  };
  for (const [name, schema] of Object.entries(components.schemas)) visit(schema, name);
  for (const [path, operations] of Object.entries<Record<string, Operation>>(paths)) {
    for (const { responses } of Object.values(operations)) visit(responses, path);
  }
  visit(webhooks, 'webhooks');
  expect(open.toSorted()).toEqual(FREE_TEXTS);
});

test('operation ids are unique', () => {
  const ids = Object.values<Record<string, Operation>>(JSON.parse(committed).paths).flatMap(
    (operations) => Object.values(operations).map((operation) => operation.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

interface Content {
  description: string;
  content: Record<string, { example?: unknown }>;
}
interface Operation {
  operationId: string;
  summary: string;
  requestBody?: Content;
  responses: Record<string, Content>;
}

const problemsOf = async (source: string) => {
  const config = await createConfig({ extends: ['spec'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`);
};

test('openapi.json is valid OpenAPI 3.1', async () => {
  expect(await problemsOf(committed)).toEqual([]);
  const { info, ...rest } = JSON.parse(committed);
  expect(await problemsOf(JSON.stringify(rest))).toHaveLength(1);
});
