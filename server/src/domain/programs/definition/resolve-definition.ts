import { canonicalJson } from '../../../platform/kit/canonical-json.ts';
import { AppError, type Issue } from '../../../platform/kit/errors.ts';
import { decideChange, decideNew, type ProgramFacts } from '../decide-program.ts';
import {
  DEFAULT_DELIVERY,
  type DeliveryChoice,
  findDeliveryIssues,
  mergeDelivery,
  methodOptions,
} from '../delivery-methods.ts';
import { DEFAULT_POLICY, type PolicyChoice } from '../policies/attribution-policy.ts';
import {
  DEFAULT_POINTS,
  DEFAULT_RISK_POLICY,
  RISK_SIGNALS,
  type RiskChoice,
} from '../policies/risk-policy.ts';
import { DEFAULT_CONFIG, mergeConfig } from '../program-config.ts';
import type { ProgramKind, ProgramStatus } from '../program-status.ts';
import { type Circumstances, refuseScheduled } from './circumstances.ts';
import {
  type DefinedProgram,
  type ProgramInForce,
  writeAttribution,
  writeRisk,
} from './defined-program.ts';
import type { ProgramDefinition } from './definition-schema.ts';
import { resolveRules } from './resolve-rules.ts';

export interface Resolved {
  readonly program: DefinedProgram;
  /** Its status afterwards: another end date may end it, or reopen it. */
  readonly status: ProgramStatus;
  /** If there are any, ignore the Program. */
  readonly issues: readonly Issue[];
}

/**
 * The Program that a definition leads to: `inForce` with what it says, or a new one for null. Fails with CONFLICT
 * invalid_transition for other dates of a Program that is over.
 */
export function resolveDefinition(
  definition: ProgramDefinition,
  inForce: ProgramInForce | null,
  circumstances: Circumstances,
): Resolved {
  const issues: Issue[] = [];
  const kind = inForce?.kind ?? definition.programKind ?? 'referral';
  checkIdentity(definition, inForce, issues);
  const facts = resolveFacts(definition, inForce, circumstances, issues);
  const delivery = resolveDelivery(definition, inForce, circumstances, issues);
  const attribution = resolveAttribution(definition, inForce, kind, issues);
  const risk = resolveRisk(definition, inForce, kind, issues);
  const rules = resolveRules(definition, inForce, { ...circumstances, kind }, issues);
  return {
    program: {
      key: inForce?.key ?? definition.key ?? '',
      kind,
      name: facts.name,
      startDate: facts.startDate,
      endDate: facts.endDate,
      config: facts.config,
      delivery,
      attribution,
      risk,
      rules,
    },
    status: facts.status,
    issues,
  };
}

function checkIdentity(
  { key, programKind, name }: ProgramDefinition,
  inForce: ProgramInForce | null,
  issues: Issue[],
): void {
  if (!inForce) {
    const missing = { key, programKind, name };
    for (const [path, value] of Object.entries(missing)) {
      if (value === undefined) issues.push({ path, issue: 'is required for a new program' });
    }
    return;
  }
  if (key !== undefined && key !== inForce.key) {
    issues.push({
      path: 'key',
      issue: `must be ${inForce.key}: the key of a program never changes`,
    });
  }
  if (programKind !== undefined && programKind !== inForce.kind) {
    const issue = `must be ${inForce.kind}: the kind of a program never changes`;
    issues.push({ path: 'programKind', issue });
  }
}

