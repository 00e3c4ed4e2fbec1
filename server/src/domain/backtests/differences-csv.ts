import type { Queryable } from '../../platform/db/driver.ts';
import { CsvPages } from '../../platform/http/routes/answers.ts';
import { guardCells, writeCsv } from '../../platform/kit/csv.ts';
import { presentDifferences } from './present.ts';
import { listDifferenceRows } from './store.ts';

const PAGE = 500;
const HEAD = [
  'event_id',
  'occurred_at',
  'rule_id',
  'participant_id',
  'external_id',
  'kind',
  'code',
  'actual',
  'proposed',
];

/** All listed differences, one row for each rule and beneficiary. */
export function openDifferences(db: Queryable, projectId: string, backtestId: string): CsvPages {
  return new CsvPages(`${backtestId}.csv`, writePages(db, projectId, backtestId));
}

async function* writePages(
  db: Queryable,
  projectId: string,
  backtestId: string,
): AsyncGenerator<string> {
  yield writeCsv([HEAD]);
  let after = 0;
  for (;;) {
    const rows = await listDifferenceRows(db, projectId, backtestId, after, PAGE);
    const differences = await presentDifferences(db, projectId, rows);
    yield writeCsv(
      guardCells(
        differences.flatMap(({ eventId, occurredAt, lines }) =>
          lines.map(({ ruleId, beneficiary, kind, code, actual, proposed }) => [
            eventId,
            occurredAt,
            ruleId,
            beneficiary.participantId,
            beneficiary.externalId ?? '',
            kind,
            code,
            actual,
            proposed,
          ]),
        ),
      ),
    );
    if (rows.length < PAGE) return;
    after = Number(rows.at(-1)?.number);
  }
}
