import {
  type Condition,
  type ConditionValue,
  propertyOf,
} from '../../programs/rules/conditions.ts';

/** The fields of an Event that conditions can name. */
export interface ConditionFacts {
  readonly purchase: {
    /** Decimal text. */
    readonly amountMinor: string;
    readonly currency: string;
    readonly billingReason: string | null;
    /** Whether its participant had bought nothing before that counts. */
    readonly isFirst: boolean;
  } | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly participantKind: string;
}

/** A condition that does not hold, and the value that it found; null if the Event lacks the field. */
export interface UnmetCondition extends Condition {
  readonly found: ConditionValue | null;
}

/** The first condition that does not hold. */
export function findUnmet(
  conditions: readonly Condition[],
  facts: ConditionFacts,
): UnmetCondition | undefined {
  for (const condition of conditions) {
    const found = fieldOf(condition.field, facts);
    if (found === null || !holds(condition, found)) return { ...condition, found };
  }
  return undefined;
}

function fieldOf(
  field: string,
  { purchase, properties, participantKind }: ConditionFacts,
): ConditionValue | null {
  const key = propertyOf(field);
  if (key !== undefined) {
    const value = Object.hasOwn(properties, key) ? properties[key] : null;
    return (value ?? null) as ConditionValue | null;
  }
  switch (field) {
    case 'purchase.amountMinor':
      return purchase?.amountMinor ?? null;
    case 'purchase.currency':
      return purchase?.currency ?? null;
    case 'purchase.isFirst':
      return purchase?.isFirst ?? null;
    case 'purchase.billingReason':
      return purchase?.billingReason ?? null;
    case 'participant.kind':
      return participantKind;
    default:
      return null;
  }
}

function holds({ op, value }: Condition, found: ConditionValue): boolean {
  const choices = (Array.isArray(value) ? value : [value]) as readonly ConditionValue[];
  switch (op) {
    case 'eq':
    case 'in':
      return choices.includes(found);
    case 'ne':
    case 'not_in':
      return !choices.includes(found);
    case 'gte':
      return compare(found, choices[0], (a, b) => a >= b);
    case 'lte':
      return compare(found, choices[0], (a, b) => a <= b);
  }
}

/** Only whole numbers have an order: amounts as text, properties as numbers. */
function compare(
  found: ConditionValue,
  value: ConditionValue | undefined,
  isInOrder: (found: bigint, value: bigint) => boolean,
): boolean {
  const [a, b] = [wholeOf(found), wholeOf(value)];
  return a !== undefined && b !== undefined && typeof found === typeof value && isInOrder(a, b);
}

function wholeOf(value: ConditionValue | undefined): bigint | undefined {
  const isWhole = typeof value === 'string' ? /^\d+$/.test(value) : Number.isSafeInteger(value);
  return isWhole && value !== undefined ? BigInt(value) : undefined;
}
