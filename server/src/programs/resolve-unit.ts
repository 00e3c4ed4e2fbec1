import type { ProjectWrite } from '../feed/project-write.ts';
import { conflict, notFound } from '../kit/errors.ts';
import type { TermsIn } from './schema.ts';
import { findUnit, findUnitByKey, insertUnit, type Unit } from './store.ts';

/**
 * The unit that terms name, made if the Project has none with that key; null if they name
 * none. Ends with NOT_FOUND for an unknown id, CONFLICT unit_mismatch for other names:
 * people were promised the ones that stand.
 */
export async function resolveUnit(
  write: ProjectWrite,
  { customUnitId, unit: named }: Pick<TermsIn, 'customUnitId' | 'unit'>,
): Promise<Unit | null> {
  const { tx, projectId } = write;
  if (customUnitId) {
    const unit = await findUnit(tx, projectId, customUnitId);
    if (!unit) throw notFound('unit');
    return unit;
  }
  if (!named) return null;
  const known = await findUnitByKey(tx, projectId, named.key);
  if (!known) {
    const unit = { ...named, id: write.newId('unit') };
    insertUnit(tx, projectId, unit, write.now);
    return unit;
  }
  if (known.name !== named.name || known.namePlural !== named.namePlural) {
    throw conflict(
      'unit_mismatch',
      `The unit ${known.key} is called ${known.name} (${known.namePlural}) in this project.`,
    );
  }
  return known;
}
