import { cutEvents, renderEvent, writePlaceholderTexts } from '../../platform/feed/render-event.ts';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { FeedEventType } from '../../platform/feed/writer/project-write.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import type { EndpointDeps } from './endpoints/endpoint.ts';
import type { TestAnswer } from './endpoints/endpoint-schema.ts';
import { liveSecretsOf } from './endpoints/endpoint-secrets.ts';
import { getEndpoint } from './endpoints/endpoint-store.ts';
import { sampleData } from './sample-data.ts';
import { signatureHeaders } from './sender/sign.ts';

/** A sample has no placeholders to fill in. */
const NOTHING = writePlaceholderTexts({ $party: new Map(), $properties: new Map() });

/**
 * Sends a sample event to an endpoint, enabled or disabled, and returns the result. Nothing is
 * stored, and the response has no effect. Fails with NOT_FOUND.
 */
export async function sendTest(
  deps: Omit<EndpointDeps, 'writer' | 'reach'>,
  project: ProjectRef,
  endpointId: string,
  type: FeedEventType,
): Promise<TestAnswer> {
  const { database, clock, newId, keyring, apiVersions, sender } = deps;
  const endpoint = await getEndpoint(database.reads, project.id, endpointId);
  const occurredAt = await projectNow(database.reads, clock, project);
  const id = `wev_test_${newId('wev').slice('wev_'.length)}`;
  const data = sampleData(type, { projectId: project.id, now: occurredAt, newId });
  const row = { position: 0, id, type, occurredAt, data: JSON.stringify(data) };
  const { apiVersion } = endpoint;
  const body = Buffer.concat(
    cutEvents([row]).cut.map((event) =>
      Buffer.from(renderEvent(event, project, NOTHING, { apiVersions, apiVersion })),
    ),
  );
  const signedAt = toInstant(clock.nowMs());
  const secrets = liveSecretsOf(keyring, endpoint, signedAt);
  const headers = signatureHeaders({ id, signedAt, body, secrets });
  const result = await sender.send({ url: endpoint.url, headers, body });
  const { latencyMs } = result;
  if (result.outcome === 'failed') {
    const failure = { reason: result.reason, message: result.message };
    const nothing = { delivered: false, responseStatus: null, responseBody: null };
    return { webhookId: id, ...nothing, latencyMs, failure };
  }
  const { status: responseStatus, bodyStart: responseBody } = result;
  const delivered = responseStatus >= 200 && responseStatus <= 299;
  return { webhookId: id, delivered, responseStatus, responseBody, latencyMs, failure: null };
}

/** Runs up to this many at once in this process and refuses more instead of queueing them. */
export function atMost(
  count: number,
  refusal: () => Error,
): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  return async (work) => {
    if (running >= count) throw refusal();
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
    }
  };
}
