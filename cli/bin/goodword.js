#!/usr/bin/env node
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The package has it; a clone that was never built is built first.
const program = new URL('../dist/goodword.js', import.meta.url);
if (!existsSync(program)) {
  process.stderr.write('Building Goodword (first run only)...\n');
  // What the build prints must not mix with what the program prints.
  execFileSync('npm', ['run', 'build', '--silent'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 2, 2],
  });
}
await import(program.href);
