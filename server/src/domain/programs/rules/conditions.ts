import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import { parseMinor } from '../../../platform/kit/money.ts';

export const CONDITIONS_MAX = 10;
export const CHOICES_MAX = 50;
export const CONDITION_OPS = ['eq', 'ne', 'in', 'not_in', 'gte', 'lte'] as const;
type ConditionOp = (typeof CONDITION_OPS)[number];

export const BILLING_REASONS = [
  'one_time',
  'subscription_create',
  'subscription_cycle',
  'subscription_update',
] as const;

/** A value that a field can have. Amounts are decimal text, as on the wire. */
export type ConditionValue = string | number | boolean;

/** What must hold for a rule to earn. `value` is a list for `in` and `not_in`. */
export interface Condition {
  readonly field: string;
  readonly op: ConditionOp;
  readonly value: ConditionValue | readonly ConditionValue[];
}

/** Properties of the caller's own are `properties.<key>`. */
const PROPERTY = /^properties\.((?!__proto__$)[^\n\r\u2028\u2029]{1,64})$/u;

export function propertyOf(field: string): string | undefined {
  return PROPERTY.exec(field)?.[1];
}

/** A field that every deployment knows: which values it takes, and how they are written. */
interface KnownField {
  /** What a value must be; undefined if it is one. */
  readonly fault: (value: ConditionValue) => string | undefined;
  readonly normalize?: (value: ConditionValue) => ConditionValue;
  readonly isOrdered?: true;
}

function oneOf(choices: readonly string[]): KnownField {
  const issue = `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  return { fault: (value) => (choices.includes(String(value)) ? undefined : issue) };
}

const KNOWN = new Map<string, KnownField>(
  Object.entries({
    'purchase.amountMinor': {
      fault: (value) =>
        typeof value !== 'boolean' && parseMinor(String(value)) !== undefined
          ? undefined
          : 'must be a whole number of minor units',
      normalize: String,
      isOrdered: true,
    },
    'purchase.currency': {
      fault: (value) =>
        CURRENCY_EXPONENTS.has(String(value).toUpperCase())
          ? undefined
          : 'must be an ISO 4217 currency that has a minor unit',
      normalize: (value) => String(value).toUpperCase(),
    },
    'purchase.isFirst': {
      fault: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
    },
    'purchase.billingReason': oneOf(BILLING_REASONS),
    'participant.kind': oneOf(['individual', 'group']),
  }),
);
export const CONDITION_FIELDS = [...KNOWN.keys()];

/** A property can be any scalar; it is compared in order only as a whole number. */
const PROPERTY_FIELD: KnownField = { fault: () => undefined, isOrdered: true };

type Add = (path: string, issue: string) => void;

/** The conditions in their stored form. Every problem is added by its path; then ignore the result. */
export function decideConditions(
  input: readonly Condition[],
  eventType: string,
  add: Add,
): readonly Condition[] {
  return input.map((condition, index) =>
    decideCondition(condition, eventType, (part, issue) => add(`${index}.${part}`, issue)),
  );
}

function decideCondition(condition: Condition, eventType: string, add: Add): Condition {
  const { field, op, value } = condition;
  const known = propertyOf(field) === undefined ? KNOWN.get(field) : PROPERTY_FIELD;
  if (!known) {
    add('field', `must be ${CONDITION_FIELDS.join(', ')} or properties.<key>`);
    return condition;
  }
  if (field.startsWith('purchase.') && eventType !== 'purchase') {
    add('field', 'is allowed only for purchases');
  }
  const isList = op === 'in' || op === 'not_in';
  if (isList !== Array.isArray(value)) {
    add('value', isList ? `must be a list for ${op}` : `must be a single value for ${op}`);
    return condition;
  }
  const isOrder = op === 'gte' || op === 'lte';
  if (isOrder && !known.isOrdered) add('op', `must not be ${op}: ${field} has no order`);
  const judge = (one: ConditionValue, path: string) => {
    const fault = known.fault(one);
    if (fault) add(path, fault);
    else if (isOrder && known === PROPERTY_FIELD && !Number.isSafeInteger(one)) {
      add(path, `must be a whole number for ${op}`);
    }
    return known.normalize?.(one) ?? one;
  };
  if (!Array.isArray(value)) return { field, op, value: judge(value as ConditionValue, 'value') };
  return { field, op, value: value.map((one, at) => judge(one, `value.${at}`)) };
}
