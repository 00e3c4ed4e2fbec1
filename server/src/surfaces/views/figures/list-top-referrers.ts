import { findParticipants } from '../../../domain/participants/queries.ts';
import { findCounts } from '../../../domain/programs/queries.ts';
import { readMoneyTotals } from '../../../domain/rewards/decide/reward-figures.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findTop } from '../../../platform/figures/figures.ts';
import type { Permission } from '../../../platform/http/access/permissions.ts';
import { exponentOf } from '../../../platform/kit/currencies.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { formatMinor } from '../../../platform/kit/money.ts';
import { namePartners, type ViewDeps } from '../show-participant.ts';
import type { TopReferrer } from './figure-schema.ts';
import { presentResults } from './present-money.ts';

interface TopAsked {
  /** Null for all. */
  readonly programId: string | null;
  readonly limit: number;
}

/**
 * The participants with the most referrals, in one program or in all, and what they earned there.
 * Read from figures alone: the cost depends on the page size only. Fails with NOT_FOUND for an unknown
 * program.
 */
export function listTopReferrers(
  deps: Pick<ViewDeps, 'database'>,
  projectId: string,
  may: (permission: Permission) => boolean,
  asked: TopAsked,
): Promise<TopReferrer[]> {
  return deps.database.snapshot((tx) => list(tx, projectId, may, asked));
}

async function list(
  db: Queryable,
  projectId: string,
  may: (permission: Permission) => boolean,
  { programId, limit }: TopAsked,
): Promise<TopReferrer[]> {
  if (programId !== null && !(await findCounts(db, projectId, programId))) {
    throw notFound('program');
  }
  const top = await findTop(db, projectId, [programId ?? ''], limit);
  const found = await findParticipants(
    db,
    projectId,
    top.map(({ subject }) => subject),
  );
  const named = await namePartners(db, may, [...found.values()]);
  const people = new Map(named.map((person) => [person.id, person]));
  return top.map(({ subject: participantId, referrals, figures }) => {
    const person = people.get(participantId);
    if (!person) throw new Error(`Figures count referrals of unknown ${participantId}.`);
    const { kind, externalId, name: called, partnerId, deletedAt } = person;
    const ofProgram = figures.filter(({ part }) => programId === null || part === programId);
    return {
      participant: { participantId, kind, externalId, name: called, partnerId, deletedAt },
      referrals,
      ...presentResults(ofProgram),
      earned: readMoneyTotals(ofProgram)
        .filter(({ earnedMinor }) => earnedMinor !== 0n)
        .map(({ currency, earnedMinor }) => ({
          currency,
          currencyExponent: exponentOf(currency),
          netAmountMinor: formatMinor(earnedMinor),
        })),
    };
  });
}
