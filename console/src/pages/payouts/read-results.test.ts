import { describe, expect, test } from 'vitest';
import { checkResults } from './check-results.ts';
import { type ReadResults, readResults } from './read-results.ts';
import type { Payout } from './states.ts';

const rowsOf = (read: ReadResults) => {
  if ('refused' in read) throw new Error(read.refused);
  return read.rows;
};

describe('a file of results', () => {
  test('is understood by its column names, in any order and spelling', () => {
    const rows = rowsOf(
      readResults('Outcome,Payout id,Transfer reference\nPAID,po_1,TR-9\nreversed,po_2,\n'),
    );
    expect(rows).toMatchObject([
      { line: 2, payoutId: 'po_1', outcome: 'paid', reference: 'TR-9', problem: null },
      { line: 3, payoutId: 'po_2', outcome: 'returned', reference: null, problem: null },
    ]);
  });

  test('may be the exported file with an outcome added: its reference is the payout itself', () => {
    const [row] = rowsOf(readResults('payout_id,amount,reference,outcome\npo_1,5.00,po_1,paid'));
    expect(row).toMatchObject({
      payoutId: 'po_1',
      reference: null,
      outcome: 'paid',
      problem: null,
    });
  });

  test('tells of each line what is wrong with it, and spoils no other', () => {
    const file = [
      'payout_id,outcome,failure_reason,message',
      'po_1,perhaps,,',
      ',paid,,',
      'po_2,failed,account_closed,Closed in May',
      'po_2,paid,,',
      'po_3,failed,bad_luck,',
      'po_4,paid,other,',
      'po_5,,,',
    ].join('\n');
    expect(rowsOf(readResults(file)).map(({ problem }) => problem)).toEqual([
      expect.stringContaining('perhaps'),
      'The payout id is missing.',
      null,
      'The payout is already in line 4.',
      expect.stringContaining('bad_luck'),
      expect.stringContaining('cannot have a failure reason'),
      'The outcome is missing.',
    ]);
  });

  test.each([
    ['', 'empty'],
    ['outcome\npaid', 'payout_id'],
    ['payout_id\npo_1', 'outcome'],
    ['payout_id,outcome\n', 'nothing below'],
    ['payout_id,outcome\n"po_1,paid', 'never closed'],
  ])('%j is refused as a whole, with what is missing', (file, word) => {
    expect(readResults(file)).toEqual({ refused: expect.stringContaining(word) });
  });
});

describe('checking results against the batch', () => {
  const payout = (id: string, status: Payout['status'], paidAt: string | null = null) =>
    [id, { id, status, paidAt } as Payout] as const;
  const payouts = new Map([
    payout('po_way', 'processing'),
    payout('po_paid', 'paid', '2026-11-01T00:00:00.000Z'),
    payout('po_back', 'returned', '2026-11-01T00:00:00.000Z'),
    payout('po_draft', 'draft'),
  ]);
  test.each([
    ['po_way', 'paid', 'ready'],
    ['po_way', 'returned', 'ready'],
    ['po_paid', 'returned', 'ready'],
    ['po_paid', 'paid', 'known'],
    ['po_back', 'paid', 'known'],
    ['po_back', 'returned', 'known'],
    ['po_paid', 'failed', 'refused'],
    ['po_draft', 'paid', 'refused'],
    ['po_else', 'paid', 'refused'],
  ])('%s said to be %s: %s', (id, outcome, kind) => {
    const rows = rowsOf(readResults(`payout_id,outcome\n${id},${outcome}`));
    expect(checkResults(rows, payouts)).toMatchObject([{ kind }]);
  });
});
