import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/** From the ground up: a floor imports only from itself and from those below it; so does a room on its floor. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  platform: ['kit', 'db', 'http', 'feed', 'figures', 'mail', 'telemetry', 'config', 'process'],
  accounts: ['workspaces', 'users'],
  domain: [
    'programs',
    'participants',
    'partners',
    'rewards',
    'clicks',
    'attribution',
    'risk',
    'tracking',
    'backtests',
  ],
  outbound: ['payouts', 'webhooks', 'integrations', 'reconciliation', 'after-restore', 'mail'],
  surfaces: [
    'widget',
    'imports',
    'privacy',
    'views',
    'exports',
    'partner-page',
    'docs',
    'console-files',
    'agents',
    'operations',
  ],
  programs: ['verify', 'backup', 'distribute', 'openapi', 'doctor'],
};
const ROOMS = Object.entries(FLOORS).flatMap(([floor, rooms]) =>
  rooms.map((room) => `${floor}/${room}`),
);
/** What puts the house together. */
const ROOT_FILES_MAX = 6;
/** A folder with more hides where its story begins. */
const FOLDER_FILES_MAX = 24;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  );

/** Of what is loaded only when it is needed, too. */
const importsIn = (root: string): Import[] =>
  filesIn(root).flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8');
    const statements = /^(?:import|export)\s+(type\s+)?([^;]*?)from\s+'(\.[^']+)'/gms;
    const calls = /\bimport\(()()'(\.[^']+)'\)/g;
    return [...text.matchAll(statements), ...text.matchAll(calls)].map((match) => ({
      from,
      to: relative(root, join(root, dirname(from), match[3] as string)),
      typeOnly: Boolean(match[1]),
    }));
  });

const files = filesIn(SRC);
const imports = importsIn(SRC);

/** Its floor and its room; of a file at the root nothing. */
const roomOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/');
const levelOf = (file: string): number => ROOMS.indexOf(roomOf(file));
const describeImports = (list: readonly Import[]) => list.map(({ from, to }) => `${from} → ${to}`);

test('every folder has its floor, and what is at the root puts the house together', () => {
  const rooms = new Set(files.map(roomOf));
  expect([...rooms].filter((room) => room !== '' && !ROOMS.includes(room))).toEqual([]);
  expect(files.filter((file) => roomOf(file) === '').length).toBeLessThanOrEqual(ROOT_FILES_MAX);
});

test('no folder is crowded', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > FOLDER_FILES_MAX)).toEqual([]);
});

test('an import never runs upward', () => {
  const upward = imports.filter(({ from, to }) => {
    if (roomOf(from) === '') return false;
    // A program may put the service together, as main does.
    if (roomOf(to) === '') return !from.startsWith('programs/');
    return levelOf(to) > levelOf(from);
  });
  expect(describeImports(upward)).toEqual([]);
});

test.each(['server', 'console', 'widget', 'landing', 'docs-site', 'sdk'])(
  'no file of %s is part of a circle',
  (workspace) => {
    const root = join(SRC, '../..', workspace, 'src');
    const next = new Map<string, string[]>();
    for (const { from, to } of importsIn(root)) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const to of next.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    };
    for (const file of filesIn(root)) visit(file, []);
    expect(circles).toEqual([]);
  },
);

test('a domain’s store is its own', () => {
  const foreign = imports.filter(
    ({ from, to }) => /[/-]store\.ts$/.test(to) && roomOf(from) !== roomOf(to),
  );
  expect(describeImports(foreign)).toEqual([]);
});

/** Where SQL may stand: a store is its domain's own, queries are for everybody and only read. */
const holdsSql = (file: string) => /[/-](store|queries)\.ts$/.test(file);

