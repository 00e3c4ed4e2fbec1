import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { shippedFile } from '../../../platform/kit/root.ts';
import type { Section } from './contents.ts';

export const DOCS_FOLDER = shippedFile('docs');

/** A program that was shipped without its pages should not start as if nothing was missing. */
export function assertPagesThere(contents: readonly Section[], folder: string): void {
  const missing = contents
    .flatMap(({ entries }) => entries.map(({ file }) => join(folder, file)))
    .filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`Pages of /docs are missing: ${missing.join(', ')}`);
}
