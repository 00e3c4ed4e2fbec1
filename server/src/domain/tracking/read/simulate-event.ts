import Type, { type Static } from 'typebox';
import type { Database } from '../../../platform/db/database.ts';
import { previewWrite } from '../../../platform/feed/writer/preview.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import { findTerms } from '../../programs/program-book.ts';
import { toReward } from '../../rewards/read/present.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import { Reward } from '../../rewards/schema.ts';
import type { TrackedEvent } from '../batch/facts.ts';
import { Ledger, type LedgerView } from '../batch/ledger.ts';
import { askForNamed, loadLedger } from '../batch/load-ledger.ts';
import { needsOf, type TrackCommand } from '../batch/needs.ts';
import { foldCommand } from '../decide/fold-command.ts';
import { settleLoaded } from '../decide/settle-milestones.ts';
import { TrackAnswer } from '../event-schema.ts';
import type { EventInput } from '../intake/normalize-event.ts';
import type { RiskSources } from '../risk/load-risk.ts';
import { findEventById } from './event-queries.ts';
import { Explanation, presentExplanation } from './explanation.ts';

export const Simulation = Type.Object(
  {
    response: TrackAnswer,
    explanation: Explanation,
    isRepeat: Type.Boolean({
      description:
        'The Event was reported before. This is its earlier result, and nothing more is earned.',
    }),
    rewards: Type.Array(Reward, {
      description:
        'All Rewards that would be earned, including those of purchases that wait for this signup.',
    }),
  },
  { title: 'Simulation' },
);
export type Simulation = Static<typeof Simulation>;

export interface SimulateDeps extends RiskSources {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Dry run: what this fact would answer and earn now. Nothing is written: ids of new objects refer
 * to nothing. Fails as the real call would.
 */
export function simulateEvent(
  deps: SimulateDeps,
  projectId: string,
  event: EventInput,
): Promise<Simulation> {
  return previewWrite(deps, projectId, async (preview) => {
    const command: TrackCommand = { kind: 'event', event };
    const needs = needsOf([command]);
    const named = await askForNamed(preview.tx, deps, projectId, needs);
    const state = await loadLedger(preview, named, needs, deps);
    const silent = { introduce: () => undefined, announce: () => undefined };
    const ledger = new Ledger(state, { ...preview, ...silent });
    settleLoaded(ledger);
    const outcome = foldCommand(ledger, command);
    if ('refused' in outcome) throw outcome.refused;
    const response = outcome.answer as TrackAnswer;
    const made = ledger.made.events.added.get(response.eventId);
    if (made) {
      const { added, changed } = ledger.made.rewards;
      const earned = [...added.values(), ...regainedOf(made, changed)];
      return {
        response,
        explanation: presentExplanation(made.explanation),
        isRepeat: false,
        rewards: earned.map((reward) => presentMade(ledger.view, reward)),
      };
    }
    const first = await findEventById(preview.tx, projectId, response.eventId);
    return {
      response,
      explanation: presentExplanation(first?.explanation ?? null),
      isRepeat: true,
      rewards: [],
    };
  });
}

/** Existing Rewards of milestones that an Event made due again. */
function regainedOf(
  { explanation }: Pick<TrackedEvent, 'explanation'>,
  changed: ReadonlyMap<string, RewardRow>,
): RewardRow[] {
  return (explanation?.rules ?? []).flatMap(({ rewardId }) => changed.get(rewardId ?? '') ?? []);
}

/** A Reward whose beneficiary may be as new as it is. */
function presentMade(view: LedgerView, reward: RewardRow): Reward {
  const person = view.people.get(reward.beneficiaryParticipantId);
  if (!person) throw new Error(`Reward ${reward.id} has no beneficiary.`);
  const { id: participantId, kind, externalId } = person;
  return toReward(reward, findTerms(view.book, reward).unit, { participantId, kind, externalId });
}
