import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Readonly<Record<string, Locked>> };

/** Whether a package that is installed at `path` finds `name` in its own folder or one above. */
function isLocked(path: string, name: string): boolean {
  if (`${path}${path && '/'}node_modules/${name}` in packages) return true;
  return (
    path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
  );
}

// npm writes down only the binaries of the machine that it runs on if node_modules exists, and
// then installs none on any other: the program does not build there.
test('the lock file has the binaries of every platform', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(path, name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});
