// Prints the 20 slowest tests of all Vitest JSON reports named.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const tests = process.argv.slice(2).flatMap((path) =>
  JSON.parse(readFileSync(path, 'utf8')).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      seconds: (duration ?? 0) / 1000,
      text: `${relative('.', name)} > ${fullName}`,
    })),
  ),
);
for (const { seconds, text } of tests.sort((a, b) => b.seconds - a.seconds).slice(0, 20)) {
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${text}`);
}
