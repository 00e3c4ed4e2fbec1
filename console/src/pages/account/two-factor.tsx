import { Badge, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callAuth } from '../../api/auth.ts';
import { useSession } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyAction, IdText } from '../../ui/id-text.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { CodeInput } from '../sign-in/code-input.tsx';
import { QrCode } from './qr-code.tsx';

interface Enrolled {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

/** The second factor: set up with a password, a QR code and a code; backup codes are shown once. */
export function TwoFactor() {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const [password, setPassword] = useState('');
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null);
  const [isAsking, setAsking] = useState(false);
  const begin = useSubmit(async () => {
    setEnrolled(await callAuth<Enrolled>('/two-factor/enable', { password }));
    setPassword('');
  });
  const finish = async () => {
    setEnrolled(null);
    await queryClient.invalidateQueries();
    notifyDone('Your second factor is on.');
  };
  return (
    <Section
      title="Second factor"
      aside={
        <Badge variant="light" tt="none" color={user.totpEnabled ? 'leaf' : 'orange'}>
          {user.totpEnabled ? 'On' : 'Off'}
        </Badge>
      }
    >
      {user.totpEnabled && !enrolled && (
        <Stack align="flex-start">
          <Text>To sign in, you need your password and a code from an authenticator app.</Text>
          <Button variant="default" onClick={() => setAsking(true)}>
            Turn it off
          </Button>
          <Confirm
            opened={isAsking}
            onClose={() => setAsking(false)}
            title="Turn the second factor off?"
            action="Turn it off"
            isDangerous
            reason={{ label: 'Your password', isRequired: true, isSecret: true }}
            onConfirm={(password) => callAuth('/two-factor/disable', { password })}
            onDone={() => {
              void queryClient.invalidateQueries();
              notifyDone('Your second factor is off.');
            }}
          >
            You can then sign in with your password alone. Your backup codes stop working. If your
            role requires a second factor, you will be asked to set it up again.
          </Confirm>
        </Stack>
      )}
      {!user.totpEnabled && !enrolled && (
        <form onSubmit={begin.submit}>
          <Stack maw={420}>
            <Text>
              An authenticator app on your phone shows a code that changes every 30 seconds. Confirm
              your password to begin.
            </Text>
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            {begin.error !== null && <ErrorState error={begin.error} />}
            <Button type="submit" loading={begin.isBusy} w="fit-content">
              Set it up
            </Button>
          </Stack>
        </form>
      )}
      {enrolled && <Enrol enrolled={enrolled} onDone={finish} />}
    </Section>
  );
}

function Enrol({ enrolled, onDone }: { enrolled: Enrolled; onDone: () => Promise<void> }) {
  const [code, setCode] = useState('');
  const secret = new URL(enrolled.totpURI).searchParams.get('secret') ?? '';
  const codes = enrolled.backupCodes.join('\n');
  const { submit, isBusy, error } = useSubmit(async () => {
    await callAuth('/two-factor/verify-totp', { code });
    await onDone();
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text fw={600}>1. Scan this with your authenticator app</Text>
        <QrCode text={enrolled.totpURI} label="The secret for your authenticator app" />
        <Text size="sm" component="div">
          Or type it in: <IdText value={secret} label="secret" />
        </Text>
        <Text fw={600}>2. Save these backup codes</Text>
        <Text size="sm">
          If you lose your phone, each code signs you in once. They are not shown again.
        </Text>
        <Group align="flex-start" gap="xs">
          <pre className="codes">{codes}</pre>
          <CopyAction value={codes} label="Copy the backup codes" />
        </Group>
        <Text fw={600}>3. Enter the code that the app shows</Text>
        <Stack maw={240}>
          <CodeInput value={code} onChange={setCode} />
          {error !== null && <ErrorState error={error} />}
          <Button type="submit" loading={isBusy}>
            Turn it on
          </Button>
        </Stack>
      </Stack>
    </form>
  );
}
