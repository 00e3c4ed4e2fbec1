import type { Adjustment } from '../model/purchases.ts';
import { flatten } from './acting.ts';
import type { Operation, WorldSpec } from './operations.ts';

/** What an operation reports of an order; its key is the caller's id of it. */
export interface Reported extends Omit<Adjustment, 'occurredAt'> {
  readonly order: number;
  /** That of its purchase. */
  readonly currency: string;
  /** Whether it does not wait for its purchase to be reported. */
  readonly isEarly: boolean;
  /** How long before its report it happened. */
  readonly lateMs: number;
  /** The operation that it undoes or ends. */
  readonly target: number | null;
}

/** Null if the operation is none, or what it undoes is not in this world. */
export function adjustmentOf(spec: WorldSpec, operation: Operation): Reported | null {
  switch (operation.kind) {
    case 'refund':
    case 'dispute': {
      const { kind, order, amountMinor, isEarly, lateMs = 0 } = operation;
      const key = keyOf(operation);
      return {
        key,
        kind,
        order,
        currency: currencyOf(spec, order),
        amountMinor: BigInt(amountMinor),
        isEarly,
        lateMs,
        of: null,
        target: null,
      };
    }
    case 'restore':
    case 'win':
    case 'lose': {
      const isIt = (one: Operation) =>
        operation.kind === 'restore'
          ? one.kind === 'refund' && one.refund === operation.refund
          : one.kind === 'dispute' && one.dispute === operation.dispute;
      const target = spec.operations.find(isIt);
      const undone = target && adjustmentOf(spec, target);
      if (!undone) return null;
      const kind = operation.kind === 'lose' ? 'dispute_lost' : 'restoration';
      const key = keyOf(operation);
      return { ...undone, key, kind, of: undone.key, lateMs: 0, target: target.id };
    }
    default:
      return null;
  }
}

/** Of an order, in whatever call it is reported. */
function currencyOf({ operations }: Pick<WorldSpec, 'operations'>, order: number): string {
  const isIt = (one: Operation) => one.kind === 'buy' && one.order === order;
  const bought = flatten(operations).find(isIt);
  return (bought?.kind === 'buy' && bought.currency) || 'USD';
}

const LETTERS = { refund: 'f', restore: 's', dispute: 'd', win: 'w', lose: 'l' } as const;

function keyOf(operation: Operation & { readonly kind: keyof typeof LETTERS }): string {
  const number = 'refund' in operation ? operation.refund : operation.dispute;
  return `${LETTERS[operation.kind]}${number}`;
}
