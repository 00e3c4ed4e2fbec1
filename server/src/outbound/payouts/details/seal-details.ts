import { randomBytes } from 'node:crypto';
import { canonicalJson } from '../../../platform/kit/canonical-json.ts';
import { type Keyring, openWith, sealWith } from '../../../platform/kit/keyring.ts';
import type { Details, DetailsOwner } from './details.ts';

const KEY_BYTES = 32;

/** Stored details: encrypted with their own key, which the keyring's key wraps. */
export interface SealedDetails {
  readonly sealed: string;
  readonly wrappedKey: string;
}

/** Can only be decrypted for this owner and record. */
export function sealDetails(
  keyring: Keyring,
  owner: DetailsOwner,
  recordId: string,
  details: Details,
): SealedDetails {
  const key = randomBytes(KEY_BYTES);
  const context = contextOf(owner, recordId);
  return {
    sealed: sealWith(key, canonicalJson(details), context),
    wrappedKey: keyring.seal('payout-details', key.toString('base64'), context),
  };
}

/** Throws if it was sealed for another owner or record, or changed since. */
export function openDetails(
  keyring: Keyring,
  owner: DetailsOwner,
  recordId: string,
  { sealed, wrappedKey }: SealedDetails,
): Details {
  const context = contextOf(owner, recordId);
  const key = Buffer.from(keyring.open('payout-details', wrappedKey, context), 'base64');
  return JSON.parse(openWith(key, sealed, context)) as Details;
}

/** Ids contain no line break. */
function contextOf({ projectId, kind, id }: DetailsOwner, recordId: string): string {
  return [projectId, kind, id, recordId].join('\n');
}

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

const HIDDEN = '••••';
const SHOWN_MAX = 4;

/**
 * Enough to recognise one's own account. An IBAN shows the country and the last four characters, an
 * account number the last four but never more than half, an e-mail the first letter and the domain.
 * The length is hidden.
 */
export function maskDetails(details: Details): string {
  if ('email' in details) return maskEmail(details.email);
  if ('iban' in details) {
    return `${details.iban.slice(0, 2)}•• ${HIDDEN} ${details.iban.slice(-SHOWN_MAX)}`;
  }
  if ('accountId' in details) return `Stripe ${endOf(details.accountId)}`;
  return endOf(details.accountNumber);
}

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}

function endOf(text: string): string {
  const shown = Math.min(SHOWN_MAX, Math.floor(text.length / 2));
  return `${HIDDEN} ${text.slice(text.length - shown)}`;
}
