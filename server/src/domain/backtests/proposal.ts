import type { Queryable } from '../../platform/db/driver.ts';
import type { Issue } from '../../platform/kit/errors.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { ProgramInForce } from '../programs/definition/defined-program.ts';
import type {
  DefinitionTerms,
  ProgramDefinition,
} from '../programs/definition/definition-schema.ts';
import { resolveDefinition } from '../programs/definition/resolve-definition.ts';
import { askTerms, type UnitNames, writeTerms } from '../programs/definition/terms-file.ts';
import type { PolicyChoice } from '../programs/policies/attribution-policy.ts';
import type { RiskChoice } from '../programs/policies/risk-policy.ts';
import type { Unit } from '../programs/program-book.ts';
import { listUnitsByKey } from '../programs/queries.ts';
import { decideTerms } from '../programs/rules/decide-terms.ts';
import type { Proposal, ProposedRule } from './decide/propose-book.ts';

/** A proposal as it is stored: terms as a definition writes them. */
export interface StoredProposal {
  readonly attribution: PolicyChoice | null;
  readonly risk: RiskChoice | null;
  readonly rules: readonly (Omit<ProposedRule, 'terms'> & { readonly terms: DefinitionTerms })[];
}

interface Asked {
  readonly definition: ProgramDefinition;
  readonly prune: boolean;
  readonly inForce: ProgramInForce;
  readonly units: ReadonlyMap<string, UnitNames>;
  readonly now: Instant;
}

/**
 * The parts of a definition that decide about Rewards, complete: what it leaves out is as in force now. Dates, the
 * configuration and delivery decide nothing here. The result has issues if it could not be published.
 */
export function toProposal({ definition, inForce, ...setting }: Asked): {
  readonly proposal: StoredProposal;
  readonly issues: readonly Issue[];
} {
  const {
    startDate: _,
    endDate: __,
    config: ___,
    deliverySettings: ____,
    ...deciding
  } = definition;
  // Nothing is published, so versions that are scheduled are not in its way.
  const unscheduled: ProgramInForce = {
    ...inForce,
    scheduled: { attribution: [], risk: [] },
    rules: inForce.rules.map((rule) => ({ ...rule, scheduled: [] })),
  };
  const { program, issues } = resolveDefinition(deciding, unscheduled, {
    ...setting,
    environment: 'live',
    connected: [],
  });
  const idOf = new Map(inForce.rules.map(({ key, id }) => [key, id]));
  const { attribution, risk } = program;
  return {
    issues,
    proposal: {
      attribution: attribution && {
        model: attribution.model,
        windowDays: attribution.windowDays,
        bindingTrigger: attribution.bindingTrigger,
      },
      risk: risk && { mode: risk.mode, points: risk.points, reviewAt: risk.reviewAt },
      rules: program.rules.flatMap(({ key, name, eventType, beneficiaryRole, purpose, terms }) =>
        terms
          ? [
              {
                id: idOf.get(key) ?? newRuleId(key),
                key,
                name,
                eventType,
                beneficiaryRole,
                purpose,
                terms: writeTerms(terms),
              },
            ]
          : [],
      ),
    },
  };
}

/** Of a rule that the Program does not have. */
function newRuleId(key: string): string {
  return `new:${key}`;
}

/** The proposal with its units: a new unit is named by its key. */
export async function readProposal(
  db: Queryable,
  projectId: string,
  { attribution, risk, rules }: StoredProposal,
  now: Instant,
): Promise<Proposal> {
  const keys = rules.flatMap(({ terms }) => terms.unit?.key ?? []);
  const units = keys.length === 0 ? [] : await listUnitsByKey(db, projectId, keys);
  const known = new Map(units.map((unit) => [unit.key, unit]));
  return {
    attribution,
    risk,
    rules: rules.map(({ terms: written, ...rule }): ProposedRule => {
      const issues: Issue[] = [];
      const terms = decideTerms(askTerms(written), rule, now, issues);
      if (issues.length > 0) throw new Error(`The terms of ${rule.key} cannot be read again.`);
      const named = written.unit ?? null;
      const unit: Unit | null =
        named && (known.get(named.key) ?? { ...named, id: `new:${named.key}` });
      return { ...rule, terms: { ...terms, unit } };
    }),
  };
}
