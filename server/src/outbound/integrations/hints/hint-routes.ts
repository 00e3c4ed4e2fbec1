import Type from 'typebox';
import { Success, success } from '../../../platform/http/routes/answers.ts';
import { workspaceHookRoute } from '../../../platform/http/routes/hook-routes.ts';
import type { Refusal, Route } from '../../../platform/http/routes/route.ts';
import { PROVIDER_METHODS, type ProviderMethod } from '../../payouts/methods.ts';
import { HOOK_NAMES } from '../payout-connections/payout-connection.ts';
import { createClientCache } from '../providers.ts';
import { type HintDeps, takeHint } from './take-hint.ts';

interface Provider {
  readonly name: string;
  readonly header: string;
  readonly body: object;
  readonly refusals?: readonly Refusal[];
}

const PROVIDERS: Readonly<Record<ProviderMethod, Provider>> = {
  paypal: {
    name: 'PayPal',
    header: 'Paypal-Transmission-Sig',
    body: { event_type: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED', resource: { payout_batch_id: 'Q8KV…' } },
  },
  wise: {
    name: 'Wise',
    header: 'X-Signature-SHA256',
    body: { event_type: 'transfers#state-change', data: { resource: { id: 16521632 } } },
  },
  stripe_connect: {
    name: 'Stripe',
    header: 'Stripe-Signature',
    body: { id: 'evt_1Q3x9', object: 'event', type: 'transfer.reversed' },
    refusals: [
      {
        code: 'INVALID_REQUEST',
        reason: 'livemode_mismatch',
        when: 'the event is from the other mode (live or test)',
      },
    ],
  },
};

/** Receives webhooks by which providers announce news of a payout. */
export function hintRoutes(given: Omit<HintDeps, 'keepPaypal'>): Route[] {
  const deps: HintDeps = { ...given, keepPaypal: createClientCache() };
  return PROVIDER_METHODS.map((method) => {
    const { name, header, body, refusals = [] } = PROVIDERS[method];
    return workspaceHookRoute({
      path: `/v1/integrations/${HOOK_NAMES[method]}/{workspaceId}/{connectionId}`,
      tag: 'Payouts',
      summary: `Receive a webhook from ${name} about a payout`,
      description: `The webhook makes the service ask ${name} about the payout soon, instead of at the next scheduled check. Its content never changes the payout, so it may arrive twice, late or out of order.`,
      signatureHeader: header,
      answer: Success(
        Type.Object({
          isAsked: Type.Boolean({
            description: 'False if the webhook does not concern a known payout.',
          }),
        }),
      ),
      refusals: [
        { code: 'NOT_FOUND', when: 'the connection does not exist' },
        {
          code: 'INVALID_REQUEST',
          reason: 'invalid_signature',
          when: `the body is not signed by ${name}, or the signature is too old`,
        },
        ...refusals,
        { code: 'SERVICE_UNAVAILABLE', when: `${name} cannot be reached now` },
      ],
      example: { body, answer: success({ isAsked: true }) },
      handle: async ({ params, signed }) => {
        const place = {
          workspaceId: params.workspaceId as string,
          connectionId: params.connectionId as string,
        };
        const isAsked = await takeHint(deps, method, place, signed);
        return success({ isAsked });
      },
    });
  });
}
