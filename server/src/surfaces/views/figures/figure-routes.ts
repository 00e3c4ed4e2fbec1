import Type from 'typebox';
import { isAllowed } from '../../../platform/http/access/principal.ts';
import { Success, success } from '../../../platform/http/routes/answers.ts';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { IdText } from '../../../platform/kit/schema.ts';
import type { ViewDeps } from '../show-participant.ts';
import { DayIn, rangeQuery, TAG } from './figure-query.ts';
import { CampaignFigures, Cohort, DailyFigures, TopLink, TopReferrer } from './figure-schema.ts';
import { listCampaigns, MONTHS_MAX } from './list-campaigns.ts';
import { listTopLinks } from './list-top-links.ts';
import { listTopReferrers } from './list-top-referrers.ts';
import { partnerFigureRoutes } from './partner-figure-routes.ts';
import { COHORTS_MAX, showCohorts } from './show-cohorts.ts';
import { showDailyFigures } from './show-daily-figures.ts';

const TOP_DEFAULT = 10;
const COHORTS_DEFAULT = 12;
const programFigures = {
  clicks: 40,
  signups: 12,
  referrals: 10,
  converted: 4,
  conversionBps: 4_000,
  purchases: 6,
  customers: 4,
  revenue: [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '48000' }],
  rewards: 6,
  voidedRewards: 1,
  money: [
    {
      currency: 'USD',
      currencyExponent: 2,
      amountMinor: '6000',
      netAmountMinor: '5000',
      paidAmountMinor: '3000',
    },
  ],
  units: [],
};
const MonthIn = (description: string) =>
  Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$', description });
const CAMPAIGNS_DEFAULT = 20;
const campaignNumbers = {
  referrals: 31,
  customers: 12,
  revenue: [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '144000' }],
};
const topQuery = Type.Object({
  programId: Type.Optional(IdText()),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50,
      default: TOP_DEFAULT,
      description: 'Number of rows to return.',
    }),
  ),
});
const participant = {
  participantId: 'par_01ka3m…',
  kind: 'individual',
  externalId: '42',
  name: 'Ada',
  partnerId: null,
  deletedAt: null,
} as const;
const projectFigures = { ...programFigures, allSignups: 90, allPurchases: 31 };

