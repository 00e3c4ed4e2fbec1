import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useFilters } from './use-filters.ts';

interface PageTab {
  readonly value: string;
  readonly label: ReactNode;
  readonly panel: () => ReactNode;
}

interface PageTabsProps {
  readonly label: string;
  readonly tabs: readonly PageTab[];
  /** The tab without `?tab=`, if that is not always the first. */
  readonly opens?: string;
}

/**
 * Tabs selected by `?tab=` in the address. Changing the tab clears the filters of the previous one.
 */
export function PageTabs({ label, tabs, opens }: PageTabsProps) {
  const [filters, setFilters] = useFilters();
  const first = tabs.find(({ value }) => value === opens) ?? tabs[0];
  const here = tabs.find(({ value }) => value === filters.tab) ?? first;
  const listRef = useRef<HTMLDivElement>(null);
  const name = here?.value;
  // On a phone they do not all fit: scroll the open one into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is open
  useEffect(() => {
    const tab = listRef.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (tab && listRef.current) listRef.current.scrollLeft = tab.offsetLeft - 16;
  }, [name]);
  if (!here) return null;
  const go = (value: string | null) => {
    const others = Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]));
    const tab = value === null || (!opens && value === first?.value) ? undefined : value;
    setFilters({ ...others, tab }, { isStep: true });
  };
  return (
    <Tabs value={here.value} onChange={go} keepMounted={false} className="page-tabs">
      <Tabs.List aria-label={label} mb="lg" ref={listRef}>
        {tabs.map(({ value, label: title }) => (
          <Tabs.Tab key={value} value={value}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={here.value}>{here.panel()}</Tabs.Panel>
    </Tabs>
  );
}
