import { projectRoute, type Refusal, type Route } from '../../platform/http/routes/route.ts';
import type { AttributionDeps } from './attribution-deps.ts';
import { KEYS_PER_HANDLE_MAX } from './decide-identify.ts';
import { makeIdentify } from './identify.ts';
import { parseIdentify } from './parse-identify.ts';
import { Identify, IdentifyAnswer } from './schema.ts';

const refusals: Refusal[] = [
  {
    code: 'INVALID_REQUEST',
    when: 'the body has none of the three shapes, or a new key would expire in the past or more than 90 days ahead',
  },
  { code: 'NOT_FOUND', when: 'the handle is no handle of the Project, or nobody bound the key' },
  { code: 'CONFLICT', reason: 'participant_deleted', when: 'the participant was erased' },
  {
    code: 'CONFLICT',
    reason: 'handle_already_identified',
    when: 'the handle is another participant’s, or a key is to be bound to an identified handle',
  },
  { code: 'CONFLICT', reason: 'reference_bound', when: 'the key stands for another handle' },
  { code: 'CONFLICT', reason: 'reference_expired', when: 'the key expired before it was resolved' },
  {
    code: 'CONFLICT',
    reason: 'reference_resolved',
    when: 'the key was resolved to another participant, or is to be bound again',
  },
  {
    code: 'CONFLICT',
    reason: 'limit_reached',
    when: `the handle carries ${KEYS_PER_HANDLE_MAX} keys already`,
  },
];

export function attributionRoutes(deps: AttributionDeps): Route[] {
  const identify = makeIdentify(deps);
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/identify',
      tag: 'Tracking',
      summary: 'Tell who a browser belongs to',
      description:
        'Send exactly two of the three. `handle` and `participant`: the browser is this participant’s. `handle` and `reference`: a key of yours stands for the browser until you know whose it is. `reference` and `participant`: the key, and with it the browser, is this participant’s. A repeat returns the first result. A signup that carries the handle needs no call of this; what is identified after the signup does not change its attribution.',
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
