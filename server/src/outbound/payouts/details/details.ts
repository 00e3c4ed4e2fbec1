import type { ProjectRef } from '../../../platform/http/access/principal.ts';

/** Where somebody is paid, validated and normalized. The most sensitive data stored about them. */
export type Details = MailDetails | IbanDetails | AccountDetails | ConnectDetails;

/** Identified by e-mail at PayPal or Wise. */
export interface MailDetails {
  readonly type: 'paypal' | 'wise';
  readonly email: string;
}

interface BankDetails {
  readonly type: 'bank';
  readonly holderName: string;
  /** ISO 3166-1 country of the account. */
  readonly country: string;
  /** ISO 4217 currency of the account. */
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
  /** Id of the payee's account at the provider. */
  readonly accountId: string;
}

export const PAYOUT_TYPES = ['paypal', 'wise', 'bank', 'stripe_connect'] as const;
export type PayoutType = (typeof PAYOUT_TYPES)[number];

/** The owner of details. A partner's details serve all its projects. */
export interface DetailsOwner {
  readonly kind: 'participant' | 'partner';
  /** Empty for a partner, which belongs to no project. */
  readonly projectId: string;
  readonly id: string;
}

/** A provider at which payees have their own accounts, completed on its pages. */
export interface PayeeOnboarding {
  isConnected(project: ProjectRef): Promise<boolean>;
  /**
   * The payee's account and the URL to complete it. Creates the account if there is none; repeats
   * return the same one.
   */
  begin(project: ProjectRef, participantId: string): Promise<OnboardedPayee>;
  /** The same for the account that the participant has saved; null if there is none. */
  resume(project: ProjectRef, participantId: string): Promise<OnboardedPayee | null>;
}

export interface OnboardedPayee {
  readonly accountId: string;
  /** Null once nothing is left to complete. */
  readonly onboardingUrl: string | null;
  /** Whether it can be paid to yet. */
  readonly isReady: boolean;
}
