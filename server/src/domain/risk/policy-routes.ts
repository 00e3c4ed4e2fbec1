import Type from 'typebox';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { publishRiskPolicy, VERSIONS_MAX } from '../programs/policies/publish-policy.ts';
import { DEFAULT_RISK_POLICY } from '../programs/policies/risk-policy.ts';
import { findProgramRow, listRiskPolicies } from '../programs/queries.ts';
import { outdated } from '../programs/rules/versions.ts';
import { policyExample } from './examples.ts';
import type { RiskDeps } from './risk-deps.ts';
import { PublishRiskPolicy, RiskChoice, RiskPolicy } from './schema.ts';

const TAG = 'Risk';
const noProgram = { code: 'NOT_FOUND', when: 'the Program does not exist' } as const;

export function policyRoutes(deps: Pick<RiskDeps, 'database' | 'writer'>): Route[] {
  const { reads } = deps.database;
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/programs/{programId}/risk-policies',
      tag: TAG,
      summary: 'List the versions of a Program’s risk policy, newest first',
      description:
        'Without any, `defaults` apply: `observe` with the default points. A loyalty Program has no referrals and therefore no policy.',
      permissions: ['programs:read'],
      answer: Type.Object({
        ...Success(Type.Array(RiskPolicy)).properties,
        defaults: RiskChoice,
      }),
      refusals: [noProgram],
      example: { answer: { ...success([policyExample]), defaults: DEFAULT_RISK_POLICY } },
      handle: async ({ project, params }) => {
        const programId = params.programId as string;
        if (!(await findProgramRow(reads, project.id, programId))) throw notFound('program');
        const policies = await listRiskPolicies(reads, project.id, programId);
        return { ...success(policies), defaults: DEFAULT_RISK_POLICY };
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/programs/{programId}/risk-policies',
      tag: TAG,
      summary: 'Publish the next version of a Program’s risk policy',
      description:
        'A published version never changes. The version in effect when an Event occurred judges it. Omitted fields get their defaults, not the values of the version before. `effectiveAt` may be up to a year ahead.',
      permissions: ['programs:write'],
      body: PublishRiskPolicy,
      answer: Success(RiskPolicy),
      refusals: [
        noProgram,
        { code: 'CONFLICT', reason: 'program_not_open', when: 'the Program is over' },
        outdated,
        {
          code: 'CONFLICT',
          reason: 'limit_reached',
          when: `the Program has ${VERSIONS_MAX} versions`,
        },
      ],
      example: {
        body: { mode: 'review', reviewAt: 70, points: { same_network: 10 } },
        answer: success(policyExample),
      },
      handle: async ({ request, params, body }) =>
        success(await publishRiskPolicy(deps, request, params.programId as string, body)),
    }),
  ];
}
