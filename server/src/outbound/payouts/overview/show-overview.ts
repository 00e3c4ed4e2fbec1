import { findSuspended } from '../../../domain/partners/queries.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import { findSettings } from '../batches/batch-store.ts';
import { minimumOf } from '../batches/group-payees.ts';
import type { PayeeDetails } from '../details/payee-details.ts';
import { canPayTo, PAYOUT_METHODS, type PayoutMethod } from '../methods.ts';
import { type PayoutDeps, slicesOf } from '../payout-deps.ts';
import { isConnected } from '../queries.ts';
import type { PayoutOverview, ShowOverview } from '../schema.ts';
import { decideOverview, type OwedCash } from './decide-overview.ts';
import {
  hasMoreByMethod,
  hasMoreByPayout,
  listOwedByMethod,
  listOwedByPayout,
  type OwedSum,
} from './overview-queries.ts';

/**
 * Rewards that are summed of each delivery method, by the entries of an index. What is paid is not
 * among them, and a batch leaves nothing that could be paid: a project that pays has few.
 */
const REWARDS_MAX = 100_000;
const DETAILS_SLICE = 5_000;

/**
 * What a Project owes in cash: what a batch would pay now, and what waits for which reason. With a
 * method, as a batch of that method would judge it.
 */
export async function showOverview(
  deps: PayoutDeps,
  project: ProjectRef,
  { method, currency }: ShowOverview,
  rewardsMax: number = REWARDS_MAX,
): Promise<PayoutOverview> {
  const { reads } = deps.database;
  const now = await projectNow(reads, deps.clock, project);
  const selection = {
    projectId: project.id,
    currency: currency?.toUpperCase() ?? null,
    now,
    limit: rewardsMax,
  };
  const hasMore = (name: string) => hasMoreByMethod(reads, project.id, name, rewardsMax);
  const [byPayout, byProduct, byHand, isCut, methods, { minimums }] = await Promise.all([
    listOwedByPayout(reads, selection),
    listOwedByMethod(reads, selection, 'operator'),
    listOwedByMethod(reads, selection, 'manual'),
    Promise.all([
      hasMoreByPayout(reads, project.id, selection.currency, rewardsMax),
      hasMore('operator'),
      hasMore('manual'),
    ]),
    method ? [method] : listConnected(deps, project),
    findSettings(reads, project.workspaceId),
  ]);
  const here = await judgePayees(deps, project, byPayout, methods);
  const elsewhere = [...byProduct, ...byHand].map((sum) => ({
    ...toOwed(project, sum),
    details: 'missing' as const,
    isPaidHere: false,
    isSuspended: false,
  }));
  const { payable, waiting } = decideOverview([...here, ...elsewhere], (one) =>
    minimumOf(minimums, one),
  );
  return {
    payable: payable.map(toText),
    waiting: waiting.map(({ sums, people, ...group }) => ({
      ...group,
      sums: sums.map(toText),
      people: people.map(toText),
    })),
    isComplete: !isCut.includes(true),
    rewardsMax,
  };
}

const toText = <T extends { readonly amountMinor: bigint }>(one: T) => ({
  ...one,
  amountMinor: String(one.amountMinor),
});

const toOwed = ({ id }: ProjectRef, sum: OwedSum) => ({ ...sum, projectId: id });

/** The methods by which a batch could pay in the Project's environment. */
async function listConnected(deps: PayoutDeps, project: ProjectRef): Promise<PayoutMethod[]> {
  const found = await Promise.all(
    PAYOUT_METHODS.map(async (method) =>
      (await isConnected(deps, { ...project, method })) ? [method] : [],
    ),
  );
  return found.flat();
}

async function judgePayees(
  deps: PayoutDeps,
  project: ProjectRef,
  sums: readonly OwedSum[],
  methods: readonly PayoutMethod[],
): Promise<OwedCash[]> {
  const partnerIds = sums.flatMap(({ partnerId }) => partnerId ?? []);
  const suspended = await findSuspended(deps.database.reads, partnerIds);
  const found = new Map<string, PayeeDetails>();
  const ids = [...new Set(sums.map(({ participantId }) => participantId))];
  for (const slice of slicesOf(ids, DETAILS_SLICE)) {
    for (const [id, details] of await deps.findDetails(project.id, slice)) found.set(id, details);
  }
  return sums.map((sum) => ({
    ...toOwed(project, sum),
    details: judgeDetails(found.get(sum.participantId), methods),
    isPaidHere: true,
    isSuspended: suspended.has(sum.partnerId ?? ''),
  }));
}

function judgeDetails(
  found: PayeeDetails | undefined,
  methods: readonly PayoutMethod[],
): OwedCash['details'] {
  if (!found || found.status === 'needs_update') return 'missing';
  return methods.some((method) => canPayTo(method, found.type)) ? 'usable' : 'of_other_method';
}
