import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collectOfflineRoutes, describeOffline } from '../../src/describe-offline.ts';
import { listOperations } from '../../src/docs/api-document.ts';
import { STATUS_BY_CODE } from '../../src/kit/errors.ts';

const committed = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');

test('the committed openapi.json is what the routes say (npm run openapi writes it)', () => {
  expect(committed).toBe(describeOffline());
});

test('every operation has a summary, an example and its errors', () => {
  const { paths } = JSON.parse(committed);
  for (const [path, operations] of Object.entries<Record<string, Operation>>(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method} ${path}`;
      expect(operation.summary, name).toMatch(/\S/);
      const [answer] = Object.values(operation.responses['200']?.content ?? {});
      expect(answer?.example, name).toBeDefined();
      const body = operation.requestBody?.content['application/json'];
      if (body) expect(body.example, name).toBeDefined();
    }
  }
});

test('every refusal that a route declares stands under its status', () => {
  const { paths } = JSON.parse(committed);
  for (const route of collectOfflineRoutes()) {
    const operation: Operation = paths[route.path][route.method.toLowerCase()];
    for (const { code, reason, when } of route.refusals ?? []) {
      const told = operation.responses[String(STATUS_BY_CODE[code])]?.description;
      expect(told, `${route.method} ${route.path}`).toContain(reason ?? code);
      expect(told).toContain(when);
    }
  }
});

test('only streams and tables answer with anything but JSON, and they say so', () => {
  const { paths } = JSON.parse(committed);
  for (const route of collectOfflineRoutes()) {
    const operation: Operation = paths[route.path][route.method.toLowerCase()];
    const types = Object.keys(operation.responses['200']?.content ?? {});
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
