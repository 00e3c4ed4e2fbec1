import { countOf } from '../words.ts';

/** `12 rewards`; `10,000+ rewards` if there are rows that were not counted. */
export function sayCount(
  { count, isMore }: { readonly count: number; readonly isMore: boolean },
  one: string,
  many: string,
): string {
  return isMore ? `${count.toLocaleString()}+ ${many}` : countOf(count, one, many);
}
