import { Button, Container, Paper, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useSession } from '../../app/session.ts';
import { SignOutButton } from '../../app/sign-out-button.tsx';
import { readIssues } from '../../ui/form-issues.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';

export function NewProjectPage() {
  const search = useSearch({ strict: false });
  const own = useSession().memberships.filter(({ mayAdminister }) => mayAdminister);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [workspaceId, setWorkspaceId] = useState(search.workspaceId ?? own[0]?.workspaceId ?? '');
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<'sandbox' | 'live'>('sandbox');
  const { submit, isBusy, error } = useSubmit(async () => {
    const { data } = await answerOf(
      api.POST('/v1/projects', { body: { workspaceId, name: name.trim(), environment } }),
    );
    await queryClient.refetchQueries({ queryKey: ['projects'], type: 'all' });
    await navigate({ to: '/p/$projectId', params: { projectId: data.id } as never });
  });
  const unsaved = useUnsaved(name !== '', isBusy);
  const issues = readIssues(error, ['name']);
  return (
    <Container component="main" size="sm" py="xl">
      <Page
        title="New project"
        intro="One for each product, and one for each environment of it: data never mixes."
        actions={<SignOutButton />}
      >
        {own.length === 0 ? (
          <EmptyState title="Nothing to see yet">
            You have no project yet. Ask an owner or admin of your workspace to create one.
          </EmptyState>
        ) : (
          <Paper withBorder p="lg">
            <form onSubmit={submit}>
              <Stack>
                {own.length > 1 && (
                  <Select
                    label="Workspace"
                    data={own.map((one) => ({ value: one.workspaceId, label: one.workspaceName }))}
                    value={workspaceId}
                    onChange={(value) => setWorkspaceId(value ?? '')}
                    allowDeselect={false}
                  />
                )}
                <TextInput
                  label="Name"
                  placeholder="Acme shop"
                  required
                  autoFocus
                  maxLength={100}
                  value={name}
                  error={issues.of('name')}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <Radio.Group
                  label="Environment"
                  value={environment}
                  onChange={(value) => setEnvironment(value as 'sandbox' | 'live')}
                >
                  <Stack gap="sm" mt="xs">
                    <Radio
                      value="sandbox"
                      label="Sandbox"
                      description="To try things out: you can move its clock forward, and no real money is used."
                    />
                    <Radio
                      value="live"
                      label="Live"
                      description="For real people and real money."
                    />
                  </Stack>
                </Radio.Group>
                <Text size="sm" c="dimmed">
                  The environment cannot be changed later.
                </Text>
                {issues.rest !== null && <ErrorState error={issues.rest} />}
                <Button type="submit" loading={isBusy} w="fit-content">
                  Create project
                </Button>
              </Stack>
            </form>
            {unsaved.question}
          </Paper>
        )}
      </Page>
    </Container>
  );
}
