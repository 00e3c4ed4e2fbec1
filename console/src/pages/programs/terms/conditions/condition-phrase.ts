import { exponentOf } from '../../../../ui/currencies.ts';
import { formatMinor } from '../../../../ui/money.tsx';
import { type Condition, isProperty, PROPERTY } from './condition-form.ts';
import { type Scalar, writeScalar } from './scalar-text.ts';

/** For menus. */
export const FIELDS: Readonly<Record<string, string>> = {
  [PROPERTY]: 'A property of the event',
  'purchase.amountMinor': 'The amount of the purchase',
  'purchase.currency': 'The currency of the purchase',
  'purchase.isFirst': 'Whether it is the first purchase',
  'purchase.billingReason': 'What the purchase is',
  'participant.kind': 'A person or a group',
};

export const BILLING_REASONS: Readonly<Record<string, string>> = {
  one_time: 'a one-time purchase',
  subscription_create: 'the start of a subscription',
  subscription_cycle: 'the renewal of a subscription',
  subscription_update: 'the change of a subscription',
};

export const KINDS: Readonly<Record<string, string>> = { individual: 'a person', group: 'a group' };

/** What an event without the field lacks. */
const LACKS: Readonly<Record<string, string>> = {
  'purchase.billingReason': 'no billing reason',
};

/** `the plan is annual`. Amounts are in `currency`, if there is only one. */
export function conditionPhrase(condition: Condition, currency: string | null): string {
  const { field, op, value } = condition;
  const values: readonly Scalar[] = Array.isArray(value) ? value : [value];
  if (field === 'purchase.isFirst') return firstPhrase(condition);
  const words = values.map((one) => valueWords(field, one, currency));
  const subject = subjectOf(field);
  switch (op) {
    case 'eq':
    case 'in':
      return `${subject} is ${joinOr(words)}`;
    case 'ne':
    case 'not_in':
      return `${subject} is not ${joinOr(words)}`;
    case 'gte':
      return `${subject} is at least ${words[0]}`;
    case 'lte':
      return `${subject} is at most ${words[0]}`;
  }
}

/** The one currency that conditions allow; null if there are several, or any. */
export function currencyOf(conditions: readonly Condition[]): string | null {
  const found = conditions.find(({ field, op }) => field === 'purchase.currency' && op === 'eq');
  return typeof found?.value === 'string' ? found.value : null;
}

/** A condition that did not hold, with what the event had instead. */
export interface Unmet extends Condition {
  readonly found: Scalar | null;
}

/** `The rule gives a reward only if the plan is annual. Here, the plan is monthly.` */
export function unmetSentence({ found, ...condition }: Unmet, currency: string | null): string {
  const { field } = condition;
  const needs = `The rule gives a reward only if ${conditionPhrase(condition, currency)}.`;
  if (found === null) {
    const name = isProperty(field) ? `no property “${field.slice(PROPERTY.length)}”` : LACKS[field];
    return `${needs} This event has ${name ?? 'no such field'}.`;
  }
  return `${needs} Here, ${conditionPhrase({ field, op: 'eq', value: found }, currency)}.`;
}

function firstPhrase({ op, value }: Condition): string {
  const values: readonly Scalar[] = Array.isArray(value) ? value : [value];
  const isNegative = op === 'ne' || op === 'not_in';
  return values.includes(!isNegative)
    ? 'it is their first purchase'
    : 'it is not their first purchase';
}

function subjectOf(field: string): string {
  if (isProperty(field)) return `the ${field.slice(PROPERTY.length).replaceAll('_', ' ')}`;
  return field === 'participant.kind' ? 'the participant' : 'the purchase';
}

function valueWords(field: string, value: Scalar, currency: string | null): string {
  if (isProperty(field)) return writeScalar(value);
  const text = String(value);
  switch (field) {
    case 'purchase.amountMinor':
      return amountWords(text, currency);
    case 'purchase.currency':
      return `in ${text}`;
    case 'purchase.billingReason':
      return BILLING_REASONS[text] ?? text;
    default:
      return KINDS[text] ?? text;
  }
}

function amountWords(minor: string, currency: string | null): string {
  const exponent = currency === null ? undefined : exponentOf(currency);
  if (currency !== null && exponent !== undefined) return formatMinor(minor, currency, exponent);
  return `${BigInt(minor).toLocaleString()} of the smallest unit of its currency`;
}

/** `a`, `a or b`, `a, b or c`. */
function joinOr(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
