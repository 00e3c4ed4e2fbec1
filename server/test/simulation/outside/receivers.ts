import type { SendResult } from '../../../src/outbound/webhooks/sender/exchange.ts';
import type { Sender } from '../../../src/outbound/webhooks/sender/send-request.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';

export interface Received {
  readonly atMs: number;
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly status: number;
  /** Whether the answer was not lost on its way. The service may have crashed since. */
  readonly isAnswered: boolean;
}

export type ReceiverMode = 'ok' | 'accepted' | 'fails' | 'hangs' | 'answer_lost' | 'refuses';

const DEADLINE_MS = 10_000;

/** What is behind the addresses of webhooks. */
export class Receivers {
  received: Received[] = [];
  readonly #time: VirtualTime;
  readonly #modes = new Map<string, ReceiverMode>();

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  setMode(url: string, mode: ReceiverMode): void {
    this.#modes.set(url, mode);
  }

  heal(): void {
    for (const url of this.#modes.keys()) this.#modes.set(url, 'ok');
  }

  /** What was received from then on was sent by a store that is lost. */
  forgetSince(ms: number): void {
    this.received = this.received.filter(({ atMs }) => atMs < ms);
  }

  /** The events that were accepted at this address. */
  arrivedAt(address: string): Set<string> {
    const accepted = this.received.filter(({ url, status }) => url === address && status < 300);
    return new Set(accepted.map(({ id }) => id));
  }

  /**
   * The Rewards that receivers at these addresses have granted by an answer: `certain` if the service had the answer,
   * `possible` if it may have.
   */
  grantedBy(urls: ReadonlySet<string>) {
    const certain = new Set<string>();
    const possible = new Set<string>();
    for (const { url, body, status, isAnswered } of this.received) {
      const { type, data } = JSON.parse(body);
      if (!urls.has(url) || type !== 'reward.earned' || status !== 200) continue;
      possible.add(data.reward.id);
      if (isAnswered) certain.add(data.reward.id);
    }
    return { certain, possible };
  }

  sender(): Sender {
    const time = this.#time;
    const failed = (
      reason: 'timed_out' | 'connection_failed' | 'connection_lost',
      latencyMs: number,
    ): SendResult => ({ outcome: 'failed', reason, message: 'It was simulated.', latencyMs });
    return {
      send: async ({ url, headers, body }) => {
        const mode = this.#modes.get(url) ?? 'ok';
        if (mode === 'refuses') {
          await time.sleep(3);
          return failed('connection_failed', 3);
        }
        await time.sleep(5);
        const status = mode === 'fails' ? 500 : mode === 'accepted' ? 202 : 200;
        if (mode !== 'hangs') {
          const id = headers['webhook-id'] ?? '';
          this.received.push({
            atMs: time.nowMs,
            url,
            id,
            body: Buffer.from(body).toString('utf8'),
            status,
            isAnswered: mode !== 'answer_lost',
          });
        }
        if (mode === 'hangs') {
          await time.sleep(DEADLINE_MS);
          return failed('timed_out', DEADLINE_MS);
        }
        if (mode === 'answer_lost') return failed('connection_lost', 5);
        return { outcome: 'answered', status, bodyStart: 'ok', latencyMs: 5 };
      },
      async close() {},
    };
  }
}
