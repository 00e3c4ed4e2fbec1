import { sendWrite } from '../../platform/db/statements.ts';
import type { ConfigTx } from '../../platform/feed/writer/project-write.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { ProgramFacts, StatusMove } from './decide-program.ts';
import type { DeliveryChoice } from './delivery-methods.ts';
import type { RiskPolicyVersion } from './policies/risk-policy.ts';
import type { TermsVersion, Unit } from './program-book.ts';
import { writeMilestone, writeTiers } from './rules/measures.ts';
import type { AttributionPolicy, BenefitRule } from './schema.ts';

// Programs

export interface ProgramRow extends ProgramFacts {
  readonly id: string;
  readonly projectId: string;
  readonly key: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface CountedProgramRow extends ProgramRow {
  readonly enrollmentCount: bigint;
  readonly referralCount: bigint;
}

/** With counters at zero and its first interval. */
export function insertProgram(tx: ConfigTx, program: ProgramRow, number: number): void {
  tx.send(
    `insert into programs (project_id, id, key, number, kind, name, status, start_date, end_date,
       config, enrollment_count, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, 0, $11, $12)`,
    [
      program.projectId,
      program.id,
      program.key,
      number,
      program.kind,
      program.name,
      program.status,
      program.startDate,
      program.endDate,
      JSON.stringify(program.config),
      program.createdAt,
      program.updatedAt,
    ],
  );
  tx.send(
    `insert into program_intervals (project_id, program_id, position, status, starts_at)
     values ($1, $2, 1, $3, $4)`,
    [program.projectId, program.id, program.status, program.createdAt],
  );
}

/** The kind never changes, and the counters have separate statements. */
export function updateProgram(tx: ConfigTx, program: ProgramRow): void {
  tx.send(
    `update programs set name = $3, status = $4, start_date = $5, end_date = $6,
       config = $7::jsonb, updated_at = $8
     where project_id = $1 and id = $2`,
    [
      program.projectId,
      program.id,
      program.name,
      program.status,
      program.startDate,
      program.endDate,
      JSON.stringify(program.config),
      program.updatedAt,
    ],
  );
}

export const updateEnrollmentCounts = sendWrite<
  [projectId: string, programIds: readonly string[], delta: number]
>(`update programs set enrollment_count = enrollment_count + $3::bigint
     where project_id = $1 and id = any($2::text[])`);

/** Closes the open interval and opens the next one. */
export async function insertMove(
  tx: ConfigTx,
  projectId: string,
  programId: string,
  { status, at }: StatusMove,
): Promise<void> {
  const [closed] = await tx.query<{ position: number }>(
    `update program_intervals set ends_at = $3
     where project_id = $1 and program_id = $2 and ends_at is null returning position`,
    [projectId, programId, at],
  );
  if (!closed) throw new Error(`Program ${programId} has no open interval.`);
  tx.send(
    `insert into program_intervals (project_id, program_id, position, status, starts_at)
     values ($1, $2, $3, $4, $5)`,
    [projectId, programId, closed.position + 1, status, at],
  );
}

// Attribution policies

export function insertPolicy(tx: ConfigTx, policy: AttributionPolicy): void {
  tx.send(
    `insert into attribution_policies (project_id, id, program_id, version, model, window_days,
       binding_trigger, effective_at, author, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      policy.projectId,
      policy.id,
      policy.programId,
      policy.version,
      policy.model,
      policy.windowDays,
      policy.bindingTrigger,
      policy.effectiveAt,
      policy.author,
      policy.createdAt,
    ],
  );
}

// Risk policies

export function insertRiskPolicy(tx: ConfigTx, policy: RiskPolicyVersion): void {
  tx.send(
    `insert into risk_policies (project_id, id, program_id, version, mode, points, review_at,
       effective_at, author, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      policy.projectId,
      policy.id,
      policy.programId,
      policy.version,
      policy.mode,
      JSON.stringify(policy.points),
      policy.reviewAt,
      policy.effectiveAt,
      policy.author,
      policy.createdAt,
    ],
  );
}

// Delivery settings

export interface DeliveryRow extends DeliveryChoice {
  readonly projectId: string;
  readonly programId: string;
  readonly updatedAt: Instant;
}

export function upsertDelivery(tx: ConfigTx, settings: DeliveryRow): void {
  tx.send(
    `insert into delivery_settings (project_id, program_id, hold_days, cash_method,
       credit_method, discount_method, custom_method, plan_upgrades, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)
     on conflict (project_id, program_id) do update set hold_days = excluded.hold_days,
       cash_method = excluded.cash_method, credit_method = excluded.credit_method,
       discount_method = excluded.discount_method, custom_method = excluded.custom_method,
       plan_upgrades = excluded.plan_upgrades, updated_at = excluded.updated_at`,
    [
      settings.projectId,
      settings.programId,
      settings.holdDays,
      settings.cashMethod,
      settings.creditMethod,
      settings.discountMethod,
      settings.customMethod,
      JSON.stringify(settings.planUpgrades),
      settings.updatedAt,
    ],
  );
}

// Benefit rules

export function insertRule(tx: ConfigTx, rule: BenefitRule, number: number): void {
  tx.send(
    `insert into benefit_rules (project_id, id, key, program_id, number, event_type,
       beneficiary_role, purpose, name, initial_effective_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      rule.projectId,
      rule.id,
      rule.key,
      rule.programId,
      number,
      rule.eventType,
      rule.beneficiaryRole,
      rule.purpose,
      rule.name,
      rule.initialEffectiveAt,
      rule.createdAt,
      rule.updatedAt,
    ],
  );
}

export function updateRuleName(
  tx: ConfigTx,
  projectId: string,
  ruleId: string,
  { name, at }: { readonly name: string; readonly at: Instant },
): void {
  tx.send('update benefit_rules set name = $3, updated_at = $4 where project_id = $1 and id = $2', [
    projectId,
    ruleId,
    name,
    at,
  ]);
}

// Units and terms

export function insertUnit(tx: ConfigTx, projectId: string, unit: Unit, at: Instant): void {
  tx.send(
    `insert into units (project_id, id, key, name, name_plural, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [projectId, unit.id, unit.key, unit.name, unit.namePlural, at],
  );
}

export function insertTerms(tx: ConfigTx, terms: TermsVersion): void {
  tx.send(
    `insert into reward_terms (project_id, id, rule_id, program_id, version, beneficiary_role,
       benefit_kind, effective_at, enabled, calculation, fixed_amount_minor, currency,
       currency_exponent, rate_bps, duration_mode, duration_months, unit_id, quantity,
       validity_days, max_rewards_per_beneficiary, rounding_policy, refund_policy, author,
       change_note, published_at, conditions, tiers, milestone)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
       $19, $20, $21, $22, $23, $24, $25, $26, $27, $28)`,
    [
      terms.projectId,
      terms.id,
      terms.ruleId,
      terms.programId,
      terms.version,
      terms.beneficiaryRole,
      terms.benefitKind,
      terms.effectiveAt,
      terms.enabled,
      terms.calculation,
      terms.fixedAmountMinor,
      terms.currency,
      terms.currencyExponent,
      terms.rateBps,
      terms.durationMode,
      terms.durationMonths,
      terms.unit?.id ?? null,
      terms.quantity,
      terms.validityDays,
      terms.maxRewardsPerBeneficiary,
      terms.roundingPolicy,
      terms.refundPolicy,
      terms.author,
      terms.changeNote,
      terms.publishedAt,
      terms.conditions && JSON.stringify(terms.conditions),
      terms.tiers && JSON.stringify(writeTiers(terms.tiers)),
      terms.milestone && JSON.stringify(writeMilestone(terms.milestone)),
    ],
  );
}
