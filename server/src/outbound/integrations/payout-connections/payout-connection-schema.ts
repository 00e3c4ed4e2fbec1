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
      clientId: Secret(255, 'Of the app in PayPal’s developer dashboard.'),
      clientSecret: Secret(255, 'Of the same app.'),
      webhookId: Opt(Text(1, 64, 'Of the webhook that PayPal sends here, once it is set up.')),
    }),
  ),
  wise: Opt(
    Closed({
      profileId: Type.String({ pattern: '^[1-9][0-9]{0,18}$' }),
      token: Secret(255, 'An API token of the account.'),
      webhookPublicKey: Opt(
        Text(1, 4_096, 'In PEM, what Wise signs webhooks of this environment with.'),
      ),
    }),
  ),
  stripeConnect: Opt(
    Closed({
      secretKey: Secret(
        255,
        'A restricted or secret key of the platform’s account; it must be allowed to read it.',
      ),
      webhookSecret: Opt(Secret(255, 'Of the webhook endpoint that is set up at Stripe.')),
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
    last4: Type.String({ description: 'The end of the secret or key. The rest is never shown.' }),
    webhookUrl: Type.String({ description: 'Where the provider’s webhooks are to go.' }),
    checksWebhooks: Type.Boolean({
      description: 'Whether webhooks are taken: what they are checked by was given.',
    }),
    createdAt: InstantOut,
    updatedAt: InstantOut,
  },
  { title: 'PayoutConnection' },
);
export type PayoutConnection = Static<typeof PayoutConnection>;
