import { expect, test } from 'vitest';
import type { EndpointRow } from './endpoint.ts';
import { warningsAbout, warningsFor } from './endpoint-warnings.ts';

type Known = Parameters<typeof warningsAbout>[0][number];
const endpoint = (id: string, other: Partial<EndpointRow> = {}): Known => ({
  id,
  queueId: `whq_${id}`,
  fulfillmentMode: 'on_delivery',
  eventTypes: null,
  ...other,
});
const codes = (endpoints: Known[]) => warningsAbout(endpoints).map(({ code }) => code);

test('one granting endpoint is not warned about', () => {
  expect(codes([])).toEqual([]);
  expect(codes([endpoint('a')])).toEqual([]);
});

test.each([
  ['explicit', { fulfillmentMode: 'explicit' }],
  ['disabled', { queueId: null }],
  ['subscribed to other types', { eventTypes: ['reward.voided'] }],
] as const)('nor is a second one that is %s', (_, other) => {
  const endpoints = [endpoint('a'), endpoint('b', other)];
  expect(codes(endpoints)).toEqual([]);
});

test('a second one is, by the names of both, once however many there are', () => {
  const endpoints = [endpoint('a'), endpoint('b', { eventTypes: ['reward.earned'] })];
  expect(codes(endpoints)).toEqual(['second_granting_endpoint']);
  expect(codes([...endpoints, endpoint('c')])).toHaveLength(1);
  expect(warningsAbout(endpoints)[0]?.message).toContain('(a, b)');
});

test('an endpoint is told only what concerns itself', () => {
  const logging = endpoint('c', { fulfillmentMode: 'explicit' });
  const endpoints = [endpoint('a'), endpoint('b'), logging];
  expect(warningsFor('a', endpoints)).toHaveLength(1);
  expect(warningsFor('c', endpoints)).toEqual([]);
  expect(warningsFor('gone', endpoints)).toEqual([]);
});
