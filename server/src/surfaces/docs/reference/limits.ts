import { INVITATION_KEPT_MS } from '../../../accounts/users/purge-users.ts';
import { RESET_SECONDS } from '../../../accounts/users/sign-in/create-auth.ts';
import { IDLE_MS, INVITATION_MS, LIFE_MS } from '../../../accounts/users/sign-in/lifetimes.ts';
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../../../accounts/users/sign-in/passwords.ts';
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
import { VERSIONS_MAX as POLICIES_MAX } from '../../../domain/programs/policies/publish-policy.ts';
import { RULES_MAX } from '../../../domain/programs/rules/create-rule.ts';
import { VERSIONS_MAX as TERMS_MAX } from '../../../domain/programs/rules/publish-terms.ts';
import { PURCHASE_WAIT_MS } from '../../../domain/tracking/decide/decide-purchase-wait.ts';
import { ADJUSTMENT_WAIT_MS } from '../../../domain/tracking/decide/early-adjustment.ts';
import { PROPERTIES_MAX } from '../../../domain/tracking/event-schema.ts';
import { AHEAD_MS, BACK_MS } from '../../../domain/tracking/intake/check-fact.ts';
import { SOURCES_MAX } from '../../../domain/tracking/sources/register-source.ts';
import {
  EVENT_DAYS,
  PARKED_DAYS,
  REVERSAL_DAYS,
} from '../../../outbound/integrations/stripe/purge-events.ts';
import { COOLING_MS } from '../../../outbound/payouts/details/decide-details-change.ts';
import { WATCHED_DAYS } from '../../../outbound/payouts/transfers/decide-call.ts';
import { ENDPOINTS_MAX } from '../../../outbound/webhooks/endpoints/create-endpoint.ts';
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
import { bytes, count, days, duration } from './durations.ts';

type Rows = readonly (readonly [what: string, limit: string])[];

/** Numbers that callers can run into, each from the place that goes by it. */
export const LIMITS: Readonly<Record<string, Rows>> = {
  Requests: [
    ['Body', bytes(BODY_BYTES_MAX)],
    ['Levels of nesting in a body', count(DEPTH_MAX)],
    ['Items of an array in a body, unless a call takes fewer', count(ITEMS_MAX)],
    ['Fields of an object in a body, unless a call takes fewer', count(FIELDS_MAX)],
    ['Characters of a field name', count(NAME_LENGTH_MAX)],
    ['Values in a body, counting every item and field', count(VALUES_MAX)],
    ['Time for a request to arrive', duration(REQUEST_MS)],
    ['Requests of one connection whose answers were not read yet', count(UNANSWERED_MAX)],
    ['Faults that `details` lists', count(ISSUES_MAX)],
    ['How long an `Idempotency-Key` is remembered', duration(IDEMPOTENCY_MS)],
    ['Days in a report', count(DAYS_MAX)],
  ],
  'What there can be': [
    ['Programs of a project', count(PROGRAMS_MAX)],
    ['Rules of a program', count(RULES_MAX)],
    ['Versions of a rule’s terms', count(TERMS_MAX)],
    ['Versions of a program’s attribution policy', count(POLICIES_MAX)],
    ['Codes of a participant in a program', count(CODES_MAX)],
    ['Links on a code', count(LINKS_MAX)],
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
    ['How long after its end a handle can be identified', duration(ENDED_HANDLE_MS)],
    ['Clicks of a browser on one code that are one touch', `within ${duration(SAME_TOUCH_MS)}`],
    ['From following a link to the landing page’s call', duration(CLICK_TOKEN_MS)],
    ['Life of a reference key', `${duration(KEY_LIFE_MS)}, at most ${duration(KEY_LIFE_MAX_MS)}`],
    ['How far ahead a test clock may be', duration(AHEAD_MAX_MS)],
  ],
  'Webhooks and the feed': [
    ['Time to answer a webhook', duration(DEADLINE_MS)],
    ['Attempts', count(ATTEMPTS_MAX)],
    ['Wait before the second attempt; it doubles each time', duration(FIRST_WAIT_MS)],
    ['Longest wait between attempts', duration(LONGEST_WAIT_MS)],
    ['What is kept of an answer', bytes(ANSWER_BYTES_MAX)],
    ['Length of an endpoint’s URL', `${count(URL_LENGTH_MAX)} characters`],
    ['Secrets that sign at a time', count(LIVE_SECRETS_MAX)],
    ['How long a rotated secret signs', duration(ROTATED_SECRET_MS)],
    ['Going back to the version before', `within ${duration(GO_BACK_MS)}`],
    ['Between comments in a quiet stream', duration(HEARTBEAT_MS)],
  ],
  'Keys, tokens and sessions': [
    ['How long a replaced API key is good, unless told', `${OLD_KEY_HOURS} hours`],
    ['How long a replaced widget secret is good', duration(OVERLAP_MS)],
    ['Life of a widget token', duration(TOKEN_SECONDS_MAX * 1_000)],
    ['Difference of clocks that a widget token is forgiven', duration(SKEW_SECONDS * 1_000)],
    ['Password', `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`],
    [
      'Signed in to the console',
      `${duration(IDLE_MS)} after the last visit, ${duration(LIFE_MS)} at most`,
    ],
    ['Invitation', duration(INVITATION_MS)],
    ['Link to a new password', duration(RESET_SECONDS * 1_000)],
    ['Link that proves a partner’s address', days(PROOF_DAYS)],
  ],
  Payouts: [
    ['Before changed payout details are used', duration(COOLING_MS)],
    ['How long a paid transfer is watched for coming back', days(WATCHED_DAYS)],
  ],
  'How long things are kept': [
    ['Adjustments that wait for their purchase', duration(ADJUSTMENT_WAIT_MS)],
    ['Hashes of visitors’ networks', duration(NETWORK_HASH_MS)],
    ['Partner applications whose address was not proved', days(UNPROVEN_DAYS)],
    ['Partner applications that were rejected or withdrawn', days(ENDED_DAYS)],
    ['What became of invitations', duration(INVITATION_KEPT_MS)],
    ['Which events of Stripe were handled', days(EVENT_DAYS)],
    [
      'Parked events of Stripe',
      `${days(PARKED_DAYS)}; those that wait for a refund or dispute ${days(REVERSAL_DAYS)}`,
    ],
  ],
};
