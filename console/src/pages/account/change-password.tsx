import { Button, PasswordInput, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callAuth } from '../../api/auth.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { NewPassword } from '../sign-in/password-field.tsx';

export function ChangePassword() {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const queryClient = useQueryClient();
  const { submit, isBusy, error } = useSubmit(async () => {
    await callAuth('/change-password', {
      currentPassword,
      newPassword,
      revokeOtherSessions: true,
    });
    setCurrent('');
    setNew('');
    await queryClient.invalidateQueries({ queryKey: ['sessions'] });
    notifyDone('Your password is changed. Your other sessions were ended.');
  });
  return (
    <Section title="Password">
      <form onSubmit={submit}>
        <Stack maw={420}>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            value={currentPassword}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <NewPassword
            label="New password"
            value={newPassword}
            onChange={(event) => setNew(event.currentTarget.value)}
          />
          {error !== null && <ErrorState error={error} />}
          <Button type="submit" loading={isBusy} w="fit-content">
            Change it
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
