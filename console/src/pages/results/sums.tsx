import { formatMinor } from '../../ui/money.tsx';

interface SumsProps {
  readonly of: readonly {
    readonly currency: string;
    readonly currencyExponent: number;
    readonly netAmountMinor: string;
  }[];
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
