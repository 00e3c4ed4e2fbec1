import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import { Success, success } from '../../../platform/http/routes/answers.ts';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { listScheduled, toDefinition } from '../definition/defined-program.ts';
import { loadInForce } from '../definition/load-in-force.ts';
import { SCHEMA_PATH } from '../definition/schema-file.ts';
import { writeFile } from '../definition/write-file.ts';
import type { ProgramDeps } from '../program-deps.ts';
import { appliedExample, definitionExample, keptExample, planExample } from './plan-examples.ts';
import { AppliedPlan, CreatePlan, DefinitionAnswer, KeptPlan, ProgramPlan } from './plan-schema.ts';
import { applyPlan, createPlan, readPlan } from './program-plans.ts';

const TAG = 'Programs';
const READ = ['programs:read'] as const;

/** Programs as files; part of `routes.ts`. */
export function planRoutes(deps: ProgramDeps): Route[] {
  const { reads } = deps.database;
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/programs/{programId}/definition',
      tag: TAG,
      summary: 'Export a Program as a file',
      description:
        'What is in force now. Versions that take effect later are not part of it; `scheduled` names them. Planning with it changes nothing.',
      permissions: READ,
      answer: DefinitionAnswer,
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: { answer: definitionExample },
      handle: async ({ project, params }) => {
        const now = await projectNow(reads, deps.clock, project);
        const inForce = await loadInForce(reads, project.id, params.programId as string, now);
        if (!inForce) throw notFound('program');
        const scheduled = listScheduled(inForce);
        const definition = toDefinition(inForce);
        const file = writeFile(definition, { schemaUrl: deps.baseUrl + SCHEMA_PATH, scheduled });
        return { ...success(definition), file, scheduled };
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/program-plans',
      tag: TAG,
      summary: 'Plan what a file changes of a Program',
      description:
        'Compares a definition with what is in force, and writes nothing but the plan, which can be applied for 24 hours. A field that the file lacks is left alone, and so is a rule, unless `prune` disables those. Without `programId`, the `key` of the definition finds the Program; if no Program has it, the plan creates one as a draft. Problems are named by their path in the definition.',
      permissions: READ,
      body: CreatePlan,
      answer: Success(ProgramPlan),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Program does not exist' },
        {
          code: 'CONFLICT',
          reason: 'program_not_open',
          when: 'the plan would publish a version, and the Program is over',
        },
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'the plan would move the dates of a Program that is over',
        },
      ],
      example: {
        body: {
          programId: 'prg_01ka3m…',
          definition:
            'apiVersion: goodword/v1\nkind: Program\ndeliverySettings: { holdDays: 14 }\n',
        },
        answer: success(planExample),
      },
      handle: async ({ request, project, body }) =>
        success(await createPlan(deps, request, project.environment, body)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/program-plans/{planId}',
      tag: TAG,
      summary: 'Read a plan',
      description: 'What it changes, and whether it was applied. Plans are kept for two days.',
      permissions: READ,
      answer: Success(KeptPlan),
      refusals: [
        { code: 'NOT_FOUND', when: 'the plan does not exist, or is more than two days old' },
      ],
      example: { answer: success(keptExample) },
      handle: async ({ project, params }) => {
        const plan = await readPlan(deps, project.id, params.planId as string);
        if (!plan) throw notFound('plan');
        return success(plan);
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/program-plans/{planId}/apply',
      tag: TAG,
      summary: 'Apply a plan',
      description:
        'Does exactly what the plan says, all of it or nothing. New versions take effect now; their `changeNote` and the audit log name the plan and the digest of the file. A repeat returns the first answer, for two days after the plan was made.',
      permissions: ['programs:write'],
      answer: Success(AppliedPlan),
      refusals: [
        { code: 'NOT_FOUND', when: 'the plan does not exist, or is more than two days old' },
        {
          code: 'CONFLICT',
          reason: 'plan_outdated',
          when: 'the Program, or something that the plan needs, has changed since',
        },
        { code: 'CONFLICT', reason: 'plan_expired', when: 'the plan is more than 24 hours old' },
        {
          code: 'CONFLICT',
          reason: 'limit_reached',
          when: 'the Project has 500 Programs, or a rule or policy 500 versions',
        },
      ],
      example: { body: {}, answer: success(appliedExample) },
      handle: async ({ request, project, params }) =>
        success(await applyPlan(deps, request, project.environment, params.planId as string)),
    }),
  ];
}
