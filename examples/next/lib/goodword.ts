import { Goodword, isGoodwordError } from '@goodword/sdk';
import { settings } from './settings';

const { goodwordUrl: url, apiKey, projectId, sourceNamespaceId } = settings;
export const goodword = new Goodword({ url, apiKey, projectId, sourceNamespaceId });

const RETRY_MS = 10_000;

/**
 * Reports a fact. Nobody waits for it: what could not be sent is sent again later, which is safe
 * for facts. Keep what waits in your database or queue: a serverless function ends before a timer.
 */
export async function report(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    console.error(error);
    // A key that is refused may be replaced; any other refusal stays one.
    const isFinal =
      isGoodwordError(error) && !error.isTransient && ![401, 403].includes(error.status);
    if (!isFinal) setTimeout(report, RETRY_MS, send).unref();
  }
}
