import { findNamed } from '../../domain/participants/queries.ts';
import type { ParticipantRef } from '../../domain/participants/schema.ts';
import { findReferralProgram } from '../../domain/programs/queries.ts';
import { showRewards } from '../../domain/rewards/queries.ts';
import { listRewardsIn } from '../../domain/rewards/read/list-rewards.ts';
import type { RewardRow } from '../../domain/rewards/reward.ts';
import type { PayoutDetails } from '../../outbound/payouts/details/details-schema.ts';
import { showDetailsOf } from '../../outbound/payouts/details/participant-details.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { type CursorScope, openNumber, sealNumber } from '../../platform/feed/cursor.ts';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import { findFiguresOfPart } from '../../platform/figures/figures.ts';
import { REFERRED } from '../../platform/figures/tally.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { exponentOf } from '../../platform/kit/currencies.ts';
import { invalid, notFound } from '../../platform/kit/errors.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { formatMinor } from '../../platform/kit/money.ts';
import { holdReason, widgetAction, widgetStatus } from './reward-status.ts';
import { LIMIT_DEFAULT, type ListWidgetRewards, type WidgetRewards } from './schema.ts';

export interface WidgetListDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
}

/**
 * A participant's rewards in a referral program, newest first; an unknown participant has none.
 * Fails with NOT_FOUND for any other program, and INVALID_REQUEST for a cursor of another list.
 */
export async function listWidgetRewards(
  deps: WidgetListDeps,
  project: ProjectRef,
  ref: ParticipantRef,
  query: ListWidgetRewards,
): Promise<WidgetRewards> {
  const { reads } = deps.database;
  const now = await projectNow(reads, deps.clock, project);
  const [program, participant] = await Promise.all([
    findReferralProgram(reads, project.id, query.programId, now),
    findNamed(reads, project.id, ref),
  ]);
  if (!program) throw notFound('program');
  const owner = {
    projectId: project.id,
    programId: program.id,
    // Nobody has this id: no cursor fits the list of an unknown participant.
    participantId: participant?.id ?? '',
  };
  const below =
    query.cursor === undefined ? null : readRewardsCursor(deps.keyring, owner, query.cursor);
  if (!participant) return { summary: NOTHING, items: [], nextCursor: null };
  const limit = query.limit ?? LIMIT_DEFAULT;
  const [rows, details] = await Promise.all([
    listRewardsIn(reads, project.id, owner, { below, limit: limit + 1 }),
    showDetailsOf(reads, project.id, participant.id, now),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const [summary, items] = await Promise.all([
    below === null ? summarize(reads, owner, rows[0]?.earnedAt ?? null) : null,
    present(reads, project.id, shown, { details, now }),
  ]);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    summary,
    items,
    nextCursor: hasMore ? makeRewardsCursor(deps.keyring, owner, last.number) : null,
  };
}

const NOTHING: WidgetRewards['summary'] = {
  referralCount: 0,
  rewardCount: 0,
  earned: [],
  latestRewardAt: null,
};

/** From figures alone: the cost does not depend on the number of rewards. */
async function summarize(
  db: Queryable,
  { projectId, programId, participantId }: ListOwner,
  latestRewardAt: Instant | null,
): Promise<WidgetRewards['summary']> {
  const figures = await findFiguresOfPart(db, projectId, participantId, programId);
  const values = new Map(figures.map(({ name, value }) => [name, value]));
  return {
    referralCount: Number(values.get(REFERRED) ?? 0),
    rewardCount: Number(values.get('rewards') ?? 0),
    earned: [...values].flatMap(([name, value]) => {
      const currency = /^net:(.+)$/.exec(name)?.[1];
      if (currency === undefined || value === 0n) return [];
      const currencyExponent = exponentOf(currency);
      return [{ currency, currencyExponent, netAmountMinor: formatMinor(value) }];
    }),
    latestRewardAt,
  };
}

async function present(
  db: Queryable,
  projectId: string,
  rows: readonly RewardRow[],
  { details, now }: { readonly details: PayoutDetails; readonly now: Instant },
): Promise<WidgetRewards['items']> {
  const rewards = await showRewards(db, projectId, rows, now);
  return rows.map((row, index) => {
    const { money, discount, custom } = rewards[index] as (typeof rewards)[number];
    const status = widgetStatus(row, now);
    return {
      id: row.id,
      date: row.earnedAt,
      role: row.beneficiaryRole,
      referralId: row.referralId,
      benefitKind: row.benefitKind,
      money,
      discount: discount && { rateBps: discount.rateBps },
      custom: custom && {
        quantity: custom.quantity,
        validityDays: custom.validityDays,
        unitName: custom.unitName,
        unitNamePlural: custom.unitNamePlural,
      },
      status,
      action: widgetAction(row, status, details),
      availableAt: row.availableAt,
      holdReason: holdReason(row, status, now),
    };
  });
}

/** Whose list it is: a cursor of one is none of another. */
interface ListOwner {
  readonly projectId: string;
  readonly programId: string;
  readonly participantId: string;
}

const scopeOf = ({ projectId, programId, participantId }: ListOwner): CursorScope => ({
  purpose: 'widget-cursor',
  owner: [projectId, programId, participantId],
});

/** The number of the last Reward of a page: the next page continues below it. */
function makeRewardsCursor(keyring: Keyring, owner: ListOwner, number: number): string {
  return sealNumber(keyring, scopeOf(owner), number);
}

/** Fails with INVALID_REQUEST for a cursor that was not created here for this list. */
function readRewardsCursor(keyring: Keyring, owner: ListOwner, cursor: string): number {
  const number = openNumber(keyring, scopeOf(owner), cursor);
  if (number === undefined) throw invalid('cursor', 'is not a cursor of this list');
  return number;
}
