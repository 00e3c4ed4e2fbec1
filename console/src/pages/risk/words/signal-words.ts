import type { Signal } from '../queries.ts';

interface SignalWords {
  /** Short, for a badge. */
  readonly label: string;
  /** What it looks for, to choose its points. */
  readonly meaning: string;
}

export const SIGNALS: Readonly<Record<Signal, SignalWords>> = {
  shared_payout: {
    label: 'Shared payout account',
    meaning: 'Two of the people are paid to the same account.',
  },
  email_alias: {
    label: 'Same address',
    meaning: 'Their e-mail addresses differ only in dots, or in a tag after a plus sign.',
  },
  shared_payment: {
    label: 'Shared card',
    meaning: 'Two of the people paid with the same card, as a connected Stripe account reports.',
  },
  ring: {
    label: 'Ring',
    meaning: 'People refer each other in a circle, or several share a network or an account.',
  },
  email_disposable: {
    label: 'Disposable address',
    meaning: 'The e-mail address is of a provider of short-lived ones, or of a domain you watch.',
  },
  velocity: {
    label: 'Many at once',
    meaning: 'The referrer brings far more people in an hour or a day than before.',
  },
  refund_rate: {
    label: 'Refunds',
    meaning: 'Much of what the referrer’s people bought was refunded.',
  },
  same_network: {
    label: 'Same network',
    meaning: 'Both were seen in the same network. A home, an office and a campus are one, too.',
  },
  email_similar: {
    label: 'Similar address',
    meaning: 'Their e-mail addresses differ only in digits.',
  },
  quick_signup: {
    label: 'Quick signup',
    meaning: 'They signed up within seconds of following the link.',
  },
};

/** From what is hardest to explain away to what often has a harmless cause. */
export const SIGNAL_NAMES = Object.keys(SIGNALS) as Signal[];

export const signalLabel = (signal: Signal): string => SIGNALS[signal].label;
