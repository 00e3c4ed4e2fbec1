/** How many operations of all worlds must have reached all of it. */
export const OPERATIONS_MIN = 20_000;

/**
 * What worlds are made to reach. A change of the generator or of the service that keeps them from it would leave
 * promises untested without anybody noticing.
 */
const MUST_BE_SEEN: readonly string[] = [
  ...['200', '409 invalid_transition', '409 program_not_open'],
  ...['409 enrollment_ended', '409 revocation_not_pending', '409 reward_voided'],
  ...['409 adjustment_exceeds_purchase', '503 SERVICE_UNAVAILABLE'],
  ...['pending', 'fulfilled', 'cancelled', 'revocation_pending', 'revoked'].map(
    (status) => `reward ${status}`,
  ),
  ...['attributed', 'no_candidate', 'self_referral', 'existing_customer', 'program_not_active'],
  ...['enrollment_not_active', 'no_referral', 'no_signup', 'duplicate_invoice'],
  ...['referrals', 'purchases', 'revenue'].flatMap((measure) => [
    `milestone of ${measure}`,
    `${measure} of all_time gave another step`,
    `${measure} of calendar_month gave another step`,
    `${measure} of rolling_30_days gave another step`,
  ]),
  ...['refund', 'dispute', 'restoration', 'dispute_lost'].flatMap((kind) => [
    `${kind} accepted`,
    `${kind} accepted before its purchase`,
  ]),
  ...['refund reported late', 'dispute reported late'],
  ...['409 dispute_closed', '404 adjustment_unknown', 'a reward held for a dispute'],
  ...['a click was recorded', 'a click was not recorded', '409 handle_already_identified'],
  ...['identify: not_a_handle', 'identify: handle_already_identified'],
  ...['link', 'landing_param', 'ref_code'].map((source) => `referred by a touch of ${source}`),
  ...['milestone reached again', 'void milestone_lost'],
  ...['crash', 'break', 'freeze', 'refuse', 'slow', 'lose_commit', 'receiver', 'sleep'],
  ...['paid', 'failed', 'returned', 'cancelled'].map((status) => `payout by wise ${status}`),
  ...['paid', 'failed', 'returned', 'cancelled'].map((status) => `payout by paypal ${status}`),
  'payout by stripe_connect paid',
  ...['PayPal announced a known transfer', 'an unanswered payout was recorded'],
  ...['sent', 'unknown', 'bounced', 'failed', 'suppressed', 'dropped'].map(
    (state) => `mail ${state}`,
  ),
  'smtp',
  ...['a balance was credited', 'a credit was taken back', 'a credit waits for its customer'],
  ...['a discount by a code', 'a discount by a subscription'],
  ...['payout by manual_export paid', '400 UNSUPPORTED_DELIVERY_METHOD'],
  ...['transfer', 'provider', 'a store was put back', 'an advance was used'],
  '409 store_restored',
  ...['a review was open', 'a review was approved', 'a review was rejected'],
  ...['a group was referred by itself', 'a group was referred as its actor was'],
  ...['a group earned a reward', 'a group bought for the referral of a person'],
  ...['a subscription bound a referral', 'awaiting_subscription'],
  ...['signup', 'purchase'].map((type) => `a ${type} that waited for a subscription earned`),
  ...['purchase', 'custom_review'].map((type) => `a member earned for a ${type}`),
  ...['a reward in EUR', 'a reward in JPY'],
  ...['a member lost a reward', 'a referral earned for a custom_review'],
  ...['referrer_unavailable', 'a partner was suspended', 'a partner was reinstated'],
  ...['an application was approved', 'an application was rejected'],
  ...['a partner has referred', 'a partner earned a reward'],
  'many events were reported at once',
  ...['a referral was imported', 'an imported person signed up'],
  'a call was lost in a crash',
  'a process was frozen in a transaction',
];

interface Run {
  readonly operations: number;
  readonly seen: ReadonlyMap<string, number>;
}

/** What a run should have reached and has not; nothing is asked of a short one. */
export function listUnseen({ operations, seen }: Run): string[] {
  if (operations < OPERATIONS_MIN) return [];
  return MUST_BE_SEEN.filter((name) => !seen.has(name));
}
