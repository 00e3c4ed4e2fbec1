import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Filters } from '../../app/filters.ts';
import { useFilters } from '../use-filters.ts';
import type { FilterSpec } from './specs.ts';

interface EditorProps<K extends FilterSpec['kind']> {
  readonly spec: Extract<FilterSpec, { kind: K }>;
  readonly onChoose: (values: Filters) => void;
}

export function TextEditor({ spec, onChoose }: EditorProps<'text'>) {
  const [filters] = useFilters();
  const [text, setText] = useState(filters[spec.name] ?? '');
  const [error, setError] = useState<string | null>(null);
  const { read = (typed: string) => typed || null } = spec;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const value = read(text.trim());
        if (value === null) setError(spec.hint ?? 'Enter something.');
        else onChoose({ [spec.name]: value });
      }}
    >
      <Stack gap="xs">
        <TextInput
          data-autofocus
          label={spec.label}
          placeholder={spec.placeholder}
          maxLength={spec.maxLength ?? 512}
          value={text}
          error={error}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(null);
          }}
        />
        <Button type="submit" size="xs">
          Apply
        </Button>
      </Stack>
    </form>
  );
}
