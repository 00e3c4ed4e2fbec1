import Type from 'typebox';
import { Success, success } from '../../../platform/http/routes/answers.ts';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { programExample, ruleExample, termsBodyExample, termsExample } from '../examples.ts';
import { toRewardTerms } from '../present.ts';
import type { ProgramDeps } from '../program-deps.ts';
import { findProgramRow, findRule, listRules, listTerms } from '../queries.ts';
import {
  BenefitRule,
  CreatedRule,
  CreateRule,
  PublishTerms,
  RenamedRule,
  RenameRule,
  RewardTerms,
} from '../schema.ts';
import { publishTerms } from './publish-terms.ts';
import { createRule, renameRule } from './rules.ts';
import { outdated } from './versions.ts';

const TAG = 'Rules and terms';
const READ = ['programs:read'] as const;
const WRITE = ['programs:write'] as const;
const noRule = { code: 'NOT_FOUND', when: 'the rule does not exist' } as const;
const notOpen = {
  code: 'CONFLICT',
  reason: 'program_not_open',
  when: 'the Program is ended or archived',
} as const;
const unitMismatch = {
  code: 'CONFLICT',
  reason: 'unit_mismatch',
  when: 'the Project already has a unit with this key and other names',
} as const;

/** The routes of rules and their terms; part of `routes.ts`. */
export function ruleRoutes(deps: ProgramDeps): Route[] {
  const { reads } = deps.database;
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/programs/{programId}/benefit-rules',
      tag: TAG,
      summary: 'List a Program’s benefit rules, oldest first',
      permissions: READ,
      answer: Success(Type.Array(BenefitRule)),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: { answer: success([ruleExample]) },
      handle: async ({ project, params }) => {
        const programId = params.programId as string;
        if (!(await findProgramRow(reads, project.id, programId))) throw notFound('program');
        return success(await listRules(reads, project.id, programId));
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/benefit-rules',
      tag: TAG,
      summary: 'Create a benefit rule with its first terms',
      description:
        '`cash` and `credit` are a fixed amount or a percentage of a purchase. A `discount` is a percentage. `custom` is a quantity of a unit.',
      permissions: WRITE,
      body: CreateRule,
      answer: Success(CreatedRule),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Program or the unit does not exist' },
        notOpen,
        {
          code: 'CONFLICT',
          reason: 'rule_exists',
          when: 'the Program already has a primary rule for this event type and role',
        },
        { code: 'CONFLICT', reason: 'key_taken', when: 'another rule of the Program has the key' },
        { code: 'CONFLICT', reason: 'limit_reached', when: 'the Program has 100 rules' },
        unitMismatch,
      ],
      example: {
        body: {
          programId: programExample.id,
          eventType: 'purchase',
          beneficiaryRole: 'referrer',
          name: ruleExample.name,
          terms: termsBodyExample,
        },
        answer: success({ ...ruleExample, terms: termsExample }),
      },
      handle: async ({ request, body }) => success(await createRule(deps, request, body)),
    }),
    projectRoute({
      method: 'PUT',
      path: '/v1/benefit-rules/{ruleId}/name',
      tag: TAG,
      summary: 'Rename a benefit rule',
      description: 'Neither the rule nor its terms change.',
      permissions: WRITE,
      body: RenameRule,
      answer: Success(RenamedRule),
      refusals: [noRule],
      example: {
        body: { name: 'Launch bonus' },
        answer: success({ ruleId: ruleExample.id, name: 'Launch bonus' }),
      },
      handle: async ({ request, params, body }) =>
        success(await renameRule(deps, request, params.ruleId as string, body.name)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/benefit-rules/{ruleId}/terms',
      tag: TAG,
      summary: 'List the versions of a rule’s terms, newest first',
      permissions: READ,
      answer: Success(Type.Array(RewardTerms)),
      refusals: [noRule],
      example: { answer: success([termsExample]) },
      handle: async ({ project, params }) => {
        const ruleId = params.ruleId as string;
        if (!(await findRule(reads, project.id, ruleId))) throw notFound('benefit rule');
        return success((await listTerms(reads, project.id, ruleId)).map(toRewardTerms));
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/benefit-rules/{ruleId}/terms',
      tag: TAG,
      summary: 'Publish the next version of a rule’s terms',
      description:
        'A published version never changes. An Event gets the highest version that is in effect when it occurs. `enabled: false` stops the rule from `effectiveAt` on. `effectiveAt` defaults to now and is at most a year ahead.',
      permissions: WRITE,
      body: PublishTerms,
      answer: Success(RewardTerms),
      refusals: [
        { code: 'NOT_FOUND', when: 'the rule or the unit does not exist' },
        notOpen,
        outdated,
        { code: 'CONFLICT', reason: 'limit_reached', when: 'the rule has 500 versions' },
        unitMismatch,
      ],
      example: {
        body: { terms: { ...termsBodyExample, fixedAmountMinor: '1500' } },
        answer: success({ ...termsExample, version: 2, fixedAmountMinor: '1500' }),
      },
      handle: async ({ request, params, body }) =>
        success(await publishTerms(deps, request, params.ruleId as string, body)),
    }),
  ];
}
