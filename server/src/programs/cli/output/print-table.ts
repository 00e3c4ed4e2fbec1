import type { Request } from '../calls/client.ts';
import { CliError, EXIT } from '../cli-error.ts';
import type { Context } from '../context.ts';

/** The service reads and sends a table piece by piece; a connection this silent is dead. */
const SILENCE_MS = 60_000;

/** Prints a table as it comes in, however long it is. One that breaks off is a failure. */
export async function printTable(
  { client, io }: Pick<Context, 'client' | 'io'>,
  request: Request,
): Promise<undefined> {
  const silent = new AbortController();
  const awaited = async <T>(work: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => silent.abort(), SILENCE_MS);
    return work.finally(() => clearTimeout(timer));
  };
  try {
    const { body } = await awaited(client.open(request, silent.signal));
    const reader = body?.getReader();
    const decoder = new TextDecoder();
    while (reader) {
      const { done, value } = await awaited(reader.read());
      if (done) return;
      // Whoever reads on may take their time.
      await io.out(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    if (error instanceof CliError && !silent.signal.aborted) throw error;
    const why = silent.signal.aborted
      ? `Nothing came from ${client.baseUrl} for ${SILENCE_MS / 1000} s`
      : `The connection to ${client.baseUrl} broke`;
    throw new CliError(`${why}: the table is not whole.`, EXIT.unreachable);
  }
}
