import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyDetails } from '../../../../test/details-arbitrary.ts';
import { createKeyring } from '../../../platform/kit/keyring.ts';
import type { DetailsOwner } from './details.ts';
import { fingerprintDetails } from './fingerprint-details.ts';
import { openDetails, sealDetails } from './seal-details.ts';

const keyring = createKeyring(Buffer.alloc(32, 1));
const owner: DetailsOwner = { kind: 'participant', projectId: 'prj_1', id: 'par_1' };

describe('sealed details (D-PAY-6)', () => {
  test('open to what was sealed, for their owner and record', () => {
    fc.assert(
      fc.property(anyDetails, (details) => {
        const sealed = sealDetails(keyring, owner, 'pdt_1', details);
        expect(openDetails(keyring, owner, 'pdt_1', sealed)).toEqual(details);
      }),
    );
  });

  test('open for nobody else: not another Project, owner, kind, record or root key', () => {
    const others: [DetailsOwner, string][] = [
      [{ ...owner, projectId: 'prj_2' }, 'pdt_1'],
      [{ ...owner, id: 'par_2' }, 'pdt_1'],
      [{ ...owner, kind: 'partner' }, 'pdt_1'],
      [{ ...owner, projectId: '', id: 'prj_1\nparticipant\npar_1' }, 'pdt_1'],
      [owner, 'pdt_2'],
    ];
    fc.assert(
      fc.property(anyDetails, (details) => {
        const sealed = sealDetails(keyring, owner, 'pdt_1', details);
        for (const [who, id] of others) {
          expect(() => openDetails(keyring, who, id, sealed)).toThrow();
        }
        const foreign = createKeyring(Buffer.alloc(32, 2));
        expect(() => openDetails(foreign, owner, 'pdt_1', sealed)).toThrow();
      }),
      { numRuns: 30 },
    );
  });

  test('have a key of their own each: neither text nor key of another opens them', () => {
    fc.assert(
      fc.property(anyDetails, (details) => {
        const [one, two] = [1, 2].map(() => sealDetails(keyring, owner, 'pdt_1', details));
        if (!one || !two) throw new Error('Nothing was sealed.');
        expect(one.sealed).not.toBe(two.sealed);
        expect(one.wrappedKey).not.toBe(two.wrappedKey);
        const mixed = { sealed: one.sealed, wrappedKey: two.wrappedKey };
        expect(() => openDetails(keyring, owner, 'pdt_1', mixed)).toThrow();
      }),
      { numRuns: 30 },
    );
  });

  test('that were changed or cut short do not open', () => {
    const { sealed, wrappedKey } = sealDetails(keyring, owner, 'pdt_1', {
      type: 'paypal',
      email: 'ada@example.com',
    });
    const bytes = Buffer.from(sealed.slice('v1.'.length), 'base64');
    const open = (changed: Buffer) =>
      openDetails(keyring, owner, 'pdt_1', {
        sealed: `v1.${changed.toString('base64')}`,
        wrappedKey,
      });
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => open(changed)).toThrow();
      expect(() => open(bytes.subarray(0, at))).toThrow();
    }
  });
});

describe('a fingerprint', () => {
  const bank = { type: 'bank', holderName: 'Ada', country: 'GB', currency: 'GBP' } as const;
  const iban = { ...bank, iban: 'GB29NWBK60161331926819', bic: null };
  const of = (details: Parameters<typeof fingerprintDetails>[2], workspaceId = 'ws_1') =>
    fingerprintDetails(keyring, workspaceId, details);

  test('is the same for one account, whoever holds it and however it is named', () => {
    const other = { holderName: 'Bob', currency: 'EUR', bic: 'NWBKGB2L' };
    expect(of({ ...iban, ...other })).toBe(of(iban));
    const account = { ...bank, accountNumber: '31926819', routingCode: '601613' };
    expect(of(account)).toBe(of(iban));
    const mail = { type: 'paypal', email: 'Ada@Example.com' } as const;
    expect(of(mail)).toBe(of({ ...mail, email: 'ada@example.com' }));
  });

  test('differs for any other account, kind of account and Workspace', () => {
    const account = { ...bank, accountNumber: '31926819', routingCode: '601613' };
    const all = [
      of(account),
      of({ ...account, accountNumber: '31926818' }),
      of({ ...account, routingCode: '601614' }),
      of({ ...account, country: 'US' }),
      of({ type: 'paypal', email: 'ada@example.com' }),
      of({ type: 'wise', email: 'ada@example.com' }),
      of({ type: 'wise', email: 'bob@example.com' }),
      of({ ...iban, country: 'DE', iban: 'DE89370400440532013000' }),
      of({ type: 'stripe_connect', accountId: 'acct_1' }),
      of(account, 'ws_2'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('is nothing without the root key', () => {
    const foreign = createKeyring(Buffer.alloc(32, 2));
    expect(fingerprintDetails(foreign, 'ws_1', iban)).not.toBe(of(iban));
  });
});
