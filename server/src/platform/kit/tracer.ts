import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Few and fixed, like labels of metrics: never a secret, nor anything about a person. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'internal' | 'server' | 'client';

/** A span that has ended, for export. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  /** Microseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly links: readonly SpanContext[];
  readonly isFailed: boolean;
}

export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Instead of the current span; null for none. */
  readonly parent?: SpanContext | null | undefined;
  /** Other related spans. */
  readonly links?: readonly SpanContext[];
}

/** The tracer's decisions for a span. */
interface SpanOrigin {
  readonly parent: SpanContext | null;
  readonly isSampled: boolean;
  readonly onEnd: (ended: EndedSpan) => void;
}

/** A traced period. Names and attributes are read when it ends. */
export class Span implements SpanContext {
  readonly traceId: string;
  readonly spanId = newHex(8);
  readonly isSampled: boolean;
  readonly #parentId: string | null;
  readonly #startedAt = nowMicros();
  readonly #options: SpanOptions;
  readonly #onEnd: (ended: EndedSpan) => void;
  #name: string;
  #attributes: Attributes;
  #isFailed = false;
  #isOver = false;

  constructor(name: string, options: SpanOptions, { parent, isSampled, onEnd }: SpanOrigin) {
    this.traceId = parent?.traceId ?? newHex(16);
    this.#parentId = parent?.spanId ?? null;
    this.isSampled = isSampled;
    this.#name = name;
    this.#options = options;
    this.#attributes = options.attributes ?? {};
    this.#onEnd = onEnd;
  }

  rename(name: string): void {
    this.#name = name;
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  /** Only the kind of an error is recorded: its message may quote stored data. */
  fail(kind: string): void {
    this.#isFailed = true;
    this.set({ 'error.type': kind });
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.isSampled) return;
    this.#onEnd({
      traceId: this.traceId,
      spanId: this.spanId,
      parentId: this.#parentId,
      name: this.#name,
      kind: this.#options.kind ?? 'internal',
      startedAt: this.#startedAt,
      endedAt: nowMicros(),
      attributes: this.#attributes,
      links: this.#options.links ?? [],
      isFailed: this.#isFailed,
    });
  }
}

/** Code that runs in it starts no spans: exporting spans must not be traced itself. */
const SILENCE = Symbol('silence');

/**
 * Creates spans and tracks the current one across promises. This tracking costs a good part of the
 * service's own work, so a tracer exists only if its spans are collected.
 */
export class Tracer {
  readonly #current = new AsyncLocalStorage<Span | typeof SILENCE>();
  readonly #ratio: number;
  readonly #onEnd: (ended: EndedSpan) => void;

  /** `ratio` is the sampled part of the traces that begin here; traces from elsewhere decide for themselves. */
  constructor(ratio: number, onEnd: (ended: EndedSpan) => void) {
    this.#ratio = ratio;
    this.#onEnd = onEnd;
  }

  current(): Span | null {
    const current = this.#current.getStore();
    return current instanceof Span ? current : null;
  }

  get isSilent(): boolean {
    return this.#current.getStore() === SILENCE;
  }

  start(name: string, options: SpanOptions = {}): Span {
    const parent = options.parent === undefined ? this.current() : options.parent;
    const isSampled = parent ? parent.isSampled : Math.random() < this.#ratio;
    return new Span(name, options, { parent, isSampled, onEnd: this.#onEnd });
  }

  /** Makes a span the current one for `work` and everything it starts. */
  run<T>(span: Span, work: () => T): T {
    return this.#current.run(span, work);
  }

  silently<T>(work: () => T): T {
    return this.#current.run(SILENCE, work);
  }

  /** A span around `work`, failed if it throws. */
  async span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    const span = this.start(name, options);
    try {
      return await this.run(span, work);
    } catch (error) {
      span.fail(kindOf(error));
      throw error;
    } finally {
      span.end();
    }
  }
}

function kindOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : typeof error;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The caller's span, from the header of W3C Trace Context; null if there is none. */
export function readTraceparent(header: unknown): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] =
    typeof header === 'string' ? (TRACEPARENT.exec(header) ?? []) : [];
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function toTraceparent({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

function newHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function nowMicros(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1_000);
}
