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
    paidAmountMinor: Type.String({
      description:
        'The part of it that has reached the beneficiaries: by payouts, or granted as a whole.',
    }),
  },
  { title: 'MoneyFigure' },
);

const RevenueFigure = Type.Object(
  {
    currency: Type.String(),
    currencyExponent: Type.Integer(),
    netAmountMinor: Type.String({
      description:
        'The amount after refunds and lost disputes, excluding tax. An open dispute does not lower it.',
    }),
  },
  { title: 'RevenueFigure' },
);
export type RevenueFigure = Static<typeof RevenueFigure>;
const Revenue = (description: string) => Type.Array(RevenueFigure, { description });

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
  customers: Count('Referred people whose first purchase was on this day or in this period.'),
  revenue: Revenue('What the purchases of this period brought, by currency.'),
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
    customers: Count('Those of them whose referee has bought something.'),
    revenue: Revenue('What the purchases of its referees brought, by currency.'),
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

export const TopLink = Type.Object(
  {
    linkId: Type.String(),
    slug: Type.String(),
    programId: Type.String(),
    participant: NamedParticipant,
    clicks: Count('How often it was followed.'),
    referrals: Count('Referrals of people who followed or typed it.'),
    customers: Count('Those of them whose referee has bought something.'),
    revenue: Revenue('What the purchases of these referees brought, by currency.'),
  },
  { title: 'TopLink' },
);
export type TopLink = Static<typeof TopLink>;

export const Cohort = Type.Object(
  {
    week: Type.String({ description: 'The Monday it begins with, as `YYYY-MM-DD` (UTC).' }),
    referrals: Count('Referrals made in this week.'),
    bought: Type.Array(Type.Integer({ minimum: 0 }), {
      description:
        'How many of their referees had bought by the end of the same week, of the week after it, and so on until the week of `to`. Never decreases.',
    }),
  },
  { title: 'Cohort' },
);
export type Cohort = Static<typeof Cohort>;

const campaignNumbers = {
  referrals: Count('Referrals of people who came by it.'),
  customers: Count('Those of them whose referee has bought something since.'),
  revenue: Revenue('What the purchases of these referees brought until now, by currency.'),
};

export const CampaignFigures = Type.Object(
  {
    source: Nullable(Type.String({ description: '`utm_source`, in lower case.' })),
    medium: Nullable(Type.String({ description: '`utm_medium`, in lower case.' })),
    campaign: Nullable(Type.String({ description: '`utm_campaign`, in lower case.' })),
    isOther: Type.Boolean({
      description:
        'Whether these are the campaigns that are not counted by name: those after the first 200 of a Program in a month, and those whose text may name a person.',
    }),
    ...campaignNumbers,
    months: Type.Array(
      Type.Object(
        {
          month: Type.String({ description: 'UTC, as `YYYY-MM`.' }),
          ...campaignNumbers,
        },
        { title: 'CampaignMonth' },
      ),
      { description: 'The months in which people were referred, in order.' },
    ),
  },
  { title: 'CampaignFigures' },
);
export type CampaignFigures = Static<typeof CampaignFigures>;

const partnerFigures = {
  clicks: Count('Number of followed links and codes of the Partner.'),
  referrals: Count('Referrals made by it.'),
  customers: Count('Its referees whose first purchase was on this day or in this period.'),
  purchases: Count('Purchases of its referees.'),
  revenue: Revenue('What the purchases of this period brought, by currency.'),
  earned: Type.Array(
    Type.Object({
      currency: Type.String(),
      currencyExponent: Type.Integer(),
      netAmountMinor: Type.String(),
    }),
    {
      description:
        'What the Partner earned in this period, after refunds and without voided or cancelled Rewards.',
    },
  ),
};
const PartnerFigures = Type.Object(partnerFigures, { title: 'PartnerFigures' });
export type PartnerFigures = Static<typeof PartnerFigures>;
const PartnerDayFigures = Type.Object(
  { day: Day, ...partnerFigures },
  { title: 'PartnerDayFigures' },
);

export const PartnerDailyFigures = Type.Object(
  {
    partnerId: Type.String(),
    participantId: Type.String({ description: 'The Partner’s participant in this Project.' }),
    from: Day,
    to: Day,
    total: PartnerFigures,
    days: Type.Array(PartnerDayFigures, { description: 'Every day of the range, in order.' }),
    previous: Nullable(
      Type.Object(
        { from: Day, to: Day, total: PartnerFigures },
        { title: 'PreviousPartnerFigures' },
      ),
    ),
    programs: Type.Array(
      Type.Object(
        {
          programId: Type.String(),
          name: Type.String(),
          total: PartnerFigures,
          days: Type.Array(PartnerDayFigures, {
            description: 'The days of the range that have figures, in order.',
          }),
        },
        { title: 'PartnerProgramFigures' },
      ),
      { description: 'Programs with figures in the range, the oldest first.' },
    ),
  },
  { title: 'PartnerDailyFigures' },
);
export type PartnerDailyFigures = Static<typeof PartnerDailyFigures>;

export const PartnerTotals = Type.Object(
  {
    partnerId: Type.String(),
    participantId: Type.String({ description: 'The Partner’s participant in this Project.' }),
    ...partnerFigures,
  },
  { title: 'PartnerTotals' },
);
export type PartnerTotals = Static<typeof PartnerTotals>;

export const DailyFigures = Type.Object(
  {
    from: Day,
    to: Day,
    total: ProjectFigures,
    days: Type.Array(ProjectDayFigures, { description: 'Every day of the range, in order.' }),
    previous: Nullable(
      Type.Object(
        {
          from: Day,
          to: Day,
          total: ProjectFigures,
        },
        {
          title: 'PreviousFigures',
          description: 'The same number of days before the range, if `compare` asks for them.',
        },
      ),
    ),
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
