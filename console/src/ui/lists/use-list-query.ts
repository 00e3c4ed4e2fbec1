import { useClockOffset } from '../../app/project-clock.ts';
import { useFilters } from '../use-filters.ts';
import { type FilterSpec, toQuery } from './specs.ts';

/** The filters of the address as the list's route takes them; ranges of time by the project's clock. */
export function useListQuery(specs: readonly FilterSpec[]): Record<string, string | undefined> {
  const [filters] = useFilters();
  const offset = useClockOffset();
  return toQuery(specs, filters, new Date(Date.now() + offset));
}

export type Order = 'asc' | 'desc';

/** The order of the list in the address; newest first is the default. */
export function useOrder(): Order {
  const [{ order }] = useFilters();
  return order === 'asc' ? 'asc' : 'desc';
}
