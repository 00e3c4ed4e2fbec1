import type { RestoreRow } from '../../../accounts/workspaces/payment-hold/restore.ts';
import { findLastRestoreOf } from '../../../accounts/workspaces/payment-hold/restore-queries.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { ownRequest } from '../../../platform/http/access/principal.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import { findBillingIds } from '../../participants/queries.ts';
import { announceChanges, saveRewardChanges } from '../change/save-rewards.ts';
import { insertLines, listDeliveries, updateDeliveries } from '../delivery/delivery-store.ts';
import type { GivenCredit, RewardDeliveryDeps } from '../delivery/provider.ts';
import type { RewardRow } from '../reward.ts';
import { listRewardsById } from '../store.ts';
import {
  insertAdvances,
  insertAsked,
  listAsked,
  listKnownCredits,
  listOpenBeneficiaries,
} from './advance-store.ts';
import { creditKey, decideAdoption } from './decide-adoption.ts';

/** Clocks differ, and a backup takes a while. */
export const ASK_MARGIN_MS = DAY_MS;

type Restore = Pick<RestoreRow, 'id' | 'since'>;
type AdoptDeps = Pick<RewardDeliveryDeps, 'writer' | 'database' | 'newId' | 'providers'>;

/**
 * Before anything is credited to the accounts of these people: asks, once after a restore, what they
 * have. Returns the people whose accounts could not be asked, whose deliveries have to wait.
 */
export async function askAccountsOf(
  deps: AdoptDeps,
  projectId: string,
  participantIds: readonly string[],
  onFailure: (error: unknown) => void,
): Promise<ReadonlySet<string>> {
  const { reads } = deps.database;
  const restore = await findLastRestoreOf(reads, projectId);
  const unasked = new Set<string>();
  if (!restore || participantIds.length === 0) return unasked;
  const accounts = await findBillingIds(reads, projectId, participantIds);
  const asked = new Set(await listAsked(reads, projectId, restore.id, [...accounts.values()]));
  for (const [participantId, account] of accounts) {
    if (asked.has(account)) continue;
    await adoptCredits(deps, projectId, account, restore).catch((error: unknown) => {
      unasked.add(participantId);
      onFailure(error);
    });
  }
  return unasked;
}

/** Adopts what the provider has of an account. Rejects if it cannot be asked. Returns the count of advances. */
async function adoptCredits(
  deps: AdoptDeps,
  projectId: string,
  account: string,
  restore: Restore,
): Promise<number> {
  const provider = deps.providers.find(({ listGiven }) => listGiven !== undefined);
  const since = addMs(restore.since, -ASK_MARGIN_MS);
  const given = (await provider?.listGiven?.(projectId, account, since)) ?? [];
  return deps.writer.submit(
    {
      name: 'adopt_credits',
      batchMax: 1,
      repeatable: true,
      run: async (write) => [{ answer: await adopt(write, { account, since, given, restore }) }],
    },
    ownRequest(projectId, 'rewards', deps.newId('req')),
    undefined,
  );
}

async function adopt(
  write: ProjectWrite,
  found: {
    readonly account: string;
    readonly since: Instant;
    readonly given: readonly GivenCredit[];
    readonly restore: Restore;
  },
): Promise<number> {
  const { tx, projectId, realNow: createdAt } = write;
  const { account, since, given, restore } = found;
  const rewardIds = [...new Set(given.map(({ rewardId }) => rewardId))];
  const [rewards, deliveries, known] = await Promise.all([
    listRewardsById(tx, projectId, rewardIds),
    listDeliveries(tx, projectId, rewardIds),
    listKnownCredits(tx, projectId, rewardIds),
  ]);
  const books = {
    account,
    since,
    rewards: new Map(rewards.map((row) => [row.id, row])),
    deliveries: new Map(deliveries.map((row) => [row.rewardId, row])),
    known: new Set(known.map(creditKey)),
  };
  const { settled, advances } = decideAdoption(given, books, write);
  const after = new Map<string, RewardRow>(books.rewards);
  const progress = new Map(settled.map(({ delivery }) => [delivery.rewardId, delivery]));
  for (const { reward } of settled) after.set(reward.id, reward);
  saveRewardChanges(write, rewards, [...after.values()]);
  if (progress.size > 0) updateDeliveries(tx, projectId, [...progress.values()]);
  const lines = settled.flatMap(({ line }) => line ?? []);
  if (lines.length > 0) insertLines(tx, projectId, lines);
  const common = { restoreId: restore.id, account, createdAt };
  const rows = advances.map((one) => ({ ...one, ...common, leftMinor: one.amountMinor }));
  if (rows.length > 0) insertAdvances(tx, projectId, rows);
  insertAsked(tx, projectId, restore.id, account);
  for (const type of ['reward.fulfilled', 'reward.revoked'] as const) {
    const changed = settled.filter(({ news }) => news === type);
    await announceChanges(
      write,
      type,
      changed.map(({ reward }) => after.get(reward.id) ?? reward),
    );
  }
  return advances.length;
}

const PAGE = 20;

/**
 * Asks the accounts of the people with open deliveries on balances, some at a time. Returns where to
 * continue, null at the end. Rejects if an account cannot be asked.
 */
export async function askOpenAccounts(
  deps: AdoptDeps,
  projectId: string,
  restore: Restore,
  after: string,
): Promise<{ readonly adopted: number; readonly next: string | null }> {
  const { reads } = deps.database;
  const people = await listOpenBeneficiaries(reads, projectId, after, PAGE);
  const accounts = new Set((await findBillingIds(reads, projectId, people)).values());
  let adopted = 0;
  for (const account of accounts) {
    adopted += await adoptCredits(deps, projectId, account, restore);
  }
  return { adopted, next: people.length < PAGE ? null : (people.at(-1) ?? null) };
}
