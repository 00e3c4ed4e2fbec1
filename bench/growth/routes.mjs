import { callService } from '../kit/service.mjs';

/** The reading routes to compare, each with an id of the Project that asks. */
export async function listReadings(service, target) {
  const read = (path, query = {}) => {
    const search = new URLSearchParams({ projectId: target.projectId, ...query });
    return `${path}?${search}`;
  };
  const get = (path, query) => callService(service, 'GET', read(path, query), { key: target.key });
  const { data: events } = await get('/v1/events');
  const { data: rewards } = await get('/v1/rewards');
  const { participants, data = participants } = await get('/v1/participants');
  const event = events[0].id;
  const reward = rewards[0];
  const { data: story } = await get(`/v1/participants/${events[0].participantId}`);
  const referral = story.referral ?? story.referredBy ?? null;
  const { next } = await get('/v1/webhook-events', { limit: '100' });
  const { programId } = target;
  return {
    'events, newest': read('/v1/events'),
    'events, second page': read('/v1/events', { offset: '50' }),
    event: read(`/v1/events/${event}`),
    explanation: read(`/v1/events/${event}/explanation`),
    'participants, newest': read('/v1/participants'),
    'participants of a kind': read('/v1/participants', { kind: 'individual' }),
    'participants by externalId': read('/v1/participants', { externalId: data[0].externalId }),
    'participant, referee': read(`/v1/participants/${events[0].participantId}`),
    'participant, referrer': read(`/v1/participants/${target.referrerId}`),
    ...(referral ? { referral: read(`/v1/referrals/${referral.id}`) } : {}),
    'rewards, newest': read('/v1/rewards'),
    'rewards of a program': read('/v1/rewards', { programId }),
    'rewards of the referrer': read('/v1/rewards', { beneficiaryParticipantId: target.referrerId }),
    'rewards by status': read('/v1/rewards', { fulfillmentStatus: 'pending' }),
    'rewards by method': read('/v1/rewards', {
      deliveryMethod: reward.delivery?.method ?? 'manual',
    }),
    'rewards by kind': read('/v1/rewards', { benefitKind: 'cash' }),
    'rewards by role': read('/v1/rewards', { beneficiaryRole: 'referee' }),
    'rewards by time': read('/v1/rewards', { earnedFrom: '2020-01-01T00:00:00Z' }),
    'rewards of an event': read('/v1/rewards', { eventId: event }),
    reward: read(`/v1/rewards/${reward.id}`),
    'feed, first': read('/v1/webhook-events'),
    'feed, further': read('/v1/webhook-events', { after: next }),
    programs: read('/v1/programs'),
    program: read(`/v1/programs/${programId}`),
    'rules of a program': read(`/v1/programs/${programId}/benefit-rules`),
    sources: read('/v1/sources'),
  };
}

/** The median time of a call in ms, one at a time. */
export async function timeReading(service, target, path, times) {
  const taken = [];
  for (let n = 0; n < times; n += 1) {
    const startedAt = performance.now();
    const response = await fetch(service.url + path, { headers: { 'x-api-key': target.key } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    taken.push(performance.now() - startedAt);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)];
}
