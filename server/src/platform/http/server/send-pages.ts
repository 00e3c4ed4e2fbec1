import { Readable } from 'node:stream';
import type { AppError } from '../../kit/errors.ts';
import { toAppError } from '../routes/error-body.ts';

/**
 * Sends page by page: the next one is requested when the last was read, and none after the reader
 * has disconnected. An error cuts the connection, so that nobody mistakes a part for the whole.
 */
export function sendPages(
  { method }: { readonly method: string },
  pages: AsyncIterable<string>,
  onFailure: (failure: AppError) => void,
): Readable | '' {
  // For a HEAD request, reading everything would be wasted.
  return method === 'HEAD' ? '' : Readable.from(toChunks(pages, onFailure));
}

async function* toChunks(
  pages: AsyncIterable<string>,
  onFailure: (failure: AppError) => void,
): AsyncGenerator<Buffer> {
  try {
    // As bytes: a long string is written to the socket at half the speed.
    for await (const page of pages) yield Buffer.from(page);
  } catch (error) {
    onFailure(toAppError(error));
    throw error;
  }
}

const NAME_LENGTH_MAX = 150;

/** A `Content-Disposition` for a download. Callers may have chosen its name. */
export function attachment(fileName: string): string {
  const ending = /\.[a-z]{1,5}$/.exec(fileName)?.[0] ?? '';
  const safe = fileName
    .slice(0, fileName.length - ending.length)
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .slice(0, NAME_LENGTH_MAX);
  return `attachment; filename="${safe}${ending}"`;
}
