import { expect } from 'vitest';
import { EACH_FIGURE } from './figures.ts';
import type { TestProject, TestService } from './harness.ts';

/** What the figures of Rewards must be, told by the rows alone. */
const RECOUNT = `
  with r as (
    select *, case
        when fulfillment_status in ('pending', 'in_progress', 'failed') then 'pending'
        when fulfillment_status = 'fulfilled' then 'fulfilled' else 'voided' end as sort
    from rewards where project_id = $1)
  select beneficiary_participant_id as subject, program_id as part, 'earned:' || rule_id as name,
      count(*) filter (where void is null and (net_amount_minor is distinct from 0 or is_disputed))::text
      as value from r group by 1, 2, 3
  union all select beneficiary_participant_id, program_id, 'rewards', count(*)::text
    from r group by 1, 2
  union all select program_id, '', 'rewards', count(*)::text from r group by 1
  union all select program_id, to_char(earned_at at time zone 'UTC', 'YYYY-MM-DD'), 'voided',
      count(*) filter (where void is not null or sort = 'voided')::text from r group by 1, 2
  union all select program_id, to_char(earned_at at time zone 'UTC', 'YYYY-MM-DD'), 'net:' || currency,
      coalesce(sum(net_amount_minor) filter (where void is null and sort <> 'voided'), 0)::text
    from r where amount_minor is not null group by 1, 2, 3
  union all select program_id, to_char(earned_at at time zone 'UTC', 'YYYY-MM-DD'), 'unit:' || unit_id,
      coalesce(sum(quantity) filter (where void is null and sort <> 'voided'), 0)::text
    from r where quantity is not null group by 1, 2, 3
  union all select beneficiary_participant_id, program_id, 'net:' || currency,
      coalesce(sum(net_amount_minor) filter (where void is null and sort <> 'voided'), 0)::text
    from r where amount_minor is not null group by 1, 2, 3
  union all select beneficiary_participant_id, program_id, 'paid:' || currency,
      sum(case when method = 'payout' then paid_minor
        when sort = 'fulfilled' and void is null then net_amount_minor else 0 end)::text
    from r where amount_minor is not null group by 1, 2, 3
  union all select program_id, to_char(earned_at at time zone 'UTC', 'YYYY-MM-DD'), 'paid:' || currency,
      sum(case when method = 'payout' then paid_minor
        when sort = 'fulfilled' and void is null then net_amount_minor else 0 end)::text
    from r where amount_minor is not null group by 1, 2, 3
  union all select program_id, 'units', unit_id || ':count', count(*)::text
    from r where quantity is not null group by 1, 2, 3
  union all select program_id, 'units', unit_id || ':' || sort, sum(quantity)::text
    from r where quantity is not null group by 1, 2, 3`;

const COUNTED = `
  select subject, part, name, value::text as value from ${EACH_FIGURE} as f where project_id = $1
    and (part = 'units' or (name = 'rewards' and part !~ '^[0-9]')
      or name ~ '^(voided$|earned:|net:|paid:|unit:)')`;

interface Row {
  readonly subject: string;
  readonly part: string;
  readonly name: string;
  readonly value: string;
}

/** Holds every figure of a Project's Rewards to a recount of the rows. */
export async function expectCountedRewards(
  { database }: TestService,
  { projectId }: TestProject,
): Promise<void> {
  const read = async (sql: string) => {
    const rows = await database.reads.query<Row>(sql, [projectId]);
    // A figure of nothing may stand or not.
    return rows
      .filter(({ value }) => value !== '0')
      .map(({ subject, part, name, value }) => `${subject} ${part} ${name} ${value}`)
      .sort();
  };
  expect(await read(COUNTED)).toEqual(await read(RECOUNT));
}
