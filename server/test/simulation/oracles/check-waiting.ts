import type { Actor } from '../world/actor.ts';
import type { Shown } from './wire.ts';

const DAY_MS = 86_400_000;

/**
 * A purchase that has waited in vain for a signup has waited for a day: unless its buyer had been known for a day, or no
 * program was open to refer anybody.
 */
export function checkWaiting({ programs }: Actor, { events, feed, details }: Shown): string[] {
  const created = new Map<string, string>();
  for (const { participant } of details.values())
    created.set(participant.id, participant.createdAt);
  const isOpen = (at: string) =>
    programs.made.some(({ spec, statuses }) => {
      if (spec.kind === 'loyalty') return false;
      const last = statuses.filter(({ from }) => from <= at).at(-1)?.status;
      return last === 'active' || last === 'paused';
    });
  return feed.flatMap(({ type, data, occurredAt }) => {
    if (type !== 'event.recorded') return [];
    const event = events.get(data.event.id);
    if (event?.processingReason !== 'no_signup') return [];
    const { receivedAt, participantId } = event;
    const ageMs = Date.parse(receivedAt) - Date.parse(created.get(participantId) ?? receivedAt);
    const hasWaited = Date.parse(occurredAt) - Date.parse(receivedAt) >= DAY_MS;
    if (hasWaited || ageMs > DAY_MS || !isOpen(occurredAt)) return [];
    return [`${event.id} waited from ${receivedAt} to ${occurredAt} only`];
  });
}
