import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const BUILT = join(import.meta.dirname, '../../dist');

/** The files that are loaded with a file of the build. */
function listLoaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(join(BUILT, file), 'utf8');
  for (const [, next = ''] of text.matchAll(/^(?:\} from|import) "\.\/([\w.-]+\.js)";$/gm)) {
    listLoaded(next, seen);
  }
  return seen;
}

/** The packages in a file of the build, which names the source of each of its parts. */
function listPackages(file: string): string[] {
  const text = readFileSync(join(BUILT, file), 'utf8');
  const sources = text.matchAll(/^(?:\/\/ |\s+")\S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm);
  return Array.from(sources, ([, name = '']) => name);
}

const partOf = (stem: string) =>
  readdirSync(BUILT).filter((name) => name.startsWith(`${stem}-`) && name.endsWith('.js'));
const packagesOf = (...files: string[]) =>
  new Set(files.flatMap((file) => [...listLoaded(file)]).flatMap(listPackages));

/** Half a megabyte or more each, and read by every start if a file that it needs imports them. */
const HEAVY = [
  '@fastify/ajv-compiler',
  '@modelcontextprotocol/sdk',
  'ajv',
  'better-auth',
  'highlight.js',
  'marked',
  'nodemailer',
  'stripe',
  'undici',
  'zod',
];

test('a start of the service loads no package that only some requests need', () => {
  const start = partOf('start-service');
  const embedded = partOf('open-embedded');
  expect([start.length, embedded.length]).toEqual([1, 1]);
  const packages = packagesOf('main.js', ...start, ...embedded);
  // Otherwise nothing was found out.
  expect([...packages]).toEqual(expect.arrayContaining(['fastify', 'pino', 'typebox']));
  expect([...packages].filter((name) => [...HEAVY, 'pg'].includes(name))).toEqual([]);
});

test('with PostgreSQL a start loads its client, and not the embedded engine', () => {
  const packages = packagesOf('main.js', ...partOf('start-service'), ...partOf('postgres'));
  expect(packages).toContain('pg');
  const loaded = partOf('postgres').flatMap((file) => [...listLoaded(file)]);
  const engine = loaded.filter((file) =>
    readFileSync(join(BUILT, file), 'utf8').includes('from "@electric-sql/pglite'),
  );
  expect(engine).toEqual([]);
});

test.each(['verify.js', 'backup.js', 'restore.js', 'doctor.js'])(
  '%s loads none either, and a client of PostgreSQL only for a store on PostgreSQL',
  (program) => {
    const packages = [...packagesOf(program)];
    expect(packages.filter((name) => [...HEAVY, 'pg'].includes(name))).toEqual([]);
  },
);
