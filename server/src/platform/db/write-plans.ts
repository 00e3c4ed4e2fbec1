/**
 * The statements of a write look rows up by key, a handful or a few hundred, whatever their
 * values: one plan fits all, and planning each anew costs more than most of them. Whatever reads
 * more than the keys name is left out, scans of whole tables and the joins that read one side as a
 * whole: a plan made while a table was small outlives that, and of a great Project the planner knows
 * only what the average one has.
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
 * A plan is as good as the size that the tables had when it was made, and the database learns of
 * their growth only once a minute or so. So plans are made anew whenever the transactions of this
 * process have doubled in number.
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
