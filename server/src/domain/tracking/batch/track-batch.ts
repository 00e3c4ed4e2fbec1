import Type, { type Static } from 'typebox';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { errorBody, toAppError } from '../../../platform/http/routes/error-body.ts';
import { assertStorable } from '../../../platform/http/routes/parse-json.ts';
import type { Refusal } from '../../../platform/http/routes/route.ts';
import { compileCheck } from '../../../platform/http/routes/validate.ts';
import { ERROR_CODES, invalid } from '../../../platform/kit/errors.ts';
import { Closed, Nullable, OneOf, Opt, ProjectIdText } from '../../../platform/kit/schema.ts';
import type { DecideDeps } from '../due/settle-due.ts';
import { TrackAnswer, TrackEvent, VISITOR_TEXT } from '../event-schema.ts';
import { normalizeEvent } from '../intake/normalize-event.ts';

/** Refusals of a fact, single or in a batch. */
export const EVENT_REFUSALS = [
  { code: 'NOT_FOUND', when: 'the source does not exist' },
  { code: 'CONFLICT', reason: 'source_disabled', when: 'the source is disabled' },
  {
    code: 'CONFLICT',
    reason: 'event_facts_differ',
    when: 'the sourceEventId was used before with other facts',
  },
  { code: 'CONFLICT', reason: 'participant_deleted', when: 'the participant was erased' },
] as const satisfies readonly Refusal[];

const REASONS: readonly string[] = EVENT_REFUSALS.flatMap((refusal) =>
  'reason' in refusal ? [refusal.reason] : [],
);

const Failure = Type.Object({
  success: Type.Literal(false),
  error: Type.Object({
    code: OneOf(ERROR_CODES),
    reason: Nullable(OneOf(REASONS)),
    message: Type.String(),
    requestId: Type.String(),
    details: Type.Union([
      Type.Array(Type.Object({ path: Type.String(), issue: Type.String() })),
      Type.Null(),
    ]),
  }),
});

export const BATCH_ANSWER = Type.Object({
  success: Type.Literal(true),
  results: Type.Array(Type.Union([TrackAnswer, Failure]), {
    description: 'One result for each Event, in the same order.',
  }),
});

const BatchItem = Closed({ projectId: Opt(ProjectIdText), ...TrackEvent.properties });
const check = compileCheck(BatchItem, 'body');

/**
 * Queues each fact separately, in order, so that the writer takes them together and a bad one fails
 * alone. Fails only with problems that affect all of them: of the database, or a full queue. Then
 * it is safe to repeat the call.
 */
export function trackBatch(
  { tracker, onFailure }: Pick<DecideDeps, 'tracker' | 'onFailure'>,
  request: WriteRequest,
  events: readonly unknown[],
): Promise<(TrackAnswer | Static<typeof Failure>)[]> {
  // An idempotency key belongs to the whole call; here each fact is recognised by its own key.
  const each = { ...request, idempotency: null };
  return Promise.all(
    events.map(async (event) => {
      try {
        return await tracker.track(each, normalizeEvent(readItem(event, request.projectId)));
      } catch (error) {
        const refusal = toAppError(error);
        if (refusal.code === 'SERVICE_UNAVAILABLE') throw error;
        if (refusal.code === 'INTERNAL_ERROR') onFailure(error, request.requestId);
        const { success, error: body } = errorBody(refusal, request.requestId);
        return { success, error: { ...body, details: body.details && [...body.details] } };
      }
    }),
  );
}

/** Fails with INVALID_REQUEST for an item that is no Event, cannot be stored, or belongs to another Project. */
function readItem(item: unknown, projectId: string): TrackEvent {
  assertStorable(item, VISITOR_TEXT);
  check(item);
  const { projectId: named, ...event } = item as Static<typeof BatchItem>;
  if ((named ?? projectId) !== projectId)
    throw invalid('projectId', 'differs from the projectId of the call');
  return event;
}
