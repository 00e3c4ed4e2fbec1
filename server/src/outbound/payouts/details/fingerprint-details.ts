import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { Details } from './details.ts';

/**
 * The same for one account in a whole Workspace, whoever entered it and however: it tells that two
 * are paid to the same place, and without the key nobody can tell which place that is.
 */
export function fingerprintDetails(
  keyring: Keyring,
  workspaceId: string,
  details: Details,
): string {
  const text = [workspaceId, ...accountOf(details)].join('\n');
  return keyring.hmac('payout-account', text).toString('base64url');
}

/** What names the account alone. Neither holder, currency nor BIC makes it another. */
function accountOf(details: Details): string[] {
  if ('email' in details) return [details.type, details.email.toLowerCase()];
  if ('accountId' in details) return [details.type, details.accountId];
  if ('accountNumber' in details) {
    return ['account', details.country, details.routingCode, details.accountNumber];
  }
  const { iban } = details;
  // A British IBAN spells sort code and account number out: GBkk bbbb ssss ssaa aaaa aa.
  return iban.startsWith('GB')
    ? ['account', 'GB', iban.slice(8, 14), iban.slice(14)]
    : ['iban', iban];
}
