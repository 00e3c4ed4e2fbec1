import { expect } from 'vitest';
import { type FeedPage, readFeed, type Shop, toParticipant } from './embedded/shop.ts';

/** Writes one fact; resolves once it is acknowledged. */
export async function addParticipant(url: string, shop: Shop, externalId: string): Promise<void> {
  const response = await fetch(`${url}/v1/participants`, {
    method: 'PUT',
    headers: { 'x-api-key': shop.key, 'content-type': 'application/json' },
    body: toParticipant(shop, externalId),
  });
  if (!response.ok) throw new Error(`PUT /v1/participants answered ${response.status}`);
}

/** Has all events of the shop sent to a receiver. */
export async function addEndpoint(url: string, shop: Shop, receiver: string): Promise<void> {
  const response = await fetch(`${url}/v1/webhook-endpoints`, {
    method: 'POST',
    headers: { 'x-api-key': shop.key, 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: shop.projectId, url: receiver }),
  });
  if (!response.ok) throw new Error(`POST /v1/webhook-endpoints answered ${response.status}`);
}

/** Writes one fact after the other until it is told to stop; then says which were acknowledged. */
export function keepWriting(url: string, shop: Shop, prefix: string): () => Promise<string[]> {
  let isStopped = false;
  const written: string[] = [];
  const writing = (async () => {
    while (!isStopped) {
      await addParticipant(url, shop, `${prefix}-${written.length}`);
      written.push(`${prefix}-${written.length}`);
    }
  })();
  return async () => {
    isStopped = true;
    await writing;
    return written;
  };
}

/**
 * What a restored feed must have: all that was acknowledged before the backup began, and of what
 * was written meanwhile the first so many, without a gap.
 */
export async function expectPrefix(
  url: string,
  shop: Shop,
  before: readonly string[],
  meanwhile: readonly string[],
): Promise<FeedPage> {
  const page = await readFeed(url, shop);
  expect(page.externalIds.slice(0, before.length)).toEqual(before);
  const rest = page.externalIds.slice(before.length);
  expect(rest).toEqual(meanwhile.slice(0, rest.length));
  return page;
}
