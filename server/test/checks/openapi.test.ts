import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeOffline } from '../../src/describe-offline.ts';

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
      expect(operation.responses['200']?.content['application/json'].example, name).toBeDefined();
      expect(Object.keys(operation.responses), name).toEqual(
        expect.arrayContaining(['429', '503']),
      );
      const body = operation.requestBody?.content['application/json'];
      if (body) expect(body.example, name).toBeDefined();
    }
  }
});

test('operation ids are unique', () => {
  const ids = Object.values<Record<string, Operation>>(JSON.parse(committed).paths).flatMap(
    (operations) => Object.values(operations).map((operation) => operation.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

interface Content {
  content: { 'application/json': { example?: unknown } };
}
interface Operation {
  operationId: string;
  summary: string;
  requestBody?: Content;
  responses: Record<string, Content>;
}
