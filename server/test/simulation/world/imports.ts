import { chance, pick, type Random } from './draw.ts';
import type { Operation, StartSpec, Undated, WorldSpec } from './operations.ts';

/**
 * The same world of a company that has referred people before: what some referrers had brought is there from the
 * beginning, and files of people and who had referred them are imported, some of them again.
 */
export function addImports(spec: WorldSpec, random: Random): WorldSpec {
  const programs = spec.programs.map((one) => ({
    ...one,
    starts: drawStarts(random, spec.people),
  }));
  const operations = [...spec.operations];
  const files: (Undated & { kind: 'import' })[] = [];
  for (let left = 4 + random(5); left > 0; left -= 1) {
    const known = files.length > 0 && chance(random, 25) ? pick(random, files) : null;
    const file = known ?? drawFile(random, spec);
    files.push(file);
    const at = Math.ceil(spec.people / 2) + random(operations.length);
    const gapMs = pick(random, [0, 5, 1_000]);
    operations.splice(at, 0, { id: operations.length, gapMs, ...file } as Operation);
  }
  return { ...spec, programs, operations };
}

function drawStarts(random: Random, people: number): StartSpec[] {
  return Array.from({ length: people }, (_, person) => person)
    .filter(() => chance(random, 40))
    .map((person) => ({
      person,
      referrals: pick(random, ['0', '1', '2']),
      purchases: pick(random, ['0', '1', '3']),
      revenueMinor: pick(random, ['0', '98', '13344', '299999']),
    }));
}

function drawFile(random: Random, { people, programs, operations }: WorldSpec) {
  const program = random(programs.length);
  const joined = operations.flatMap((one) =>
    one.kind === 'join' && one.program === program ? [one.person] : [],
  );
  const rows = Array.from({ length: 1 + random(4) }, () => ({
    person: random(people),
    referrer: joined.length > 0 && chance(random, 90) ? pick(random, joined) : random(people),
  }));
  return { kind: 'import' as const, program, rows };
}
