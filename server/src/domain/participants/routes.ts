import Type from 'typebox';
import {
  projectRoute,
  type Refusal,
  type Route,
  Success,
  success,
} from '../../platform/http/routes/route.ts';
import { Nullable } from '../../platform/kit/schema.ts';
import { endEnrollment } from './enrollments/end-enrollment.ts';
import { enrollParticipant } from './enrollments/enroll-participant.ts';
import { listParticipants } from './list-participants.ts';
import { createReferralCode } from './names/create-referral-code.ts';
import { createReferralLink } from './names/create-referral-link.ts';
import type { ParticipantDeps } from './participant-deps.ts';
import {
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
  { code: 'INVALID_REQUEST', when: 'the Program is of a kind that does not take this' },
  erased,
  {
    code: 'CONFLICT',
    reason: 'program_not_open',
    when: 'something new is to be made and the Program is neither in draft nor active',
  },
];
const sharingRefusals: Refusal[] = [
  ...joiningRefusals,
  {
    code: 'CONFLICT',
    reason: 'enrollment_ended',
    when: 'the participant has left the Program, whatever code or link they have there',
  },
];

export function participantRoutes(deps: ParticipantDeps): Route[] {
  const upsertParticipant = makeUpsertParticipant(deps);
  return [
    projectRoute({
      method: 'PUT',
      path: '/v1/participants',
      tag: PEOPLE,
      summary: 'Make a participant, or change what is known of it',
      description:
        'A field left out keeps its value, null clears it. A participant also comes into being when any other write names it. E-mail addresses are never used to match.',
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
          ...success([{ ...participantExample, isReferrer: false, isReferee: false }]),
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
      method: 'POST',
      path: '/v1/enrollments',
      tag: SHARING,
      summary: 'Enroll a participant in a Program',
      description:
        'Returns the active enrollment if there is one. After an end, a new one is made. Partners join affiliate Programs by approval instead.',
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
      description: 'One that has ended already keeps its first end.',
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
      summary: 'Get or make a participant’s referral code in a Program',
      description:
        'Without `code`, returns the oldest code, or makes a random one. Enrolls who was never enrolled. At most 5 codes per participant and Program. A `code` that the participant has in an ended or archived Program is moved to this one: visits and signups count for this Program from now on, and what came by the code before stays with the old one.',
      permissions: ['referrals:write'],
      body: CreateReferralCode,
      answer: Success(ReferralCode),
      refusals: [
        ...sharingRefusals,
        { code: 'CONFLICT', reason: 'limit_reached', when: 'there are 5 codes already' },
        {
          code: 'CONFLICT',
          reason: 'code_taken',
          when: 'something else has this name: a link, somebody else, or the participant in a Program that is neither ended nor archived',
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
      summary: 'Get or make a participant’s referral link in a Program',
      description:
        'The link hangs on the participant’s oldest code in the Program, which is made if there is none. At most 20 links per code. A `slug` that the participant has in an ended or archived Program is moved to this one, as a code is.',
      permissions: ['referrals:write'],
      body: CreateReferralLink,
      answer: Success(ReferralLink),
      refusals: [
        ...sharingRefusals,
        { code: 'CONFLICT', reason: 'limit_reached', when: 'there are 20 links already' },
        {
          code: 'CONFLICT',
          reason: 'slug_taken',
          when: 'something else has this name: a code, somebody else, or the participant in a Program that is neither ended nor archived',
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
