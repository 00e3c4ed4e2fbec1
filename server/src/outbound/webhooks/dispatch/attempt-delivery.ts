import { type Instant, toInstant } from '../../../platform/kit/instant.ts';
import type { Attempt } from '../deliveries/delivery.ts';
import type { EndpointRow } from '../endpoints/endpoint.ts';
import { liveSecretsOf } from '../endpoints/endpoint-secrets.ts';
import type { Task } from '../queue/claim-tasks.ts';
import type { SendResult } from '../sender/exchange.ts';
import type { OutgoingRequest } from '../sender/send-request.ts';
import { signatureHeaders } from '../sender/sign.ts';
import { decideOutcome, grantedReward } from './decide-outcome.ts';
import type { DispatchDeps } from './dispatch-deps.ts';
import type { AttemptResult } from './save-results.ts';

/** A signed attempt, to be sent at once. */
export interface Prepared {
  readonly id: string;
  readonly startedAt: Instant;
  /** As it is at the start: its mode at that time determines how the response is read. */
  readonly endpoint: EndpointRow;
  readonly request: OutgoingRequest;
}

/** A completed attempt, successful or not. */
export interface Finished {
  readonly result: AttemptResult;
  readonly eventId: string;
  readonly grantsRewardId: string | null;
}

export function prepareAttempt(
  deps: DispatchDeps,
  endpoint: EndpointRow,
  { delivery: { event }, render }: Task,
): Prepared {
  const body = render(endpoint.apiVersion);
  // Created now, so that attempts sort by their start: an attempt that learns of its failure only
  // after another process has delivered must not appear to be the last one.
  const id = deps.newId('wha');
  const startedAt = toInstant(deps.clock.nowMs());
  const secrets = liveSecretsOf(deps.keyring, endpoint, startedAt);
  const headers = signatureHeaders({ id: event.id, signedAt: startedAt, body, secrets });
  return { id, startedAt, endpoint, request: { url: endpoint.url, headers, body } };
}

/** Undefined if the service stopped before there was a response. */
export function finishAttempt(
  deps: DispatchDeps,
  { id, startedAt, endpoint }: Prepared,
  { delivery: { event, queueId, attempts: before }, leaseId }: Task,
  sent: SendResult,
): Finished | undefined {
  if (sent.outcome === 'failed' && sent.reason === 'cancelled') return undefined;
  const attempts = before + 1;
  const outcome = decideOutcome(sent, attempts, toInstant(deps.clock.nowMs()));
  if (outcome.outcome === 'succeeded') deps.usage.noteFirst(endpoint.projectId, 'webhook');
  deps.onAttempt?.({ outcome: outcome.outcome, latencyMs: sent.latencyMs });
  const isAnswered = sent.outcome === 'answered';
  const attempt: Attempt = {
    id,
    endpointId: endpoint.id,
    position: event.position,
    startedAt,
    outcome: outcome.outcome,
    latencyMs: sent.latencyMs,
    responseStatus: isAnswered ? sent.status : null,
    responseBody: isAnswered ? sent.bodyStart : null,
    failureReason: isAnswered ? null : sent.reason,
    failureMessage: isAnswered ? null : sent.message,
  };
  return {
    result: { queueId, leaseId, attempts, attempt, outcome },
    eventId: event.id,
    grantsRewardId: endpoint.fulfillmentMode === 'on_delivery' ? grantedReward(event, sent) : null,
  };
}
