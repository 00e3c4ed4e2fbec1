import { useLocalStorage } from '@mantine/hooks';

/** Whether lists have one short line per row; remembered in this browser, for all lists. */
export function useCompact() {
  return useLocalStorage({
    key: 'goodword-compact',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
}
