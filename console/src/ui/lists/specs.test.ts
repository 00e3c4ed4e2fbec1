import { expect, test } from 'vitest';
import { type FilterSpec, isSameView, isSet, namesOf, pickSet, toQuery } from './specs.ts';
import { spanOf } from './time-ranges.ts';

const state: FilterSpec = { kind: 'choice', name: 'status', label: 'State', choices: [] };
const earned: FilterSpec = {
  kind: 'time',
  name: 'earned',
  label: 'Earned',
  from: 'earnedFrom',
  to: 'earnedTo',
};
const now = new Date(2026, 10, 18, 12);

test('a proposed range becomes times for the API, and its name stays in the address', () => {
  expect(toQuery([state, earned], { status: 'paid', earned: '7d', tab: 'x' }, now)).toEqual({
    status: 'paid',
    earnedFrom: spanOf('7d', now).from,
    earnedTo: undefined,
  });
});

test('an own range wins over a proposed one, and a range that does not exist is none', () => {
  const own = { earnedFrom: '2026-11-01T00:00:00.000Z', earned: '7d' };
  expect(toQuery([earned], own, now)).toEqual({ earnedFrom: own.earnedFrom, earnedTo: undefined });
  expect(toQuery([earned], { earned: '31d' }, now)).toEqual({});
  expect(isSet(earned, { earned: '31d' })).toBe(false);
  expect(isSet(earned, { earnedTo: 'x' })).toBe(true);
});

test('a filter is set if its name is in the address', () => {
  expect([isSet(state, { status: 'paid' }), isSet(state, { other: 'x' })]).toEqual([true, false]);
  expect([state, earned].flatMap(namesOf)).toEqual(['status', 'earned', 'earnedFrom', 'earnedTo']);
});

test('a view has the same filters, in any order', () => {
  const set = pickSet(['b', 'a', 'c'], { a: '1', b: '2', tab: 'x', c: '' });
  expect(set).toEqual({ a: '1', b: '2' });
  expect(isSameView(set, { a: '1', b: '2' })).toBe(true);
  expect(isSameView(set, { a: '1' })).toBe(false);
  expect(isSameView({ a: '1' }, set)).toBe(false);
  expect(isSameView(set, { a: '1', b: '3' })).toBe(false);
});
