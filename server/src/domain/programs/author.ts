import type { Actor } from '../../platform/http/access/principal.ts';

/** Who published a version, as versions name them. */
export function authorOf(actor: Actor): string {
  return `${actor.type === 'key' ? 'key' : 'user'}:${actor.id}`;
}
