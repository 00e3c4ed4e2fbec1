import { factIds } from '../../../outbound/integrations/stripe/events/handle-reversal.ts';
import type { StoredRule } from './rule-store.ts';

/** Compares an invoice with its purchase: `p` as Stripe reported it, `c` the one that counts. */
const INVOICE = (field: string, given: string): StoredRule => ({
  subject: 'stripe invoice',
  field,
  broken: `select i.id, i.${field}::text as stored, coalesce((${given})::text, 'a purchase') as expected
    from stripe_invoices i
    left join events e on e.project_id = $1 and e.source_namespace_id = i.source_id
      and e.source_event_id = i.id
    left join purchases p on p.project_id = $1 and p.event_id = e.id
    left join purchases c on c.project_id = $1 and c.id = coalesce(p.duplicate_of, p.id)
    where i.project_id = $1 and i.${field} is distinct from (${given})`,
});

const REFUNDED = (field: string, summed: string): StoredRule => ({
  subject: 'stripe invoice',
  field,
  broken: `select i.id, i.${field}::text as stored, coalesce(sum(r.${summed}), 0)::text as expected
    from stripe_invoices i
    left join stripe_reversals r on r.project_id = $1 and r.invoice_id = i.id
      and r.kind = 'refund' and not r.is_restored
    where i.project_id = $1
    group by i.project_id, i.id having i.${field} <> coalesce(sum(r.${summed}), 0)`,
});

const FACT_ID = `case r.kind when 'refund' then r.id || '${factIds.refund('')}'
  else r.id || '${factIds.dispute('')}' end`;

/** Compares a refund or dispute with its fact; one that is all tax has none. */
const REVERSAL = (field: string, given: string): StoredRule => ({
  subject: 'stripe reversal',
  field,
  broken: `select r.id, r.${field}::text as stored, coalesce((${given})::text, 'a fact') as expected
    from stripe_reversals r
    left join purchase_adjustments a on a.project_id = $1
      and a.source_namespace_id = r.source_id and a.source_event_id = ${FACT_ID}
    where r.project_id = $1 and r.net_minor > 0 and r.${field} is distinct from (${given})`,
});

/** What must agree between the stored Stripe objects and the facts. */
export const STRIPE_RULES: readonly StoredRule[] = [
  INVOICE('net_minor', 'c.amount_minor'),
  INVOICE('paid_minor', 'p.amount_minor + p.tax_amount_minor'),
  REFUNDED('refunded_paid_minor', 'paid_minor'),
  REFUNDED('refunded_net_minor', 'net_minor'),
  REVERSAL('net_minor', 'a.amount_minor'),
  REVERSAL('is_restored', 'a.restored_minor = a.amount_minor'),
];
