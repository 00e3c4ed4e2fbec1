import type { Receivers } from '../outside/receivers.ts';
import type { Actor } from '../world/actor.ts';
import type { Wire } from './wire.ts';

/** The feed has every event once, and each receiver was sent all of them, and nothing else. */
export async function checkFeed(actor: Actor, receivers: Receivers): Promise<string[]> {
  const findings: string[] = [];
  const ids = await listFeed(actor);
  const known = new Set(ids);
  if (known.size !== ids.length) findings.push('the feed has an event twice');
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

async function listFeed(actor: Actor): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ; ) {
    const from = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const page: Wire = await actor.reader.read(`/v1/webhook-events?limit=500${from}`);
    if (page.events.length === 0) return ids;
    ids.push(...page.events.map(({ id }: Wire) => id));
    after = page.next;
  }
}
