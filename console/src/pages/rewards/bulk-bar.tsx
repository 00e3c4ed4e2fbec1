import { Button, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '../../ui/words.ts';
import { totalText } from '../people/reward-benefit.ts';
import { ActionDialog } from './action-dialog.tsx';
import { ACTION_WORDS } from './action-words.ts';
import type { Reward } from './explain-reward.ts';
import { allows, type RewardAction } from './reward-actions.ts';

interface Chosen {
  readonly action: RewardAction;
  /** As selected at the start: the list below changes while it runs. */
  readonly rewards: readonly Reward[];
}

interface BulkBarProps {
  readonly loaded: readonly Reward[];
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

/** The actions for the selected rewards: each applies to those whose state allows it. */
export function BulkBar({ loaded, ids, onChange }: BulkBarProps) {
  const selected = loaded.filter(({ id }) => ids.has(id));
  const onClear = () => onChange(new Set());
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const choices = (['grant', 'retry', 'revoke', 'void'] as const)
    .map((action) => ({ action, rewards: selected.filter((one) => allows(one, action)) }))
    .filter(({ rewards }) => rewards.length > 0);
  return (
    <>
      {selected.length > 0 && (
        <Paper withBorder p="sm" className="bulk-bar" role="region" aria-label="Selected rewards">
          <Group justify="space-between" gap="sm">
            <Text size="sm" role="status">
              <strong>{countOf(selected.length, 'reward')}</strong> selected, {totalText(selected)}
            </Text>
            <Group gap="xs">
              {choices.map((choice) => (
                <Button
                  key={choice.action}
                  size="xs"
                  variant={choice.action === 'grant' ? 'filled' : 'default'}
                  onClick={() => setChosen(choice)}
                >
                  {ACTION_WORDS[choice.action].verb} ({choice.rewards.length})
                </Button>
              ))}
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
              <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
                Select none
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
      {chosen && (
        <ActionDialog
          action={chosen.action}
          rewards={chosen.rewards}
          onClose={() => {
            setChosen(null);
            onClear();
          }}
        />
      )}
    </>
  );
}
