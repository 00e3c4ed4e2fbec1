import Type, { type Static } from 'typebox';
import { Closed, InstantOut, OneOf, Opt, Text } from '../../../platform/kit/schema.ts';
import { PROVIDER_METHODS } from '../../payouts/methods.ts';

/** Goes into a request header: no space, no line break. */
const Secret = (maxLength: number, description: string) =>
  Type.String({ minLength: 8, maxLength, pattern: '^[!-~]+$', description });

export const Connect = Closed({
  environment: OneOf(['sandbox', 'live']),
  method: OneOf(PROVIDER_METHODS),
  paypal: Opt(
    Closed({
      clientId: Secret(255, 'Client id of the app in PayPal’s developer dashboard.'),
      clientSecret: Secret(255, 'Secret of the same app.'),
      webhookId: Opt(Text(1, 64, 'Id of the webhook in PayPal, after you set it up.')),
    }),
  ),
  wise: Opt(
    Closed({
      profileId: Type.String({ pattern: '^[1-9][0-9]{0,18}$' }),
      token: Secret(255, 'An API token of the account.'),
      webhookPublicKey: Opt(
        Text(1, 4_096, 'The public key for Wise’s webhooks of this environment, in PEM format.'),
      ),
    }),
  ),
  stripeConnect: Opt(
    Closed({
      secretKey: Secret(
        255,
        'A restricted or secret key of the platform’s account, with permission to read the account.',
      ),
      webhookSecret: Opt(Secret(255, 'Signing secret of the webhook endpoint at Stripe.')),
    }),
  ),
});
export type Connect = Static<typeof Connect>;

export const PayoutConnection = Type.Object(
  {
    id: Type.String(),
    workspaceId: Type.String(),
    environment: OneOf(['sandbox', 'live']),
    method: OneOf(PROVIDER_METHODS),
    last4: Type.String({
      description: 'The last 4 characters of the secret or key. The rest is never shown.',
    }),
    webhookUrl: Type.String({ description: 'The address to enter for webhooks at the provider.' }),
    checksWebhooks: Type.Boolean({
      description: 'Whether webhooks are accepted. False until the data to verify them is set.',
    }),
    createdAt: InstantOut,
    updatedAt: InstantOut,
  },
  { title: 'PayoutConnection' },
);
export type PayoutConnection = Static<typeof PayoutConnection>;
