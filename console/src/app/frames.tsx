import { Button, Container, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, Outlet, useRouter } from '@tanstack/react-router';
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

export function RouteMissing() {
  return (
    <Container size="sm" py="xl">
      <EmptyState
        title="There is nothing here"
        action={
          <Button component={Link} to="/">
            Go to the start page
          </Button>
        }
      >
        The address is wrong, or the page no longer exists.
      </EmptyState>
    </Container>
  );
}

export function RoutePending() {
  return (
    <Stack p="md">
      <Lines count={6} height={24} />
    </Stack>
  );
}
