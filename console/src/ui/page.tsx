import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Trail, type TrailProps } from './trail.tsx';

interface PageProps {
  readonly title: string;
  /** One sentence on the purpose of this page. */
  readonly intro?: ReactNode;
  /** Next to the title: a state, an id. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  /** For the page of a thing: the list that it is in. */
  readonly trail?: TrailProps | undefined;
  readonly children: ReactNode;
}

export function Page({ title, intro, aside, actions, trail, children }: PageProps) {
  useDocumentTitle(`${title} · Goodword`);
  return (
    <Stack gap="lg">
      {trail && <Trail {...trail} />}
      <Group justify="space-between" align="flex-start" gap="md">
        <Box flex="1 1 18rem" miw={0}>
          <Group gap="sm">
            <Title order={1} className="page-title">
              {title}
            </Title>
            {aside}
          </Group>
          {intro && (
            <Text c="dimmed" mt={4} maw={680} size="sm" className="page-intro">
              {intro}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
