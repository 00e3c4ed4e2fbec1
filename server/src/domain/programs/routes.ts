import Type from 'typebox';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { changeDeliverySettings, changeProgram, changeProgramStatus } from './change-program.ts';
import { copyProgram } from './copies/copy-program.ts';
import { createProgram } from './create-program.ts';
import { deliveryExample, policyExample, programExample } from './examples.ts';
import { planRoutes } from './plans/plan-routes.ts';
import { publishPolicy } from './policies/publish-policy.ts';
import { toDeliverySettings, toProgram } from './present.ts';
import type { ProgramDeps } from './program-deps.ts';
import { findDelivery, findProgramRow, listPolicies, showPrograms } from './queries.ts';
import { ruleRoutes } from './rules/rule-routes.ts';
import { outdated } from './rules/versions.ts';
import {
  AttributionPolicy,
  ChangeDeliverySettings,
  ChangeProgram,
  ChangeProgramStatus,
  CopyProgram,
  CopyWarning,
  CreateProgram,
  DeliverySettings,
  ListedProgram,
  Program,
  PublishPolicy,
} from './schema.ts';

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
      summary: 'Create a Program as a draft',
      description: 'Omitted config fields get their defaults. The kind of a Program never changes.',
      permissions: WRITE,
      body: CreateProgram,
      answer: Success(Program),
      refusals: [
        { code: 'CONFLICT', reason: 'key_taken', when: 'another Program has the key' },
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
      method: 'POST',
      path: '/v1/programs/copies',
      tag: TAG,
      summary: 'Copy a Program as a draft',
      description:
        'Copies texts, looks, delivery settings, attribution policy, and the rules with the terms in force, within a Project or from another Project of the Workspace to `projectId`. People, codes, links, rewards and dates are not copied. What the Project does not allow is replaced by its default; `warnings` says what. An API key copies within its environment only.',
      permissions: ['programs:read', 'programs:write'],
      body: CopyProgram,
      answer: Type.Object({
        success: Type.Literal(true),
        data: Program,
        warnings: Type.Array(CopyWarning),
      }),
      refusals: [
        {
          code: 'NOT_FOUND',
          when: 'the Program does not exist, or `fromProjectId` is not in the Workspace',
        },
        {
          code: 'ENVIRONMENT_MISMATCH',
          when: 'an API key would copy to the other environment',
        },
        {
          code: 'CONFLICT',
          reason: 'unit_mismatch',
          when: 'the Project has a unit with the same key and other names',
        },
        { code: 'CONFLICT', reason: 'limit_reached', when: 'the Project has 500 Programs' },
      ],
      example: {
        body: { programId: 'prg_01ka3m…', fromProjectId: 'prj_01ka3k…' },
        answer: { ...success(programExample), warnings: [] },
      },
      handle: async ({ principal, request, project, body }) => {
        const { program, warnings } = await copyProgram(
          deps,
          { principal, request },
          project,
          body,
        );
        return { ...success(program), warnings: [...warnings] };
      },
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
        'Omitted fields keep their values. Config blocks are merged field by field; `cssVariables` is replaced as a whole. Null restores a default or clears a date. Dates never change the past of a running Program: an `endDate` in the past ends it now. A `startDate` can be moved only before the Program has begun, and not into the past.',
      permissions: WRITE,
      body: ChangeProgram,
      answer: Success(Program),
      refusals: [
        noProgram,
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'the Program is over and was not ended by its end date, or the new end date has passed',
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
        'draft → active or archived; active ↔ paused; active or paused → ended; ended → archived. Setting the current status again changes nothing. A Program whose `endDate` has passed is ended.',
      permissions: WRITE,
      body: ChangeProgramStatus,
      answer: Success(Program),
      refusals: [
        noProgram,
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'the transition is not allowed, or the Program cannot be activated without a landing page',
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
      description: 'A loyalty Program has no attribution and therefore no policy.',
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
        'A published version never changes. A referral gets the highest version that is in effect when it is bound. Defaults: `last_touch`, 90 days, `signup`, effective now. `effectiveAt` may be up to a year ahead.',
      permissions: WRITE,
      body: PublishPolicy,
      answer: Success(AttributionPolicy),
      refusals: [
        noProgram,
        { code: 'CONFLICT', reason: 'program_not_open', when: 'the Program is over' },
        outdated,
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
        'Omitted fields keep their values; null restores a default. Rewards that are already earned keep the settings they were earned under.',
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
    ...planRoutes(deps),
  ];
}
