import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Filters } from '../app/filters.ts';

/**
 * What the address says after `?`, and how to change it: names that are set to undefined go, all
 * others stay. Narrowing a list is no new page, so it takes no step of the back button unless asked.
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
