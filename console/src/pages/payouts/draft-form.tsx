import { Alert, Anchor, Button, Group, Radio, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMayAdminister } from '../../app/session.ts';
import { currencyChoices } from '../../ui/currencies.ts';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { readIssues } from '../../ui/form-issues.ts';
import { notifyDone } from '../../ui/notify.ts';
import { ErrorState } from '../../ui/states.tsx';
import { FormDialog, useIsChanged, useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { countOf } from '../../ui/words.ts';
import { useRefreshPayouts } from './queries.ts';
import { type Batch, METHODS } from './states.ts';
import { payoutCountOf } from './totals.ts';

/** The providers that the workspace has connected in this environment; null while loading. */
function useConnected(): ReadonlySet<string> | null {
  const project = useProject();
  const { data } = useQuery({
    queryKey: ['payout-connections', project.workspaceId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/workspaces/{workspaceId}/payout-connections', {
            params: { path: { workspaceId: project.workspaceId } },
            signal,
          }),
        )
      ).data,
  });
  if (!data) return null;
  const ours = data.filter(({ environment }) => environment === project.environment);
  return new Set(ours.map(({ method }) => method));
}

interface DraftFormProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function DraftForm({ opened, onClose }: DraftFormProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="New payout batch" size="lg" centered>
      <Fields onClose={onClose} />
    </FormDialog>
  );
}

function Fields({ onClose }: Pick<DraftFormProps, 'onClose'>) {
  const project = useProject();
  const navigate = useNavigate();
  const refresh = useRefreshPayouts(project.id);
  const connected = useConnected();
  const mayAdminister = useMayAdminister();
  const [method, setMethod] = useState<Batch['method']>('manual_export');
  const [currency, setCurrency] = useState<string | null>(null);
  const [cutoffAt, setCutoffAt] = useState<string | null>(null);
  const isOff = (name: string) =>
    name !== 'manual_export' && connected !== null && !connected.has(name);

  const { submit, isBusy, error } = useSubmit(async () => {
    const { data } = await answerOf(
      api.POST('/v1/payout-batches', {
        body: { projectId: project.id, method, currency, cutoffAt },
      }),
    );
    void refresh();
    const count = payoutCountOf(data);
    notifyDone(
      count === 0
        ? 'Draft created: there is nobody to pay.'
        : `Draft created: ${countOf(count, 'transfer')}.`,
    );
    onClose();
    await navigate({
      to: '/p/$projectId/payouts/batches/$batchId',
      params: { projectId: project.id, batchId: data.id },
    });
  });
  const isChanged = useIsChanged({ method, currency, cutoffAt });
  const unsaved = useUnsaved(isChanged, isBusy);
  const issues = readIssues(error, ['method', 'currency', 'cutoffAt']);

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Text size="sm" c="dimmed">
          Collects and reserves every cash reward that can be paid now. Nothing is sent before you
          approve and submit it.
        </Text>
        <Radio.Group
          label="How it is paid"
          value={method}
          onChange={(value) => setMethod(value as Batch['method'])}
          error={issues.of('method')}
        >
          <Stack gap="xs" mt="xs">
            {Object.entries(METHODS).map(([value, { label, explanation }]) => (
              <Radio
                key={value}
                value={value}
                label={label}
                description={isOff(value) ? 'No account is connected yet.' : explanation}
                disabled={isOff(value)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {mayAdminister && connected !== null && connected.size < 3 && (
          <Text size="sm" c="dimmed">
            Accounts to pay from are connected under{' '}
            <Anchor
              underline="always"
              component={Link}
              inherit
              to="/p/$projectId/integrations"
              params={{ projectId: project.id } as never}
              search={{ tab: 'payouts' } as never}
            >
              Integrations
            </Anchor>
            .
          </Text>
        )}
        <Select
          label="Currency"
          description="Leave this empty to pay all currencies, with one transfer for each person and currency."
          placeholder="All"
          data={currencyChoices()}
          searchable
          clearable
          value={currency}
          onChange={setCurrency}
          error={issues.of('currency')}
        />
        <DateTimeInput
          label="Only what was available before"
          description="Leave this empty for everything that is available now."
          value={cutoffAt}
          onChange={setCutoffAt}
          error={issues.of('cutoffAt')}
        />
        {project.environment === 'live' && method !== 'manual_export' && (
          <Alert color="blue" variant="light">
            This project is live: once submitted, real money leaves your account.
          </Alert>
        )}
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Create a draft
          </Button>
        </Group>
      </Stack>
      {unsaved.question}
    </form>
  );
}
