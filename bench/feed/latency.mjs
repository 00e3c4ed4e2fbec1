import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { callService } from '../kit/service.mjs';

/**
 * Follows a Project's feed at one service while facts are written at another, so many a second.
 * Returns, for each fact, the ms from its answer to its event at the reader, in rising order:
 * negative where the event was there first.
 */
export async function measureLatency({ writer, reader, target, perSecond, seconds }) {
  const seen = new Map();
  const close = await follow(reader, target, (name) => seen.set(name, performance.now()));
  const answered = new Map();
  const calls = [];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const externalId = `latency-${writer.pid}-${reader.pid}-${n}`;
    const participant = { kind: 'individual', externalId };
    const body = { projectId: target.projectId, participant };
    calls.push(
      callService(writer, 'PUT', '/v1/participants', { body, key: target.key }).then(() =>
        answered.set(externalId, performance.now()),
      ),
    );
    await delay(1_000 / perSecond);
  }
  await Promise.all(calls);
  while ([...answered.keys()].some((name) => !seen.has(name))) await delay(10);
  close();
  return [...answered].map(([name, at]) => seen.get(name) - at).sort((a, b) => a - b);
}

/** Resolves once the stream has told all that there was. */
async function follow(service, target, onName) {
  const feed = `/v1/webhook-events?projectId=${target.projectId}`;
  const { key } = target;
  let { next, events } = await callService(service, 'GET', feed, { key });
  while (events.length > 0) {
    const page = `${feed}&limit=500&after=${next}`;
    ({ next, events } = await callService(service, 'GET', page, { key }));
  }
  const url = `${service.url}/v1/webhook-events/stream?projectId=${target.projectId}&after=${next}`;
  const call = request(url, { agent: false, headers: { 'x-api-key': key } });
  call.on('error', () => undefined).end();
  const answer = await new Promise((resolve) => call.once('response', resolve));
  let rest = '';
  answer.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const name = /"externalId":"(latency-[^"]+)"/.exec(line)?.[1];
      if (name !== undefined) onName(name);
    }
  });
  return () => call.destroy();
}
