import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { IdText } from '../../ui/id-text.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { FormDialog } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { RoleSelect } from './role-select.tsx';
import type { Role } from './roles.ts';

interface InviteDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly workspaceId: string;
  readonly mayMakeOwners: boolean;
}

export function InviteDialog({ opened, onClose, workspaceId, mayMakeOwners }: InviteDialogProps) {
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  /** The link is null if it was mailed. */
  const [made, setMade] = useState<{ link: string | null } | null>(null);
  const { submit, isBusy, error } = useSubmit(async () => {
    const { link } = await answerOf(
      api.POST('/v1/invitations', { body: { workspaceId, email: email.trim(), role } }),
    );
    setMade({ link });
    void queryClient.invalidateQueries({ queryKey: ['invitations', workspaceId] });
  });
  const issues = readIssues(error, ['email']);
  const close = () => {
    setEmail('');
    setRole('viewer');
    setMade(null);
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      isChanged={email !== '' && made === null}
      isBusy={isBusy}
      title="Invite somebody"
      centered
    >
      {made ? (
        <Stack>
          {made.link === null ? (
            <Text>An e-mail was sent to {email}. Its link works once, for 72 hours.</Text>
          ) : (
            <>
              <Text>Hand this link to {email}:</Text>
              <IdText value={made.link} label="link" />
              <Text size="sm" c="dimmed">
                It works once, for 72 hours, and is not shown again.
              </Text>
            </>
          )}
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="E-mail"
              type="email"
              required
              data-autofocus
              value={email}
              error={issues.of('email')}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <RoleSelect
              label="Role"
              value={role}
              onChange={setRole}
              mayMakeOwners={mayMakeOwners}
            />
            {issues.rest !== null && <ErrorState error={issues.rest} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={isBusy}>
                Invite
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </FormDialog>
  );
}
