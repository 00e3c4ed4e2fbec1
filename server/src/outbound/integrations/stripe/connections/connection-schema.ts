import Type, { type Static } from 'typebox';
import { Closed, InstantOut, OneOf, Opt } from '../../../../platform/kit/schema.ts';
import { CONNECTION_STATUSES, type ConnectionRow } from './connection.ts';

const Status = OneOf(CONNECTION_STATUSES, {
  description: 'While `disabled`, nothing is accepted from Stripe and nothing is sent to it.',
});
const RestrictedKey = Type.String({
  pattern: '^rk_(test|live)_[A-Za-z0-9]{8,240}$',
  description:
    'A restricted key of the account: a test key for a sandbox Project, a live key for a live Project.',
});
const WebhookSecret = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/=_-]{8,240}$',
  description: 'The signing secret that Stripe shows for the endpoint at `webhookUrl`.',
});

export const StripeConnection = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    status: Status,
    livemode: Type.Boolean(),
    webhookUrl: Type.String({ description: 'The URL to enter at Stripe as webhook endpoint.' }),
    hasWebhookSecret: Type.Boolean({
      description: 'Events are refused until the secret is set, because they cannot be verified.',
    }),
    last4: Type.String({ description: 'The last 4 characters of the restricted key.' }),
    sourceNamespaceId: Type.String({ description: 'The source of the facts that Stripe reports.' }),
    createdAt: InstantOut,
    updatedAt: InstantOut,
  },
  { title: 'StripeConnection' },
);
export type StripeConnection = Static<typeof StripeConnection>;

export const CreateConnection = Closed({
  restrictedKey: RestrictedKey,
  webhookSecret: Opt(WebhookSecret),
});
export type CreateConnection = Static<typeof CreateConnection>;

export const ChangeConnection = Closed({
  restrictedKey: Type.Optional(RestrictedKey),
  webhookSecret: Type.Optional(WebhookSecret),
  status: Type.Optional(Status),
});
export type ChangeConnection = Static<typeof ChangeConnection>;

export function toConnection(connection: ConnectionRow, baseUrl: string): StripeConnection {
  const { id, projectId, status, livemode, keyLast4, sourceId, createdAt, updatedAt } = connection;
  return {
    id,
    projectId,
    status,
    livemode,
    webhookUrl: `${baseUrl}/v1/integrations/stripe/${projectId}/${id}`,
    hasWebhookSecret: connection.webhookSecrets.length > 0,
    last4: keyLast4,
    sourceNamespaceId: sourceId,
    createdAt,
    updatedAt,
  };
}
