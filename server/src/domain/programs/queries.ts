import type { Queryable } from '../../platform/db/driver.ts';
import { findRow, listRows, listValues } from '../../platform/db/statements.ts';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { RiskPolicyVersion } from './policies/risk-policy.ts';
import { toListedProgram } from './present.ts';
import { isActiveAt, type StatusInterval, type TermsVersion, type Unit } from './program-book.ts';
import type { ProgramConfig } from './program-config.ts';
import type { ProgramDeps } from './program-deps.ts';
import { effectiveStatus, type ProgramKind, type ProgramStatus } from './program-status.ts';
import { type MilestoneText, readMilestone, readTiers, type TiersText } from './rules/measures.ts';
import type { AttributionPolicy, BenefitRule, ListedProgram } from './schema.ts';
import type { CountedProgramRow, DeliveryRow, ProgramRow } from './store.ts';

export interface ProgramCounts {
  /** Currently active. */
  readonly enrollments: number;
  /** Total over all time. */
  readonly referrals: number;
}

/** Undefined for an unknown Program. */
export async function findCounts(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<ProgramCounts | undefined> {
  const row = await findProgramCounts(db, projectId, programId);
  return row && { enrollments: Number(row.enrollmentCount), referrals: Number(row.referralCount) };
}

/** What the rules of a Program give at `now` and from later on, by ascending version. */
export async function listTermsFrom(
  db: Queryable,
  projectId: string,
  programId: string,
  now: Instant,
): Promise<TermsVersion[]> {
  return (await listRowsFrom(db, projectId, programId, now)).map(toTerms);
}

/** Names of a Project's Programs by id, oldest first. */
export async function findProgramNames(
  db: Queryable,
  projectId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await listPrograms(db, projectId);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Oldest first, each with its status by the Project's clock. */
export async function showPrograms(
  { database: { reads }, clock }: Pick<ProgramDeps, 'database' | 'clock'>,
  project: ProjectRef,
): Promise<ListedProgram[]> {
  const [now, rows] = await Promise.all([
    projectNow(reads, clock, project),
    listPrograms(reads, project.id),
  ]);
  return rows.map((row) => toListedProgram(row, now));
}

/** The units of these ids, by id. */
export async function findUnits(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Unit>> {
  if (ids.length === 0) return new Map();
  const units = await listUnitsById(db, projectId, ids);
  return new Map(units.map((unit) => [unit.id, unit]));
}

/** The longest attribution window, in days, of the Programs that are active at `now`; 0 if there are none. */
export async function findLongestWindow(
  db: Queryable,
  projectId: string,
  now: Instant,
): Promise<number> {
  return Math.max(0, ...(await listWindows(db, projectId, now)));
}

export interface Landing {
  /** Target of the Program's links; empty in a draft that has no page yet. */
  readonly landingPageUrl: string;
  /** Whether following one of them counts. */
  readonly isActive: boolean;
}

/** Target of a Program's links at `now`. */
export function landingAt(
  program: Pick<ProgramRow, 'status' | 'createdAt' | 'startDate' | 'endDate'> &
    Pick<Landing, 'landingPageUrl'>,
  now: Instant,
): Landing {
  const { status, createdAt, startDate, endDate, landingPageUrl } = program;
  const intervals = [{ status, startsAt: createdAt, endsAt: null }];
  return { landingPageUrl, isActive: isActiveAt({ intervals, startDate, endDate }, now) };
}

const PROGRAM = `id, project_id as "projectId", key, kind, name, status, start_date as "startDate",
  end_date as "endDate", config, created_at as "createdAt", updated_at as "updatedAt"`;

export const findProgramRow = findRow<ProgramRow, [projectId: string, programId: string]>(
  `select ${PROGRAM} from programs where project_id = $1 and id = $2`,
);

export const findProgramByKey = findRow<ProgramRow, [projectId: string, key: string]>(
  `select ${PROGRAM} from programs where project_id = $1 and key = $2`,
);

export const listProgramKeys = listValues<string, [projectId: string]>(
  'select key from programs where project_id = $1',
);

/** All referrals ever bound: a figure, so that a referral does not write the whole Program again. */
const REFERRALS = `coalesce((select (f.numbers->>'referrals')::bigint from figures f
  where f.project_id = $1 and f.subject = programs.id and f.part = ''), 0)`;

/** Oldest first. */
export const listPrograms = listRows<
  CountedProgramRow,
  [projectId: string]
>(`select ${PROGRAM}, enrollment_count as "enrollmentCount",
       ${REFERRALS} as "referralCount"
     from programs where project_id = $1 order by number`);

/** The Programs whose measures are counted by day, and since when. */
export const listDayStarts = listRows<
  { readonly id: string; readonly daysFrom: string },
  [projectId: string]
>(`select id, days_from as "daysFrom" from programs
     where project_id = $1 and days_from is not null`);

const findProgramCounts = findRow<
  Pick<CountedProgramRow, 'enrollmentCount' | 'referralCount'>,
  [projectId: string, programId: string]
>(`select enrollment_count as "enrollmentCount", ${REFERRALS} as "referralCount"
     from programs where project_id = $1 and id = $2`);

/** Of one Program, or for null of all. */
export const listIntervals = listRows<
  StatusInterval & { readonly programId: string },
  [projectId: string, programId: string | null]
>(`select program_id as "programId", status, starts_at as "startsAt", ends_at as "endsAt"
     from program_intervals
     where project_id = $1 and ($2::text is null or program_id = $2) order by position`);

/** Newest first, of one Program or for null of all. */
export const listPolicies = listRows<
  AttributionPolicy,
  [projectId: string, programId: string | null]
>(`select id, created_at as "createdAt", created_at as "updatedAt", project_id as "projectId",
       program_id as "programId", version, model, window_days as "windowDays",
       binding_trigger as "bindingTrigger", effective_at as "effectiveAt", author
     from attribution_policies
     where project_id = $1 and ($2::text is null or program_id = $2) order by version desc`);

/** Newest first, of one Program or for null of all. */
export const listRiskPolicies = listRows<
  RiskPolicyVersion,
  [projectId: string, programId: string | null]
>(`select id, created_at as "createdAt", created_at as "updatedAt", project_id as "projectId",
       program_id as "programId", version, mode, points, review_at as "reviewAt",
       effective_at as "effectiveAt", author
     from risk_policies
     where project_id = $1 and ($2::text is null or program_id = $2) order by version desc`);

/** 0 if there is none. */
export async function findLastRiskPolicyVersion(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    `select version from risk_policies where project_id = $1 and program_id = $2
     order by version desc limit 1`,
    [projectId, programId],
  );
  return row?.version ?? 0;
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

/** Of one Program, or for null of all. */
export const listDelivery = listRows<
  DeliveryRow,
  [projectId: string, programId: string | null]
>(`select project_id as "projectId", program_id as "programId", hold_days as "holdDays",
       cash_method as "cashMethod", credit_method as "creditMethod",
       discount_method as "discountMethod", custom_method as "customMethod",
       plan_upgrades as "planUpgrades", updated_at as "updatedAt"
     from delivery_settings where project_id = $1 and ($2::text is null or program_id = $2)`);

export async function findDelivery(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await listDelivery(db, projectId, programId);
  return row;
}

const RULE = `id, created_at as "createdAt", updated_at as "updatedAt", project_id as "projectId",
  program_id as "programId", event_type as "eventType", beneficiary_role as "beneficiaryRole",
  purpose, key, name, initial_effective_at as "initialEffectiveAt"`;

export const findRule = findRow<BenefitRule, [projectId: string, ruleId: string]>(
  `select ${RULE} from benefit_rules where project_id = $1 and id = $2`,
);

/** Oldest first, of one Program or for null of all. */
export const listRules = listRows<
  BenefitRule,
  [projectId: string, programId: string | null]
>(`select ${RULE} from benefit_rules
     where project_id = $1 and ($2::text is null or program_id = $2) order by program_id, number`);

const UNIT = 'id, key, name, name_plural as "namePlural"';

export const findUnit = findRow<Unit, [projectId: string, unitId: string]>(
  `select ${UNIT} from units where project_id = $1 and id = $2`,
);

export const listUnitsByKey = listRows<Unit, [projectId: string, keys: readonly string[]]>(
  `select ${UNIT} from units where project_id = $1 and key = any($2::text[])`,
);

const listUnitsById = listRows<Unit, [projectId: string, ids: readonly string[]]>(
  `select ${UNIT} from units where project_id = $1 and id = any($2::text[])`,
);

export const findUnitByKey = findRow<Unit, [projectId: string, key: string]>(
  `select ${UNIT} from units where project_id = $1 and key = $2`,
);

/** Terms as stored: numbers that may be large are text. */
interface TermsRow extends Omit<TermsVersion, 'tiers' | 'milestone'> {
  readonly tiers: TiersText | null;
  readonly milestone: MilestoneText | null;
}

const TERMS = `t.id, t.project_id as "projectId", t.rule_id as "ruleId",
       t.program_id as "programId", t.version, t.beneficiary_role as "beneficiaryRole",
       t.benefit_kind as "benefitKind", t.effective_at as "effectiveAt", t.enabled,
       t.calculation, t.fixed_amount_minor as "fixedAmountMinor", t.currency,
       t.currency_exponent as "currencyExponent", t.rate_bps as "rateBps",
       t.duration_mode as "durationMode", t.duration_months as "durationMonths", t.quantity,
       t.validity_days as "validityDays",
       t.max_rewards_per_beneficiary as "maxRewardsPerBeneficiary",
       t.rounding_policy as "roundingPolicy", t.refund_policy as "refundPolicy", t.author,
       t.change_note as "changeNote", t.published_at as "publishedAt",
       t.conditions, t.tiers, t.milestone,
       case when u.id is null then null else
         jsonb_build_object('id', u.id, 'key', u.key, 'name', u.name,
           'namePlural', u.name_plural) end as unit`;
const UNIT_OF_TERMS = `left join units u
     on u.project_id = t.project_id and u.project_id = $1 and u.id = t.unit_id`;

const listTermsRows = listRows<
  TermsRow,
  [projectId: string, ruleId: string | null]
>(`select ${TERMS} from reward_terms t ${UNIT_OF_TERMS}
     where t.project_id = $1 and ($2::text is null or t.rule_id = $2) order by t.version desc`);

/** Newest first, of one rule or for null of all. */
export async function listTerms(
  db: Queryable,
  projectId: string,
  ruleId: string | null,
): Promise<TermsVersion[]> {
  return (await listTermsRows(db, projectId, ruleId)).map(toTerms);
}

function toTerms<R extends TermsRow>({ tiers, milestone, ...row }: R) {
  return {
    ...row,
    tiers: tiers && readTiers(tiers),
    milestone: milestone && readMilestone(milestone),
  };
}

/** The terms of a rule in effect, with the Events that it is for. */
export type TermsInForce = TermsVersion & Pick<BenefitRule, 'eventType'>;

const listRowsInForce = listRows<
  TermsRow & Pick<BenefitRule, 'eventType'>,
  [projectId: string, programId: string, now: Instant]
>(`select ${TERMS}, r.event_type as "eventType"
     from benefit_rules r cross join lateral (
       select * from reward_terms v
       where v.project_id = $1 and v.rule_id = r.id and v.effective_at <= $3
       order by v.version desc limit 1) as t ${UNIT_OF_TERMS}
     where r.project_id = $1 and r.program_id = $2 and t.enabled order by r.number`);

const listRowsFrom = listRows<TermsRow, [projectId: string, programId: string, now: Instant]>(
  `select ${TERMS}
     from benefit_rules r cross join lateral (
       select * from reward_terms v
       where v.project_id = $1 and v.rule_id = r.id and v.version >= coalesce((
         select e.version from reward_terms e
         where e.project_id = $1 and e.rule_id = r.id and e.effective_at <= $3
         order by e.version desc limit 1), 1)) as t ${UNIT_OF_TERMS}
     where r.project_id = $1 and r.program_id = $2 order by t.version`,
);

/** What the rules of a Program give at `now`; those that are disabled give nothing. Oldest rule first. */
export async function listTermsInForce(
  db: Queryable,
  projectId: string,
  programId: string,
  now: Instant,
): Promise<TermsInForce[]> {
  return (await listRowsInForce(db, projectId, programId, now)).map(toTerms);
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

/** The attribution windows, in days, in force in the Programs that are active at `now`. */
const listWindows = listValues<
  number,
  [projectId: string, now: Instant]
>(`select policy.window_days as "windowDays" from programs p
     cross join lateral (select a.window_days from attribution_policies a
       where a.project_id = $1 and a.program_id = p.id and a.effective_at <= $2::timestamptz
       order by a.version desc limit 1) as policy
     where p.project_id = $1 and p.status = 'active'
       and (p.start_date is null or p.start_date <= $2::timestamptz)
       and (p.end_date is null or p.end_date > $2::timestamptz)`);

export interface ProgramState {
  readonly id: string;
  readonly kind: ProgramKind;
  readonly name: string;
  /** The effective status at the requested time. */
  readonly status: ProgramStatus;
  readonly config: ProgramConfig;
}

/** A Program as presented to other domains. */
export async function findProgram(
  db: Queryable,
  projectId: string,
  programId: string,
  now: Instant,
): Promise<ProgramState | undefined> {
  const row = await findProgramRow(db, projectId, programId);
  if (!row) return undefined;
  const { id, kind, name, config } = row;
  return { id, kind, name, status: effectiveStatus(row, now), config };
}

/** Whether people may be enrolled. A draft accepts them, so that a launch can be prepared. */
export function isOpenForJoining(program: Pick<ProgramState, 'status'>): boolean {
  return program.status === 'draft' || program.status === 'active';
}

/** A referral Program by its id, or for null the oldest active one. */
export async function findReferralProgram(
  db: Queryable,
  projectId: string,
  programId: string | null,
  now: Instant,
): Promise<ProgramState | undefined> {
  if (programId !== null) {
    const program = await findProgram(db, projectId, programId, now);
    return program?.kind === 'referral' ? program : undefined;
  }
  for (const row of await listPrograms(db, projectId)) {
    const { id, kind, name, config, startDate } = row;
    const status = effectiveStatus(row, now);
    const isActive = status === 'active' && (startDate === null || startDate <= now);
    if (kind === 'referral' && isActive) return { id, kind, name, status, config };
  }
  return undefined;
}

/** Whether the service pays out cash that is earned by these terms. */
export function paysOut(
  delivery: Pick<DeliveryRow, 'cashMethod'> | undefined,
  terms: readonly Pick<TermsVersion, 'benefitKind'>[],
): boolean {
  return delivery?.cashMethod === 'payout' && terms.some((one) => one.benefitKind === 'cash');
}
