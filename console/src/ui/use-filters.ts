import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Filters } from '../app/filters.ts';

/**
 * The query of the address, and a function to change it: names set to undefined are removed, all
 * others stay. Filtering is not a new page, so it adds no history entry unless requested.
 */
export function useFilters(): readonly [
  Filters,
  (change: Filters, how?: { readonly isStep?: boolean }) => void,
] {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Filters, { isStep = false } = {}) => {
      void navigate({
        to: '.',
        search: (before: Filters) => {
          const after = { ...before, ...changes };
          return Object.fromEntries(
            Object.entries(after).filter(([, value]) => value !== undefined && value !== ''),
          );
        },
        replace: !isStep,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [filters, change];
}
