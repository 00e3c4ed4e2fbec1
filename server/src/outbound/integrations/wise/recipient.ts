import type { Details } from '../../payouts/details/details.ts';
import { textOf } from '../call-json.ts';

/** A recipient in Wise's form, without the profile; or why Wise cannot pay to these details. */
export type WiseRecipient =
  | { readonly recipient: Readonly<Record<string, unknown>> }
  | { readonly fault: string };

/** Wise's name for the routing code of an account without IBAN, by country. */
const ROUTING: Readonly<Record<string, { readonly type: string; readonly code: string }>> = {
  AU: { type: 'australian', code: 'bsbCode' },
  GB: { type: 'sort_code', code: 'sortCode' },
  IN: { type: 'indian', code: 'ifscCode' },
};

/** No conversion: an account is paid in its own currency or not at all. */
export function toWiseRecipient(
  details: Details,
  currency: string,
  payeeName: string | null,
): WiseRecipient {
  if (details.type === 'wise') {
    if (payeeName === null) return { fault: 'Wise needs the name of the account holder.' };
    const { email } = details;
    return {
      recipient: { type: 'email', currency, accountHolderName: payeeName, details: { email } },
    };
  }
  if (details.type !== 'bank') return { fault: 'Wise cannot pay to payout details of this type.' };
  if (details.currency !== currency) {
    return {
      fault: `The currency of the account is ${details.currency}, but the payout is in ${currency}.`,
    };
  }
  const common = { currency, accountHolderName: details.holderName };
  const legal = { legalType: 'PRIVATE' };
  if ('iban' in details) {
    return { recipient: { ...common, type: 'iban', details: { ...legal, IBAN: details.iban } } };
  }
  if (details.country === 'US') {
    return {
      fault: 'Wise needs the postal address of the holder of a US account, which is not known.',
    };
  }
  const routing = ROUTING[details.country];
  if (!routing)
    return { fault: `Wise cannot pay to accounts in ${details.country} by account number.` };
  const { accountNumber, routingCode } = details;
  return {
    recipient: {
      ...common,
      type: routing.type,
      details: { ...legal, [routing.code]: routingCode, accountNumber },
    },
  };
}

/** The account of a recipient, in our form; null if it is none that payouts go to. */
export function fromWiseRecipient(body: unknown): Details | null {
  const details = (name: string) => textOf(body, 'details', name);
  const type = textOf(body, 'type');
  const currency = textOf(body, 'currency') ?? '';
  const common = { type: 'bank', holderName: textOf(body, 'accountHolderName') ?? '' } as const;
  if (type === 'email') {
    const email = details('email');
    return email === null ? null : { type: 'wise', email };
  }
  if (type === 'iban') {
    const iban = (details('IBAN') ?? details('iban'))?.replaceAll(' ', '').toUpperCase();
    if (iban === undefined) return null;
    return { ...common, country: iban.slice(0, 2), currency, iban, bic: null };
  }
  const [country, routing] = Object.entries(ROUTING).find(([, one]) => one.type === type) ?? [];
  if (country === undefined || routing === undefined) return null;
  const accountNumber = details('accountNumber');
  const routingCode = details(routing.code);
  if (accountNumber === null || routingCode === null) return null;
  return { ...common, country, currency, accountNumber, routingCode };
}
