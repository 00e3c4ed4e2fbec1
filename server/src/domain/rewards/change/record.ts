import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type {
  Handler,
  Outcome,
  ProjectWrite,
} from '../../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { invalid, notFound } from '../../../platform/kit/errors.ts';
import { decideAnsweredGrant } from '../decide/decide-answered-grant.ts';
import { decideFulfillment } from '../decide/decide-fulfillment.ts';
import { decideRevocation } from '../decide/decide-revocation.ts';
import { decideVoid } from '../decide/decide-void.ts';
import type { Moment, RewardDecision } from '../decide/reward-decision.ts';
import { type RewardDeps, showRewards } from '../queries.ts';
import type { RewardRecord, RewardRow } from '../reward.ts';
import type { Reward, VoidReward } from '../schema.ts';
import { listRewardsById } from '../store.ts';
import { announceChanges, type RewardNews, saveRewardChanges } from './save-rewards.ts';

/** Calls per transaction: few enough that none waits for long. */
const BATCH_MAX = 100;

/** A kind of call that changes Rewards. Repeating a decision must change nothing. */
interface RewardChange<F> {
  readonly news: RewardNews;
  decide(row: RewardRow, facts: F, moment: Moment): RewardDecision;
  /** Called with each changed Reward and the request that changed it. */
  note?(write: ProjectWrite, request: WriteRequest, reward: RewardRow): void;
}

interface ChangeCommand<F> {
  readonly rewardId: string;
  readonly facts: F;
}

/** Each command sees its Reward as the previous ones left it. Also refuses with NOT_FOUND. */
function makeChangeHandler<F>({
  news,
  decide,
  note,
}: RewardChange<F>): Handler<ChangeCommand<F>, Reward, RewardRow[]> {
  return {
    name: news,
    batchMax: BATCH_MAX,
    repeatable: true,
    load: (tx, projectId, commands) =>
      listRewardsById(tx, projectId, [...new Set(commands.map(({ input }) => input.rewardId))]),
    async run(write, commands, before) {
      const rows = new Map(before.map((row) => [row.id, row]));
      const changed: RewardRow[] = [];
      const decisions = commands.map(({ request, input }): RewardDecision => {
        const row = rows.get(input.rewardId);
        if (!row) return { refused: notFound('reward') };
        const decision = decide(row, input.facts, write);
        if ('reward' in decision && decision.reward !== row) {
          rows.set(row.id, decision.reward);
          changed.push(decision.reward);
          note?.(write, request, decision.reward);
        }
        return decision;
      });
      saveRewardChanges(write, before, [...rows.values()]);
      const [outcomes] = await Promise.all([
        present(write, decisions),
        announceChanges(write, news, changed),
      ]);
      return outcomes;
    },
  };
}

async function present(
  { tx, projectId, now }: ProjectWrite,
  decisions: readonly RewardDecision[],
): Promise<Outcome<Reward>[]> {
  const decided = decisions.flatMap((one) => ('reward' in one ? one.reward : []));
  const shown = (await showRewards(tx, projectId, decided, now)).values();
  return decisions.map((one): Outcome<Reward> => {
    if ('refused' in one) return one;
    const answer = shown.next().value as Reward;
    return { answer, participantId: one.reward.beneficiaryParticipantId };
  });
}

/** Who records a grant or a revocation by a call: a person in the console, or a backend (D-RWD-6). */
const recordActorOf = ({ actor }: Pick<WriteRequest, 'actor'>): RewardRecord['actor'] =>
  actor.type === 'user' ? 'console' : 'api';

const fulfilled = makeChangeHandler({ news: 'reward.fulfilled', decide: decideFulfillment });

/** Fails with NOT_FOUND, UNSUPPORTED_DELIVERY_METHOD or CONFLICT. */
export function recordFulfillment(
  { writer }: RewardDeps,
  request: WriteRequest,
  rewardId: string,
  externalReference: string,
): Promise<Reward> {
  const facts = { externalReference, actor: recordActorOf(request) };
  return writer.submit(fulfilled, request, { rewardId, facts });
}

const revoked = makeChangeHandler({ news: 'reward.revoked', decide: decideRevocation });

/** Fails with NOT_FOUND, UNSUPPORTED_DELIVERY_METHOD or CONFLICT. */
export function recordRevocation(
  { writer }: RewardDeps,
  request: WriteRequest,
  rewardId: string,
  externalReference: string,
): Promise<Reward> {
  const facts = { externalReference, actor: recordActorOf(request) };
  return writer.submit(revoked, request, { rewardId, facts });
}

const voided = makeChangeHandler({
  news: 'reward.voided',
  decide: decideVoid,
  note: (write, request, { id, fulfillmentStatus, void: made }) =>
    recordAudit(write, request, {
      action: 'reward.void',
      targetType: 'reward',
      targetId: id,
      // Without the reason: free text may name people, and this log outlives their erasure.
      changes: { reasonCode: made?.reasonCode, fulfillmentStatus },
    }),
});

/** Fails with INVALID_REQUEST, NOT_FOUND or CONFLICT void_facts_differ. */
export async function recordVoid(
  { writer }: RewardDeps,
  request: WriteRequest,
  rewardId: string,
  { reasonCode, reason = null }: VoidReward,
): Promise<Reward> {
  if (reasonCode === 'other' && reason === null) {
    throw invalid('reason', 'is required when reasonCode is other');
  }
  return writer.submit(voided, request, { rewardId, facts: { reasonCode, reason } });
}

/** A receiver's confirmation, in its response to this event, that it granted a Reward. */
export interface AnsweredGrant {
  readonly rewardId: string;
  readonly eventId: string;
}

/** Records the grants of Rewards that have none yet, and adds them to the feed; during a review, only the responses. */
export async function grantAnswered(
  write: ProjectWrite,
  grants: readonly AnsweredGrant[],
): Promise<void> {
  const eventIds = new Map(grants.map(({ rewardId, eventId }) => [rewardId, eventId]));
  const before = await listRewardsById(write.tx, write.projectId, [...eventIds.keys()]);
  const after = before.map((row) =>
    decideAnsweredGrant(row, eventIds.get(row.id) as string, write),
  );
  if (after.every((row, index) => row === before[index])) return;
  saveRewardChanges(write, before, after);
  const granted = after.filter((row, index) => row.fulfillment !== before[index]?.fulfillment);
  await announceChanges(write, 'reward.fulfilled', granted);
  const voided = after.filter((row, index) => row.void !== null && before[index]?.void === null);
  await announceChanges(write, 'reward.voided', voided);
}
