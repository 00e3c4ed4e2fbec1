import type { Instant } from '../../../platform/kit/instant.ts';
import { difference } from '../findings.ts';
import { listNumbered, NUMBERED_LISTS, type NumberedList } from '../stores/list-store.ts';
import { type CheckContext, walk } from './check-context.ts';
import { Sequence } from './sequence.ts';

/**
 * Feed positions and list numbers have no gaps and end where the head says. Their times never
 * decrease, and the head's time is never behind them.
 */
export async function checkNumbers(context: CheckContext): Promise<void> {
  const { head, projectId } = context;
  let newest: Instant = '';
  for (const list of NUMBERED_LISTS) {
    const last = await checkList(context, list);
    if (last > newest) newest = last;
  }
  if (head.lastAt < newest) {
    context.report([
      difference('head', projectId, 'lastAt', {
        stored: head.lastAt,
        expected: `${newest} or later`,
      }),
    ]);
  }
}

/** Returns when the last row was written. */
async function checkList(context: CheckContext, list: NumberedList): Promise<Instant> {
  const { tx, projectId, head } = context;
  const field = list.name === null ? 'feedPosition' : `numbers.${list.name}`;
  const given = list.name === null ? head.feedPosition : (head.numbers[list.name] ?? 0);
  const sequence = new Sequence(list.subject);
  const rows = listNumbered(tx, projectId, list);
  const walked = { what: `numbers of ${list.table}`, total: given, pages: rows };
  await walk(context, walked, (row) => context.report(sequence.see(row)));
  const { number, at } = sequence.last;
  if (BigInt(given) !== number) {
    context.report([difference('head', projectId, field, { stored: given, expected: number })]);
  }
  return at;
}
