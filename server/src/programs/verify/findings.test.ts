import { expect, test } from 'vitest';
import { type Believed, compare } from '../../outbound/reconciliation/compare.ts';
import { findDrift } from '../../outbound/reconciliation/reconcile.ts';
import type { Source } from '../../outbound/reconciliation/sources.ts';
import { describeDrift } from './findings.ts';

const payout = (id: string, believed: bigint, reported: bigint | null): Believed => ({
  method: 'wise',
  subject: 'payout',
  id,
  currency: 'EUR',
  believed,
  reported,
});

/** Returns one item at a time, whatever the limit. */
function sourceOf(name: string, items: readonly Believed[]): Source {
  return {
    name,
    async read(_, place) {
      const at = Number(place ?? 0);
      const next = at + 1 < items.length ? String(at + 1) : null;
      return { items: items.slice(at, at + 1), next };
    },
  };
}

test('all that is not even is found, in every source, to the last page', async () => {
  const first = [payout('po_1', 5n, 5n), payout('po_2', 5n, 0n), payout('po_3', 5n, null)];
  const second = [payout('po_4', 0n, 5n)];
  const sources = [sourceOf('a', first), sourceOf('nothing', []), sourceOf('b', second)];
  const drift = await findDrift(sources, 'prj_1');
  expect(drift.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['po_2', 'differs'],
    ['po_3', 'unanswered'],
    ['po_4', 'differs'],
  ]);
});

test('a difference tells what is stored and what the provider has; the unanswered are none', () => {
  const drift = [payout('po_1', 5n, 0n), payout('po_2', 5n, null)].map(compare);
  expect(describeDrift(drift)).toEqual([
    { subject: 'payout', id: 'po_1', field: 'delivered by wise', stored: '5', expected: '0' },
  ]);
});
