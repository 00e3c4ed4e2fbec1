import type { components } from './generated/api.ts';

type Schemas = components['schemas'];

/** A participant, as events show it. */
export type Party = Schemas['Reward']['beneficiary'];

/** How a referral came about: by an event, or by the start of a subscription. */
export interface EventReferral {
  readonly id: string;
  readonly programId: string;
  readonly referrer: Party;
  readonly referee: Party;
  readonly bindingEventId: string | null;
  readonly bindingSubscriptionFactId: string | null;
  readonly boundAt: string;
}

/** A fact that was recorded. */
export interface RecordedEvent {
  readonly id: string;
  /** `signup`, `purchase`, or one of your own that starts `custom_`. */
  readonly type: string;
  readonly participant: Party;
  readonly actor: Party | null;
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string;
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly purchase: {
    readonly purchaseId: string;
    readonly amountMinor: string;
    readonly taxAmountMinor: string | null;
    readonly currency: string;
    readonly currencyExponent: number;
    readonly orderId: string | null;
    readonly invoiceId: string | null;
    readonly subscriptionId: string | null;
  } | null;
  readonly properties: Readonly<Record<string, string | number | boolean | null>>;
}

/** What was decided about who brought somebody. */
export interface Attribution {
  readonly status: 'attributed' | 'not_attributed';
  readonly reason: string;
  readonly referralId: string | null;
  readonly programId: string | null;
  readonly referrer: Party | null;
  readonly touchId: string | null;
  readonly policyVersionId: string | null;
}

type RewardData = { readonly reward: Schemas['Reward'] };
type PayoutData = { readonly payout: Schemas['Payout'] };

/** What each type of event holds as its `data`. */
export interface WebhookData {
  readonly 'participant.created': { readonly participant: Party };
  readonly 'referral.created': { readonly referral: EventReferral };
  readonly 'event.recorded': {
    readonly event: RecordedEvent;
    /** Null for a type of your own. */
    readonly attribution: Attribution | null;
  };
  readonly 'reward.earned': RewardData;
  readonly 'reward.voided': RewardData;
  readonly 'reward.fulfilled': RewardData;
  readonly 'reward.revoked': RewardData;
  readonly 'payout.paid': PayoutData;
  readonly 'payout.failed': PayoutData;
  readonly 'payout.returned': PayoutData;
}

export type WebhookEventType = keyof WebhookData;

/** An event of one type. */
export interface WebhookEventOf<T extends WebhookEventType> {
  /** The same at every delivery: what to recognise a repeat by. */
  readonly id: string;
  readonly type: T;
  readonly apiVersion: string;
  readonly occurredAt: string;
  readonly projectId: string;
  readonly environment: 'live' | 'sandbox';
  readonly data: WebhookData[T];
}

/**
 * An event of the feed or of a webhook; `type` tells what `data` is. A newer service may have types
 * that are not listed here: pass over those you do not know.
 */
export type WebhookEvent = { [T in WebhookEventType]: WebhookEventOf<T> }[WebhookEventType];
