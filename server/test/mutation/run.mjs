// Changes the pure code in one place at a time and runs the unit tests against each change.
// Prints the changes that no test noticed, and fails if a file has less than 85 % noticed.
// Arguments are the files to change; the default is the list in stryker.config.json.
import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

const LEAST_PERCENT = 85;
const KILLED = ['Killed', 'Timeout'];
const SURVIVED = ['Survived', 'NoCoverage'];

const files = process.argv.slice(2);
const options = files.length > 0 ? { mutate: [...files, '!src/**/*.test.ts'] } : {};
const results = await new Stryker(options).runMutationTest();

const mutants = results
  .filter(({ status }) => [...KILLED, ...SURVIVED].includes(status))
  .map((result) => ({ ...result, file: relative('.', result.fileName) }));

for (const { file, status, location, mutatorName, replacement } of mutants) {
  if (!SURVIVED.includes(status)) continue;
  const place = `${file}:${location.start.line}:${location.start.column}`;
  console.log(`${status} ${place} ${mutatorName} ${replacement.replace(/\s+/g, ' ')}`);
}

const rows = [...new Set(mutants.map(({ file }) => file))].toSorted().map((file) => {
  const own = mutants.filter((mutant) => mutant.file === file);
  const killed = own.filter(({ status }) => KILLED.includes(status)).length;
  return {
    file,
    mutants: own.length,
    killed,
    score: Math.floor((killed / own.length) * 1000) / 10,
  };
});
console.table(rows);

const low = rows.filter(({ score }) => score < LEAST_PERCENT);
for (const { file, score } of low) console.error(`${file}: ${score} % is below ${LEAST_PERCENT} %`);
if (low.length > 0) process.exitCode = 1;
