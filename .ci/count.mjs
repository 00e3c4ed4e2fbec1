// Prints "passed failed" of a Vitest JSON report, then a line for each failure.
// A test file that could not run is a failure.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
if (report.numTotalTests === 0) throw new Error('no test ran');
const failures = report.testResults.flatMap(({ name, status, assertionResults }) => {
  const file = relative('.', name);
  if (status === 'failed' && assertionResults.length === 0) return [`${file} could not run`];
  return assertionResults
    .filter((one) => one.status === 'failed')
    .map(({ fullName }) => `${file} > ${fullName}`);
});
console.log(report.numPassedTests, failures.length);
for (const failure of failures) console.log(failure);
