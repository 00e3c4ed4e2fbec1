import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_DELIVERY } from '../delivery-methods.ts';
import { DEFAULT_CONFIG } from '../program-config.ts';
import {
  type CopySource,
  type CopyTarget,
  decideCopy,
  pickVersion,
  proposeName,
} from './decide-copy.ts';

const source = (landingPageUrl = 'https://example.com/welcome'): CopySource => ({
  program: {
    kind: 'referral',
    name: 'Invite a friend',
    config: {
      ...DEFAULT_CONFIG,
      brandConfig: { ...DEFAULT_CONFIG.brandConfig, landingPageUrl, primaryColor: '#123456' },
    },
  },
  delivery: { ...DEFAULT_DELIVERY, holdDays: 14, cashMethod: 'payout' },
});
const target = (change: Partial<CopyTarget> = {}): CopyTarget => ({
  environment: 'live',
  connected: [],
  name: 'Invite a friend',
  ...change,
});

describe('a copy', () => {
  test('is a draft without dates, with the texts, looks and settings of the original', () => {
    const copied = decideCopy(source(), target());
    expect(copied.program).toEqual({
      ...source().program,
      status: 'draft',
      startDate: null,
      endDate: null,
    });
    expect(copied.delivery).toEqual(source().delivery);
    expect(copied.warnings).toEqual([]);
  });

  test('has the name that was asked for', () => {
    expect(decideCopy(source(), target({ name: 'Spring' })).program.name).toBe('Spring');
  });

  test('is named after the original, as a copy beside it, and differently from all others', () => {
    const nameOf = (isSameProject: boolean, ...taken: string[]) =>
      proposeName('Invite', isSameProject, new Set(taken));
    expect(nameOf(false)).toBe('Invite');
    expect(nameOf(false, 'Invite')).toBe('Invite 2');
    expect(nameOf(true, 'Invite')).toBe('Copy of Invite');
    expect(nameOf(true, 'Invite', 'Copy of Invite', 'Copy of Invite 2')).toBe('Copy of Invite 3');
  });

  test('has no half of a character at the end of its name', () => {
    const name = `${'x'.repeat(111)}😀😀`;
    expect(proposeName(name, true, new Set())).toBe(`Copy of ${'x'.repeat(111)}`);
  });

  test('has a name of its own within the limit, however long the others are', () => {
    const anyName = fc.string({ minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(anyName, fc.boolean(), fc.nat(20), (name, isSame, copies) => {
        const taken = new Set([name]);
        for (let n = 0; n <= copies; n += 1) {
          const proposed = proposeName(name, isSame, taken);
          expect(taken.has(proposed)).toBe(false);
          expect(proposed.length).toBeLessThanOrEqual(120);
          taken.add(proposed);
        }
      }),
    );
  });

  test('loses a method that the target is not connected to, and says so', () => {
    const stripe = {
      ...source(),
      delivery: { ...DEFAULT_DELIVERY, creditMethod: 'stripe_balance' },
    };
    const copied = decideCopy(stripe, target());
    expect(copied.delivery.creditMethod).toBe('operator');
    expect(copied.warnings).toMatchObject([{ code: 'method_not_available' }]);
    const connected = decideCopy(stripe, target({ connected: ['stripe_balance'] }));
    expect(connected.delivery.creditMethod).toBe('stripe_balance');
    expect(connected.warnings).toEqual([]);
  });

  test('loses a landing page that a live project does not allow, and says so', () => {
    const http = source('http://shop.example.com/');
    const copied = decideCopy(http, target());
    expect(copied.program.config.brandConfig.landingPageUrl).toBe('');
    expect(copied.program.config.brandConfig.primaryColor).toBe('#123456');
    expect(copied.warnings).toMatchObject([{ code: 'landing_page_not_allowed' }]);
    expect(decideCopy(http, target({ environment: 'sandbox' })).warnings).toEqual([]);
    expect(decideCopy(source(''), target()).warnings).toEqual([]);
  });
});

test('of several versions the one in force is taken, or the first that will be', () => {
  const [one, two, three] = [
    { version: 1, effectiveAt: '2026-01-01T00:00:00.000Z' },
    { version: 2, effectiveAt: '2026-02-01T00:00:00.000Z' },
    { version: 3, effectiveAt: '2026-03-01T00:00:00.000Z' },
  ];
  const at = (now: string) =>
    pickVersion(
      [three, two, one].flatMap((v) => v ?? []),
      now,
    );
  expect(at('2026-02-15T00:00:00.000Z')).toBe(two);
  expect(at('2026-03-01T00:00:00.000Z')).toBe(three);
  expect(at('2025-01-01T00:00:00.000Z')).toBe(one);
  expect(pickVersion([], '2026-01-01T00:00:00.000Z')).toBeUndefined();
});
