import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { useEnter } from './enter.ts';
import { NewPassword } from './password-field.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** The first visit: whoever started the service makes themselves its owner. */
export function SetupPage() {
  const token = window.location.hash.slice(1);
  const enter = useEnter();
  const [fields, setFields] = useState({ workspaceName: '', name: '', email: '', password: '' });
  const change = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setFields((before) => ({ ...before, [name]: value }));
  };
  const { submit, isBusy, error } = useSubmit(async () => {
    await answerOf(api.POST('/v1/setup', { body: { token, ...fields } }));
    await enter();
  });
  if (!token) {
    return (
      <SignInFrame title="Welcome to Goodword">
        <Text>
          Nobody can sign in yet. The service printed a link when it started: open that one. It
          works once, and makes you the owner.
        </Text>
        <Text c="dimmed" size="sm">
          It has the form <code>/console/setup#…</code>. Start the service again to get a new one.
        </Text>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title="Welcome to Goodword" intro="Make yourself the owner. It takes a minute.">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Workspace"
            description="Your company, or the part of it that this is for."
            placeholder="Acme"
            required
            autoFocus
            maxLength={100}
            value={fields.workspaceName}
            onChange={change('workspaceName')}
          />
          <TextInput
            label="Your name"
            autoComplete="name"
            required
            maxLength={100}
            value={fields.name}
            onChange={change('name')}
          />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            value={fields.email}
            onChange={change('email')}
          />
          <NewPassword value={fields.password} onChange={change('password')} />
          {error !== null && <ErrorState error={error} />}
          <Button type="submit" loading={isBusy}>
            Start
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
