import Type, { type Static } from 'typebox';
import { InstantOut, Nullable } from '../../../platform/kit/schema.ts';
import { WebhookFailure } from '../endpoints/endpoint-schema.ts';
import type { AttemptRow } from './delivery.ts';

/** How many attempts of an endpoint its health is computed from. */
export const HEALTH_ATTEMPTS = 100;

export const EndpointHealth = Type.Object(
  {
    endpointId: Type.String(),
    attempts: Type.Integer({
      description: `How many attempts this is computed from: those for the newest events, at most ${HEALTH_ATTEMPTS}.`,
    }),
    succeeded: Type.Integer({ description: 'How many of them were accepted.' }),
    lastSuccessAt: Nullable(InstantOut),
    lastFailure: Nullable(
      Type.Object({
        at: InstantOut,
        responseStatus: Nullable(Type.Integer({ description: 'Null if there was no response.' })),
        failure: Nullable(WebhookFailure),
      }),
    ),
  },
  { title: 'WebhookEndpointHealth' },
);
export type EndpointHealth = Static<typeof EndpointHealth>;

export type HealthAttempt = Pick<
  AttemptRow,
  'startedAt' | 'outcome' | 'responseStatus' | 'failureReason' | 'failureMessage'
>;

/** How an endpoint answers, from its latest attempts in any order. */
export function describeHealth(
  endpointId: string,
  attempts: readonly HealthAttempt[],
): EndpointHealth {
  const isAccepted = ({ outcome }: HealthAttempt) => outcome === 'succeeded';
  const accepted = attempts.filter(isAccepted);
  const lastFailure = newest(attempts.filter((one) => !isAccepted(one)));
  return {
    endpointId,
    attempts: attempts.length,
    succeeded: accepted.length,
    lastSuccessAt: newest(accepted)?.startedAt ?? null,
    lastFailure: lastFailure
      ? {
          at: lastFailure.startedAt,
          responseStatus: lastFailure.responseStatus,
          failure:
            lastFailure.failureReason === null
              ? null
              : { reason: lastFailure.failureReason, message: lastFailure.failureMessage ?? '' },
        }
      : null,
  };
}

function newest(attempts: readonly HealthAttempt[]): HealthAttempt | undefined {
  return attempts.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0];
}
