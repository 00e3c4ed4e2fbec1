import Type from 'typebox';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Refusal, Route } from '../../platform/http/routes/route.ts';
import { countExample, ListCount } from '../../platform/http/routes/totals.ts';
import { Nullable } from '../../platform/kit/schema.ts';
import { endEnrollment, enrollParticipant } from './enrollments/enrollments.ts';
import { countParticipants, listParticipants } from './list-participants.ts';
import { createReferralCode, createReferralLink } from './names/create-names.ts';
import {
  CountParticipants,
  CreateEnrollment,
  CreateReferralCode,
  CreateReferralLink,
  Enrollment,
  ListedParticipant,
  ListParticipants,
  Participant,
  ReferralCode,
  ReferralLink,
  UpsertParticipant,
} from './schema.ts';
import { makeUpsertParticipant } from './upsert-participant.ts';
import type { ParticipantDeps } from './write-participants.ts';

const PEOPLE = 'Participants';
const SHARING = 'Enrollments, codes and links';

const at = '2026-11-15T09:30:00.000Z';
const made = { createdAt: at, updatedAt: at, projectId: 'prj_01ka3m…' };
const participantExample = {
  id: 'par_01ka3m…',
  ...made,
  kind: 'individual',
  externalId: '42',
  billingId: 'cus_Q3x9',
  name: 'Ada',
  email: 'ada@example.com',
  partnerId: null,
  deletedAt: null,
  readmittedAt: null,
};
const enrollmentExample = {
  id: 'enr_01ka3m…',
  ...made,
  participantId: 'par_01ka3m…',
  programId: 'prg_01ka3m…',
  startsAt: at,
  endsAt: null,
};
const joiningExample = {
  projectId: 'prj_01ka3m…',
  participant: { kind: 'individual', externalId: '42' },
  programId: 'prg_01ka3m…',
};

const erased: Refusal = {
  code: 'CONFLICT',
  reason: 'participant_deleted',
  when: 'the participant was erased',
};
const joiningRefusals: Refusal[] = [
  { code: 'NOT_FOUND', when: 'the Program does not exist' },
  { code: 'INVALID_REQUEST', when: 'this kind of Program does not allow it' },
  erased,
  {
    code: 'CONFLICT',
    reason: 'program_not_open',
    when: 'the call would create something new, and the Program is neither a draft nor active',
  },
];
const sharingRefusals: Refusal[] = [
  ...joiningRefusals,
  {
    code: 'CONFLICT',
    reason: 'enrollment_ended',
    when: 'the participant has left the Program, even if they still have a code or link there',
  },
];

