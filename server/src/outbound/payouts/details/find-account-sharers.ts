import type { Queryable } from '../../../platform/db/driver.ts';
import type { DetailsOwner } from './details.ts';
import { listDetails, listOwnersByAccount } from './details-store.ts';

/**
 * Who else among the owners of the same kind has details of an account that this one has details
 * of, in use or waiting. It proves nothing: people share accounts for good reasons, too.
 */
export async function findAccountSharers(
  source: Queryable,
  { projectId, kind, id }: DetailsOwner,
): Promise<string[]> {
  const records = await listDetails(source, projectId, kind, [id]);
  const accounts = records.map(({ fingerprint }) => fingerprint);
  const owners = await listOwnersByAccount(source, projectId, kind, accounts);
  return owners.filter((owner) => owner !== id);
}
