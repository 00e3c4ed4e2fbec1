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
 * only about once a minute. So plans are renewed whenever the number of this process's transactions
 * has doubled.
 */
export class PlanAge {
  readonly #made = new WeakMap<object, number>();
  #transactions = 0;
  #generation = 0;

  /** Counts a transaction; true if the connection has plans from before the last doubling. */
  isOutdated(connection: object): boolean {
    this.#transactions += 1;
    if (this.#transactions >= 2 ** this.#generation) this.#generation += 1;
    const made = this.#made.get(connection) ?? this.#generation;
    this.#made.set(connection, this.#generation);
    return made < this.#generation;
  }
}