export function participantRoutes(deps: ParticipantDeps): Route[] {
  const upsertParticipant = makeUpsertParticipant(deps);
  return [
    projectRoute({
      method: 'PUT',
      path: '/v1/participants',
      tag: PEOPLE,
      summary: 'Create or update a participant',
      description:
        'An omitted field keeps its value; null clears it. Any other write that names an unknown participant also creates it. E-mail addresses are never used to match participants.',
      permissions: ['participants:write'],
      body: UpsertParticipant,
      answer: Success(Participant),
      refusals: [
        erased,
        {
          code: 'CONFLICT',
          reason: 'billing_id_taken',
          when: 'another participant has this billingId',
        },
      ],
      example: {
        body: {
          projectId: 'prj_01ka3m…',
          participant: { kind: 'individual', externalId: '42' },
          name: 'Ada',
          email: 'ada@example.com',
          billingId: 'cus_Q3x9',
        },
        answer: success(participantExample),
      },
      handle: async ({ request, body }) => {
        const { participant, name, email, billingId } = body;
        return success(
          await upsertParticipant(request, {
            participant,
            ...(name === undefined ? {} : { name }),
            ...(email === undefined ? {} : { email }),
            ...(billingId === undefined ? {} : { billingId }),
          }),
        );
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/participants',
      tag: PEOPLE,
      summary: 'List participants, newest first, 50 per page',
      permissions: ['participants:read'],
      query: ListParticipants,
      answer: Type.Object({
        success: Type.Literal(true),
        data: Type.Array(ListedParticipant),
        hasMore: Type.Boolean(),
        nextOffset: Nullable(Type.String()),
      }),
      example: {
        answer: {
          ...success([
            { ...participantExample, isReferrer: false, isReferee: false, startingMeasures: [] },
          ]),
          hasMore: false,
          nextOffset: null,
        },
      },
      handle: async ({ project, query }) => {
        const { participants, ...page } = await listParticipants(deps.database.reads, project.id, {
          kind: query.kind ?? null,
          externalId: query.externalId ?? null,
          offset: Number(query.offset ?? 0),
        });
        return { ...success(participants), ...page };
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/participants/totals',
      tag: PEOPLE,
      summary: 'Count the participants that match',
      description: 'Takes the filters of the list. The count is always exact.',
      permissions: ['participants:read'],
      query: CountParticipants,
      answer: Success(ListCount),
      example: { answer: success(countExample) },
      handle: async ({ project, query }) => {
        const { kind = null, externalId = null } = query;
        return success(
          await countParticipants(deps.database.reads, project.id, { kind, externalId }),
        );
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/enrollments',
      tag: SHARING,
      summary: 'Enroll a participant in a Program',
      description:
        'Returns the active enrollment if there is one. If an earlier enrollment has ended, creates a new one. Partners join affiliate Programs by approval instead.',
      permissions: ['referrals:write'],
      body: CreateEnrollment,
      answer: Success(Enrollment),
      refusals: joiningRefusals,
      example: { body: joiningExample, answer: success(enrollmentExample) },
      handle: async ({ request, body }) => success(await enrollParticipant(deps, request, body)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/enrollments/{enrollmentId}/end',
      tag: SHARING,
      summary: 'End an enrollment now',
      description: 'An enrollment that has already ended keeps its end date.',
      permissions: ['referrals:write'],
      answer: Success(Enrollment),
      refusals: [{ code: 'NOT_FOUND', when: 'the enrollment does not exist' }],
      example: {
        body: { projectId: 'prj_01ka3m…' },
        answer: success({ ...enrollmentExample, endsAt: at }),
      },
      handle: async ({ request, params }) =>
        success(await endEnrollment(deps, request, params.enrollmentId as string)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/referral-codes',
      tag: SHARING,
      summary: 'Get or create a participant’s referral code in a Program',
      description:
        'Without `code`, returns the oldest code or creates a random one. Enrolls a participant who was never enrolled. At most 5 codes per participant and Program. If the participant has `code` in an ended or archived Program, it moves to this one. New visits and signups then count for this Program; earlier ones stay with the old Program.',
      permissions: ['referrals:write'],
      body: CreateReferralCode,
      answer: Success(ReferralCode),
      refusals: [
        ...sharingRefusals,
        { code: 'CONFLICT', reason: 'limit_reached', when: 'the participant already has 5 codes' },
        {
          code: 'CONFLICT',
          reason: 'code_taken',
          when: 'the name is already used by a link, by another participant, or by the same participant in a Program that is neither ended nor archived',
        },
      ],
      example: {
        body: { ...joiningExample, code: 'ada-friends' },
        answer: success({
          id: 'cod_01ka3m…',
          ...made,
          code: 'ada-friends',
          participantId: 'par_01ka3m…',
          programId: 'prg_01ka3m…',
          url: 'https://refer.example.com/l/k7m2p9xw4c/ada-friends',
        }),
      },
      handle: async ({ project, request, body }) =>
        success(await createReferralCode(deps, project, request, body)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/referral-links',
      tag: SHARING,
      summary: 'Get or create a participant’s referral link in a Program',
      description:
        'The link belongs to the participant’s oldest code in the Program, which is created if there is none. At most 20 links per code. A `slug` that the participant has in an ended or archived Program moves to this one, in the same way as a code.',
      permissions: ['referrals:write'],
      body: CreateReferralLink,
      answer: Success(ReferralLink),
      refusals: [
        ...sharingRefusals,
        { code: 'CONFLICT', reason: 'limit_reached', when: 'the code already has 20 links' },
        {
          code: 'CONFLICT',
          reason: 'slug_taken',
          when: 'the name is already used by a code, by another participant, or by the same participant in a Program that is neither ended nor archived',
        },
      ],
      example: {
        body: { ...joiningExample, slug: 'ada-blog' },
        answer: success({
          id: 'lnk_01ka3m…',
          ...made,
          slug: 'ada-blog',
          refCodeId: 'cod_01ka3m…',
          url: 'https://refer.example.com/l/k7m2p9xw4c/ada-blog',
        }),
      },
      handle: async ({ project, request, body }) =>
        success(await createReferralLink(deps, project, request, body)),
    }),
  ];
}
