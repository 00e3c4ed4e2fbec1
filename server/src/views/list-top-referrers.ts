import type { Queryable } from '../db/driver.ts';
import { findTopReferrers } from '../figures/figures.ts';
import type { Permission } from '../http/permissions.ts';
import { notFound } from '../kit/errors.ts';
import { formatMinor } from '../kit/money.ts';
import { findParticipants } from '../participants/find-participant.ts';
import { findCounts } from '../programs/find-counts.ts';
import { readMoneyTotals } from '../rewards/reward-figures.ts';
import { exponentOf } from './currency-exponent.ts';
import type { TopReferrer } from './figure-schema.ts';
import { namePartners } from './name-partners.ts';
import type { ViewDeps } from './show-participant.ts';

/**
 * Who has referred most, in one Program or in all, and what they earned there. From figures alone:
 * it reads as many as it shows. Ends with NOT_FOUND for a Program that is not there.
 */
export function listTopReferrers(
  deps: Pick<ViewDeps, 'database'>,
  projectId: string,
  may: (permission: Permission) => boolean,
  programId: string | null,
  limit: number,
): Promise<TopReferrer[]> {
  return deps.database.snapshot((tx) => list(tx, projectId, may, programId, limit));
}

async function list(
  source: Queryable,
  projectId: string,
  may: (permission: Permission) => boolean,
  programId: string | null,
  limit: number,
): Promise<TopReferrer[]> {
  if (programId !== null && !(await findCounts(source, projectId, programId))) {
    throw notFound('program');
  }
  const name = programId === null ? 'referrals' : `${programId}:referrals`;
  const top = await findTopReferrers(source, projectId, name, limit);
  const found = await findParticipants(
    source,
    projectId,
    top.map(({ participantId }) => participantId),
  );
  const named = await namePartners(source, may, [...found.values()]);
  const people = new Map(named.map((person) => [person.id, person]));
  return top.map(({ participantId, referrals, figures }) => {
    const person = people.get(participantId);
    if (!person) throw new Error(`Figures count referrals of unknown ${participantId}.`);
    const { kind, externalId, name: called, partnerId, deletedAt } = person;
    const ofProgram = figures.filter(
      (one) => programId === null || one.name.startsWith(`${programId}:`),
    );
    return {
      participant: { participantId, kind, externalId, name: called, partnerId, deletedAt },
      referrals,
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
