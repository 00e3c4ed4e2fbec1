import { expect, test } from 'vitest';
import { batchSteps } from './batch-steps.ts';

type Shown = Parameters<typeof batchSteps>[0];

const AT = '2026-11-18T10:00:00Z';
const say = (own: Partial<Shown>) =>
  batchSteps({
    status: 'draft',
    createdAt: AT,
    approvedAt: null,
    submittedAt: null,
    cancelledAt: null,
    payoutsByStatus: [],
    ...own,
  }).map(({ label, state }) => `${label}: ${state}`);

test('a draft waits for approval', () => {
  expect(say({})).toEqual(['Drafted: done', 'Approved: now', 'Submitted: next', 'Paid: next']);
});

test('an approved one waits to be submitted', () => {
  expect(say({ status: 'approved', approvedAt: AT })).toEqual([
    'Drafted: done',
    'Approved: done',
    'Submitted: now',
    'Paid: next',
  ]);
});

test('a submitted one is paid when every result is known', () => {
  const submitted = { status: 'submitted', approvedAt: AT, submittedAt: AT } as const;
  const last = (payoutsByStatus: Shown['payoutsByStatus']) =>
    say({ ...submitted, payoutsByStatus }).at(-1);
  expect(last([{ status: 'processing', count: 1 }])).toBe('Paid: now');
  expect(last([{ status: 'paid', count: 2 }])).toBe('Paid: done');
  expect(last([{ status: 'returned', count: 1 }])).toBe('Paid, except some: done');
});

test('a cancelled one ends there', () => {
  expect(say({ status: 'cancelled', cancelledAt: AT })).toEqual([
    'Drafted: done',
    'Cancelled: bad',
  ]);
});
