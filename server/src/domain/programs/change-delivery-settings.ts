import { recordAudit } from '../../accounts/workspaces/audit/record-audit.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { canonicalJson } from '../../platform/kit/canonical-json.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { findDeliveryIssues, mergeDelivery, methodOptions } from './delivery-methods.ts';
import { toDeliverySettings } from './present.ts';
import type { ProgramDeps } from './program-deps.ts';
import { refuseInvalid } from './refuse-invalid.ts';
import type { ChangeDeliverySettings, DeliverySettings } from './schema.ts';
import { type DeliveryRow, findDelivery, upsertDelivery } from './store.ts';

/**
 * Applies to Rewards earned from now on; a call that changes nothing writes nothing. Fails with
 * NOT_FOUND or INVALID_REQUEST.
 */
export async function changeDeliverySettings(
  deps: ProgramDeps,
  request: WriteRequest,
  programId: string,
  input: ChangeDeliverySettings,
): Promise<DeliverySettings> {
  const connected = await deps.findConnected(request.projectId);
  return deps.writer.run(request, async (write) => {
    const current = await findDelivery(write.tx, write.projectId, programId);
    if (!current) throw notFound('program');
    refuseInvalid(findDeliveryIssues(current, input, methodOptions(connected)));
    const choice = mergeDelivery(current, input);
    const isSame = canonicalJson(choice) === canonicalJson(mergeDelivery(current, {}));
    if (isSame) return { answer: toDeliverySettings(current, connected) };
    const settings: DeliveryRow = { ...current, ...choice, updatedAt: write.now };
    upsertDelivery(write.changeConfig(), settings);
    recordAudit(write, request, {
      action: 'delivery_settings.change',
      targetType: 'program',
      targetId: programId,
      changes: { ...choice },
    });
    return { answer: toDeliverySettings(settings, connected) };
  });
}
