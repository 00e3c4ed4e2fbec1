import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Filters } from '../../app/filters.ts';
import { DateTimeInput } from '../date-time-input.tsx';
import { useFilters } from '../use-filters.ts';
import type { FilterSpec } from './specs.ts';
import { TIME_RANGES } from './time-ranges.ts';

interface TimeEditorProps {
  readonly spec: Extract<FilterSpec, { kind: 'time' }>;
  readonly onChoose: (values: Filters) => void;
}

/** Proposes ranges, and takes one of the reader's own. */
export function TimeEditor({ spec, onChoose }: TimeEditorProps) {
  const [filters] = useFilters();
  const { [spec.from]: keptFrom = null, [spec.to]: keptTo = null } = filters;
  const [from, setFrom] = useState(keptFrom);
  const [to, setTo] = useState(keptTo);
  const isOwn = keptFrom !== null || keptTo !== null;
  const isReversed = from !== null && to !== null && from > to;
  return (
    <Stack gap="sm">
      <div className="chip-ranges">
        {Object.entries(TIME_RANGES).map(([range, label]) => {
          const isChosen = !isOwn && filters[spec.name] === range;
          return (
            <button
              key={range}
              type="button"
              className="chip-range"
              aria-pressed={isChosen}
              data-autofocus={isChosen || undefined}
              onClick={() => onChoose({ [spec.name]: range })}
            >
              {label}
            </button>
          );
        })}
      </div>
      <form
        className="chip-own-range"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReversed || (from === null && to === null)) return;
          onChoose({ [spec.from]: from ?? undefined, [spec.to]: to ?? undefined });
        }}
      >
        <Stack gap="xs">
          <DateTimeInput label="From" value={from} onChange={setFrom} />
          <DateTimeInput
            label="Until"
            value={to}
            onChange={setTo}
            error={isReversed ? 'This is before the start.' : undefined}
          />
          <Button type="submit" size="xs" disabled={isReversed || (from === null && to === null)}>
            Apply
          </Button>
        </Stack>
      </form>
    </Stack>
  );
}
