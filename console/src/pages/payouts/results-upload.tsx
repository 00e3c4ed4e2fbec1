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
import { useEffect, useState } from 'react';
import { useProject } from '../../app/project.ts';
import { readText } from '../../ui/parse-csv.ts';
import { saveText } from '../../ui/save-text.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { countOf } from '../../ui/words.ts';
import { checkResults, type Verdict } from './check-results.ts';
import { findPayouts } from './queries.ts';
import { readResults } from './read-results.ts';
import { sayResults } from './say-results.ts';
import { reportCsv, useSendResults } from './send-results.ts';
import type { Batch } from './states.ts';

const EXAMPLE = `payout_id,outcome,transfer_reference,failure_reason,message
po_01ka3m…,paid,TR-20931,,
po_01kb9x…,failed,,account_closed,Closed in May`;

const SHOWN_MAX = 200;

type Checked = { readonly refused: string } | { readonly verdicts: readonly Verdict[] };

/** Reads a file of results, shows what each line would do, then sends them one by one. */
export function ResultsUpload({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const project = useProject();
  const [file, setFile] = useState<File | null>(null);
  const [read, setRead] = useState<Checked | null>(null);
  const sending = useSendResults(project.id);
  // Judged once, by the state of the payouts at that time: sending changes them, and the report
  // must not change.
  const {
    submit: check,
    isBusy,
    error,
  } = useSubmit(async () => {
    if (!file) return;
    const results = readResults(await readText(file));
    if ('refused' in results) return setRead({ refused: results.refused });
    const ids = results.rows.map(({ payoutId }) => payoutId).filter((id) => id !== '');
    const payouts = await findPayouts(project.id, batch.id, ids);
    setRead({ verdicts: checkResults(results.rows, payouts) });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file is checked when it is chosen
  useEffect(() => {
    setRead(null);
    void check();
  }, [file]);
  const verdicts = read && 'verdicts' in read ? read.verdicts : [];
  const ready = verdicts.filter((one) => one.kind === 'ready');
  const { state } = sending;
  const isSending = state.step === 'sending';
  const again = [...state.failed.map(({ item }) => item), ...state.left];
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
              clearButtonProps={{ 'aria-label': 'Remove the file' }}
              disabled={isBusy}
              value={file}
              onChange={setFile}
              error={read && 'refused' in read ? read.refused : null}
            />
            {error !== null && <ErrorState error={error} retry={() => void check()} />}
            {isBusy && <Lines count={3} />}
            {verdicts.length > 0 && <Preview verdicts={verdicts} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button
                disabled={isBusy || ready.length === 0}
                onClick={() => void sending.start(ready)}
              >
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
              {countOf(state.recorded.size, 'result')} recorded of {state.total.toLocaleString()}
              {state.failed.length > 0 ? `, ${state.failed.length} refused` : ''}.
            </Text>
            <Progress
              value={((state.recorded.size + state.failed.length) / state.total) * 100}
              aria-label="Results sent"
            />
            {state.trouble !== null && <ErrorState error={state.trouble} />}
            {state.failed.length > 0 && (
              <ScrollBox label="Lines that were refused">
                {state.failed.map(({ item: { row }, reason }) => (
                  <Text key={row.line} size="sm">
                    Line {row.line}, <code>{row.payoutId}</code>: {reason}
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
                  {again.length > 0 && (
                    <Button variant="default" onClick={() => void sending.start(again)}>
                      {state.left.length > 0 ? 'Continue with' : 'Try'}{' '}
                      {countOf(again.length, 'line')}
                      {state.left.length > 0 ? '' : ' again'}
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
        {refused} left out.{sayResults(verdicts)} What is paid fulfils its rewards at once; what
        failed is paid again by the next batch.
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
