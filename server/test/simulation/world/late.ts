import { chance, pick, type Random } from './draw.ts';
import type { Operation, WorldSpec } from './operations.ts';

/** Numbers of refunds and operations that are there because they are reported late. */
const FIRST_REFUND = 6_001;
const FIRST_ID = 40_000;

/**
 * The same world, in which some refunds and disputes are reported after they happened. A refund is often from before a dispute
 * of the same purchase that was reported first: it then takes nothing of what is disputed.
 */
export function addLate(spec: WorldSpec, random: Random): WorldSpec {
  let added = 0;
  const lateMs = () => pick(random, [500, 3_000, 60_000, 7_200_000]);
  const operations = spec.operations.flatMap((one): Operation[] => {
    if (one.kind !== 'refund' && one.kind !== 'dispute') return [one];
    const late = chance(random, 50) ? { ...one, lateMs: lateMs() } : one;
    if (one.kind === 'refund' || !chance(random, 60)) return [late];
    added += 1;
    const refund: Operation = {
      id: FIRST_ID + added,
      gapMs: 1_000,
      kind: 'refund',
      order: one.order,
      refund: FIRST_REFUND + added,
      amountMinor: pick(random, [1, 50, 500, 1_000]),
      isEarly: chance(random, 10),
      lateMs: lateMs(),
    };
    return [late, refund];
  });
  return { ...spec, operations };
}
