import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { conflict, notFound } from '../../../platform/kit/errors.ts';
import type { TermsIn } from '../schema.ts';
import { findUnit, findUnitByKey, type Unit } from '../store.ts';

export interface NamedUnit {
  readonly unit: Unit;
  /** Not saved yet: the caller saves it after the last check that can refuse. */
  readonly isNew: boolean;
}

/**
 * The unit that terms name, or a new one if the Project has none with that key; null if they name
 * none. Fails with NOT_FOUND for an unknown id, CONFLICT unit_mismatch for different names: people
 * were promised the existing ones.
 */
export async function findNamedUnit(
  write: ProjectWrite,
  { customUnitId, unit: named }: Pick<TermsIn, 'customUnitId' | 'unit'>,
): Promise<NamedUnit | null> {
  const { tx, projectId } = write;
  if (customUnitId) {
    const unit = await findUnit(tx, projectId, customUnitId);
    if (!unit) throw notFound('unit');
    return { unit, isNew: false };
  }
  if (!named) return null;
  const known = await findUnitByKey(tx, projectId, named.key);
  if (!known) return { unit: { ...named, id: write.newId('unit') }, isNew: true };
  if (known.name !== named.name || known.namePlural !== named.namePlural) {
    throw conflict(
      'unit_mismatch',
      `The unit ${known.key} is called ${known.name} (${known.namePlural}) in this project.`,
    );
  }
  return { unit: known, isNew: false };
}