test('a store names no table of a floor above', () => {
  const stores = files.filter(holdsSql);
  const textOf = new Map(stores.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]));
  // A table belongs to the lowest floor that inserts into it.
  const owners = new Map<string, number>();
  for (const [file, text] of textOf) {
    for (const [, table = ''] of text.matchAll(/(?:insert into |insertRows[^(']*\(\s*')(\w+)/g)) {
      owners.set(table, Math.min(levelOf(file), owners.get(table) ?? ROOMS.length));
    }
  }
  expect(owners.size).toBeGreaterThan(50);
  const upward = [...textOf].flatMap(([file, text]) =>
    [...text.matchAll(/(?:\b(?:from|join|update|into) |(?:insert|update)Rows[^(']*\(\s*')(\w+)/g)]
      .map(([, table = '']) => table)
      .filter((table) => (owners.get(table) ?? -1) > levelOf(file))
      .map((table) => `${file} → ${table}`),
  );
  expect(upward).toEqual([]);
});

test('nothing imports routes but the app', () => {
  const others = imports.filter(({ from, to }) => to.endsWith('/routes.ts') && from !== 'app.ts');
  expect(describeImports(others)).toEqual([]);
});

test('a decision is pure, and so is all that it calls: no database, no network, no clock, no chance', () => {
  const decides = (file: string) =>
    /(^|\/)decide\/|(^|\/)((decide|fold|calculate|judge)-[\w-]+|states|ledger|schedule|[\w-]+-status)\.ts$/.test(
      file,
    );
  const pure = new Set(files.filter(decides));
  expect(pure.size).toBeGreaterThan(55);
  // A set that grows while it is walked through: what a decision calls decides, too.
  for (const file of pure) {
    for (const { from, to, typeOnly } of imports) if (from === file && !typeOnly) pure.add(to);
  }
  const impure = [...pure].flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    const found = text.match(
      // Hashes and the forms of host names are computed: these modules are pure as well.
      /from 'node:(?!crypto'|url')[\w/]+'|Math\.random|nowMs\(|Date\.now|new Date\(\)|\bawait\b|process\.|fetch\(|\.(query|send)[<(]/,
    );
    return found ? [`${file}: ${found[0]}`] : [];
  });
  expect(impure).toEqual([]);
});

test('SQL stands only in stores, in queries and in platform/db', () => {
  const strays = files.filter((file) => {
    if (holdsSql(file) || roomOf(file) === 'platform/db') return false;
    const text = readFileSync(join(SRC, file), 'utf8');
    return /\.(query|send)(<[^>]*>)?\(\s*[`'"]|\b(insert|update)Rows\b|platform\/db\/statements/.test(
      text,
    );
  });
  expect(strays).toEqual([]);
});

test('queries only read', () => {
  const writers = files.filter((file) => {
    if (!/[/-]queries\.ts$/.test(file) || roomOf(file).startsWith('platform/')) return false;
    const text = readFileSync(join(SRC, file), 'utf8');
    return /\bsendWrite\b|\.send\(|\.transaction\(|\b(insert into|update \w+( \w+)?\s+set|delete from|for (no key )?update|for share)\b/.test(
      text,
    );
  });
  expect(writers).toEqual([]);
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
  expect(readers.toSorted()).toEqual(['platform/kit/clock.ts', 'platform/telemetry/log.ts']);
});

test.each([
  { workspace: 'cli', least: 40 },
  { workspace: 'console', least: 150 },
  { workspace: 'widget', least: 10 },
  { workspace: 'docs-site', least: 8 },
])('$workspace has nothing of the server’s source', ({ workspace, least }) => {
  const folder = fileURLToPath(new URL(`../../../${workspace}/src`, import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && (workspace === 'cli' || !name.includes('.test.')),
  );
  expect(sources.length).toBeGreaterThan(least);
  const foreign = sources.flatMap((from) =>
    [...readFileSync(join(folder, from), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)]
      .map(([, to = '']) => (to.startsWith('.') ? join(workspace, 'src', dirname(from), to) : to))
      .filter((to) => to.startsWith('server/src') || to.startsWith('@goodword/server'))
      .map((to) => `${from} → ${to}`),
  );
  expect(foreign).toEqual([]);
});
