import { Alert, Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { TriangleAlertIcon } from 'lucide-react';
import { useState } from 'react';
import { callAuth } from '../../api/auth.ts';
import { BASE_PATH } from '../../app/base-path.ts';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { useEnter } from './enter.ts';
import { signInOptionsQuery } from './options.ts';
import { ownPath } from './own-path.ts';
import { SecondFactor } from './second-factor.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Why a sign-in by a provider failed. */
const OUTCOMES: Readonly<Record<string, string>> = {
  not_invited: 'Nobody has invited this address. Ask an owner or admin of your workspace.',
  email_not_verified: 'The provider has not verified your e-mail address.',
  account_not_linked:
    'You have an account with a password here: sign in with it, and link the provider under your account.',
  unable_to_get_user_info:
    'The provider’s response could not be verified, so you were not signed in. Ask the administrator of this service.',
  access_denied: 'You cancelled the sign-in at the provider.',
};

export function SignInPage() {
  const { next, error: outcome } = useSearch({ strict: false });
  const enter = useEnter();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const { data: options } = useQuery(signInOptionsQuery);
  const { submit, isBusy, error } = useSubmit(async () => {
    const answer = await callAuth<{ twoFactorRedirect?: boolean }>('/sign-in/email', {
      email: email.trim(),
      password,
    });
    if (answer.twoFactorRedirect) setNeedsCode(true);
    else await enter(next);
  });
  const oidc = useSubmit(async () => {
    const { url } = await callAuth<{ url: string }>('/sign-in/social', {
      provider: 'oidc',
      callbackURL: `${BASE_PATH}${ownPath(next) ?? '/'}`,
      errorCallbackURL: '/console/sign-in',
    });
    window.location.assign(url);
  });
  if (needsCode) {
    return <SecondFactor onDone={() => enter(next)} onBack={() => setNeedsCode(false)} />;
  }
  return (
    <SignInFrame title="Sign in" intro="To run your referral programs.">
      {outcome && (
        <Alert color="red" variant="light" icon={<TriangleAlertIcon />} role="alert">
          {OUTCOMES[outcome] ??
            'The provider did not sign you in. Try again, or use your password.'}
        </Alert>
      )}
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
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {error !== null && <ErrorState error={error} />}
          <Button type="submit" loading={isBusy} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
      {options?.oidc && (
        <>
          <Divider label="or" />
          <Button variant="default" onClick={() => void oidc.submit()} loading={oidc.isBusy}>
            Continue with {options.oidc.name}
          </Button>
          {oidc.error !== null && <ErrorState error={oidc.error} />}
        </>
      )}
      {options?.passwordReset && (
        <Anchor component={Link} to="/reset-password" size="sm">
          Forgot your password?
        </Anchor>
      )}
    </SignInFrame>
  );
}
