import { type CsvTable, parseCsv } from '../../ui/parse-csv.ts';
import { FAILURE_REASONS, type FailureReason, type Outcome } from './states.ts';

/** A parsed row of a file of results. */
export interface ResultRow {
  /** Line of the file; 1 is the header. */
  readonly line: number;
  readonly payoutId: string;
  readonly outcome: Outcome | null;
  readonly reference: string | null;
  readonly failureReason: FailureReason | null;
  readonly failureMessage: string | null;
  /** Why it cannot be sent; null if it can. */
  readonly problem: string | null;
}

export type ReadResults = { readonly rows: ResultRow[] } | { readonly refused: string };

const COLUMNS = {
  payoutId: ['payout_id', 'payoutid', 'payout', 'id', 'reference'],
  outcome: ['outcome', 'result', 'status'],
  reference: [
    'transfer_reference',
    'bank_reference',
    'provider_reference',
    'transaction_id',
    'reference',
  ],
  failureReason: ['failure_reason', 'failurereason', 'reason'],
  failureMessage: ['failure_message', 'failuremessage', 'message', 'note'],
} as const;

const WORDS: Readonly<Record<string, Outcome>> = {
  paid: 'paid',
  success: 'paid',
  completed: 'paid',
  sent: 'paid',
  failed: 'failed',
  failure: 'failed',
  rejected: 'failed',
  blocked: 'failed',
  returned: 'returned',
  refunded: 'returned',
  reversed: 'returned',
};

/** A spreadsheet may have saved the apostrophe that our export puts in front. */
const clean = (text: string | undefined) => (text ?? '').trim().replace(/^'/, '');

const nameOf = (title: string) =>
  clean(title)
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

const LINES_MAX = 5_000;

/** Reads a file with one result per line; each row says whether it can be used. */
export function readResults(file: string): ReadResults {
  let table: CsvTable;
  try {
    table = parseCsv(file);
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
  const { header, rows: lines, lines: numbers } = table;
  if (header.length === 0) return { refused: 'The file is empty.' };
  const titles = header.map(nameOf);
  const columnOf = (names: readonly string[]) =>
    names.map((name) => titles.indexOf(name)).find((index) => index >= 0) ?? -1;
  const at = {
    payoutId: columnOf(COLUMNS.payoutId),
    outcome: columnOf(COLUMNS.outcome),
    reference: columnOf(COLUMNS.reference),
    failureReason: columnOf(COLUMNS.failureReason),
    failureMessage: columnOf(COLUMNS.failureMessage),
  };
  if (at.payoutId < 0) return { refused: 'There is no column payout_id in the first line.' };
  if (at.outcome < 0) return { refused: 'There is no column outcome in the first line.' };
  if (lines.length === 0) return { refused: 'There is nothing below the first line.' };
  if (lines.length > LINES_MAX)
    return { refused: `The file has ${lines.length} lines. Send at most ${LINES_MAX} at a time.` };
  const firstLines = new Map<string, number>();
  return {
    rows: lines.map((cells, index) => {
      const line = numbers[index] ?? 0;
      const cell = (column: number) => clean(cells[column]) || null;
      const payoutId = cell(at.payoutId) ?? '';
      const first = firstLines.get(payoutId);
      if (first === undefined) firstLines.set(payoutId, line);
      const reference = cell(at.reference);
      const reason = cell(at.failureReason);
      const said = cell(at.outcome);
      const row = {
        line,
        payoutId,
        outcome: WORDS[said?.toLowerCase() ?? ''] ?? null,
        reference: reference === payoutId ? null : reference,
        failureReason:
          reason !== null && reason in FAILURE_REASONS ? (reason as FailureReason) : null,
        failureMessage: cell(at.failureMessage),
      };
      return { ...row, problem: problemOf(row, { said, reason, first }) };
    }),
  };
}

function problemOf(
  row: Omit<ResultRow, 'problem'>,
  {
    said,
    reason,
    first,
  }: { said: string | null; reason: string | null; first: number | undefined },
): string | null {
  if (row.payoutId === '') return 'The payout id is missing.';
  if (first !== undefined) return `The payout is already in line ${first}.`;
  if (said === null) return 'The outcome is missing.';
  if (row.outcome === null) return `“${said}” is not valid. Use paid, failed or returned.`;
  if (row.outcome === 'paid' && (reason !== null || row.failureMessage !== null))
    return 'A paid transfer cannot have a failure reason or message.';
  if (reason !== null && row.failureReason === null)
    return `“${reason}” is not a valid reason. Use one of ${Object.keys(FAILURE_REASONS).join(', ')}.`;
  if ((row.reference?.length ?? 0) > 255) return 'The reference is longer than 255 characters.';
  if ((row.failureMessage?.length ?? 0) > 500) return 'The message is longer than 500 characters.';
  return null;
}
