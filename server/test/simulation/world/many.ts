import { chance, pick, type Random } from './draw.ts';
import type { Operation, WorldSpec } from './operations.ts';

/** Numbers of orders and of operations that are in calls with others. */
const FIRST_ORDER = 3_001;
export const FIRST_ID = 100_000;

type Signup = Operation & { readonly kind: 'signup' };

/** The same world, in which the backend reports some signups and purchases many at a time. */
export function addMany(spec: WorldSpec, random: Random): WorldSpec {
  const operations = [...spec.operations];
  const signups = new Map<number, Signup>();
  for (const one of operations) if (one.kind === 'signup') signups.set(one.person, one);
  const joined = operations.flatMap((one) => (one.kind === 'join' ? [one] : []));
  let drawn = 0;
  const drawOne = (person: number): Operation => {
    drawn += 1;
    const own = { id: FIRST_ID + drawn, gapMs: 0 };
    const known = signups.get(person);
    const isPlain = !known || known.browser === null;
    if (!isPlain || joined.length === 0 || chance(random, 55)) {
      const amountMinor = pick(random, [0, 1, 99, 12_345]);
      return { ...own, kind: 'buy', person, order: FIRST_ORDER + drawn, amountMinor };
    }
    const { person: referrer, program } = pick(random, joined);
    const made: Signup = {
      ...own,
      kind: 'signup',
      person,
      referrer,
      program,
      via: 'code',
      browser: null,
    };
    // Whoever repeats a signup says the same.
    const first = known ? { ...known, ...own } : made;
    signups.set(person, first);
    return first;
  };
  for (let left = 2 + random(5); left > 0; left -= 1) {
    const people = [random(spec.people), random(spec.people)];
    const many = Array.from({ length: 2 + random(5) }, () => drawOne(pick(random, people)));
    const at = Math.ceil(spec.people / 2) + random(operations.length);
    operations.splice(at, 0, { id: operations.length, gapMs: 0, kind: 'many', operations: many });
  }
  return { ...spec, operations };
}
