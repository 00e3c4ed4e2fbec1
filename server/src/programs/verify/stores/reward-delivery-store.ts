import { BY_SERVICE, type StoredRule } from './rule-store.ts';

/**
 * What must agree among rewards that the service delivers itself, their intents and their lines.
 */
export const REWARD_DELIVERY_RULES: readonly StoredRule[] = [
  {
    subject: 'reward',
    field: 'delivery',
    broken: `select r.id, coalesce(d.participant_id || ' ' || d.method, 'none') as stored,
        r.beneficiary_participant_id || ' ' || r.method as expected
      from rewards r
      left join reward_deliveries d on d.project_id = $1 and d.reward_id = r.id
      where r.project_id = $1 and r.method in ${BY_SERVICE}
        and (d.participant_id, d.method)
          is distinct from (r.beneficiary_participant_id, r.method)`,
  },
  {
    subject: 'reward',
    field: 'paid_minor',
    broken: `select r.id, r.paid_minor::text as stored, coalesce(s.paid, 0)::text as expected
      from rewards r
      left join (select reward_id, sum(amount_minor) as paid from reward_delivery_lines
        where project_id = $1 group by reward_id) s on s.reward_id = r.id
      where r.project_id = $1 and r.method in ${BY_SERVICE}
        and r.paid_minor <> coalesce(s.paid, 0)`,
  },
  {
    subject: 'reward',
    field: 'fulfillmentStatus',
    // Everything under way has an intent, and every intended grant is under way.
    broken: `select r.id, r.fulfillment_status as stored,
        case when d.step = 'grant' then 'in_progress, for a grant is under way'
          else 'another, for no grant is under way' end as expected
      from rewards r
      join reward_deliveries d on d.project_id = $1 and d.reward_id = r.id
      where r.project_id = $1
        and (r.fulfillment_status = 'in_progress') <> coalesce(d.step = 'grant', false)`,
  },
  {
    subject: 'reward',
    field: 'lines',
    // It may have been taken back and granted again any number of times before the last grant. A
    // refund may have left nothing to take back at the end.
    broken: `select r.id, coalesce(l.granted, 0) || ' grants, ' || coalesce(l.taken, 0)
          || ' taken back' as stored,
        r.fulfillment_status || ' by one grant at most' as expected
      from rewards r
      left join (select reward_id, count(*) filter (where step = 'grant') as granted,
          count(*) filter (where step = 'take_back') as taken
        from reward_delivery_lines where project_id = $1 group by reward_id) l
        on l.reward_id = r.id
      where r.project_id = $1 and r.method in ${BY_SERVICE}
        and coalesce(l.granted, 0) - coalesce(l.taken, 0) not between
          case when r.fulfillment_status in ('fulfilled', 'revocation_pending') then 1 else 0 end
          and case when r.fulfillment_status in ('fulfilled', 'revocation_pending', 'revoked')
            then 1 else 0 end`,
  },
  {
    subject: 'reward delivery',
    field: 'attempt',
    broken: `select d.reward_id as id, d.attempt::text as stored,
        'above ' || l.last as expected
      from reward_deliveries d
      join (select reward_id, max(attempt) as last from reward_delivery_lines
        where project_id = $1 group by reward_id) l on l.reward_id = d.reward_id
      where d.project_id = $1 and d.attempt <= l.last`,
  },
  {
    subject: 'advance',
    field: 'left_minor',
    // Of an account and currency: what was given and is not here, less what Rewards have used.
    broken: `select a.account || ' ' || a.currency as id, a.left_minor::text as stored,
        (a.given - coalesce(u.used, 0))::text as expected
      from (select account, currency, sum(left_minor) as left_minor, sum(amount_minor) as given
        from reward_advances where project_id = $1 group by account, currency) a
      left join (select d.account, r.currency, sum(l.amount_minor) as used
        from reward_delivery_lines l
        join reward_deliveries d on d.project_id = $1 and d.reward_id = l.reward_id
        join rewards r on r.project_id = $1 and r.id = l.reward_id
        where l.project_id = $1 and l.advance is not null
        group by d.account, r.currency) u on u.account = a.account and u.currency = a.currency
      where a.left_minor <> a.given - coalesce(u.used, 0)`,
  },
];
