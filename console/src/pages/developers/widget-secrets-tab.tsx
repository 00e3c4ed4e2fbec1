import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { LockKeyholeIcon, PlusIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useEndless } from '../../ui/use-endless.ts';
import { When } from '../../ui/when.tsx';
import { countOf } from '../../ui/words.ts';
import { stateOfKey } from './permissions.ts';

type WidgetSecret = Row<'/v1/projects/{projectId}/widget-secrets'>;

export function WidgetSecretsTab() {
  const project = useProject();
  const queryClient = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [asked, setAsked] = useState<WidgetSecret | null>(null);
  const path = { projectId: project.id };
  const list = useEndless<WidgetSecret>(['widget-secrets', project.id], async (_, signal) => ({
    rows: (
      await answerOf(
        api.GET('/v1/projects/{projectId}/widget-secrets', { params: { path }, signal }),
      )
    ).data,
    next: null,
  }));
  const live = list.rows.filter((one) => !stateOfKey(one, Date.now()).isOver);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['widget-secrets', project.id] });
  const create = () =>
    answerOf(api.POST('/v1/projects/{projectId}/widget-secrets', { params: { path } }));
  const revoke = ({ id }: WidgetSecret) =>
    answerOf(
      api.POST('/v1/projects/{projectId}/widget-secrets/{secretId}/revoke', {
        params: { path: { ...path, secretId: id } },
      }),
    );
  const columns: readonly Column<WidgetSecret>[] = [
    { title: 'Secret', cell: ({ last4 }) => <code>wsec_…{last4}</code> },
    {
      title: 'State',
      width: 'minmax(0, 1.4fr)',
      sortBy: (one) => stateOfKey(one, Date.now()).label,
      cell: (one) => (
        <Group gap="xs">
          <StatusBadge {...stateOfKey(one, Date.now())} />
          {(one.revokedAt ?? one.expiresAt) && (
            <When clock="real" at={one.revokedAt ?? one.expiresAt} />
          )}
        </Group>
      ),
    },
    {
      title: 'Created',
      sortBy: ({ createdAt }) => Date.parse(createdAt),
      cell: ({ createdAt }) => <When clock="real" at={createdAt} />,
    },
    {
      title: 'Actions',
      width: '7rem',
      cell: (one) =>
        stateOfKey(one, Date.now()).isOver ? null : (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => setAsked(one)}
            aria-label={`Revoke the secret that ends with ${one.last4}`}
          >
            Revoke
          </Button>
        ),
    },
  ];
  const add = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setCreating(true)}>
      New secret
    </Button>
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          Your backend uses it to sign short-lived tokens for the widget. A token says which user is
          logged in.
        </Text>
        {add}
      </Group>
      <DataTable
        label="Widget secrets"
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        empty={
          <EmptyState
            icon={<LockKeyholeIcon size={40} strokeWidth={1.4} />}
            title="No widget secret yet"
            action={add}
          >
            Create a secret and let your backend sign tokens with it, as shown under Connect. Until
            then, the widget cannot be used.
          </EmptyState>
        }
      />
      <Confirm
        opened={isCreating}
        onClose={() => setCreating(false)}
        title="Create a widget secret?"
        action="Create a secret"
        onConfirm={create}
        onDone={(made) => {
          setSecret(made.secret);
          void refresh();
        }}
      >
        {live.length === 0
          ? 'It signs tokens from now on.'
          : 'It signs tokens from now on. The previous secret expires in 24 hours; until then, both are valid.'}
      </Confirm>
      <Confirm
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title="Revoke this widget secret?"
        action="Revoke it now"
        isDangerous
        onConfirm={async () => asked && revoke(asked)}
        onDone={() => {
          void refresh();
          notifyDone('The secret is revoked.');
        }}
      >
        Its tokens are refused immediately, so open widgets stop working until they get another.{' '}
        {countOf(Math.max(0, live.length - 1), 'other secret')}{' '}
        {live.length === 2 ? 'stays' : 'stay'} good. This cannot be undone.
      </Confirm>
      <SecretOnce secret={secret} title="The widget secret" onClose={() => setSecret(null)}>
        Keep it where your backend reads its secrets, for instance as <code>WIDGET_SECRET</code>.
        The whole text is the key, <code>wsec_</code> and all.
      </SecretOnce>
    </Stack>
  );
}
