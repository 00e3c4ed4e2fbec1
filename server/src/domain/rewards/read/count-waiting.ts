import type { Queryable } from '../../../platform/db/driver.ts';
import { DELIVERY_METHODS, type DeliveryMethod } from '../decide/states.ts';
import { countByState } from '../store.ts';

/** Those that people or the product grant and take back. */
const BY_HAND = ['operator', 'manual'] as const;

export interface WaitingRewards {
  readonly toGrant: ReadonlyMap<DeliveryMethod, number>;
  readonly toTakeBack: ReadonlyMap<DeliveryMethod, number>;
  /** By whatever method they could not be delivered. */
  readonly failed: number;
}

/** How many Rewards wait for somebody; of each kind and method, none is counted beyond `most`. */
export async function countWaitingRewards(
  source: Queryable,
  projectId: string,
  most: number,
): Promise<WaitingRewards> {
  const states = [
    ...BY_HAND.map((method) => ({ fulfillmentStatus: 'pending', method }) as const),
    ...BY_HAND.map((method) => ({ fulfillmentStatus: 'revocation_pending', method }) as const),
    ...DELIVERY_METHODS.map((method) => ({ fulfillmentStatus: 'failed', method }) as const),
  ];
  const counts = await countByState(source, projectId, states, most);
  const of = (status: string) =>
    states.flatMap(({ fulfillmentStatus, method }, index): [DeliveryMethod, number][] =>
      fulfillmentStatus === status ? [[method, counts[index] ?? 0]] : [],
    );
  return {
    toGrant: new Map(of('pending')),
    toTakeBack: new Map(of('revocation_pending')),
    failed: of('failed').reduce((sum, [, count]) => sum + count, 0),
  };
}
