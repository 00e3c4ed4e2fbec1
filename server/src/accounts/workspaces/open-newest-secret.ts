import type { Queryable } from '../../platform/db/driver.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { findNewestSealedSecret } from './store.ts';
import { widgetSecretContext } from './widget-secrets.ts';

/** Whether the database's secrets were sealed with this root key; null if it has none. */
export async function canOpenNewestSecret(
  reads: Queryable,
  keyring: Keyring,
): Promise<boolean | null> {
  const secret = await findNewestSealedSecret(reads);
  if (!secret) return null;
  try {
    keyring.open('widget-secret', secret.sealed, widgetSecretContext(secret.projectId, secret.id));
    return true;
  } catch {
    return false;
  }
}
