import type { Actor } from '../http/principal.ts';

/** Who published a version, as versions name them. */
export function authorOf(actor: Actor): string {
  return `${actor.type === 'key' ? 'key' : 'user'}:${actor.id}`;
}
