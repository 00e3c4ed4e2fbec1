import type { Receivers } from '../outside/receivers.ts';
import type { Actor } from '../world/actor.ts';
import type { Shown } from './wire.ts';

/** The feed has every event once, and each receiver was sent all of them, and nothing else. */
export function checkFeed(
  actor: Actor,
  receivers: Receivers,
  { feed }: Pick<Shown, 'feed'>,
): string[] {
  const findings: string[] = [];
  const known = new Set(feed.map(({ id }) => id as string));
  // Those of risk are only for who asks for them.
  const ids = feed.filter(({ type }) => !type.startsWith('risk.')).map(({ id }) => id as string);
  if (known.size !== feed.length) findings.push('the feed has an event twice');
  for (const { url } of actor.spec.endpoints) {
    const arrived = receivers.arrivedAt(url);
    const missing = ids.filter((id) => !arrived.has(id));
    if (missing.length > 0) {
      findings.push(
        `${url} was not sent ${missing.length} of ${ids.length}, such as ${missing[0]}`,
      );
    }
    const strange = [...arrived].filter((id) => !known.has(id));
    if (strange.length > 0)
      findings.push(`${url} was sent ${strange[0]}, which is not in the feed`);
  }
  return findings;
}
