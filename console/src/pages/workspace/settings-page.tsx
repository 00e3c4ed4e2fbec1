import { Button, Paper, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { EnvironmentBadge } from '../../app/project-switch.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { When } from '../../ui/when.tsx';

export function SettingsPage() {
  const project = useProject();
  const queryClient = useQueryClient();
  const [name, setName] = useState(project.name);
  const [origins, setOrigins] = useState(project.allowedOrigins.join('\n'));
  const { submit, isBusy, error } = useSubmit(async () => {
    await answerOf(
      api.PATCH('/v1/projects/{projectId}', {
        params: { path: { projectId: project.id } },
        body: {
          name: name.trim(),
          allowedOrigins: origins
            .split(/\s+/)
            .map((one) => one.trim())
            .filter((one) => one !== ''),
        },
      }),
    );
    await queryClient.refetchQueries({ queryKey: ['projects'], type: 'all' });
    notifyDone('Saved.');
  });
  return (
    <Page title="Settings" intro="Of this project.">
      <Paper withBorder p="lg">
        <Facts
          rows={[
            ['Project id', <IdText key="id" value={project.id} label="project id" />],
            ['Public key', <IdText key="key" value={project.projectKey} label="public key" />],
            ['Environment', <EnvironmentBadge key="env" environment={project.environment} />],
            ['Made', <When key="made" at={project.createdAt} />],
          ]}
        />
      </Paper>
      <Paper withBorder p="lg">
        <Title order={2} mb="md">
          Name and origins
        </Title>
        <form onSubmit={submit}>
          <Stack maw={560}>
            <TextInput
              label="Name"
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Textarea
              label="Allowed origins"
              description="The pages that may load the landing script and the widget, one a line, like https://www.example.com. Without any, no page may."
              autosize
              minRows={2}
              value={origins}
              onChange={(event) => setOrigins(event.currentTarget.value)}
            />
            {error !== null && <ErrorState error={error} />}
            <Button type="submit" loading={isBusy} w="fit-content">
              Save
            </Button>
          </Stack>
        </form>
      </Paper>
    </Page>
  );
}
