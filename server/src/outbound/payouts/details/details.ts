/** Where somebody is paid, checked and in one form. The most secret thing that is kept of them. */
export type Details = MailDetails | IbanDetails | AccountDetails | ConnectDetails;

/** Paid by whoever knows the address: PayPal or Wise. */
export interface MailDetails {
  readonly type: 'paypal' | 'wise';
  readonly email: string;
}

interface BankDetails {
  readonly type: 'bank';
  readonly holderName: string;
  /** ISO 3166-1, where the account is. */
  readonly country: string;
  /** ISO 4217, of the account. */
  readonly currency: string;
}

export interface IbanDetails extends BankDetails {
  /** Without spaces, in upper case. */
  readonly iban: string;
  readonly bic: string | null;
}

export interface AccountDetails extends BankDetails {
  /** Without spaces and hyphens. */
  readonly accountNumber: string;
  readonly routingCode: string;
}

interface ConnectDetails {
  readonly type: 'stripe_connect';
  /** Of the account that the payee has at the provider. */
  readonly accountId: string;
}

export const PAYOUT_TYPES = ['paypal', 'wise', 'bank', 'stripe_connect'] as const;
export type PayoutType = (typeof PAYOUT_TYPES)[number];

/** Whose details: those of a Partner serve all its Projects. */
export interface DetailsOwner {
  readonly kind: 'participant' | 'partner';
  /** Empty for a Partner, which belongs to no Project. */
  readonly projectId: string;
  readonly id: string;
}
