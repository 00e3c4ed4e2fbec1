import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const SDK = join(import.meta.dirname, '../../sdk');

/** The console's units load the SDK: builds it if nobody has built it yet. */
export default function buildSdk(): void {
  if (existsSync(join(SDK, 'dist/lib/index.d.ts'))) return;
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: SDK, stdio: 'inherit' });
}
