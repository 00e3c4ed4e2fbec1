import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyDetails } from '../../../../test/details-arbitrary.ts';
import { createKeyring } from '../../../platform/kit/keyring.ts';
import type { DetailsOwner } from './details.ts';
import { fingerprintDetails, maskDetails, openDetails, sealDetails } from './seal-details.ts';

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

/** The account itself, which a label must not reveal. */
function secretOf(details: Parameters<typeof maskDetails>[0]): string {
  if ('email' in details) return details.email.slice(0, details.email.lastIndexOf('@'));
  if ('iban' in details) return details.iban;
  return 'accountId' in details ? details.accountId : details.accountNumber;
}

test('a label shows at most what was decided: country and last four, the last half, a first letter', () => {
  fc.assert(
    fc.property(anyDetails, (details) => {
      const label = maskDetails(details);
      const secret = secretOf(details);
      if ('email' in details) {
        expect(label).toBe(`${secret.slice(0, 1)}•••${details.email.slice(secret.length)}`);
      } else if ('iban' in details) {
        expect(label).toBe(`${secret.slice(0, 2)}•• •••• ${secret.slice(-4)}`);
      } else {
        const [, shown = ''] = /^(?:Stripe )?•••• (\w+)$/.exec(label) ?? [];
        expect(shown.length).toBe(Math.min(4, Math.floor(secret.length / 2)));
        expect(secret.endsWith(shown)).toBe(true);
      }
    }),
  );
});

test('nothing of the label tells how long the account is', () => {
  const bank = { type: 'bank', holderName: 'A', country: 'US', currency: 'USD' } as const;
  const mask = (accountNumber: string) => maskDetails({ ...bank, accountNumber, routingCode: '1' });
  expect(mask('00006789')).toBe(mask('12345678906789'));
  expect(mask('6789')).toBe('•••• 89');
  const mails = ['a@example.com', 'abcdefg@example.com'];
  expect(new Set(mails.map((email) => maskDetails({ type: 'wise', email }))).size).toBe(1);
});

test('neither holder, routing code nor BIC is in a label', () => {
  fc.assert(
    fc.property(anyDetails, (details) => {
      const other = {
        ...details,
        ...('holderName' in details ? { holderName: 'Another' } : {}),
        ...('routingCode' in details ? { routingCode: 'OTHER' } : {}),
        ...('bic' in details ? { bic: 'OTHERXXX' } : {}),
      };
      expect(maskDetails(other)).toBe(maskDetails(details));
    }),
  );
});
