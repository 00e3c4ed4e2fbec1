import type { Tx } from '../../platform/db/database.ts';
import type { Environment } from '../../platform/http/access/principal.ts';
import { lockPartner } from './partner-store.ts';

/** Keeps a Partner as it is until the transaction ends. Undefined if it is not there, or erased. */
export function holdPartner(
  tx: Tx,
  partnerId: string,
): Promise<{ workspaceId: string; environment: Environment } | undefined> {
  return lockPartner(tx, partnerId);
}
