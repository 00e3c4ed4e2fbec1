import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/** From the ground up: a folder imports only from itself and from those before it. */
const FLOORS = [
  'kit',
  'db',
  'http',
  'feed',
  'figures',
  'workspaces',
  'programs',
  'participants',
  'mail',
  'users',
  'partners',
  'rewards',
  'payouts',
  'webhooks',
  'clicks',
  'attribution',
  'widget',
  'tracking',
  'integrations',
  'reconciliation',
  'imports',
  'privacy',
  'views',
  'exports',
  'partner-page',
  'verify',
  'docs',
  'console',
];
/** Files at the root of src may import everything; these folders' mains stand beside them. */
const TOPS = ['', 'cli'];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);

const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(join(SRC, from), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(type\s+)?([^;]*?)from\s+'(\.[^']+)'/gms)].map(
    (match) => ({
      from,
      to: relative(SRC, join(SRC, dirname(from), match[3] as string)),
      typeOnly: match[1] !== undefined,
    }),
  );
});

const folderOf = (file: string): string =>
  file.includes('/') ? (file.split('/')[0] as string) : '';
const describeImports = (list: readonly Import[]) => list.map(({ from, to }) => `${from} → ${to}`);

test('every folder has its floor', () => {
  const folders = new Set(files.map(folderOf));
  expect([...folders].filter((name) => !FLOORS.includes(name) && !TOPS.includes(name))).toEqual([]);
});

test('an import never runs upward', () => {
  const upward = imports.filter(({ from, to }) => {
    const [here, there] = [folderOf(from), folderOf(to)];
    if (TOPS.includes(here)) return false;
    return here !== there && (TOPS.includes(there) || FLOORS.indexOf(there) > FLOORS.indexOf(here));
  });
  expect(describeImports(upward)).toEqual([]);
});

test('no file is part of a circle', () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test('a domain’s store is its own', () => {
  const foreign = imports.filter(
    ({ from, to }) => /[/-]store\.ts$/.test(to) && folderOf(from) !== folderOf(to),
  );
  expect(describeImports(foreign)).toEqual([]);
});

test('a store names no table of a floor above', () => {
  const stores = files.filter((file) => /[/-]store\.ts$/.test(file));
  const textOf = new Map(stores.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]));
  const floorOf = (file: string) => FLOORS.indexOf(folderOf(file));
  // A table belongs to the lowest floor that inserts into it.
  const owners = new Map<string, number>();
  for (const [file, text] of textOf) {
    for (const [, table = ''] of text.matchAll(/insert into (\w+)/g)) {
      owners.set(table, Math.min(floorOf(file), owners.get(table) ?? FLOORS.length));
    }
  }
  expect(owners.size).toBeGreaterThan(20);
  const upward = [...textOf].flatMap(([file, text]) =>
    [...text.matchAll(/\b(?:from|join|update|into) (\w+)/g)]
      .map(([, table = '']) => table)
      .filter((table) => (owners.get(table) ?? -1) > floorOf(file))
      .map((table) => `${file} → ${table}`),
  );
  expect(upward).toEqual([]);
});

test('nothing imports routes but the app', () => {
  const others = imports.filter(({ from, to }) => to.endsWith('/routes.ts') && from !== 'app.ts');
  expect(describeImports(others)).toEqual([]);
});

test('a decision is pure: it imports decisions and kit, and from elsewhere only types', () => {
  const isPure = (file: string) =>
    /(^|\/)(decide-[\w-]+|fold-[\w-]+|states|[\w-]+-status)\.ts$/.test(file);
  const impure = imports.filter(({ from, to, typeOnly }) => {
    if (!isPure(from) || typeOnly || folderOf(to) === 'kit') return false;
    return (
      /(^|[/-])(store|routes|writer)\.ts$/.test(to) || ['db', 'feed', 'http'].includes(folderOf(to))
    );
  });
  expect(describeImports(impure)).toEqual([]);
  const outside = files.filter(isPure).filter((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return /from 'node:|Math\.random|nowMs\(/.test(text);
  });
  expect(outside).toEqual([]);
  expect(files.filter(isPure).length).toBeGreaterThan(3);
});

test('SQL stands only in stores and in db/', () => {
  const strays = files.filter((file) => {
    if (/[/-]store\.ts$/.test(file) || file.startsWith('db/')) return false;
    const text = readFileSync(join(SRC, file), 'utf8');
    return /\.(query|send)(<[^>]*>)?\(\s*[`'"]/.test(text);
  });
  expect(strays).toEqual([]);
});

test('only main reads the environment, and hands it to config.ts', () => {
  const readers = files.filter((file) =>
    readFileSync(join(SRC, file), 'utf8').includes('process.env'),
  );
  expect(readers.filter((file) => !file.endsWith('main.ts'))).toEqual([]);
});

test('the clock is read in one place, so that decisions get their time as a value', () => {
  const readers = files.filter((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return /Date\.now\(\)|new Date\(\)/.test(text);
  });
  expect(readers.toSorted()).toEqual(['kit/clock.ts', 'log.ts']);
});
