import type { Row } from '../../api/client.ts';
import { formatRate } from '../../ui/format-rate.ts';
import { formatMinor } from '../../ui/money.tsx';

type Benefit = Pick<Row<'/v1/rewards'>, 'money' | 'discount' | 'custom' | 'benefitKind'>;

const durations = {
  once: () => 'once',
  months: (months: number | null) => `for ${months} ${months === 1 ? 'month' : 'months'}`,
  forever: () => 'for ever',
};

/** The current value of a reward, after refunds: `€5.60`, `10% off, once`, `2 books`. */
export function benefitText({ money, discount, custom, benefitKind }: Benefit): string {
  if (money) return formatMinor(money.netAmountMinor, money.currency, money.currencyExponent);
  if (discount) {
    const { rateBps, durationMode, durationMonths } = discount;
    return `${formatRate(rateBps)} off, ${durations[durationMode](durationMonths)}`;
  }
  if (custom) {
    const { quantity, unitName, unitNamePlural } = custom;
    return `${quantity} ${quantity === 1 ? unitName : unitNamePlural}`;
  }
  return benefitKind;
}

/** Its value before refunds, if they changed it. */
export function originalText({ money }: Benefit): string | null {
  if (!money || money.amountMinor === money.netAmountMinor) return null;
  return formatMinor(money.amountMinor, money.currency, money.currencyExponent);
}

/** The total of several rewards, with one part per currency and unit: `€25.00, 4 books`. */
export function totalText(rewards: readonly Benefit[]): string {
  const totals = new Map<string, { sum: bigint; show: (sum: bigint) => string }>();
  for (const { money, discount, custom } of rewards) {
    const [key, amount, show] = money
      ? ([
          money.currency,
          BigInt(money.netAmountMinor),
          (sum: bigint) => formatMinor(String(sum), money.currency, money.currencyExponent),
        ] as const)
      : custom
        ? ([
            custom.customUnitId,
            BigInt(custom.quantity),
            (sum: bigint) => `${sum} ${sum === 1n ? custom.unitName : custom.unitNamePlural}`,
          ] as const)
        : ([
            `discount ${discount?.rateBps}`,
            1n,
            (sum: bigint) =>
              `${sum} ${sum === 1n ? 'discount' : 'discounts'} of ${formatRate(discount?.rateBps ?? 0)}`,
          ] as const);
    const before = totals.get(key)?.sum ?? 0n;
    totals.set(key, { sum: before + amount, show });
  }
  return [...totals.values()].map(({ sum, show }) => show(sum)).join(', ');
}
