import { countOf } from '../../../ui/words.ts';

interface Purchases {
  readonly purchases: number;
  readonly refundedPurchases: number;
}

/** `4, of which 3 refunded`. */
export function sumPurchases(all: readonly Purchases[]): string {
  const made = all.reduce((sum, { purchases }) => sum + purchases, 0);
  const refunded = all.reduce((sum, { refundedPurchases }) => sum + refundedPurchases, 0);
  if (made === 0) return 'None';
  return `${made.toLocaleString()}${refunded > 0 ? `, of which ${refunded.toLocaleString()} refunded` : ''}`;
}

/** `1 person`, `50 people or more` where the list ends. */
export function sayCount(count: number, most = Number.POSITIVE_INFINITY): string {
  if (count === 0) return 'Nobody';
  const people = countOf(Math.min(count, most), 'person', 'people');
  return count >= most ? `${people} or more` : people;
}
