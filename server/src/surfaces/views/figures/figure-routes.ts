import Type from 'typebox';
import { isAllowed } from '../../../platform/http/access/principal.ts';
import { projectRoute, type Route, Success, success } from '../../../platform/http/routes/route.ts';
import { IdText } from '../../../platform/kit/schema.ts';
import type { ViewDeps } from '../show-participant.ts';
import { DAYS_MAX } from './day-range.ts';
import { DailyFigures, TopReferrer } from './figure-schema.ts';
import { listTopReferrers } from './list-top-referrers.ts';
import { showDailyFigures } from './show-daily-figures.ts';

const TAG = 'Figures';
const TOP_DEFAULT = 10;
const DayIn = (description: string) =>
  Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description });

const programFigures = {
  clicks: 40,
  signups: 12,
  referrals: 10,
  converted: 4,
  conversionBps: 4_000,
  purchases: 6,
  rewards: 6,
  voidedRewards: 1,
  money: [{ currency: 'USD', currencyExponent: 2, amountMinor: '6000', netAmountMinor: '5000' }],
  units: [],
};
const projectFigures = { ...programFigures, allSignups: 90, allPurchases: 31 };

export function figureRoutes(deps: Pick<ViewDeps, 'database'>): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/figures/daily',
      tag: TAG,
      summary: 'Read what happened on each day, in total and by Program',
      description:
        'Days are UTC, by the Project’s clock. Signups, purchases, clicks and referrals count on the ' +
        'day they came; Rewards, and what they cost, on the day they were earned: a refund or a void ' +
        'later lowers the net of that day. Likewise `converted` belongs to the day on which the ' +
        'referral was made, so that `conversionBps` never exceeds 10000, and grows while referees ' +
        'go on to buy. With `programId`, everything but `allSignups` and `allPurchases` is of that ' +
        'Program. The numbers are kept along with the facts: reading them costs the same however ' +
        'many facts there are.',
      permissions: ['referrals:read'],
      query: Type.Object({
        from: DayIn('The first day, as `YYYY-MM-DD`.'),
        to: DayIn(`The last day; at most ${DAYS_MAX} days in all.`),
        programId: Type.Optional(IdText()),
      }),
      answer: Success(DailyFigures),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: {
        answer: success({
          from: '2026-11-15',
          to: '2026-11-15',
          total: projectFigures,
          days: [{ day: '2026-11-15', ...projectFigures }],
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
          }),
        ),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/figures/top-referrers',
      tag: TAG,
      summary: 'List who has referred most',
      description:
        'By referrals made, of all time; of equal ones, who came first. Of a Program with ' +
        '`programId`, then with what was earned there. Nobody without a referral is listed. A partner’s name is given to ' +
        'callers with `partners:read`.',
      permissions: ['referrals:read', 'participants:read'],
      query: Type.Object({
        programId: Type.Optional(IdText()),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 50,
            default: TOP_DEFAULT,
            description: 'How many referrers.',
          }),
        ),
      }),
      answer: Success(Type.Array(TopReferrer)),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: {
        answer: success([
          {
            participant: {
              participantId: 'par_01ka3m…',
              kind: 'individual',
              externalId: '42',
              name: 'Ada',
              partnerId: null,
              deletedAt: null,
            },
            referrals: 27,
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
  ];
}
