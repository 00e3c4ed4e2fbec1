import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramFacts } from '../decide-program.ts';
import type { DeliveryChoice } from '../delivery-methods.ts';
import type { PolicyChoice } from '../policies/attribution-policy.ts';
import type { RiskChoice } from '../policies/risk-policy.ts';
import { RISK_SIGNALS } from '../policies/risk-policy.ts';
import type { StatusInterval } from '../program-book.ts';
import { arrangeConfig, type ProgramConfig } from '../program-config.ts';
import type { ProgramKind } from '../program-status.ts';
import type { BenefitRule } from '../schema.ts';
import { API_VERSION, DOCUMENT_KIND, type ProgramDefinition } from './definition-schema.ts';
import { type DefinedTerms, writeTerms } from './terms-file.ts';

/** A rule as a definition says it. */
export interface DefinedRule
  extends Pick<BenefitRule, 'name' | 'eventType' | 'beneficiaryRole' | 'purpose'> {
  readonly key: string;
  /** Null for terms that are not in effect yet. */
  readonly terms: DefinedTerms | null;
}

/** Everything that a definition can say about a Program, complete. */
export interface DefinedProgram {
  readonly key: string;
  readonly kind: ProgramKind;
  readonly name: string;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
  readonly config: ProgramConfig;
  readonly delivery: DeliveryChoice;
  /** Null for loyalty, and while none is in effect. */
  readonly attribution: PolicyChoice | null;
  /** Null for loyalty. */
  readonly risk: RiskChoice | null;
  /** Oldest first. */
  readonly rules: readonly DefinedRule[];
}

/** A published version that takes effect later. */
export interface ScheduledVersion {
  readonly version: number;
  readonly effectiveAt: Instant;
}

export interface RuleInForce extends DefinedRule {
  readonly id: string;
  readonly lastVersion: number;
  readonly scheduled: readonly ScheduledVersion[];
}

/** A Program as it is at a time, with what a change of it depends on. */
export interface ProgramInForce extends DefinedProgram {
  readonly id: string;
  readonly facts: ProgramFacts;
  readonly intervals: readonly StatusInterval[];
  readonly rules: readonly RuleInForce[];
  readonly lastVersions: { readonly attribution: number; readonly risk: number };
  readonly scheduled: {
    readonly attribution: readonly ScheduledVersion[];
    readonly risk: readonly ScheduledVersion[];
  };
}

/** The definition of a Program: applied to the same Program, it changes nothing. */
export function toDefinition(program: DefinedProgram): ProgramDefinition {
  const { schemaVersion: _, widgetConfig, ...config } = arrangeConfig(program.config);
  const { referralLink: __, ...widget } = widgetConfig;
  return {
    apiVersion: API_VERSION,
    kind: DOCUMENT_KIND,
    key: program.key,
    programKind: program.kind,
    name: program.name,
    startDate: program.startDate,
    endDate: program.endDate,
    config: { ...config, widgetConfig: widget },
    deliverySettings: writeDelivery(program.delivery),
    ...(program.attribution ? { attributionPolicy: writeAttribution(program.attribution) } : {}),
    ...(program.risk ? { riskPolicy: writeRisk(program.risk) } : {}),
    rules: Object.fromEntries(
      program.rules.flatMap((rule) =>
        rule.terms ? [[rule.key, writeRule(rule, rule.terms)]] : [],
      ),
    ),
  };
}

export function writeRule(
  { name, eventType, beneficiaryRole, purpose }: DefinedRule,
  terms: DefinedTerms,
) {
  return { name, eventType, beneficiaryRole, purpose, terms: writeTerms(terms) };
}

export function writeDelivery({ planUpgrades, ...delivery }: DeliveryChoice) {
  return {
    holdDays: delivery.holdDays,
    cashMethod: delivery.cashMethod,
    creditMethod: delivery.creditMethod,
    discountMethod: delivery.discountMethod,
    customMethod: delivery.customMethod,
    planUpgrades: planUpgrades.map(({ unitKey, plan, periods }) => ({ unitKey, plan, periods })),
  };
}

export function writeAttribution({ model, windowDays, bindingTrigger }: PolicyChoice) {
  return { model, windowDays, bindingTrigger };
}

export function writeRisk({ mode, reviewAt, points }: RiskChoice) {
  const pairs = RISK_SIGNALS.map((signal) => [signal, points[signal]] as const);
  return {
    mode,
    reviewAt,
    points: Object.fromEntries(pairs) as { [S in (typeof RISK_SIGNALS)[number]]: number },
  };
}

/** Versions that take effect later, with their place in a definition. */
export function listScheduled({ rules, scheduled }: ProgramInForce) {
  const at = (path: string, versions: readonly ScheduledVersion[]) =>
    versions.map((version) => ({ path, ...version }));
  return [
    ...at('attributionPolicy', scheduled.attribution),
    ...at('riskPolicy', scheduled.risk),
    ...rules.flatMap((rule) => at(`rules.${rule.key}.terms`, rule.scheduled)),
  ];
}
