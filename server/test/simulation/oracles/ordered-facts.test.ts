import { expect, test } from 'vitest';
import { eventIdAt } from '../../../src/platform/feed/event-id.ts';
import { makeNewId } from '../../../src/platform/kit/ids.ts';
import { idAt, OrderedFacts, timeOfId } from './ordered-facts.ts';

const NOON = Date.parse('2026-11-15T12:00:00.000Z');
const SECOND_MS = 1_000;
const idOf = (ms: number) => makeNewId(() => ms);

test('what the feed says is placed when it was said, between what came before and after', () => {
  const facts = new OrderedFacts();
  facts.add(idOf(NOON + 2 * SECOND_MS)('ful'), { kind: 'grant', reward: 'later' });
  const event = eventIdAt(idOf(NOON + SECOND_MS)('wev'), 7);
  const status = 'rejected';
  facts.add(idAt(timeOfId(event), event), { kind: 'review', referee: 'p1', status });
  facts.add(idOf(NOON)('ful'), { kind: 'grant', reward: 'earlier' });
  expect(facts.all.map((fact) => ('reward' in fact ? fact.reward : fact.kind))).toEqual([
    'earlier',
    'review',
    'later',
  ]);
});

test('the time of an id is the moment in which it was made, whatever it is of', () => {
  const at = new Date(NOON).toISOString();
  expect(timeOfId(idOf(NOON)('padj'))).toBe(at);
  expect(timeOfId(eventIdAt(idOf(NOON)('wev'), 1_234))).toBe(at);
});

test('whoever repeats a call gets the fact of the first', () => {
  const facts = new OrderedFacts();
  const id = idOf(NOON)('ful');
  facts.add(id, { kind: 'grant', reward: 'first' });
  facts.add(id, { kind: 'grant', reward: 'second' });
  expect(facts.all).toEqual([{ kind: 'grant', reward: 'first' }]);
});

test('a click comes after its code, also if it is dated by a millisecond before', () => {
  const facts = new OrderedFacts();
  const occurredAt = new Date(NOON).toISOString();
  const click = (name: string) => ({ kind: 'touch', handle: 'hdl', name, occurredAt }) as const;
  facts.add(idAt(occurredAt, 'click 1'), click('ada'));
  facts.add(idAt(occurredAt, 'click 2'), click('nobody'));
  const code = { kind: 'code', name: 'ada', codeId: 'cod', person: 'p1', program: 'g0' } as const;
  facts.add(idOf(NOON + 1)('cod'), code);
  const order = facts.all.map((fact) => ('name' in fact ? `${fact.kind} ${fact.name}` : ''));
  expect(order).toEqual(['touch nobody', 'code ada', 'touch ada']);
});
