import type { Instant } from '../../../platform/kit/instant.ts';
import type { Made } from '../../tracking/batch/made.ts';

/** A review that was opened, or would have been. */
export interface OpenedReview {
  readonly programId: string;
  readonly eventId: string;
  readonly referrerId: string;
  readonly refereeId: string;
  readonly score: number;
  readonly openedAt: Instant;
}

type Opened = ReadonlyMap<string, OpenedReview>;

/** The reviews of both courses, by referee. */
export class ReviewComparison {
  readonly #actual = new Map<string, OpenedReview>();
  readonly #proposed = new Map<string, OpenedReview>();

  follow(actual: Made | null, proposed: Made | null): void {
    collect(this.#actual, actual);
    collect(this.#proposed, proposed);
  }

  /** Of a Program, those that were opened in a time. */
  result(programId: string, from: Instant, to: Instant) {
    const inside = (reviews: Opened) =>
      new Map(
        [...reviews].filter(
          ([, one]) => one.programId === programId && from <= one.openedAt && one.openedAt < to,
        ),
      );
    const [actual, proposed] = [inside(this.#actual), inside(this.#proposed)];
    const without = (reviews: Opened, others: Opened) =>
      [...reviews].flatMap(([refereeId, one]) => (others.has(refereeId) ? [] : [one]));
    return {
      actual: actual.size,
      proposed: proposed.size,
      added: without(proposed, actual),
      removed: without(actual, proposed),
    };
  }
}

function collect(reviews: Map<string, OpenedReview>, made: Made | null): void {
  for (const one of made?.reviews ?? []) {
    reviews.set(one.refereeParticipantId, {
      programId: one.programId,
      eventId: one.eventId,
      referrerId: one.referrerParticipantId,
      refereeId: one.refereeParticipantId,
      score: one.score,
      openedAt: one.openedAt,
    });
  }
}
