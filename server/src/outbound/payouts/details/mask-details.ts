import type { Details } from './details.ts';

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
