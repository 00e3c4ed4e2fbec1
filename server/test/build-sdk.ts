import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const BUILD = join(import.meta.dirname, '../../build.js');

/** The console's units load the SDK. It is built unless it is up to date. */
export default function buildSdk(): void {
  execFileSync(process.execPath, [BUILD, 'sdk'], { stdio: 'inherit' });
}
