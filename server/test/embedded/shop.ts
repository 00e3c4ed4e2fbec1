import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A Project of a running program, made and used as its owner would. */
export interface Shop {
  readonly projectId: string;
  readonly key: string;
}

export interface FeedPage {
  readonly externalIds: string[];
  readonly next: string | undefined;
}

/** Makes a data folder as the first start of the program leaves it. */
export function makeDataFolder(folder: string): void {
  cpSync(inject('preparedStore'), folder, { recursive: true });
}

/** Makes a Project and a key, with the token that the program keeps in its data folder. */
export async function openShop(url: string, dataDir: string): Promise<Shop> {
  const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
  const post = async (path: string, body: Record<string, unknown>) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.json()) as { data: { id: string }; key: string };
  };
  const { data: workspace } = await post('/v1/workspaces', { name: 'Acme' });
  const place = { workspaceId: workspace.id, environment: 'sandbox' };
  const { data: project } = await post('/v1/projects', { ...place, name: 'Shop' });
  const { key } = await post('/v1/api-keys', { ...place, name: 'Test', permissions: 'full' });
  return { projectId: project.id, key };
}

/** The body of the call that makes a participant, and with it one event of the feed. */
export function toParticipant(shop: Shop, externalId: string): string {
  return JSON.stringify({
    projectId: shop.projectId,
    participant: { kind: 'individual', externalId },
  });
}

/** Reads the feed from a cursor, or from its beginning, to its end: who was created, in order. */
export async function readFeed(url: string, shop: Shop, after?: string): Promise<FeedPage> {
  const externalIds: string[] = [];
  let next = after;
  while (true) {
    const query = new URLSearchParams({ projectId: shop.projectId, limit: '500' });
    if (next !== undefined) query.set('after', next);
    const response = await fetch(`${url}/v1/webhook-events?${query}`, {
      headers: { 'x-api-key': shop.key },
    });
    if (!response.ok) throw new Error(`The feed answered ${response.status}`);
    const page = (await response.json()) as { events: ParticipantCreated[]; next: string };
    if (page.events.length === 0) return { externalIds, next: page.next };
    externalIds.push(...page.events.map((event) => event.data.participant.externalId));
    next = page.next;
  }
}

interface ParticipantCreated {
  readonly data: { readonly participant: { readonly externalId: string } };
}
