import { Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useProject } from '../../app/project.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { saveText, writeCsv } from '../../ui/save-text.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { countOf } from '../../ui/words.ts';
import type { PlannedRow } from './plan-import.ts';
import { type RowOutcome, type RowResult, runImport } from './run-import.ts';
import { sayMistake } from './say-mistake.ts';

const SHOWN_MAX = 200;

const WORDS: Record<RowResult['status'], string> = {
  created: 'new',
  updated: 'changed',
  unchanged: 'there already',
  invalid: 'with a mistake',
};

interface Phase {
  readonly dryRun: boolean;
  readonly outcomes: readonly RowOutcome[];
}

/** First a check that writes nothing, then the import itself; both row by row. */
export function ImportRun({ programId, rows }: { programId: string; rows: readonly PlannedRow[] }) {
  const { id: projectId } = useProject();
  const queryClient = useQueryClient();
  const [phase, setPhase] = useState<Phase | null>(null);
  const [isAsking, setAsking] = useState(false);
  const stopper = useRef<AbortController | null>(null);
  const [dryRun, setDryRun] = useState(true);
  const run = useSubmit(async () => {
    stopper.current = new AbortController();
    setPhase({ dryRun, outcomes: [] });
    const checked = await runImport({
      projectId,
      programId,
      dryRun,
      rows,
      signal: stopper.current.signal,
      onProgress: (outcomes) => setPhase({ dryRun, outcomes }),
    });
    if (!dryRun) await queryClient.invalidateQueries();
    // Unchecked rows may be wrong: a stopped check starts again from the beginning.
    if (checked.length === rows.length) setDryRun(false);
  });
  const outcomes = phase?.outcomes ?? [];
  const isWhole = !run.isBusy && outcomes.length === rows.length;
  const wrong = outcomes.filter(({ result }) => result.status === 'invalid');
  const good = rows.length - wrong.length;
  const isImported = isWhole && phase?.dryRun === false;
  return (
    <Section
      title={phase?.dryRun === false ? 'Import' : 'Check'}
      intro={phase ? undefined : 'The check shows what each row would do. It writes nothing.'}
    >
      <Stack>
        {phase && (
          <Progress
            value={(outcomes.length / rows.length) * 100}
            color={wrong.length > 0 ? 'orange' : 'leaf'}
            aria-label="Progress"
          />
        )}
        {phase && (
          <Text role="status">
            {outcomes.length.toLocaleString()} of {countOf(rows.length, 'row')}
            {isWhole ? ': ' : '… '}
            {sayCounts(outcomes)}
          </Text>
        )}
        {run.error !== null && <ErrorState error={run.error} />}
        {wrong.length > 0 && <Mistakes wrong={wrong} />}
        <Group>
          {run.isBusy ? (
            <Button variant="default" onClick={() => stopper.current?.abort()}>
              Stop after this part
            </Button>
          ) : (
            <>
              {!isImported && dryRun && (
                <Button onClick={() => void run.submit()}>
                  Check {countOf(rows.length, 'row')}
                </Button>
              )}
              {!isImported && !dryRun && good > 0 && (
                <Button onClick={() => setAsking(true)}>Import {countOf(good, 'row')}</Button>
              )}
            </>
          )}
        </Group>
      </Stack>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Import ${countOf(good, 'row')}?`}
        action="Import"
        onConfirm={async () => {
          setAsking(false);
          void run.submit();
        }}
      >
        {wrong.length > 0 && `${countOf(wrong.length, 'row')} with a mistake will be skipped. `}
        Participants can be erased again, one by one; referrals that are bound stay. Importing the
        same file once more changes nothing.
      </Confirm>
    </Section>
  );
}

function sayCounts(outcomes: readonly RowOutcome[]): string {
  return (Object.keys(WORDS) as RowResult['status'][])
    .map((status) => ({
      status,
      count: outcomes.filter(({ result }) => result.status === status).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count.toLocaleString()} ${WORDS[status]}`)
    .join(', ');
}

function Mistakes({ wrong }: { wrong: readonly RowOutcome[] }) {
  const describe = ({ result, row }: RowOutcome) => sayMistake(result, row);
  const save = () =>
    saveText(
      'goodword-import-mistakes.csv',
      writeCsv([['line', 'issue'], ...wrong.map((one) => [String(one.line), describe(one)])]),
    );
  return (
    <Stack gap="xs">
      <ScrollBox label="Rows with a mistake">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              <Table.Th>What is wrong</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {wrong.slice(0, SHOWN_MAX).map((one) => (
              <Table.Tr key={one.line}>
                <Table.Td>{one.line}</Table.Td>
                <Table.Td>{describe(one)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {wrong.length > SHOWN_MAX && (
        <Text size="sm">and {(wrong.length - SHOWN_MAX).toLocaleString()} more in the file.</Text>
      )}
      <Button size="xs" variant="default" w="fit-content" onClick={save}>
        Download what is wrong
      </Button>
    </Stack>
  );
}
