import { expect, test } from 'vitest';
import type { Credited } from '../outside/stripe-books.ts';
import type { Owed } from './check-credits.ts';
import { judgeRestored } from './judge-restored.ts';

const aCredit = (amountMinor: bigint): Credited => ({
  customer: 'cus_ada',
  reward: 'rwd_1',
  attempt: '1',
  amountMinor,
  createdMs: 0,
});
const anOwed = (owedMinor: bigint, more: Partial<Owed> = {}): Owed => ({
  id: 'rwd_2',
  name: 'purchase 1',
  customer: 'cus_ada',
  amountMinor: 500n,
  owedMinor,
  isErased: false,
  isWaiting: false,
  isGranted: true,
  ...more,
});

test.each([
  ['what was credited before the loss pays what came again', [500n], [], anOwed(500n)],
  ['the rest of it is credited', [200n], [300n], anOwed(500n)],
  ['who had more before the loss keeps it', [700n], [], anOwed(500n)],
  ['what waits need not be credited', [], [], anOwed(500n, { isWaiting: true, isGranted: false })],
  ['somebody may be credited before they are erased', [], [500n], anOwed(0n, { isErased: true })],
])('%s', (_, before, after, owed) => {
  const forgotten = before.map(aCredit);
  const credits = [...forgotten, ...after.map(aCredit)];
  expect(judgeRestored({ credits, forgotten }, [owed])).toEqual([]);
});

test.each([
  ['the same is credited twice', [500n], [500n], anOwed(500n)],
  ['something is missing', [200n], [], anOwed(500n)],
  ['more was credited to who had enough', [700n], [100n], anOwed(500n)],
  ['it was taken back twice', [500n, -500n], [-500n], anOwed(0n)],
  ['somebody who was erased got more than they earned', [], [600n], anOwed(0n, { isErased: true })],
])('it is found if %s', (_, before, after, owed) => {
  const forgotten = before.map(aCredit);
  const credits = [...forgotten, ...after.map(aCredit)];
  expect(judgeRestored({ credits, forgotten }, [owed])).toHaveLength(1);
});
