type Json = Readonly<Record<string, unknown>>;

interface SeenReward {
  readonly benefitKind: string;
  readonly fulfillmentStatus: string;
  readonly delivery: { readonly method: string };
  readonly void: { readonly reasonCode: string } | null;
  readonly money: {
    readonly netAmountMinor: string;
    readonly currency: string;
    readonly currencyExponent: number;
  } | null;
}

/** What a void will do to a reward. */
export function foreseeVoid({ reward }: Json, { reasonCode }: Json): string[] {
  const seen = reward as SeenReward;
  const worth = seen.money ? ` It is worth ${showMoney(seen.money)}.` : '';
  if (seen.void) {
    return [
      `The reward is already voided, with reasonCode ${seen.void.reasonCode}. Voiding it again with another reasonCode may be refused.`,
    ];
  }
  return [
    `The reward is voided with reasonCode ${String(reasonCode)}.${worth}`,
    afterVoid(seen),
    'A void cannot be undone.',
  ];
}

function afterVoid({ benefitKind, fulfillmentStatus, delivery }: SeenReward): string {
  switch (fulfillmentStatus) {
    case 'pending':
    case 'failed':
      return 'It was not granted and will not be: it is cancelled.';
    case 'in_progress':
      return 'Its delivery is under way: if it arrives, it was not due.';
    case 'fulfilled':
      if (benefitKind !== 'cash') return 'It was granted: it must be taken back.';
      return delivery.method === 'payout'
        ? 'It was paid: the amount is deducted from the next payout of the beneficiary.'
        : 'It was paid by the product, and stays paid.';
    default:
      return `Its status stays ${fulfillmentStatus}.`;
  }
}

/** What a retry will do to something with a status. */
export function foreseeRetry(seen: unknown, field: string): string[] {
  const status = String((seen as Json)[field]);
  return status === 'failed'
    ? ['It becomes due again.']
    : [`Its ${field} is ${status}, not failed: a retry changes nothing or is refused.`];
}

interface SeenPlan {
  readonly appliedAt: string | null;
  readonly changes: readonly { readonly sentence: string }[];
}

/** What applying a plan will do. */
export function foreseePlan({ plan }: Json): string[] {
  const { appliedAt, changes } = plan as SeenPlan;
  if (appliedAt !== null) {
    return [`The plan was applied at ${appliedAt}. Applying it again changes nothing.`];
  }
  return changes.map(({ sentence }) => sentence);
}

interface SeenReview {
  readonly status: string;
  readonly heldRewards: number;
  readonly heldAmounts: readonly {
    readonly currency: string;
    readonly currencyExponent: number;
    readonly amountMinor: string;
  }[];
}

/** What the decision of a review will do. */
export function foreseeDecision({ review }: Json, { decision }: Json): string[] {
  const { status, heldRewards, heldAmounts } = review as SeenReview;
  if (status !== 'open') return [`The review is already ${status}. Another decision is refused.`];
  const amounts = heldAmounts.map(({ amountMinor, ...money }) =>
    showMoney({ ...money, netAmountMinor: amountMinor }),
  );
  const worth = amounts.length === 0 ? '' : ` (${amounts.join(', ')})`;
  const held = `${heldRewards} held ${heldRewards === 1 ? 'reward' : 'rewards'}${worth}`;
  return [
    decision === 'approve'
      ? `The referral is approved: ${held} can be delivered.`
      : `The referral is rejected: of ${held}, those that were not granted are voided as fraud.`,
    'A decision cannot be undone.',
  ];
}

interface SeenApplication {
  readonly status: string;
  readonly emailVerifiedAt: string | null;
}

export const foreseeApproval =
  (isApproval: boolean) =>
  ({ application }: Json): string[] => {
    const { status, emailVerifiedAt } = application as SeenApplication;
    if (status !== 'pending') {
      return [`The application is already ${status}. Another decision is refused.`];
    }
    return [
      isApproval ? 'The partner joins the program.' : 'The application is rejected.',
      ...(emailVerifiedAt === null ? ['The applicant has not verified their e-mail address.'] : []),
    ];
  };

export function foreseeReplay({ eventIds, since }: Json): string[] {
  const what = Array.isArray(eventIds)
    ? `${eventIds.length} ${eventIds.length === 1 ? 'event is' : 'events are'}`
    : `All subscribed events since ${String(since)} are`;
  return [
    `${what} sent to the endpoint again, also if they arrived before.`,
    'The receiver must ignore events that it has already handled.',
  ];
}

export function foreseeTerms({ terms }: Json): string[] {
  const version = (terms as { readonly version: number } | null)?.version ?? 0;
  return [
    `Version ${version + 1} of the terms is published.`,
    'Rewards that were already earned keep their terms.',
  ];
}

export function foreseeStatus({ program }: Json, { status }: Json): string[] {
  const now = String((program as Json).status);
  return [
    now === status
      ? `The program is already ${now}: nothing changes.`
      : `The status of the program changes from ${now} to ${String(status)}.`,
  ];
}

function showMoney(money: NonNullable<SeenReward['money']>): string {
  const { netAmountMinor, currency, currencyExponent: exponent } = money;
  const sign = netAmountMinor.startsWith('-') ? '-' : '';
  const digits = netAmountMinor.replace('-', '').padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = exponent === 0 ? '' : `.${digits.slice(-exponent)}`;
  return `${sign}${whole}${fraction} ${currency}`;
}
