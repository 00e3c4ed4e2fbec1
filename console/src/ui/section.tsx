import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  /** Its purpose. */
  readonly intro?: ReactNode;
  /** Next to the title: a state. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a page, with its own heading. */
export function Section({ title, intro, aside, actions, children }: SectionProps) {
  return (
    <Paper withBorder component="section" className="section">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div className="section-head">
            <Group gap="sm">
              <Title order={2}>{title}</Title>
              {aside}
            </Group>
            {intro && (
              <Text c="dimmed" size="sm" mt={4} maw={640} component="div">
                {intro}
              </Text>
            )}
          </div>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
