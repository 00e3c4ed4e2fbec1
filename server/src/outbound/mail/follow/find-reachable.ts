import type { Queryable } from '../../../platform/db/driver.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { readMailbox } from '../../../platform/kit/mailbox.ts';
import type { PersonKind } from '../kinds.ts';
import type { MailDeps } from '../mail-deps.ts';
import { findAddresses } from '../send/find-addresses.ts';
import { hashAddress } from '../send/hash-address.ts';
import { listBounces, listOptOuts } from '../send/mail-store.ts';

/** Those of these people with an address that can be mailed and was not refused, who want mails of the kind. */
export async function findReachable(
  { keyring }: Pick<MailDeps, 'keyring'>,
  db: Queryable,
  projectId: string,
  { ids, kind }: { readonly ids: readonly string[]; readonly kind: PersonKind },
): Promise<ReadonlySet<string>> {
  const addresses = await findAddresses(db, projectId, ids);
  const optOuts = new Set(await listOptOuts(db, projectId, ids, kind));
  const bounces = groupBy(await listBounces(db, projectId, ids), (one) => one.recipientId);
  const hasBounced = (id: string, address: string) =>
    bounces.get(id)?.some((one) => one.addressHash === hashAddress(keyring, address)) ?? false;
  const reachable = [...addresses].filter(
    ([id, address]) =>
      readMailbox(address) !== null && !optOuts.has(id) && !hasBounced(id, address),
  );
  return new Set(reachable.map(([id]) => id));
}
