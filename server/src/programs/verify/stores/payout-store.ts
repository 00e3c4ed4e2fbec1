import { BY_SERVICE, ONE_EVENT_EACH, type StoredRule } from './rule-store.ts';

/**
 * The states that the lines of a part may be in. A move in slices leaves some behind for a moment.
 */
const STATES: Readonly<Record<string, string>> = {
  draft: 'reserved frozen released',
  approved: 'frozen released',
  processing: 'frozen settled released returned',
  paid: 'settled returned',
  failed: 'released',
  returned: 'returned',
  cancelled: 'released',
};

const ALLOWED = Object.entries(STATES)
  .map(([status, states]) => `('${status}', '${states}')`)
  .join(', ');

const PARTS = 'payout_parts where project_id = $1';

/** What must agree among payouts, their lines, and the rewards that they pay for. */
export const PAYOUT_RULES: readonly StoredRule[] = [
  {
    subject: 'payout',
    field: 'number',
    broken: `select $1::text as id, coalesce(min(number) || ' to ' || max(number), 'none') as stored,
        '1 to ' || count(*) || ', as the head says' as expected
      from payout_parts where project_id = $1
      having count(*) <> coalesce(max(number), 0) or coalesce(min(number), 1) <> 1
        or count(*) <> (select coalesce((numbers->>'payouts')::bigint, 0) from project_heads
          where project_id = $1)`,
  },
  {
    subject: 'payout',
    field: 'amount_minor',
    // While half frozen, the part still has its old amount and some lines have their new one.
    broken: `select p.payout_id as id, p.amount_minor::text as stored,
        coalesce(sum(l.amount_minor), 0)::text as expected
      from payout_parts p
      left join payout_lines l on l.project_id = $1 and l.payout_id = p.payout_id
      where p.project_id = $1
      group by p.project_id, p.payout_id
      having p.amount_minor <> coalesce(sum(l.amount_minor), 0)
        and not (p.status = 'draft' and bool_or(l.state = 'frozen'))`,
  },
  {
    subject: 'payout line',
    field: 'state',
    broken: `select l.payout_id || ' ' || l.reward_id as id, l.state as stored,
        'one of ' || a.states as expected
      from payout_lines l
      join payout_parts p on p.project_id = $1 and p.payout_id = l.payout_id
      join (values ${ALLOWED}) as a (status, states) on a.status = p.status
      where l.project_id = $1 and not (l.state = any(string_to_array(a.states, ' ')))`,
  },
  {
    subject: 'payout line',
    field: 'reward',
    broken: `select l.payout_id || ' ' || l.reward_id as id,
        coalesce(r.beneficiary_participant_id || ' ' || r.currency || ' ' || r.method, 'none')
          as stored,
        coalesce(p.participant_id || ' ' || p.currency || ' payout', 'no payout') as expected
      from payout_lines l
      left join payout_parts p on p.project_id = $1 and p.payout_id = l.payout_id
      left join rewards r on r.project_id = $1 and r.id = l.reward_id
      where l.project_id = $1 and (r.beneficiary_participant_id, r.currency, r.method)
        is distinct from (p.participant_id, p.currency, 'payout')`,
  },
  {
    subject: 'reward',
    field: 'payout_id',
    broken: `select r.id, coalesce(r.payout_id, 'none') as stored,
        coalesce(string_agg(l.payout_id, ' '), 'none') as expected
      from rewards r
      left join (select * from payout_lines where project_id = $1
        and state in ('reserved', 'frozen')) l on l.reward_id = r.id
      where r.project_id = $1 group by r.project_id, r.id
      having coalesce(r.payout_id, 'none') <> coalesce(string_agg(l.payout_id, ' '), 'none')`,
  },
  {
    subject: 'reward',
    field: 'paid_minor',
    broken: `select r.id, r.paid_minor::text as stored, coalesce(s.paid, 0)::text as expected
      from rewards r
      left join (select reward_id, sum(amount_minor) as paid from payout_lines
        where project_id = $1 and state = 'settled' group by reward_id) s on s.reward_id = r.id
      where r.project_id = $1 and r.method not in ${BY_SERVICE}
        and r.paid_minor <> coalesce(s.paid, 0)`,
  },
  {
    subject: 'reward',
    field: 'fulfillmentStatus',
    broken: `select r.id, r.fulfillment_status as stored,
        'pending, for no payout of it is under way' as expected
      from rewards r
      where r.project_id = $1 and r.method = 'payout' and r.fulfillment_status = 'in_progress'
        and not exists (select 1 from payout_lines l
          where l.project_id = $1 and l.reward_id = r.id and l.state = 'frozen')`,
  },
  {
    subject: 'reward',
    field: 'fulfillment',
    broken: `select r.id, r.fulfillment->>'externalReference' as stored,
        'a payout that pays for it' as expected
      from rewards r
      where r.project_id = $1 and r.method = 'payout' and r.fulfillment is not null
        and not exists (select 1 from payout_lines l where l.project_id = $1
          and l.reward_id = r.id and l.payout_id = r.fulfillment->>'externalReference')`,
  },
  {
    subject: 'payout',
    field: 'status',
    broken: `select p.payout_id as id, p.status as stored, coalesce(h.status, 'no header') as expected
      from payout_parts p left join payouts h on h.id = p.payout_id
      where p.project_id = $1 and (h.id is null or (h.is_applied and h.status <> p.status
        and h.status not in ('draft', 'approved')))`,
  },
  {
    subject: 'payout',
    field: 'total',
    // Reported in the first project that it pays for, because the others see the same.
    broken: `with own as (select h.id, h.amount_minor, h.project_ids
        from payout_parts p join payouts h on h.id = p.payout_id
        where p.project_id = $1 and h.project_ids[1] = $1
          and h.status in ('processing', 'paid', 'failed', 'returned')),
      parts as (select o.project_id, o.payout_id, o.amount_minor from payout_parts o
        where o.project_id in (select unnest(project_ids) from own)
          and o.payout_id in (select id from own))
      select own.id, own.amount_minor::text as stored, sum(parts.amount_minor)::text as expected
      from own join parts on parts.project_id = any(own.project_ids) and parts.payout_id = own.id
      group by own.id, own.amount_minor having own.amount_minor <> sum(parts.amount_minor)`,
  },
  {
    subject: 'payout',
    field: 'covered_minor',
    broken: `select h.id, h.covered_minor::text as stored,
        coalesce(sum(u.amount_minor), 0)::text || ' of at most ' || h.amount_minor as expected
      from payout_parts p join payouts h on h.id = p.payout_id
      left join payout_advance_uses u on u.payout_id = h.id
      where p.project_id = $1 and h.project_ids[1] = $1
      group by h.id, h.covered_minor, h.amount_minor
      having h.covered_minor <> coalesce(sum(u.amount_minor), 0)
        or (h.covered_minor > 0 and h.covered_minor > h.amount_minor)`,
  },
  {
    subject: 'payout advance',
    field: 'uses',
    broken: `select a.id, sum(u.amount_minor)::text as stored,
        'at most ' || a.amount_minor as expected
      from payout_advances a
      join payout_advance_uses u on u.advance_id = a.id
      join payouts h on h.id = u.payout_id and h.status in ('approved', 'processing', 'paid')
      where a.workspace_id = (select workspace_id from projects where id = $1)
      group by a.id, a.amount_minor having sum(u.amount_minor) > a.amount_minor`,
  },
  {
    subject: 'payout details',
    field: 'owner',
    broken: `select d.owner_id as id, 'details' as stored, 'none, for nobody owns them' as expected
      from payout_details d
      left join participants p on p.project_id = $1 and p.id = d.owner_id
      where d.project_id = $1 and (p.id is null or p.deleted_at is not null)`,
  },
  {
    subject: 'payout details',
    field: 'use',
    broken: `select d.owner_id as id,
        string_agg(d.used_from || ' to ' || coalesce(d.used_until::text, 'now on'), ', '
          order by d.used_from) as stored,
        'one after the other, the last for good' as expected
      from (select *, lead(used_from) over (partition by owner_kind, owner_id order by used_from)
          as next_from
        from payout_details where project_id = $1) d
      group by d.owner_kind, d.owner_id
      having bool_or(d.used_until is distinct from d.next_from)`,
  },
  ONE_EVENT_EACH('payout.paid', `${PARTS} and paid_at is not null`),
  ONE_EVENT_EACH('payout.failed', `${PARTS} and status = 'failed'`),
  ONE_EVENT_EACH('payout.returned', `${PARTS} and status = 'returned'`),
];
