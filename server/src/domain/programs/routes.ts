import Type from 'typebox';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import { projectRoute, type Route, Success, success } from '../../platform/http/routes/route.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { changeDeliverySettings } from './change-delivery-settings.ts';
import { changeProgram, changeProgramStatus } from './change-program.ts';
import { createProgram } from './create-program.ts';
import { deliveryExample, policyExample, programExample } from './examples.ts';
import { publishPolicy } from './policies/publish-policy.ts';
import { toDeliverySettings, toProgram } from './present.ts';
import type { ProgramDeps } from './program-deps.ts';
import { showPrograms } from './queries.ts';
import { ruleRoutes } from './rules/rule-routes.ts';
import {
  AttributionPolicy,
  ChangeDeliverySettings,
  ChangeProgram,
  ChangeProgramStatus,
  CreateProgram,
  DeliverySettings,
  ListedProgram,
  Program,
  PublishPolicy,
} from './schema.ts';
import { findDelivery, findProgramRow, listPolicies } from './store.ts';

const TAG = 'Programs';
const READ = ['programs:read'] as const;
const WRITE = ['programs:write'] as const;
const noProgram = { code: 'NOT_FOUND', when: 'the Program does not exist' } as const;

export function programRoutes(deps: ProgramDeps): Route[] {
  const { reads } = deps.database;
  const readTime = (project: ProjectRef) => projectNow(reads, deps.clock, project);
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/programs',
      tag: TAG,
      summary: 'Create a Program, as a draft',
      description:
        'Config fields that are left out get defaults. The kind of a Program never changes.',
      permissions: WRITE,
      body: CreateProgram,
      answer: Success(Program),
      refusals: [
        { code: 'CONFLICT', reason: 'limit_reached', when: 'the Project has 500 Programs' },
      ],
      example: {
        body: {
          kind: 'referral',
          name: 'Invite a friend',
          config: { brandConfig: { landingPageUrl: 'https://example.com/welcome' } },
        },
        answer: success(programExample),
      },
      handle: async ({ request, project, body }) =>
        success(await createProgram(deps, request, project.environment, body)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/programs',
      tag: TAG,
      summary: 'List Programs, oldest first',
      permissions: READ,
      answer: Success(Type.Array(ListedProgram)),
      example: {
        answer: success([{ ...programExample, enrollmentCount: 120, referralCount: 48 }]),
      },
      handle: async ({ project }) => success(await showPrograms(deps, project)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/programs/{programId}',
      tag: TAG,
      summary: 'Read a Program',
      permissions: READ,
      answer: Success(Program),
      refusals: [noProgram],
      example: { answer: success(programExample) },
      handle: async ({ project, params }) => {
        const [now, row] = await Promise.all([
          readTime(project),
          findProgramRow(reads, project.id, params.programId as string),
        ]);
        if (!row) throw notFound('program');
        return success(toProgram(row, now));
      },
    }),
    projectRoute({
      method: 'PATCH',
      path: '/v1/programs/{programId}',
      tag: TAG,
      summary: 'Change a Program’s name, dates or config',
      description:
        'What is left out keeps its value. Config blocks are merged field by field, `cssVariables` is replaced as a whole, and null brings a default back or clears a date. Dates never change what a running Program was: an `endDate` in the past ends it now, and a `startDate` can move only from now on and until it has begun.',
      permissions: WRITE,
      body: ChangeProgram,
      answer: Success(Program),
      refusals: [
        noProgram,
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'the Program is over, and it was not its end date that ended it, or the new one has passed',
        },
      ],
      example: {
        body: { config: { widgetConfig: { title: 'Bring a friend' } } },
        answer: success(programExample),
      },
      handle: async ({ request, project, params, body }) => {
        const programId = params.programId as string;
        const { environment } = project;
        return success(await changeProgram(deps, request, { environment, programId }, body));
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/programs/{programId}/status',
      tag: TAG,
      summary: 'Activate, pause, end or archive a Program',
      description:
        'draft → active or archived; active ↔ paused; active or paused → ended; ended → archived. Asking for the status it has changes nothing. A Program whose `endDate` has passed is ended.',
      permissions: WRITE,
      body: ChangeProgramStatus,
      answer: Success(Program),
      refusals: [
        noProgram,
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'there is no such move, or the Program has no landing page to be activated with',
        },
      ],
      example: {
        body: { status: 'active' },
        answer: success({ ...programExample, status: 'active' }),
      },
      handle: async ({ request, params, body }) =>
        success(await changeProgramStatus(deps, request, params.programId as string, body.status)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/programs/{programId}/attribution-policies',
      tag: TAG,
      summary: 'List the versions of a Program’s attribution policy, newest first',
      description: 'A loyalty Program attributes nothing and has none.',
      permissions: READ,
      answer: Success(Type.Array(AttributionPolicy)),
      refusals: [noProgram],
      example: { answer: success([policyExample]) },
      handle: async ({ project, params }) => {
        const programId = params.programId as string;
        if (!(await findProgramRow(reads, project.id, programId))) throw notFound('program');
        return success(await listPolicies(reads, project.id, programId));
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/programs/{programId}/attribution-policies',
      tag: TAG,
      summary: 'Publish the next version of a Program’s attribution policy',
      description:
        'A version never changes. Of the versions in effect when a referral is bound, the highest applies. Fields that are left out are `last_touch`, 90 days, `signup`, and effective now; `effectiveAt` may be up to a year ahead.',
      permissions: WRITE,
      body: PublishPolicy,
      answer: Success(AttributionPolicy),
      refusals: [
        noProgram,
        { code: 'CONFLICT', reason: 'program_not_open', when: 'the Program is over' },
        { code: 'CONFLICT', reason: 'limit_reached', when: 'the Program has 500 versions' },
      ],
      example: {
        body: { model: 'first_touch', windowDays: 60 },
        answer: success({ ...policyExample, version: 2, model: 'first_touch', windowDays: 60 }),
      },
      handle: async ({ request, params, body }) =>
        success(await publishPolicy(deps, request, params.programId as string, body)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/programs/{programId}/delivery-settings',
      tag: TAG,
      summary: 'Read how a Program’s Rewards are delivered',
      permissions: READ,
      answer: Success(DeliverySettings),
      refusals: [noProgram],
      example: { answer: success(deliveryExample) },
      handle: async ({ project, params }) => {
        const row = await findDelivery(reads, project.id, params.programId as string);
        if (!row) throw notFound('program');
        return success(toDeliverySettings(row, await deps.findConnected(project.id)));
      },
    }),
    projectRoute({
      method: 'PUT',
      path: '/v1/programs/{programId}/delivery-settings',
      tag: TAG,
      summary: 'Change how a Program’s Rewards are delivered',
      description:
        'Fields that are left out keep their values, null brings a default back. Rewards that are earned already keep the settings they were earned under.',
      permissions: WRITE,
      body: ChangeDeliverySettings,
      answer: Success(DeliverySettings),
      refusals: [noProgram],
      example: {
        body: { holdDays: 14, cashMethod: 'payout' },
        answer: success(deliveryExample),
      },
      handle: async ({ request, params, body }) =>
        success(await changeDeliverySettings(deps, request, params.programId as string, body)),
    }),
    ...ruleRoutes(deps),
  ];
}
