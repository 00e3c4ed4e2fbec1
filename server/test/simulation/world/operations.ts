import type { EventType, Policy, Terms } from '../model/facts.ts';
import type { BookedMethod, TransferEnd } from '../outside/books.ts';
import type { SmtpMode } from '../outside/mailbox.ts';
import type { ReceiverMode } from '../outside/receivers.ts';
import type { CustomerDeed, StripePart } from '../outside/stripe-books.ts';

/** Those of a world that are not dollars. */
type Currency = 'EUR' | 'JPY';

export interface RuleSpec {
  readonly key: string;
  readonly eventType: EventType;
  readonly role: 'referrer' | 'referee' | 'subject';
  readonly purpose: 'primary' | 'bonus';
  readonly terms: Terms;
}

export interface RiskSpec {
  readonly reviewAt: number;
  readonly points: Readonly<Record<string, number>>;
}

/** What somebody had brought before there was this service. */
export interface StartSpec {
  readonly person: number;
  readonly referrals: string;
  readonly purchases: string;
  readonly revenueMinor: string;
}

export interface ProgramSpec {
  readonly key: string;
  /** Absent: people are referred. */
  readonly kind?: 'loyalty' | 'affiliate';
  readonly holdDays: number;
  readonly methods: Readonly<
    Record<'cashMethod' | 'creditMethod' | 'discountMethod' | 'customMethod', string>
  >;
  readonly rules: readonly RuleSpec[];
  /** Imported before anything happens; absent: nothing. */
  readonly starts?: readonly StartSpec[];
  /** Absent: by signups. */
  readonly bindsBy?: 'subscription';
  /** Referrals that look like this are reviewed; absent: none are. */
  readonly risk?: RiskSpec;
}

export interface EndpointSpec {
  readonly url: string;
  readonly fulfillmentMode: 'on_delivery' | 'explicit';
}

/** What is done about payouts. */
export type PayoutOperation =
  | {
      readonly kind: 'details';
      readonly person: number;
      readonly account: number;
      /** Absent: a bank account. */
      readonly type?: 'paypal' | 'stripe_connect';
    }
  /** A batch, and how far it is taken: 0 leaves a draft, 2 submits it. */
  | {
      readonly kind: 'payout';
      readonly method: BookedMethod | 'manual_export';
      readonly steps: number;
    }
  | {
      readonly kind: 'batch';
      readonly nth: number;
      readonly action: 'approve' | 'submit' | 'cancel';
    }
  | {
      readonly kind: 'result';
      readonly nth: number;
      readonly outcome: 'paid' | 'failed' | 'returned';
    }
  /** The least that a transfer pays; null: anything. */
  | { readonly kind: 'minimum'; readonly amountMinor: string | null };

/**
 * Something that happens in a world, so long after the one before. It names people, orders and other operations by
 * number, so that any of them can be left out.
 */
