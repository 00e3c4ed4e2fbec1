import { Readable } from 'node:stream';
import type { AppError } from '../../kit/errors.ts';
import { toAppError } from '../routes/error-body.ts';

/**
 * What is sent page by page: the next one is asked for when the last was taken, and none any more
 * once the reader is gone. A fault on the way cuts the connection, so that nobody takes a part for
 * the whole.
 */
export function sendPages(
  { method }: { readonly method: string },
  pages: AsyncIterable<string>,
  onFailure: (failure: AppError) => void,
): Readable | '' {
  // Who asks for the head alone would have it all read for nothing.
  return method === 'HEAD' ? '' : Readable.from(telling(pages, onFailure));
}

async function* telling(
  pages: AsyncIterable<string>,
  onFailure: (failure: AppError) => void,
): AsyncGenerator<Buffer> {
  try {
    // As bytes: a long text is written to the socket at half the speed.
    for await (const page of pages) yield Buffer.from(page);
  } catch (error) {
    onFailure(toAppError(error));
    throw error;
  }
}
