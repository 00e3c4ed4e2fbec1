import { Button, Group, List, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useProject } from '../../app/project.ts';
import { BulkReport } from '../../ui/bulk-report.tsx';
import { readIssues } from '../../ui/form-issues.ts';
import { notifyDone } from '../../ui/notify.ts';
import { type ManyProgress, runMany } from '../../ui/run-many.ts';
import { ErrorState } from '../../ui/states.tsx';
import { FormDialog } from '../../ui/unsaved.tsx';
import { countOf } from '../../ui/words.ts';
import { PEOPLE_KEYS } from '../people/queries.ts';
import { ACTION_WORDS } from './action-words.ts';
import type { Reward } from './explain-reward.ts';
import { type ActionInput, perform } from './perform.ts';
import { type RewardAction, VOID_REASONS, type VoidReason } from './reward-actions.ts';

interface ActionDialogProps {
  readonly action: RewardAction;
  /** All of them in a state that allows it. */
  readonly rewards: readonly Reward[];
  readonly onClose: () => void;
}

const FIELDS = ['externalReference', 'reasonCode', 'reason'];

/** Asks, applies the action to one or more rewards, and reports the results. */
export function ActionDialog({ action, rewards, onClose }: ActionDialogProps) {
  const project = useProject();
  const queries = useQueryClient();
  const words = ACTION_WORDS[action];
  const [input, setInput] = useState<ActionInput>({
    externalReference: '',
    reasonCode: 'fraud',
    reason: '',
  });
  const [error, setError] = useState<unknown>(null);
  const { rest } = readIssues(error, FIELDS);
  const [isBusy, setBusy] = useState(false);
  const [progress, setProgress] = useState<ManyProgress<string> | null>(null);
  const stop = useRef<AbortController>(null);

  const doOne = (id: string) =>
    perform(project.id, action, id, {
      ...input,
      externalReference: input.externalReference.trim(),
      reason: input.reason.trim(),
    });
  const refresh = () => {
    for (const key of PEOPLE_KEYS) void queries.invalidateQueries({ queryKey: [key] });
  };
  const run = async (ids: readonly string[]) => {
    setBusy(true);
    setError(null);
    const [first] = ids;
    if (rewards.length === 1 && first) {
      try {
        await doOne(first);
        onClose();
        refresh();
        notifyDone(words.done);
      } catch (fault) {
        setError(fault);
      }
    } else {
      const controller = new AbortController();
      stop.current = controller;
      await runMany({
        items: ids,
        work: doOne,
        onProgress: setProgress,
        signal: controller.signal,
      });
      refresh();
    }
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(rewards.map(({ id }) => id));
  };
  const title =
    rewards.length === 1 ? words.verb : `${words.verb}: ${countOf(rewards.length, 'reward')}`;

  return (
    <FormDialog
      opened
      onClose={onClose}
      isChanged={progress === null && (input.externalReference !== '' || input.reason !== '')}
      isBusy={isBusy}
      title={title}
      centered
      size="lg"
    >
      {progress ? (
        <BulkReport
          progress={progress}
          type="reward"
          one="reward"
          file={`${action}-report`}
          onStop={() => stop.current?.abort()}
          onRepeat={run}
          onClose={onClose}
        />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <List spacing={4} size="sm">
              {words.effects(rewards).map((effect) => (
                <List.Item key={effect}>{effect}</List.Item>
              ))}
            </List>
            <ActionFields action={action} input={input} onChange={setInput} error={error} />
            {rest !== null && <ErrorState error={rest} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose} disabled={isBusy}>
                Cancel
              </Button>
              <Button type="submit" color={action === 'void' ? 'red' : 'leaf'} loading={isBusy}>
                {rewards.length === 1 ? words.verb : `${words.verb} (${rewards.length})`}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </FormDialog>
  );
}

interface ActionFieldsProps {
  readonly action: RewardAction;
  readonly input: ActionInput;
  readonly onChange: (input: ActionInput) => void;
  readonly error: unknown;
}

function ActionFields({ action, input, onChange, error }: ActionFieldsProps) {
  const issues = readIssues(error, FIELDS);
  if (action === 'retry') return null;
  if (action === 'void') {
    const isOther = input.reasonCode === 'other';
    return (
      <>
        <NativeSelect
          label="Reason"
          data={VOID_REASONS}
          value={input.reasonCode}
          onChange={(event) => {
            onChange({ ...input, reasonCode: event.currentTarget.value as VoidReason });
          }}
          error={issues.of('reasonCode')}
        />
        <TextInput
          label="In your words"
          description="For your colleagues and the audit log. The participant does not see it."
          required={isOther}
          maxLength={500}
          value={input.reason}
          onChange={(event) => onChange({ ...input, reason: event.currentTarget.value })}
          error={issues.of('reason')}
        />
      </>
    );
  }
  return (
    <TextInput
      label="Your reference"
      description="How you find it again in your own books: a ledger entry, a ticket. When you repeat this, use the same one."
      required
      maxLength={255}
      data-autofocus
      value={input.externalReference}
      onChange={(event) => onChange({ ...input, externalReference: event.currentTarget.value })}
      error={issues.of('externalReference')}
    />
  );
}
