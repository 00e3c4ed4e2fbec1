import { findFiguresOf, loadFigures } from '../figures/figures.ts';
import { figureKey } from '../figures/tally.ts';
import { notFound } from '../kit/errors.ts';
import { findCounts } from '../programs/find-counts.ts';
import { findUnits } from '../programs/find-units.ts';
import { readUnitTotals, unitTotalsOf } from '../rewards/reward-figures.ts';
import type { ProgramSummary } from './schema.ts';
import type { ViewDeps } from './show-participant.ts';

/** What a Program has brought, from figures alone: it costs the same however much that is. Ends with NOT_FOUND. */
export async function summarizeProgram(
  deps: Pick<ViewDeps, 'database'>,
  projectId: string,
  programId: string,
): Promise<ProgramSummary> {
  const { reads } = deps.database;
  const [counts, rewards, unitFigures] = await Promise.all([
    findCounts(reads, projectId, programId),
    loadFigures(reads, projectId, [programId], ['rewards']),
    findFiguresOf(reads, projectId, unitTotalsOf(programId)),
  ]);
  if (!counts) throw notFound('program');
  const totals = readUnitTotals(unitFigures);
  const units = await findUnits(
    reads,
    projectId,
    totals.map(({ unitId }) => unitId),
  );
  return {
    ...counts,
    earnedRewards: Number(rewards.get(figureKey(programId, 'rewards'))?.value ?? 0n),
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
