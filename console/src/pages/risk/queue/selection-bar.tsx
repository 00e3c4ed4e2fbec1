import { Button, Group, Paper, Text } from '@mantine/core';
import { countOf } from '../../../ui/words.ts';
import { sumText } from '../decide/decision-words.ts';
import type { Review } from '../queries.ts';
import type { Ask } from './queue-columns.tsx';

interface SelectionBarProps {
  readonly loaded: readonly Review[];
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  readonly ask: Ask;
}

/** The decisions for all selected reviews at once. */
export function SelectionBar({ loaded, ids, onChange, ask }: SelectionBarProps) {
  const selected = loaded.filter(({ id }) => ids.has(id));
  if (selected.length === 0) return null;
  const worth = sumText(selected);
  return (
    <Paper withBorder p="sm" className="bulk-bar" role="region" aria-label="Selected reviews">
      <Group justify="space-between" gap="sm">
        <Text size="sm" role="status">
          <strong>{countOf(selected.length, 'review')}</strong> selected
          {worth && `, ${worth} held`}
        </Text>
        <Group gap="xs">
          <Button size="xs" onClick={() => ask('approve', selected)}>
            Approve ({selected.length})
          </Button>
          <Button size="xs" variant="default" onClick={() => ask('reject', selected)}>
            Reject ({selected.length})
          </Button>
          {selected.length < loaded.length && (
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
