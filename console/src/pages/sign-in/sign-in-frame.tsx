import { Box, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface SignInFrameProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children: ReactNode;
}

/** A card in the middle, for visitors who are not signed in yet. */
export function SignInFrame({ title, intro, children }: SignInFrameProps) {
  useDocumentTitle(`${title} · Goodword`);
  return (
    <Center component="main" mih="100svh" p="md">
      <Box w="100%" maw={420}>
        <Paper withBorder p={{ base: 'lg', xs: 'xl' }} radius="lg">
          <Stack gap="md">
            <img src="/console/icon.svg" alt="Goodword" width={44} height={44} />
            <div>
              <Title order={1} fz="1.375rem" className="page-title">
                {title}
              </Title>
              {intro && (
                <Text c="dimmed" mt={6}>
                  {intro}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
      </Box>
    </Center>
  );
}
