import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { receiveHttp } from './receiver.ts';

export interface CaughtWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The very body. */
  readonly text: string;
}

export interface Catcher {
  readonly url: string;
  /** What came in so far, oldest first. */
  readonly caught: CaughtWebhook[];
  close(): Promise<void>;
}

/** A receiver on this machine that remembers what it gets, and answers as told. */
export async function catchWebhooks(
  respond: (response: ServerResponse) => void = (response) => response.end('ok'),
): Promise<Catcher> {
  const caught: CaughtWebhook[] = [];
  const receiver = await receiveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      caught.push({ path: request.url ?? '', headers: request.headers, text });
      respond(response);
    });
  });
  return { url: `http://127.0.0.1:${receiver.port}/hook`, caught, close: receiver.close };
}

/** Whether an independent verifier, whose clock says `now`, accepts it with this secret. */
export function isSignedWith(secret: string, { headers, text }: CaughtWebhook, now: string) {
  vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}
