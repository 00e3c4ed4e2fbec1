import { listApplications } from '../../domain/partners/applications/list-applications.ts';
import { toListPage } from '../../domain/partners/list-page.ts';
import type { ListApplications, PartnerApplication } from '../../domain/partners/schema.ts';
import { listRewards } from '../../domain/rewards/read/list-rewards.ts';
import type { ListRewards, Reward } from '../../domain/rewards/schema.ts';
import type { ListedReferral, ListReferrals } from '../../domain/tracking/event-schema.ts';
import { listReferrals } from '../../domain/tracking/queries.ts';
import { toBatch } from '../../outbound/payouts/present.ts';
import { listBatches } from '../../outbound/payouts/queries.ts';
import type {
  ListBatches,
  ListPayouts,
  Payout,
  PayoutBatch,
} from '../../outbound/payouts/schema.ts';
import { listPayouts } from '../../outbound/payouts/transfers/show-payouts.ts';
import type {
  Delivery,
  ListDeliveries,
} from '../../outbound/webhooks/deliveries/delivery-schema.ts';
import { listEndpointDeliveries } from '../../outbound/webhooks/deliveries/list-deliveries.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import { type CursorPage, pageOf } from '../../platform/http/routes/paging.ts';
import { PAGE_ROWS, walkPages } from './csv-file.ts';
import type { ExportDeps } from './open-export.ts';

type Pages<R> = AsyncGenerator<readonly R[]>;
type Filters<Q> = Omit<Q, 'limit' | 'cursor'>;

/** The response of a list. */
interface Page<R> {
  readonly data: readonly R[];
  readonly nextCursor: string | null;
}

function walkCursors<R>(
  load: (page: { limit: number; cursor?: string }) => Promise<Page<R>>,
): Pages<R> {
  return walkPages(async (cursor) => {
    const { data, nextCursor } = await load({
      limit: PAGE_ROWS,
      ...(cursor === undefined ? {} : { cursor }),
    });
    return { rows: data, next: nextCursor };
  });
}

/** Pages of a list that is ordered by id. */
export async function* walkIds<R extends { readonly id: string }>(
  load: (page: CursorPage) => Promise<R[]>,
): Pages<R> {
  for (let beforeId: string | null = null; ; ) {
    const page: CursorPage = { limit: PAGE_ROWS, beforeId };
    const { data, nextCursor } = pageOf(await load(page), page, (row) => row);
    yield data;
    const last = data.at(-1);
    if (nextCursor === null || !last) return;
    beforeId = last.id;
  }
}

export function walkReferrals(
  reads: Queryable,
  project: ProjectRef,
  query: Filters<ListReferrals>,
): Pages<ListedReferral> {
  const filter = {
    programId: query.programId ?? null,
    referrerParticipantId: query.referrerParticipantId ?? null,
    refereeParticipantId: query.refereeParticipantId ?? null,
  };
  return walkIds((page) => listReferrals(reads, project.id, filter, page));
}

export function walkRewards(
  deps: ExportDeps,
  project: ProjectRef,
  query: Filters<ListRewards>,
): Pages<Reward> {
  return walkCursors((page) => listRewards(deps, project, { ...query, ...page }));
}

export function walkPayouts(
  reads: Queryable,
  project: ProjectRef,
  query: Filters<ListPayouts>,
): Pages<Payout> {
  return walkCursors((page) => listPayouts(reads, project.id, { ...query, ...page }));
}

export async function* walkBatches(
  reads: Queryable,
  project: ProjectRef,
  { status }: Filters<ListBatches>,
): Pages<PayoutBatch> {
  const pages = walkIds((page) => listBatches(reads, project, status ?? null, page));
  for await (const rows of pages) yield rows.map(toBatch);
}

export function walkApplications(
  deps: ExportDeps,
  project: ProjectRef,
  { programId, status }: Filters<ListApplications>,
): Pages<PartnerApplication> {
  const filter = { programId: programId ?? null, status: status ?? null };
  return walkCursors((page) =>
    listApplications(deps, project, { filter, page: toListPage(page), showsLinks: false }),
  );
}

export function walkDeliveries(
  deps: ExportDeps,
  project: ProjectRef,
  endpointId: string,
  status: ListDeliveries['status'],
): Pages<Delivery> {
  const asked = status === undefined ? {} : { status };
  return walkCursors((page) =>
    listEndpointDeliveries(deps, project.id, endpointId, { ...asked, ...page }),
  );
}

/** Of a list that is returned as a whole. */
export async function* walkWhole<R>(list: Promise<readonly R[]>): Pages<R> {
  yield await list;
}
