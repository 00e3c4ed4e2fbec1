import type { Answer } from '../process/service-process.ts';
import type { Reported } from './adjustments.ts';
import type { Affiliates } from './affiliates.ts';
import type { Api } from './api.ts';
import { codeOf, participantOf, subscriptionOf } from './names.ts';
import type { Operation, WorldSpec } from './operations.ts';
import type { Programs } from './programs.ts';

type Of<Kind extends Operation['kind']> = Operation & { readonly kind: Kind };

/** What the backend reports of people: signups, purchases, adjustments, subscriptions, and what it knew before. */
export class Reports {
  readonly #spec: WorldSpec;
  readonly #api: Api;
  readonly #programs: Programs;
  readonly #affiliates: Affiliates;
  /** What people have typed when they signed up. */
  readonly #typed = new Map<number, string>();
  /** When adjustments and subscriptions happened, by their ids. */
  readonly #times = new Map<string, string>();
  #sourceNamespaceId = '';

  constructor(spec: WorldSpec, api: Api, programs: Programs, affiliates: Affiliates) {
    this.#spec = spec;
    this.#api = api;
    this.#programs = programs;
    this.#affiliates = affiliates;
  }

  async setUp(): Promise<void> {
    const source = await this.#api.ok('POST', '/v1/sources', {});
    this.#sourceNamespaceId = source.sourceNamespaceId;
  }

  /** When an adjustment or the change of a subscription happened. A repeat says the same. */
  readonly timeOf = (sourceEventId: string, lateMs = 0): string => {
    const time = this.#times.get(sourceEventId) ?? new Date(Date.now() - lateMs).toISOString();
    this.#times.set(sourceEventId, time);
    return time;
  };

  /** The code that somebody signs up with. A repeat says the same. */
  readonly typedBy = (operation: Of<'signup'>): string | null => {
    const { person, referrer } = operation;
    if (referrer === null) return null;
    const typed = this.#typed.get(person) ?? this.#affiliates.nameOf({ ...operation, referrer });
    this.#typed.set(person, typed);
    return typed;
  };

  remember(): ReadonlyMap<string, string> {
    return new Map(this.#times);
  }

  /** Forgets what was reported since. */
  goBack(times: ReadonlyMap<string, string>): void {
    this.#times.clear();
    for (const [key, time] of times) this.#times.set(key, time);
  }

  signUp(operation: Of<'signup'>, handle: string | null): Promise<Answer> {
    return this.#post('/v1/track/events', this.#signup(operation, handle));
  }

  buy(operation: Of<'buy'>): Promise<Answer> {
    return this.#post('/v1/track/events', this.#purchase(operation));
  }

  reportCustom({ custom, person }: Of<'custom'>): Promise<Answer> {
    return this.#post('/v1/track/events', {
      type: 'custom_review',
      sourceEventId: `c${custom}`,
      participant: participantOf(this.#spec, person),
    });
  }

  #signup(operation: Of<'signup'>, handle: string | null): object {
    const refCode = this.typedBy(operation);
    return {
      type: 'signup',
      ...this.#parties(operation),
      ...(refCode === null ? {} : { refCode }),
      ...(handle === null ? {} : { identify: { handle } }),
    };
  }

  #purchase(operation: Of<'buy'>): object {
    const { order, person, amountMinor, currency = 'USD', subscription, invoice } = operation;
    const about = {
      ...(subscription === undefined
        ? {}
        : { subscriptionId: subscriptionOf(person, subscription) }),
      ...(invoice === undefined ? {} : { invoiceId: `invoice ${invoice}` }),
    };
    return {
      type: 'purchase',
      sourceEventId: `o${order}`,
      ...this.#parties(operation),
      purchase: { amountMinor: String(amountMinor), currency, ...about },
    };
  }

  adjust({ key, kind, order, amountMinor, currency, of, lateMs }: Reported): Promise<Answer> {
    return this.#post('/v1/track/adjustments', {
      sourceEventId: key,
      kind,
      occurredAt: this.timeOf(key, lateMs),
      purchase: { sourceEventId: `o${order}` },
      ...(kind === 'dispute_lost'
        ? { closes: of }
        : {
            amountMinor: String(amountMinor),
            currency,
            currencyExponent: currency === 'JPY' ? 0 : 2,
          }),
      ...(kind === 'restoration' ? { restores: of } : {}),
    });
  }

  subscribe({ id, person, subscription, change }: Of<'subscribe'>): Promise<Answer> {
    return this.#post('/v1/track/subscriptions', {
      sourceEventId: `s${id}`,
      participant: participantOf(this.#spec, person),
      subscriptionId: subscriptionOf(person, subscription),
      change,
      occurredAt: this.timeOf(`s${id}`),
    });
  }

  /** Each is taken or refused by itself: the answer has a result for each. */
  async trackMany(operations: readonly Operation[]): Promise<Answer> {
    const events = operations.flatMap((one) => {
      if (one.kind === 'signup') return [this.#signup(one, null)];
      return one.kind === 'buy' ? [this.#purchase(one)] : [];
    });
    const sourceNamespaceId = this.#sourceNamespaceId;
    return this.#api.post('/v1/track/events/batch', {
      events: events.map((one) => ({ sourceNamespaceId, ...one })),
    });
  }

  /** Who had referred whom before there was this service. */
  import({ program, rows }: Of<'import'>): Promise<Answer> {
    return this.#api.post('/v1/imports/rows', {
      programId: this.#programs.idOf(program),
      rows: rows.map(({ person, referrer }) => ({
        externalId: participantOf(this.#spec, person).externalId,
        referredByCode: codeOf(referrer, program),
      })),
    });
  }

  /** Whose event it is, and who acted for them. */
  #parties({ person, actor }: { readonly person: number; readonly actor?: number | undefined }) {
    return {
      participant: participantOf(this.#spec, person),
      ...(actor === undefined ? {} : { actor: participantOf(this.#spec, actor) }),
    };
  }

  #post(path: string, body: object): Promise<Answer> {
    return this.#api.post(path, { sourceNamespaceId: this.#sourceNamespaceId, ...body });
  }
}
