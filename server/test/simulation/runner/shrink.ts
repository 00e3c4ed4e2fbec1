import type { WorldSpec } from '../world/operations.ts';

export type Fails = (spec: WorldSpec) => Promise<boolean>;

/** Without what differs between two worlds with the same fault. */
const toKind = (finding: string) =>
  finding.split('\n', 1)[0]?.replace(/[a-z]*_?\w*\d\w*/g, '') ?? '';

/** Whether two worlds fail in the same way, as far as can be told. */
export const isAlike = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.some((other) => toKind(one) === toKind(other)));

/**
 * A world with as little in it as possible that still fails: with one process, no faults and no receivers if these do not
 * matter, and then without chunks of operations, from halves down to single ones. It ends after so many tries.
 */
export async function shrinkWorld(spec: WorldSpec, fails: Fails, triesMax: number) {
  let tries = 0;
  const isWorth = async (candidate: WorldSpec) => {
    if (tries >= triesMax) return false;
    tries += 1;
    return fails(candidate);
  };
  let smallest = spec;
  for (const simpler of SIMPLER) {
    const candidate = simpler(smallest);
    if (isSmaller(candidate, smallest) && (await isWorth(candidate))) smallest = candidate;
  }
  return { spec: await dropOperations(smallest, isWorth), tries };
}

async function dropOperations(spec: WorldSpec, isWorth: Fails): Promise<WorldSpec> {
  let { operations } = spec;
  for (let size = Math.ceil(operations.length / 2); size > 0; ) {
    const before = operations.length;
    for (let at = operations.length - size; at > -size; at -= size) {
      const kept = operations.filter((_, index) => index < at || index >= at + size);
      if (await isWorth({ ...spec, operations: kept })) operations = kept;
    }
    // Single operations are tried again until none of them can go: one may have needed another that is gone now.
    if (size > 1) size = Math.floor(size / 2);
    else if (operations.length === before) size = 0;
  }
  return { ...spec, operations };
}

const FAULTS = new Set([
  ...['crash', 'break', 'freeze', 'refuse', 'slow', 'lose_commit', 'receiver', 'sleep'],
]);

const SIMPLER: readonly ((spec: WorldSpec) => WorldSpec)[] = [
  (spec) => ({ ...spec, operations: spec.operations.filter(({ kind }) => !FAULTS.has(kind)) }),
  (spec) => ({ ...spec, processes: 1 }),
  (spec) => ({ ...spec, endpoints: [] }),
];

const isSmaller = (one: WorldSpec, other: WorldSpec) =>
  JSON.stringify(one) !== JSON.stringify(other);
