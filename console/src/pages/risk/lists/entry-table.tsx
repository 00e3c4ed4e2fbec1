import { ActionIcon, Group, SegmentedControl, Table, Text, TextInput } from '@mantine/core';
import { SearchIcon, Trash2Icon } from 'lucide-react';
import { useState } from 'react';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { countOf } from '../../../ui/words.ts';
import { type Effect, type Entry, KINDS } from './list-entries.ts';

interface EntryTableProps {
  readonly entries: readonly Entry[];
  /** Undefined for those who may not change the lists. */
  readonly onRemove: ((entry: Entry) => void) | undefined;
}

/** More of them are found by searching. */
const SHOWN_MAX = 100;
const SHOWN = [
  { value: 'all', label: 'All' },
  { value: 'allowed', label: 'Allowed' },
  { value: 'watched', label: 'Watched' },
] as const;

export function EntryTable({ entries, onRemove }: EntryTableProps) {
  const [typed, setTyped] = useState('');
  const [effect, setEffect] = useState<Effect | 'all'>('all');
  const words = typed.trim().toLowerCase();
  const found = entries.filter(
    (one) => (effect === 'all' || one.effect === effect) && one.value.toLowerCase().includes(words),
  );
  if (entries.length === 0) return <Text c="dimmed">Nothing is allowed or watched yet.</Text>;
  return (
    <>
      <Group justify="space-between" gap="sm">
        <TextInput
          aria-label="Find an entry"
          placeholder="Find…"
          leftSection={<SearchIcon size={16} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label="List"
          size="xs"
          value={effect}
          data={SHOWN.map((one) => ({ ...one }))}
          onChange={(value) => setEffect(value as Effect | 'all')}
        />
      </Group>
      <div className="wide-table" hidden={found.length === 0}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Entry</Table.Th>
              <Table.Th visibleFrom="sm">Type</Table.Th>
              <Table.Th>List</Table.Th>
              {onRemove && (
                <Table.Th>
                  <span className="visually-hidden">Remove</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.slice(0, SHOWN_MAX).map((entry) => (
              <Table.Tr key={`${entry.kind} ${entry.value}`}>
                <Table.Td className="listed-value">
                  {entry.value}
                  <Text size="xs" c="dimmed" hiddenFrom="sm">
                    {KINDS[entry.kind].label}
                  </Text>
                </Table.Td>
                <Table.Td visibleFrom="sm">{KINDS[entry.kind].label}</Table.Td>
                <Table.Td>
                  {entry.effect === 'allowed' ? (
                    <StatusBadge tone="good" label="Allowed" />
                  ) : (
                    <StatusBadge tone="care" label="Watched" />
                  )}
                </Table.Td>
                {onRemove && (
                  <Table.Td ta="end">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove ${entry.value}`}
                      onClick={() => onRemove(entry)}
                    >
                      <Trash2Icon size={16} />
                    </ActionIcon>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Text size="sm" c="dimmed" role="status">
        {sayFound(found.length)}
      </Text>
    </>
  );
}

function sayFound(count: number): string {
  if (count === 0) return 'No entry matches. Type fewer letters or choose another list.';
  const entries = countOf(count, 'entry', 'entries');
  return count > SHOWN_MAX ? `${SHOWN_MAX} of ${entries}: search for the others.` : entries;
}
