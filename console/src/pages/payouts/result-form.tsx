import { Alert, Button, Group, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { formatMinor } from '../../ui/money.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { ErrorState } from '../../ui/states.tsx';
import { FormDialog, useIsChanged, useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { countOf } from '../../ui/words.ts';
import { useRefreshPayouts } from './queries.ts';
import {
  BLAMES_DETAILS,
  FAILURE_REASONS,
  type FailureReason,
  METHODS,
  type Outcome,
  outcomesFor,
  type Payout,
} from './states.ts';

const OUTCOMES: Readonly<
  Record<Outcome, { label: string; description: (lines: string) => string }>
> = {
  paid: {
    label: 'It was paid',
    description: (lines) => `Fulfils ${lines} immediately and sends a webhook.`,
  },
  failed: {
    label: 'It failed',
    description: (lines) => `No money moved. ${lines} will be paid by the next batch.`,
  },
  returned: {
    label: 'It was returned',
    description: (lines) =>
      `The money was returned. ${lines} will be paid again by the next batch.`,
  },
};

interface ResultFormProps {
  readonly payout: Payout;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Records the outcome of one transfer manually. */
export function ResultForm(props: ResultFormProps) {
  return (
    <FormDialog opened={props.opened} onClose={props.onClose} title="Record result" centered>
      <Fields {...props} />
    </FormDialog>
  );
}

function Fields({ payout, onClose }: ResultFormProps) {
  const project = useProject();
  const refresh = useRefreshPayouts(project.id);
  const choices = outcomesFor(payout.status);
  const [outcome, setOutcome] = useState<Outcome>(choices[0] ?? 'paid');
  const [reference, setReference] = useState('');
  const [reason, setReason] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  const isChanged = useIsChanged({ outcome, reference, reason, message });
  const isFailure = outcome !== 'paid';
  const { amountMinor, currency, currencyExponent } = payout;
  const amount = formatMinor(amountMinor, currency, currencyExponent);
  const lines = `${countOf(payout.rewards.length, 'reward')}, ${amount},`;
  const { submit, isBusy, error } = useSubmit(async () => {
    await answerOf(
      api.POST('/v1/payouts/{payoutId}/result', {
        params: { path: { payoutId: payout.id } },
        body: {
          projectId: project.id,
          outcome,
          reference: reference.trim() || null,
          failureReason: isFailure ? (reason as FailureReason | null) : null,
          failureMessage: isFailure ? message.trim() || null : null,
        },
      }),
    );
    onClose();
    void refresh();
    notifyDone(`Recorded: ${OUTCOMES[outcome].label.toLowerCase()}.`);
  });
  const unsaved = useUnsaved(isChanged, isBusy);
  const issues = readIssues(error, ['reference', 'failureReason', 'failureMessage']);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {payout.method !== 'manual_export' && (
          <Alert color="orange" variant="light">
            {METHODS[payout.method].label} is asked about this transfer by itself. You can record it
            here only once it could not answer for 24 hours; look it up on its own pages first. A
            transfer recorded as failed is paid again.
          </Alert>
        )}
        <Radio.Group
          label="Result of the transfer"
          value={outcome}
          onChange={(value) => setOutcome(value as Outcome)}
        >
          <Stack gap="xs" mt="xs">
            {choices.map((choice) => (
              <Radio
                key={choice}
                value={choice}
                label={OUTCOMES[choice].label}
                description={OUTCOMES[choice].description(lines)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label="Reference of the transfer"
          description="Your bank’s or provider’s reference (optional)."
          maxLength={255}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
          error={issues.of('reference')}
        />
        {isFailure && (
          <>
            <Select
              label="Why"
              placeholder="Another reason"
              clearable
              data={Object.entries(FAILURE_REASONS).map(([value, label]) => ({ value, label }))}
              value={reason}
              onChange={setReason}
              error={issues.of('failureReason')}
              description={
                reason && BLAMES_DETAILS.has(reason as FailureReason)
                  ? 'The payee must enter new details before they are paid again.'
                  : undefined
              }
            />
            <Textarea
              label="In words"
              maxLength={500}
              autosize
              minRows={2}
              value={message}
              onChange={(event) => setMessage(event.currentTarget.value)}
              error={issues.of('failureMessage')}
            />
          </>
        )}
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Record it
          </Button>
        </Group>
      </Stack>
      {unsaved.question}
    </form>
  );
}
