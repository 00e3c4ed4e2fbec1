/** The command line's names for an operation of the API. */
export interface Naming {
  /** One word, or a group and an action. */
  readonly words: string;
  /** Other accepted names. */
  readonly also?: readonly string[];
  /** Flags whose values can be positional arguments, after the ids of the path. */
  readonly args?: readonly string[];
  /** Needs confirmation if a field of its body has one of these values. */
  readonly graveIf?: GraveIf;
}

export type GraveIf = Readonly<Record<string, readonly string[]>>;

/**
 * Every operation that has a command. A new route needs a line here, or one in `WITHOUT_COMMAND`.
 */
export const NAMES: Readonly<Record<string, string | Naming>> = {
  'POST /v1/workspaces': 'workspaces create',
  'GET /v1/workspaces': 'workspaces list',
  'POST /v1/projects': 'projects create',
  'GET /v1/projects': 'projects list',
  'PATCH /v1/projects/{projectId}': { words: 'projects update', also: ['projects change'] },
  'POST /v1/api-keys': 'keys create',
  'GET /v1/api-keys': 'keys list',
  'POST /v1/api-keys/{keyId}/revoke': 'keys revoke',
  'POST /v1/api-keys/{keyId}/rotate': 'keys rotate',
  'POST /v1/projects/{projectId}/widget-secrets': 'widget-secrets create',
  'GET /v1/projects/{projectId}/widget-secrets': 'widget-secrets list',
  'POST /v1/projects/{projectId}/widget-secrets/{secretId}/revoke': 'widget-secrets revoke',
  'GET /v1/audit-log': { words: 'audit list', also: ['audit'] },
  'GET /v1/users': 'team list',
  'PATCH /v1/users/{userId}': { words: 'team set-role', args: ['role'] },
  'DELETE /v1/users/{userId}': 'team remove',
  'POST /v1/invitations': { words: 'team invite', also: ['invitations create'], args: ['email'] },
  'GET /v1/invitations': 'invitations list',
  'POST /v1/invitations/{invitationId}/revoke': 'invitations revoke',
  'GET /v1/projects/{projectId}/clock': 'clock show',
  'PUT /v1/projects/{projectId}/clock': 'clock set',

  'POST /v1/programs': 'programs create',
  'POST /v1/programs/copies': { words: 'programs copy', also: ['programs duplicate'] },
  'GET /v1/programs': 'programs list',
  'GET /v1/programs/{programId}': 'programs show',
  'PATCH /v1/programs/{programId}': 'programs update',
  'POST /v1/programs/{programId}/status': {
    words: 'programs set-status',
    args: ['status'],
    graveIf: { status: ['ended', 'archived'] },
  },
  'GET /v1/programs/{programId}/summary': 'programs summary',
  'GET /v1/programs/{programId}/attribution-policies': 'policies list',
  'POST /v1/programs/{programId}/attribution-policies': 'policies publish',
  'GET /v1/programs/{programId}/delivery-settings': 'delivery-settings show',
  'PUT /v1/programs/{programId}/delivery-settings': 'delivery-settings update',
  'GET /v1/programs/{programId}/benefit-rules': 'rules list',
  'POST /v1/benefit-rules': 'rules create',
  'PUT /v1/benefit-rules/{ruleId}/name': { words: 'rules rename', args: ['name'] },
  'GET /v1/benefit-rules/{ruleId}/terms': 'terms list',
  'POST /v1/benefit-rules/{ruleId}/terms': 'terms publish',

  'PUT /v1/participants': { words: 'participants save', also: ['participants create'] },
  'GET /v1/participants': 'participants list',
  'GET /v1/participants/{id}': 'participants show',
  'DELETE /v1/participants/{id}': { words: 'participants erase', also: ['participants delete'] },
  'POST /v1/participants/{id}/readmit': 'participants readmit',
  'POST /v1/enrollments': 'enrollments create',
  'POST /v1/enrollments/{enrollmentId}/end': 'enrollments end',
  'POST /v1/referral-codes': 'codes create',
  'POST /v1/referral-links': 'links create',
  'GET /v1/participant-names': { words: 'participants names', args: ['ids'] },
  'GET /v1/search': { words: 'search', args: ['q'] },
  'POST /v1/imports/rows': 'import',
  'GET /v1/partners': 'partners list',
  'GET /v1/partners/{partnerId}': 'partners show',
  'GET /v1/partners/{partnerId}/figures': 'partners figures',
  'POST /v1/partners/{partnerId}/suspend': 'partners suspend',
  'POST /v1/partners/{partnerId}/reinstate': 'partners reinstate',
  'POST /v1/partner-applications': 'applications create',
  'GET /v1/partner-applications': 'applications list',
  'POST /v1/partner-applications/{partnerRequestId}/approve': 'applications approve',
  'POST /v1/partner-applications/{partnerRequestId}/reject': 'applications reject',
  'DELETE /v1/partner-applications/{partnerRequestId}': 'applications erase',

  'POST /v1/sources': 'sources create',
  'GET /v1/sources': 'sources list',
  'PATCH /v1/sources/{id}': 'sources update',
  'POST /v1/track/events': 'track event',
  'POST /v1/track/events/batch': 'track batch',
  'POST /v1/track/adjustments': 'track adjustment',
  'POST /v1/track/subscriptions': 'track subscription',
  'POST /v1/identify': 'identify',
  'POST /v1/simulations/events': 'simulate',
  'GET /v1/events': 'events list',
  'GET /v1/events/{id}': 'events show',
  'POST /v1/events/{id}/retry': 'events retry',
  'GET /v1/events/{id}/explanation': 'events explanation',
  'GET /v1/referrals': 'referrals list',
  'GET /v1/referrals/{id}': 'referrals show',
  'GET /v1/touches/{id}': 'touches show',
  'GET /v1/subscription-facts/{id}': 'subscriptions show',

  'GET /v1/rewards': 'rewards list',
  'GET /v1/rewards/{rewardId}': 'rewards show',
  'POST /v1/rewards/{rewardId}/fulfillment': { words: 'rewards fulfil', also: ['rewards fulfill'] },
  'POST /v1/rewards/{rewardId}/revocation': 'rewards revoke',
  'POST /v1/rewards/{rewardId}/void': 'rewards void',
  'POST /v1/rewards/{rewardId}/retry': 'rewards retry',
  'GET /v1/reward-adjustments': 'adjustments list',
  'POST /v1/payout-batches': { words: 'batches create', also: ['batches draft'] },
  'GET /v1/payout-batches': 'batches list',
  'GET /v1/payout-batches/{batchId}': 'batches show',
  'POST /v1/payout-batches/{batchId}/approve': 'batches approve',
  'POST /v1/payout-batches/{batchId}/submit': 'batches submit',
  'POST /v1/payout-batches/{batchId}/cancel': 'batches cancel',
  'GET /v1/payout-batches/{batchId}/export': 'batches export',
  'GET /v1/payout-overview': 'payouts overview',
  'GET /v1/first-steps': 'first-steps',
  'GET /v1/payouts': 'payouts list',
  'GET /v1/payouts/{payoutId}': 'payouts show',
  'POST /v1/payouts/{payoutId}/result': { words: 'payouts record', args: ['outcome'] },
  'POST /v1/payouts/reminders': 'payouts remind',
  'GET /v1/projects/{projectId}/mail-settings': 'mail-settings show',
  'PUT /v1/projects/{projectId}/mail-settings': 'mail-settings update',
  'GET /v1/programs/{programId}/mail-settings': 'program-mail show',
  'PUT /v1/programs/{programId}/mail-settings': 'program-mail update',
  'POST /v1/programs/{programId}/mail-previews': { words: 'program-mail preview', args: ['kind'] },
  'GET /v1/mails': 'mails list',
  'POST /v1/mails/bounces': { words: 'mails report-bounce', args: ['kind'] },
  'GET /v1/workspaces/{workspaceId}/payout-settings': 'payout-settings show',
  'PUT /v1/workspaces/{workspaceId}/payout-settings': 'payout-settings update',
  'GET /v1/workspaces/{workspaceId}/team-settings': 'team-settings show',
  'PUT /v1/workspaces/{workspaceId}/team-settings': 'team-settings update',
  'PUT /v1/workspaces/{workspaceId}/payout-connections': 'payout-connections connect',
  'GET /v1/workspaces/{workspaceId}/payout-connections': 'payout-connections list',
  'GET /v1/workspaces/{workspaceId}/payout-connections/{connectionId}': 'payout-connections show',
  'DELETE /v1/workspaces/{workspaceId}/payout-connections/{connectionId}':
    'payout-connections delete',
  'GET /v1/reconciliation': { words: 'reconciliation', also: ['reconcile'] },

  'POST /v1/webhook-endpoints': { words: 'endpoints create', args: ['url'] },
  'GET /v1/webhook-endpoints': 'endpoints list',
  'GET /v1/webhook-endpoints/health': 'endpoints health',
  'GET /v1/webhook-endpoints/{endpointId}': 'endpoints show',
  'PATCH /v1/webhook-endpoints/{endpointId}': 'endpoints update',
  'DELETE /v1/webhook-endpoints/{endpointId}': 'endpoints delete',
  'POST /v1/webhook-endpoints/{endpointId}/rotate-secret': 'endpoints rotate-secret',
  'POST /v1/webhook-endpoints/{endpointId}/test': { words: 'endpoints test', args: ['type'] },
  'POST /v1/webhook-endpoints/{endpointId}/replay': 'endpoints replay',
  'GET /v1/webhook-endpoints/{endpointId}/deliveries': 'deliveries list',
  'GET /v1/webhook-endpoints/{endpointId}/deliveries/{eventId}': 'deliveries show',
  'GET /v1/webhook-events': 'feed list',
  'GET /v1/webhook-events/{eventId}': 'feed show',
  'POST /v1/integrations/stripe/connections': 'stripe connect',
  'GET /v1/integrations/stripe/connections': 'stripe list',
  'GET /v1/integrations/stripe/connections/{connectionId}': 'stripe show',
  'PATCH /v1/integrations/stripe/connections/{connectionId}': 'stripe update',
  'DELETE /v1/integrations/stripe/connections/{connectionId}': 'stripe delete',
  'GET /v1/integrations/stripe/parked': 'stripe parked',
  'POST /v1/integrations/stripe/parked/{parkedId}/resolve': 'stripe resolve',

  'GET /v1/attention': 'attention',
  'GET /v1/figures/daily': 'figures daily',
  'GET /v1/figures/top-referrers': 'figures top-referrers',
  'GET /v1/figures/top-links': 'figures top-links',
  'GET /v1/figures/campaigns': 'figures campaigns',
  'GET /v1/figures/cohorts': 'figures cohorts',
  'GET /v1/exports/participants': 'exports participants',
  'GET /v1/exports/referrals': 'exports referrals',
  'GET /v1/exports/events': 'exports events',
  'GET /v1/exports/rewards': 'exports rewards',
  'GET /v1/exports/reward-adjustments': 'exports adjustments',
  'GET /v1/exports/payouts': 'exports payouts',
  'GET /v1/exports/payout-batches': 'exports batches',
  'GET /v1/exports/partner-applications': 'exports applications',
  'GET /v1/exports/webhook-deliveries': { words: 'exports deliveries', args: ['endpoint'] },
  'GET /v1/exports/audit-log': 'exports audit',
  'GET /v1/exports/programs': 'exports programs',
  'GET /v1/exports/sources': 'exports sources',
  'GET /v1/exports/webhook-endpoints': 'exports endpoints',
  'GET /v1/exports/partners': 'exports partners',
  'GET /v1/exports/api-keys': 'exports keys',
  'GET /v1/exports/users': 'exports team',
  'GET /v1/exports/invitations': 'exports invitations',
  'GET /v1/exports/stripe-parked': 'exports parked',
};

