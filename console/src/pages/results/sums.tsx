import { formatMinor } from '../../ui/money.tsx';

export interface Sum {
  readonly currency: string;
  readonly currencyExponent: number;
  readonly netAmountMinor: string;
}

interface SumsProps {
  readonly of: readonly Sum[];
}

/** Amounts, one line for each currency. */
export function Sums({ of: sums }: SumsProps) {
  if (sums.length === 0) return '–';
  return sums.map((one) => (
    <div key={one.currency} className="figure">
      {formatMinor(one.netAmountMinor, one.currency, one.currencyExponent)}
    </div>
  ));
}
