import { exponentOf } from '../../../ui/currencies.ts';
import { formatMinor } from '../../../ui/money.tsx';

export function sayMinor(amountMinor: string, currency: string): string {
  return formatMinor(amountMinor, currency, exponentOf(currency) ?? 2);
}

interface ChangeProps {
  readonly currency: string;
  readonly actualMinor: string;
  readonly proposedMinor: string;
}

/** What was given, what would have been, and the difference with its sign. */
export function Change({ currency, actualMinor, proposedMinor }: ChangeProps) {
  const change = BigInt(proposedMinor) - BigInt(actualMinor);
  const sign = change > 0n ? '+' : '';
  return (
    <span className="figure">
      {sayMinor(actualMinor, currency)} → <b>{sayMinor(proposedMinor, currency)}</b> ({sign}
      {sayMinor(String(change), currency)})
    </span>
  );
}