export type Operation = { readonly id: number; readonly gapMs: number } & (
  | { readonly kind: 'join' | 'leave' | 'link'; readonly person: number; readonly program: number }
  | {
      readonly kind: 'signup';
      readonly person: number;
      readonly referrer: number | null;
      readonly program: number;
      readonly via: 'code' | 'link';
      /** Whose handle is sent with it. */
      readonly browser: number | null;
      /** Who signs a group up. */
      readonly actor?: number;
    }
  | {
      readonly kind: 'click';
      readonly browser: number;
      readonly referrer: number;
      readonly program: number;
      readonly via: 'code' | 'link';
      /** Whether the link was followed, or its page opened by its address. */
      readonly isFollowed: boolean;
    }
  | { readonly kind: 'identify'; readonly browser: number; readonly person: number }
  | { readonly kind: 'policy'; readonly program: number; readonly policy: Policy }
  | {
      readonly kind: 'buy';
      readonly person: number;
      /** Who buys for a group. */
      readonly actor?: number;
      /** The subscription of this person that it is paid for. */
      readonly subscription?: number;
      /** The invoice that it is about. */
      readonly invoice?: number;
      readonly order: number;
      readonly amountMinor: number;
      /** Absent: dollars. */
      readonly currency?: Currency;
    }
  /** Somebody applies as a partner; if they prove no address, nobody can let them in. */
  | {
      readonly kind: 'apply';
      readonly person: number;
      readonly program: number;
      readonly isProven: boolean;
    }
  /** An operator decides about somebody's last application. */
  | {
      readonly kind: 'admit';
      readonly person: number;
      readonly decision: 'approve' | 'reject';
    }
  /** An operator suspends a partner, or ends that. */
  | { readonly kind: 'suspend' | 'reinstate'; readonly person: number }
  /** An event of the caller's own. */
  | { readonly kind: 'custom'; readonly person: number; readonly custom: number }
  | {
      readonly kind: 'refund';
      readonly order: number;
      readonly refund: number;
      readonly amountMinor: number;
      readonly isEarly: boolean;
      /** How long before its report it happened; absent: not at all. */
      readonly lateMs?: number;
    }
  | {
      readonly kind: 'dispute';
      readonly order: number;
      readonly dispute: number;
      readonly amountMinor: number;
      readonly isEarly: boolean;
      /** How long before its report it happened; absent: not at all. */
      readonly lateMs?: number;
    }
  | {
      readonly kind: 'subscribe';
      readonly person: number;
      readonly subscription: number;
      readonly change: 'started' | 'renewed' | 'changed' | 'cancelled' | 'ended';
    }
  | {
      readonly kind: 'import';
      readonly program: number;
      readonly rows: readonly { readonly person: number; readonly referrer: number }[];
    }
  /** Signups and purchases in one call. */
  | { readonly kind: 'many'; readonly operations: readonly Operation[] }
  | { readonly kind: 'win' | 'lose'; readonly dispute: number }
  | { readonly kind: 'erase'; readonly person: number; readonly isForced: boolean }
  | { readonly kind: 'restore'; readonly refund: number }
  | { readonly kind: 'grant' | 'void' | 'revoke'; readonly person: number; readonly nth: number }
  | {
      readonly kind: 'terms';
      readonly program: number;
      readonly rule: number;
      readonly terms: Terms;
    }
  | {
      readonly kind: 'status';
      readonly program: number;
      readonly status: 'active' | 'paused' | 'ended';
    }
  | { readonly kind: 'again'; readonly operation: number }
  /** Whose referrals are suspicious from now on. */
  | { readonly kind: 'watch'; readonly people: readonly number[] }
  | { readonly kind: 'decide'; readonly nth: number; readonly decision: 'approve' | 'reject' }
  | PayoutOperation
  /** The store is copied, and later lost and put back. */
  | { readonly kind: 'back_up' | 'put_back' }
  /** What becomes of a transfer, and how the next call to the provider goes wrong. */
  | {
      readonly kind: 'transfer';
      readonly nth: number;
      readonly to: TransferEnd;
      /** Absent: Wise. */
      readonly at?: BookedMethod;
    }
  | { readonly kind: 'provider'; readonly fault: number; readonly at?: BookedMethod | StripePart }
  /** The backend says which customer at Stripe somebody is. */
  | { readonly kind: 'bill'; readonly person: number }
  /** What somebody does at Stripe. */
  | { readonly kind: 'customer'; readonly person: number; readonly deed: CustomerDeed }
  /** The backend says where somebody gets mails; they want no more of the kind of their last one. */
  | { readonly kind: 'address' | 'unsubscribe'; readonly person: number }
  | { readonly kind: 'smtp'; readonly mode: SmtpMode }
  /** PayPal announces by a webhook that there is news of a transfer. */
  | { readonly kind: 'hint'; readonly nth: number }
  | { readonly kind: 'sleep'; readonly ms: number }
  /** Time passes, in which workers work. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'receiver'; readonly endpoint: number; readonly mode: ReceiverMode }
  | { readonly kind: 'crash' | 'break'; readonly process: number; readonly statements: number }
  | { readonly kind: 'freeze' | 'refuse' | 'slow'; readonly process: number; readonly ms: number }
  | { readonly kind: 'lose_commit'; readonly process: number }
);

/** All that a world is made of: two runs of it are the same. */
export interface WorldSpec {
  readonly seed: number;
  readonly processes: number;
  readonly people: number;
  /** They are numbered after the people, and do what people do. Absent: none. */
  readonly groups?: number;
  /** Who may become a partner. They are numbered after the groups. Absent: nobody. */
  readonly partners?: number;
  /** By whom the service pays; absent: by Wise. */
  readonly paidBy?: readonly BookedMethod[];
  /** Credit goes to the balance of customers at Stripe. */
  readonly stripe?: true;
  /** Discounts are coupons at Stripe. */
  readonly coupons?: true;
  /** People get mails. */
  readonly mail?: true;
  readonly programs: readonly ProgramSpec[];
  readonly endpoints: readonly EndpointSpec[];
  readonly operations: readonly Operation[];
}

/** Whether the service itself pays anybody in this world. */
export const paysOut = ({ programs }: Pick<WorldSpec, 'programs'>) =>
  programs.some(({ methods }) => methods.cashMethod === 'payout');

/** Whether it delivers anything by Stripe. */
export const usesStripe = ({ stripe, coupons }: Pick<WorldSpec, 'stripe' | 'coupons'>) =>
  stripe === true || coupons === true;

export const methodsOf = ({ paidBy = ['wise'] }: Pick<WorldSpec, 'paidBy'>) => paidBy;

/** An operation but for its number and when it happens. */
export type Undated<T = Operation> = T extends Operation ? Omit<T, 'id' | 'gapMs'> : never;
