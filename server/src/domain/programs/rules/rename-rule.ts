import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { ProgramDeps } from '../program-deps.ts';
import { findRule, updateRuleName } from '../store.ts';

/** A name is for people: it does not affect the rule. Fails with NOT_FOUND. */
export function renameRule(
  deps: ProgramDeps,
  request: WriteRequest,
  ruleId: string,
  name: string,
): Promise<{ ruleId: string; name: string }> {
  return deps.writer.run(request, async (write) => {
    const rule = await findRule(write.tx, write.projectId, ruleId);
    if (!rule) throw notFound('benefit rule');
    if (rule.name !== name) {
      updateRuleName(write.changeConfig(), write.projectId, ruleId, { name, at: write.now });
      recordAudit(write, request, {
        action: 'benefit_rule.rename',
        targetType: 'benefit_rule',
        targetId: ruleId,
        changes: { name },
      });
    }
    return { answer: { ruleId, name } };
  });
}
