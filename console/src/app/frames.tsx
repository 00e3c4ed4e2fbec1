import { Button, Center, Container, Stack } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, Outlet, useRouter } from '@tanstack/react-router';
import { SearchXIcon } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { EmptyState, ErrorState, Lines } from '../ui/states.tsx';
import { sessionQuery } from './session.ts';

export function RootLayout() {
  return <Outlet />;
}

/** Loaded on demand. */
const SignedOut = lazy(async () => ({ default: (await import('./signed-out.tsx')).SignedOut }));

/** Around every page of a signed-in user: it is covered, and not lost, when the session ends. */
export function SignedInLayout() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <>
      <Outlet />
      {session === null && (
        <Suspense>
          <SignedOut />
        </Suspense>
      )}
    </>
  );
}

export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Container size="sm" py="xl">
      <ErrorState error={error} retry={retry} />
    </Container>
  );
}

/** In a project it is beside the navigation, otherwise alone in the window. */
export function RouteMissing() {
  useDocumentTitle('Nothing here · Goodword');
  return (
    <Center mih="75svh" p="md">
      <EmptyState
        icon={<SearchXIcon size={40} strokeWidth={1.4} />}
        title="There is nothing here"
        isPage
        action={
          <Button component={Link} to="/">
            Go to the start page
          </Button>
        }
      >
        The address is wrong, or the page no longer exists.
      </EmptyState>
    </Center>
  );
}

export function RoutePending() {
  return (
    <Stack p="md">
      <Lines count={6} height={24} />
    </Stack>
  );
}
