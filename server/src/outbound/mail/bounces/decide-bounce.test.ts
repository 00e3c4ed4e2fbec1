import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAIL_STATES } from '../kinds.ts';
import {
  BOUNCE_KINDS,
  type Bounce,
  decideBounce,
  mailIdOf,
  withoutAddresses,
} from './decide-bounce.ts';

const AT = '2026-11-15T09:30:00.000Z';
const hard: Bounce = { kind: 'hard', at: AT, diagnostic: 'no such user' };
const soft: Bounce = { kind: 'soft', at: AT, diagnostic: 'mailbox full' };

describe('a bounce', () => {
  test('makes a sent mail bounced if it is hard, and failed if it is soft', () => {
    const mail = { state: 'sent', bounce: null } as const;
    expect(decideBounce(mail, hard)).toEqual({ state: 'bounced', bounce: hard });
    expect(decideBounce(mail, soft)).toEqual({ state: 'failed', bounce: soft });
  });

  test('that is hard replaces one that is soft, and not the other way around', () => {
    expect(decideBounce({ state: 'failed', bounce: soft }, hard)).toEqual({
      state: 'bounced',
      bounce: hard,
    });
    expect(decideBounce({ state: 'bounced', bounce: hard }, soft)).toBe('known');
  });

  test('that is soft does not change a mail whose address was refused at once', () => {
    expect(decideBounce({ state: 'bounced', bounce: null }, soft)).toBe('known');
    expect(decideBounce({ state: 'bounced', bounce: null }, hard)).toMatchObject({ bounce: hard });
  });

  test.each(['waiting', 'suppressed', 'dropped', 'preview'] as const)(
    'of a mail that is %s is refused',
    (state) => expect(decideBounce({ state, bounce: null }, hard)).toBe('not_sent'),
  );

  test('changes nothing when it is reported again, however often and in whatever order', () => {
    const report = fc.record({
      kind: fc.constantFrom(...BOUNCE_KINDS),
      at: fc.constant(AT),
      diagnostic: fc.constantFrom(null, 'a', 'b'),
    });
    fc.assert(
      fc.property(fc.constantFrom(...MAIL_STATES), fc.array(report), (state, reports) => {
        let mail: { state: typeof state; bounce: Bounce | null } = { state, bounce: null };
        let changes = 0;
        for (const one of [...reports, ...reports]) {
          const found = decideBounce(mail, one);
          if (typeof found === 'string') continue;
          mail = found;
          changes += 1;
        }
        expect(changes).toBeLessThanOrEqual(2);
        if (mail.bounce !== null && reports.some(({ kind }) => kind === 'hard')) {
          expect(mail).toMatchObject({ state: 'bounced', bounce: { kind: 'hard' } });
        }
      }),
    );
  });
});

test('what the server said is kept without addresses', () => {
  expect(withoutAddresses('550 5.1.1 <ada@example.com>: unknown (ada@example.com)')).toBe(
    '550 5.1.1 <…>: unknown (…)',
  );
  expect(withoutAddresses('mailbox full')).toBe('mailbox full');
});

test('a Message-ID of ours names the mail', () => {
  const id = `mail_${'0'.repeat(26)}`;
  expect(mailIdOf(`<${id}@refer.example.com>`)).toBe(id);
  expect(mailIdOf(` ${id}@refer.example.com `)).toBe(id);
  expect(mailIdOf('<abc@example.com>')).toBeNull();
  expect(mailIdOf(id)).toBeNull();
});