export function figureRoutes(deps: Pick<ViewDeps, 'database'>): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/figures/daily',
      tag: TAG,
      summary: 'Read daily figures, in total and by Program',
      description:
        'Days are UTC days of the Project’s clock. Signups, purchases, clicks and referrals count on ' +
        'the day they happened. Rewards and their cost count on the day they were earned, so a later ' +
        'refund or void lowers the net of that day, and a later payout raises its paid amount. Revenue ' +
        'counts on the day of the purchase, so a later refund lowers it. `customers` counts on the day ' +
        'of the first purchase, `converted` on the day of the referral: ' +
        'it grows while referees buy, and `conversionBps` never exceeds 10000. With `programId`, all ' +
        'figures except `allSignups` and `allPurchases` are of that Program. The figures are stored ' +
        'along with the facts, so reading them takes the same time for any number of facts.',
      permissions: ['referrals:read'],
      query: rangeQuery,
      answer: Success(DailyFigures),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: {
        answer: success({
          from: '2026-11-15',
          to: '2026-11-15',
          total: projectFigures,
          days: [{ day: '2026-11-15', ...projectFigures }],
          previous: null,
          programs: [
            {
              programId: 'prg_01ka3m…',
              name: 'Invite a friend',
              total: programFigures,
              days: [{ day: '2026-11-15', ...programFigures }],
            },
          ],
        }),
      },
      handle: async ({ project, query }) =>
        success(
          await showDailyFigures(deps, project.id, {
            ...query,
            programId: query.programId ?? null,
            compare: query.compare ?? null,
          }),
        ),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/figures/top-referrers',
      tag: TAG,
      summary: 'List the participants with the most referrals',
      description:
        'Counts referrals of all time. Of participants with the same number, the older one comes first. ' +
        'With `programId`, counts the referrals and earnings of that Program only. Participants ' +
        'without a referral are not listed. Only callers with `partners:read` get a partner’s name.',
      permissions: ['referrals:read', 'participants:read'],
      query: topQuery,
      answer: Success(Type.Array(TopReferrer)),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: {
        answer: success([
          {
            participant,
            referrals: 27,
            customers: 9,
            revenue: [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '108000' }],
            earned: [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '13500' }],
          },
        ]),
      },
      handle: async ({ project, principal, query }) =>
        success(
          await listTopReferrers(
            deps,
            project.id,
            (permission) => isAllowed(principal, permission, project.workspaceId),
            { programId: query.programId ?? null, limit: query.limit ?? TOP_DEFAULT },
          ),
        ),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/figures/top-links',
      tag: TAG,
      summary: 'List the links with the most referrals',
      description:
        'Counts clicks, referrals, customers and revenue of all time. Of links with the same number of ' +
        'referrals, the older one comes first. Links without a referral are not listed, and neither are ' +
        'codes: their results are those of their participant. Only callers with `partners:read` get a ' +
        'partner’s name.',
      permissions: ['referrals:read', 'participants:read'],
      query: topQuery,
      answer: Success(Type.Array(TopLink)),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: {
        answer: success([
          {
            linkId: 'lnk_01ka3m…',
            slug: 'ada-newsletter',
            programId: 'prg_01ka3m…',
            participant,
            clicks: 310,
            referrals: 21,
            customers: 7,
            revenue: [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '84000' }],
          },
        ]),
      },
      handle: async ({ project, principal, query }) =>
        success(
          await listTopLinks(
            deps,
            project.id,
            (permission) => isAllowed(principal, permission, project.workspaceId),
            { programId: query.programId ?? null, limit: query.limit ?? TOP_DEFAULT },
          ),
        ),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/figures/campaigns',
      tag: TAG,
      summary: 'List the campaigns with the most referrals',
      description:
        'A campaign is the `utm_source`, `utm_medium` and `utm_campaign` of the credited visit. Referrals ' +
        'count in the month in which they were made, and so do the first purchase and the revenue of their ' +
        'referees, whenever they bought. Months are UTC months of the Project’s clock. Referrals by a ' +
        'code, or by a visit without any of these parameters, are not counted here.',
      permissions: ['referrals:read'],
      query: Type.Object({
        from: MonthIn('The first month, as `YYYY-MM`.'),
        to: MonthIn(`The last month. The range is at most ${MONTHS_MAX} months.`),
        programId: Type.Optional(IdText()),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 200,
            default: CAMPAIGNS_DEFAULT,
            description: 'Number of rows to return.',
          }),
        ),
      }),
      answer: Success(
        Type.Array(CampaignFigures, { description: 'The most referrals first, the others last.' }),
      ),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: {
        answer: success([
          {
            source: 'newsletter',
            medium: 'email',
            campaign: 'spring sale',
            isOther: false,
            ...campaignNumbers,
            months: [{ month: '2026-11', ...campaignNumbers }],
          },
        ]),
      },
      handle: async ({ project, query }) =>
        success(
          await listCampaigns(deps, project.id, {
            ...query,
            programId: query.programId ?? null,
            limit: query.limit ?? CAMPAIGNS_DEFAULT,
          }),
        ),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/figures/cohorts',
      tag: TAG,
      summary: 'Read weekly cohorts: who was referred, and had bought by which week',
      description:
        'A cohort is the referrals that were made in one week. Weeks start on Monday, in UTC, by the ' +
        'Project’s clock. A referee counts as having bought from the week of the first credited purchase ' +
        'on, also if it is refunded later.',
      permissions: ['referrals:read'],
      query: Type.Object({
        to: DayIn('A day of the last week.'),
        weeks: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: COHORTS_MAX,
            default: COHORTS_DEFAULT,
            description: 'Number of weeks to return.',
          }),
        ),
        programId: Type.Optional(IdText()),
      }),
      answer: Success(Type.Array(Cohort, { description: 'The oldest first.' })),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: {
        answer: success([
          { week: '2026-11-02', referrals: 12, bought: [2, 4] },
          { week: '2026-11-09', referrals: 9, bought: [1] },
        ]),
      },
      handle: async ({ project, query }) =>
        success(
          await showCohorts(deps, project.id, {
            to: query.to,
            weeks: query.weeks ?? COHORTS_DEFAULT,
            programId: query.programId ?? null,
          }),
        ),
    }),
    ...partnerFigureRoutes(deps),
  ];
}
