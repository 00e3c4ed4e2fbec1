const day = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`;

/** Every purchase that counts for somebody in a Program, as a referrer or as their own; of Events `e` in a range. */
const counted = (range: string) => `
  select r.program_id, counted.owner, counted.prefix, ${day('e.received_at')} as day, p.currency,
      p.amount_minor - p.refunded_minor + p.disputed_minor as net, p.amount_minor as amount,
      p.disputed_minor as disputed, r.review_status
    from events e
    join purchases p on p.project_id = $1 and p.event_id = e.id
    left join referrals own on own.project_id = $1 and e.referral_id is null
      and own.referee_participant_id = e.participant_id
    join referrals r on r.project_id = $1 and r.id = coalesce(e.referral_id, own.id)
    cross join lateral (values (r.referrer_participant_id, ''), (r.referee_participant_id, 'own:'))
      as counted (owner, prefix)
    where e.project_id = $1 and e.type = 'purchase' and e.processing_state = 'processed'
      and e.program_id is not null and ${range}
  union all
  select counted.program_id, p.participant_id, 'own:', ${day('e.received_at')}, p.currency,
      p.amount_minor - p.refunded_minor + p.disputed_minor, p.amount_minor, p.disputed_minor, null
    from events e
    join purchases p on p.project_id = $1 and p.event_id = e.id
    cross join lateral json_array_elements_text(p.loyalty_program_ids) as counted (program_id)
    where e.project_id = $1 and e.type = 'purchase' and p.loyalty_program_ids is not null and ${range}`;

/** What a rejected referral has counted is counted under both names. */
const KINDS = `cross join lateral (select '' as kind
  union all select 'rejected:' where c.review_status = 'rejected') as k`;

/** For all time, so is what a referral under review has counted. */
const KINDS_OF_ALL_TIME = `cross join lateral (select '' as kind
  union all select case c.review_status when 'rejected' then 'rejected:' else 'reviewed:' end
    where c.review_status in ('rejected', 'open')) as k`;

/** The numbers of such a purchase. */
const NUMBERS = `cross join lateral (values ('purchases', (c.net > 0)::int::bigint),
  ('revenue:' || c.currency, c.net)) as n (name, value)`;

/** The same with what would be gone if every open dispute was lost. The revenue of a referrer is counted with the results. */
const NUMBERS_OF_ALL_TIME = `cross join lateral (values ('purchases', (c.net > 0)::int::bigint),
  (case when c.prefix = 'own:' or k.kind <> '' then 'revenue:' || c.currency end, c.net),
  ('atStake:purchases', (c.net > 0)::int::bigint - (c.net > c.disputed)::int),
  ('atStake:revenue:' || c.currency, c.disputed)) as n (name, value)`;

/** The measures by day of one Project, as `measures.ts` counts them: in Programs `g` and on days of `c`. */
const measuresByDay = (condition: string, range: string) => `
  select g.project_id, c.owner || '/' || c.program_id as subject, c.day as part,
      k.kind || c.prefix || n.name as name, n.value
    from (${counted(range)}) as c ${KINDS} ${NUMBERS}
    join programs g on g.project_id = $1 and g.id = c.program_id where ${condition}
  union all
  select g.project_id, c.owner || '/' || c.program_id, c.day, k.kind || 'referrals', 1
    from (select referrer_participant_id as owner, program_id, ${day('selected_at')} as day,
        review_status
      from referrals where project_id = $1) as c ${KINDS}
    join programs g on g.project_id = $1 and g.id = c.program_id where ${condition}`;

/** Those of the Program $2 since the day $3, unless it has days. Reads no Events from before. */
export const DAYS_OF_PROGRAM = measuresByDay(
  'g.id = $2 and g.days_from is null and c.day >= $3',
  `e.number > coalesce((select o.number from events o
     where o.project_id = $1 and o.received_at < $3::text::timestamp at time zone 'UTC'
     order by o.number desc limit 1), 0)`,
);

/** All measures of one Project. */
export const MEASURES = `
  select $1::text as project_id, c.owner as subject, c.program_id as part,
      k.kind || c.prefix || n.name as name, n.value
    from (${counted('true')}) as c ${KINDS_OF_ALL_TIME} ${NUMBERS_OF_ALL_TIME} where n.name is not null
  union all
  select $1, c.owner, c.program_id, 'refunded', 1 from (${counted('true')}) as c
    where c.prefix = '' and c.net <= 0 and c.amount > 0
  union all
  select $1, c.referrer_participant_id, c.program_id, k.kind || 'referrals', 1
    from referrals c ${KINDS_OF_ALL_TIME} where c.project_id = $1 and k.kind <> ''
  union all ${measuresByDay('c.day >= g.days_from', 'true')}`;
