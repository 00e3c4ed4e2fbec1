import type { Details } from '../../payouts/details/details.ts';

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
