import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { authority } from './current.ts';
import type { VirtualTime } from './virtual-time.ts';

type Run = (...args: unknown[]) => void;

const time = (): VirtualTime | null => authority()?.time ?? null;

/** Replaces the clock and the timers of this process: in a world, its authority has the only ones. */
export function installTime(): void {
  replaceTimers();
  replaceTimerPromises();
  replaceClocks();
  syncBuiltinESMExports();
}

/** What a timer is to those who have only ever seen Node's. */
const toHandle = (id: number) => {
  const handle = {
    id,
    ref: () => handle,
    unref: () => handle,
    hasRef: () => true,
    refresh: () => handle,
    [Symbol.toPrimitive]: () => id,
    [Symbol.dispose]: () => time()?.removeTimer(id),
  };
  return handle;
};

const NEVER = -1;

/**
 * The engine interrupts itself after real seconds to save its statistics. The order of what it does would depend on how
 * fast the machine is, so its timers never fire.
 */
const isOfEngine = (run: Run) => String(run).includes('_emscripten_timeout');

function replaceTimers(): void {
  const real = { ...timers };
  const clear = (clearReally: (given: never) => void) => (given: unknown) => {
    if (given === undefined || given === null) return;
    const id = typeof given === 'object' ? (given as { id?: number }).id : Number(given);
    // Those of before the world are the machine's.
    if (id === undefined) clearReally(given as never);
    else time()?.removeTimer(id);
  };
  const replaced = {
    setTimeout: (run: Run, ms = 1, ...args: unknown[]) => {
      if (isOfEngine(run)) return toHandle(NEVER);
      const current = time();
      if (!current) return real.setTimeout(run, ms, ...args);
      return toHandle(current.addTimer(() => run(...args), Math.max(1, ms)));
    },
    setInterval: (run: Run, ms = 1, ...args: unknown[]) => {
      const current = time();
      if (!current) return real.setInterval(run, ms, ...args);
      const everyMs = Math.max(1, ms);
      return toHandle(current.addTimer(() => run(...args), everyMs, everyMs));
    },
    setImmediate: (run: Run, ...args: unknown[]) => {
      const current = time();
      if (!current) return real.setImmediate(run, ...args);
      return toHandle(current.addTimer(() => run(...args), 0));
    },
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
    clearImmediate: clear(real.clearImmediate),
  };
  Object.assign(globalThis, replaced);
  Object.assign(timers, replaced);
}

function replaceTimerPromises(): void {
  const real = { ...timersPromises };
  Object.assign(timersPromises, {
    setTimeout: <T>(ms = 1, value?: T, options?: { signal?: AbortSignal }) => {
      const current = time();
      if (!current) return real.setTimeout(ms, value, options);
      return wait(current, { delayMs: Math.max(1, ms), value, signal: options?.signal });
    },
    setImmediate: <T>(value?: T, options?: { signal?: AbortSignal }) => {
      const current = time();
      if (!current) return real.setImmediate(value, options);
      return wait(current, { delayMs: 0, value, signal: options?.signal });
    },
  });
}

interface Wait<T> {
  readonly delayMs: number;
  readonly value: T;
  readonly signal: AbortSignal | undefined;
}

function wait<T>(current: VirtualTime, { delayMs, value, signal }: Wait<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const aborted = () =>
      Object.assign(new Error('The operation was aborted'), {
        name: 'AbortError',
        code: 'ABORT_ERR',
        cause: signal?.reason,
      });
    if (signal?.aborted) return reject(aborted());
    const onAbort = () => {
      current.removeTimer(id);
      reject(aborted());
    };
    const id = current.addTimer(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve(value);
    }, delayMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function replaceClocks(): void {
  const RealDate = Date;
  const real = {
    elapsed: performance.now.bind(performance),
    timeout: AbortSignal.timeout.bind(AbortSignal),
  };
  const nowMs = () => time()?.nowMs ?? RealDate.now();
  class SimulatedDate extends RealDate {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(nowMs());
      // biome-ignore lint/suspicious/noExplicitAny: the overloads of Date
      else super(...(args as [any]));
    }
    static override now(): number {
      return nowMs();
    }
  }
  globalThis.Date = SimulatedDate as DateConstructor;
  performance.now = () => time()?.nowMs ?? real.elapsed();
  AbortSignal.timeout = (ms) => {
    const current = time();
    if (!current) return real.timeout(ms);
    const controller = new AbortController();
    current.addTimer(
      () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')),
      ms,
    );
    return controller.signal;
  };
}
