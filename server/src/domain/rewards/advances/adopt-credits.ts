import type { RestoreRow } from '../../../accounts/workspaces/payment-hold/restore.ts';
import { findLastRestoreOf } from '../../../accounts/workspaces/payment-hold/restore-queries.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { ownRequest } from '../../../platform/http/access/principal.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import { findBilled, findBillingIds, findErased } from '../../participants/queries.ts';
import { announceChanges, saveRewardChanges } from '../change/save-rewards.ts';
import { type DeliveryRow, forgetErased } from '../delivery/decide-delivery.ts';
import { insertLines, listDeliveries, updateDeliveries } from '../delivery/delivery-store.ts';
import type { GivenCredit, RewardDeliveryDeps } from '../delivery/provider.ts';
import type { RewardRow } from '../reward.ts';
import { listRewardsById } from '../store.ts';
import {
  findOldestOrder,
  insertAdvances,
  insertAsked,
  listAsked,
  listBeneficiariesAt,
  listKnownCredits,
  listOpenAccounts,
  listOpenBeneficiaries,
} from './advance-store.ts';
import { creditKey, decideAdoption } from './decide-adoption.ts';

/** Clocks differ, and a backup takes a while. */
export const ASK_MARGIN_MS = DAY_MS;

type Restore = Pick<RestoreRow, 'id' | 'since'>;
type AdoptDeps = Pick<RewardDeliveryDeps, 'writer' | 'database' | 'newId' | 'providers'>;

/**
 * Before anything is added to the accounts of these deliveries, or taken back from them: asks, once
 * after a restore, what they have. Returns the deliveries with an account that could not be asked:
 * they have to wait.
 */
export async function askAccountsOf(
  deps: AdoptDeps,
  projectId: string,
  deliveries: readonly DeliveryRow[],
  onFailure: (error: unknown) => void,
): Promise<ReadonlySet<DeliveryRow>> {
  const { reads } = deps.database;
  const restore = await findLastRestoreOf(reads, projectId);
  if (!restore || deliveries.length === 0) return new Set();
  const people = new Set(deliveries.map(({ participantId }) => participantId));
  const billed = await findBillingIds(reads, projectId, [...people]);
  // A grant goes to the account that they have now, what follows to the one that was credited.
  const accountsOf = ({ account, participantId }: DeliveryRow) =>
    [account, billed.get(participantId)].filter((one) => typeof one === 'string');
  const accounts = new Set(deliveries.flatMap(accountsOf));
  const asked = new Set(await listAsked(reads, projectId, restore.id, [...accounts]));
  const unasked = new Set<string>();
  for (const account of accounts) {
    if (asked.has(account)) continue;
    await adoptCredits(deps, projectId, account, restore).catch((error: unknown) => {
      unasked.add(account);
      onFailure(error);
    });
  }
  return new Set(
    deliveries.filter((delivery) => accountsOf(delivery).some((account) => unasked.has(account))),
  );
}

/** Adopts what the provider has of an account. Rejects if it cannot be asked. Returns the count of advances. */
async function adoptCredits(
  deps: AdoptDeps,
  projectId: string,
  account: string,
  restore: Restore,
): Promise<number> {
  const provider = deps.providers.find(({ listGiven }) => listGiven !== undefined);
  const margin = addMs(restore.since, -ASK_MARGIN_MS);
  // What came of an order that is open here decides what later credits of its Reward were.
  const ordered = await findOldestOrder(deps.database.reads, projectId, account);
  const since = ordered !== null && ordered < margin ? ordered : margin;
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
  const people = settled.map(({ delivery }) => delivery.participantId);
  const erased = await findErased(tx, projectId, [...new Set(people)]);
  const progress = new Map(
    settled.map(({ delivery }) => [delivery.rewardId, forgetErased(delivery, erased)]),
  );
  for (const { reward } of settled) after.set(reward.id, reward);
  saveRewardChanges(write, rewards, [...after.values()]);
  if (progress.size > 0) updateDeliveries(tx, projectId, [...progress.values()]);
  const lines = settled.flatMap(({ line }) => line ?? []);
  if (lines.length > 0) insertLines(tx, projectId, lines);
  const common = { restoreId: restore.id, account, createdAt };
  const rows = advances.map((one) => ({ ...one, ...common, leftMinor: one.amountMinor }));
  // Nothing is kept of the account of somebody who was erased.
  const isKept = await isInUse(tx, projectId, account);
  if (isKept) {
    if (rows.length > 0) insertAdvances(tx, projectId, rows);
    insertAsked(tx, projectId, restore.id, account);
  }
  // Each as it was then: it may have been granted and taken back.
  for (const type of ['reward.fulfilled', 'reward.revoked'] as const) {
    const changed = settled.filter(({ news }) => news === type);
    await announceChanges(
      write,
      type,
      changed.map(({ reward }) => reward),
    );
  }
  return isKept ? advances.length : 0;
}

/** Whether it is the account of somebody who was not erased. */
async function isInUse(tx: Tx, projectId: string, account: string): Promise<boolean> {
  if (await findBilled(tx, projectId, account)) return true;
  const people = await listBeneficiariesAt(tx, projectId, account);
  const erased = await findErased(tx, projectId, people);
  return people.some((id) => !erased.has(id));
}

const PAGE = 20;

/**
 * Asks the accounts of open deliveries on balances and of their beneficiaries, some at a time.
 * Returns where to continue, null at the end. Rejects if an account cannot be asked.
 */
export async function askOpenAccounts(
  deps: AdoptDeps,
  projectId: string,
  restore: Restore,
  after: string,
): Promise<{ readonly adopted: number; readonly next: string | null }> {
  const { reads } = deps.database;
  const people = await listOpenBeneficiaries(reads, projectId, after, PAGE);
  const [billed, open] = await Promise.all([
    findBillingIds(reads, projectId, people),
    listOpenAccounts(reads, projectId, people),
  ]);
  const accounts = new Set([...billed.values(), ...open]);
  let adopted = 0;
  for (const account of accounts) {
    adopted += await adoptCredits(deps, projectId, account, restore);
  }
  return { adopted, next: people.length < PAGE ? null : (people.at(-1) ?? null) };
}
