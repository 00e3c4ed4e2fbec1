import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { DEFAULT_RISK_POLICY } from '../policies/risk-policy.ts';
import type { TermsVersion } from '../program-book.ts';
import { arrangeConfig } from '../program-config.ts';
import {
  findDelivery,
  findProgramRow,
  listIntervals,
  listPolicies,
  listRiskPolicies,
  listRules,
  listTermsFrom,
} from '../queries.ts';
import type { BenefitRule } from '../schema.ts';
import type { ProgramInForce, RuleInForce } from './defined-program.ts';
import { scheduledOf } from './scheduled-versions.ts';
import type { DefinedTerms } from './terms-file.ts';

/** A Program as it is at `now`; undefined if the Project has none with this id. */
export async function loadInForce(
  db: Queryable,
  projectId: string,
  programId: string,
  now: Instant,
): Promise<ProgramInForce | undefined> {
  const [row, delivery, intervals, policies, riskPolicies, rules, terms] = await Promise.all([
    findProgramRow(db, projectId, programId),
    findDelivery(db, projectId, programId),
    listIntervals(db, projectId, programId),
    listPolicies(db, projectId, programId),
    listRiskPolicies(db, projectId, programId),
    listRules(db, projectId, programId),
    listTermsFrom(db, projectId, programId, now),
  ]);
  if (!row || !delivery) return undefined;
  const { id, key, kind, name, status, startDate, endDate } = row;
  const config = arrangeConfig(row.config);
  // Newest first.
  const inEffect = <V extends { readonly effectiveAt: Instant }>(versions: readonly V[]) =>
    versions.find((version) => version.effectiveAt <= now) ?? null;
  const { projectId: _, programId: __, updatedAt: ___, ...choice } = delivery;
  const isLoyalty = kind === 'loyalty';
  return {
    id,
    key,
    kind,
    name,
    startDate,
    endDate,
    config,
    facts: { kind, name, status, startDate, endDate, config },
    intervals,
    delivery: choice,
    attribution: inEffect(policies),
    risk: isLoyalty ? null : (inEffect(riskPolicies) ?? DEFAULT_RISK_POLICY),
    rules: rules.map((rule) =>
      toRule(
        rule,
        terms.filter(({ ruleId }) => ruleId === rule.id),
        now,
      ),
    ),
    lastVersions: {
      attribution: policies[0]?.version ?? 0,
      risk: riskPolicies[0]?.version ?? 0,
    },
    scheduled: {
      attribution: scheduledOf(policies, now),
      risk: scheduledOf(riskPolicies, now),
    },
  };
}

/** `versions` begin with the one in effect, if there is one. */
function toRule(rule: BenefitRule, versions: readonly TermsVersion[], now: Instant): RuleInForce {
  const { id, key, name, eventType, beneficiaryRole, purpose } = rule;
  const [first] = versions;
  return {
    id,
    key,
    name,
    eventType,
    beneficiaryRole,
    purpose,
    terms: first && first.effectiveAt <= now ? toTerms(first) : null,
    lastVersion: versions.at(-1)?.version ?? 0,
    scheduled: scheduledOf(versions, now),
  };
}

function toTerms(version: TermsVersion): DefinedTerms {
  const { unit } = version;
  return {
    benefitKind: version.benefitKind,
    calculation: version.calculation,
    fixedAmountMinor: version.fixedAmountMinor,
    currency: version.currency,
    currencyExponent: version.currencyExponent,
    rateBps: version.rateBps,
    durationMode: version.durationMode,
    durationMonths: version.durationMonths,
    quantity: version.quantity,
    validityDays: version.validityDays,
    maxRewardsPerBeneficiary: version.maxRewardsPerBeneficiary,
    conditions: version.conditions,
    tiers: version.tiers,
    milestone: version.milestone,
    roundingPolicy: version.roundingPolicy,
    refundPolicy: version.refundPolicy,
    enabled: version.enabled,
    unit: unit && { key: unit.key, name: unit.name, namePlural: unit.namePlural },
  };
}
