import type { RewardProvider } from '../../domain/rewards/delivery/provider.ts';
import {
  type BelievedPlace,
  reportDeliveries,
} from '../../domain/rewards/delivery/report-deliveries.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { invalid } from '../../platform/kit/errors.ts';
import type { Providers } from '../integrations/providers.ts';
import type { FindProvider, TransferReport } from '../payouts/provider.ts';
import { type PayoutRow, transferMinorOf } from '../payouts/transfers/payout.ts';
import { reportTransfers } from '../payouts/transfers/report-transfers.ts';
import type { Believed } from './compare.ts';

/** Deliveries of one kind, page by page, with the providers' records of them. */
export interface Source {
  readonly name: string;
  /** Continues where an earlier page ended, or starts with the first; `next` is null at the end. */
  read(
    projectId: string,
    place: string | null,
    limit: number,
  ): Promise<{ items: Believed[]; next: string | null }>;
}

function payoutSource(reads: Queryable, findProvider: FindProvider): Source {
  return {
    name: 'payouts',
    async read(projectId, place, limit) {
      const below = place === null ? null : readNumber(place);
      const { transfers, last } = await reportTransfers(
        { reads, findProvider },
        projectId,
        below,
        limit,
      );
      return {
        items: transfers.map(({ payout, report }) => toBelieved(payout, report)),
        next: last === null ? null : String(last),
      };
    },
  };
}

function rewardSource(reads: Queryable, providers: readonly RewardProvider[]): Source {
  return {
    name: 'rewards',
    async read(projectId, place, limit) {
      const after = place === null ? null : readPlace(place);
      const page = { after, limit };
      const { deliveries, last } = await reportDeliveries({ reads, providers }, projectId, page);
      return {
        items: deliveries.map(({ rewardId: id, method, currency, believed, reported }) => ({
          method,
          subject: 'reward',
          id,
          currency,
          believed,
          reported,
        })),
        next: last && `${last.rewardId} ${last.account}`,
      };
    },
  };
}

function readNumber(place: string): number {
  if (!/^\d{1,15}$/.test(place)) throw invalid('cursor', 'is not a cursor of this list');
  return Number(place);
}

/** Everything after the first space is the account. */
function readPlace(place: string): BelievedPlace {
  const [rewardId = '', ...account] = place.split(' ');
  return { rewardId, account: account.join(' ') };
}

function toBelieved(payout: PayoutRow, report: TransferReport | null): Believed {
  const { id, method, currency, status } = payout;
  const believed = status === 'paid' ? transferMinorOf(payout) : 0n;
  return { method, subject: 'payout', id, currency, believed, reported: paidBy(report, currency) };
}

/** The amount that reached the payee in this currency. */
function paidBy(report: TransferReport | null, currency: string): bigint | null {
  if (report === null || report.state === 'unknown') return null;
  if (report.state !== 'paid' || report.currency !== currency) return 0n;
  return report.amountMinor;
}

export function listSources(
  reads: Queryable,
  { findProvider, rewardProviders }: Pick<Providers, 'findProvider' | 'rewardProviders'>,
): Source[] {
  return [payoutSource(reads, findProvider), rewardSource(reads, rewardProviders)];
}