const BROWSER = 'A person in a browser calls it, with a session or a link.';
const WIDGET = 'The widget calls it, with a participant’s token.';
const PROVIDER = 'A provider calls it, with a signature.';

/** The operations without a command, and why. */
export const WITHOUT_COMMAND: Readonly<Record<string, string>> = {
  'GET /v1/session': BROWSER,
  'POST /v1/programs/{programId}/mail-tests': BROWSER,
  'GET /v1/sign-in-options': BROWSER,
  'GET /v1/setup': BROWSER,
  'POST /v1/setup': BROWSER,
  'POST /v1/invitations/preview': BROWSER,
  'POST /v1/invitations/accept': BROWSER,
  'POST /v1/clicks': 'The landing script calls it.',
  'POST /v1/widget/init': WIDGET,
  'GET /v1/widget/rewards': WIDGET,
  'GET /v1/widget/payout-details': WIDGET,
  'PUT /v1/widget/payout-details': WIDGET,
  'POST /v1/integrations/paypal/{workspaceId}/{connectionId}': PROVIDER,
  'POST /v1/integrations/wise/{workspaceId}/{connectionId}': PROVIDER,
  'POST /v1/integrations/stripe-connect/{workspaceId}/{connectionId}': PROVIDER,
  'POST /v1/integrations/stripe/{projectId}/{connectionId}': PROVIDER,
  'GET /v1/webhook-events/stream': 'goodword tail follows it.',
};

/** The API's name for a group, where the command line has a shorter one. */
export const GROUP_ALIASES: Readonly<Record<string, string>> = {
  'api-keys': 'keys',
  users: 'team',
  'attribution-policies': 'policies',
  'benefit-rules': 'rules',
  'referral-codes': 'codes',
  'referral-links': 'links',
  'partner-applications': 'applications',
  'payout-batches': 'batches',
  'reward-adjustments': 'adjustments',
  'webhook-endpoints': 'endpoints',
  'webhook-events': 'feed',
};

/**
 * Irreversible operations, and those that pay money: they need confirmation. Approving a batch does
 * not, because it can still be cancelled. Nor does setting a clock, which only projects without
 * real money have.
 */
const GRAVE = new Set([
  'cancel',
  'delete',
  'end',
  'erase',
  'record',
  'remove',
  'revoke',
  'rotate',
  'rotate-secret',
  'submit',
  'suspend',
  'void',
]);

export const isGrave = (words: readonly string[]): boolean => GRAVE.has(words.at(-1) ?? '');
