import { Button, Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { exponentOf } from '../../ui/currencies.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { Money } from '../../ui/money.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { When } from '../../ui/when.tsx';
import { isResolvable, PARKED_REASONS, type Parked } from './stripe.ts';

export function ParkedEvents() {
  const project = useProject();
  const [asked, setAsked] = useState<Parked | null>(null);
  const list = useEndless<Parked>(['stripe-parked', project.id], (cursor, signal) =>
    answerOf(
      api.GET('/v1/integrations/stripe/parked', {
        params: { query: { projectId: project.id, limit: 50, cursor: cursor ?? undefined } },
        signal,
      }),
    ).then(byCursor),
  );
  const columns: readonly Column<Parked>[] = [
    {
      title: 'Event at Stripe',
      cell: ({ type, objectId }) => (
        <>
          {type}
          <Text size="sm" c="dimmed">
            {objectId}
          </Text>
        </>
      ),
    },
    {
      title: 'Why it waits',
      cell: ({ reason }) => (
        <StatusBadge
          tone="care"
          label={PARKED_REASONS[reason].label}
          explanation={PARKED_REASONS[reason].explanation}
        />
      ),
    },
    { title: 'Customer', cell: ({ customerId }) => customerId ?? '–' },
    {
      title: 'Amount',
      width: '7rem',
      align: 'right',
      cell: ({ amountMinor, currency }) =>
        amountMinor !== null && currency !== null ? (
          <Money
            amountMinor={amountMinor}
            currency={currency}
            exponent={exponentOf(currency) ?? 2}
          />
        ) : (
          '–'
        ),
    },
    { title: 'Since', width: '11rem', cell: ({ parkedAt }) => <When clock="real" at={parkedAt} /> },
    {
      title: 'Actions',
      width: '7rem',
      cell: (one) =>
        isResolvable(one) ? (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => setAsked(one)}
            aria-label={`Resolve ${one.objectId}`}
          >
            Resolve
          </Button>
        ) : null,
    },
  ];
  return (
    <Stack>
      <div>
        <Group justify="space-between">
          <Title order={2}>Parked events</Title>
          <ExportLink list="stripe-parked" label="Export parked events" />
        </Group>
        <Text c="dimmed" size="sm" maw={640} mt="xs">
          Stripe events that cannot be processed yet. An event of an unknown customer is processed
          automatically when a participant has that customer as billing id. Most events are dropped
          after 90 days; those that wait for a refund or dispute are kept for 540 days.
        </Text>
      </div>
      <DataTable
        label="Parked events"
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        empty={<EmptyState title="Nothing is parked">All Stripe events were processed.</EmptyState>}
      />
      {asked && <Resolve parked={asked} onClose={() => setAsked(null)} />}
    </Stack>
  );
}

function Resolve({ parked, onClose }: { parked: Parked; onClose: () => void }) {
  const project = useProject();
  const queryClient = useQueryClient();
  const [kind, setKind] = useState<'individual' | 'group'>('individual');
  const [externalId, setExternalId] = useState('');
  const resolve = async () => {
    if (externalId === '') throw new Error('Enter the participant.');
    await answerOf(
      api.POST('/v1/integrations/stripe/parked/{parkedId}/resolve', {
        params: { path: { parkedId: parked.id } },
        body: { projectId: project.id, participant: { kind, externalId } },
      }),
    );
  };
  const refresh = () => {
    for (const key of ['stripe-parked', 'events', 'rewards', 'attention']) {
      void queryClient.invalidateQueries({ queryKey: [key, project.id] });
    }
    notifyDone('Handled.');
  };
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Which participant is it about?"
      action="Process this event"
      isChanged={externalId !== ''}
      onConfirm={resolve}
      onDone={refresh}
    >
      <Stack>
        <Text size="sm">
          {parked.type} of {parked.customerId ?? 'a customer'} becomes a fact of this participant,
          and rewards are earned by it. This cannot be undone, and counts for this one event only:
          for all of the customer, set the participant’s billing id instead.
        </Text>
        <SegmentedControl
          aria-label="Kind of participant"
          value={kind}
          onChange={(value) => setKind(value as 'individual' | 'group')}
          data={[
            { value: 'individual', label: 'A person' },
            { value: 'group', label: 'A group' },
          ]}
        />
        <TextInput
          label="External id"
          description="Your own id of the participant, exactly as you send it."
          required
          maxLength={512}
          value={externalId}
          onChange={(event) => setExternalId(event.currentTarget.value)}
        />
      </Stack>
    </Confirm>
  );
}
