import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startProgram } from './process.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data folder in which the program was started and stopped once. */
    preparedStore: string;
  }
}

/** A first start takes as long as several others: it is done once for all tests that are not about it. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'goodword-store-'));
  const program = await startProgram({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
  await program.kill('SIGTERM');
  provide('preparedStore', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
