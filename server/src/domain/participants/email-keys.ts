import type { Keyring } from '../../platform/kit/keyring.ts';
import { isDisposable } from './disposable-domains.ts';

/** What signals compare of an address: keyed hashes, which match nobody and are no addresses. */
export interface EmailKeys {
  /** Of the address without tags and dots. */
  readonly emailKey: string | null;
  /** Of that without digits; null if too little is left. */
  readonly emailStem: string | null;
  readonly emailIsDisposable: boolean | null;
}

export const NO_EMAIL: EmailKeys = { emailKey: null, emailStem: null, emailIsDisposable: null };

/** Shorter names are alike by chance. */
const STEM_MIN = 3;

/** The two sides of an address as its mailbox reads them: lower case, without a tag and dots in the name. */
export function readAddress(email: string): { readonly name: string; readonly domain: string } {
  const address = email.trim().normalize('NFKC').toLowerCase();
  const at = address.lastIndexOf('@');
  const local = at < 0 ? address : address.slice(0, at);
  const [untagged = ''] = local.split('+');
  return {
    name: untagged.replaceAll('.', '') || local,
    domain: at < 0 ? '' : address.slice(at + 1),
  };
}

export function emailKeysOf(keyring: Keyring, projectId: string, email: string | null): EmailKeys {
  if (email === null) return NO_EMAIL;
  const { name, domain } = readAddress(email);
  const hash = (kind: string, text: string) =>
    keyring.hmac('risk-email', `${projectId}\n${kind}\n${text}@${domain}`).toString('base64url');
  const stem = name.replace(/\d/g, '');
  return {
    emailKey: hash('key', name),
    emailStem: stem.length < STEM_MIN ? null : hash('stem', stem),
    emailIsDisposable: isDisposable(domain),
  };
}
