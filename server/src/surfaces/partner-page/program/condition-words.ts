import {
  BILLING_REASONS,
  type Condition,
  type ConditionValue,
} from '../../../domain/programs/rules/conditions.ts';
import { parseMinor } from '../../../platform/kit/money.ts';
import type { Reader } from '../reader.ts';
import { fill } from '../texts/fill.ts';
import type { TextName } from '../texts/texts.ts';

const REASONS: Readonly<Record<(typeof BILLING_REASONS)[number], TextName>> = {
  one_time: 'reasonOneTime',
  subscription_create: 'reasonStart',
  subscription_cycle: 'reasonRenewal',
  subscription_update: 'reasonChange',
};

/** The conditions of terms as sentences. What has no sentence of its own is told as a formula. */
export function conditionSentences(conditions: readonly Condition[], reader: Reader): string[] {
  const { texts, formats } = reader;
  const currency = currencyOf(conditions);
  const told = conditions.map((one) => ({ one, sentence: sentenceOf(one, currency, reader) }));
  const others = told.filter(({ sentence }) => sentence === null).map(({ one }) => formula(one));
  const sentences = told.flatMap(({ sentence }) => sentence ?? []);
  return others.length === 0
    ? sentences
    : [...sentences, fill(texts.onlyOther, { conditions: formats.all(others) })];
}

/** Null if it has none. */
function sentenceOf(
  condition: Condition,
  currency: string | null,
  { texts, formats }: Reader,
): string | null {
  const { field, op } = condition;
  if (field === 'purchase.isFirst' && (op === 'eq' || op === 'ne')) {
    return (condition.value === true) === (op === 'eq') ? texts.onlyFirst : texts.notFirst;
  }
  if (field === 'purchase.billingReason') {
    const allowed = BILLING_REASONS.filter((reason) => holds(condition, reason));
    const reasons = formats.all(allowed.map((reason) => texts[REASONS[reason]]));
    return allowed.length === 0 ? null : fill(texts.onlyReasons, { reasons });
  }
  if (field === 'purchase.currency' && (op === 'eq' || op === 'in')) {
    const currencies = formats.all(valuesOf(condition).map((code) => String(code)));
    return fill(texts.onlyCurrencies, { currencies });
  }
  const amountMinor = parseMinor(String(condition.value));
  if (field !== 'purchase.amountMinor' || currency === null || amountMinor === undefined) {
    return null;
  }
  const amount = formats.money(amountMinor, currency);
  if (op === 'gte') return fill(texts.onlyAtLeast, { amount });
  return op === 'lte' ? fill(texts.onlyAtMost, { amount }) : null;
}

/** The only currency that conditions allow: amounts are of it. Null if there may be several. */
function currencyOf(conditions: readonly Condition[]): string | null {
  const named = conditions.find(
    ({ field, op }) => field === 'purchase.currency' && (op === 'eq' || op === 'in'),
  );
  const values = named ? valuesOf(named) : [];
  return values.length === 1 ? String(values[0]) : null;
}

function valuesOf({ value }: Condition): readonly ConditionValue[] {
  return Array.isArray(value) ? value : [value as ConditionValue];
}

function holds(condition: Condition, found: ConditionValue): boolean {
  const isNamed = valuesOf(condition).includes(found);
  return condition.op === 'eq' || condition.op === 'in' ? isNamed : !isNamed;
}

const SIGNS: Readonly<Record<Condition['op'], string>> = {
  eq: '=',
  in: '=',
  ne: '≠',
  not_in: '≠',
  gte: '≥',
  lte: '≤',
};

/** `plan = annual / monthly`. */
function formula(condition: Condition): string {
  const name = condition.field.slice(condition.field.indexOf('.') + 1).replaceAll('_', ' ');
  return `${name} ${SIGNS[condition.op]} ${valuesOf(condition).join(' / ')}`;
}
