import Type, { type Static } from 'typebox';
import type { Queryable } from '../db/driver.ts';
import { notFound } from '../kit/errors.ts';
import { InstantOut, Nullable, OneOf } from '../kit/schema.ts';
import { findEvent } from './store.ts';

export const Explanation = Type.Object(
  {
    candidates: Type.Array(
      Type.Object({
        touchId: Type.String(),
        programId: Type.String(),
        referrer: Type.String({ description: 'The participant who would have referred.' }),
        occurredAt: InstantOut,
        verdict: OneOf(['selected', 'rejected']),
        reason: Nullable(Type.String()),
      }),
    ),
    rules: Type.Array(
      Type.Object({
        ruleId: Type.String(),
        termsVersionId: Nullable(Type.String()),
        beneficiaryRole: Type.String(),
        verdict: OneOf(['earned', 'skipped']),
        reason: Nullable(Type.String()),
        rewardId: Nullable(Type.String()),
        calculation: Nullable(
          Type.Object({
            base: Nullable(Type.String()),
            rateBps: Nullable(Type.Integer()),
            rounding: Nullable(Type.String()),
            result: Type.String(),
          }),
        ),
      }),
    ),
  },
  { title: 'Explanation' },
);

/** What was weighed when an Event was decided; empty while it waits. Ends with NOT_FOUND. */
export async function explainEvent(
  source: Queryable,
  projectId: string,
  eventId: string,
): Promise<Static<typeof Explanation>> {
  const event = await findEvent(source, projectId, eventId);
  if (!event) throw notFound('event');
  const { candidates, rules } = event.explanation ?? { candidates: [], rules: [] };
  return {
    candidates: candidates.map(({ referrerParticipantId: referrer, ...candidate }) => ({
      touchId: candidate.touchId,
      programId: candidate.programId,
      referrer,
      occurredAt: candidate.occurredAt,
      verdict: candidate.verdict,
      reason: candidate.reason,
    })),
    rules: rules as Static<typeof Explanation>['rules'],
  };
}
