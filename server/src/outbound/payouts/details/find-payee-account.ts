import type { Queryable } from '../../../platform/db/driver.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { listDetails } from './details-store.ts';
import { openDetails } from './seal-details.ts';

/** The account at a provider that a participant has saved last; null if they have none. */
export async function findPayeeAccount(
  source: Queryable,
  keyring: Keyring,
  projectId: string,
  participantId: string,
): Promise<string | null> {
  const owner = { kind: 'participant', projectId, id: participantId } as const;
  const records = await listDetails(source, projectId, owner.kind, [participantId]);
  const last = records.findLast(({ type }) => type === 'stripe_connect');
  if (!last) return null;
  const details = openDetails(keyring, owner, last.id, last);
  return details.type === 'stripe_connect' ? details.accountId : null;
}
