import { execFileSync } from 'node:child_process';

/** Builds the programs that the tests start, once for all projects of a run. `TEST_BUILT=1` says that they are built. */
export default function build(): void {
  if (process.env.TEST_BUILT === '1') return;
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: new URL('../..', import.meta.url) });
  process.env.TEST_BUILT = '1';
}
