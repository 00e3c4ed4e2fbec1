import Type from 'typebox';
import { Success, success } from '../../../platform/http/routes/answers.ts';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { IdText } from '../../../platform/kit/schema.ts';
import type { ViewDeps } from '../show-participant.ts';
import { rangeQuery, TAG } from './figure-query.ts';
import { PartnerDailyFigures, PartnerTotals } from './figure-schema.ts';
import { listPartnerFigures } from './list-partner-figures.ts';
import { showPartnerFigures } from './show-partner-figures.ts';

const PARTNERS_MAX = 100;
const partnerFigures = {
  clicks: 120,
  referrals: 9,
  customers: 4,
  purchases: 6,
  revenue: [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '48000' }],
  earned: [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '9600' }],
};

export function partnerFigureRoutes(deps: Pick<ViewDeps, 'database'>): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/partners/{partnerId}/figures',
      tag: TAG,
      summary: 'Read the daily figures of a Partner in one Project',
      description:
        'Days are UTC days of the Project’s clock. Each number counts on the same day as in the daily ' +
        'figures of the Project: revenue on the day of the purchase, so a later refund lowers it, and ' +
        'earnings on the day of the reward. The cost of reading depends on the number of days, not on ' +
        'that of referrals. An erased Partner has no figures.',
      permissions: ['partners:read', 'referrals:read'],
      query: rangeQuery,
      answer: Success(PartnerDailyFigures),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Partner is not in this Project or was erased' },
        { code: 'NOT_FOUND', when: 'the Program does not exist' },
      ],
      example: {
        answer: success({
          partnerId: 'ptn_01ka3m…',
          participantId: 'par_01ka3m…',
          from: '2026-11-15',
          to: '2026-11-15',
          total: partnerFigures,
          days: [{ day: '2026-11-15', ...partnerFigures }],
          previous: null,
          programs: [
            {
              programId: 'prg_01ka3m…',
              name: 'Partner program',
              total: partnerFigures,
              days: [{ day: '2026-11-15', ...partnerFigures }],
            },
          ],
        }),
      },
      handle: async ({ project, params, query }) =>
        success(
          await showPartnerFigures(deps, project.id, params.partnerId as string, {
            ...query,
            programId: query.programId ?? null,
            compare: query.compare ?? null,
          }),
        ),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/figures/partners',
      tag: TAG,
      summary: `Read what up to ${PARTNERS_MAX} Partners brought and earned in a period`,
      description:
        'For lists of Partners: one call reads the totals of a page. The numbers are those of ' +
        '`GET /v1/partners/{partnerId}/figures`. Partners come in the order of `ids`, each once. ' +
        'Unknown and erased Partners, and those that are not in the Project, are omitted.',
      permissions: ['partners:read', 'referrals:read'],
      query: Type.Object({
        ids: Type.String({
          pattern: `^[^,\\s]{1,64}(,[^,\\s]{1,64}){0,${PARTNERS_MAX - 1}}$`,
          description: `Ids of Partners, separated by commas; at most ${PARTNERS_MAX}.`,
        }),
        from: rangeQuery.properties.from,
        to: rangeQuery.properties.to,
        programId: Type.Optional(IdText()),
      }),
      answer: Success(Type.Array(PartnerTotals)),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: {
        answer: success([
          { partnerId: 'ptn_01ka3m…', participantId: 'par_01ka3m…', ...partnerFigures },
        ]),
      },
      handle: async ({ project, query: { ids, from, to, programId = null } }) => {
        const partnerIds = [...new Set(ids.split(','))];
        const asked = { partnerIds, from, to, programId };
        return success(await listPartnerFigures(deps, project.id, asked));
      },
    }),
  ];
}
