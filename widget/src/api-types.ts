/** The parts of the service's responses that the panel reads; openapi.json has all of them. */

export type Platform =
  | 'facebook'
  | 'twitter'
  | 'linkedin'
  | 'whatsapp'
  | 'email'
  | 'instagram'
  | 'telegram';

export type PayoutType = 'paypal' | 'wise' | 'bank' | 'stripe_connect';

export interface Start {
  readonly program: {
    readonly id: string;
    readonly status: 'draft' | 'active' | 'paused' | 'ended' | 'archived';
  };
  readonly config: {
    readonly brandConfig: { readonly primaryColor: string };
    readonly widgetConfig: {
      readonly position: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
      readonly triggerText: string;
      readonly icon: 'gift' | 'heart' | 'star' | 'zap';
      readonly title: string;
      readonly subtitle: string;
      readonly logoUrl: string;
      readonly cssVariables: Readonly<Record<string, string>>;
      readonly shareMessage: string;
      readonly enabledPlatforms: Readonly<Record<Platform, boolean>>;
      readonly productName: string;
    };
  };
  readonly referral: { readonly code: string; readonly link: string };
  readonly payout: {
    readonly required: boolean;
    readonly editable: boolean;
    readonly types: readonly PayoutType[];
  };
  readonly progress?: readonly Progress[];
}

/** What a benefit consists of. Only the fields that its kind needs are set. */
export interface Benefit {
  readonly benefitKind: 'cash' | 'credit' | 'discount' | 'custom';
  readonly fixedAmountMinor?: string | null | undefined;
  readonly currency?: string | null;
  readonly currencyExponent?: number | null;
  readonly rateBps?: number | null;
  readonly quantity?: number | null;
  readonly unitName?: string | null;
  readonly unitNamePlural?: string | null;
}

type Step = Pick<Benefit, 'fixedAmountMinor' | 'rateBps' | 'quantity'> & { readonly at: string };

/** Where the participant is in a rule with steps or milestones. */
export interface Progress extends Omit<Benefit, keyof Step> {
  readonly ruleId: string;
  /** The purchases of a referee are their own. Earlier versions of the service have none. */
  readonly role?: 'referrer' | 'referee' | 'subject';
  readonly measure: 'referrals' | 'purchases' | 'revenue';
  readonly window: 'all_time' | 'calendar_month' | 'rolling_30_days';
  readonly value: string;
  readonly current: (Step & { readonly reached: number | null }) | null;
  readonly next: Step | null;
}

export interface Reward {
  readonly id: string;
  readonly date: string;
  readonly role: 'referrer' | 'referee' | 'subject';
  readonly benefitKind: 'cash' | 'credit' | 'discount' | 'custom';
  readonly money: {
    readonly amountMinor: string;
    readonly netAmountMinor: string;
    readonly currency: string;
    readonly currencyExponent: number;
  } | null;
  readonly discount: { readonly rateBps: number } | null;
  readonly custom: {
    readonly quantity: number;
    readonly validityDays: number | null;
    readonly unitName: string;
    readonly unitNamePlural: string;
  } | null;
  readonly status:
    | 'on_hold'
    | 'pending'
    | 'processing'
    | 'paid'
    | 'granted'
    | 'failed'
    | 'cancelled'
    | 'revoked';
  readonly action: 'add_payout_method' | 'update_payout_method' | 'contact_support' | null;
  readonly availableAt: string;
  readonly holdReason: 'waiting_period' | 'review' | null;
}

export interface Summary {
  readonly referralCount: number;
  readonly rewardCount: number;
  readonly earned: readonly {
    readonly currency: string;
    readonly currencyExponent: number;
    readonly netAmountMinor: string;
  }[];
}

export interface RewardPage {
  readonly summary: Summary | null;
  readonly items: readonly Reward[];
  readonly nextCursor: string | null;
}

export interface PayoutDetails {
  readonly configured: boolean;
  readonly type: PayoutType | null;
  readonly label: string | null;
  readonly status: 'active' | 'needs_update' | 'cooling_down' | null;
  readonly updatedAt: string | null;
  readonly onboardingUrl: string | null;
}
