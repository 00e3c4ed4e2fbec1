import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict, type Issue, notFound } from '../../../platform/kit/errors.ts';
import { authorOf, type ProgramDeps } from '../program-deps.ts';
import { findLastPolicyVersion, findLastRiskPolicyVersion, findProgram } from '../queries.ts';
import { refuseInvalid } from '../refuse-invalid.ts';
import { assertSeen, assertTakesVersions, decideEffectiveAt } from '../rules/versions.ts';
import type { AttributionPolicy, PublishPolicy } from '../schema.ts';
import { insertPolicy, insertRiskPolicy } from '../store.ts';
import { DEFAULT_POLICY } from './attribution-policy.ts';
import { type AskedRisk, chooseRisk, type RiskPolicyVersion } from './risk-policy.ts';

export const VERSIONS_MAX = 500;

/** Fails with NOT_FOUND, INVALID_REQUEST, or CONFLICT program_not_open, version_outdated or limit_reached. */
export function publishPolicy(
  deps: ProgramDeps,
  request: WriteRequest,
  programId: string,
  input: PublishPolicy,
): Promise<AttributionPolicy> {
  return deps.writer.run(request, async (write) => ({
    answer: await savePolicy(write, request, programId, input),
  }));
}

/** Fails as `publishPolicy` does. */
export async function savePolicy(
  write: ProjectWrite,
  request: WriteRequest,
  programId: string,
  input: PublishPolicy,
): Promise<AttributionPolicy> {
  const policy: AttributionPolicy = {
    id: write.newId('pol'),
    ...(await startVersion(write, request, {
      programId,
      effectiveAt: input.effectiveAt,
      afterVersion: input.afterVersion,
      findLast: findLastPolicyVersion,
    })),
    model: input.model ?? DEFAULT_POLICY.model,
    windowDays: input.windowDays ?? DEFAULT_POLICY.windowDays,
    bindingTrigger: input.bindingTrigger ?? DEFAULT_POLICY.bindingTrigger,
  };
  insertPolicy(write.changeConfig(), policy);
  const { version, model, windowDays, bindingTrigger, effectiveAt } = policy;
  recordAudit(write, request, {
    action: 'attribution_policy.publish',
    targetType: 'attribution_policy',
    targetId: policy.id,
    changes: { programId, version, model, windowDays, bindingTrigger, effectiveAt },
  });
  return policy;
}

/** Fails as `publishPolicy` does. */
export function publishRiskPolicy(
  { writer }: Pick<ProgramDeps, 'writer'>,
  request: WriteRequest,
  programId: string,
  input: AskedRisk & Pick<PublishPolicy, 'effectiveAt' | 'afterVersion'>,
): Promise<RiskPolicyVersion> {
  return writer.run(request, async (write) => ({
    answer: await saveRiskPolicy(write, request, programId, input),
  }));
}

/** Fails as `publishPolicy` does. */
export async function saveRiskPolicy(
  write: ProjectWrite,
  request: WriteRequest,
  programId: string,
  input: AskedRisk & Pick<PublishPolicy, 'effectiveAt' | 'afterVersion'>,
): Promise<RiskPolicyVersion> {
  const policy: RiskPolicyVersion = {
    id: write.newId('rkp'),
    ...(await startVersion(write, request, {
      programId,
      effectiveAt: input.effectiveAt,
      afterVersion: input.afterVersion,
      findLast: findLastRiskPolicyVersion,
    })),
    ...chooseRisk(input),
  };
  insertRiskPolicy(write.changeConfig(), policy);
  const { version, mode, points, reviewAt, effectiveAt } = policy;
  recordAudit(write, request, {
    action: 'risk_policy.publish',
    targetType: 'risk_policy',
    targetId: policy.id,
    changes: { programId, version, mode, points, reviewAt, effectiveAt },
  });
  return policy;
}

interface AskedVersion {
  readonly programId: string;
  readonly effectiveAt: string | null | undefined;
  readonly afterVersion: number | null | undefined;
  readonly findLast: typeof findLastPolicyVersion;
}

/** What all versions of a referral Program's policies have. */
async function startVersion(
  { tx, now, projectId }: ProjectWrite,
  { actor }: WriteRequest,
  { programId, effectiveAt: asked, afterVersion, findLast }: AskedVersion,
) {
  const program = await findProgram(tx, projectId, programId, now);
  if (!program) throw notFound('program');
  const issues: Issue[] = [];
  if (program.kind === 'loyalty') {
    issues.push({ path: 'programId', issue: 'is a loyalty program, which has no referrals' });
  }
  const effectiveAt = decideEffectiveAt(asked, now, 'effectiveAt', issues);
  refuseInvalid(issues);
  assertTakesVersions(program);
  const newest = await findLast(tx, projectId, programId);
  assertSeen(newest, afterVersion);
  const version = newest + 1;
  if (version > VERSIONS_MAX) {
    throw conflict('limit_reached', `A program has at most ${VERSIONS_MAX} policy versions.`);
  }
  return {
    createdAt: now,
    updatedAt: now,
    projectId,
    programId,
    version,
    effectiveAt,
    author: authorOf(actor),
  };
}
