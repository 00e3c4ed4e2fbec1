import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { callAuth } from '../../api/auth.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { signInOptionsQuery } from '../sign-in/options.ts';

/** With single sign-on set up: links the account to the provider as well. */
export function LinkProvider() {
  const { data: options } = useQuery(signInOptionsQuery);
  const { linked, error: outcome } = useSearch({ strict: false });
  const { submit, isBusy, error } = useSubmit(async () => {
    const { url } = await callAuth<{ url: string }>('/link-social', {
      provider: 'oidc',
      callbackURL: '/console/account?linked=yes',
      errorCallbackURL: '/console/account',
    });
    window.location.assign(url);
  });
  if (!options?.oidc) return null;
  const { name } = options.oidc;
  return (
    <Section title="Single sign-on">
      <Stack align="flex-start">
        {linked && !outcome && (
          <Text role="status" fw={600}>
            {name} is linked: from now on you can sign in with it.
          </Text>
        )}
        {outcome && (
          <Text c="var(--mantine-color-error)" role="alert">
            {name} was not linked. Try again, with the account there that has your address.
          </Text>
        )}
        <Text>
          If your account was made with a password, link {name} once. Then either opens it; {name}{' '}
          asks for second factors itself.
        </Text>
        {error !== null && <ErrorState error={error} />}
        <Button variant="default" onClick={() => void submit()} loading={isBusy}>
          Link {name}
        </Button>
      </Stack>
    </Section>
  );
}
