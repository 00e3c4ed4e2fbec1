import './lists.css';
import { useQuery } from '@tanstack/react-query';
import { formatMinor } from '../money.tsx';
import { sayCount } from './say-count.ts';

interface Totals {
  readonly count: number;
  readonly isMore: boolean;
  /** Null if not all rows are summed; undefined for lists without amounts. */
  readonly sums?: readonly Sum[] | null;
}

interface Sum {
  readonly currency: string;
  readonly currencyExponent: number;
  readonly amountMinor: string;
  readonly netAmountMinor?: string;
}

interface ListTotalProps {
  readonly queryKey: readonly unknown[];
  readonly load: (signal: AbortSignal) => Promise<Totals>;
  readonly one: string;
  readonly many?: string;
  /** What the sum includes. */
  readonly note?: string | undefined;
}

/** The number and the sums of everything that matches the filters, not only of the loaded rows. */
export function ListTotal({ queryKey, load, one, many = `${one}s`, note }: ListTotalProps) {
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    staleTime: 10_000,
    refetchOnWindowFocus: false,
  });
  if (!data) return <span className="list-total" role="status" />;
  const { sums } = data;
  return (
    <span className="list-total" role="status">
      <strong>{sayCount(data, one, many)}</strong>
      {sums?.map(({ currency, currencyExponent, amountMinor, netAmountMinor }) => (
        <span key={currency} className="figure">
          {formatMinor(netAmountMinor ?? amountMinor, currency, currencyExponent)}
        </span>
      ))}
      {note && sums && sums.length > 0 && <span className="list-total-note">{note}</span>}
      {sums === null && <span className="list-total-note">Filter further to see their sum.</span>}
    </span>
  );
}
