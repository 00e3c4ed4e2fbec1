import Type, { type Static } from 'typebox';
import {
  Closed,
  EmailText,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../../platform/kit/schema.ts';
import { PAYOUT_TYPES } from './details.ts';

export const PayoutDetailsIn = Closed(
  {
    type: OneOf(PAYOUT_TYPES, {
      description:
        '`paypal` and `wise` need `email`. `bank` needs `holderName`, `country` and `currency`, and either `iban`, with `bic` if you like, or `accountNumber` and `routingCode`. `stripe_connect` needs nothing else.',
    }),
    email: Opt(EmailText('Of the account at PayPal or Wise.')),
    holderName: Opt(Text(1, 140, 'As the bank knows the holder of the account.')),
    country: Opt(
      Type.String({
        pattern: '^[A-Za-z]{2}$',
        description: 'Where the account is: two letters of ISO 3166-1.',
      }),
    ),
    currency: Opt(
      Type.String({ pattern: '^[A-Za-z]{3}$', description: 'Of the account, by ISO 4217.' }),
    ),
    iban: Opt(Text(1, 64, 'Spaces and case do not matter.')),
    bic: Opt(Text(1, 32, 'With an `iban`.')),
    accountNumber: Opt(Text(1, 64, 'Where accounts have no IBAN.')),
    routingCode: Opt(
      Text(1, 64, 'ABA routing number, sort code, BSB, IFSC, or what names the bank there.'),
    ),
  },
  { title: 'PayoutDetailsIn' },
);
export type PayoutDetailsIn = Static<typeof PayoutDetailsIn>;

const DETAILS_STATUSES = ['active', 'needs_update', 'cooling_down'] as const;

export const PayoutDetails = Type.Object(
  {
    configured: Type.Boolean({ description: 'False, and all else null, before the first save.' }),
    type: Nullable(OneOf(PAYOUT_TYPES)),
    label: Nullable(
      Type.String({ description: 'Enough to recognise the account by, and no more.' }),
    ),
    country: Nullable(Type.String()),
    currency: Nullable(Type.String()),
    status: Nullable(
      OneOf(DETAILS_STATUSES, {
        description:
          '`cooling_down`: this change is used 24 hours after it was saved, and until then what was there before. `needs_update`: a payout to these details failed, or an account at Stripe is not finished.',
      }),
    ),
    updatedAt: Nullable(InstantOut),
    onboardingUrl: Nullable(
      Type.String({
        description:
          'After saving `stripe_connect`: where to lead the participant, to finish their account there.',
      }),
    ),
  },
  { title: 'PayoutDetails' },
);
export type PayoutDetails = Static<typeof PayoutDetails>;
