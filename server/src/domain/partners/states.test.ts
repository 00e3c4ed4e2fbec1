import fc from 'fast-check';
import { expect, test } from 'vitest';
import { APPLICATION_STATUSES } from './schema.ts';
import { decideApplication, type Trigger } from './states.ts';

const TRIGGERS: readonly Trigger[] = ['approve', 'reject', 'withdraw'];
const OUTCOME = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const;
const at = '2026-11-15T09:30:00.000Z';

const applications = fc.record({
  status: fc.constantFrom(...APPLICATION_STATUSES),
  emailVerifiedAt: fc.constantFrom(null, at),
});

test('the first decision stands, whatever comes after it (D-PROG-7)', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(null, at),
      fc.array(fc.constantFrom(...TRIGGERS), { minLength: 1 }),
      (emailVerifiedAt, triggers) => {
        let application = { status: 'pending' as const, emailVerifiedAt } as Parameters<
          typeof decideApplication
        >[0];
        const moves = triggers.flatMap((trigger) => {
          const decision = decideApplication(application, trigger);
          if (!('to' in decision)) return [];
          application = { ...application, status: decision.to };
          return [trigger];
        });
        expect(moves.length).toBeLessThanOrEqual(1);
        const first = triggers.find((trigger) => trigger !== 'approve' || emailVerifiedAt);
        expect(moves[0]).toBe(first);
        expect(application.status).toBe(first ? OUTCOME[first] : 'pending');
      },
    ),
  );
});

test('a repeat of the same decision is no refusal, and the opposite is application_decided', () => {
  fc.assert(
    fc.property(applications, fc.constantFrom(...TRIGGERS), (application, trigger) => {
      fc.pre(application.status !== 'pending');
      const decision = decideApplication(application, trigger);
      if (application.status === OUTCOME[trigger]) expect(decision).toEqual({ repeated: true });
      else {
        expect(decision).toMatchObject({
          refused: {
            reason: 'application_decided',
            message: `This application is ${application.status}.`,
          },
        });
      }
    }),
  );
});

test('nobody is approved before the proof of their e-mail', () => {
  expect(decideApplication({ status: 'pending', emailVerifiedAt: null }, 'approve')).toMatchObject({
    refused: {
      code: 'CONFLICT',
      reason: 'invalid_transition',
      message: 'The applicant has not verified the e-mail address yet.',
    },
  });
  expect(decideApplication({ status: 'pending', emailVerifiedAt: at }, 'approve')).toEqual({
    to: 'approved',
  });
});
