import { findCounts, findUnits } from '../../../domain/programs/queries.ts';
import { readUnitTotals, UNIT_TOTALS } from '../../../domain/rewards/decide/reward-figures.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findFiguresOfPart } from '../../../platform/figures/figures.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { ProgramSummary } from '../schema.ts';
import type { ViewDeps } from '../show-participant.ts';

/**
 * The results of a program, from figures alone: the cost does not depend on their number. Throws
 * NOT_FOUND.
 */
export function summarizeProgram(
  deps: Pick<ViewDeps, 'database'>,
  projectId: string,
  programId: string,
): Promise<ProgramSummary> {
  // In one snapshot, or the parts would not add up while facts arrive.
  return deps.database.snapshot((tx) => summarize(tx, projectId, programId));
}

async function summarize(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<ProgramSummary> {
  const [counts, all, unitFigures] = await Promise.all([
    findCounts(db, projectId, programId),
    findFiguresOfPart(db, projectId, programId, ''),
    findFiguresOfPart(db, projectId, programId, UNIT_TOTALS),
  ]);
  if (!counts) throw notFound('program');
  const totals = readUnitTotals(unitFigures);
  const units = await findUnits(
    db,
    projectId,
    totals.map(({ unitId }) => unitId),
  );
  return {
    ...counts,
    earnedRewards: Number(all.find(({ name }) => name === 'rewards')?.value ?? 0n),
    customTotals: totals.map(({ unitId, count, pending, fulfilled, voided }) => {
      const unit = units.get(unitId);
      if (!unit) throw new Error(`Rewards of ${programId} count in unknown units ${unitId}.`);
      return {
        customUnitId: unitId,
        unitKey: unit.key,
        name: unit.name,
        namePlural: unit.namePlural,
        rewardCount: count,
        earnedQuantity: fulfilled + pending + voided,
        fulfilledQuantity: fulfilled,
        pendingQuantity: pending,
        voidedQuantity: voided,
      };
    }),
  };
}
