import { expect, it } from 'vitest';
import { reportCsv } from './report-csv.ts';

it('reports what failed and why, and what was not tried', () => {
  const csv = reportCsv({
    total: 2,
    done: 0,
    failures: [{ item: 'rwd_1', reason: 'Voided, "by hand".' }],
    untried: ['rwd_2'],
    state: 'stopped',
    trouble: null,
  });
  expect(csv.trimEnd().split('\r\n')).toEqual([
    '"id","outcome","reason"',
    '"rwd_1","failed","Voided, ""by hand""."',
    '"rwd_2","not tried",""',
  ]);
});
