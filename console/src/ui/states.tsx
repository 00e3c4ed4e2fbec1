import { Alert, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { TriangleAlertIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError, adviceOn, isFinal, subjectOf, titleOf } from '../api/errors.ts';

/** An error, and what to do about it. What is refused for good is not tried again. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const advice = adviceOn(error);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<TriangleAlertIcon />}
      title={titleOf(error)}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        {error instanceof ApiError &&
          error.issues.map((one) => (
            <Text key={`${one.path} ${one.issue}`} size="sm">
              {one.path ? <code>{one.path}</code> : subjectOf(error, one)} {one.issue}
            </Text>
          ))}
        {advice && <Text size="sm">{advice}</Text>}
        {retry && !isFinal(error) && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** What would be here, its purpose, and how to get it. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** Whether it is all of the page, whose heading it then is. */
  readonly isPage?: boolean;
}

export function EmptyState({ icon, title, children, action, isPage = false }: EmptyStateProps) {
  return (
    <Paper withBorder className="empty-state">
      <Stack align="center" gap="xs" ta="center" maw={520} mx="auto">
        {icon && <div className="empty-icon">{icon}</div>}
        <Title order={isPage ? 1 : 2} size="h2">
          {title}
        </Title>
        <Text c="dimmed" size="sm">
          {children}
        </Text>
        {action && <Group mt="sm">{action}</Group>}
      </Stack>
    </Paper>
  );
}

/** A placeholder while content loads. */
export function Lines({ count = 5, height = 20 }: { count?: number; height?: number }) {
  return (
    <Stack gap="sm" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={index} height={height} radius="sm" />
      ))}
    </Stack>
  );
}
