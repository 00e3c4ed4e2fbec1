import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Runs a program of `dist` with the arguments of this process. A clone that was never built is built first. */
export async function run(path) {
  const program = new URL(`../dist/${path}`, import.meta.url);
  if (!existsSync(program)) build();
  try {
    await import(program.href);
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    end(
      `${error.message}\nThe build is incomplete. Run npm install && npm run build, then try again.`,
    );
  }
}

function build() {
  process.stderr.write('Building Goodword (first run only)...\n');
  try {
    // What the build prints must not mix with what the program prints.
    execFileSync('npm', ['run', 'build', '--silent'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: ['ignore', 2, 2],
    });
  } catch {
    end('The build failed. Run npm install && npm run build to see why.');
  }
}

function end(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
