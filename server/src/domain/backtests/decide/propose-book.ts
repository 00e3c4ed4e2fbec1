import type { Instant } from '../../../platform/kit/instant.ts';
import { DEFAULT_POLICY, type PolicyChoice } from '../../programs/policies/attribution-policy.ts';
import { DEFAULT_RISK_POLICY, type RiskChoice } from '../../programs/policies/risk-policy.ts';
import {
  type BookedProgram,
  type BookedRule,
  type ProgramBook,
  type TermsVersion,
  type Unit,
  versionAt,
} from '../../programs/program-book.ts';
import type { Terms } from '../../programs/rules/decide-terms.ts';
import { firstDay, needsDays } from '../../programs/rules/window-days.ts';

/** A rule with the terms that it would have had. */
export interface ProposedRule
  extends Pick<BookedRule, 'id' | 'key' | 'name' | 'eventType' | 'beneficiaryRole' | 'purpose'> {
  readonly terms: Omit<Terms, 'effectiveAt' | 'changeNote'> & { readonly unit: Unit | null };
}

/** What would have been in force; null for what stays as it was. */
export interface Proposal {
  readonly attribution: PolicyChoice | null;
  readonly risk: RiskChoice | null;
  readonly rules: readonly ProposedRule[];
}

interface Time {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * The book as if a proposal had been published at `from`, and what was in force at `to` published again then. Everything
 * before and after is as it was.
 */
export function proposeBook(
  book: ProgramBook,
  programId: string,
  proposal: Proposal,
  time: Time,
): ProgramBook {
  const program = book.programs.get(programId);
  if (!program) return book;
  const proposed = proposeProgram(program, proposal, time);
  // In the same place: Programs are judged in their order.
  return {
    programs: new Map(
      [...book.programs].map(([id, one]) => [id, id === programId ? proposed : one]),
    ),
  };
}

function proposeProgram(
  program: BookedProgram,
  { attribution, risk, rules: asked }: Proposal,
  time: Time,
): BookedProgram {
  const changes = new Map(asked.map((rule) => [rule.id, rule]));
  const rules = program.rules.map((rule) => {
    const change = changes.get(rule.id);
    changes.delete(rule.id);
    if (!change) return rule;
    const version = toVersion(rule, change, time);
    return { ...rule, terms: replace(rule.terms, version, time, { ...version, enabled: false }) };
  });
  const added = [...changes.values()].map((rule) => addRule(program, rule, time));
  const needs = asked.some(({ terms }) => needsDays(terms));
  return {
    ...program,
    policies: attribution ? replacePolicy(program, attribution, time) : program.policies,
    riskPolicies: risk ? replaceRisk(program, risk, time) : program.riskPolicies,
    rules: [...rules, ...added],
    daysFrom: program.daysFrom ?? (needs ? firstDay(time.from) : null),
  };
}

function replacePolicy(program: BookedProgram, choice: PolicyChoice, time: Time) {
  const version = { ...common(program, 'pol', time), ...choice };
  return replace(program.policies, version, time, { ...version, ...DEFAULT_POLICY });
}

function replaceRisk(program: BookedProgram, choice: RiskChoice, time: Time) {
  const version = { ...common(program, 'rkp', time), ...choice };
  return replace(program.riskPolicies, version, time, { ...version, ...DEFAULT_RISK_POLICY });
}

/** The versions with a proposed one in place of those in effect during a time. `none` is in effect if there was none. */
function replace<V extends { readonly effectiveAt: Instant }>(
  versions: readonly V[],
  proposed: V,
  { from, to }: Time,
  none: V,
): V[] {
  const after = versionAt(versions, to) ?? none;
  return [
    ...versions.filter(({ effectiveAt }) => effectiveAt < from),
    proposed,
    { ...after, effectiveAt: to },
    ...versions.filter(({ effectiveAt }) => effectiveAt > to),
  ];
}

function toVersion(
  rule: Pick<BookedRule, 'id' | 'programId' | 'projectId' | 'beneficiaryRole'>,
  { terms }: ProposedRule,
  { from }: Time,
): TermsVersion {
  return {
    ...terms,
    id: `trm_proposed_${rule.id}`,
    projectId: rule.projectId,
    ruleId: rule.id,
    programId: rule.programId,
    version: 0,
    beneficiaryRole: rule.beneficiaryRole,
    effectiveAt: from,
    changeNote: null,
    author: '',
    publishedAt: from,
  };
}

/** A rule that ends with the time. */
function addRule(
  { id: programId, rules: [first] }: BookedProgram,
  rule: ProposedRule,
  time: Time,
): BookedRule {
  const { terms: _, ...fields } = rule;
  const booked = {
    ...fields,
    projectId: first?.projectId ?? '',
    programId,
    initialEffectiveAt: time.from,
    createdAt: time.from,
    updatedAt: time.from,
  };
  const version = toVersion(booked, rule, time);
  return { ...booked, terms: [version, { ...version, enabled: false, effectiveAt: time.to }] };
}

function common({ id: programId }: BookedProgram, prefix: string, { from }: Time) {
  return {
    id: `${prefix}_proposed`,
    createdAt: from,
    updatedAt: from,
    projectId: '',
    programId,
    version: 0,
    effectiveAt: from,
    author: '',
  };
}
