import { randomUUID } from 'node:crypto';
import { type FeedRow, openEvents } from '../../../platform/feed/render-event.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import type { ClaimedDelivery } from '../dispatch/decide-outcome.ts';
import type { DispatchDeps } from '../dispatch/dispatch-deps.ts';
import type { EndpointRow } from '../endpoints/endpoint.ts';
import { findEndpoints } from '../endpoints/endpoint-store.ts';
import { type Claim, claimDeliveries, commitWithoutSync, type DueTimes } from './queue-store.ts';

/**
 * How long this process owns a delivery. If the process dies, the delivery is due again after that.
 */
export const LEASE_MS = 30_000;
/** A lease, plus more than clocks differ: a lease that ends later is considered invalid. */
const BELIEVED_MS = LEASE_MS + 300_000;

export function dueTimesAt(nowMs: number): DueTimes {
  return { now: toInstant(nowMs), latestEnd: toInstant(nowMs + BELIEVED_MS) };
}

/** A leased delivery, ready to be signed and sent. */
export interface Task {
  readonly delivery: ClaimedDelivery;
  readonly leaseId: string;
  readonly leasedUntilMs: number;
  /** The bytes to send, in the shape of a version. */
  render(apiVersion: string): Uint8Array;
}

export interface Claimed {
  readonly endpoints: readonly EndpointRow[];
  readonly tasks: readonly Task[];
}

/** Leases what is due in a project, as far as there is room, in its own transaction. */
export async function claimTasks(
  deps: DispatchDeps,
  projectId: string,
  room: Pick<Claim, 'rooms' | 'roomOfOthers'>,
): Promise<Claimed> {
  const nowMs = deps.clock.nowMs();
  const leaseId = randomUUID();
  const leasedUntilMs = nowMs + LEASE_MS;
  let claimed: Awaited<ReturnType<typeof claimDeliveries>> = [];
  const prepare = () => prepareBodies(deps, projectId, claimed);
  let preparing: Promise<BodyOf> | undefined;
  const endpoints = await deps.database.transaction(
    async (tx) => {
      commitWithoutSync(tx);
      const claiming = claimDeliveries(tx, projectId, {
        ...room,
        leaseId,
        leasedUntil: toInstant(leasedUntilMs),
        ...dueTimesAt(nowMs),
      });
      // Read after the claim, so that it includes every endpoint of a claimed delivery.
      const asking = findEndpoints(tx, projectId);
      claimed = await claiming;
      return asking;
    },
    {
      // What the events name is read while the database writes the leases to its disk.
      onCommitting: () => {
        if (claimed.length === 0) return;
        preparing = prepare();
        preparing.catch(() => undefined);
      },
    },
  );
  if (claimed.length === 0) return { endpoints, tasks: [] };
  const bodyOf = await (preparing ?? prepare());
  const tasks = claimed.map((delivery) => ({
    leaseId,
    leasedUntilMs,
    delivery,
    render: (apiVersion: string) => bodyOf(delivery.event, apiVersion),
  }));
  return { endpoints, tasks };
}

type BodyOf = (event: FeedRow, apiVersion: string) => Uint8Array;

/** The bytes to sign and send, by event and version: rendered once for any number of endpoints. */
async function prepareBodies(
  deps: DispatchDeps,
  projectId: string,
  claimed: readonly ClaimedDelivery[],
): Promise<BodyOf> {
  const project = await deps.findProject(projectId);
  if (!project) throw new Error(`There are deliveries of ${projectId}, which does not exist.`);
  const events = claimed.map(({ event }) => event);
  const opened = new Map(
    (await openEvents(deps, project, events)).map(({ row, render }) => [
      row.position,
      { render, bodies: new Map<string, Uint8Array>() },
    ]),
  );
  return ({ position }, apiVersion) => {
    const event = opened.get(position);
    if (!event) throw new Error(`The event at ${position} was not requested.`);
    const known = event.bodies.get(apiVersion);
    if (known) return known;
    const body = Buffer.from(event.render(apiVersion));
    event.bodies.set(apiVersion, body);
    return body;
  };
}
