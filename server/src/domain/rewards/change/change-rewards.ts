import type {
  Handler,
  Outcome,
  ProjectWrite,
} from '../../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { Moment, RewardDecision } from '../decide/reward-decision.ts';
import { showRewards } from '../read/show-rewards.ts';
import type { RewardRow } from '../reward.ts';
import type { Reward } from '../schema.ts';
import { listRewardsById } from '../store.ts';
import { announceChanges, type RewardNews } from './announce-changes.ts';
import { saveRewardChanges } from './queries.ts';

/** Calls per transaction: few enough that none waits for long. */
const BATCH_MAX = 100;

/** A kind of call that changes Rewards. Repeating a decision must change nothing. */
interface RewardChange<F> {
  readonly news: RewardNews;
  decide(row: RewardRow, facts: F, moment: Moment): RewardDecision;
  /** Called with each changed Reward and the request that changed it. */
  note?(write: ProjectWrite, request: WriteRequest, reward: RewardRow): void;
}

export interface ChangeCommand<F> {
  readonly rewardId: string;
  readonly facts: F;
}

/** Each command sees its Reward as the previous ones left it. Also refuses with NOT_FOUND. */
export function makeChangeHandler<F>({
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
