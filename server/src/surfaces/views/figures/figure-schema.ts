import Type, { type Static } from 'typebox';
import { Kind } from '../../../domain/participants/schema.ts';
import { InstantOut, Nullable } from '../../../platform/kit/schema.ts';

const Day = Type.String({ description: 'UTC, as `YYYY-MM-DD`.' });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

const MoneyFigure = Type.Object(
  {
    currency: Type.String(),
    currencyExponent: Type.Integer(),
    amountMinor: Type.String({ description: 'As it was earned.' }),
    netAmountMinor: Type.String({
      description: 'What is left of it after refunds, and without what was voided or cancelled.',
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
    quantity: Type.Integer({ description: 'Without what was voided, cancelled or taken back.' }),
  },
  { title: 'UnitFigure' },
);

const figures = {
  clicks: Count('Links and codes that were followed.'),
  signups: Count('Signups that a referral was credited with.'),
  referrals: Count('Referrals made.'),
  converted: Count('Of the referrals made in this time, those whose referee has bought since.'),
  conversionBps: Nullable(
    Type.Integer({
      description: '`converted` in ten-thousandths of `referrals`; null where there are none.',
    }),
  ),
  purchases: Count('Purchases that a referral was credited with.'),
  rewards: Count('Rewards earned.'),
  voidedRewards: Count(
    'Of the Rewards earned in this time, those since voided, cancelled or taken back.',
  ),
  money: Type.Array(MoneyFigure, {
    description: 'What the Rewards earned in this time cost, by currency.',
  }),
  units: Type.Array(UnitFigure, { description: 'The same of custom units.' }),
};

const projectFigures = {
  ...figures,
  allSignups: Count('Signups of the Project, also those that nobody referred.'),
  allPurchases: Count('Purchases of the Project, likewise.'),
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
    participant: Type.Object(
      {
        participantId: Type.String(),
        kind: Kind,
        externalId: Nullable(Type.String({ description: 'Null for a partner.' })),
        name: Nullable(Type.String({ description: 'Of a partner, the name it applied with.' })),
        partnerId: Nullable(Type.String()),
        deletedAt: Nullable(InstantOut),
      },
      { title: 'NamedParticipant' },
    ),
    referrals: Count('Referrals that name it as the referrer.'),
    earned: Type.Array(
      Type.Object({
        currency: Type.String(),
        currencyExponent: Type.Integer(),
        netAmountMinor: Type.String(),
      }),
      {
        description:
          'What it has earned, in whatever role: after refunds, without what was voided or cancelled.',
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
            description: 'The days of the range on which something was counted, in order.',
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
