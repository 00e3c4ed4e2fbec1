import type { DetailsType } from './methods.ts';

/** Where somebody is paid, in clear. To be opened at the last moment, and never to be kept. */
export type OpenDetails =
  | { readonly type: 'paypal' | 'wise'; readonly email: string }
  | { readonly type: 'stripe_connect'; readonly accountId: string }
  | BankAccount;

interface BankBase {
  readonly type: 'bank';
  readonly holderName: string;
  readonly country: string;
  readonly currency: string;
}

export type BankAccount =
  | (BankBase & { readonly iban: string; readonly bic: string | null })
  | (BankBase & { readonly accountNumber: string; readonly routingCode: string });

/** The details that payouts may use now, still sealed. */
export interface PayeeDetails {
  readonly type: DetailsType;
  /** `needs_update` once a provider refused them: nobody is paid to such. */
  readonly status: 'active' | 'needs_update' | 'cooling_down';
  open(): OpenDetails;
}

/** Those of these participants who have details; of one who stands for a Partner, the Partner's. */
export type FindPayeeDetails = (
  projectId: string,
  participantIds: readonly string[],
) => Promise<ReadonlyMap<string, PayeeDetails>>;
