import Type, { type Static } from 'typebox';
import { Nullable } from '../../../platform/kit/schema.ts';
import { NamedParticipant } from '../schema.ts';

const Day = Type.String({ description: 'UTC, as `YYYY-MM-DD`.' });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

const MoneyFigure = Type.Object(
  {
    currency: Type.String(),
    currencyExponent: Type.Integer(),
    amountMinor: Type.String({ description: 'The amount as it was earned.' }),
    netAmountMinor: Type.String({
      description: 'The amount after refunds, without voided or cancelled Rewards.',
    }),
  },
  { title: 'MoneyFigure' },
);

const UnitFigure = Type.Object(
  {
    customUnitId: Type.String(),
    unitKey: Type.String(),
    name: Type.String(),
    namePlural: Type.String(),
    quantity: Type.Integer({
      description: 'Without Rewards that were voided, cancelled or taken back.',
    }),
  },
  { title: 'UnitFigure' },
);

const figures = {
  clicks: Count('Number of followed links and codes.'),
  signups: Count('Signups that were credited to a referral.'),
  referrals: Count('Referrals made.'),
  converted: Count('Referrals of this period whose referee has bought something since.'),
  conversionBps: Nullable(
    Type.Integer({
      description:
        '`converted` divided by `referrals`, in basis points (hundredths of a percent). Null if there are no referrals.',
    }),
  ),
  purchases: Count('Purchases that were credited to a referral.'),
  rewards: Count('Rewards earned.'),
  voidedRewards: Count(
    'Rewards earned in this period that were later voided, cancelled or taken back.',
  ),
  money: Type.Array(MoneyFigure, {
    description: 'Cost of the Rewards earned in this period, by currency.',
  }),
  units: Type.Array(UnitFigure, { description: 'Custom units earned in this period.' }),
};

const projectFigures = {
  ...figures,
  allSignups: Count('All signups of the Project, including those without a referral.'),
  allPurchases: Count('All purchases of the Project, including those without a referral.'),
};

const Figures = Type.Object(figures, { title: 'Figures' });
export type Figures = Static<typeof Figures>;
const DayFigures = Type.Object({ day: Day, ...figures }, { title: 'DayFigures' });
const ProjectFigures = Type.Object(projectFigures, { title: 'ProjectFigures' });
const ProjectDayFigures = Type.Object(
  { day: Day, ...projectFigures },
  { title: 'ProjectDayFigures' },
);

export const TopReferrer = Type.Object(
  {
    participant: NamedParticipant,
    referrals: Count('Referrals that name it as the referrer.'),
    earned: Type.Array(
      Type.Object({
        currency: Type.String(),
        currencyExponent: Type.Integer(),
        netAmountMinor: Type.String(),
      }),
      {
        description:
          'What the participant has earned in any role, after refunds and without voided or cancelled Rewards.',
      },
    ),
  },
  { title: 'TopReferrer' },
);
export type TopReferrer = Static<typeof TopReferrer>;

export const DailyFigures = Type.Object(
  {
    from: Day,
    to: Day,
    total: ProjectFigures,
    days: Type.Array(ProjectDayFigures, { description: 'Every day of the range, in order.' }),
    programs: Type.Array(
      Type.Object(
        {
          programId: Type.String(),
          name: Type.String(),
          total: Figures,
          days: Type.Array(DayFigures, {
            description: 'The days of the range that have figures, in order.',
          }),
        },
        { title: 'ProgramFigures' },
      ),
      { description: 'The oldest first.' },
    ),
  },
  { title: 'DailyFigures' },
);
export type DailyFigures = Static<typeof DailyFigures>;
