import {
  Alert,
  Badge,
  Button,
  FileInput,
  Group,
  Modal,
  Progress,
  Stack,
  Text,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useProject } from '../../app/project.ts';
import { saveText } from '../../ui/save-text.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { countOf } from '../../ui/words.ts';
import { checkResults, type Verdict } from './check-results.ts';
import { batchPayoutsQuery } from './queries.ts';
import { type ReadResults, readResults } from './read-results.ts';
import { reportCsv, useSendResults } from './send-results.ts';
import type { Batch } from './states.ts';

const EXAMPLE = `payout_id,outcome,transfer_reference,failure_reason,message
po_01ka3m…,paid,TR-20931,,
po_01kb9x…,failed,,account_closed,Closed in May`;

const SHOWN_MAX = 200;

/** Reads a file of results, shows what each line would do, then sends them one by one. */
export function ResultsUpload({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const project = useProject();
  const { data, error } = useQuery(batchPayoutsQuery(project.id, batch.id));
  const [read, setRead] = useState<ReadResults | null>(null);
  const sending = useSendResults(project.id);
  const choose = async (file: File | null) => setRead(file && readResults(await file.text()));
  const verdicts =
    read && 'rows' in read && data
      ? checkResults(read.rows, new Map(data.payouts.map((one) => [one.id, one])))
      : [];
  const ready = verdicts.filter((one) => one.kind === 'ready');
  const { state } = sending;
  const isSending = state.step === 'sending';
  return (
    <Modal
      opened
      onClose={() => !isSending && onClose()}
      title="Upload results"
      size="xl"
      closeOnClickOutside={false}
    >
      <Stack>
        {state.step === 'waiting' && (
          <>
            <Text size="sm">
              A CSV with one line for each transfer. The file you exported will do, with a column{' '}
              <code>outcome</code> added: <code>paid</code>, <code>failed</code> or{' '}
              <code>returned</code>. It is read here in your browser; nothing is sent before you
              have seen what each line does.
            </Text>
            <Snippet label="an example of a results file" code={EXAMPLE} />
            <FileInput
              label="File of results"
              placeholder="Choose a CSV file"
              accept=".csv,text/csv,text/plain"
              clearable
              clearButtonProps={{ 'aria-label': 'Take the file away' }}
              onChange={(file) => void choose(file)}
              error={read && 'refused' in read ? read.refused : null}
            />
            {error && <ErrorState error={error} />}
            {read && 'rows' in read && !data && !error && <Lines count={3} />}
            {verdicts.length > 0 && <Preview verdicts={verdicts} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button disabled={ready.length === 0} onClick={() => void sending.start(ready)}>
                {ready.length === 0
                  ? 'Record results'
                  : `Record ${countOf(ready.length, 'result')}`}
              </Button>
            </Group>
          </>
        )}
        {state.step !== 'waiting' && (
          <>
            <Text aria-live="polite">
              {countOf(state.done, 'result')} recorded of {state.total.toLocaleString()}
              {state.failed.length > 0 ? `, ${state.failed.length} refused` : ''}.
            </Text>
            <Progress
              value={((state.done + state.failed.length) / state.total) * 100}
              aria-label="Results sent"
            />
            {state.failed.length > 0 && (
              <ScrollBox label="Lines that were refused">
                {state.failed.map(({ row, why }) => (
                  <Text key={row.line} size="sm">
                    Line {row.line}, <code>{row.payoutId}</code>: {why}
                  </Text>
                ))}
              </ScrollBox>
            )}
            <Group justify="flex-end">
              {isSending ? (
                <Button variant="default" onClick={sending.stop}>
                  Stop
                </Button>
              ) : (
                <>
                  <Button
                    variant="default"
                    onClick={() => saveText(`${batch.id}-report.csv`, reportCsv(verdicts, state))}
                  >
                    Download report
                  </Button>
                  {state.left.length > 0 && (
                    <Button variant="default" onClick={() => void sending.start(state.left)}>
                      Go on with {countOf(state.left.length, 'line')}
                    </Button>
                  )}
                  <Button onClick={onClose}>Done</Button>
                </>
              )}
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}

const LOOK = {
  ready: { color: 'leaf', label: 'Will be recorded' },
  known: { color: 'gray', label: 'Known already' },
  refused: { color: 'red', label: 'Left out' },
} as const;

function Preview({ verdicts }: { verdicts: readonly Verdict[] }) {
  const countBy = (kind: Verdict['kind']) => verdicts.filter((one) => one.kind === kind).length;
  const [ready, known, refused] = [countBy('ready'), countBy('known'), countBy('refused')];
  return (
    <>
      <Alert color={refused > 0 ? 'orange' : 'leaf'} variant="light" role="status">
        {countOf(verdicts.length, 'line')}: {ready} will be recorded, {known} known already,{' '}
        {refused} left out. What is paid fulfils its rewards at once; what failed is paid again by
        the next batch.
      </Alert>
      <ScrollBox label="Lines of the file">
        {verdicts.slice(0, SHOWN_MAX).map((one) => (
          <div key={one.row.line} className="results-row">
            <Text size="sm" c="dimmed">
              {one.row.line}
            </Text>
            <div>
              <Text size="sm">
                <code>{one.row.payoutId || '(none)'}</code> → {one.row.outcome ?? '?'}
                {one.row.reference ? ` · ${one.row.reference}` : ''}
              </Text>
              {one.kind === 'refused' && <Text size="sm">{one.why}</Text>}
            </div>
            <Badge variant="light" tt="none" color={LOOK[one.kind].color}>
              {LOOK[one.kind].label}
            </Badge>
          </div>
        ))}
        {verdicts.length > SHOWN_MAX && (
          <Text size="sm" c="dimmed" p="sm">
            and {countOf(verdicts.length - SHOWN_MAX, 'line')} more
          </Text>
        )}
      </ScrollBox>
    </>
  );
}
