import { Success, success } from '../../../platform/http/routes/answers.ts';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { listsExample } from '../examples.ts';
import { findLists } from '../queries.ts';
import type { RiskDeps } from '../risk-deps.ts';
import { ChangeRiskLists, RiskLists } from '../schema.ts';
import { changeRiskLists, LIST_NETWORKS_MAX, showLists } from './change-lists.ts';

const TAG = 'Risk';
const NOTHING = { emailDomains: [], networks: [], participants: [] };

export function listRoutes(deps: Pick<RiskDeps, 'database' | 'writer' | 'keyring'>): Route[] {
  const { reads } = deps.database;
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/projects/{projectId}/risk-lists',
      tag: TAG,
      summary: 'Read what a Project allows and watches',
      permissions: ['referrals:read'],
      answer: Success(RiskLists),
      example: { answer: success(listsExample) },
      handle: async ({ project }) => {
        const row = await findLists(reads, project.id);
        if (!row) return success({ allowed: NOTHING, watched: NOTHING, updatedAt: null });
        return success({ ...showLists(row.lists), updatedAt: row.updatedAt });
      },
    }),
    projectRoute({
      method: 'PUT',
      path: '/v1/projects/{projectId}/risk-lists',
      tag: TAG,
      summary: 'Replace what a Project allows and watches',
      description: `What is allowed takes points away: a network those of \`same_network\` and of \`ring\` by network, an e-mail domain of the referee those of the \`email_…\` signals, a participant as referrer or referee all of them. What is watched counts as a signal: a network as \`same_network\`, a domain as \`email_disposable\`, a participant as \`velocity\`. Networks are compared by /24 (IPv6: /48); a list may contain ${LIST_NETWORKS_MAX} of that size. Later Events are judged by the new lists.`,
      permissions: ['programs:write'],
      body: ChangeRiskLists,
      answer: Success(RiskLists),
      refusals: [
        { code: 'CONFLICT', reason: 'participant_deleted', when: 'a list names somebody erased' },
      ],
      example: {
        body: { allowed: listsExample.allowed, watched: listsExample.watched },
        answer: success(listsExample),
      },
      handle: async ({ request, body }) => success(await changeRiskLists(deps, request, body)),
    }),
  ];
}
