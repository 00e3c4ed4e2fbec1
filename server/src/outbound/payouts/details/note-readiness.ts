import type { Keyring } from '../../../platform/kit/keyring.ts';
import { type PayoutDeps, runStep } from '../payout-deps.ts';
import type { DetailsOwner } from './details.ts';
import { listDetails, updateUse } from './details-store.ts';
import { openDetails } from './seal-details.ts';

/**
 * Records whether a participant's account at a provider can be paid to; until then the details need
 * an update. Does nothing if the participant has other details by now.
 */
export function noteReadiness(
  deps: Pick<PayoutDeps, 'writer' | 'newId'> & { readonly keyring: Keyring },
  payee: { readonly projectId: string; readonly participantId: string; readonly accountId: string },
  isReady: boolean,
): Promise<void> {
  const { projectId, participantId, accountId } = payee;
  const owner: DetailsOwner = { kind: 'participant', projectId, id: participantId };
  return runStep(deps, projectId, async ({ tx, now }) => {
    for (const record of await listDetails(tx, projectId, owner.kind, [participantId])) {
      if (record.type !== 'stripe_connect' || isReady === (record.failedAt === null)) continue;
      const details = openDetails(deps.keyring, owner, record.id, record);
      const isIt = details.type === 'stripe_connect' && details.accountId === accountId;
      if (isIt) updateUse(tx, owner, { ...record, failedAt: isReady ? null : now });
    }
  });
}
