import type { Replay } from '../src/domain/backtests/decide/replay.ts';

/** All that a replay finds, without the ids that it makes up. */
export function findingsOf({ events, refused, referrals, reviews }: Replay, programId: string) {
  return {
    refused,
    reviews: reviews.result(programId, '2000-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'),
    differences: [...events.differences].map(([id, one]) => [id, one?.lines]),
    own: events.own,
    others: events.others,
    compared: events.compared,
    notReproduced: events.notReproduced,
    unlike: events.unlike.map(({ eventId, lines }) => [eventId, lines]),
    referrers: [referrals.actual, referrals.proposed].map((one) =>
      [...one].map(([referee, { referrerParticipantId }]) => [referee, referrerParticipantId]),
    ),
  };
}
