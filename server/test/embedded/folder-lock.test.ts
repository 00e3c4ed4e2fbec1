import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from '../../src/platform/db/embedded/folder-lock.ts';
import { childProgram } from '../process.ts';

const CHILD = childProgram('embedded');

let folder: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'goodword-lock-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
  rmSync(folder, { recursive: true });
});

async function lockInChild(platform: string): Promise<ChildProcess> {
  child = spawn(process.execPath, [CHILD, 'lock', folder, platform], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('no output of the child');
  const [said] = await once(child.stdout, 'data');
  expect(String(said)).toBe('locked\n');
  return child;
}

describe('lockFolder', () => {
  it.each(['linux', 'darwin'] as const)(
    'refuses a folder in use by another process, until that is killed (%s)',
    async (platform) => {
      const holder = await lockInChild(platform);

      await expect(lockFolder(folder, platform)).rejects.toThrow(
        `Another Goodword process is already using the data folder ${folder}. ` +
          'Stop it first, or set DATA_DIR to another folder.',
      );

      holder.kill('SIGKILL');
      await once(holder, 'exit');
      const lock = await lockFolder(folder, platform);
      await lock.release();
    },
  );

  it('refuses the same folder under another name', async () => {
    const lock = await lockFolder(folder);
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    try {
      await expect(lockFolder(link)).rejects.toThrow('already using the data folder');
    } finally {
      rmSync(link);
      await lock.release();
    }
  });

  it('can be taken again after its release', async () => {
    await (await lockFolder(folder)).release();
    await (await lockFolder(folder)).release();
  });

  it('does not mix up two folders', async () => {
    const other = mkdtempSync(join(tmpdir(), 'goodword-lock-'));
    const locks = await Promise.all([lockFolder(folder), lockFolder(other)]);
    for (const lock of locks) await lock.release();
    rmSync(other, { recursive: true });
  });
});
