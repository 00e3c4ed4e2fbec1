import { Badge, Button, Group, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { UserPlusIcon, UsersRoundIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { sessionQuery, useMembership, useSession } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { When } from '../../ui/when.tsx';
import { humanize } from '../../ui/words.ts';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { RoleSelect } from './role-select.tsx';
import { ROLES, type Role } from './roles.ts';
import { SecondFactorSwitch } from './second-factor-switch.tsx';

type Member = Row<'/v1/users'>;

export function TeamPage() {
  return (
    <ForAdministrators title="Team">
      <Team />
    </ForAdministrators>
  );
}

function Team() {
  const { workspaceId } = useProject();
  const { user } = useSession();
  const membership = useMembership(workspaceId);
  const isOwner = membership?.role === 'owner';
  const queryClient = useQueryClient();
  const [isInviting, setInviting] = useState(false);
  const [change, setChange] = useState<{ member: Member; role: Role } | null>(null);
  const [removed, setRemoved] = useState<Member | null>(null);
  const members = useEndless(['users', workspaceId], async (cursor, signal) =>
    byCursor(
      await answerOf(
        api.GET('/v1/users', {
          params: { query: { workspaceId, limit: 100, ...(cursor ? { cursor } : {}) } },
          signal,
        }),
      ),
    ),
  );
  const refresh = async (member: Member) => {
    // The user's own permissions follow from their role.
    if (member.id === user.id) await queryClient.invalidateQueries(sessionQuery);
    await queryClient.invalidateQueries({ queryKey: ['users', workspaceId] });
  };
  const mayChange = (member: Member) => isOwner || member.role !== 'owner';
  return (
    <Page
      title="Team"
      intro={`Who may do what in ${membership?.workspaceName ?? 'this workspace'}, in all its projects.`}
      actions={
        <Group gap="xs">
          <ExportLink list="users" />
          <Button leftSection={<UserPlusIcon size={16} />} onClick={() => setInviting(true)}>
            Invite somebody
          </Button>
        </Group>
      }
    >
      <DataTable
        label="Members"
        list={members}
        idOf={({ id }) => id}
        columns={[
          {
            title: 'Who',
            width: 'minmax(0, 1.6fr)',
            sortBy: ({ name }) => name,
            cell: (member) => (
              <div>
                <Text fw={600} component="div">
                  {member.name}{' '}
                  {member.id === user.id && (
                    <Badge variant="light" tt="none">
                      You
                    </Badge>
                  )}
                </Text>
                <Text size="sm" c="dimmed">
                  {member.email}
                </Text>
              </div>
            ),
          },
          {
            title: 'Role',
            width: '11rem',
            sortBy: ({ role }) => Object.keys(ROLES).indexOf(role),
            cell: (member) =>
              mayChange(member) ? (
                <RoleSelect
                  aria-label={`Role of ${member.name}`}
                  value={member.role}
                  mayMakeOwners={isOwner}
                  onChange={(role) => role !== member.role && setChange({ member, role })}
                />
              ) : (
                humanize(member.role)
              ),
          },
          {
            title: 'Second factor',
            width: '8.5rem',
            sortBy: ({ totpEnabled }) => Number(totpEnabled),
            cell: ({ totpEnabled }) => (
              <Badge variant="light" tt="none" color={totpEnabled ? 'leaf' : 'orange'}>
                {totpEnabled ? 'On' : 'Off'}
              </Badge>
            ),
          },
          {
            title: 'Last seen',
            width: '11rem',
            sortBy: ({ lastSeenAt }) => (lastSeenAt ? Date.parse(lastSeenAt) : null),
            cell: ({ id, lastSeenAt }) =>
              id === user.id ? 'Now' : <When clock="real" at={lastSeenAt} fallback="Not yet" />,
          },
          {
            title: 'Actions',
            width: '6.5rem',
            cell: (member) =>
              mayChange(member) && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Remove ${member.name}`}
                  onClick={() => setRemoved(member)}
                >
                  Remove
                </Button>
              ),
          },
        ]}
        empty={
          <EmptyState icon={<UsersRoundIcon size={40} />} title="Nobody yet">
            Invite the people who run programs, support customers or pay partners.
          </EmptyState>
        }
      />
      <Group justify="space-between">
        <Title order={2}>Invitations</Title>
        <ExportLink list="invitations" label="Export invitations" />
      </Group>
      <Invitations />
      <SecondFactorSwitch workspaceId={workspaceId} />
      <InviteDialog
        opened={isInviting}
        onClose={() => setInviting(false)}
        mayMakeOwners={isOwner}
        workspaceId={workspaceId}
      />
      <Confirm
        opened={change !== null}
        onClose={() => setChange(null)}
        title={`Make ${change?.member.name} ${change ? humanize(change.role).toLowerCase() : ''}?`}
        action="Change the role"
        onConfirm={async () => {
          if (!change) return null;
          await answerOf(
            api.PATCH('/v1/users/{userId}', {
              params: { path: { userId: change.member.id } },
              body: { workspaceId, role: change.role },
            }),
          );
          return change;
        }}
        onDone={(made) => {
          if (!made) return;
          void refresh(made.member);
          notifyDone(`${made.member.name} is ${humanize(made.role).toLowerCase()} now.`);
        }}
      >
        {change && `${ROLES[change.role]} It takes effect at once.`}
      </Confirm>
      <Confirm
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={`Remove ${removed?.name}?`}
        action="Remove"
        isDangerous
        onConfirm={async () => {
          if (!removed) return null;
          await answerOf(
            api.DELETE('/v1/users/{userId}', {
              params: { path: { userId: removed.id }, query: { workspaceId } },
            }),
          );
          return removed;
        }}
        onDone={(member) => {
          if (!member) return;
          void refresh(member);
          notifyDone(`${member.name} is no longer in this workspace.`);
        }}
      >
        {removed?.email} loses access to every project of this workspace at once. What they did
        stays in the audit log. They can be invited again.
      </Confirm>
    </Page>
  );
}
