import type { Body, Row } from '../../api/client.ts';

export type PayoutConnection = Row<'/v1/workspaces/{workspaceId}/payout-connections'>;
export type PayoutConnectionBody = Body<'/v1/workspaces/{workspaceId}/payout-connections', 'put'>;
export type ProviderMethod = PayoutConnection['method'];

interface Field {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly isSecret?: boolean;
  readonly isOptional?: boolean;
  readonly isLong?: boolean;
}

interface Provider {
  readonly label: string;
  readonly purpose: string;
  /** The permissions that the credentials need. */
  readonly needs: string;
  /** Webhooks that report changes sooner. */
  readonly events: string;
  /** The field of the body with its credentials. */
  readonly part: 'paypal' | 'wise' | 'stripeConnect';
  readonly fields: readonly Field[];
}

export const PROVIDERS: Readonly<Record<ProviderMethod, Provider>> = {
  paypal: {
    label: 'PayPal',
    purpose: 'Pays people who gave a PayPal address, from the balance of your PayPal account.',
    needs: 'An app in PayPal’s developer dashboard with Payouts switched on.',
    events: 'PAYMENT.PAYOUTS-ITEM.*, PAYMENT.PAYOUTSBATCH.*',
    part: 'paypal',
    fields: [
      { name: 'clientId', label: 'Client id' },
      { name: 'clientSecret', label: 'Client secret', isSecret: true },
      {
        name: 'webhookId',
        label: 'Webhook id',
        description: 'Id of the PayPal webhook for this connection’s URL. You can add it later.',
        isOptional: true,
      },
    ],
  },
  wise: {
    label: 'Wise',
    purpose: 'Pays bank accounts and Wise addresses, from the balance in the same currency.',
    needs: 'A token with full access and permission to fund transfers from the balance by API.',
    events: 'transfers#state-change, transfers#payout-failure',
    part: 'wise',
    fields: [
      { name: 'profileId', label: 'Profile id', placeholder: '12345678' },
      { name: 'token', label: 'API token', isSecret: true },
      {
        name: 'webhookPublicKey',
        label: 'Public key of webhooks',
        description: 'The key that Wise publishes for the environment, in PEM.',
        placeholder: '-----BEGIN PUBLIC KEY-----',
        isOptional: true,
        isLong: true,
      },
    ],
  },
  stripe_connect: {
    label: 'Stripe Connect',
    purpose: 'Transfers to accounts that people open with your Stripe platform.',
    needs: 'A key that may read accounts, and write transfers, accounts and account links.',
    events: 'transfer.reversed; of connected accounts, account.updated',
    part: 'stripeConnect',
    fields: [
      { name: 'secretKey', label: 'Secret or restricted key', isSecret: true },
      {
        name: 'webhookSecret',
        label: 'Signing secret of webhooks',
        placeholder: 'whsec_…',
        isSecret: true,
        isOptional: true,
      },
    ],
  },
};

/** The body that connects an account; empty optional fields are null. */
export function connectionBody(
  environment: PayoutConnection['environment'],
  method: ProviderMethod,
  values: Readonly<Record<string, string>>,
): PayoutConnectionBody {
  const { part, fields } = PROVIDERS[method];
  const credentials = Object.fromEntries(
    fields.map(({ name, isOptional }) => {
      const text = values[name]?.trim() ?? '';
      return [name, text === '' && isOptional ? null : text];
    }),
  );
  return { environment, method, [part]: credentials } as unknown as PayoutConnectionBody;
}

/** Names of required fields that are empty. */
export const missingIn = (
  method: ProviderMethod,
  values: Readonly<Record<string, string>>,
): string[] =>
  PROVIDERS[method].fields
    .filter(({ name, isOptional }) => !isOptional && (values[name]?.trim() ?? '') === '')
    .map(({ name }) => name);
