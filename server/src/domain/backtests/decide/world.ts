import { addToTally } from '../../../platform/figures/tally.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import { endReview, holdForReview } from '../../rewards/decide/review-reward.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { StoredReferral } from '../../tracking/batch/facts.ts';
import { Ledger, type LedgerContext } from '../../tracking/batch/ledger.ts';
import { eraserOf, type Made, nothingMade } from '../../tracking/batch/made.ts';
import { foldCommand } from '../../tracking/decide/fold-command.ts';
import { settleMilestone, stakesReader } from '../../tracking/decide/settle-milestones.ts';
import { type CreditedPurchases, decidedFigures } from '../../tracking/reviews/decided-figures.ts';
import { CommandView } from './command-view.ts';
import type { PastPeople } from './past-people.ts';
import { NO_COMMAND } from './replay-command.ts';
import type { Replayed } from './replayed.ts';
import type { WorldState } from './world-state.ts';

/** Ids that a replay makes up sort in the order in which they were made. */
const ZEROS = '0'.repeat(12);

/** What all courses of a replay share. */
export interface WorldContext {
  readonly projectId: string;
  readonly people: PastPeople;
  readonly needsFigure: NonNullable<LedgerContext['needsFigure']>;
  readonly needsMeasures: boolean;
}

/**
 * One course of history: the production fold, over a book, in memory. What it made of a command is valid until the next
 * command.
 */
export class World {
  readonly state: WorldState;
  readonly #context: WorldContext;
  readonly #view: CommandView;
  readonly #made = nothingMade();
  readonly #erase = eraserOf(this.#made);
  #current: Replayed = NO_COMMAND;
  #ids = 0;

  constructor(state: WorldState, context: WorldContext) {
    this.state = state;
    this.#context = context;
    const { people, projectId } = context;
    const newId: NewId = (prefix) => this.#newId(prefix);
    this.#view = new CommandView(state, people, { projectId, newId });
  }

  /** Another course with the same past, that goes on by another book. */
  fork(book: ProgramBook): World {
    const other = new World(this.state.copy(book), this.#context);
    other.#ids = this.#ids;
    return other;
  }

  /** Decides one fact; null if it was refused, which changes nothing. `absorb` must follow. */
  take(replayed: Replayed): Made | null {
    const { ids, judged } = replayed;
    this.#erase();
    this.#view.focus(replayed);
    if (ids.evt && judged) this.state.judged.set(ids.evt, judged);
    const outcome = foldCommand(this.#ledger(replayed), replayed.command);
    return 'refused' in outcome ? null : this.#made;
  }

  /** Takes over what the last command made. `isKept` says of which Events the Rewards may still change. */
  absorb(isKept: (eventId: string) => boolean): void {
    this.#holdReviewed(this.#current.now);
    this.state.absorb(this.#made, this.#view, isKept);
  }

  #ledger(replayed: Replayed): Ledger {
    this.#current = replayed;
    const { projectId, needsFigure, needsMeasures } = this.#context;
    return new Ledger(
      this.#view,
      {
        projectId,
        now: replayed.now,
        newId: this.#view.newId,
        nextNumber: (list) => (list === 'events' ? replayed.eventNumber : this.#next()),
        introduce: nothing,
        announce: nothing,
        needsFigure,
        needsMeasures,
      },
      this.#made,
      this.#view,
    );
  }

  #newId(prefix: string): string {
    const known = (this.#current.ids as Record<string, string | undefined>)[prefix];
    if (known !== undefined) return known;
    const number = String(this.#next());
    return `${prefix}_${ZEROS.slice(number.length)}${number}`;
  }

  #next(): number {
    this.#ids += 1;
    return this.#ids;
  }

  /** Changes Rewards without a fact, as an operator or a review does; returns each before and after. */
  changeRewards(
    now: Instant,
    rows: readonly RewardRow[],
    change: (row: RewardRow, moment: { now: Instant; newId: NewId }) => RewardRow,
  ): Made {
    this.#erase();
    this.#view.forget(now);
    const ledger = this.#ledger({ ...NO_COMMAND, now });
    for (const before of rows) {
      const after = change(before, ledger);
      if (after !== before) ledger.changeReward(before, after);
    }
    this.state.absorb(this.#made, this.#view, () => true);
    return this.#made;
  }

  /** Repeats a person's decision; null if there is no such review in this course. */
  decideReview(refereeId: string, status: 'approved' | 'rejected', now: Instant): Made | null {
    const { book, figures, figuresOf, referrals } = this.state;
    const referral = referrals.get(refereeId);
    if (referral?.reviewStatus !== 'open') return null;
    const decided = { ...referral, reviewStatus: status };
    referrals.set(refereeId, decided);
    const isRejected = status === 'rejected';
    const purchases = isRejected ? this.#purchasesOf(decided) : [];
    const known = figuresOf?.(refereeId) ?? figures.values();
    const counted = decidedFigures(decided, { figures: known, purchases, book });
    for (const one of counted.filter(this.#context.needsFigure)) addToTally(figures, one);
    const held = this.rewardsOfReferral(referral.id).filter(({ milestone }) => milestone === null);
    const stakesOf = stakesReader({ book, figures });
    return this.changeRewards(now, [...held, ...this.#milestonesOf(decided)], (row, moment) =>
      row.milestone === null
        ? endReview(row, isRejected, moment)
        : settleMilestone(row, stakesOf(row), moment),
    );
  }

  #purchasesOf({ refereeParticipantId }: StoredReferral): CreditedPurchases[] {
    const { credits, purchases } = this.state;
    return [...credits].flatMap(([id, credit]) => {
      const purchase = purchases.get(id);
      const isOther = credit.refereeParticipantId !== refereeParticipantId;
      return !purchase || isOther ? [] : [{ ...purchase, howMany: 1n }];
    });
  }

  /** Those of both sides. */
  #milestonesOf(referral: StoredReferral): RewardRow[] {
    const { programId, referrerParticipantId, refereeParticipantId } = referral;
    return [referrerParticipantId, refereeParticipantId]
      .flatMap((id) => [...(this.state.milestonesOf.get(id)?.values() ?? [])])
      .filter((row) => row.programId === programId);
  }

  /** Rewards that a referral earned before its review was opened are held with it. */
  #holdReviewed(now: Instant): void {
    const { reviews, rewards } = this.#made;
    for (const { referralId } of reviews) {
      for (const reward of this.rewardsOfReferral(referralId)) {
        if (rewards.changed.has(reward.id)) continue;
        this.state.keepReward(holdForReview(reward, now), true);
      }
    }
  }

  rewardsOfReferral(referralId: string): RewardRow[] {
    const events = this.state.eventsOfReferral.get(referralId) ?? [];
    return [...events].flatMap((eventId) =>
      [...(this.state.rewards.get(eventId)?.values() ?? [])].filter(
        (reward) => reward.referralId === referralId,
      ),
    );
  }
}

function nothing(): void {}
