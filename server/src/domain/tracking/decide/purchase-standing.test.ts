import { describe, expect, test } from 'vitest';
import { addMs } from '../../../platform/kit/instant.ts';
import { type AdjustmentStep, FIRST_RULE, RULE, standingOf } from './purchase-standing.ts';

const AMOUNT = 1_000n;
const START = '2026-11-15T09:30:00.000Z';

type Some = Partial<Omit<AdjustmentStep, 'occurredAt'>> & { readonly at: number };

/** Steps in the order in which they were reported; `at` is when each occurred. */
function report(steps: readonly Some[]): AdjustmentStep[] {
  return steps.map(({ at, ...some }, index) => ({
    id: `${index + 1}`,
    number: index + 1,
    kind: 'refund',
    amountMinor: null,
    appliedMinor: 0n,
    restoresId: null,
    closesId: null,
    occurredAt: addMs(START, at),
    rule: RULE,
    ...some,
  }));
}

const refund = (amountMinor: bigint, at: number, more: Partial<Some> = {}): Some => ({
  kind: 'refund',
  amountMinor,
  at,
  ...more,
});
const dispute = (amountMinor: bigint, at: number, more: Partial<Some> = {}): Some => ({
  kind: 'dispute',
  amountMinor,
  at,
  ...more,
});
const won = (restoresId: string, amountMinor: bigint, at: number): Some => ({
  kind: 'restoration',
  restoresId,
  amountMinor,
  at,
});
const lost = (closesId: string, at: number): Some => ({ kind: 'dispute_lost', closesId, at });

/** Refunded or disputed in all, disputed, and refunded. */
function stand(...steps: Some[]): number[] {
  const { refundedMinor, disputedMinor, refundsMinor } = standingOf(AMOUNT, report(steps));
  return [refundedMinor, disputedMinor, refundsMinor].map(Number);
}

describe('adjustments count in the order in which they occurred', () => {
  test('a refund that occurred during a dispute settles it, however late it is reported', () => {
    expect(stand(dispute(100n, 0), lost('1', 2), refund(100n, 1))).toEqual([100, 0, 100]);
    expect(stand(dispute(100n, 0), lost('1', 2), refund(100n, 3))).toEqual([200, 0, 100]);
  });

  test('at the same time, in the order of the reports', () => {
    expect(stand(dispute(100n, 0), refund(100n, 1), lost('1', 1))).toEqual([100, 0, 100]);
    expect(stand(dispute(100n, 0), lost('1', 1), refund(100n, 1))).toEqual([200, 0, 100]);
  });

  test('a dispute is not lost before a part of it was won', () => {
    const rest = [refund(100n, 2), won('1', 40n, 3)];
    expect(stand(dispute(100n, 0), lost('1', 1), ...rest)).toEqual([100, 0, 100]);
    // Of two parts the later one counts, in whatever order they are reported.
    for (const wins of [
      [won('1', 20n, 3), won('1', 20n, 1)],
      [won('1', 20n, 1), won('1', 20n, 3)],
    ]) {
      const steps = [dispute(100n, 0), ...wins, lost('1', 1), refund(100n, 2)];
      expect(stand(...steps)).toEqual([100, 0, 100]);
    }
    // Nor does the win of another dispute put off the loss.
    expect(
      stand(dispute(100n, 0), dispute(50n, 0), won('2', 50n, 9), lost('1', 1), refund(100n, 2)),
    ).toEqual([200, 0, 100]);
    // The win occurred before: the loss stands, and the refund takes back what was won.
    expect(stand(dispute(100n, 0), won('1', 40n, 1), lost('1', 1), refund(100n, 2))).toEqual([
      160, 0, 100,
    ]);
  });

  test('nothing is restored or closed before it began, whatever times are reported', () => {
    expect(stand(dispute(100n, 5), won('1', 100n, 1))).toEqual([0, 0, 0]);
    expect(stand(dispute(100n, 5), lost('1', 1))).toEqual([100, 0, 0]);
    // By its own time the loss would come before the dispute, and the refund after both.
    expect(stand(dispute(100n, 5), lost('1', 1), refund(100n, 4))).toEqual([200, 0, 100]);
  });
});

describe('a dispute', () => {
  test('holds only what refunds leave of the purchase', () => {
    expect(stand(refund(700n, 0), dispute(500n, 1))).toEqual([1_000, 300, 700]);
  });

  test('is settled by a refund up to what it holds; the rest is refunded beside it', () => {
    expect(stand(dispute(300n, 0), refund(200n, 1))).toEqual([300, 100, 200]);
    expect(stand(dispute(300n, 0), refund(500n, 1))).toEqual([500, 0, 500]);
  });

  test('the older one holds first and is settled first', () => {
    expect(stand(dispute(700n, 0), dispute(700n, 1))).toEqual([1_000, 1_000, 0]);
    const settled = [dispute(300n, 0), dispute(300n, 1), refund(300n, 2)];
    expect(stand(...settled, lost('2', 3))).toEqual([600, 0, 300]);
    expect(stand(...settled, lost('1', 3))).toEqual([600, 300, 300]);
  });

  test('an open one is settled before what was won of a lost one is taken back', () => {
    const steps = [dispute(300n, 0), won('1', 200n, 1), lost('1', 2), dispute(300n, 3)];
    expect(stand(...steps)).toEqual([400, 300, 0]);
    expect(stand(...steps, refund(300n, 4))).toEqual([400, 0, 300]);
    expect(stand(...steps, refund(400n, 4))).toEqual([500, 0, 400]);
  });
});

test('a refund counts without what was restored of it, also for the dispute that it settled', () => {
  expect(stand(dispute(300n, 0), refund(200n, 1), won('2', 150n, 2))).toEqual([300, 250, 50]);
});

describe('by the first rule', () => {
  const rule = FIRST_RULE;

  test('no refund settles a dispute, which holds what it took when it came', () => {
    const taken = { rule, appliedMinor: 250n };
    expect(stand(dispute(300n, 0, taken), refund(200n, 1, { rule }))).toEqual([450, 250, 200]);
  });

  test('what was won leaves the claim, and no more than all of it', () => {
    const taken = { rule, appliedMinor: 250n };
    expect(stand(dispute(300n, 0, taken), won('1', 100n, 1))).toEqual([150, 150, 0]);
    expect(stand(dispute(300n, 0, taken), won('1', 300n, 1))).toEqual([0, 0, 0]);
    expect(stand(dispute(300n, 0, taken), won('1', 300n, 1), dispute(300n, 2))).toEqual([
      300, 300, 0,
    ]);
  });
});

test('of a step in question it is told what disputes had lost before it', () => {
  const steps = report([
    dispute(300n, 0),
    lost('1', 1),
    refund(200n, 2),
    dispute(100n, 3),
    lost('4', 4),
  ]);
  const lostBefore = (id: string) => Number(standingOf(AMOUNT, steps, id).lostBeforeMinor);
  expect(steps.map(({ id }) => lostBefore(id))).toEqual([0, 0, 300, 300, 300]);
  expect(Number(standingOf(AMOUNT, steps).lostBeforeMinor)).toBe(0);
  // More was refunded before than was left: nothing of it can be lost.
  const all = report([dispute(300n, 0), lost('1', 1), refund(900n, 2), refund(50n, 3)]);
  expect(Number(standingOf(AMOUNT, all, '4').lostBeforeMinor)).toBe(100);
});
