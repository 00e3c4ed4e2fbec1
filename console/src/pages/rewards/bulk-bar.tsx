import { Button } from '@mantine/core';
import { useState } from 'react';
import { SelectionBar } from '../../ui/selection-bar.tsx';
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
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const choices = (['grant', 'retry', 'revoke', 'void'] as const)
    .map((action) => ({ action, rewards: selected.filter((one) => allows(one, action)) }))
    .filter(({ rewards }) => rewards.length > 0);
  return (
    <>
      <SelectionBar
        noun="reward"
        loaded={loaded}
        count={selected.length}
        worth={totalText(selected)}
        onChange={onChange}
      >
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
      </SelectionBar>
      {chosen && (
        <ActionDialog
          action={chosen.action}
          rewards={chosen.rewards}
          onClose={() => {
            setChosen(null);
            onChange(new Set());
          }}
        />
      )}
    </>
  );
}
