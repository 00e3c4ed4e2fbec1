import { exponentOf, toMinor } from '../../ui/currencies.ts';
import type { ImportRow } from './plan-import.ts';

interface Amount {
  readonly currency: string;
  readonly amountMinor: string;
}

/** A row as the service takes it. */
export type SentRow = Omit<
  ImportRow,
  'startingReferrals' | 'startingPurchases' | 'startingRevenue'
> & {
  readonly startingMeasures?: {
    readonly referrals?: string;
    readonly purchases?: string;
    readonly revenue?: readonly Amount[];
  };
};

/** Puts the cells of what was brought before together. */
export function toSentRow({
  startingReferrals: referrals,
  startingPurchases: purchases,
  startingRevenue: revenue,
  ...row
}: ImportRow): SentRow {
  if (referrals === undefined && purchases === undefined && revenue === undefined) return row;
  return {
    ...row,
    startingMeasures: {
      ...(referrals === undefined ? {} : { referrals }),
      ...(purchases === undefined ? {} : { purchases }),
      ...(revenue === undefined
        ? {}
        : { revenue: revenue.split(';').filter(isFilled).map(readAmount) }),
    },
  };
}

const isFilled = (text: string) => text.trim() !== '';

/** `120.50 USD`. The service refuses what is not an amount, with its place. */
function readAmount(text: string): Amount {
  const [, amount = '', currency = ''] = /^\s*(\S*)\s*([A-Za-z]*)\s*$/.exec(text) ?? [];
  const exponent = exponentOf(currency.toUpperCase());
  const minor = exponent === undefined ? null : toMinor(amount, exponent);
  return { currency, amountMinor: minor ?? amount };
}
