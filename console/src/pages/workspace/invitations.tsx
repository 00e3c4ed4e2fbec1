import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { When } from '../../ui/when.tsx';
import { humanize } from '../../ui/words.ts';

type Invitation = Row<'/v1/invitations'>;

const TONES: Record<Invitation['status'], Tone> = {
  open: 'waits',
  accepted: 'good',
  revoked: 'over',
  expired: 'over',
};

export function Invitations() {
  const { workspaceId } = useProject();
  const queryClient = useQueryClient();
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const list = useEndless(['invitations', workspaceId], async (cursor, signal) =>
    byCursor(
      await answerOf(
        api.GET('/v1/invitations', {
          params: { query: { workspaceId, limit: 50, ...(cursor ? { cursor } : {}) } },
          signal,
        }),
      ),
    ),
  );
  return (
    <>
      <DataTable
        label="Invitations"
        list={list}
        idOf={({ id }) => id}
        columns={[
          {
            title: 'E-mail',
            width: 'minmax(0, 1.6fr)',
            sortBy: ({ email }) => email,
            cell: ({ email }) => email,
          },
          { title: 'Role', sortBy: ({ role }) => role, cell: ({ role }) => humanize(role) },
          {
            title: 'State',
            sortBy: ({ status }) => status,
            cell: ({ status }) => <StatusBadge tone={TONES[status]} label={humanize(status)} />,
          },
          {
            title: 'Expires',
            width: '11rem',
            sortBy: ({ expiresAt }) => Date.parse(expiresAt),
            cell: ({ expiresAt }) => <When clock="real" at={expiresAt} />,
          },
          {
            title: 'Actions',
            width: '7rem',
            cell: (invitation) =>
              invitation.status === 'open' && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Revoke the invitation of ${invitation.email}`}
                  onClick={() => setRevoked(invitation)}
                >
                  Revoke
                </Button>
              ),
          },
        ]}
        empty={<Text c="dimmed">Nobody was invited yet.</Text>}
      />
      <Confirm
        opened={revoked !== null}
        onClose={() => setRevoked(null)}
        title="Revoke the invitation?"
        action="Revoke it"
        isDangerous
        onConfirm={async () => {
          if (!revoked) return;
          await answerOf(
            api.POST('/v1/invitations/{invitationId}/revoke', {
              params: { path: { invitationId: revoked.id } },
            }),
          );
        }}
        onDone={() => {
          void queryClient.invalidateQueries({ queryKey: ['invitations', workspaceId] });
          notifyDone('The invitation is revoked.');
        }}
      >
        The link that {revoked?.email} got stops working immediately.
      </Confirm>
    </>
  );
}
