import {
  Alert,
  Button,
  Group,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { notifyDone } from '../../ui/notify.ts';
import { ErrorState } from '../../ui/states.tsx';
import { FormDialog, useIsChanged, useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { connectionBody, missingIn, PROVIDERS, type ProviderMethod } from './payout-accounts.ts';

interface PayoutAccountFormProps {
  readonly method: ProviderMethod;
  readonly isRenewal: boolean;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function PayoutAccountForm(props: PayoutAccountFormProps) {
  const { label } = PROVIDERS[props.method];
  return (
    <FormDialog
      opened={props.opened}
      onClose={props.onClose}
      title={props.isRenewal ? `Renew the credentials of ${label}` : `Connect ${label}`}
      size="lg"
    >
      <Fields {...props} />
    </FormDialog>
  );
}

function Fields({ method, isRenewal, onClose }: PayoutAccountFormProps) {
  const { workspaceId, environment } = useProject();
  const queryClient = useQueryClient();
  const { label, needs, part, fields } = PROVIDERS[method];
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isTried, setTried] = useState(false);
  const missing = missingIn(method, values);
  const unsaved = useUnsaved(useIsChanged(values));
  const { submit, isBusy, error } = useSubmit(async () => {
    setTried(true);
    if (missing.length > 0) return;
    await answerOf(
      api.PUT('/v1/workspaces/{workspaceId}/payout-connections', {
        params: { path: { workspaceId } },
        body: connectionBody(environment, method, values),
      }),
    );
    void queryClient.invalidateQueries({ queryKey: ['payout-connections', workspaceId] });
    notifyDone(isRenewal ? 'Renewed.' : `${label} is connected.`);
    onClose();
  });
  const issues = readIssues(
    error,
    fields.map(({ name }) => `${part}.${name}`),
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
      <Stack>
        <Text size="sm">You need: {needs}</Text>
        {environment === 'live' ? (
          <Alert color="orange" variant="light">
            These are live credentials: payouts are real money.
          </Alert>
        ) : (
          <Text size="sm">
            Sandbox projects pay from the provider’s own sandbox, with test keys.
          </Text>
        )}
        {isRenewal && (
          <Text size="sm">
            You can renew the secrets of the same account at any time. You can switch to another
            account only while no payout is in progress. Enter all values again: empty fields are
            cleared.
          </Text>
        )}
        {fields.map(
          ({ name, label: title, description, placeholder, isSecret, isOptional, isLong }) => {
            const Input = isLong ? Textarea : isSecret ? PasswordInput : TextInput;
            return (
              <Input
                key={name}
                label={isOptional ? `${title} (optional)` : title}
                description={description}
                placeholder={placeholder}
                required={!isOptional}
                autoComplete="off"
                value={values[name] ?? ''}
                onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
                error={
                  issues.of(`${part}.${name}`) ??
                  (isTried && missing.includes(name) ? 'is required' : undefined)
                }
              />
            );
          },
        )}
        <Text size="sm" c="dimmed">
          Stored encrypted and never shown again.
        </Text>
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {isRenewal ? 'Renew' : 'Connect'}
          </Button>
        </Group>
      </Stack>
      {unsaved.question}
    </form>
  );
}
