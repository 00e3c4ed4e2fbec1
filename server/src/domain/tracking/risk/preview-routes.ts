import type { Database } from '../../../platform/db/database.ts';
import { Success, success } from '../../../platform/http/routes/answers.ts';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { RISK_SIGNALS } from '../../programs/policies/risk-policy.ts';
import { PublishRiskPolicy, RiskPreview } from '../../risk/schema.ts';
import { PREVIEW_MAX, previewRisk } from './preview-risk.ts';

export function riskPreviewRoutes({ database }: { readonly database: Database }): Route[] {
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/programs/{programId}/risk-policies/preview',
      tag: 'Risk',
      summary: 'What a risk policy would have done with the kept scores',
      description: `Judges the Program's referrals again by what was kept of them, at most the newest ${PREVIEW_MAX.toLocaleString('en')}; nothing is written. A referral that was not judged, because of the mode \`off\` or an earlier version, has nothing kept. \`reviewed\` counts only in the mode \`review\`.`,
      permissions: ['programs:read', 'referrals:read'],
      body: PublishRiskPolicy,
      answer: Success(RiskPreview),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      keepsAnswer: false,
      example: {
        body: { mode: 'review', reviewAt: 60 },
        answer: success({
          judged: 1_200,
          reviewed: 1,
          bySignal: RISK_SIGNALS.map((signal) => ({
            signal,
            count: signal === 'same_network' ? 31 : 0,
          })),
          examples: [
            {
              referralId: 'ref_01ka3m…',
              referrer: {
                participantId: 'par_01ka3m…',
                kind: 'individual' as const,
                externalId: 'user-42',
              },
              referee: {
                participantId: 'par_01ka4q…',
                kind: 'individual' as const,
                externalId: 'user-43',
              },
              score: 75,
            },
          ],
        }),
      },
      handle: async ({ project, params, body }) => {
        const programId = params.programId as string;
        return success(
          await previewRisk(database.reads, { projectId: project.id, programId }, body),
        );
      },
    }),
  ];
}
