import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { assertWorkspace } from '../../../accounts/workspaces/queries.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import { invalid } from '../../../platform/kit/errors.ts';
import { type PayoutDeps, realNow } from '../payout-deps.ts';
import type { ChangeSettings, PayoutSettings } from '../schema.ts';
import { findSettings, upsertSettings } from './batch-store.ts';

/** Fails with NOT_FOUND. */
export async function getSettings(deps: PayoutDeps, workspaceId: string): Promise<PayoutSettings> {
  const { reads } = deps.database;
  await assertWorkspace(reads, workspaceId);
  return { workspaceId, ...(await findSettings(reads, workspaceId)) };
}

/** Replaces all minimums; null removes them. Fails with NOT_FOUND or INVALID_REQUEST. */
export async function changeSettings(
  deps: PayoutDeps,
  request: WriteRequest,
  workspaceId: string,
  input: ChangeSettings,
): Promise<PayoutSettings> {
  const now = realNow(deps);
  await deps.database.transaction(async (tx) => {
    await assertWorkspace(tx, workspaceId);
    if (input.minimums === undefined && input.requireSecondApprover === undefined) return;
    const minimums = input.minimums === undefined ? null : byCode(input.minimums ?? {});
    const requireSecondApprover =
      input.requireSecondApprover === undefined ? null : (input.requireSecondApprover ?? false);
    for (const currency of Object.keys(minimums ?? {})) {
      if (!CURRENCY_EXPONENTS.has(currency)) {
        throw invalid(`minimums.${currency}`, 'is not an ISO 4217 currency');
      }
    }
    const before = await findSettings(tx, workspaceId);
    upsertSettings(tx, workspaceId, { minimums, requireSecondApprover }, now);
    const by = { ...request, workspaceId };
    recordAudit({ tx, now, newId: deps.newId }, by, {
      action: 'payout_settings.change',
      targetType: 'workspace',
      targetId: workspaceId,
      changes: {
        ...(minimums === null ? {} : { minimums }),
        ...(requireSecondApprover === null ? {} : { requireSecondApprover }),
      },
      before,
    });
  });
  return getSettings(deps, workspaceId);
}

/** Fails with INVALID_REQUEST for a currency that is given twice, in upper and lower case. */
function byCode(minimums: Readonly<Record<string, string>>): Record<string, string> {
  const byName = new Map<string, string>();
  for (const [code, least] of Object.entries(minimums)) {
    const name = code.toUpperCase();
    if (byName.has(name)) throw invalid(`minimums.${code}`, `is given twice, for ${name}`);
    byName.set(name, least);
  }
  return Object.fromEntries(byName);
}
