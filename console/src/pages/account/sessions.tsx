import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { callAuth } from '../../api/auth.ts';
import { useSession } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone, notifyFailed } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { When } from '../../ui/when.tsx';
import { describeBrowser } from './describe-browser.ts';

interface ListedSession {
  readonly id: string;
  readonly token: string;
  readonly userAgent?: string | null;
  readonly ipAddress?: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The user's sessions, and buttons to end them. */
export function Sessions() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: () => callAuth<ListedSession[]>('/list-sessions'),
  });
  const { sessionId } = useSession();
  const end = async (token: string) => {
    try {
      await callAuth('/revoke-session', { token });
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
      notifyDone('That session is ended.');
    } catch (error) {
      notifyFailed('The session was not ended', error);
    }
  };
  return (
    <Section
      title="Where you are signed in"
      actions={
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      }
    >
      {sessions.isPending && <Lines count={2} height={40} />}
      {sessions.isError && (
        <ErrorState error={sessions.error} retry={() => void sessions.refetch()} />
      )}
      <Stack gap="sm">
        {sessions.data?.map((session) => (
          <Group key={session.id} justify="space-between" wrap="nowrap">
            <div>
              <Group gap="xs">
                <Text fw={600}>{describeBrowser(session.userAgent)}</Text>
                {session.id === sessionId && (
                  <Badge variant="light" tt="none">
                    This one
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                {session.ipAddress || 'Address unknown'}, signed in{' '}
                <When clock="real" at={session.createdAt} />, last seen{' '}
                <When clock="real" at={session.updatedAt} />
              </Text>
            </div>
            {session.id !== sessionId && (
              <Button size="xs" variant="default" onClick={() => void end(session.token)}>
                End
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        onConfirm={() => callAuth('/revoke-sessions', {})}
        onDone={() => {
          queryClient.clear();
          void router.navigate({ to: '/sign-in' });
        }}
      >
        All {sessions.data?.length ?? ''} sessions end, this one too. You will have to sign in
        again.
      </Confirm>
    </Section>
  );
}
