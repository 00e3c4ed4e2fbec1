import { type FindRoute, readTool, type Tool } from './tool.ts';

/** Tools that are one route each. */
export function readTools(find: FindRoute): Tool[] {
  return [
    readTool(find, {
      name: 'search',
      title: 'Search a project',
      route: 'GET /v1/search',
      description:
        'Find people, events, referrals, rewards, programs, payouts, codes and links by name, e-mail address, external id or id. Use it first when you have anything but an exact Goodword id. Returns at most 20 results, best match first; read one with `read`.',
    }),
    readTool(find, {
      name: 'explain_event',
      title: 'Explain an event',
      route: 'GET /v1/events/{id}/explanation',
      about: { id: 'The event, evt_…' },
      description:
        'Explain why an event was credited to a referrer or to nobody, and for each rule of the program why it gave a reward or not. Use it to answer why somebody got no reward. Find the event with `search` or `list_events`.',
    }),
    readTool(find, {
      name: 'dry_run_event',
      title: 'Dry run of an event',
      route: 'POST /v1/simulations/events',
      description:
        'See what an event would be credited to and what it would earn if it were sent now. Nothing is stored. Needs the id of a source, from `list_sources`.',
    }),
    readTool(find, {
      name: 'list_waiting',
      title: 'List what waits for a person',
      route: 'GET /v1/attention',
      description:
        'List everything in a project that waits for a person: rewards to grant, risk reviews, payout batches, partner applications, webhook endpoints with failing deliveries and failed events. Returns a number for each kind; use the list_… tools to see the items.',
    }),
    readTool(find, {
      name: 'list_programs',
      title: 'List programs',
      route: 'GET /v1/programs',
      description:
        'List the programs of a project with their status and numbers. Use `read_terms` for what a program rewards.',
    }),
    readTool(find, {
      name: 'read_definition',
      title: 'Read a program as a file',
      route: 'GET /v1/programs/{programId}/definition',
      about: { programId: 'The program, prg_…, from `list_programs`.' },
      description:
        'Read a program as a file: its settings, policies and rules with their terms. `file` is YAML; change it, then use `plan_program`.',
    }),
    readTool(find, {
      name: 'plan_program',
      title: 'Plan the change of a program',
      route: 'POST /v1/program-plans',
      description:
        'See what a changed program file would change, in sentences. Nothing but the plan is stored. A field or rule that the file lacks is left alone. `apply_plan` applies the plan within 24 hours.',
    }),
    readTool(find, {
      name: 'start_backtest',
      title: 'Back-test a program',
      route: 'POST /v1/backtests',
      description:
        'Find out what changed terms or policies would have cost: replays the history of a time with a program file. Nothing but the result is stored. It runs in the background; read it with `read_backtest` until its status is `done`.',
    }),
    readTool(find, {
      name: 'read_backtest',
      title: 'Read a back-test',
      route: 'GET /v1/backtests/{backtestId}',
      about: { backtestId: 'The back-test, from `start_backtest` or `list_backtests`.' },
      description:
        'Read the progress of a back-test, and its result: what was earned and what would have been, by currency, rule and person.',
    }),
    readTool(find, {
      name: 'list_backtests',
      title: 'List back-tests',
      route: 'GET /v1/backtests',
      description: 'List the back-tests of a project, newest first.',
    }),
    readTool(find, {
      name: 'list_rewards',
      title: 'List rewards',
      route: 'GET /v1/rewards',
      description:
        'List rewards, newest first: filter by beneficiary, program, event, status or method. `delivery.reason` says why a reward was not delivered yet, and `availableAt` when its hold ends.',
    }),
    readTool(find, {
      name: 'list_events',
      title: 'List events',
      route: 'GET /v1/events',
      description:
        'List events (signups, purchases, custom events), newest first: filter by participant, type or state.',
    }),
    readTool(find, {
      name: 'list_referrals',
      title: 'List referrals',
      route: 'GET /v1/referrals',
      description:
        'List referrals, newest first: filter by referrer, by the person who was referred, or by program.',
    }),
    readTool(find, {
      name: 'list_reviews',
      title: 'List risk reviews',
      route: 'GET /v1/risk-reviews',
      description:
        'List reviews of suspicious referrals with their score and signals. An open review holds the rewards of its referral until a person decides.',
    }),
    readTool(find, {
      name: 'list_applications',
      title: 'List partner applications',
      route: 'GET /v1/partner-applications',
      description: 'List applications of partners, newest first: filter by status or program.',
    }),
    readTool(find, {
      name: 'list_payout_batches',
      title: 'List payout batches',
      route: 'GET /v1/payout-batches',
      description:
        'List payout batches, newest first. A batch in `draft` waits for an approval, an `approved` one to be submitted. Both are done in the console, not with tools.',
    }),
    readTool(find, {
      name: 'list_payouts',
      title: 'List payouts',
      route: 'GET /v1/payouts',
      description:
        'List payouts, newest first: filter by beneficiary, batch or status. Use it to answer when somebody was or will be paid.',
    }),
    readTool(find, {
      name: 'payout_overview',
      title: 'Show what is owed',
      route: 'GET /v1/payout-overview',
      description:
        'Show what a project owes in cash by currency, how much of it could be paid now, and why the rest could not.',
    }),
    readTool(find, {
      name: 'list_endpoints',
      title: 'List webhook endpoints',
      route: 'GET /v1/webhook-endpoints',
      description: 'List the webhook endpoints of a project.',
    }),
    readTool(find, {
      name: 'endpoint_health',
      title: 'Show the health of webhook endpoints',
      route: 'GET /v1/webhook-endpoints/health',
      description:
        'Show how each webhook endpoint of a project responds. Use `list_deliveries` for the failed deliveries of one.',
    }),
    readTool(find, {
      name: 'list_deliveries',
      title: 'List webhook deliveries',
      route: 'GET /v1/webhook-endpoints/{endpointId}/deliveries',
      about: { endpointId: 'The endpoint, whe_…' },
      description:
        'List the webhook deliveries of one endpoint, newest event first: filter by status or event.',
    }),
    readTool(find, {
      name: 'list_sources',
      title: 'List sources of events',
      route: 'GET /v1/sources',
      description: 'List the sources that send events to a project, for `dry_run_event`.',
    }),
  ];
}
