import { Button, FileButton, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { UploadIcon } from 'lucide-react';
import { useState } from 'react';
import { FileError } from '../../../api/errors.ts';
import { readText } from '../../../ui/parse-csv.ts';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { countOf } from '../../../ui/words.ts';
import { type Effect, type Entry, type EntryKind, KINDS } from './list-entries.ts';
import { readValues } from './read-values.ts';

const EFFECTS = [
  { value: 'allowed', label: 'Allowed' },
  { value: 'watched', label: 'Watched' },
];

/** Adds one value, or many that were pasted or read from a file. */
export function AddEntries({ onAdd }: { onAdd: (entries: readonly Entry[]) => void }) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<EntryKind>('domain');
  const [effect, setEffect] = useState<Effect>('allowed');
  const [problem, setProblem] = useState<string | null>(null);
  const unsaved = useUnsaved(text.trim() !== '');
  const add = () => {
    try {
      const { values, refused } = readValues(text, kind);
      onAdd(values.map((value) => ({ effect, kind, value })));
      // What was not understood stays, to be corrected.
      setText(refused.join('\n'));
      setProblem(refused.length > 0 ? sayRefused(refused.length, kind) : null);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      setProblem(error.message);
    }
  };
  const readFile = async (file: File | null) => {
    if (!file) return;
    try {
      setText(await readText(file));
      setProblem(null);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label="Type"
          data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as EntryKind)}
        />
        <NativeSelect
          label="List"
          data={EFFECTS}
          value={effect}
          onChange={(event) => setEffect(event.currentTarget.value as Effect)}
        />
      </Group>
      <Textarea
        label="Add"
        description="One a line, or a table whose first column has them."
        placeholder={KINDS[kind].hint}
        autosize
        minRows={2}
        maxRows={10}
        value={text}
        error={problem}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <Group gap="sm">
        <Button variant="light" disabled={text.trim() === ''} onClick={add}>
          Add to the list
        </Button>
        <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => void readFile(file)}>
          {(props) => (
            <Button variant="default" leftSection={<UploadIcon size={16} />} {...props}>
              From a file
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          Nothing is saved until you press Save.
        </Text>
      </Group>
      {unsaved.question}
    </Stack>
  );
}

const sayRefused = (count: number, kind: EntryKind): string =>
  `${countOf(count, 'line')} left out, because ${count === 1 ? 'it is' : 'they are'} no ${KINDS[kind].label.toLowerCase()}. ${KINDS[kind].hint} would be one.`;
