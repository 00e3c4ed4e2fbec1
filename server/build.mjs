import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { build } from 'esbuild';

const SOURCES = join(import.meta.dirname, 'src');
const BUILT = join(import.meta.dirname, 'dist');
const PROGRAMS = {
  main: 'main.ts',
  verify: 'programs/verify/main.ts',
  backup: 'programs/backup/backup-main.ts',
  restore: 'programs/backup/restore-main.ts',
  distribute: 'programs/distribute/main.ts',
  doctor: 'programs/doctor/main.ts',
  openapi: 'programs/openapi/main.ts',
};

// Each program in a few files, packages included: Node takes three times as long to load two thousand small ones.
const { metafile } = await build({
  entryPoints: PROGRAMS,
  absWorkingDir: SOURCES,
  outdir: BUILT,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: [
    // They read files of their own, or may be missing.
    '@electric-sql/pglite',
    '@node-rs/argon2',
    'pg-native',
    // Fastify has them only for schemas of its own kind, which no route has.
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
  ],
  // CommonJS packages call it.
  banner: {
    js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

// Every new embedded store is a copy of this empty one, because the engine takes seconds to create one.
const EMPTY_STORE = 'empty-store.tar.gz';
const modules = join(import.meta.dirname, '../node_modules');
const engine = JSON.parse(readFileSync(join(modules, '@electric-sql/pglite/package.json'), 'utf8'));
const cache = join(modules, '.cache/goodword-store');
const kept = join(cache, `${engine.version}.tar.gz`);
if (!isWhole(kept)) {
  const pg = await PGlite.create();
  const dump = await pg.dumpDataDir('gzip');
  await pg.close();
  mkdirSync(cache, { recursive: true });
  const unfinished = `${kept}.${process.pid}`;
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()));
  renameSync(unfinished, kept);
}
copyFileSync(kept, join(BUILT, EMPTY_STORE));

/** Also false for a file that a full disk or a power cut has cut off. */
function isWhole(file) {
  try {
    return gunzipSync(readFileSync(file)).length > 0;
  } catch {
    return false;
  }
}

// What an earlier build left.
const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
written.add(EMPTY_STORE);
for (const name of readdirSync(BUILT)) {
  if (!written.has(name)) rmSync(join(BUILT, name), { recursive: true });
}
