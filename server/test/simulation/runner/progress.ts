/** How a run goes, on one line that is written again and again. */
export class Progress {
  readonly #total: number;
  readonly #secondsMax: number;
  readonly #stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;
  readonly #startedMs = performance.now();
  #shownMs = 0;
  #played = 0;
  #failed = 0;

  /** No world begins after `secondsMax`. */
  constructor(
    total: number,
    secondsMax: number,
    stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  ) {
    this.#total = total;
    this.#secondsMax = secondsMax;
    this.#stream = stream;
  }

  add(isFailed: boolean): void {
    this.#played += 1;
    if (isFailed) this.#failed += 1;
    const elapsedMs = performance.now() - this.#startedMs;
    // A log file needs fewer lines than a terminal.
    const everyMs = this.#stream.isTTY ? 1_000 : 60_000;
    if (elapsedMs < this.#shownMs + everyMs) return;
    this.#shownMs = elapsedMs;
    const line = describeProgress({
      played: this.#played,
      failed: this.#failed,
      total: this.#total,
      elapsedMs,
      secondsMax: this.#secondsMax,
    });
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  }

  /** Removes the line, for what is written next. */
  clear(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[K');
  }
}

interface Played {
  readonly played: number;
  readonly failed: number;
  readonly total: number;
  readonly elapsedMs: number;
  readonly secondsMax: number;
}

export function describeProgress(run: Played): string {
  const { played, failed, total, elapsedMs, secondsMax } = run;
  const perSecond = (1_000 * played) / elapsedMs;
  const leftSeconds = Math.min((total - played) / perSecond, secondsMax - elapsedMs / 1_000);
  const left = describeTime(Math.max(0, leftSeconds));
  const [some, all] = [played, total].map((count) => count.toLocaleString('en'));
  return `${some} of ${all} worlds, ${failed} failed, ${perSecond.toFixed(1)} a second, ${left} left`;
}

function describeTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
