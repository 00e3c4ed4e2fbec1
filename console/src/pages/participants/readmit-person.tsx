import { Button, List, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { UserPlusIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMayAdminister } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { type ParticipantDetail, PEOPLE_KEYS } from '../people/queries.ts';

/** Allows an erased person to start again. Partners do not need this: they apply again. */
export function ReadmitPerson({ detail: { participant } }: { detail: ParticipantDetail }) {
  const mayReadmit = useMayAdminister();
  const project = useProject();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  if (!mayReadmit || participant.readmittedAt || participant.externalId === null) return null;
  const readmit = () =>
    answerOf(
      api.POST('/v1/participants/{id}/readmit', {
        params: { path: { id: participant.id } },
        body: { projectId: project.id },
      }),
    );
  return (
    <>
      <Button
        variant="default"
        leftSection={<UserPlusIcon size={16} />}
        onClick={() => setOpen(true)}
      >
        Readmit…
      </Button>
      <Confirm
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Readmit the person behind this participant?"
        action="Readmit"
        onConfirm={readmit}
        onDone={() => {
          for (const key of PEOPLE_KEYS) void queries.invalidateQueries({ queryKey: [key] });
          notifyDone('They can be added again.');
        }}
      >
        <Stack gap="sm">
          <Text>Your backend can use their external id again. This cannot be undone.</Text>
          <List size="sm" spacing={4}>
            <List.Item>They become a new participant. This one stays erased.</List.Item>
            <List.Item>Codes and links that they shared before stay invalid.</List.Item>
            <List.Item>
              Calls that your backend queued before the erasure are accepted again.
            </List.Item>
          </List>
        </Stack>
      </Confirm>
    </>
  );
}
