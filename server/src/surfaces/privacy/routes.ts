import Type from 'typebox';
import { Participant } from '../../domain/participants/schema.ts';
import {
  projectOperatorRoute,
  projectRoute,
  type Route,
  Success,
  success,
} from '../../platform/http/routes/route.ts';
import { eraseParticipant, type PrivacyDeps } from './erase-participant.ts';
import { readmitParticipant } from './readmit-participant.ts';

const erasedExample = {
  id: 'par_01ka3m…',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-16T10:00:00.000Z',
  projectId: 'prj_01ka3m…',
  kind: 'individual',
  externalId: 'deleted_par_01ka3m…',
  billingId: null,
  name: null,
  email: null,
  partnerId: null,
  deletedAt: '2026-11-16T10:00:00.000Z',
  readmittedAt: null,
};
const readmittedAt = '2026-11-20T12:00:00.000Z';

export function privacyRoutes(deps: PrivacyDeps): Route[] {
  return [
    projectRoute({
      method: 'DELETE',
      path: '/v1/participants/{id}',
      tag: 'Participants',
      summary: 'Erase a participant for good',
      description:
        'Name, e-mail and billing id go, the external id becomes `deleted_<id>`, enrollments end, codes and links stop working. The id stays, and so do the facts kept under it. Nobody can take over the erased names; an operator can let the external id be named again (`readmit`). Erasing again returns the same.\n\nWhoever still waits for Rewards is not erased, unless `force` is true: then Rewards that are `pending` or `in_progress` are voided first, with the reason code `participant_deleted` and a `reward.voided` event for each. One that is `in_progress` may still reach them; its outcome decides.',
      permissions: ['participants:write'],
      query: Type.Object({
        force: Type.Optional(
          Type.Boolean({ description: 'Void what they still wait for. False by default.' }),
        ),
      }),
      answer: Success(Participant),
      refusals: [
        { code: 'NOT_FOUND', when: 'the participant does not exist' },
        {
          code: 'CONFLICT',
          reason: 'unsettled_rewards',
          when: 'a Reward of theirs is `pending` or `in_progress`, and `force` is not true',
        },
      ],
      example: { answer: success(erasedExample) },
      handle: async ({ request, params, query }) =>
        success(await eraseParticipant(deps, request, params.id as string, query.force ?? false)),
    }),
    projectOperatorRoute({
      method: 'POST',
      path: '/v1/participants/{id}/readmit',
      tag: 'Participants',
      summary: 'Let the person behind an erased participant start anew',
      description:
        'From then on the external id that was erased may be named again: the next write that names it makes a new participant, with nothing of the erased one, which stays erased. Calls that were queued before the erasure are accepted again, too. Codes and slugs that the erased participant shared stay dead, and browser handles stay closed. Readmitting again returns the same. After a further erasure of the person, readmit the participant that was erased last.',
      answer: Success(Participant),
      refusals: [
        { code: 'NOT_FOUND', when: 'the participant does not exist' },
        {
          code: 'CONFLICT',
          reason: 'participant_not_deleted',
          when: 'the participant was not erased',
        },
        {
          code: 'CONFLICT',
          reason: 'no_tombstone',
          when: 'it was a Partner, whose address may apply again anyway; or an earlier version erased several participants at the same moment, so that nobody can tell which external id it had',
        },
      ],
      example: {
        body: { projectId: 'prj_01ka3m…' },
        answer: success({ ...erasedExample, updatedAt: readmittedAt, readmittedAt }),
      },
      handle: async ({ request, params }) =>
        success(await readmitParticipant(deps, request, params.id as string)),
    }),
  ];
}
