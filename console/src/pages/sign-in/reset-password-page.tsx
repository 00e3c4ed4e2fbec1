import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callAuth } from '../../api/auth.ts';
import { useLinkToken } from '../../app/link-token.ts';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { NewPassword } from './password-field.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

export function ResetPasswordPage() {
  const token = useLinkToken();
  return token ? <ChoosePassword key={token} token={token} /> : <AskForLink />;
}

function AskForLink() {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const { submit, isBusy, error } = useSubmit(async () => {
    await callAuth('/request-password-reset', { email: email.trim() });
    setSent(true);
  });
  return (
    <SignInFrame
      title="Forgot your password?"
      intro="We send a link to choose a new one to the address of your account."
    >
      {isSent ? (
        <Text role="status">
          If there is an account for {email}, a link is on its way. It works for an hour. Check the
          spam folder if it does not arrive.
        </Text>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="E-mail"
              type="email"
              autoComplete="username"
              required
              autoFocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            {error !== null && <ErrorState error={error} />}
            <Button type="submit" loading={isBusy}>
              Send me a link
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} to="/sign-in" size="sm">
        Back to sign in
      </Anchor>
    </SignInFrame>
  );
}

function ChoosePassword({ token }: { token: string }) {
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const { submit, isBusy, error } = useSubmit(async () => {
    await callAuth('/reset-password', { token, newPassword: password });
    setDone(true);
  });
  return (
    <SignInFrame title="Choose a new password">
      {isDone ? (
        <Text role="status">Your password is changed, and you were signed out everywhere.</Text>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <NewPassword
              autoFocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            {error !== null && <ErrorState error={error} />}
            <Button type="submit" loading={isBusy}>
              Save the password
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} to="/sign-in" size="sm">
        Go to sign-in
      </Anchor>
    </SignInFrame>
  );
}
