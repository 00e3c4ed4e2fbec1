import { Button, Container, Stack } from '@mantine/core';
import { type ErrorComponentProps, Link, Outlet, useRouter } from '@tanstack/react-router';
import { EmptyState, ErrorState, Lines } from '../ui/states.tsx';

export function RootLayout() {
  return <Outlet />;
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
            To the start
          </Button>
        }
      >
        The address is wrong, or what it named is gone.
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
