import { expect } from 'vitest';
import { verifyProject } from '../src/programs/verify/verify-all.ts';
import type { Answer, TestService } from './harness.ts';
import { openShop, type Shop } from './shop.ts';

/** A shop where ada earns ten percent of what those she brought buy, and where money goes back. */
export interface AdjustShop extends Shop {
  purchase(externalId: string, sourceEventId: string, purchase?: object): Promise<Answer>;
  adjust(fact: AdjustFact): Promise<Answer>;
  /** The net of every Reward that an Event earned, as one sum. */
  net(eventId: string): Promise<string>;
  /** Everything in the store is as its facts say. */
  verify(): Promise<void>;
  audit(): Promise<{ action: string; targetId: string; changes: Record<string, unknown> }[]>;
}

interface AdjustFact {
  readonly kind: string;
  readonly id: string;
  readonly order: string;
  readonly amountMinor?: string;
  readonly [more: string]: unknown;
}

const PERCENT = {
  benefitKind: 'cash',
  calculation: 'percentage',
  rateBps: 1_000,
  durationMode: 'forever',
};

export async function openAdjustShop(service: TestService): Promise<AdjustShop> {
  const shop = await openShop(service);
  const { project, sourceNamespaceId } = shop;
  await shop.addRule(PERCENT);
  return {
    ...shop,
    purchase: (externalId, sourceEventId, purchase = {}) =>
      shop.post('/v1/track/events', {
        sourceNamespaceId,
        type: 'purchase',
        participant: { kind: 'individual', externalId },
        sourceEventId,
        purchase: { amountMinor: '1000', currency: 'USD', ...purchase },
      }),
    adjust: ({ id, order, ...fact }) =>
      shop.post('/v1/track/adjustments', {
        sourceNamespaceId,
        sourceEventId: id,
        purchase: { sourceEventId: order },
        currency: 'USD',
        currencyExponent: 2,
        occurredAt: service.clock.now,
        ...fact,
      }),
    net: async (eventId) => {
      const { data } = (await shop.read('/v1/rewards', { eventId })).body;
      const nets = data.map((one: { money: { netAmountMinor: string } | null }) =>
        BigInt(one.money?.netAmountMinor ?? 0),
      );
      return nets.reduce((sum: bigint, one: bigint) => sum + one, 0n).toString();
    },
    verify: async () => {
      expect((await verifyProject(service.database, project.projectId)).kept).toEqual([]);
    },
    audit: () =>
      service.database.reads.query(
        `select action, target_id as "targetId", changes from audit_entries
         where project_id = $1 order by at, id`,
        [project.projectId],
      ),
  };
}
