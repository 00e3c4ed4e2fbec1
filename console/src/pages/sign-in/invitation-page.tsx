import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { isPassing } from '../../api/errors.ts';
import { useLinkToken } from '../../app/link-token.ts';
import { sessionQuery } from '../../app/session.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { ROLES } from '../workspace/roles.ts';
import { useEnter } from './enter.ts';
import { NewPassword } from './password-field.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** The page of an invitation's link. */
export function InvitationPage() {
  const token = useLinkToken();
  const enter = useEnter();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const session = useQuery(sessionQuery);
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () =>
      (await answerOf(api.POST('/v1/invitations/preview', { body: { token } }))).data,
    enabled: token !== '',
  });
  const { submit, isBusy, error } = useSubmit(async () => {
    const body = invitation.data?.hasAccount ? { token } : { token, name: name.trim(), password };
    await answerOf(api.POST('/v1/invitations/accept', { body }));
    await enter();
  });
  const issues = readIssues(error, ['name', 'password']);
  // Only a refusal says something about the invitation; other errors mean that it could not be
  // checked.
  const { error: refusal } = invitation;
  if (refusal && isPassing(refusal)) {
    return (
      <SignInFrame title="You are invited">
        <ErrorState error={refusal} retry={() => void invitation.refetch()} />
      </SignInFrame>
    );
  }
  if (token === '' || refusal) {
    return (
      <SignInFrame title="This invitation does not work">
        <Text>
          It was used or revoked, or is older than 72 hours. Ask the person who invited you for a
          new one.
        </Text>
        <Button component={Link} to="/sign-in" variant="default">
          Go to sign-in
        </Button>
      </SignInFrame>
    );
  }
  if (!invitation.data || session.isPending) {
    return (
      <SignInFrame title="You are invited">
        <Lines count={3} />
      </SignInFrame>
    );
  }
  const { workspaceName, role, email, hasAccount } = invitation.data;
  const isThem = session.data?.user.email === email;
  return (
    <SignInFrame title={`Join ${workspaceName}`} intro={`Your role: ${role}. ${ROLES[role]}`}>
      {hasAccount && !isThem ? (
        <>
          <Text>There already is an account for {email}. Sign in with it to accept.</Text>
          <Button component={Link} to="/sign-in" search={{ next: `/invitation#${token}` } as never}>
            Sign in
          </Button>
        </>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            {!hasAccount && (
              <>
                <TextInput label="E-mail" value={email} readOnly autoComplete="username" />
                <TextInput
                  label="Your name"
                  autoComplete="name"
                  required
                  autoFocus
                  maxLength={100}
                  value={name}
                  error={issues.of('name')}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <NewPassword
                  value={password}
                  error={issues.of('password')}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                />
              </>
            )}
            {issues.rest !== null && <ErrorState error={issues.rest} />}
            <Button type="submit" loading={isBusy}>
              Join
            </Button>
          </Stack>
        </form>
      )}
    </SignInFrame>
  );
}
