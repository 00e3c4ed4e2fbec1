import { Text } from '@mantine/core';
import { formatMinor } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { formatCount } from '../home/format-count.ts';
import { type Currency, type Figures, formatShare, metricValue, revenueIn } from './numbers.ts';

interface FunnelProps {
  readonly figures: Figures;
  readonly currency: Currency | undefined;
}

/** From clicks to revenue: what came of each step in this period. */
export function Funnel({ figures: { total }, currency }: FunnelProps) {
  const { clicks, signups, customers } = total;
  const most = Math.max(clicks, signups, customers, 1);
  const steps = [
    { label: 'Link clicks', value: clicks, note: '' },
    {
      label: 'Signups by referral',
      value: signups,
      note: clicks > 0 ? `${formatShare(signups, clicks)} of clicks` : '',
    },
    {
      label: 'New customers',
      value: customers,
      note: signups > 0 ? `${formatShare(customers, signups)} of signups` : '',
    },
  ];
  return (
    <Section title="From click to customer">
      <ol className="funnel">
        {steps.map(({ label, value, note }) => (
          <li key={label}>
            <div className="funnel-words">
              <span>{label}</span>
              <span className="figure">
                <b>{formatCount(value)}</b>
              </span>
            </div>
            <div className="funnel-bar" aria-hidden="true">
              <div style={{ inlineSize: `${(100 * value) / most}%` }} />
            </div>
            <Text size="xs" c="dimmed">
              {note}
            </Text>
          </li>
        ))}
        <li>
          <div className="funnel-words">
            <span>Referred revenue</span>
            <b className="figure">{sayRevenue(total, currency)}</b>
          </div>
          <Text size="xs" c="dimmed">
            {sayPerPurchase(total, currency)}
          </Text>
        </li>
      </ol>
    </Section>
  );
}

function sayRevenue(total: Figures['total'], currency: Currency | undefined): string {
  if (!currency) return 'none yet';
  return formatMinor(revenueIn(total, currency), currency.code, currency.exponent);
}

/** Repeat purchases of earlier customers are part of it, so it is divided by purchases. */
function sayPerPurchase(total: Figures['total'], currency: Currency | undefined): string {
  const purchases = `${formatCount(total.purchases)} ${total.purchases === 1 ? 'purchase' : 'purchases'}`;
  const revenue = metricValue('revenue', total, currency);
  if (!currency || !revenue || total.purchases === 0 || total.revenue.length > 1) return purchases;
  const written = new Intl.NumberFormat(undefined, { style: 'currency', currency: currency.code });
  return `${purchases}, ${written.format(revenue / total.purchases)} each on average`;
}
