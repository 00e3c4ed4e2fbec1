import { countOf } from '../../../ui/words.ts';

/** How many events were decided again, and how many of them differ. */
export function sayCompared(compared: number, different: number): string {
  const again = `${countOf(compared, 'event')} ${compared === 1 ? 'was' : 'were'} decided again.`;
  return `${again} ${different === 0 ? 'None' : different.toLocaleString()} would have had a different result.`;
}

/** Why some events are left as they were decided. */
export function sayNotReproduced(count: number): string {
  return count === 1
    ? '1 event could not be decided again, because something it depended on is no longer stored. It counts as it was decided.'
    : `${count.toLocaleString()} events could not be decided again, because something they depended on is no longer stored. They count as they were decided.`;
}
