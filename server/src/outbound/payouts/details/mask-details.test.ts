import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyDetails } from '../../../../test/details-arbitrary.ts';
import { maskDetails } from './mask-details.ts';

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
