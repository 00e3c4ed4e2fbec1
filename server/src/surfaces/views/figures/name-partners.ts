import type { Participant } from '../../../domain/participants/schema.ts';
import { findPartnerNames } from '../../../domain/partners/show-partners.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Permission } from '../../../platform/http/access/permissions.ts';

/**
 * Fills in the names of partners: a partner's name is stored once, not in each project. Callers
 * without permission to read partners do not get it.
 */
export async function namePartners<T extends Pick<Participant, 'name' | 'partnerId' | 'deletedAt'>>(
  db: Queryable,
  may: (permission: Permission) => boolean,
  people: readonly T[],
): Promise<T[]> {
  const isNameless = ({ name, deletedAt }: T) => name === null && deletedAt === null;
  const ids = people.flatMap((one) =>
    one.partnerId !== null && isNameless(one) ? [one.partnerId] : [],
  );
  if (ids.length === 0 || !may('partners:read')) return [...people];
  const names = await findPartnerNames(db, ids);
  return people.map((one) =>
    isNameless(one) ? { ...one, name: names.get(one.partnerId ?? '') ?? null } : one,
  );
}
