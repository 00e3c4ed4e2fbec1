import { SMTP_MODES } from '../outside/mailbox.ts';
import { chance, pick, type Random } from './draw.ts';
import type { Operation, WorldSpec } from './operations.ts';

/** Numbers of operations that are there because people get mails. */
const FIRST_ID = 90_000;

/** The same world, in which people have addresses and get mails, of which they unsubscribe now and then. */
export function addMail(spec: WorldSpec, random: Random): WorldSpec {
  const isFaulty = chance(random, 75);
  const operations: Operation[] = [];
  let added = 0;
  const add = (operation: object) => {
    added += 1;
    operations.push({ id: FIRST_ID + added, gapMs: 0, ...operation } as Operation);
  };
  for (const [at, one] of spec.operations.entries()) {
    operations.push(one);
    const person = random(spec.people);
    const isEarly = at < 2 * spec.people;
    if (chance(random, isEarly ? 50 : 5)) add({ kind: 'address', person });
    if (isFaulty && chance(random, 15)) add({ kind: 'smtp', mode: pick(random, SMTP_MODES) });
    if (chance(random, 20)) add({ kind: 'wait', ms: pick(random, [500, 3_000, 11_000, 65_000]) });
    if (!isEarly && chance(random, 5)) add({ kind: 'unsubscribe', person });
  }
  return { ...spec, mail: true, operations };
}
