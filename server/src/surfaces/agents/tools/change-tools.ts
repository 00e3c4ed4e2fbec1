import { notFound } from '../../../platform/kit/errors.ts';
import {
  foreseeApproval,
  foreseeDecision,
  foreseePlan,
  foreseeReplay,
  foreseeRetry,
  foreseeStatus,
  foreseeTerms,
  foreseeVoid,
} from '../changes/foresee.ts';
import type { Json } from './call-route.ts';
import { type ChangeSpec, changeTool } from './change-tool.ts';
import type { FindRoute, Tool } from './tool.ts';

type Read = Parameters<ChangeSpec['look']>[1];

const REWARD = 'GET /v1/rewards/{rewardId}';
const REVIEW = 'GET /v1/risk-reviews/{id}';
const APPLICATIONS = 'GET /v1/partner-applications';
const ENDPOINT = 'GET /v1/webhook-endpoints/{endpointId}';
const EVENT = 'GET /v1/events/{id}';
const PROGRAM = 'GET /v1/programs/{programId}';
const PLAN = 'GET /v1/program-plans/{planId}';
const TERMS = 'GET /v1/benefit-rules/{ruleId}/terms';

/**
 * What support needs. None of them moves money out: payout batches are approved and submitted by
 * people in the console.
 */
export function changeTools(find: FindRoute): Tool[] {
  const tool = (spec: ChangeSpec) => changeTool(find, spec);
  return [
    tool({
      name: 'void_reward',
      title: 'Void a reward',
      route: 'POST /v1/rewards/{rewardId}/void',
      about: { rewardId: 'The reward, rwd_…' },
      description: 'Void a reward that was not due, with a reason. This cannot be undone.',
      isGrave: true,
      sees: [REWARD],
      look: async ({ rewardId }, read) => ({ reward: await read(REWARD, { rewardId }) }),
      foresee: foreseeVoid,
    }),
    tool({
      name: 'retry_reward',
      title: 'Retry the delivery of a reward',
      route: 'POST /v1/rewards/{rewardId}/retry',
      about: { rewardId: 'The reward, rwd_…' },
      description:
        'Retry the delivery of a reward whose `fulfillmentStatus` is `failed`, after the cause was removed.',
      isGrave: false,
      sees: [REWARD],
      look: async ({ rewardId }, read) => ({ reward: await read(REWARD, { rewardId }) }),
      foresee: ({ reward }) => foreseeRetry(reward, 'fulfillmentStatus'),
    }),
    tool({
      name: 'decide_review',
      title: 'Decide a risk review',
      route: 'POST /v1/risk-reviews/{id}/decision',
      about: { id: 'The review, rvw_…' },
      description:
        'Approve or reject a referral that is under review. An approval releases its held rewards, a rejection voids those that were not granted. This cannot be undone.',
      isGrave: true,
      sees: [REVIEW],
      look: async ({ id }, read) => ({ review: (await read(REVIEW, { id })).data }),
      foresee: foreseeDecision,
    }),
    tool({
      name: 'approve_application',
      title: 'Approve a partner application',
      route: 'POST /v1/partner-applications/{partnerRequestId}/approve',
      about: { partnerRequestId: 'The application, from `list_applications`.' },
      description: 'Approve the application of a partner, who then joins the program.',
      isGrave: true,
      sees: [APPLICATIONS],
      look: findApplication,
      foresee: foreseeApproval(true),
    }),
    tool({
      name: 'reject_application',
      title: 'Reject a partner application',
      route: 'POST /v1/partner-applications/{partnerRequestId}/reject',
      about: { partnerRequestId: 'The application, from `list_applications`.' },
      description: 'Reject the application of a partner.',
      isGrave: true,
      sees: [APPLICATIONS],
      look: findApplication,
      foresee: foreseeApproval(false),
    }),
    tool({
      name: 'replay_deliveries',
      title: 'Replay webhook deliveries',
      route: 'POST /v1/webhook-endpoints/{endpointId}/replay',
      about: { endpointId: 'The endpoint, whe_…' },
      description:
        'Send events to a webhook endpoint again: either the events with these ids, or all subscribed events since a time.',
      isGrave: false,
      sees: [ENDPOINT],
      look: async ({ endpointId }, read) => {
        const { success: _, ...endpoint } = await read(ENDPOINT, { endpointId });
        return endpoint;
      },
      foresee: (_, args) => foreseeReplay(args),
    }),
    tool({
      name: 'retry_event',
      title: 'Retry an event',
      route: 'POST /v1/events/{id}/retry',
      about: { id: 'The event, evt_…' },
      description:
        'Process an event again whose `processingState` is `failed`. It may then be credited and earn rewards.',
      isGrave: false,
      sees: [EVENT],
      look: async ({ id }, read) => ({ event: (await read(EVENT, { id })).data }),
      foresee: ({ event }) => foreseeRetry(event, 'processingState'),
    }),
    tool({
      name: 'publish_terms',
      title: 'Publish terms',
      route: 'POST /v1/benefit-rules/{ruleId}/terms',
      about: { ruleId: 'The rule, rul_…, from `read_terms`.' },
      description:
        'Publish the next version of the terms of a rule: what its rewards are from now on. Read the present terms with `read_terms` first. Versions are never changed or deleted.',
      isGrave: true,
      sees: [TERMS],
      look: async ({ ruleId }, read) => {
        const { data } = await read(TERMS, { ruleId });
        return { terms: (data as readonly Json[])[0] ?? null };
      },
      pin: ({ terms }) => ({ afterVersion: (terms as Json | null)?.version ?? 0 }),
      foresee: foreseeTerms,
    }),
    tool({
      name: 'apply_plan',
      title: 'Apply a plan',
      route: 'POST /v1/program-plans/{planId}/apply',
      about: { planId: 'The plan, pln_…, from `plan_program`.' },
      description:
        'Apply a plan that `plan_program` made: all of its changes or none. New versions take effect at once.',
      isGrave: true,
      sees: [PLAN],
      look: async ({ planId }, read) => ({ plan: (await read(PLAN, { planId })).data }),
      foresee: foreseePlan,
    }),
    tool({
      name: 'set_program_status',
      title: 'Activate, pause or end a program',
      route: 'POST /v1/programs/{programId}/status',
      about: { programId: 'The program, prg_…' },
      description: 'Activate, pause, end or archive a program.',
      isGrave: true,
      sees: [PROGRAM],
      look: async ({ programId }, read) => ({
        program: (await read(PROGRAM, { programId })).data,
      }),
      foresee: foreseeStatus,
    }),
  ];
}

const PAGE = 100;
/** Applications before the newest this many are decided in the console. */
const PAGES_MAX = 50;

/** There is no route for one application. */
async function findApplication({ partnerRequestId }: Json, read: Read): Promise<Json> {
  let cursor: unknown = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { data, nextCursor } = await read(APPLICATIONS, { limit: PAGE, cursor });
    const application = (data as readonly Json[]).find(({ id }) => id === partnerRequestId);
    if (application) return { application };
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  throw notFound('application');
}
