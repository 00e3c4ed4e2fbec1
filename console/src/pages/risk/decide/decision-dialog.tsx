import { Button, Group, List, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { BulkReport } from '../../../ui/bulk-report.tsx';
import { readIssues } from '../../../ui/form-issues.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { type ManyProgress, runMany } from '../../../ui/run-many.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { FormDialog } from '../../../ui/unsaved.tsx';
import { countOf } from '../../../ui/words.ts';
import type { Decision, Review } from '../queries.ts';
import { DECISIONS, effectsOf } from './decision-words.ts';
import { useDecide } from './use-decide.ts';

export interface Asked {
  readonly decision: Decision;
  /** As they were when it was asked: the list behind changes meanwhile. All of them are open. */
  readonly reviews: readonly Review[];
}

/** Says what a decision does, takes a note, and decides one or more reviews. */
export function DecisionDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { decision, reviews } = asked;
  const { decide, refresh } = useDecide();
  const [note, setNote] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [progress, setProgress] = useState<ManyProgress<string> | null>(null);
  const stop = useRef<AbortController>(null);
  const issues = readIssues(error, ['note']);
  const { verb, done } = DECISIONS[decision];
  const isOne = reviews.length === 1;

  const decideOne = async (id: string) => {
    try {
      await decide(id, decision, note.trim());
    } catch (fault) {
      setError(fault);
      return;
    }
    onClose();
    refresh();
    notifyDone(done);
  };
  const decideMany = async (ids: readonly string[]) => {
    const controller = new AbortController();
    stop.current = controller;
    const end = await runMany({
      items: ids,
      work: (id) => decide(id, decision, note.trim()),
      onProgress: setProgress,
      signal: controller.signal,
    });
    refresh();
    if (end.done < ids.length) return;
    onClose();
    notifyDone(`${countOf(end.done, 'review')} decided.`);
  };
  const run = async (ids: readonly string[]) => {
    const [first] = ids;
    setBusy(true);
    setError(null);
    if (isOne && first) await decideOne(first);
    else await decideMany(ids);
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(reviews.map(({ id }) => id));
  };

  return (
    <FormDialog
      opened
      onClose={onClose}
      isChanged={progress === null && note !== ''}
      isBusy={isBusy}
      title={isOne ? `${verb} the referral?` : `${verb} ${countOf(reviews.length, 'referral')}?`}
      centered
      size="lg"
    >
      {progress ? (
        <BulkReport
          progress={progress}
          type="risk_review"
          one="review"
          file={`${decision}-report`}
          onStop={() => stop.current?.abort()}
          onRepeat={(ids) => void run(ids)}
          onClose={onClose}
        />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <List spacing={4} size="sm">
              {effectsOf(decision, reviews).map((effect) => (
                <List.Item key={effect}>{effect}</List.Item>
              ))}
            </List>
            <TextInput
              label="Note"
              description="For your colleagues and the audit log. The participants do not see it."
              maxLength={500}
              data-autofocus
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
              error={issues.of('note')}
            />
            {issues.rest !== null && <ErrorState error={issues.rest} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose} disabled={isBusy}>
                Cancel
              </Button>
              <Button type="submit" color={decision === 'reject' ? 'red' : 'leaf'} loading={isBusy}>
                {isOne ? verb : `${verb} (${reviews.length})`}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </FormDialog>
  );
}
