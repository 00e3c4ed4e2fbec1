import type { ServerResponse } from 'node:http';
import { addEndpoint } from './endpoints.ts';
import type { Fleet } from './fleet.ts';
import { type Receiver, receiveHttp } from './receiver.ts';
import type { FeedEvent, Shop } from './shop.ts';

/** One request that came in. */
interface Delivery {
  readonly id: string;
  readonly body: string;
  /** By the time that passes. */
  readonly atMs: number;
  /** What it was answered; null if it was not. */
  status: number | null;
}

/**
 * Answers with the status it returns, or by itself; then it returns the status that the sender
 * saw, null if none.
 */
export type Behaviour = (
  event: FeedEvent,
  response: ServerResponse,
  /** How often this event came, from 1. */
  count: number,
) => number | null | Promise<number | null>;

/** Grants three of four Rewards, and says of the others that it does not. */
export const asProduct: Behaviour = ({ type, data }) =>
  type === 'reward.earned' && data.reward.id.charCodeAt(data.reward.id.length - 1) % 4 === 0
    ? 202
    : 200;

/** Keeps requests waiting until it is opened. */
export function makeGate(): { readonly passed: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** A receiver of one endpoint of a Shop. */
export interface Inbox extends Receiver {
  readonly endpointId: string;
  readonly shop: Shop;
  /** How many events were in the feed before it was there. */
  readonly since: number;
  readonly deliveries: readonly Delivery[];
  /** The events that it got, each once. */
  ids(): Set<string>;
  /** How many events of the feed have not come yet. */
  missing(): Promise<number>;
  /** Requests that are not over. */
  inFlight(): number;
  behave: Behaviour;
}

/** Opens a receiver and an endpoint for it, which gets every event from then on. */
export async function openInbox(
  fleet: Fleet,
  shop: Shop,
  behave: Behaviour = asProduct,
): Promise<Inbox> {
  const deliveries: Delivery[] = [];
  const counts = new Map<string, number>();
  let inFlight = 0;
  const receiver = await receiveHttp((request, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    response.on('error', () => undefined);
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      const event: FeedEvent = JSON.parse(body);
      const count = (counts.get(event.id) ?? 0) + 1;
      counts.set(event.id, count);
      const delivery: Delivery = {
        id: event.id,
        body,
        atMs: performance.now(),
        status: null,
      };
      deliveries.push(delivery);
      delivery.status = await inbox.behave(event, response, count);
      if (delivery.status === null || response.headersSent) return;
      response.statusCode = delivery.status;
      response.end('thanks');
    });
  });
  const url = `http://127.0.0.1:${receiver.port}/hooks`;
  const since = await fleet.published(shop.project.projectId);
  const { id: endpointId } = await addEndpoint(fleet, shop.project, { url });
  const inbox: Inbox = {
    ...receiver,
    endpointId,
    shop,
    since,
    deliveries,
    ids: () => new Set(counts.keys()),
    missing: async () => (await fleet.published(shop.project.projectId)) - since - counts.size,
    inFlight: () => inFlight,
    behave,
  };
  return inbox;
}
