import { ActionIcon, Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { PlusIcon, Trash2Icon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMayAdminister } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { currencyChoices, exponentOf, fromMinor, toMinor } from '../../ui/currencies.ts';
import { Facts } from '../../ui/facts.tsx';
import { hasChanged } from '../../ui/has-changed.ts';
import { formatMinor } from '../../ui/money.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { type PayoutSettings, settingsQuery } from './queries.ts';

interface Minimum {
  readonly key: number;
  readonly currency: string | null;
  readonly amount: string;
}

/** What is wrong with a row; null if it is valid. */
function problemOf(row: Minimum, rows: readonly Minimum[]): string | null {
  if (row.currency === null) return 'Choose a currency';
  if (rows.some((one) => one.key < row.key && one.currency === row.currency))
    return 'This currency is already in the list';
  const exponent = exponentOf(row.currency) ?? 2;
  const minor = toMinor(row.amount, exponent);
  return minor === null || minor === '0' ? 'An amount above zero, such as 25' : null;
}

export function SettingsTab() {
  const { workspaceId } = useProject();
  const mayAdminister = useMayAdminister();
  const { data, error, refetch } = useQuery(settingsQuery(workspaceId));
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!data) return <Lines />;
  const minimums = data.minimums as Readonly<Record<string, string>>;
  if (!mayAdminister) return <SettingsShown settings={data} />;
  return (
    <Stack>
      <SecondApprover workspaceId={workspaceId} isRequired={data.requireSecondApprover} />
      <MinimumsForm key={JSON.stringify(minimums)} workspaceId={workspaceId} saved={minimums} />
    </Stack>
  );
}

function SettingsShown({ settings }: { settings: PayoutSettings }) {
  const minimums = Object.entries(settings.minimums as Readonly<Record<string, string>>);
  return (
    <Section title="How payouts are made" intro="Owners and admins can change this.">
      <Facts
        rows={[
          [
            'Approval',
            settings.requireSecondApprover
              ? 'By another person than the one who created the draft'
              : 'By anyone with permission to pay',
          ],
          ...minimums.map(([currency, minor]): [string, string] => [
            `Minimum in ${currency}`,
            formatMinor(minor, currency, exponentOf(currency) ?? 2),
          ]),
          [minimums.length > 0 ? 'Other currencies' : 'Minimum', 'None'],
        ]}
      />
    </Section>
  );
}

interface SecondApproverProps {
  readonly workspaceId: string;
  readonly isRequired: boolean;
}

/** Turned on at once; turned off only after a warning. */
function SecondApprover({ workspaceId, isRequired }: SecondApproverProps) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const save = (requireSecondApprover: boolean) =>
    answerOf(
      api.PUT('/v1/workspaces/{workspaceId}/payout-settings', {
        params: { path: { workspaceId } },
        body: { requireSecondApprover },
      }),
    );
  const done = async (message: string) => {
    await queryClient.invalidateQueries({ queryKey: ['payout-settings', workspaceId] });
    notifyDone(message);
  };
  const { submit, isBusy, error } = useSubmit(async () => {
    await save(true);
    await done('Another person has to approve.');
  });
  return (
    <Section
      title="Second approver"
      intro="Who may approve a batch. Applies to every project of the workspace."
    >
      <Switch
        label="Whoever created a draft cannot approve it"
        checked={isRequired}
        disabled={isBusy}
        onChange={() => (isRequired ? setAsking(true) : void submit())}
      />
      {error !== null && <ErrorState error={error} />}
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Let one person draft and approve?"
        action="Switch it off"
        isDangerous
        onConfirm={() => save(false)}
        onDone={() => done('The person who creates a draft may approve it.')}
      >
        From now on, the person who creates a draft can also approve and submit it, in every project
        of this workspace. No second person checks it before money is sent. The audit log records
        that you changed this.
      </Confirm>
    </Section>
  );
}

/** As they are saved; what is not valid yet is empty, and an empty row is nothing. */
const minimumsOf = (rows: readonly Minimum[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rows
      .filter(({ currency, amount }) => currency !== null || amount !== '')
      .map(({ currency, amount }) => [
        currency ?? '',
        toMinor(amount, exponentOf(currency ?? '') ?? 2) ?? '',
      ]),
  );

interface FormProps {
  readonly workspaceId: string;
  readonly saved: Readonly<Record<string, string>>;
}

function MinimumsForm({ workspaceId, saved }: FormProps) {
  const queryClient = useQueryClient();
  const [rows, setRows] = useState<readonly Minimum[]>(() =>
    Object.entries(saved).map(([currency, minor], key) => ({
      key,
      currency,
      amount: fromMinor(minor, exponentOf(currency) ?? 2),
    })),
  );
  const isChanged = hasChanged(saved, minimumsOf(rows));
  const isFaulty = rows.some((row) => problemOf(row, rows) !== null);
  const unsaved = useUnsaved(isChanged);
  const [isTried, setTried] = useState(false);
  const change = (key: number, part: Partial<Minimum>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const { submit, isBusy, error } = useSubmit(async () => {
    setTried(true);
    if (rows.some((row) => problemOf(row, rows) !== null)) return;
    await answerOf(
      api.PUT('/v1/workspaces/{workspaceId}/payout-settings', {
        params: { path: { workspaceId } },
        body: { minimums: minimumsOf(rows) },
      }),
    );
    await queryClient.invalidateQueries({ queryKey: ['payout-settings', workspaceId] });
    notifyDone('Minimums saved. They apply from the next draft or approval on.');
  });
  return (
    <Section
      title="Minimum amount of a transfer"
      intro="Smaller amounts are carried over to a later payout. A currency that is not listed has no minimum. The settings apply to every project of the workspace."
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {rows.length === 0 && <Text>No minimum is set: every amount above zero is paid.</Text>}
          {rows.map((row) => {
            const problem = isTried ? problemOf(row, rows) : null;
            const isAboutCurrency = problem?.includes('urrency') ?? false;
            return (
              <Group key={row.key} align="flex-start" gap="xs" wrap="nowrap">
                <Select
                  aria-label="Currency"
                  placeholder="Currency"
                  data={currencyChoices()}
                  searchable
                  flex="1 1 12rem"
                  maw={280}
                  value={row.currency}
                  onChange={(currency) => change(row.key, { currency })}
                  error={isAboutCurrency ? problem : null}
                />
                <TextInput
                  aria-label={`Minimum in ${row.currency ?? 'the currency'}`}
                  inputMode="decimal"
                  placeholder="25.00"
                  flex="0 1 9rem"
                  value={row.amount}
                  onChange={(event) => change(row.key, { amount: event.currentTarget.value })}
                  error={isAboutCurrency ? null : problem}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="input-sm"
                  aria-label={`Remove the minimum in ${row.currency ?? 'this currency'}`}
                  onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
                >
                  <Trash2Icon size={18} />
                </ActionIcon>
              </Group>
            );
          })}
          {error !== null && <ErrorState error={error} />}
          <Group>
            <Button
              variant="default"
              leftSection={<PlusIcon size={16} />}
              onClick={() =>
                setRows([
                  ...rows,
                  { key: (rows.at(-1)?.key ?? -1) + 1, currency: null, amount: '' },
                ])
              }
            >
              Add a currency
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isChanged && !isFaulty}>
              Save minimums
            </Button>
          </Group>
        </Stack>
        {unsaved.question}
      </form>
    </Section>
  );
}
