import type { Issue } from '../../platform/kit/errors.ts';
import { BENEFIT_KINDS, type BenefitKind } from './rules/benefit-words.ts';

/** Methods by which the service itself delivers; they need a connection to a provider. */
export type ConnectedMethod = 'stripe_balance' | 'stripe_coupon';

type MethodOptions = Readonly<Record<BenefitKind, string[]>>;

/** The possible methods of each kind of benefit. Payouts can always be exported by hand. */
export function methodOptions(connected: readonly ConnectedMethod[]): MethodOptions {
  const ifConnected = (method: ConnectedMethod) => (connected.includes(method) ? [method] : []);
  return {
    cash: ['operator', 'manual', 'payout'],
    credit: ['operator', 'manual', ...ifConnected('stripe_balance')],
    discount: ['operator', 'manual', ...ifConnected('stripe_coupon')],
    custom: ['operator', 'manual'],
  };
}

interface PlanUpgrade {
  readonly unitKey: string;
  readonly plan: string;
  readonly periods: number;
}

export interface DeliveryChoice {
  readonly holdDays: number;
  readonly cashMethod: string;
  readonly creditMethod: string;
  readonly discountMethod: string;
  readonly customMethod: string;
  readonly planUpgrades: PlanUpgrade[];
}

export const DEFAULT_DELIVERY: DeliveryChoice = {
  holdDays: 0,
  cashMethod: 'operator',
  creditMethod: 'operator',
  discountMethod: 'operator',
  customMethod: 'operator',
  planUpgrades: [],
};

type DeliveryChange = {
  readonly [K in keyof DeliveryChoice]?: DeliveryChoice[K] | null | undefined;
};

/** An omitted field keeps its value; null restores the default. */
export function mergeDelivery(current: DeliveryChoice, change: DeliveryChange): DeliveryChoice {
  const pick = <K extends keyof DeliveryChoice>(name: K): DeliveryChoice[K] => {
    const asked = change[name] as DeliveryChoice[K] | null | undefined;
    return asked === undefined ? current[name] : (asked ?? DEFAULT_DELIVERY[name]);
  };
  return {
    holdDays: pick('holdDays'),
    cashMethod: pick('cashMethod'),
    creditMethod: pick('creditMethod'),
    discountMethod: pick('discountMethod'),
    customMethod: pick('customMethod'),
    planUpgrades: pick('planUpgrades'),
  };
}

/** Checks only changed fields: a method whose connection was lost may stay. */
export function findDeliveryIssues(
  current: DeliveryChoice,
  change: DeliveryChange,
  options: MethodOptions,
): Issue[] {
  const issues: Issue[] = [];
  for (const kind of BENEFIT_KINDS) {
    const path = `${kind}Method` as const;
    const method = change[path];
    if (method === null || method === undefined || method === current[path]) continue;
    if (!options[kind].includes(method)) {
      issues.push({ path, issue: `must be one of ${options[kind].join(', ')}` });
    }
  }
  const seen = new Set<string>();
  for (const [index, { unitKey }] of (change.planUpgrades ?? []).entries()) {
    if (seen.has(unitKey)) {
      issues.push({ path: `planUpgrades.${index}.unitKey`, issue: 'must not be named twice' });
    }
    seen.add(unitKey);
  }
  return issues;
}
