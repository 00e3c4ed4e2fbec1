import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { netOf, netOfRefund, partOf, type Refunded } from './invoice-amounts.ts';

const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
/** An invoice that is partly tax, with parts that add up to the amount paid. */
const invoiceInParts = fc
  .tuple(amount, amount, fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 12 }))
  .map(([net, tax, weights]) => {
    const paidMinor = net + tax;
    const total = BigInt(weights.reduce((sum, one) => sum + one, 0));
    const parts = weights.map((one) => (total === 0n ? 0n : (paidMinor * BigInt(one)) / total));
    const rest = paidMinor - parts.reduce((sum, one) => sum + one, 0n);
    return { invoice: { paidMinor, netMinor: net }, parts: [...parts, rest] };
  });

const fresh = (paid: { paidMinor: bigint; netMinor: bigint }): Refunded => ({
  ...paid,
  refundedPaidMinor: 0n,
  refundedNetMinor: 0n,
});
const add = (invoice: Refunded, paid: bigint, net: bigint): Refunded => ({
  ...invoice,
  refundedPaidMinor: invoice.refundedPaidMinor + paid,
  refundedNetMinor: invoice.refundedNetMinor + net,
});

describe('what of a refund is no tax', () => {
  test.each([
    ['half of 11.90 with 1.90 tax', { paidMinor: 1190n, netMinor: 1000n }, 595n, 500n],
    ['half up', { paidMinor: 3n, netMinor: 1n }, 2n, 1n],
    ['all of it', { paidMinor: 1190n, netMinor: 1000n }, 1190n, 1000n],
    ['more than was paid', { paidMinor: 1190n, netMinor: 1000n }, 2000n, 1000n],
    ['an invoice without tax', { paidMinor: 1000n, netMinor: 1000n }, 333n, 333n],
    ['an invoice that is all tax', { paidMinor: 190n, netMinor: 0n }, 190n, 0n],
    ['nothing of nothing', { paidMinor: 0n, netMinor: 0n }, 0n, 0n],
  ])('%s', (_name, invoice, back, net) => {
    expect(netOf(invoice, back)).toBe(net);
  });

  test('refunds of all that was paid, in any parts, are all of the net', () => {
    fc.assert(
      fc.property(invoiceInParts, ({ invoice, parts }) => {
        const end = parts.reduce((state, part) => {
          const net = netOfRefund(state, part);
          const next = add(state, part, net);
          expect(net >= 0n && next.refundedNetMinor <= invoice.netMinor).toBe(true);
          return next;
        }, fresh(invoice));
        expect(end.refundedNetMinor).toBe(invoice.netMinor);
      }),
    );
  });

  test('so are they when some failed and were made again', () => {
    fc.assert(
      fc.property(invoiceInParts, fc.array(fc.nat()), ({ invoice, parts }, failing) => {
        let state = fresh(invoice);
        const made = parts.map((part) => {
          const net = netOfRefund(state, part);
          state = add(state, part, net);
          return { part, net };
        });
        for (const which of new Set(failing.map((one) => one % made.length))) {
          const { part, net } = made[which] as (typeof made)[number];
          state = add(state, -part, -net);
          expect(state.refundedNetMinor >= 0n).toBe(true);
          state = add(state, part, netOfRefund(state, part));
        }
        expect(state.refundedNetMinor).toBe(invoice.netMinor);
      }),
    );
  });

  test('each part is within one minor unit of its share', () => {
    fc.assert(
      fc.property(invoiceInParts, ({ invoice, parts }) => {
        parts.reduce((state, part) => {
          const net = netOfRefund(state, part);
          const share = partOf(invoice.netMinor, part, invoice.paidMinor);
          expect(net - share >= -1n && net - share <= 1n).toBe(true);
          return add(state, part, net);
        }, fresh(invoice));
      }),
    );
  });
});
