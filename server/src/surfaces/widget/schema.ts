import Type, { type Static } from 'typebox';
import { PARTICIPANT_KINDS } from '../../domain/participants/schema.ts';
import { PROGRAM_STATUSES } from '../../domain/programs/program-status.ts';
import { BENEFICIARY_ROLES, BENEFIT_KINDS } from '../../domain/programs/rules/benefit-words.ts';
import { MEASURES, WINDOWS } from '../../domain/programs/rules/measures.ts';
import { ProgramConfig } from '../../domain/programs/schema.ts';
import { RewardMoney } from '../../domain/rewards/schema.ts';
import { PAYOUT_TYPES } from '../../outbound/payouts/details/details.ts';
import {
  Closed,
  IdText,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';
import { HOLD_REASONS, WIDGET_ACTIONS, WIDGET_STATUSES } from './reward-status.ts';

const Item = Type.Object(
  {
    id: Type.String(),
    date: InstantOut,
    role: OneOf(BENEFICIARY_ROLES),
    referralId: Nullable(Type.String()),
    benefitKind: OneOf(BENEFIT_KINDS),
    money: Nullable(RewardMoney),
    discount: Nullable(Type.Object({ rateBps: Type.Integer() })),
    custom: Nullable(
      Type.Object({
        quantity: Type.Integer(),
        validityDays: Nullable(Type.Integer()),
        unitName: Type.String(),
        unitNamePlural: Type.String(),
      }),
    ),
    status: OneOf(WIDGET_STATUSES),
    action: Nullable(
      OneOf(WIDGET_ACTIONS, { description: 'What the participant can do to receive the Reward.' }),
    ),
    availableAt: InstantOut,
    holdReason: Nullable(
      OneOf(HOLD_REASONS, {
        description:
          'Why the Reward is `on_hold`: until `availableAt`, or while it is under review.',
      }),
    ),
  },
  { title: 'WidgetReward' },
);

const Summary = Type.Object(
  {
    referralCount: Type.Integer({ description: 'Number of people that the participant referred.' }),
    rewardCount: Type.Integer(),
    earned: Type.Array(
      Type.Object({
        currency: Type.String(),
        currencyExponent: Type.Integer(),
        netAmountMinor: Type.String(),
      }),
      {
        description:
          'Cash and credit by currency, without Rewards that were cancelled or taken back.',
      },
    ),
    latestRewardAt: Nullable(InstantOut),
  },
  { title: 'WidgetSummary' },
);

export const WidgetRewards = Type.Object(
  {
    summary: Nullable(Summary),
    items: Type.Array(Item),
    nextCursor: Nullable(Type.String()),
  },
  { title: 'WidgetRewards' },
);
export type WidgetRewards = Static<typeof WidgetRewards>;

/** Default page size. */
export const LIMIT_DEFAULT = 20;

export const ListWidgetRewards = Type.Object({
  programId: IdText('A referral Program of the Project.'),
  cursor: Type.Optional(Text(1, 2048, '`nextCursor` of the previous page.')),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50,
      default: LIMIT_DEFAULT,
      description: 'Rewards per page.',
    }),
  ),
});
export type ListWidgetRewards = Static<typeof ListWidgetRewards>;

export const InitWidget = Closed({
  programId: Opt(IdText('Default: the oldest active referral Program.')),
});

const SIZE = {
  rateBps: Nullable(Type.Integer()),
  fixedAmountMinor: Nullable(Type.String()),
  quantity: Nullable(Type.Integer()),
};

const Progress = Type.Object(
  {
    ruleId: Type.String(),
    role: OneOf(BENEFICIARY_ROLES, {
      description:
        'What is counted: for `referrer` what the people brought whom the participant referred, for `referee` the participant’s own purchases.',
    }),
    type: OneOf(['tiers', 'milestone']),
    measure: OneOf(MEASURES, { description: 'What is counted.' }),
    window: OneOf(WINDOWS),
    benefitKind: OneOf(BENEFIT_KINDS),
    currency: Nullable(Type.String({ description: 'Of `revenue`, and of a fixed amount.' })),
    currencyExponent: Nullable(Type.Integer()),
    unitName: Nullable(Type.String()),
    unitNamePlural: Nullable(Type.String()),
    value: Type.String({ description: 'The measure now; of `revenue` in minor units.' }),
    current: Nullable(
      Type.Object(
        {
          at: Type.String({
            description:
              'Where the step begins, or the last milestone that the measure has passed.',
          }),
          reached: Nullable(
            Type.Integer({
              description: 'Number of milestones given, here or before an import; null for a step.',
            }),
          ),
          ...SIZE,
        },
        {
          description:
            'The current step, or the milestones so far; null if no milestone was given.',
        },
      ),
    ),
    next: Nullable(
      Type.Object(
        {
          at: Type.String(),
          missing: Type.String({ description: 'What is missing of the measure.' }),
          ...SIZE,
        },
        { description: 'The next step or milestone; null if there is none.' },
      ),
    ),
  },
  { title: 'WidgetProgress' },
);

export const WidgetStart = Type.Object(
  {
    program: Type.Object({
      id: Type.String(),
      name: Type.String(),
      kind: OneOf(['referral']),
      status: OneOf(PROGRAM_STATUSES, {
        description: 'The current status. Only an active Program can be shared.',
      }),
    }),
    config: ProgramConfig,
    participant: Type.Object({
      participantId: Type.String(),
      kind: OneOf(PARTICIPANT_KINDS),
      externalId: Type.String(),
    }),
    referral: Type.Object({ code: Type.String(), link: Type.String() }),
    payout: Type.Object({
      required: Type.Boolean({
        description: 'Whether cash Rewards of this Program are paid out to the participant.',
      }),
      configured: Type.Boolean({
        description: 'Whether the participant has saved payout details.',
      }),
      editable: Type.Boolean({
        description: 'Whether the token may change payout details (scope `widget:payout`).',
      }),
      types: Type.Array(OneOf(PAYOUT_TYPES), {
        description:
          'The available payout types. Includes `stripe_connect` only if it is connected.',
      }),
    }),
    progress: Type.Array(Progress, {
      description:
        'Where the participant is in each rule that rewards them with tiers or a milestone.',
    }),
  },
  { title: 'WidgetStart' },
);
export type WidgetStart = Static<typeof WidgetStart>;
