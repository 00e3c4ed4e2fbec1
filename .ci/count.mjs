// Prints "passed failed" of a Vitest JSON report; a test file that could not run is a failure.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const broken = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
).length;
if (report.numTotalTests === 0) throw new Error('no test ran');
console.log(report.numPassedTests, report.numFailedTests + broken);
