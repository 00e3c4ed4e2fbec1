/** `12.50 USD` in the reader's format, exact to the last minor unit. */
export function formatMinor(amountMinor: string, currency: string, exponent: number): string {
  const negative = amountMinor.startsWith('-');
  const digits = (negative ? amountMinor.slice(1) : amountMinor).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const decimal = exponent > 0 ? `${whole}.${digits.slice(-exponent)}` : whole;
  const text = `${negative ? '-' : ''}${decimal}`;
  try {
    // A string keeps every digit: a number would round amounts above 2^53.
    return new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency,
      minimumFractionDigits: exponent,
      maximumFractionDigits: exponent,
    }).format(text as unknown as number);
  } catch {
    return `${text} ${currency}`;
  }
}

/** Where it is too long for a column, an amount breaks after its currency and not within its digits. */
export const breakable = (amount: string): string => amount.replaceAll('\u00A0', ' ');

interface MoneyProps {
  readonly amountMinor: string;
  readonly currency: string;
  readonly exponent: number;
}

export function Money({ amountMinor, currency, exponent }: MoneyProps) {
  return <span className="figure">{breakable(formatMinor(amountMinor, currency, exponent))}</span>;
}
