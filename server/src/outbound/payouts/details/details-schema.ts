import Type, { type Static } from 'typebox';
import type { Instant } from '../../../platform/kit/instant.ts';
import {
  Closed,
  EmailText,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../../platform/kit/schema.ts';
import { inUse, waiting } from './decide-details-change.ts';
import { PAYOUT_TYPES } from './details.ts';
import type { DetailsRow } from './details-store.ts';

export const PayoutDetailsIn = Closed(
  {
    type: OneOf(PAYOUT_TYPES, {
      description:
        '`paypal` and `wise` need `email`. `bank` needs `holderName`, `country` and `currency`, and either `iban` (optionally with `bic`) or `accountNumber` and `routingCode`. `stripe_connect` needs no other field.',
    }),
    email: Opt(EmailText('E-mail address of the PayPal or Wise account.')),
    holderName: Opt(Text(1, 140, 'Name of the account holder, as registered with the bank.')),
    country: Opt(
      Type.String({
        pattern: '^[A-Za-z]{2}$',
        description: 'Country of the account: two-letter code (ISO 3166-1).',
      }),
    ),
    currency: Opt(
      Type.String({ pattern: '^[A-Za-z]{3}$', description: 'Currency of the account (ISO 4217).' }),
    ),
    iban: Opt(Text(1, 64, 'Spaces and case do not matter.')),
    bic: Opt(Text(1, 32, 'Optional, together with `iban`.')),
    accountNumber: Opt(Text(1, 64, 'For countries without IBANs.')),
    routingCode: Opt(
      Text(
        1,
        64,
        'ABA routing number, sort code, BSB, IFSC, or the bank code used in that country.',
      ),
    ),
  },
  { title: 'PayoutDetailsIn' },
);
export type PayoutDetailsIn = Static<typeof PayoutDetailsIn>;

const DETAILS_STATUSES = ['active', 'needs_update', 'cooling_down'] as const;

export const PayoutDetails = Type.Object(
  {
    configured: Type.Boolean({
      description: 'False before the first save; all other fields are then null.',
    }),
    type: Nullable(OneOf(PAYOUT_TYPES)),
    label: Nullable(
      Type.String({ description: 'A masked form of the account, just enough to recognise it.' }),
    ),
    country: Nullable(Type.String()),
    currency: Nullable(Type.String()),
    status: Nullable(
      OneOf(DETAILS_STATUSES, {
        description:
          '`cooling_down`: the change takes effect 24 hours after it was saved; until then, the previous details are used. `needs_update`: a payout to these details failed, or the Stripe account is not complete.',
      }),
    ),
    updatedAt: Nullable(InstantOut),
    onboardingUrl: Nullable(
      Type.String({
        description:
          'After saving `stripe_connect`: the page where the participant completes their Stripe account.',
      }),
    ),
  },
  { title: 'PayoutDetails' },
);
export type PayoutDetails = Static<typeof PayoutDetails>;

const NOTHING: PayoutDetails = {
  configured: false,
  type: null,
  label: null,
  country: null,
  currency: null,
  status: null,
  updatedAt: null,
  onboardingUrl: null,
};

/** An owner sees the details they saved last, even while these are pending. */
export function presentDetails(records: readonly DetailsRow[], now: Instant): PayoutDetails {
  const next = waiting(records, now);
  const shown = next ?? inUse(records, now);
  if (!shown) return NOTHING;
  const { type, label, country, currency, savedAt, failedAt } = shown;
  return {
    configured: true,
    type,
    label,
    country,
    currency,
    status: next ? 'cooling_down' : failedAt === null ? 'active' : 'needs_update',
    updatedAt: savedAt,
    onboardingUrl: null,
  };
}
