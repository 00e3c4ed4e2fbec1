import type { Queryable } from '../../../platform/db/driver.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import { findFiguresOf } from '../../../platform/figures/figures.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import type { NumberPage } from '../../../platform/http/routes/paging.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import { loadBook } from '../../programs/book/load-book.ts';
import { type MoneyTotals, readMoneyTotals } from '../decide/reward-figures.ts';
import { pickStreams, type RewardFilter } from '../delivery/pick-streams.ts';
import type { RewardRow } from '../reward.ts';
import type { FindPayable } from '../reward-deps.ts';
import type { Reward } from '../schema.ts';
import { listRewards } from '../store.ts';
import { showRewardsNow } from './show-rewards.ts';

/** A Reward and its number in the Project's list; newer ones have higher numbers. */
export interface NumberedReward {
  readonly number: number;
  readonly reward: Reward;
}

/** The newest Rewards of one participant. */
export async function listRewardsOf(
  deps: {
    readonly reads: Queryable;
    readonly clock: Clock;
    readonly findPayable: FindPayable;
  },
  project: Pick<ProjectRef, 'id' | 'environment'>,
  participantId: string,
  { below, limit }: NumberPage,
): Promise<NumberedReward[]> {
  const { reads, clock } = deps;
  const filter: RewardFilter = { ...ANY, beneficiaryParticipantId: participantId };
  const [now, book] = await Promise.all([
    projectNow(reads, clock, project),
    loadBook(reads, project.id),
  ]);
  const streams = pickStreams(filter, book);
  const range = { above: null, below };
  const rows = await listRewards(reads, project.id, { filter, streams, range, limit });
  const shown = await showRewardsNow(deps, project.id, rows, now);
  return rows.map(({ number }, index) => ({ number, reward: shown[index] as Reward }));
}

/** The newest of one participant in one Program, as stored. */
export function listRewardsIn(
  db: Queryable,
  projectId: string,
  owner: { readonly participantId: string; readonly programId: string },
  { below, limit }: NumberPage,
): Promise<RewardRow[]> {
  const { participantId, programId } = owner;
  const filter = { ...ANY, programId, beneficiaryParticipantId: participantId };
  const streams = { programId: [programId] };
  const range = { above: null, below };
  return listRewards(db, projectId, { filter, streams, range, limit });
}

const ANY: RewardFilter = {
  programId: null,
  beneficiaryParticipantId: null,
  beneficiaryRole: null,
  benefitKind: null,
  deliveryMethod: null,
  fulfillmentStatus: null,
  eventId: null,
};

/** What a participant has earned and received, by currency; stored as figures, whatever the number of Rewards. */
export async function findMoneyTotals(
  db: Queryable,
  projectId: string,
  participantId: string,
): Promise<MoneyTotals[]> {
  return readMoneyTotals(await findFiguresOf(db, projectId, participantId));
}
