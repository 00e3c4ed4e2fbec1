/** What somebody does, in the order of time. People, browsers and orders are named by the story. */
export type Deed =
  | { readonly do: 'register'; readonly person: string; readonly email: string }
  | { readonly do: 'panel'; readonly person: string; readonly ip: string }
  | { readonly do: 'land'; readonly browser: string; readonly of: string; readonly ip: string }
  | {
      readonly do: 'signup';
      readonly person: string;
      /** The browser that landed before; null if a code was typed. */
      readonly browser: string | null;
      readonly referrer: string;
    }
  | {
      readonly do: 'purchase';
      readonly person: string;
      readonly order: string;
      readonly card: string;
    }
  | { readonly do: 'refund'; readonly order: string }
  | { readonly do: 'payout'; readonly person: string; readonly account: string };

/** `at` is in seconds since the world began. */
export type Call = Deed & { readonly at: number };

export const INTENTS = ['honest', 'attack', 'hidden'] as const;
/** `hidden`: attackers who leave nothing behind that honest people do not leave as well. */
export type Intent = (typeof INTENTS)[number];

export interface Label {
  readonly intent: Intent;
  readonly kind: string;
  /** A group of people within the kind, such as one family or one ring. */
  readonly group: number;
}

export interface World {
  readonly calls: readonly Call[];
  /** By the person who signs up: every referral has one. */
  readonly labels: ReadonlyMap<string, Label>;
}
