import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { EnvironmentBadge } from '../../app/project-switch.tsx';
import { Facts } from '../../ui/facts.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { readIssues } from '../../ui/form-issues.ts';
import { IdText } from '../../ui/id-text.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { When } from '../../ui/when.tsx';
import { countOf } from '../../ui/words.ts';

export function SettingsPage() {
  return (
    <ForAdministrators title="Settings">
      <ProjectSettings />
    </ForAdministrators>
  );
}

function ProjectSettings() {
  const project = useProject();
  const queryClient = useQueryClient();
  const [name, setName] = useState(project.name);
  const unsaved = useUnsaved(name.trim() !== project.name);
  const { submit, isBusy, error } = useSubmit(async () => {
    await answerOf(
      api.PATCH('/v1/projects/{projectId}', {
        params: { path: { projectId: project.id } },
        body: { name: name.trim() },
      }),
    );
    await queryClient.refetchQueries({ queryKey: ['projects'], type: 'all' });
    notifyDone('Saved.');
  });
  const issues = readIssues(error, ['name']);
  return (
    <Page title="Settings" intro="The ids and the name of this project.">
      <Section title="This project">
        <Facts
          rows={[
            ['Project id', <IdText key="id" value={project.id} label="project id" />],
            ['Public key', <IdText key="key" value={project.projectKey} label="public key" />],
            ['Environment', <EnvironmentBadge key="env" environment={project.environment} />],
            [
              'Allowed origins',
              <Anchor
                key="origins"
                component={Link}
                to="/p/$projectId/developers"
                params={{ projectId: project.id } as never}
                search={{ tab: 'origins' } as never}
              >
                {countOf(project.allowedOrigins.length, 'origin')}, under Developers
              </Anchor>,
            ],
            ['Created', <When key="made" clock="real" at={project.createdAt} />],
          ]}
        />
      </Section>
      <Section title="Name" intro="How your team finds it in the console.">
        <form onSubmit={submit}>
          <Stack maw={560}>
            <TextInput
              label="Name"
              required
              maxLength={100}
              value={name}
              error={issues.of('name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            {issues.rest !== null && <ErrorState error={issues.rest} />}
            <Button
              type="submit"
              loading={isBusy}
              disabled={name.trim() === project.name || name.trim() === ''}
              w="fit-content"
            >
              Save
            </Button>
          </Stack>
          {unsaved.question}
        </form>
      </Section>
    </Page>
  );
}