function resolveFacts(
  { name, startDate, endDate, config, programKind }: ProgramDefinition,
  inForce: ProgramInForce | null,
  { now, environment }: Circumstances,
  issues: Issue[],
): ProgramFacts {
  const nothing: ProgramFacts = inForce?.facts ?? {
    kind: programKind ?? 'referral',
    name: name ?? '',
    status: 'draft',
    startDate: null,
    endDate: null,
    config: DEFAULT_CONFIG,
  };
  try {
    if (!inForce) {
      const change = { name: nothing.name, startDate, endDate, config };
      return decideNew(nothing.kind, change, environment, DEFAULT_CONFIG);
    }
    const { facts, intervals } = inForce;
    // What is in force was accepted once: only what differs is judged.
    const isSame = canonicalJson(mergeConfig(facts.config, config)) === canonicalJson(facts.config);
    const change = { name, startDate, endDate, config: isSame ? undefined : config };
    const { program } = decideChange(facts, change, { now, environment, intervals });
    const isMoved = program.endDate !== facts.endDate && program.endDate !== null;
    if (isMoved && program.endDate <= now && facts.status !== 'draft') {
      issues.push({
        path: 'endDate',
        issue: 'must not be in the past: end the program by its status',
      });
    }
    return program;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_REQUEST') throw error;
    issues.push(...(error.details ?? []));
    return nothing;
  }
}

function resolveDelivery(
  { deliverySettings: change }: ProgramDefinition,
  inForce: ProgramInForce | null,
  { connected }: Circumstances,
  issues: Issue[],
): DeliveryChoice {
  const current = inForce?.delivery ?? DEFAULT_DELIVERY;
  if (!change) return current;
  const found = findDeliveryIssues(current, change, methodOptions(connected));
  issues.push(...found.map(({ path, issue }) => ({ path: `deliverySettings.${path}`, issue })));
  return mergeDelivery(current, change);
}

function resolveAttribution(
  { attributionPolicy: asked }: ProgramDefinition,
  inForce: ProgramInForce | null,
  kind: ProgramKind,
  issues: Issue[],
): PolicyChoice | null {
  if (kind === 'loyalty') {
    if (asked) issues.push({ path: 'attributionPolicy', issue: NOT_FOR_LOYALTY });
    return null;
  }
  const current = inForce ? inForce.attribution : DEFAULT_POLICY;
  if (!asked) return current;
  const base = current ?? DEFAULT_POLICY;
  const policy = {
    model: pick(asked.model, base.model, DEFAULT_POLICY.model),
    windowDays: pick(asked.windowDays, base.windowDays, DEFAULT_POLICY.windowDays),
    bindingTrigger: pick(asked.bindingTrigger, base.bindingTrigger, DEFAULT_POLICY.bindingTrigger),
  };
  const isSame =
    current && canonicalJson(writeAttribution(policy)) === canonicalJson(writeAttribution(current));
  if (isSame) return current;
  refuseScheduled(inForce?.scheduled.attribution, 'attributionPolicy', issues);
  return policy;
}

function resolveRisk(
  { riskPolicy: asked }: ProgramDefinition,
  inForce: ProgramInForce | null,
  kind: ProgramKind,
  issues: Issue[],
): RiskChoice | null {
  if (kind === 'loyalty') {
    if (asked) issues.push({ path: 'riskPolicy', issue: NOT_FOR_LOYALTY });
    return null;
  }
  const current = inForce?.risk ?? DEFAULT_RISK_POLICY;
  if (!asked) return current;
  const points = RISK_SIGNALS.map((signal) => [
    signal,
    asked.points === null
      ? DEFAULT_POINTS[signal]
      : pick(asked.points?.[signal], current.points[signal], DEFAULT_POINTS[signal]),
  ]);
  const policy: RiskChoice = {
    mode: pick(asked.mode, current.mode, DEFAULT_RISK_POLICY.mode),
    points: Object.fromEntries(points) as RiskChoice['points'],
    reviewAt: pick(asked.reviewAt, current.reviewAt, DEFAULT_RISK_POLICY.reviewAt),
  };
  if (canonicalJson(writeRisk(policy)) === canonicalJson(writeRisk(current))) return current;
  refuseScheduled(inForce?.scheduled.risk, 'riskPolicy', issues);
  return policy;
}

const NOT_FOR_LOYALTY = 'is not allowed in a loyalty program, which has no referrals';

/** Left out keeps, null restores the default. */
function pick<T>(asked: T | null | undefined, current: T, fallback: T): T {
  if (asked === undefined) return current;
  return asked ?? fallback;
}
