import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useLinkToken } from '../../app/link-token.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { useEnter } from './enter.ts';
import { NewPassword } from './password-field.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** The first visit: the person who started the service becomes its owner. */
export function SetupPage() {
  const token = useLinkToken();
  const enter = useEnter();
  const [fields, setFields] = useState({ workspaceName: '', name: '', email: '', password: '' });
  const change = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setFields((before) => ({ ...before, [name]: value }));
  };
  const setup = useQuery({
    queryKey: ['setup'],
    queryFn: async () => (await answerOf(api.GET('/v1/setup'))).data,
    enabled: token !== '',
  });
  const needsWorkspaceName = setup.data?.needsWorkspaceName ?? false;
  const { submit, isBusy, error } = useSubmit(async () => {
    const { workspaceName, ...person } = fields;
    const body = { token, ...person, ...(needsWorkspaceName ? { workspaceName } : {}) };
    try {
      await answerOf(api.POST('/v1/setup', { body }));
    } catch (fault) {
      // Somebody may have created a workspace meanwhile.
      await setup.refetch();
      throw fault;
    }
    await enter();
  });
  const issues = readIssues(error, [
    'name',
    'email',
    'password',
    ...(needsWorkspaceName ? ['workspaceName'] : []),
  ]);
  if (!token) {
    return (
      <SignInFrame title="Welcome to Goodword">
        <Text>
          There is no account yet. The service printed a link when it started: open it to create the
          first account, the owner. The link works once.
        </Text>
        <Text c="dimmed" size="sm">
          It has the form <code>/console/setup#…</code>. Restart the service to get a new one.
        </Text>
      </SignInFrame>
    );
  }
  if (!setup.data) {
    return (
      <SignInFrame title="Welcome to Goodword">
        {setup.error ? (
          <ErrorState error={setup.error} retry={() => void setup.refetch()} />
        ) : (
          <Lines count={5} />
        )}
      </SignInFrame>
    );
  }
  if (!setup.data.isOpen) {
    return (
      <SignInFrame title="The service is set up">
        <Text>The first account exists, so this link has done its work. Sign in instead.</Text>
        <Button component={Link} to="/sign-in">
          Sign in
        </Button>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title="Welcome to Goodword"
      intro={
        needsWorkspaceName
          ? 'Create the first account. It becomes the owner of the workspace.'
          : 'Create the first account. It becomes the owner of every workspace that exists already.'
      }
    >
      <form onSubmit={submit}>
        <Stack>
          {needsWorkspaceName && (
            <TextInput
              label="Workspace"
              description="The name of your company or team."
              placeholder="Acme"
              required
              autoFocus
              maxLength={100}
              value={fields.workspaceName}
              error={issues.of('workspaceName')}
              onChange={change('workspaceName')}
            />
          )}
          <TextInput
            label="Your name"
            autoComplete="name"
            required
            maxLength={100}
            value={fields.name}
            error={issues.of('name')}
            onChange={change('name')}
          />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            value={fields.email}
            error={issues.of('email')}
            onChange={change('email')}
          />
          <NewPassword
            value={fields.password}
            error={issues.of('password')}
            onChange={change('password')}
          />
          {issues.rest !== null && <ErrorState error={issues.rest} />}
          <Button type="submit" loading={isBusy}>
            Start
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
