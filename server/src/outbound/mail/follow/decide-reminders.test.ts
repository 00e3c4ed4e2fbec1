import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideReminders, type Payee, SKIPPED_MAX, summarizeSkipped } from './decide-reminders.ts';

const payee = (participantId: string, change: Partial<Payee> = {}): Payee => ({
  participantId,
  programId: 'prg_1',
  wasRemindedLately: false,
  hasAddress: true,
  isMailable: true,
  hasOptedOut: false,
  hasBounced: false,
  ...change,
});

test.each<[string, Partial<Payee>]>([
  ['reminded_lately', { wasRemindedLately: true, hasAddress: false }],
  ['no_address', { hasAddress: false, isMailable: false, hasOptedOut: true }],
  ['unusable_address', { isMailable: false, hasOptedOut: true }],
  ['unsubscribed', { hasOptedOut: true, hasBounced: true }],
  ['bounced_before', { hasBounced: true }],
])('somebody is left out with one reason: %s', (reason, change) => {
  expect(decideReminders([payee('par_1', change), payee('par_2')], null, 10)).toEqual({
    chosen: [payee('par_2')],
    skipped: [{ participantId: 'par_1', reason }],
    isMore: false,
  });
});

test('those who were named and do not wait are reported', () => {
  expect(decideReminders([payee('par_1')], ['par_1', 'par_2'], 10)).toEqual({
    chosen: [payee('par_1')],
    skipped: [{ participantId: 'par_2', reason: 'not_waiting' }],
    isMore: false,
  });
});

test('more people than are reminded at once wait for the next call, and are not left out', () => {
  const plan = decideReminders([payee('par_1'), payee('par_2')], null, 1);
  expect(plan).toEqual({ chosen: [payee('par_1')], skipped: [], isMore: true });
});

test('everybody is reminded or left out, once', () => {
  const anyPayee = fc.record({
    participantId: fc.constantFrom('par_1', 'par_2', 'par_3', 'par_4'),
    wasRemindedLately: fc.boolean(),
    hasAddress: fc.boolean(),
    isMailable: fc.boolean(),
    hasOptedOut: fc.boolean(),
    hasBounced: fc.boolean(),
  });
  const people = fc.uniqueArray(anyPayee, { selector: ({ participantId }) => participantId });
  fc.assert(
    fc.property(people, (found) => {
      const { chosen, skipped } = decideReminders(
        found.map((one) => payee(one.participantId, one)),
        null,
        10,
      );
      const all = [...chosen, ...skipped].map(({ participantId }) => participantId);
      expect(all.toSorted()).toEqual(found.map(({ participantId }) => participantId).toSorted());
    }),
  );
});

test('of those who are left out some are named, and all are counted', () => {
  const reason = fc.constantFrom('no_address', 'unsubscribed', 'not_waiting');
  fc.assert(
    fc.property(fc.array(reason, { maxLength: 3 * SKIPPED_MAX, size: 'max' }), (reasons) => {
      const all = reasons.map((one, at) => ({ participantId: `par_${at}`, reason: one }));
      const { skipped, skippedCount, skippedReasons } = summarizeSkipped(all);
      expect(skipped).toEqual(all.slice(0, SKIPPED_MAX));
      expect(skippedCount).toBe(all.length);
      expect(skippedReasons.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
      for (const one of skippedReasons) {
        expect(one.count).toBe(reasons.filter((other) => other === one.reason).length);
      }
    }),
  );
});
