import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { sample } from '../rounds.ts';
import { dispute, invoice, invoicePayment, refund } from '../stripe-events.ts';
import { openStripeShop, type StripeShop } from '../stripe-shop.ts';

let service: TestService;
let shop: StripeShop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openStripeShop(service);
});
afterEach(async () => {
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
});

const permute = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, at) => permute(list.toSpliced(at, 1)).map((rest) => [one, ...rest]));
/** Of the nth time that it is all told. */
type Step = (n: number) => readonly [type: string, object: object];
const of = (n: number) => ({ paymentIntent: `pi_${n}` });
const paid: Step = (n) => ['invoice.paid', invoice({ id: `in_${n}`, total: 1_190, tax: 190 })];
const payment: Step = (n) => [
  'invoice_payment.paid',
  invoicePayment({ invoice: `in_${n}`, ...of(n) }),
];
const half: Step = (n) => ['refund.created', refund({ id: `re_${n}`, amount: 595, ...of(n) })];
const failed: Step = (n) => ['refund.failed', refund({ id: `re_${n}`, status: 'failed' })];
const taken: Step = (n) => [
  'charge.dispute.funds_withdrawn',
  dispute({ id: `dp_${n}`, amount: 1_190, ...of(n) }),
];
const most: Step = (n) => ['refund.created', refund({ id: `rm_${n}`, amount: 952, ...of(n) })];
const mostFailed: Step = (n) => ['refund.failed', refund({ id: `rm_${n}`, status: 'failed' })];
const part: Step = (n) => [
  'charge.dispute.funds_withdrawn',
  dispute({ id: `dp_${n}`, amount: 595, ...of(n) }),
];
const partWon: Step = (n) => ['charge.dispute.funds_reinstated', dispute({ id: `dp_${n}` })];
const lost: Step = (n) => ['charge.dispute.closed', dispute({ id: `dp_${n}`, status: 'lost' })];
const won: Step = (n) => ['charge.dispute.funds_reinstated', dispute({ id: `dp_${n}` })];

const all =
  (nth: number): Step =>
  (n) => ['refund.created', refund({ id: `re_${n}_${nth}`, amount: 1_190, ...of(n) })];
const failedAll =
  (nth: number): Step =>
  (n) => ['refund.failed', refund({ id: `re_${n}_${nth}`, status: 'failed' })];

test.each<[string, readonly Step[], string, readonly string[]]>([
  ['a refund', [paid, payment, half], '50', []],
  ['a refund that failed', [paid, payment, half, failed], '100', []],
  ['a refund, and a dispute of all of it', [paid, payment, half, taken], '0', []],
  ['a refund, and a dispute of more than is left', [paid, payment, most, part], '0', []],
  ['the same, and the dispute is won', [paid, payment, most, part, partWon], '20', []],
  ['the same, and the refund fails', [paid, payment, most, part, mostFailed], '50', []],
  ['a dispute that was won', [paid, payment, taken, won], '100', []],
  ['a dispute that was lost', [paid, payment, taken, lost], '0', []],
  ['a refund, and a dispute of a part that was lost', [paid, payment, half, part, lost], '0', []],
  // One that has nothing to take from waits likewise, and with it that it failed.
  [
    'a refund that failed and was made again',
    [paid, payment, all(1), failedAll(1), all(2)],
    '0',
    ['exceeds_purchase', 'reversal_unknown'],
  ],
  ['a dispute of all, and a refund that failed', [paid, payment, half, failed, taken], '0', []],
])(
  '%s',
  async (_name, steps, net, waitFor) => {
    for (const [n, order] of sample(permute(steps), 3).entries()) {
      const told = order.map((step) => step(n));
      for (const [type, object] of told) await shop.sendEvent(type, object);
      const types = told.map(([type]) => type).join(', ');
      expect([types, (await shop.reward())?.net]).toEqual([types, net]);
    }
    const waiting = new Set((await shop.parked()).map(({ reason }) => reason));
    expect([...waiting].sort()).toEqual(waitFor);
  },
  240_000,
);
