import { writeFileSync } from 'node:fs';

export interface Checked {
  readonly name: string;
  readonly findings: readonly string[];
  readonly cpuMs: number;
}

/** Writes what was checked in the form of Vitest's reports, which the checks of a change count. */
export function writeReport(file: string, checked: readonly Checked[]): void {
  const failed = checked.filter(({ findings }) => findings.length > 0);
  const assertionResults = checked.map(({ name, findings, cpuMs }) => ({
    fullName: name,
    status: findings.length > 0 ? 'failed' : 'passed',
    duration: cpuMs,
    failureMessages: findings,
  }));
  const report = {
    numTotalTests: checked.length,
    numPassedTests: checked.length - failed.length,
    testResults: [
      {
        name: 'test/simulation',
        status: failed.length > 0 ? 'failed' : 'passed',
        assertionResults,
      },
    ],
  };
  writeFileSync(file, JSON.stringify(report));
}
