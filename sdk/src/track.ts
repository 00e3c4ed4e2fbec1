import type { AnswerOf, BodyOf, CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

type EventBody = BodyOf<'POST /v1/track/events'>;
type AdjustmentBody = BodyOf<'POST /v1/track/adjustments'>;
type SubscriptionBody = BodyOf<'POST /v1/track/subscriptions'>;

/** The client has a default source; a call can name another. */
type Sourced<T> = T extends { sourceNamespaceId: string }
  ? Omit<T, 'sourceNamespaceId' | 'type' | 'kind'> & { readonly sourceNamespaceId?: string }
  : never;

export type Signup = Omit<Sourced<EventBody>, 'identify' | 'purchase'> & {
  /** The result of `readHandle`; null and undefined mean that the browser followed no link. */
  readonly handle?: string | null | undefined;
};

export type Purchase = Omit<Sourced<EventBody>, 'identify' | 'refCode'> & {
  /**
   * Your id of the order or payment. The same id is the same purchase, however often it is sent.
   */
  readonly sourceEventId: string;
};

export type CustomEvent = Omit<Purchase, 'purchase'> & { readonly type: `custom_${string}` };

/** An event of a batch, with its `type`. */
export type BatchEvent = Omit<EventBody, 'projectId' | 'sourceNamespaceId'> & {
  readonly sourceNamespaceId?: string;
};

export type Refund = Omit<Sourced<AdjustmentBody>, 'restores'>;
export type Adjustment = Sourced<AdjustmentBody> & Pick<AdjustmentBody, 'kind'>;
export type SubscriptionChange = Sourced<SubscriptionBody>;

export type TrackAnswer = AnswerOf<'POST /v1/track/events'>;
export type AdjustmentAnswer = AnswerOf<'POST /v1/track/adjustments'>;
export type SubscriptionAnswer = AnswerOf<'POST /v1/track/subscriptions'>;
/** The result of each event of a batch, in order: what it gave, or why it was refused. */
export type BatchResult = AnswerOf<'POST /v1/track/events/batch'>['results'][number];

/**
 * Reports what happened. Each fact is deduplicated, so all of these can be repeated: manually, by
 * the client, from a queue.
 */
export class Track {
  readonly #transport: Transport;
  readonly #sourceNamespaceId: string | undefined;

  constructor(transport: Transport, sourceNamespaceId: string | undefined) {
    this.#transport = transport;
    this.#sourceNamespaceId = sourceNamespaceId;
  }

  /**
   * Somebody created an account. A login, an import or an account created by staff is not a signup.
   */
  signup({ handle, ...signup }: Signup, options?: CallOptions): Promise<TrackAnswer> {
    const identify = handle?.trim() ? { identify: { handle } } : {};
    return this.#event({ ...signup, type: 'signup', ...identify }, options);
  }

  /** Somebody paid. */
  purchase(purchase: Purchase, options?: CallOptions): Promise<TrackAnswer> {
    return this.#event({ ...purchase, type: 'purchase' }, options);
  }

  /** A custom event happened. */
  custom(event: CustomEvent, options?: CallOptions): Promise<TrackAnswer> {
    return this.#event(event, options);
  }

  /** Up to 500 events in one call. Each is accepted or refused by itself, as if sent alone. */
  async batch(events: readonly BatchEvent[], options?: CallOptions): Promise<BatchResult[]> {
    const { results } = (await this.#post('POST /v1/track/events/batch', options, {
      events: events.map((event) => this.#sourced(event)),
    })) as AnswerOf<'POST /v1/track/events/batch'>;
    return results;
  }

  /** A purchase was refunded, fully or partly. */
  refund(refund: Refund, options?: CallOptions): Promise<AdjustmentAnswer> {
    return this.adjustment({ ...refund, kind: 'refund' } as Adjustment, options);
  }

  /**
   * A purchase was refunded or disputed, a dispute was lost, or a refund or dispute was reversed.
   */
  async adjustment(adjustment: Adjustment, options?: CallOptions): Promise<AdjustmentAnswer> {
    const body = this.#sourced(adjustment);
    return this.#post('POST /v1/track/adjustments', options, body) as Promise<AdjustmentAnswer>;
  }

  /** A subscription started, renewed, changed or ended. */
  async subscription(
    change: SubscriptionChange,
    options?: CallOptions,
  ): Promise<SubscriptionAnswer> {
    const body = this.#sourced(change);
    return this.#post('POST /v1/track/subscriptions', options, body) as Promise<SubscriptionAnswer>;
  }

  async #event(event: object, options: CallOptions | undefined): Promise<TrackAnswer> {
    const body = this.#sourced(event);
    return this.#post('POST /v1/track/events', options, body) as Promise<TrackAnswer>;
  }

  #post(operation: string, options: CallOptions | undefined, body: object): Promise<unknown> {
    return this.#transport.send(operation, { ...options, body });
  }

  #sourced<T extends { readonly sourceNamespaceId?: string }>(fact: T): T {
    const sourceNamespaceId = fact.sourceNamespaceId ?? this.#sourceNamespaceId;
    if (sourceNamespaceId === undefined) {
      throw new TypeError('Give the client a sourceNamespaceId, or the call.');
    }
    return { ...fact, sourceNamespaceId };
  }
}
