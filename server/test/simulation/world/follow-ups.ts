import { chance, type Random } from './draw.ts';
import type { Operation, Undated, WorldSpec } from './operations.ts';

/** Numbers of operations that follow up others. */
const FIRST_ID = 60_000;
/** By then the one before is answered, unless something is broken. */
const PAUSE_MS = 1_000;

/**
 * The same world, in which what hardly happens by chance follows at once: a second person claims a browser, and a reward that
 * was granted is voided and taken back.
 */
export function addFollowUps(spec: WorldSpec, random: Random): WorldSpec {
  let added = 0;
  const follow = (...operations: Undated[]): Operation[] =>
    operations.map((one) => {
      added += 1;
      return { id: FIRST_ID + added, gapMs: PAUSE_MS, ...one } as Operation;
    });
  const operations = spec.operations.flatMap((one): Operation[] => {
    if (one.kind === 'click' && chance(random, 30)) {
      const { browser } = one;
      const person = random(spec.people);
      const other = (person + 1 + random(spec.people - 1)) % spec.people;
      return [
        one,
        ...follow(
          { kind: 'identify', browser, person },
          { kind: 'identify', browser, person: other },
        ),
      ];
    }
    if (one.kind === 'grant' && chance(random, 40)) {
      const { person, nth } = one;
      return [one, ...follow({ kind: 'void', person, nth }, { kind: 'revoke', person, nth })];
    }
    return [one];
  });
  return { ...spec, operations };
}
