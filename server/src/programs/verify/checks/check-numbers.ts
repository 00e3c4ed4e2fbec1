import type { Instant } from '../../../platform/kit/instant.ts';
import { type Difference, difference } from '../findings.ts';
import {
  listNumbered,
  NUMBERED_LISTS,
  type NumberedList,
  type NumberedRow,
} from '../stores/list-store.ts';
import { type CheckContext, walk } from './check-context.ts';

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
    context.report([difference(['head', projectId], 'lastAt', head.lastAt, `${newest} or later`)]);
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
    context.report([difference(['head', projectId], field, given, number)]);
  }
  return at;
}

/**
 * Checks the rows of one list in order: numbers count from 1 without gaps, and times never
 * decrease.
 */
export class Sequence {
  readonly #subject: string;
  #number = 0n;
  #at: Instant = '';

  constructor(subject: string) {
    this.#subject = subject;
  }

  get last(): { readonly number: bigint; readonly at: Instant } {
    return { number: this.#number, at: this.#at };
  }

  see({ id, number, at }: NumberedRow): Difference[] {
    const next = this.#number + 1n;
    const found: Difference[] = [];
    if (number !== next) found.push(difference([this.#subject, id], 'number', number, next));
    if (at < this.#at) {
      found.push(difference([this.#subject, id], 'time', at, `${this.#at} or later`));
    } else {
      this.#at = at;
    }
    this.#number = number;
    return found;
  }
}
