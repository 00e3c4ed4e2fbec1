import type { FilterSpec } from '../../ui/lists/specs.ts';
import { usePrograms } from './queries.ts';

/** Filters a list by program. */
export function useProgramFilter(): FilterSpec {
  const choices = usePrograms().map(({ id, name }) => ({ value: id, label: name }));
  return { kind: 'choice', name: 'programId', label: 'Program', choices };
}
