import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ErrorState } from '../ui/states.tsx';
import { sessionQuery, useSession } from './session.ts';

/** Covers a page whose session has ended, until the same person has signed in again elsewhere. */
export function SignedOut() {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // It disappears after a new sign-in: reload what could not be read meanwhile.
  useEffect(() => () => void queryClient.invalidateQueries(), [queryClient]);
  const ask = async () => {
    setAsking(true);
    setError(null);
    try {
      const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (!session) setError(new Error('Nobody is signed in yet.'));
    } catch (fault) {
      setError(fault);
    } finally {
      setAsking(false);
    }
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      title="You are signed out"
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ blur: 12, backgroundOpacity: 0.6 }}
    >
      <Stack>
        <Text>
          Your session has ended. Sign in as {user.email} in a new tab and come back: this page goes
          on as you left it.
        </Text>
        {error !== null && <ErrorState error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => void ask()} loading={isAsking}>
            I have signed in
          </Button>
          <Button component="a" href="/console/sign-in" target="_blank" data-autofocus>
            Sign in in a new tab
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
