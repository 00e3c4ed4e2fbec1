/** OIDs of PostgreSQL types whose default JavaScript form differs between the two engines. */
const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** `2026-11-15 02:39:25.12+00` (session time zone UTC) → `2026-11-15T02:39:25.120Z`. */
export function parseTimestamptz(text: string): string {
  if (!text.endsWith('+00')) throw new Error(`The database session is not in UTC: ${text}.`);
  const fraction = text.slice(19, text.length - 3).slice(1, 4);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

export const valueParsers: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  [INT8, (text) => BigInt(text)],
  [TIMESTAMPTZ, parseTimestamptz],
]);

/**
 * The statements of a write look up a few to a few hundred rows by key, whatever the values: one
 * plan fits all, and planning each costs more than running most of them. Plans that read more than
 * the named keys are disabled, such as table scans and joins that read one side completely: a plan
 * from when a table was small would stay in use, and for a large Project the planner assumes an
 * average one.
 */
export const WRITE_PLANS = [
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_material=off',
];

/**
 * A plan depends on the size of the tables when it was made, and the database notices their growth
 * only about once a minute. So plans are renewed whenever the number of facts that this process has written
 * has doubled: a few transactions with many facts each make a table as large as many with one.
 */
export class PlanAge {
  readonly #made = new WeakMap<object, number>();
  #facts = 0;
  #renewAt: number;
  #generation = 0;

  /** `firstAt`: until so many facts were written, plans for empty tables will do. */
  constructor({ firstAt }: { readonly firstAt: number } = { firstAt: 1 }) {
    this.#renewAt = firstAt;
  }

  /** Counts a transaction's facts; true if the connection has plans from before the last doubling. */
  isOutdated(connection: object, facts: number): boolean {
    this.#facts += facts;
    for (; this.#facts >= this.#renewAt; this.#renewAt *= 2) this.#generation += 1;
    const made = this.#made.get(connection) ?? this.#generation;
    this.#made.set(connection, this.#generation);
    return made < this.#generation;
  }
}
