import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict, type Issue, notFound } from '../../../platform/kit/errors.ts';
import { authorOf, type ProgramDeps } from '../program-deps.ts';
import { findLastPolicyVersion, findProgram } from '../queries.ts';
import { refuseInvalid } from '../refuse-invalid.ts';
import { assertTakesVersions, decideEffectiveAt } from '../rules/versions.ts';
import type { AttributionPolicy, PublishPolicy } from '../schema.ts';
import { insertPolicy } from '../store.ts';
import { DEFAULT_POLICY } from './attribution-policy.ts';

export const VERSIONS_MAX = 500;

/** Fails with NOT_FOUND, INVALID_REQUEST, or CONFLICT program_not_open or limit_reached. */
export function publishPolicy(
  deps: ProgramDeps,
  request: WriteRequest,
  programId: string,
  input: PublishPolicy,
): Promise<AttributionPolicy> {
  return deps.writer.run(request, async (write) => {
    const { tx, now, projectId } = write;
    const program = await findProgram(tx, projectId, programId, now);
    if (!program) throw notFound('program');
    const issues: Issue[] = [];
    if (program.kind === 'loyalty') {
      issues.push({ path: 'programId', issue: 'is a loyalty program, which has no attribution' });
    }
    const effectiveAt = decideEffectiveAt(input.effectiveAt, now, 'effectiveAt', issues);
    refuseInvalid(issues);
    assertTakesVersions(program);
    const version = (await findLastPolicyVersion(tx, projectId, programId)) + 1;
    if (version > VERSIONS_MAX) {
      throw conflict('limit_reached', `A program has at most ${VERSIONS_MAX} policy versions.`);
    }
    const policy: AttributionPolicy = {
      id: write.newId('pol'),
      createdAt: now,
      updatedAt: now,
      projectId,
      programId,
      version,
      model: input.model ?? DEFAULT_POLICY.model,
      windowDays: input.windowDays ?? DEFAULT_POLICY.windowDays,
      bindingTrigger: input.bindingTrigger ?? DEFAULT_POLICY.bindingTrigger,
      effectiveAt,
      author: authorOf(request.actor),
    };
    insertPolicy(write.changeConfig(), policy);
    const { model, windowDays, bindingTrigger } = policy;
    recordAudit(write, request, {
      action: 'attribution_policy.publish',
      targetType: 'attribution_policy',
      targetId: policy.id,
      changes: { programId, version, model, windowDays, bindingTrigger, effectiveAt },
    });
    return { answer: policy };
  });
}
