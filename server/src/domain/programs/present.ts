import type { Instant } from '../../platform/kit/instant.ts';
import { formatMinor } from '../../platform/kit/money.ts';
import { type ConnectedMethod, methodOptions } from './delivery-methods.ts';
import type { TermsVersion } from './program-book.ts';
import { arrangeConfig } from './program-config.ts';
import { effectiveStatus } from './program-status.ts';
import type { Condition, ConditionValue } from './rules/conditions.ts';
import { writeMilestone, writeTiers } from './rules/measures.ts';
import type { DeliverySettings, ListedProgram, Program, RewardTerms } from './schema.ts';
import type { CountedProgramRow, DeliveryRow, ProgramRow } from './store.ts';

export function toProgram(row: ProgramRow, now: Instant): Program {
  return {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    projectId: row.projectId,
    kind: row.kind,
    key: row.key,
    name: row.name,
    status: effectiveStatus(row, now),
    startDate: row.startDate,
    endDate: row.endDate,
    config: arrangeConfig(row.config),
  };
}

export function toListedProgram(row: CountedProgramRow, now: Instant): ListedProgram {
  return {
    ...toProgram(row, now),
    enrollmentCount: Number(row.enrollmentCount),
    referralCount: Number(row.referralCount),
  };
}

export function toDeliverySettings(
  row: DeliveryRow,
  connected: readonly ConnectedMethod[],
): DeliverySettings {
  const { projectId: _, updatedAt, ...choice } = row;
  // The database does not preserve the order of these fields.
  const planUpgrades = row.planUpgrades.map(({ unitKey, plan, periods }) => {
    return { unitKey, plan, periods };
  });
  return { ...choice, planUpgrades, options: methodOptions(connected), updatedAt };
}

export function toRewardTerms(terms: TermsVersion): RewardTerms {
  const { fixedAmountMinor, unit, conditions, tiers, milestone } = terms;
  return {
    ...terms,
    createdAt: terms.publishedAt,
    updatedAt: terms.publishedAt,
    fixedAmountMinor: fixedAmountMinor === null ? null : formatMinor(fixedAmountMinor),
    customUnitId: unit?.id ?? null,
    conditions: conditions?.map(presentCondition) ?? null,
    tiers: tiers && writeTiers(tiers),
    milestone: milestone && writeMilestone(milestone),
    unit: unit && { key: unit.key, name: unit.name, namePlural: unit.namePlural },
  };
}

function presentCondition({ field, op, value }: Condition) {
  return { field, op, value: Array.isArray(value) ? [...value] : (value as ConditionValue) };
}
