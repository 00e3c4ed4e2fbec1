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
      summary: 'Read daily figures, in total and by Program',
      description:
        'Days are UTC days of the Project’s clock. Signups, purchases, clicks and referrals count on ' +
        'the day they happened. Rewards and their cost count on the day they were earned, so a later ' +
        'refund or void lowers the net of that day. `converted` counts on the day of the referral: ' +
        'it grows while referees buy, and `conversionBps` never exceeds 10000. With `programId`, all ' +
        'figures except `allSignups` and `allPurchases` are of that Program. The figures are stored ' +
        'along with the facts, so reading them takes the same time for any number of facts.',
      permissions: ['referrals:read'],
      query: Type.Object({
        from: DayIn('The first day, as `YYYY-MM-DD`.'),
        to: DayIn(`The last day. The range is at most ${DAYS_MAX} days.`),
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
      summary: 'List the participants with the most referrals',
      description:
        'Counts referrals of all time. Of participants with the same number, the older one comes first. ' +
        'With `programId`, counts the referrals and earnings of that Program only. Participants ' +
        'without a referral are not listed. Only callers with `partners:read` get a partner’s name.',
      permissions: ['referrals:read', 'participants:read'],
      query: Type.Object({
        programId: Type.Optional(IdText()),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 50,
            default: TOP_DEFAULT,
            description: 'Number of referrers to return.',
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
