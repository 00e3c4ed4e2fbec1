import type { Queryable } from '../../../platform/db/driver.ts';
import { canBeName } from './can-be-name.ts';
import { findSharedName, type SharedName } from './sharing-store.ts';

/**
 * Whose code or link it is that somebody followed or typed; white space around it and the
 * case of letters do not matter. Undefined for what nobody has, or no longer has.
 */
export async function resolveName(
  source: Queryable,
  projectId: string,
  text: string,
): Promise<SharedName | undefined> {
  const name = text.trim().toLowerCase();
  return canBeName(name) ? findSharedName(source, projectId, name) : undefined;
}
