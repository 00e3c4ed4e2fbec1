import { Button, Group, Menu, Stack, Text, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { EllipsisIcon, KeyRoundIcon, PlusIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { When } from '../../ui/when.tsx';
import { countOf } from '../../ui/words.ts';
import { RevokeKey, RotateKey } from './key-actions.tsx';
import { KeyForm } from './key-form.tsx';
import { type ApiKey, PRESETS, presetOf, stateOfKey } from './permissions.ts';

function describePermissions(permissions: ApiKey['permissions']): string {
  const preset = presetOf(permissions);
  return preset ? PRESETS[preset].label : countOf(permissions.length, 'permission');
}

function Permissions({ permissions }: Pick<ApiKey, 'permissions'>) {
  return (
    <Tooltip
      label={permissions.join(', ')}
      multiline
      maw={320}
      events={{ hover: true, focus: true, touch: true }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list is read by keys, too */}
      <span tabIndex={0}>{describePermissions(permissions)}</span>
    </Tooltip>
  );
}

export function ApiKeysTab() {
  const { workspaceId, environment } = useProject();
  const queryClient = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [asked, setAsked] = useState<{ what: 'rotate' | 'revoke'; key: ApiKey } | null>(null);
  const list = useEndless<ApiKey>(['api-keys', workspaceId, environment], async (cursor, signal) =>
    byCursor(
      await answerOf(
        api.GET('/v1/api-keys', {
          params: {
            query: { workspaceId, environment, limit: 100, cursor: cursor ?? undefined },
          },
          signal,
        }),
      ),
    ),
  );
  const made = async (key: string) => {
    setSecret(key);
    await queryClient.invalidateQueries({ queryKey: ['api-keys', workspaceId] });
  };
  const columns: readonly Column<ApiKey>[] = [
    {
      title: 'Name',
      width: 'minmax(0, 1.6fr)',
      sortBy: ({ name }) => name,
      cell: ({ name }) => (
        <Text inherit fw={600}>
          {name}
        </Text>
      ),
    },
    {
      title: 'Key',
      width: '12rem',
      cell: ({ prefix, last4 }) => (
        <code>
          {prefix}…{last4}
        </code>
      ),
    },
    {
      title: 'Permissions',
      sortBy: ({ permissions }) => describePermissions(permissions),
      cell: ({ permissions }) => <Permissions permissions={permissions} />,
    },
    {
      title: 'State',
      width: '8rem',
      sortBy: (key) => stateOfKey(key, Date.now()).label,
      cell: (key) => {
        const state = stateOfKey(key, Date.now());
        return (
          <Group gap="xs">
            <StatusBadge {...state} />
            {(key.revokedAt ?? key.expiresAt) && (
              <When clock="real" at={key.revokedAt ?? key.expiresAt} />
            )}
          </Group>
        );
      },
    },
    {
      title: 'Last used',
      width: '7.5rem',
      sortBy: ({ lastUsedAt }) => (lastUsedAt === null ? 0 : Date.parse(lastUsedAt)),
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <Text span inherit c="dimmed">
            Not yet
          </Text>
        ) : (
          <When clock="real" at={lastUsedAt} />
        ),
    },
    {
      title: 'Created',
      width: '7.5rem',
      sortBy: ({ createdAt }) => Date.parse(createdAt),
      cell: ({ createdAt }) => <When clock="real" at={createdAt} />,
    },
    {
      title: 'Actions',
      width: '5rem',
      cell: (key) =>
        stateOfKey(key, Date.now()).isOver ? null : (
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                aria-label={`Actions for ${key.name}`}
              >
                <EllipsisIcon size={18} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setAsked({ what: 'rotate', key })}>Rotate</Menu.Item>
              <Menu.Item onClick={() => setAsked({ what: 'revoke', key })}>Revoke</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        ),
    },
  ];
  const add = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          For your backend only, never for a browser. A key works for all {environment} projects of
          the workspace.
        </Text>
        <Group gap="xs">
          <ExportLink list="api-keys" filters={{ environment }} />
          {add}
        </Group>
      </Group>
      <DataTable
        label="API keys"
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        empty={
          <EmptyState
            icon={<KeyRoundIcon size={40} strokeWidth={1.4} />}
            title="No keys yet"
            action={add}
          >
            Your backend sends a key with every call, in the header X-Api-Key. Create a separate key
            for each job, with only the permissions that it needs.
          </EmptyState>
        }
      />
      <KeyForm opened={isCreating} onClose={() => setCreating(false)} onMade={made} />
      <RotateKey
        apiKey={asked?.what === 'rotate' ? asked.key : null}
        onClose={() => setAsked(null)}
        onMade={made}
      />
      <RevokeKey
        apiKey={asked?.what === 'revoke' ? asked.key : null}
        onClose={() => setAsked(null)}
      />
      <SecretOnce secret={secret} title="The new API key" onClose={() => setSecret(null)}>
        Keep it where your backend reads its secrets, for instance as <code>GOODWORD_KEY</code>.
        Only a hash of it is kept here.
      </SecretOnce>
    </Stack>
  );
}
