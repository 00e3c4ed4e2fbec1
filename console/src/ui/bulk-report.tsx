import { Button, CopyButton, Group, Progress, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { CheckIcon, CopyIcon, DownloadIcon } from 'lucide-react';
import { reportCsv } from './report-csv.ts';
import type { ManyProgress } from './run-many.ts';
import { saveText } from './save-text.ts';
import { ErrorState } from './states.tsx';
import { ThingLink } from './thing-link.tsx';
import { countOf, humanize } from './words.ts';

interface BulkReportProps {
  readonly progress: ManyProgress<string>;
  /** What they are: a type of `placeOf`, and the word for one. */
  readonly type: string;
  readonly one: string;
  /** The name of the saved report, without its ending. */
  readonly file: string;
  readonly onStop: () => void;
  /** Retries those that failed or were not tried. */
  readonly onRepeat: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

/** The progress, and at the end what failed and why. */
export function BulkReport(props: BulkReportProps) {
  const { progress, type, one, file, onStop, onRepeat, onClose } = props;
  const { total, done, failures, untried, state, trouble } = progress;
  const isRunning = state === 'running';
  const tried = done + failures.length;
  const left = [...failures.map(({ item }) => item), ...untried];
  return (
    <Stack>
      <Progress.Root size="lg" aria-label="Progress">
        <Progress.Section value={(done / total) * 100} color="leaf" aria-label="Done" />
        <Progress.Section value={(failures.length / total) * 100} color="red" aria-label="Failed" />
      </Progress.Root>
      <Text role="status">
        {isRunning
          ? `${tried} of ${countOf(total, one)}…`
          : `${state === 'stopped' ? 'Stopped. ' : ''}${done} of ${countOf(total, one)} done${
              failures.length > 0 ? `, ${failures.length} failed` : ''
            }${untried.length > 0 ? `, ${untried.length} not tried` : ''}.`}
      </Text>
      {trouble && <ErrorState error={trouble} />}
      {failures.length > 0 && (
        <ScrollArea.Autosize mah={240} viewportProps={{ tabIndex: 0, 'aria-label': 'What failed' }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{humanize(one)}</Table.Th>
                <Table.Th>Why it failed</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {failures.map(({ item: id, reason }) => (
                <Table.Tr key={id}>
                  <Table.Td className="keeps-together">
                    <ThingLink type={type} id={id} />
                  </Table.Td>
                  <Table.Td>{reason}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
      <Group justify="flex-end">
        {isRunning && (
          <Button variant="default" onClick={onStop}>
            Stop
          </Button>
        )}
        {!isRunning && left.length > 0 && (
          <>
            <CopyReport csv={reportCsv(progress)} />
            <Button
              variant="default"
              leftSection={<DownloadIcon size={16} />}
              onClick={() => saveText(`${file}.csv`, reportCsv(progress))}
            >
              Download
            </Button>
            <Button variant="default" onClick={() => onRepeat(left)}>
              Try {countOf(left.length, one)} again
            </Button>
          </>
        )}
        {!isRunning && <Button onClick={onClose}>Close</Button>}
      </Group>
    </Stack>
  );
}

function CopyReport({ csv }: { csv: string }) {
  return (
    <CopyButton value={csv}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          onClick={copy}
        >
          {copied ? 'Copied' : 'Copy report'}
        </Button>
      )}
    </CopyButton>
  );
}
