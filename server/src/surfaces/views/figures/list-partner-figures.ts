import { listByPartners } from '../../../domain/participants/queries.ts';
import { findProgramNames } from '../../../domain/programs/queries.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { ViewDeps } from '../show-participant.ts';
import { daysBetween } from './day-range.ts';
import type { PartnerTotals } from './figure-schema.ts';
import { DayNumbers } from './fold-daily.ts';
import { loadPartnerTotals } from './load-partner-days.ts';
import { presentPartner } from './show-partner-figures.ts';

interface TotalsAsked {
  readonly partnerIds: readonly string[];
  readonly from: string;
  readonly to: string;
  /** Null for all. */
  readonly programId: string | null;
}

/**
 * What each of several Partners brought and earned in a period, in the order in which they are asked for. Unknown and
 * erased Partners, and those that are not in the Project, are left out. Fails with INVALID_REQUEST for an invalid
 * range, NOT_FOUND for an unknown program.
 */
export function listPartnerFigures(
  deps: Pick<ViewDeps, 'database'>,
  projectId: string,
  { partnerIds, from, to, programId }: TotalsAsked,
): Promise<PartnerTotals[]> {
  daysBetween(from, to);
  return deps.database.snapshot(async (tx) => {
    const [participants, programs] = await Promise.all([
      listByPartners(tx, projectId, partnerIds),
      findProgramNames(tx, projectId),
    ]);
    if (programId !== null && !programs.has(programId)) throw notFound('program');
    const present = participants.filter(({ deletedAt }) => deletedAt === null);
    const idOf = new Map(present.map(({ id, partnerId }) => [partnerId, id]));
    const totals = await loadPartnerTotals(tx, projectId, [...idOf.values()], {
      programIds: programId === null ? [...programs.keys()] : [programId],
      from,
      to,
    });
    return partnerIds.flatMap((partnerId) => {
      const participantId = idOf.get(partnerId);
      if (participantId === undefined) return [];
      const sum = totals.get(participantId) ?? new DayNumbers();
      return [{ partnerId, participantId, ...presentPartner(sum) }];
    });
  });
}
