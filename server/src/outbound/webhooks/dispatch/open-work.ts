/** Work that is in progress, for those who wait for its end. */
export class OpenWork {
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting = new Set<() => void>();
  #count = 0;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Starts work whose failure is reported. */
  start(work: () => Promise<void>): void {
    this.begin();
    work()
      .catch(this.#onFailure)
      .finally(() => this.end());
  }

  /** Counts work that ends with a call of `end`. */
  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Resolves once there is none. */
  async settle(): Promise<void> {
    while (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }
}
