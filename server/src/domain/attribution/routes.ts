import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Refusal, Route } from '../../platform/http/routes/route.ts';
import { KEYS_PER_HANDLE_MAX } from './decide-identify.ts';
import { type AttributionDeps, makeIdentify, parseIdentify } from './identify.ts';
import { Identify, IdentifyAnswer } from './schema.ts';

const refusals: Refusal[] = [
  {
    code: 'INVALID_REQUEST',
    when: 'the body is not one of the three allowed combinations, or a new key would expire in the past or more than 90 days ahead',
  },
  { code: 'NOT_FOUND', when: 'the Project has no such handle, or the key was never bound' },
  { code: 'CONFLICT', reason: 'participant_deleted', when: 'the participant was erased' },
  {
    code: 'CONFLICT',
    reason: 'handle_already_identified',
    when: 'the handle belongs to another participant, or the call binds a key to a handle that is already identified',
  },
  { code: 'CONFLICT', reason: 'reference_bound', when: 'the key is bound to another handle' },
  { code: 'CONFLICT', reason: 'reference_expired', when: 'the key expired before it was resolved' },
  {
    code: 'CONFLICT',
    reason: 'reference_resolved',
    when: 'the key was resolved to another participant, or the call binds a resolved key again',
  },
  {
    code: 'CONFLICT',
    reason: 'limit_reached',
    when: `the handle already has ${KEYS_PER_HANDLE_MAX} keys`,
  },
];

export function attributionRoutes(deps: AttributionDeps): Route[] {
  const identify = makeIdentify(deps);
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/identify',
      tag: 'Tracking',
      summary: 'Connect a browser with a participant',
      description:
        'Send exactly two of the three fields. `handle` and `participant`: the browser belongs to this participant. `handle` and `reference`: your key represents the browser until you know the participant. `reference` and `participant`: the key and its browser belong to this participant. A repeat returns the first result. A signup that includes the handle does not need this call. Identifying a browser after the signup does not change the signup’s attribution.',
      permissions: ['track:write'],
      body: Identify,
      anyText: ['handle'],
      answer: IdentifyAnswer,
      refusals,
      example: {
        body: {
          projectId: 'prj_01ka3m…',
          handle: 'hdl_01ka3m…',
          participant: { kind: 'individual', externalId: '42' },
        },
        answer: {
          success: true,
          identified: true,
          participantId: 'par_01ka3m…',
          identifiedAt: '2026-11-15T09:30:00.000Z',
          reference: null,
        },
      },
      handle: async ({ request, body }) => {
        const { reference, ...result } = await identify(request, parseIdentify(body));
        const key = body.reference?.key;
        return {
          success: true as const,
          ...result,
          reference: reference && key !== undefined ? { key, ...reference } : null,
        };
      },
    }),
  ];
}
