import { expect, it } from 'vitest';
import type { Verdict } from './check-results.ts';
import { reportCsv } from './send-results.ts';

const line = (kind: Verdict['kind'], number: number): Verdict =>
  ({
    kind,
    row: { line: number, payoutId: `po_${number}`, outcome: 'paid' },
    why: 'Not of this batch.',
  }) as Verdict;

it('the report says of every line what became of it, by what the service took', () => {
  const verdicts = [
    line('ready', 2),
    line('known', 3),
    line('refused', 4),
    line('ready', 5),
    line('ready', 6),
  ];
  const failed = [{ item: verdicts[3] as Extract<Verdict, { kind: 'ready' }>, reason: 'No.' }];
  const report = reportCsv(verdicts, { recorded: new Set([2]), failed });
  expect(report.trimEnd().split('\r\n').slice(1)).toEqual([
    '"2","po_2","paid","recorded",""',
    '"3","po_3","paid","known already",""',
    '"4","po_4","paid","left out","Not of this batch."',
    '"5","po_5","paid","refused","No."',
    '"6","po_6","paid","not sent",""',
  ]);
});
