import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict, type Issue, notFound } from '../../../platform/kit/errors.ts';
import { toRewardTerms } from '../present.ts';
import type { Unit } from '../program-book.ts';
import { authorOf, type ProgramDeps } from '../program-deps.ts';
import {
  findLastTermsVersion,
  findProgram,
  findRule,
  findUnit,
  findUnitByKey,
} from '../queries.ts';
import { refuseInvalid } from '../refuse-invalid.ts';
import type { BenefitRule, PublishTerms, RewardTerms, TermsIn } from '../schema.ts';
import { insertTerms, insertUnit } from '../store.ts';
import { decideTerms, type Terms } from './decide-terms.ts';
import { assertSeen, assertTakesVersions } from './versions.ts';
import { firstDay, needsDays } from './window-days.ts';

export const VERSIONS_MAX = 500;

/**
 * Publishes the next version of a rule's terms. Fails with NOT_FOUND (the rule, or a unit),
 * INVALID_REQUEST, or CONFLICT program_not_open, version_outdated, limit_reached or unit_mismatch.
 */
export function publishTerms(
  deps: ProgramDeps,
  request: WriteRequest,
  ruleId: string,
  { terms: input, afterVersion }: PublishTerms,
): Promise<RewardTerms> {
  return deps.writer.run(request, async (write) => {
    const { tx, now, projectId } = write;
    const rule = await findRule(tx, projectId, ruleId);
    const program = rule && (await findProgram(tx, projectId, rule.programId, now));
    if (!rule || !program) throw notFound('benefit rule');
    const issues: Issue[] = [];
    const terms = decideTerms(input, rule, now, issues);
    refuseInvalid(issues);
    const unit = await findNamedUnit(write, input);
    assertTakesVersions(program);
    const newest = await findLastTermsVersion(tx, projectId, ruleId);
    assertSeen(newest, afterVersion);
    const version = newest + 1;
    if (version > VERSIONS_MAX) {
      throw conflict('limit_reached', `A rule has at most ${VERSIONS_MAX} versions of its terms.`);
    }
    return { answer: saveTerms(deps, write, request, { rule, version, terms, unit }) };
  });
}

interface NewTerms {
  readonly rule: BenefitRule;
  readonly version: number;
  readonly terms: Terms;
  readonly unit: NamedUnit | null;
}

/** Also saves the unit if it is new, and begins to count the days of windows if they are needed. */
export function saveTerms(
  deps: Pick<ProgramDeps, 'countDays'>,
  write: ProjectWrite,
  request: WriteRequest,
  { rule, version, terms, unit: named }: NewTerms,
): RewardTerms {
  const configTx = write.changeConfig();
  if (named?.isNew) insertUnit(configTx, write.projectId, named.unit, write.now);
  const published = {
    ...terms,
    unit: named?.unit ?? null,
    id: write.newId('trm'),
    projectId: write.projectId,
    ruleId: rule.id,
    programId: rule.programId,
    beneficiaryRole: rule.beneficiaryRole,
    version,
    author: authorOf(request.actor),
    publishedAt: write.now,
  };
  insertTerms(configTx, published);
  if (needsDays(terms)) {
    deps.countDays(configTx, write.projectId, rule.programId, firstDay(write.now));
  }
  const answer = toRewardTerms(published);
  recordAudit(write, request, {
    action: 'reward_terms.publish',
    targetType: 'reward_terms',
    targetId: answer.id,
    changes: answer,
  });
  return answer;
}

export interface NamedUnit {
  readonly unit: Unit;
  /** Not saved yet: the caller saves it after the last check that can refuse. */
  readonly isNew: boolean;
}

/**
 * The unit that terms name, or a new one if the Project has none with that key; null if they name
 * none. Fails with NOT_FOUND for an unknown id, CONFLICT unit_mismatch for different names: people
 * were promised the existing ones.
 */
export async function findNamedUnit(
  write: ProjectWrite,
  { customUnitId, unit: named }: Pick<TermsIn, 'customUnitId' | 'unit'>,
): Promise<NamedUnit | null> {
  const { tx, projectId } = write;
  if (customUnitId) {
    const unit = await findUnit(tx, projectId, customUnitId);
    if (!unit) throw notFound('unit');
    return { unit, isNew: false };
  }
  if (!named) return null;
  const known = await findUnitByKey(tx, projectId, named.key);
  if (!known) return { unit: { ...named, id: write.newId('unit') }, isNew: true };
  if (known.name !== named.name || known.namePlural !== named.namePlural) {
    throw conflict(
      'unit_mismatch',
      `The unit ${known.key} is called ${known.name} (${known.namePlural}) in this project.`,
    );
  }
  return { unit: known, isNew: false };
}
