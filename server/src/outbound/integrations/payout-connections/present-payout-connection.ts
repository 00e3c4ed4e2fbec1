import type { ConnectionRow } from './payout-connection.ts';
import type { PayoutConnection } from './payout-connection-schema.ts';

/** Names of the methods in webhook URLs. */
export const HOOK_NAMES = {
  paypal: 'paypal',
  wise: 'wise',
  stripe_connect: 'stripe-connect',
} as const;

export function toConnection(
  { sealed: _, ...row }: ConnectionRow,
  baseUrl: string,
): PayoutConnection {
  const name = HOOK_NAMES[row.method];
  const webhookUrl = `${baseUrl}/v1/integrations/${name}/${row.workspaceId}/${row.id}`;
  return { ...row, webhookUrl };
}
