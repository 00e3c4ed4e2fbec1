import type { UsageLog } from '../../accounts/workspaces/usage/usage-log.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import { pageRoute } from '../../platform/http/routes/public-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { makeSaveLanding, type SaveDeps } from './landings/save-landings.ts';
import { findTouch } from './queries.ts';
import { type ClickDeps, recordClick } from './record-click.ts';
import { ClickAnswer, RecordClick, Touch } from './schema.ts';

const TAG = 'Clicks';
const at = '2026-11-15T09:30:00.000Z';

export interface ClickRouteDeps extends ClickDeps, SaveDeps {
  readonly usage: Pick<UsageLog, 'noteFirst'>;
  readonly clicksPerMinute: number;
}

export function clickRoutes(deps: ClickRouteDeps): Route[] {
  const recordDeps = { ...deps, saveLanding: makeSaveLanding(deps) };
  return [
    pageRoute({
      method: 'POST',
      path: '/v1/clicks',
      tag: TAG,
      summary: 'Record that a browser landed on a page through a link or a code',
      description:
        'The landing script calls this from pages of the Project’s allowed origins. It needs no key. The token of a followed link is valid once, for ten minutes; without a valid token, `ref` is used. A browser keeps its handle until it is identified. The same code again within an hour adds nothing. If neither the token nor `ref` leads to a participant in an active Program, nothing is recorded and the fields of the response are null.',
      perMinute: deps.clicksPerMinute,
      body: RecordClick,
      answer: ClickAnswer,
      example: {
        body: {
          projectKey: 'k7m2p9xw4c',
          click: 'clk_q1w2e3…',
          ref: 'ada-blog',
          url: 'https://example.com/welcome?utm_source=blog',
          referrer: 'https://blog.example.org/',
        },
        answer: {
          handle: 'hdl_7q0c2m…',
          expiresAt: '2027-02-13T09:30:00.000Z',
          maxAgeSeconds: 7_776_000,
        },
      },
      handle: ({ body, project, request, browser }) => {
        const { origin } = browser.headers;
        // Only a browser sends an origin, and a page of another one cannot read the answer.
        if (origin !== undefined && project.allowedOrigins.includes(origin)) {
          deps.usage.noteFirst(project.id, 'landing_script');
        }
        return recordClick(recordDeps, project, body, request.ip);
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/touches/{id}',
      tag: TAG,
      summary: 'Read a touch: a visit or a typed code that may lead to a Referral',
      permissions: ['referrals:read'],
      answer: Success(Touch),
      refusals: [{ code: 'NOT_FOUND', when: 'the touch does not exist' }],
      example: {
        answer: success({
          id: 'tch_01ka3m…',
          createdAt: at,
          updatedAt: at,
          projectId: 'prj_01ka3m…',
          programId: 'prg_01ka3m…',
          handleId: 'hdl_7q0c2m…',
          refCodeId: 'cod_01ka3m…',
          linkId: 'lnk_01ka3m…',
          referrerParticipantId: 'par_01ka3m…',
          source: 'link',
          occurredAt: at,
          expiresAt: '2027-02-13T09:30:00.000Z',
          landingUrl: 'https://example.com/welcome',
          referrerOrigin: 'https://blog.example.org',
          utm: { source: 'blog', medium: null, campaign: null, term: null, content: null },
          identifiedParticipantId: null,
          identifiedAt: null,
        }),
      },
      handle: async ({ project, params }) => {
        const touch = await findTouch(deps.database.reads, project.id, params.id as string);
        if (!touch) throw notFound('touch');
        return success(touch);
      },
    }),
  ];
}
