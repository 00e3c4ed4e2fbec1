import { expect, test } from 'vitest';
import { HOUR_MS, toMs } from '../../platform/kit/instant.ts';
import { MAIL_TRIES_MAX, nextMailTry } from './mail-schedule.ts';

test('a mail is tried ten times over about two days, each wait twice the last', () => {
  const startMs = toMs('2026-11-15T09:30:00.000Z');
  let at = '2026-11-15T09:30:00.000Z';
  const waits: number[] = [];
  for (let tries = 1; ; tries += 1) {
    const next = nextMailTry(tries, at);
    if (next === null) {
      expect(tries).toBe(MAIL_TRIES_MAX);
      break;
    }
    waits.push(toMs(next) - toMs(at));
    at = next;
  }
  expect(waits[0]).toBe(5 * 60_000);
  for (const [index, wait] of waits.slice(1).entries()) expect(wait).toBe(2 * (waits[index] ?? 0));
  expect((toMs(at) - startMs) / HOUR_MS).toBeCloseTo(42.6, 1);
});
