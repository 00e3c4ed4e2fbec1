import { findProjectIds } from '../../../accounts/workspaces/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findStripeConnection, listPayoutConnections } from '../../integrations/queries.ts';
import type { Account } from './check.ts';

/** Every account that a workspace is connected to and that can send or credit money. */
export async function listAccounts(db: Queryable, workspaceId: string): Promise<Account[]> {
  const accounts: Account[] = (await listPayoutConnections(db, workspaceId)).map(
    ({ id: connectionId, method, environment }) => ({
      connectionId,
      method,
      environment,
      projectId: null,
    }),
  );
  for (const environment of ['live', 'sandbox'] as const) {
    for (const projectId of await findProjectIds(db, workspaceId, environment)) {
      const connection = await findStripeConnection(db, projectId);
      if (!connection) continue;
      const method = 'stripe_balance';
      accounts.push({ connectionId: connection.id, method, environment, projectId });
    }
  }
  return accounts;
}
