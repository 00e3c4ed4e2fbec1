import { createHmac } from 'node:crypto';
import type { TestProject } from '../../new-project.ts';
import { externalIdOf } from './names.ts';
import type { PayoutOperation } from './operations.ts';

type Saved = PayoutOperation & { kind: 'details' };

/** A German IBAN of this account number: its check digits leave 1 when divided by 97. */
function ibanOf(number: number): string {
  const account = `10000000${String(number).padStart(10, '0')}`;
  // D and E count as 13 and 14.
  const rest = Number(BigInt(`${account}131400`) % 97n);
  return `DE${String(98 - rest).padStart(2, '0')}${account}`;
}

/** Nobody has more accounts. */
const ACCOUNTS_MAX = 10;

/** Where somebody is paid; each of their accounts is nobody else's. */
export function accountOf(person: number, account: number): string {
  return ibanOf(person * ACCOUNTS_MAX + account);
}

/** Of a PayPal account. */
export const emailOf = (person: number, account: number): string =>
  `${externalIdOf(person)}-${account}@example.com`;

/** As the widget sends it. */
export function detailsOf({ person, account, type }: Saved) {
  if (type === 'paypal') return { type, email: emailOf(person, account) };
  return type === 'stripe_connect' ? { type } : bankOf(person, account);
}

const bankOf = (person: number, account: number) => ({
  type: 'bank',
  holderName: `Person ${externalIdOf(person)}`,
  country: 'DE',
  currency: 'USD',
  iban: accountOf(person, account),
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of the widget, as the backend of a Project signs it. */
export function signToken(
  { projectId }: TestProject,
  secret: string,
  { kind, externalId }: { readonly kind: string; readonly externalId: string },
): string {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: projectId,
    projectId,
    aud: 'service-widget',
    sub: externalId,
    participantKind: kind,
    iat,
    exp: iat + 900,
    scope: 'widget:read widget:payout',
  };
  const text = `${encode({ alg: 'HS256', typ: 'service-widget+jwt' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
