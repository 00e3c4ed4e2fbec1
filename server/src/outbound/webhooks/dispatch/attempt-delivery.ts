import { toInstant } from '../../../platform/kit/instant.ts';
import type { Attempt } from '../deliveries/delivery.ts';
import type { EndpointRow } from '../endpoints/endpoint.ts';
import { liveSecretsOf } from '../endpoints/endpoint-secrets.ts';
import type { Task } from '../queue/claim-tasks.ts';
import type { SendResult } from '../sender/exchange.ts';
import { signatureHeaders } from '../sender/sign.ts';
import { decideOutcome, grantedReward } from './decide-outcome.ts';
import type { DispatchDeps } from './dispatch-deps.ts';
import type { AttemptResult } from './save-results.ts';

/** A completed attempt, successful or not. */
export interface Finished {
  readonly result: AttemptResult;
  readonly eventId: string;
  readonly grantsRewardId: string | null;
  /** From the start of the name lookup to the last byte read. */
  readonly exchangeMs: number;
}

/**
 * Signs and sends once, to the endpoint as it is at the start: the mode at that time determines how
 * the response is read. Undefined if the service stopped before there was a response.
 */
export async function attemptDelivery(
  deps: DispatchDeps,
  endpoint: EndpointRow,
  { delivery, leaseId, render }: Task,
): Promise<Finished | undefined> {
  const { event, queueId } = delivery;
  const body = render(endpoint.apiVersion);
  // Created now, so that attempts sort by their start: an attempt that learns of its failure only
  // after another process has delivered must not appear to be the last one.
  const id = deps.newId('wha');
  const startedAt = toInstant(deps.clock.nowMs());
  const secrets = liveSecretsOf(deps.keyring, endpoint, startedAt);
  const headers = signatureHeaders({ id: event.id, signedAt: startedAt, body, secrets });
  const startedMs = performance.now();
  const sent = await deps.sender.send({ url: endpoint.url, headers, body });
  const exchangeMs = performance.now() - startedMs;
  if (sent.outcome === 'failed' && sent.reason === 'cancelled') return undefined;
  const attempts = delivery.attempts + 1;
  const outcome = decideOutcome(sent, attempts, toInstant(deps.clock.nowMs()));
  deps.onAttempt?.({ outcome: outcome.outcome, latencyMs: sent.latencyMs });
  const attempt: Attempt = {
    id,
    endpointId: endpoint.id,
    position: event.position,
    startedAt,
    outcome: outcome.outcome,
    latencyMs: sent.latencyMs,
    ...describe(sent),
  };
  return {
    result: { queueId, leaseId, attempts, attempt, outcome },
    eventId: event.id,
    grantsRewardId: endpoint.fulfillmentMode === 'on_delivery' ? grantedReward(event, sent) : null,
    exchangeMs,
  };
}

function describe(sent: SendResult) {
  const isAnswered = sent.outcome === 'answered';
  return {
    responseStatus: isAnswered ? sent.status : null,
    responseBody: isAnswered ? sent.bodyStart : null,
    failureReason: isAnswered ? null : sent.reason,
    failureMessage: isAnswered ? null : sent.message,
  };
}
