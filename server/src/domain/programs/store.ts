import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { ConfigTx } from '../../platform/feed/writer/project-write.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { ProgramFacts, StatusMove } from './decide-program.ts';
import type { DeliveryChoice } from './delivery-methods.ts';
import type { StatusInterval, TermsVersion, Unit } from './program-book.ts';
import type { AttributionPolicy, BenefitRule } from './schema.ts';

// Programs

export interface ProgramRow extends ProgramFacts {
  readonly id: string;
  readonly projectId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface CountedProgramRow extends ProgramRow {
  readonly enrollmentCount: bigint;
  readonly referralCount: bigint;
}

const PROGRAM = `id, project_id as "projectId", kind, name, status, start_date as "startDate",
  end_date as "endDate", config, created_at as "createdAt", updated_at as "updatedAt"`;

/** With counters at zero and its first interval. */
export function insertProgram(tx: ConfigTx, program: ProgramRow, number: number): void {
  tx.send(
    `insert into programs (project_id, id, number, kind, name, status, start_date, end_date,
       config, enrollment_count, referral_count, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, 0, 0, $10, $11)`,
    [
      program.projectId,
      program.id,
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

export async function findProgramRow(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<ProgramRow | undefined> {
  const [row] = await db.query<ProgramRow>(
    `select ${PROGRAM} from programs where project_id = $1 and id = $2`,
    [projectId, programId],
  );
  return row;
}

/** Oldest first. */
export function listPrograms(db: Queryable, projectId: string): Promise<CountedProgramRow[]> {
  return db.query<CountedProgramRow>(
    `select ${PROGRAM}, enrollment_count as "enrollmentCount",
       referral_count as "referralCount"
     from programs where project_id = $1 order by number`,
    [projectId],
  );
}

export async function findProgramCounts(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<Pick<CountedProgramRow, 'enrollmentCount' | 'referralCount'> | undefined> {
  const [row] = await db.query<CountedProgramRow>(
    `select enrollment_count as "enrollmentCount", referral_count as "referralCount"
     from programs where project_id = $1 and id = $2`,
    [projectId, programId],
  );
  return row;
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

export function updateEnrollmentCounts(
  tx: Tx,
  projectId: string,
  programIds: readonly string[],
  delta: number,
): void {
  tx.send(
    `update programs set enrollment_count = enrollment_count + $3::bigint
     where project_id = $1 and id = any($2::text[])`,
    [projectId, programIds, delta],
  );
}

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

/** Of one Program, or for null of all. */
export function listIntervals(
  db: Queryable,
  projectId: string,
  programId: string | null,
): Promise<(StatusInterval & { readonly programId: string })[]> {
  return db.query(
    `select program_id as "programId", status, starts_at as "startsAt", ends_at as "endsAt"
     from program_intervals
     where project_id = $1 and ($2::text is null or program_id = $2) order by position`,
    [projectId, programId],
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

/** Newest first, of one Program or for null of all. */
export function listPolicies(
  db: Queryable,
  projectId: string,
  programId: string | null,
): Promise<AttributionPolicy[]> {
  return db.query<AttributionPolicy>(
    `select id, created_at as "createdAt", created_at as "updatedAt", project_id as "projectId",
       program_id as "programId", version, model, window_days as "windowDays",
       binding_trigger as "bindingTrigger", effective_at as "effectiveAt", author
     from attribution_policies
     where project_id = $1 and ($2::text is null or program_id = $2) order by version desc`,
    [projectId, programId],
  );
}

/** 0 if there is none. */
export async function findLastPolicyVersion(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    `select version from attribution_policies where project_id = $1 and program_id = $2
     order by version desc limit 1`,
    [projectId, programId],
  );
  return row?.version ?? 0;
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

/** Of one Program, or for null of all. */
export function listDelivery(
  db: Queryable,
  projectId: string,
  programId: string | null,
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(
    `select project_id as "projectId", program_id as "programId", hold_days as "holdDays",
       cash_method as "cashMethod", credit_method as "creditMethod",
       discount_method as "discountMethod", custom_method as "customMethod",
       plan_upgrades as "planUpgrades", updated_at as "updatedAt"
     from delivery_settings where project_id = $1 and ($2::text is null or program_id = $2)`,
    [projectId, programId],
  );
}

export async function findDelivery(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await listDelivery(db, projectId, programId);
  return row;
}

// Benefit rules

const RULE = `id, created_at as "createdAt", updated_at as "updatedAt", project_id as "projectId",
  program_id as "programId", event_type as "eventType", beneficiary_role as "beneficiaryRole",
  purpose, name, initial_effective_at as "initialEffectiveAt"`;

export function insertRule(tx: ConfigTx, rule: BenefitRule, number: number): void {
  tx.send(
    `insert into benefit_rules (project_id, id, program_id, number, event_type,
       beneficiary_role, purpose, name, initial_effective_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      rule.projectId,
      rule.id,
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

export async function findRule(
  db: Queryable,
  projectId: string,
  ruleId: string,
): Promise<BenefitRule | undefined> {
  const [row] = await db.query<BenefitRule>(
    `select ${RULE} from benefit_rules where project_id = $1 and id = $2`,
    [projectId, ruleId],
  );
  return row;
}

/** Oldest first, of one Program or for null of all. */
export function listRules(
  db: Queryable,
  projectId: string,
  programId: string | null,
): Promise<BenefitRule[]> {
  return db.query<BenefitRule>(
    `select ${RULE} from benefit_rules
     where project_id = $1 and ($2::text is null or program_id = $2) order by program_id, number`,
    [projectId, programId],
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

const UNIT = 'id, key, name, name_plural as "namePlural"';

export function insertUnit(tx: ConfigTx, projectId: string, unit: Unit, at: Instant): void {
  tx.send(
    `insert into units (project_id, id, key, name, name_plural, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [projectId, unit.id, unit.key, unit.name, unit.namePlural, at],
  );
}

export async function findUnit(
  db: Queryable,
  projectId: string,
  unitId: string,
): Promise<Unit | undefined> {
  const [row] = await db.query<Unit>(
    `select ${UNIT} from units where project_id = $1 and id = $2`,
    [projectId, unitId],
  );
  return row;
}

export function listUnitsById(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Unit[]> {
  return db.query<Unit>(
    `select ${UNIT} from units where project_id = $1 and id = any($2::text[])`,
    [projectId, ids],
  );
}

export async function findUnitByKey(
  db: Queryable,
  projectId: string,
  key: string,
): Promise<Unit | undefined> {
  const [row] = await db.query<Unit>(
    `select ${UNIT} from units where project_id = $1 and key = $2`,
    [projectId, key],
  );
  return row;
}

export function insertTerms(tx: ConfigTx, terms: TermsVersion): void {
  tx.send(
    `insert into reward_terms (project_id, id, rule_id, program_id, version, beneficiary_role,
       benefit_kind, effective_at, enabled, calculation, fixed_amount_minor, currency,
       currency_exponent, rate_bps, duration_mode, duration_months, unit_id, quantity,
       validity_days, max_rewards_per_beneficiary, rounding_policy, refund_policy, author,
       change_note, published_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
       $19, $20, $21, $22, $23, $24, $25)`,
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
    ],
  );
}

/** Newest first, of one rule or for null of all. */
export async function listTerms(
  db: Queryable,
  projectId: string,
  ruleId: string | null,
): Promise<TermsVersion[]> {
  return db.query<TermsVersion>(
    `select t.id, t.project_id as "projectId", t.rule_id as "ruleId",
       t.program_id as "programId", t.version, t.beneficiary_role as "beneficiaryRole",
       t.benefit_kind as "benefitKind", t.effective_at as "effectiveAt", t.enabled,
       t.calculation, t.fixed_amount_minor as "fixedAmountMinor", t.currency,
       t.currency_exponent as "currencyExponent", t.rate_bps as "rateBps",
       t.duration_mode as "durationMode", t.duration_months as "durationMonths", t.quantity,
       t.validity_days as "validityDays",
       t.max_rewards_per_beneficiary as "maxRewardsPerBeneficiary",
       t.rounding_policy as "roundingPolicy", t.refund_policy as "refundPolicy", t.author,
       t.change_note as "changeNote", t.published_at as "publishedAt",
       case when u.id is null then null else
         jsonb_build_object('id', u.id, 'key', u.key, 'name', u.name,
           'namePlural', u.name_plural) end as unit
     from reward_terms t
     left join units u on u.project_id = t.project_id and u.project_id = $1 and u.id = t.unit_id
     where t.project_id = $1 and ($2::text is null or t.rule_id = $2) order by t.version desc`,
    [projectId, ruleId],
  );
}

/** Whether any rule of a Program gives cash by the terms in effect. */
export async function hasCashTerms(
  db: Queryable,
  projectId: string,
  programId: string,
  now: Instant,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from benefit_rules r cross join lateral (
       select t.benefit_kind, t.enabled from reward_terms t
       where t.project_id = $1 and t.rule_id = r.id and t.effective_at <= $3
       order by t.version desc limit 1) as terms
     where r.project_id = $1 and r.program_id = $2
       and terms.enabled and terms.benefit_kind = 'cash' limit 1`,
    [projectId, programId, now],
  );
  return rows.length > 0;
}

/** 0 if there is none. */
export async function findLastTermsVersion(
  db: Queryable,
  projectId: string,
  ruleId: string,
): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    `select version from reward_terms where project_id = $1 and rule_id = $2
     order by version desc limit 1`,
    [projectId, ruleId],
  );
  return row?.version ?? 0;
}

export function updateReferralCounts(
  tx: Tx,
  projectId: string,
  counts: ReadonlyMap<string, number>,
): void {
  tx.send(
    `update programs p set referral_count = p.referral_count + c.added
     from unnest($2::text[], $3::bigint[]) as c (id, added)
     where p.project_id = $1 and p.id = c.id`,
    [projectId, [...counts.keys()], [...counts.values()]],
  );
}

/** The attribution windows, in days, in force in the Programs that are active at `now`. */
export async function listWindows(
  db: Queryable,
  projectId: string,
  now: Instant,
): Promise<number[]> {
  const rows = await db.query<{ windowDays: number }>(
    `select policy.window_days as "windowDays" from programs p
     cross join lateral (select a.window_days from attribution_policies a
       where a.project_id = $1 and a.program_id = p.id and a.effective_at <= $2
       order by a.version desc limit 1) as policy
     where p.project_id = $1 and p.status = 'active'
       and (p.start_date is null or p.start_date <= $2)
       and (p.end_date is null or p.end_date > $2)`,
    [projectId, now],
  );
  return rows.map(({ windowDays }) => windowDays);
}
