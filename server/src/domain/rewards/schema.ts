import Type, { type Static } from 'typebox';
import { cursorQuery, orderQuery } from '../../platform/http/routes/paging.ts';
import { ListCount } from '../../platform/http/routes/totals.ts';
import { MINOR_PATTERN } from '../../platform/kit/money.ts';
import {
  Closed,
  IdOf,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';
import { PARTICIPANT_KINDS } from '../participants/schema.ts';
import {
  BENEFICIARY_ROLES,
  BENEFIT_KINDS,
  DURATION_MODES,
} from '../programs/rules/benefit-words.ts';
import { MEASURES, WINDOWS } from '../programs/rules/measures.ts';
import {
  DELIVERY_METHODS,
  DELIVERY_REASONS,
  DELIVERY_STATUSES,
  FULFILLMENT_STATUSES,
} from './decide/states.ts';
import { CALLER_VOID_CODES, RECORD_ACTORS, VOID_CODES } from './reward.ts';

export const RewardMoney = Type.Object(
  {
    amountMinor: Type.String({ pattern: MINOR_PATTERN, description: 'As earned.' }),
    netAmountMinor: Type.String({
      pattern: MINOR_PATTERN,
      description: 'After refunds, disputes and restorations.',
    }),
    currency: Type.String(),
    currencyExponent: Type.Integer(),
  },
  { title: 'RewardMoney' },
);

const Discount = Type.Object(
  {
    rateBps: Type.Integer(),
    durationMode: OneOf(DURATION_MODES, { description: 'How long the discount itself lasts.' }),
    durationMonths: Nullable(Type.Integer()),
  },
  { title: 'RewardDiscount' },
);

const Custom = Type.Object(
  {
    quantity: Type.Integer(),
    customUnitId: Type.String(),
    unitKey: Type.String(),
    unitName: Type.String(),
    unitNamePlural: Type.String(),
    validityDays: Nullable(
      Type.Integer({ description: 'Number of days, counted from the grant.' }),
    ),
    plan: Nullable(Type.String({ description: 'The plan that the unit represents.' })),
    periods: Nullable(Type.Integer()),
  },
  { title: 'RewardCustom' },
);

const RewardRecord = Type.Object(
  {
    id: Type.String(),
    externalReference: Type.String(),
    occurredAt: InstantOut,
    actor: OneOf(RECORD_ACTORS),
  },
  { title: 'RewardRecord' },
);

const RewardVoid = Type.Object(
  {
    id: Type.String(),
    reasonCode: OneOf(VOID_CODES),
    reason: Nullable(Type.String()),
    voidedAt: InstantOut,
  },
  { title: 'RewardVoid' },
);

const carried = Type.String({
  description: 'How much of `value` was imported as a starting measure.',
});
const rejected = Type.Optional(
  Type.String({
    description: 'What rejected referrals had brought, which is not in `value`. Absent if nothing.',
  }),
);

export const PinnedStep = Type.Object(
  {
    measure: OneOf(MEASURES),
    window: OneOf(WINDOWS),
    value: Type.String({ description: 'The measure of the beneficiary, with the Event.' }),
    carried,
    rejected,
    from: Type.String({ description: 'Where the step begins.' }),
  },
  { title: 'PinnedStep', description: 'The step that decided the size of the benefit.' },
);

export const PinnedMilestone = Type.Object(
  {
    measure: OneOf(MEASURES),
    value: Type.String({ description: 'The measure of the beneficiary, with the Event.' }),
    carried,
    rejected,
    underReview: Type.Optional(
      Type.String({
        description: 'How much of `value` referrals under review had brought. Absent if nothing.',
      }),
    ),
    at: Type.String({ description: 'What the measure has to reach.' }),
    multiple: Type.Integer({
      description: '1 for the first time. Multiples that `carried` reaches alone come first.',
    }),
  },
  { title: 'PinnedMilestone' },
);

export const rewardFields = {
  id: Type.String(),
  projectId: Type.String(),
  programId: Type.String(),
  ruleId: Type.String(),
  termsVersionId: Type.String(),
  eventId: Type.String(),
  beneficiaryRole: OneOf(BENEFICIARY_ROLES),
  beneficiary: Type.Object({
    participantId: Type.String(),
    kind: OneOf(PARTICIPANT_KINDS),
    externalId: Nullable(Type.String({ description: 'Null for a partner.' })),
  }),
  benefitKind: OneOf(BENEFIT_KINDS, {
    description: 'Says which of `money`, `discount` and `custom` is set.',
  }),
  money: Nullable(RewardMoney),
  discount: Nullable(Discount),
  custom: Nullable(Custom),
  tier: Nullable(PinnedStep),
  milestone: Nullable(PinnedMilestone),
  earnedAt: InstantOut,
  availableAt: Type.String({
    format: 'date-time',
    description:
      'The service does not deliver the Reward before this time. You can record a grant earlier.',
  }),
  fulfillmentStatus: OneOf(FULFILLMENT_STATUSES),
  fulfillment: Type.Union([RewardRecord, Type.Null()], {
    description: 'Set when the Reward was granted.',
  }),
  revocation: Type.Union([RewardRecord, Type.Null()], {
    description: 'Set when a granted Reward was taken back.',
  }),
  delivery: Type.Object({
    method: OneOf(DELIVERY_METHODS),
    status: OneOf(DELIVERY_STATUSES),
    reason: Nullable(OneOf(DELIVERY_REASONS)),
    providerReference: Nullable(Type.String()),
  }),
  void: Nullable(RewardVoid),
};

export const Reward = Type.Object(rewardFields, { title: 'Reward' });
export type Reward = Static<typeof Reward>;

export const RecordGrant = Closed({
  externalReference: Text(
    1,
    255,
    'Your own reference for the grant. A repeat must send the same one.',
  ),
});

export const RecordRevocation = Closed({
  externalReference: Text(
    1,
    255,
    'Your own reference for the revocation. A repeat must send the same one.',
  ),
});

export const VoidReward = Closed({
  reasonCode: OneOf(CALLER_VOID_CODES),
  reason: Opt(
    Text(1, 500, 'The reason as text. Required if `reasonCode` is `other`. Shown with the Reward.'),
  ),
});
export type VoidReward = Static<typeof VoidReward>;

const rewardFilters = {
  programId: Type.Optional(IdOf('program')),
  beneficiaryParticipantId: Type.Optional(IdOf('participant')),
  beneficiaryRole: Type.Optional(OneOf(BENEFICIARY_ROLES)),
  benefitKind: Type.Optional(OneOf(BENEFIT_KINDS)),
  deliveryMethod: Type.Optional(OneOf(DELIVERY_METHODS)),
  fulfillmentStatus: Type.Optional(OneOf(FULFILLMENT_STATUSES)),
  eventId: Type.Optional(IdOf('event')),
  earnedFrom: Type.Optional(InstantIn),
  earnedTo: Type.Optional(InstantIn),
};

export const RewardQuery = Type.Object(rewardFilters);
export type RewardQuery = Static<typeof RewardQuery>;

export const ListRewards = Type.Object({ ...rewardFilters, ...orderQuery, ...cursorQuery });
export type ListRewards = Static<typeof ListRewards>;

export const RewardTotals = Type.Object(
  {
    ...ListCount.properties,
    sums: Nullable(
      Type.Array(
        Type.Object({
          currency: Type.String(),
          currencyExponent: Type.Integer(),
          amountMinor: Type.String({ description: 'As earned.' }),
          netAmountMinor: Type.String({ description: 'After refunds, without voided Rewards.' }),
        }),
        {
          description:
            'One sum per currency, of the Rewards in money. Null if `isMore`: then they are not all summed.',
        },
      ),
    ),
  },
  { title: 'RewardTotals' },
);
export type RewardTotals = Static<typeof RewardTotals>;

export const RewardAdjustment = Type.Object(
  {
    id: Type.String(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Type.String(),
    purchaseAdjustmentId: Type.String({
      description: 'Id of the refund, dispute, lost dispute or restoration.',
    }),
    rewardId: Type.String(),
    purchaseId: Type.String(),
    currency: Type.String(),
    signedAmountMinor: Type.String({
      pattern: '^-?[1-9][0-9]{0,17}$',
      description: 'The change of the Reward’s net amount. Negative if the Reward lost value.',
    }),
    calculationSnapshot: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The values used in the calculation.',
    }),
  },
  { title: 'RewardAdjustment' },
);
export type RewardAdjustment = Static<typeof RewardAdjustment>;

export const ListAdjustments = Type.Object({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: '`next` of a previous response, or `start` to begin with the oldest.',
    }),
  ),
  rewardId: Type.Optional(IdOf('reward')),
  beneficiaryParticipantId: Type.Optional(IdOf('participant')),
});
export type ListAdjustments = Static<typeof ListAdjustments>;
