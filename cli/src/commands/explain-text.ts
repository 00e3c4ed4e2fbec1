import type { components } from '@goodword/sdk';
import { formatMajor } from '../output/format-money.ts';
import { toVisible } from '../output/layout.ts';
import { wordEvent, wordReject, wordSkip } from './explain-words.ts';

type Schemas = components['schemas'];
export type Event = Schemas['Event'];
export type Explanation = Schemas['Explanation'];

/** The fields of a rule's terms that explain its calculation. */
export interface Terms {
  readonly id: string;
  readonly version: number;
  readonly currency: string | null;
  readonly currencyExponent: number | null;
  readonly unit: { readonly name: string; readonly namePlural: string } | null;
  readonly benefitKind: string;
}

export interface Story {
  readonly event: Event;
  readonly explanation: Explanation;
  /** Names of participants, programs and rules by id, as far as they are known. */
  readonly names: ReadonlyMap<string, string>;
  readonly terms: ReadonlyMap<string, Terms>;
}

/** Explains in sentences why an event was credited to somebody or nobody, and what it earned. */
export function explainText({ event, explanation, names, terms }: Story): string {
  const nameOf = (id: string) => toVisible(names.get(id) ?? id);
  const paragraphs = [
    [
      `${event.id}: ${event.type} of ${nameOf(event.participantId)} at ${event.occurredAt}.`,
      event.processingState === 'processed'
        ? wordEvent(event.processingReason)
        : `It is ${event.processingState}. ${wordEvent(event.processingReason)}`,
    ],
    explanation.candidates.length === 0
      ? []
      : [
          'Possible referrers:',
          ...explanation.candidates.map(
            (candidate) =>
              `  - ${nameOf(candidate.referrer)}, in ${nameOf(candidate.programId)}, ${candidate.occurredAt}: ${
                candidate.verdict === 'selected'
                  ? 'credited.'
                  : `not credited, since ${wordReject(candidate.reason)}.`
              }`,
          ),
        ],
    explanation.rules.length === 0
      ? ['No rule applied.']
      : [
          'What the rules gave:',
          ...explanation.rules.map((rule) => {
            const of = `  - ${nameOf(rule.ruleId)}, for the ${rule.beneficiaryRole}: `;
            if (rule.verdict === 'skipped') {
              return `${of}nothing, since ${wordSkip(rule.reason)}${detailOf(rule)}.`;
            }
            const judged = terms.get(rule.termsVersionId ?? '');
            const version = judged ? ` by version ${judged.version} of its terms` : '';
            const sum = rule.calculation ? calculationText(rule.calculation, judged, event) : '';
            return `${of}${sum}${version}${detailOf(rule)} (${rule.rewardId}).`;
          }),
        ],
    riskText(explanation.risk),
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');
}

/** What speaks against its referral; nothing if no signal fired. */
function riskText(risk: Explanation['risk']): string[] {
  if (risk === null || risk.signals.length === 0) return [];
  const isReviewed = risk.reviewId === null ? '' : `, which opened the review ${risk.reviewId}`;
  return [
    `Risk score ${risk.score}${isReviewed}:`,
    ...risk.signals.map(({ sentence, points }) => `  - ${points}: ${toVisible(sentence)}`),
  ];
}

/** The condition, step or milestone that decided: `, with 5 referrals: the step from 5`. */
function detailOf({ condition, tier, milestone }: Explanation['rules'][number]): string {
  if (condition) {
    const { field, op, value, found } = condition;
    return `: ${field} ${op} ${JSON.stringify(value)}, and it was ${found === null ? 'missing' : JSON.stringify(found)}`;
  }
  if (tier)
    return `, in the step from ${tier.from} with ${MEASURED[tier.measure]} at ${tier.value}${carriedText(tier)}`;
  if (milestone)
    return `: ${MEASURED[milestone.measure]} at ${milestone.value} of ${milestone.at}${carriedText(milestone)}`;
  return '';
}

const carriedText = ({ carried }: { readonly carried: string }): string =>
  carried === '0' ? '' : `, of which ${carried} carried over`;

const MEASURED = {
  referrals: 'referrals',
  purchases: 'purchases',
  revenue: 'revenue in minor units',
} as const;

type Calculation = NonNullable<Explanation['rules'][number]['calculation']>;

const ROUNDING: Readonly<Record<string, string>> = {
  half_up: 'rounded to the nearest, halves up',
  half_even: 'rounded to the nearest, halves to even',
  down: 'rounded down',
  up: 'rounded up',
};

/** `5 % of 19.99 USD is 0.9995, rounded to the nearest, halves up: 1.00 USD`. */
function calculationText(
  { base, rateBps, rounding, result }: Calculation,
  terms: Terms | undefined,
  event: Event,
): string {
  if (base !== null && rateBps !== null) {
    const money = currencyOf(event);
    const exact = BigInt(base) * BigInt(rateBps);
    const share = `${rateBps / 100} % of ${show(base, money)}`;
    if (exact % 10_000n === 0n) return `${share} is ${show(result, money)}`;
    const product = formatMajor(exact, (money?.exponent ?? 0) + 4).replace(/0+$/, '');
    return `${share} is ${product}, ${ROUNDING[rounding ?? ''] ?? rounding}: ${show(result, money)}`;
  }
  if (terms?.benefitKind === 'discount' && rateBps !== null)
    return `a discount of ${rateBps / 100} %`;
  if (terms?.unit) return `${result} ${result === '1' ? terms.unit.name : terms.unit.namePlural}`;
  const { currency = null, currencyExponent: exponent = null } = terms ?? {};
  const money = currency !== null && exponent !== null ? { currency, exponent } : null;
  return `${show(result, money)}, a fixed amount,`;
}

interface Money {
  readonly currency: string;
  readonly exponent: number;
}

const show = (minor: string, money: Money | null): string =>
  money === null ? minor : `${formatMajor(BigInt(minor), money.exponent)} ${money.currency}`;

/** The currency of an event's purchase. */
function currencyOf({ normalizedFacts }: Event): Money | null {
  const { purchase } = normalizedFacts as {
    purchase?: { currency?: string; currencyExponent?: number } | null;
  };
  const { currency, currencyExponent: exponent } = purchase ?? {};
  return currency === undefined || exponent === undefined ? null : { currency, exponent };
}
