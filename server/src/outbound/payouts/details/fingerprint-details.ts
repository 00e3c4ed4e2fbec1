import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { Details } from './details.ts';

/**
 * The same value for the same account throughout a workspace, whoever entered it and in whatever
 * notation. It shows that two payees share an account; without the key it does not reveal the
 * account.
 */
export function fingerprintDetails(
  keyring: Keyring,
  workspaceId: string,
  details: Details,
): string {
  const text = [workspaceId, ...accountOf(details)].join('\n');
  return keyring.hmac('payout-account', text).toString('base64url');
}

/** The fields that identify the account. Holder, currency and BIC do not. */
function accountOf(details: Details): string[] {
  if ('email' in details) return [details.type, details.email.toLowerCase()];
  if ('accountId' in details) return [details.type, details.accountId];
  if ('accountNumber' in details) {
    return ['account', details.country, details.routingCode, details.accountNumber];
  }
  const { iban } = details;
  // A British IBAN contains sort code and account number: GBkk bbbb ssss ssaa aaaa aa.
  return iban.startsWith('GB')
    ? ['account', 'GB', iban.slice(8, 14), iban.slice(14)]
    : ['iban', iban];
}
