import { INVITATION_KEPT_MS } from '../../../accounts/users/purge-users.ts';
import { RESET_SECONDS } from '../../../accounts/users/sign-in/auth-paths.ts';
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../../../accounts/users/sign-in/passwords.ts';
import { IDLE_MS, INVITATION_MS, LIFE_MS } from '../../../accounts/users/sign-in/session-rules.ts';
import { OLD_KEY_HOURS } from '../../../accounts/workspaces/api-keys/api-keys.ts';
import { AHEAD_MAX_MS } from '../../../accounts/workspaces/decide-clock.ts';
import { OVERLAP_MS } from '../../../accounts/workspaces/widget-secrets.ts';
import {
  KEY_LIFE_MAX_MS,
  KEY_LIFE_MS,
  KEYS_PER_HANDLE_MAX,
} from '../../../domain/attribution/decide-identify.ts';
import {
  CLICK_TOKEN_MS,
  ENDED_HANDLE_MS,
  HANDLE_MAX_MS,
  HANDLE_MS,
  NETWORK_HASH_MS,
  SAME_TOUCH_MS,
} from '../../../domain/clicks/handle.ts';
import { CODES_MAX, LINKS_MAX } from '../../../domain/participants/enrollments/decide-joining.ts';
import { PROOF_DAYS } from '../../../domain/partners/applications/proof-token.ts';
import { ENDED_DAYS, UNPROVEN_DAYS } from '../../../domain/partners/purge.ts';
import { PROGRAMS_MAX } from '../../../domain/programs/create-program.ts';
import { TEXT_LENGTH_MAX } from '../../../domain/programs/definition/read-text.ts';
import { PLAN_MS } from '../../../domain/programs/plans/purge-plans.ts';
import { VERSIONS_MAX as POLICIES_MAX } from '../../../domain/programs/policies/publish-policy.ts';
import { VERSIONS_MAX as TERMS_MAX } from '../../../domain/programs/rules/publish-terms.ts';
import { RULES_MAX } from '../../../domain/programs/rules/versions.ts';
import { LIST_NETWORKS_MAX } from '../../../domain/risk/lists/change-lists.ts';
import { LIST_MAX } from '../../../domain/risk/schema.ts';
import { PURCHASE_WAIT_MS } from '../../../domain/tracking/decide/decide-purchase-wait.ts';
import { ADJUSTMENT_WAIT_MS } from '../../../domain/tracking/decide/early-adjustment.ts';
import { PROPERTIES_MAX } from '../../../domain/tracking/event-schema.ts';
import { AHEAD_MS, BACK_MS } from '../../../domain/tracking/intake/check-fact.ts';
import { SOURCES_MAX } from '../../../domain/tracking/sources.ts';
import {
  EVENT_DAYS,
  PARKED_DAYS,
  REVERSAL_DAYS,
} from '../../../outbound/integrations/stripe/purge-events.ts';
import { COOLING_MS } from '../../../outbound/payouts/details/decide-details-change.ts';
import { WATCHED_DAYS } from '../../../outbound/payouts/transfers/decide-call.ts';
import { ENDPOINTS_MAX } from '../../../outbound/webhooks/endpoints/change-endpoint.ts';
import { GO_BACK_MS } from '../../../outbound/webhooks/endpoints/decide-api-version.ts';
import { URL_LENGTH_MAX } from '../../../outbound/webhooks/endpoints/endpoint-url.ts';
import {
  ATTEMPTS_MAX,
  FIRST_WAIT_MS,
  LONGEST_WAIT_MS,
} from '../../../outbound/webhooks/queue/schedule.ts';
import { ANSWER_BYTES_MAX } from '../../../outbound/webhooks/sender/exchange.ts';
import { DEADLINE_MS } from '../../../outbound/webhooks/sender/send-request.ts';
import { LIVE_SECRETS_MAX, ROTATED_SECRET_MS } from '../../../outbound/webhooks/sender/sign.ts';
import { IDEMPOTENCY_MS } from '../../../platform/feed/writer/run-batch.ts';
import {
  DEPTH_MAX,
  FIELDS_MAX,
  ITEMS_MAX,
  NAME_LENGTH_MAX,
  VALUES_MAX,
} from '../../../platform/http/routes/parse-json.ts';
import { BODY_BYTES_MAX } from '../../../platform/http/routes/route.ts';
import { ISSUES_MAX } from '../../../platform/http/routes/validate.ts';
import { REQUEST_MS, UNANSWERED_MAX } from '../../../platform/http/server/bounded-server.ts';
import { HEARTBEAT_MS } from '../../../platform/http/server/send-stream.ts';
import { DAYS_MAX } from '../../views/figures/day-range.ts';
import { SKEW_SECONDS, TOKEN_SECONDS_MAX } from '../../widget/verify-token.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const digits = new Intl.NumberFormat('en-US');

export const count = (value: number): string => digits.format(value);

/** In the largest unit that it is a whole number of; up to three days in hours. */
function duration(ms: number): string {
  const unit =
    UNITS.find(([name, size]) => ms % size === 0 && (name !== 'day' || ms > 3 * size)) ?? UNITS[3];
  const value = ms / unit[1];
  return `${count(value)} ${unit[0]}${value === 1 ? '' : 's'}`;
}

const days = (value: number): string => `${count(value)} days`;
const bytes = (value: number): string => `${count(value)} bytes`;

type Rows = readonly (readonly [what: string, limit: string])[];

