import { expect } from 'vitest';
import { verifyProject } from '../src/programs/verify/verify-all.ts';
import type { Fleet } from './fleet.ts';
import type { Inbox } from './inbox.ts';
import type { Acknowledged } from './load.ts';
import type { FeedEvent, Shop } from './shop.ts';

/**
 * Holds what was published against what was delivered, event by event, once nothing waits any
 * more. Whatever happened before: what callers were told is saved is in the feed; every endpoint got
 * every event of the feed and no other, with the feed's own bytes; a Reward was granted once if a
 * receiver said so, and not if none did; and the store adds up.
 */
export async function reconcile(
  fleet: Fleet,
  inboxes: readonly Inbox[],
  acknowledged: readonly Acknowledged[],
): Promise<FeedEvent[]> {
  const feeds: FeedEvent[][] = [];
  for (const shop of new Set(inboxes.map((inbox) => inbox.shop))) {
    expect(await fleet.queued(shop.project.projectId)).toBe(0);
    const feed = await shop.feed();
    const inboxesOfShop = inboxes.filter((inbox) => inbox.shop === shop);
    compareWithFacts(feed, shop, acknowledged);
    for (const inbox of inboxesOfShop) {
      compareWithInbox(feed, inbox);
      await compareWithHistory(fleet, feed, inbox);
    }
    compareGrants(feed, inboxesOfShop);
    const { kept } = await verifyProject(fleet.database, shop.project.projectId);
    expect(kept).toEqual([]);
    feeds.push(feed);
  }
  return feeds.flat();
}

function compareWithFacts(
  feed: readonly FeedEvent[],
  shop: Shop,
  acknowledged: readonly Acknowledged[],
): void {
  const told = new Set(
    feed.filter(({ type }) => type === 'event.recorded').map(({ data }) => data.event.id),
  );
  const ours = acknowledged.filter((one) => one.shop === shop);
  expect(ours.filter(({ eventId }) => !told.has(eventId))).toEqual([]);
}

function compareWithInbox(feed: readonly FeedEvent[], inbox: Inbox): void {
  const published = new Map(
    feed.slice(inbox.since).map((event) => [event.id, JSON.stringify(event)]),
  );
  const got = inbox.ids();
  expect([...published.keys()].filter((id) => !got.has(id))).toEqual([]);
  expect(inbox.deliveries.filter(({ id, body }) => published.get(id) !== body)).toEqual([]);
}

/** Each event has its attempts in the history, and the last of them succeeded. */
async function compareWithHistory(
  fleet: Fleet,
  feed: readonly FeedEvent[],
  { endpointId, shop, since }: Inbox,
): Promise<void> {
  const last = await fleet.database.reads.query<{ id: string; outcome: string }>(
    `select distinct on (a.position) f.id, a.outcome from webhook_attempts a
     join feed_events f on f.project_id = a.project_id and f.position = a.position
     where a.project_id = $1 and a.endpoint_id = $2
     order by a.position, a.id desc`,
    [shop.project.projectId, endpointId],
  );
  expect(last.map(({ id }) => id)).toEqual(feed.slice(since).map(({ id }) => id));
  expect(last.filter(({ outcome }) => outcome !== 'succeeded')).toEqual([]);
}

function compareGrants(feed: readonly FeedEvent[], inboxes: readonly Inbox[]): void {
  const answered = new Set(
    inboxes.flatMap(({ deliveries }) =>
      deliveries.filter(({ status }) => status === 200).map(({ id }) => id),
    ),
  );
  const earned = feed.filter(({ type }) => type === 'reward.earned');
  const granted = earned.filter(({ id }) => answered.has(id)).map(({ data }) => data.reward.id);
  const fulfilled = feed
    .filter(({ type }) => type === 'reward.fulfilled')
    .map(({ data }) => data.reward.id);
  expect(fulfilled.toSorted()).toEqual(granted.toSorted());
}
