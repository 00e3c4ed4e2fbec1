import { Input, Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { exponentOf } from '../../../../ui/currencies.ts';
import { formatRate } from '../../../../ui/format-rate.ts';
import { formatMinor } from '../../../../ui/money.tsx';
import { countOf } from '../../../../ui/words.ts';
import type { ProgramKind } from '../../queries.ts';
import { type TermsForm, type TermsRule, toFacts } from '../terms-form.ts';
import { type Earnings, earningsOf } from './earnings.ts';
import { nounOf } from './measure-words.ts';

/** The form is shown first; the chart is loaded meanwhile. */
const LineChart = lazy(async () => ({
  default: (await import('../../../../ui/line-chart.tsx')).LineChart,
}));

interface EarningsChartProps {
  readonly form: TermsForm;
  readonly rule: TermsRule;
  readonly kind: ProgramKind;
}

const GREEN = ['#1f5f4a', '#7fd3b0'] as const;
const HEIGHT = 170;
/** Until the unit has a name. */
const UNIT = { name: 'unit', namePlural: 'units' };
/** Up to here an axis has a step for every whole number: there is no half mug. */
const WHOLE_STEPS = 5;

/** What the typed terms would earn somebody, by how much they bring. */
export function EarningsChart({ form, rule, kind }: EarningsChartProps) {
  const { currency } = form;
  const { eventType, beneficiaryRole, purpose } = rule;
  const shown = useMemo(() => {
    const of = { eventType, beneficiaryRole, purpose };
    const facts = toFacts(form, of);
    const earnings = earningsOf(of, facts, currency);
    const unit = facts.unit ?? UNIT;
    return earnings && draw(earnings, { kind, currency, unit });
  }, [form, eventType, beneficiaryRole, purpose, kind, currency]);
  if (!shown) return null;
  const { caption, ...chart } = shown;
  return (
    <div>
      <Input.Label labelElement="div">What it comes to</Input.Label>
      <Input.Description mb={4}>{caption}</Input.Description>
      <Suspense fallback={<Skeleton height={HEIGHT} aria-busy="true" role="status" />}>
        <LineChart {...chart} height={HEIGHT} />
      </Suspense>
    </div>
  );
}

interface Surroundings {
  readonly kind: ProgramKind;
  readonly currency: string;
  readonly unit: { readonly name: string; readonly namePlural: string };
}

function draw(earnings: Earnings, { kind, currency, unit }: Surroundings) {
  const { measure, counts, totals, kind: counted, price, isStepped } = earnings;
  const exponent = exponentOf(currency) ?? 2;
  const scale = 10 ** exponent;
  const money = (minor: bigint) => formatMinor(String(minor), currency, exponent);
  const format = {
    money: (value: number) => money(BigInt(Math.round(value * scale))),
    units: (value: number) => countOf(value, unit.name, unit.namePlural),
    rate: (value: number) => formatRate(Math.round(value * 100)),
  }[counted];
  const divisor = { money: scale, units: 1, rate: 100 }[counted];
  const isMoney = measure === 'revenue';
  const noun = `${nounOf(measure, kind)}s`;
  const label = isMoney ? `Revenue in ${currency}` : noun.charAt(0).toUpperCase() + noun.slice(1);
  const place = (value: number) =>
    isMoney ? money(BigInt(Math.round(value * scale))) : value.toLocaleString();
  const values = totals.map((total) => Number(total) / divisor);
  const what = counted === 'rate' ? 'The discount' : 'In total';
  const last = format(values.at(-1) ?? 0);
  const end = place(Number(counts.at(-1) ?? 0n) / (isMoney ? scale : 1));
  const assumed = price === null ? '' : `, if each purchase is ${money(price)}`;
  return {
    caption: `${what}, by ${isMoney ? 'revenue' : noun}${assumed}.`,
    summary: `${what} ${last} at ${end}${isMoney ? ' of revenue' : ` ${noun}`}${assumed}.`,
    places: counts.map((count) => Number(count) / (isMoney ? scale : 1)),
    axis: { label, isTime: false, format: place },
    series: [{ label: what, colour: GREEN, values, texts: values.map(format), isStepped }],
    format,
    least: counted === 'units' ? WHOLE_STEPS : 1,
  };
}
