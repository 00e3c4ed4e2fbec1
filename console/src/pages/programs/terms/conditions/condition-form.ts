import { exponentOf } from '../../../../ui/currencies.ts';
import type { TermsVersion } from '../../queries.ts';
import { readScalar, writeScalar } from './scalar-text.ts';

export type Condition = NonNullable<TermsVersion['conditions']>[number];
export type Op = Condition['op'];

/** A condition as typed. */
export interface ConditionText {
  readonly field: string;
  readonly op: Op;
  /** One, unless the comparison takes a list. */
  readonly values: readonly string[];
}

export const CONDITIONS_MAX = 10;
const CHOICES_MAX = 50;

/** The name of a property follows. */
export const PROPERTY = 'properties.';
export const isProperty = (field: string) => field.startsWith(PROPERTY);
export const isList = (op: Op) => op === 'in' || op === 'not_in';

const EQUALITY: readonly Op[] = ['eq', 'ne', 'in', 'not_in'];
const ORDER: readonly Op[] = ['gte', 'lte', ...EQUALITY];

/** The comparisons that fit a field; one that is already chosen stays. */
export function opsOf({ field, op }: ConditionText): readonly Op[] {
  if (field === 'purchase.amountMinor') return ORDER;
  if (isProperty(field)) return [...EQUALITY, 'gte', 'lte'];
  const ops: readonly Op[] = field === 'purchase.isFirst' ? ['eq'] : EQUALITY;
  return ops.includes(op) ? ops : [...ops, op];
}

/** The fields of events of this type; properties are named one by one. */
export function fieldsOf(eventType: string): readonly string[] {
  const ofPurchase = [
    'purchase.amountMinor',
    'purchase.currency',
    'purchase.isFirst',
    'purchase.billingReason',
  ];
  return [PROPERTY, ...(eventType === 'purchase' ? ofPurchase : []), 'participant.kind'];
}

/** A condition on a field, before its value is typed. */
export function startCondition(field: string): ConditionText {
  const [op = 'eq'] = opsOf({ field, op: 'eq', values: [] });
  return { field, op, values: field === 'purchase.isFirst' ? ['true'] : [] };
}

/** The condition with another comparison: what was typed is kept as far as it fits. */
export const withOp = (condition: ConditionText, op: Op): ConditionText => ({
  ...condition,
  op,
  values: isList(op) ? condition.values : condition.values.slice(0, 1),
});

/** Values of these may be text, numbers or true and false; of others they are text. */
const isScalar = (field: string) => isProperty(field) || field === 'purchase.isFirst';

export function toConditionText({ field, op, value }: Condition): ConditionText {
  const write = isScalar(field) ? writeScalar : String;
  return { field, op, values: (Array.isArray(value) ? value : [value]).map(write) };
}

export function toCondition({ field, op, values }: ConditionText): Condition {
  const read = isScalar(field) ? readScalar : (text: string) => text.trim();
  const [first = '', ...rest] = values.map(read);
  return { field, op, value: isList(op) ? [first, ...rest] : first };
}

export type ConditionErrors = Partial<Record<'field' | 'op' | 'value', string>>;

/** What the service would refuse. */
export function checkCondition(condition: ConditionText, eventType: string): ConditionErrors {
  const { field, values } = condition;
  if (field.startsWith('purchase.') && eventType !== 'purchase') {
    return { field: 'Only purchases have this' };
  }
  if (isProperty(field) && !/^.{1,64}$/u.test(field.slice(PROPERTY.length))) {
    return { field: 'The name of the property, at most 64 characters' };
  }
  if (values.length === 0 || values.every((value) => value.trim() === '')) {
    return { value: 'Enter a value' };
  }
  if (values.length > CHOICES_MAX) return { value: `At most ${CHOICES_MAX} values` };
  const fault = values.map((value) => valueFault(condition, value)).find(Boolean);
  return fault ? { value: fault } : {};
}

function valueFault({ field, op }: ConditionText, value: string): string | undefined {
  if (field === 'purchase.amountMinor' && !/^\d{1,15}$/.test(value.trim())) {
    return 'A whole number in the smallest unit of the currency';
  }
  if (field === 'purchase.currency' && exponentOf(value) === undefined) return 'Choose a currency';
  const isOrder = op === 'gte' || op === 'lte';
  if (isProperty(field) && isOrder && !Number.isSafeInteger(readScalar(value))) {
    return 'A whole number';
  }
  return value.length > 1024 ? 'At most 1,024 characters' : undefined;
}
