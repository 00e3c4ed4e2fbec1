import { addToTally } from '../../../platform/figures/tally.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import { endReview } from '../../rewards/decide/review-reward.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { StoredReferral } from '../../tracking/batch/facts.ts';
import {
  eraserOf,
  Ledger,
  type LedgerContext,
  type Made,
  nothingMade,
} from '../../tracking/batch/ledger.ts';
import { foldCommand } from '../../tracking/decide/fold-command.ts';
import { settleMilestone } from '../../tracking/decide/settle-milestones.ts';
import {
  type CreditedPurchases,
  rejectedFigures,
} from '../../tracking/reviews/rejected-figures.ts';
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
    const { projectId, needsFigure } = this.#context;
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
    const { book, figures, referrals } = this.state;
    const referral = referrals.get(refereeId);
    if (referral?.reviewStatus !== 'open') return null;
    referrals.set(refereeId, { ...referral, reviewStatus: status });
    const isRejected = status === 'rejected';
    const counted = isRejected ? this.#leaveOutOfMeasures(referral) : [];
    const held = this.rewardsOfReferral(referral.id);
    const rows = new Map([...counted, ...held].map((row) => [row.id, row]));
    const settled = new Set(counted.map(({ id }) => id));
    const ended = new Set(held.map(({ id }) => id));
    return this.changeRewards(now, [...rows.values()], (row, moment) => {
      const after = settled.has(row.id) ? settleMilestone(row, { book, figures }, moment) : row;
      return ended.has(row.id) ? endReview(after, isRejected, moment) : after;
    });
  }

  /** As the decision itself does. Returns the Rewards of milestones that may not be reached any more. */
  #leaveOutOfMeasures(referral: StoredReferral): RewardRow[] {
    const { book, credits, figures, milestonesOf, purchases } = this.state;
    const { programId, referrerParticipantId, refereeParticipantId } = referral;
    const bought: CreditedPurchases[] = [];
    for (const [id, credit] of credits) {
      const purchase = purchases.get(id);
      if (!purchase || credit.refereeParticipantId !== refereeParticipantId) continue;
      bought.push({ ...purchase, howMany: 1n });
      credits.set(id, { ...credit, reviewStatus: 'rejected' });
    }
    const counted = rejectedFigures(referral, bought, book).filter(this.#context.needsFigure);
    for (const one of counted) addToTally(figures, one);
    return [referrerParticipantId, refereeParticipantId]
      .flatMap((id) => [...(milestonesOf.get(id)?.values() ?? [])])
      .filter((row) => row.programId === programId);
  }

  /** Rewards that a referral earned before its review was opened are held with it. */
  #holdReviewed(now: Instant): void {
    const { reviews, rewards } = this.#made;
    for (const { referralId } of reviews) {
      for (const reward of this.rewardsOfReferral(referralId)) {
        if (rewards.changed.has(reward.id)) continue;
        this.state.keepReward({ ...reward, isUnderReview: true, updatedAt: now }, true);
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
