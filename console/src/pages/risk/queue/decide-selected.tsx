import { Button } from '@mantine/core';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { sumText } from '../decide/decision-words.ts';
import type { Review } from '../queries.ts';
import type { Ask } from './queue-columns.tsx';

interface DecideSelectedProps {
  readonly loaded: readonly Review[];
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  readonly ask: Ask;
}

/** The decisions for all selected reviews at once. */
export function DecideSelected({ loaded, ids, onChange, ask }: DecideSelectedProps) {
  const selected = loaded.filter(({ id }) => ids.has(id));
  const worth = sumText(selected);
  return (
    <SelectionBar
      noun="review"
      loaded={loaded}
      count={selected.length}
      worth={worth && `${worth} held`}
      onChange={onChange}
    >
      <Button size="xs" onClick={() => ask('approve', selected)}>
        Approve ({selected.length})
      </Button>
      <Button size="xs" variant="default" onClick={() => ask('reject', selected)}>
        Reject ({selected.length})
      </Button>
    </SelectionBar>
  );
}