/** Numbers that callers can run into, each from the place that goes by it. */
export const LIMITS: Readonly<Record<string, Rows>> = {
  Requests: [
    ['Size of a body', bytes(BODY_BYTES_MAX)],
    ['Levels of nesting in a body', count(DEPTH_MAX)],
    ['Items of an array in a body, unless a call allows fewer', count(ITEMS_MAX)],
    ['Fields of an object in a body, unless a call allows fewer', count(FIELDS_MAX)],
    ['Characters of a field name', count(NAME_LENGTH_MAX)],
    ['Values in a body, counting every item and field', count(VALUES_MAX)],
    ['Time for a request to arrive', duration(REQUEST_MS)],
    ['Requests on one connection whose responses were not read yet', count(UNANSWERED_MAX)],
    ['Errors listed in `details`', count(ISSUES_MAX)],
    ['How long an `Idempotency-Key` is kept', duration(IDEMPOTENCY_MS)],
    ['How long a plan of a program can be applied', duration(PLAN_MS)],
    ['Characters of a program’s file', count(TEXT_LENGTH_MAX)],
    ['Days in a report', count(DAYS_MAX)],
  ],
  'Number of objects': [
    ['Programs of a project', count(PROGRAMS_MAX)],
    ['Rules of a program', count(RULES_MAX)],
    ['Versions of a rule’s terms', count(TERMS_MAX)],
    ['Versions of a program’s attribution policy, and of its risk policy', count(POLICIES_MAX)],
    ['Entries of each list of what a project allows or watches', count(LIST_MAX)],
    ['Networks (/24, IPv6: /48) of all ranges of such a list', count(LIST_NETWORKS_MAX)],
    ['Codes of a participant in a program', count(CODES_MAX)],
    ['Links of a code', count(LINKS_MAX)],
    ['Sources of a project', count(SOURCES_MAX)],
    ['Webhook endpoints of a project', count(ENDPOINTS_MAX)],
    ['Properties of an event', count(PROPERTIES_MAX)],
    ['Reference keys of a handle', count(KEYS_PER_HANDLE_MAX)],
  ],
  'Facts and attribution': [
    ['How far ahead `occurredAt` may be', duration(AHEAD_MS)],
    ['How far back `occurredAt` may be', duration(BACK_MS)],
    ['How long a purchase waits for its signup', duration(PURCHASE_WAIT_MS)],
    [
      'How long a browser keeps its handle after the last click',
      `the longest attribution window, ${duration(HANDLE_MS)} to ${duration(HANDLE_MAX_MS)}`,
    ],
    ['How long a handle can still be identified after it expired', duration(ENDED_HANDLE_MS)],
    [
      'Clicks of a browser on the same code that count as one touch',
      `within ${duration(SAME_TOUCH_MS)}`,
    ],
    ['Time between following a link and the call of the landing page', duration(CLICK_TOKEN_MS)],
    [
      'Lifetime of a reference key',
      `${duration(KEY_LIFE_MS)} by default, at most ${duration(KEY_LIFE_MAX_MS)}`,
    ],
    ['How far ahead a test clock may be', duration(AHEAD_MAX_MS)],
  ],
  'Webhooks and the feed': [
    ['Time to respond to a webhook', duration(DEADLINE_MS)],
    ['Attempts of a delivery', count(ATTEMPTS_MAX)],
    ['Delay before the second attempt; it doubles each time', duration(FIRST_WAIT_MS)],
    ['Longest delay between attempts', duration(LONGEST_WAIT_MS)],
    ['Part of a response that is stored', bytes(ANSWER_BYTES_MAX)],
    ['Length of an endpoint’s URL', `${count(URL_LENGTH_MAX)} characters`],
    ['Secrets that sign at the same time', count(LIVE_SECRETS_MAX)],
    ['How long an old secret signs after a rotation', duration(ROTATED_SECRET_MS)],
    ['Going back to the previous version', `within ${duration(GO_BACK_MS)}`],
    ['Time between comments in a quiet stream', duration(HEARTBEAT_MS)],
  ],
  'Keys, tokens and sessions': [
    ['How long a replaced API key stays valid (default)', `${OLD_KEY_HOURS} hours`],
    ['How long a replaced widget secret stays valid', duration(OVERLAP_MS)],
    ['Lifetime of a widget token', duration(TOKEN_SECONDS_MAX * 1_000)],
    ['Clock difference that is tolerated for a widget token', duration(SKEW_SECONDS * 1_000)],
    ['Password', `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`],
    [
      'Session in the console',
      `${duration(IDLE_MS)} after the last visit, ${duration(LIFE_MS)} at most`,
    ],
    ['Lifetime of an invitation', duration(INVITATION_MS)],
    ['Lifetime of a link to reset a password', duration(RESET_SECONDS * 1_000)],
    ['Lifetime of a link to verify a partner’s address', days(PROOF_DAYS)],
  ],
  Payouts: [
    ['Delay before changed payout details take effect', duration(COOLING_MS)],
    ['How long a paid transfer is watched for a return', days(WATCHED_DAYS)],
  ],
  'How long things are kept': [
    ['Adjustments that wait for their purchase', duration(ADJUSTMENT_WAIT_MS)],
    ['Hashes of visitors’ networks', duration(NETWORK_HASH_MS)],
    ['Partner applications whose address was not verified', days(UNPROVEN_DAYS)],
    ['Partner applications that were rejected or withdrawn', days(ENDED_DAYS)],
    ['Invitations that were accepted, revoked or expired', duration(INVITATION_KEPT_MS)],
    ['Ids of processed Stripe events', days(EVENT_DAYS)],
    [
      'Parked Stripe events',
      `${days(PARKED_DAYS)}; ${days(REVERSAL_DAYS)} if they wait for a refund or dispute`,
    ],
  ],
};
