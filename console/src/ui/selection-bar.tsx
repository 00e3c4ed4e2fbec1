import { Button, Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countOf } from './words.ts';

interface SelectionBarProps {
  /** What is selected: `review`. */
  readonly noun: string;
  /** Of all rows that the list has loaded. */
  readonly loaded: readonly { readonly id: string }[];
  /** How many of them are selected, and what they are worth together. */
  readonly count: number;
  readonly worth: string;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  /** The buttons for what can be done with them. */
  readonly children: ReactNode;
}

/** What can be done with all selected rows of a list at once. */
export function SelectionBar({
  noun,
  loaded,
  count,
  worth,
  onChange,
  children,
}: SelectionBarProps) {
  if (count === 0) return null;
  return (
    <Paper withBorder p="sm" className="bulk-bar" role="region" aria-label={`Selected ${noun}s`}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" role="status">
          <strong>{countOf(count, noun)}</strong> selected
          {worth && `, ${worth}`}
        </Text>
        <Group gap="xs">
          {children}
          {count < loaded.length && (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              onClick={() => onChange(new Set(loaded.map(({ id }) => id)))}
            >
              Select all {loaded.length}
            </Button>
          )}
          <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(new Set())}>
            Select none
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
