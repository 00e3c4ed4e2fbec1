import type { Route } from '../../../platform/http/routes/route.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { IdText } from '../../../platform/kit/schema.ts';
import type { CallRoute, Json } from './call-route.ts';
import { type FindRoute, permissionsOf, type Tool } from './tool.ts';

/** Tools that take more than one call. */
export function compoundTools(find: FindRoute): Tool[] {
  return [readAnything(find), explainReward(find), readTerms(find)];
}

/** The route that reads the object, by the prefix of its id. */
const READERS = {
  par: 'GET /v1/participants/{id}',
  evt: 'GET /v1/events/{id}',
  ref: 'GET /v1/referrals/{id}',
  tch: 'GET /v1/touches/{id}',
  rwd: 'GET /v1/rewards/{rewardId}',
  prg: 'GET /v1/programs/{programId}',
  rvw: 'GET /v1/risk-reviews/{id}',
  pob: 'GET /v1/payout-batches/{batchId}',
  po: 'GET /v1/payouts/{payoutId}',
  sfact: 'GET /v1/subscription-facts/{id}',
  whe: 'GET /v1/webhook-endpoints/{endpointId}',
  wev: 'GET /v1/webhook-events/{eventId}',
} as const;

function readAnything(find: FindRoute): Tool {
  const readers = new Map<string, Route>(
    Object.entries(READERS).map(([prefix, name]) => [prefix, find(name)]),
  );
  return {
    name: 'read',
    title: 'Read one object',
    description:
      'Read one object by its id: a participant (par_…) with enrollments, codes, links and recent events, an event (evt_…), referral (ref_…), touch (tch_…), reward (rwd_…), program (prg_…), risk review (rvw_…), payout (po_…), payout batch (pob_…), subscription fact (sfact_…), webhook endpoint (whe_…) or event of the feed (wev_…). Use `search` if you do not have the id.',
    permissions: [],
    input: { id: IdText('The id, with its prefix.') },
    change: null,
    async run({ args, projectId, call }) {
      const id = String(args.id);
      const route = readers.get(id.slice(0, id.indexOf('_')));
      const name = Object.keys(route?.params?.properties ?? {})[0];
      if (!route || name === undefined) throw notFound('object');
      return call({ route, projectId, args: { [name]: id } });
    },
  };
}

function explainReward(find: FindRoute): Tool {
  const routes = {
    reward: find('GET /v1/rewards/{rewardId}'),
    event: find('GET /v1/events/{id}'),
    explanation: find('GET /v1/events/{id}/explanation'),
  };
  return {
    name: 'explain_reward',
    title: 'Explain a reward',
    description:
      'Explain a reward: the reward with its status, hold and delivery, the event that earned it, and why the rules gave it. Use it to answer why a reward is on hold or was not paid: see `reward.delivery` and `reward.availableAt`.',
    permissions: permissionsOf(...Object.values(routes)),
    input: { rewardId: IdText('The reward, rwd_…') },
    change: null,
    async run({ args, projectId, call }) {
      const reward = await call({ route: routes.reward, projectId, args });
      const about = { projectId, args: { id: reward.eventId } };
      const [event, explanation] = await Promise.all([
        call({ route: routes.event, ...about }),
        call({ route: routes.explanation, ...about }),
      ]);
      return { reward, event: event.data, explanation: explanation.data };
    },
  };
}

function readTerms(find: FindRoute): Tool {
  const readProgram = makeReadProgram(find);
  return {
    name: 'read_terms',
    title: 'Read a program and its terms',
    description:
      'Read everything that a program promises: its settings, its rules with all versions of their terms, how rewards are delivered, and its attribution policies.',
    permissions: readProgram.permissions,
    input: { programId: IdText('The program, prg_…') },
    change: null,
    run: ({ args, projectId, call }) => readProgram.read(call, projectId, String(args.programId)),
  };
}

/** A program's definition: also a resource. */
export function makeReadProgram(find: FindRoute) {
  const routes = {
    program: find('GET /v1/programs/{programId}'),
    rules: find('GET /v1/programs/{programId}/benefit-rules'),
    deliverySettings: find('GET /v1/programs/{programId}/delivery-settings'),
    attributionPolicies: find('GET /v1/programs/{programId}/attribution-policies'),
  };
  const terms = find('GET /v1/benefit-rules/{ruleId}/terms');
  return {
    permissions: permissionsOf(terms, ...Object.values(routes)),
    async read(call: CallRoute, projectId: string, programId: string): Promise<Json> {
      const read = async (route: Route) =>
        (await call({ route, projectId, args: { programId } })).data;
      // First, so that an unknown program is refused once.
      const program = await read(routes.program);
      const [rules, deliverySettings, attributionPolicies] = await Promise.all([
        read(routes.rules) as Promise<readonly { readonly id: string }[]>,
        read(routes.deliverySettings),
        read(routes.attributionPolicies),
      ]);
      const withTerms = rules.map(async (rule) => {
        const { data } = await call({ route: terms, projectId, args: { ruleId: rule.id } });
        return { ...rule, terms: data };
      });
      return {
        program,
        rules: await Promise.all(withTerms),
        deliverySettings,
        attributionPolicies,
      };
    },
  };
}
