import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { findDamage } from '../damage.ts';
import { openService, type TestService } from '../harness.ts';
import { dispute, invoice, invoicePayment, refund } from '../stripe-events.ts';
import { openStripeShop, type StripeShop } from '../stripe-shop.ts';

let service: TestService;
let shop: StripeShop;
beforeAll(async () => {
  service = await openService();
  shop = await openStripeShop(service);
  // One of each: refunded and failed, refunded, disputed and won, disputed, all tax.
  await shop.sendEvent('invoice.paid', invoice({ total: 1_190, tax: 190 }));
  await shop.sendEvent('invoice_payment.paid', invoicePayment());
  await shop.sendEvent('refund.created', refund({ id: 're_failed', amount: 119 }));
  await shop.sendEvent('refund.failed', refund({ id: 're_failed' }));
  await shop.sendEvent('refund.created', refund({ amount: 238 }));
  await shop.sendEvent('charge.dispute.funds_withdrawn', dispute({ id: 'dp_won', amount: 119 }));
  await shop.sendEvent('charge.dispute.funds_reinstated', dispute({ id: 'dp_won' }));
  await shop.sendEvent('charge.dispute.funds_withdrawn', dispute({ amount: 119 }));
  const tax = { id: 'in_tax', total: 190, tax: 190 };
  await shop.sendEvent('invoice.paid', invoice(tax));
  const payment = { invoice: 'in_tax', paymentIntent: 'pi_tax' };
  await shop.sendEvent('invoice_payment.paid', invoicePayment(payment));
  await shop.sendEvent(
    'refund.created',
    refund({ id: 're_tax', amount: 190, paymentIntent: 'pi_tax' }),
  );
});
afterAll(() => service.close());

async function findAfter(statement: string): Promise<string[]> {
  const found = await findDamage(
    service.database,
    shop.project.projectId,
    `${statement} returning 1`,
  );
  return found.map(({ subject, field }) => `${subject}: ${field}`);
}

test('what Stripe told has nothing that differs', async () => {
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
});

test.each([
  [
    'an invoice that is worth another amount',
    `update stripe_invoices set net_minor = net_minor + 1 where project_id = $1 and id = 'in_1'`,
    ['stripe invoice: net_minor'],
  ],
  [
    'an invoice of which something else was paid',
    `update stripe_invoices set paid_minor = paid_minor + 1 where project_id = $1 and id = 'in_1'`,
    ['stripe invoice: paid_minor'],
  ],
  [
    'an invoice without its purchase',
    `update stripe_invoices set id = 'in_other' where project_id = $1 and id = 'in_tax'`,
    [
      'stripe invoice: net_minor',
      'stripe invoice: paid_minor',
      'stripe invoice: refunded_paid_minor',
    ],
  ],
  [
    'a refund that is forgotten',
    `update stripe_invoices set refunded_paid_minor = 0 where project_id = $1 and id = 'in_1'`,
    ['stripe invoice: refunded_paid_minor'],
  ],
  [
    'a refund that counts for more',
    `update stripe_invoices set refunded_net_minor = refunded_net_minor + 1
     where project_id = $1 and id = 'in_1'`,
    ['stripe invoice: refunded_net_minor'],
  ],
  [
    'a dispute that took another amount',
    `update stripe_reversals set net_minor = net_minor + 1 where project_id = $1 and id = 'dp_1'`,
    ['stripe reversal: net_minor'],
  ],
  [
    'a dispute that was not won',
    `update stripe_reversals set is_restored = true where project_id = $1 and id = 'dp_1'`,
    ['stripe reversal: is_restored'],
  ],
])('%s is found', async (_name, statement, found) => {
  expect(await findAfter(statement)).toEqual(found);
});
