import Type from 'typebox';
import { Participant } from '../../domain/participants/schema.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { projectOperatorRoute, projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
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
      summary: 'Erase a participant permanently',
      description:
        'Deletes the name, e-mail and billing id, and changes the external id to `deleted_<id>`. Enrollments end; codes and links stop working. The participant’s id and the facts stored under it are kept. The erased names cannot be used again, but an operator can allow the external id to be used again (`readmit`). A repeat returns the same response.\n\nA participant who still waits for Rewards is not erased unless `force` is true. With `force`, Rewards that are `pending` or `in_progress` are voided first, with the reason code `participant_deleted` and a `reward.voided` event for each. A Reward that is `in_progress` may still reach the participant; its outcome decides.',
      permissions: ['participants:write'],
      query: Type.Object({
        force: Type.Optional(
          Type.Boolean({
            description: 'Void the Rewards that the participant still waits for (default false).',
          }),
        ),
      }),
      answer: Success(Participant),
      refusals: [
        { code: 'NOT_FOUND', when: 'the participant does not exist' },
        {
          code: 'CONFLICT',
          reason: 'unsettled_rewards',
          when: 'the participant has a Reward that is `pending` or `in_progress`, and `force` is not true',
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
      summary: 'Allow the external id of an erased participant to be used again',
      description:
        'The next write that names the external id creates a new participant. It has nothing of the erased one, which stays erased. Calls that were queued before the erasure are accepted again. The codes, slugs and browser handles of the erased participant stay invalid. A repeat returns the same response. If the person was erased several times, readmit the participant that was erased last.',
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
          when: 'the participant was a Partner, whose address may apply again anyway; or an earlier version erased several participants at the same moment, and their external ids can no longer be told apart',
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
