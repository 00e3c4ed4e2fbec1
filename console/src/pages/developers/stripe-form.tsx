import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { notifyDone } from '../../ui/notify.ts';
import { ErrorState } from '../../ui/states.tsx';
import { FormDialog, useIsChanged, useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { problemOfKey, problemOfSecret, type StripeConnection } from './stripe.ts';

interface StripeFormProps {
  readonly what: 'connect' | 'key' | 'secret';
  /** The connection to change; undefined to create one. */
  readonly connection?: StripeConnection;
  readonly opened: boolean;
  readonly onClose: () => void;
}

const TITLES = {
  connect: 'Connect Stripe',
  key: 'Replace the key',
  secret: 'Signing secret',
} as const;

export function StripeForm(props: StripeFormProps) {
  return (
    <FormDialog opened={props.opened} onClose={props.onClose} title={TITLES[props.what]} size="lg">
      <Fields {...props} />
    </FormDialog>
  );
}

function Fields({ what, connection, onClose }: StripeFormProps) {
  const project = useProject();
  const queryClient = useQueryClient();
  const [key, setKey] = useState('');
  const [secret, setSecret] = useState('');
  const [isTried, setTried] = useState(false);
  const asksKey = what !== 'secret';
  const asksSecret = what !== 'key';
  const keyProblem = asksKey ? problemOfKey(key.trim(), project.environment) : null;
  const isSecretOptional = what === 'connect';
  const secretProblem =
    asksSecret && !(isSecretOptional && secret.trim() === '')
      ? problemOfSecret(secret.trim())
      : null;
  const unsaved = useUnsaved(useIsChanged({ key, secret }));
  const { submit, isBusy, error } = useSubmit(async () => {
    setTried(true);
    if (keyProblem !== null || secretProblem !== null) return;
    if (connection) {
      await answerOf(
        api.PATCH('/v1/integrations/stripe/connections/{connectionId}', {
          params: { path: { connectionId: connection.id } },
          body: {
            projectId: project.id,
            ...(asksKey ? { restrictedKey: key.trim() } : { webhookSecret: secret.trim() }),
          },
        }),
      );
    } else {
      await answerOf(
        api.POST('/v1/integrations/stripe/connections', {
          body: {
            projectId: project.id,
            restrictedKey: key.trim(),
            webhookSecret: secret.trim() || null,
          },
        }),
      );
    }
    void queryClient.invalidateQueries({ queryKey: ['stripe-connections', project.id] });
    notifyDone(connection ? 'Saved.' : 'Connected. Next, create the webhook at Stripe.');
    onClose();
  });
  const issues = readIssues(error, ['restrictedKey', 'webhookSecret']);
  const mode = project.environment === 'live' ? 'live' : 'test';
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        {what === 'connect' && (
          <Text size="sm">
            Make a restricted key at Stripe, in {mode} mode. Events need no permission of it. To
            deliver rewards it needs write for Customers, and for discounts also for Coupons,
            Promotion codes and Subscriptions.
          </Text>
        )}
        {what === 'key' && (
          <Text size="sm">
            It must belong to the same account, because earlier deliveries are there.
          </Text>
        )}
        {what === 'secret' && (
          <Text size="sm">
            Stripe shows it for the event destination at this connection’s webhook URL. The previous
            secret stays valid for 24 hours, so nothing is lost.
          </Text>
        )}
        {asksKey && (
          <PasswordInput
            label="Restricted key"
            placeholder={`rk_${mode}_…`}
            required
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
            error={issues.of('restrictedKey') ?? (isTried ? keyProblem : null)}
          />
        )}
        {asksSecret && (
          <PasswordInput
            label="Signing secret"
            description={
              isSecretOptional
                ? 'Stripe creates it when you enter the webhook URL. Leave it empty for now.'
                : undefined
            }
            placeholder="whsec_…"
            required={!isSecretOptional}
            autoComplete="off"
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
            error={issues.of('webhookSecret') ?? (isTried ? secretProblem : null)}
          />
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
            {connection ? 'Save' : 'Connect'}
          </Button>
        </Group>
      </Stack>
      {unsaved.question}
    </form>
  );
}
