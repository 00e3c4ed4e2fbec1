import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { callAuth } from '../../api/auth.ts';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { CodeInput } from './code-input.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

interface SecondFactorProps {
  readonly onDone: () => Promise<void>;
  readonly onBack: () => void;
}

export function SecondFactor({ onDone, onBack }: SecondFactorProps) {
  const [code, setCode] = useState('');
  const [isBackup, setBackup] = useState(false);
  const { submit, isBusy, error } = useSubmit(async () => {
    const path = isBackup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp';
    await callAuth(path, { code: code.trim() });
    await onDone();
  });
  const swap = () => {
    setCode('');
    setBackup(!isBackup);
  };
  return (
    <SignInFrame
      title="One more step"
      intro={
        isBackup
          ? 'Enter one of the backup codes that you saved. Each works once.'
          : 'Enter the six digits that your authenticator app shows.'
      }
    >
      <form onSubmit={submit}>
        <Stack>
          {isBackup ? (
            <TextInput
              label="Backup code"
              autoFocus
              required
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          ) : (
            <CodeInput value={code} onChange={setCode} />
          )}
          {error !== null && <ErrorState error={error} />}
          <Button type="submit" loading={isBusy}>
            Continue
          </Button>
          <Group justify="space-between">
            <Anchor component="button" type="button" size="sm" onClick={swap}>
              {isBackup ? 'Use the app' : 'Use a backup code'}
            </Anchor>
            <Anchor component="button" type="button" size="sm" onClick={onBack}>
              Back
            </Anchor>
          </Group>
        </Stack>
      </form>
    </SignInFrame>
  );
}
