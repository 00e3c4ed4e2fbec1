import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { When } from '../../ui/when.tsx';
import { spanText } from './clock-choices.ts';

interface SetClockProps {
  readonly from: number;
  readonly to: string;
  readonly onClose: () => void;
}

/** Asks before the clock is moved, because it never moves back. */
export function SetClock({ from, to, onClose }: SetClockProps) {
  const project = useProject();
  const queries = useQueryClient();
  // The time when the dialog opened: the clock runs on meanwhile.
  const [asked] = useState(from);
  const set = () =>
    answerOf(
      api.PUT('/v1/projects/{projectId}/clock', {
        params: { path: { projectId: project.id } },
        body: { now: to },
      }),
    );
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Set the clock forward?"
      action={`Move ${spanText(Date.parse(to) - asked)} forward`}
      isDangerous
      onConfirm={set}
      onDone={() => {
        // Anything in the project may have become due.
        void queries.invalidateQueries();
        notifyDone('The clock is set.');
      }}
    >
      <Stack gap="xs">
        <Text>
          From <When at={new Date(asked).toISOString()} /> to <When at={to} />:{' '}
          {spanText(Date.parse(to) - asked)}, for everything in {project.name}.
        </Text>
        <Text>
          Everything that becomes due in that time happens immediately. This cannot be undone.
        </Text>
      </Stack>
    </Confirm>
  );
}
