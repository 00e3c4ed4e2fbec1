import type { Queryable } from '../../../platform/db/driver.ts';
import type { Order } from '../../../platform/http/routes/paging.ts';
import { COUNTED_MAX, type LookedSum } from '../../../platform/http/routes/totals.ts';
import type { RewardRow } from '../reward.ts';
import { REWARD, type StoredReward, toRow } from '../store.ts';
import type { RewardFilter, RewardStreams } from './pick-streams.ts';

/** Numbers above `above` and below `below`, either of which may be null. */
export interface RewardRange {
  readonly above: number | null;
  readonly below: number | null;
}

export interface RewardSelection {
  readonly filter: RewardFilter;
  readonly streams: RewardStreams;
  readonly range: RewardRange;
}

const FILTERED: Readonly<Record<keyof RewardFilter, string>> = {
  programId: 'program_id',
  beneficiaryParticipantId: 'beneficiary_participant_id',
  beneficiaryRole: 'beneficiary_role',
  benefitKind: 'benefit_kind',
  deliveryMethod: 'method',
  fulfillmentStatus: 'fulfillment_status',
  eventId: 'event_id',
};

/** Filters that the index of the streams finds, beside the columns of the streams. */
const INDEXED: ReadonlySet<string> = new Set(['beneficiaryParticipantId', 'eventId']);

/** The statement's parts for a selection. An index finds what is `indexed`; what is `other` is only compared. */
function writeStreams(
  projectId: string,
  { filter, streams, range }: RewardSelection,
  order: Order,
) {
  const params: unknown[] = [projectId];
  const param = (value: unknown) => `$${params.push(value)}`;
  const indexed = ['r.project_id = $1'];
  const others: string[] = [];
  for (const [field, value] of Object.entries(filter)) {
    const column = FILTERED[field as keyof RewardFilter];
    // A stream's columns have no other value in it.
    if (value === null || field in streams) continue;
    (INDEXED.has(field) ? indexed : others).push(`r.${column} = ${param(value)}`);
  }
  if (range.above !== null) indexed.push(`r.number > ${param(range.above)}`);
  if (range.below !== null) indexed.push(`r.number < ${param(range.below)}`);
  const columns = Object.keys(streams).map((field) => FILTERED[field as keyof RewardFilter]);
  const from = Object.values(streams).map(
    (values, index) => `unnest(${param(values)}::text[]) as by_${columns[index]} (value)`,
  );
  const last = columns.at(-1);
  for (const column of columns) {
    indexed.push(
      column === last
        ? `r.${column} >= by_${column}.value and r.${column} <= by_${column}.value`
        : `r.${column} = by_${column}.value`,
    );
  }
  // With an equality the planner would choose the index of numbers alone, and scan all of it for an
  // empty stream. With this order only the streams' index fits.
  const orderBy = [...(last ? [`r.${last} ${order}`] : []), `r.number ${order}`].join(', ');
  return { params, param, indexed, others, from, orderBy };
}

/**
 * Newest or oldest first. Reads only the first rows of each stream: an index that begins with the stream's
 * columns holds them in order of number, so a page costs the same however many Rewards there are.
 */
export async function listRewards(
  db: Queryable,
  projectId: string,
  selection: RewardSelection,
  { order, limit }: { readonly order: Order; readonly limit: number },
): Promise<RewardRow[]> {
  const parts = writeStreams(projectId, selection, order);
  const { params, param, indexed, others, from, orderBy } = parts;
  const most = `limit ${param(limit)}`;
  const stream = `(select r.* from rewards r
    where ${[...indexed, ...others].join(' and ')} order by ${orderBy} ${most}) as r`;
  const rows = await db.query<StoredReward>(
    `select ${REWARD} from ${[...from, `lateral ${stream}`].join(' cross join ')}
     order by r.number ${order} ${most}`,
    params,
  );
  return rows.map(toRow);
}

export interface RewardSums extends LookedSum {
  readonly amountMinor: string;
  readonly netAmountMinor: string;
}

/**
 * Number and sums of what matches, by currency. Looks at no more rows than are counted and one: without a common
 * order of the streams, the outer limit stops reading, whatever matches.
 */
export function sumRewards(
  db: Queryable,
  projectId: string,
  selection: RewardSelection,
): Promise<RewardSums[]> {
  const parts = writeStreams(projectId, selection, 'desc');
  const { params, param, indexed, others, from, orderBy } = parts;
  const most = `limit ${param(COUNTED_MAX + 1)}`;
  const stream = `(select r.* from rewards r
    where ${indexed.join(' and ')} order by ${orderBy} ${most}) as r`;
  const matching = `filter (where ${['true', ...others].join(' and ')})`;
  return db.query<RewardSums>(
    `select r.currency, r.currency_exponent as "currencyExponent", count(*)::integer as looked,
       count(*) ${matching}::integer as count,
       coalesce(sum(r.amount_minor) ${matching}, 0)::text as "amountMinor",
       coalesce(sum(case when r.void is null then r.net_amount_minor end) ${matching}, 0)::text
         as "netAmountMinor"
     from (select r.* from ${[...from, `lateral ${stream}`].join(' cross join ')} ${most}) as r
     group by r.currency, r.currency_exponent`,
    params,
  );
}
