// Builds the named workspaces, or all, except those whose sources and build are as the last build left them.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

process.chdir(import.meta.dirname);
const STAMPS = 'node_modules/.cache/goodword-build';
/** Others use its build. */
const FIRST = 'sdk';
/** Folders of workspaces without sources. */
const NO_SOURCES = new Set([
  'node_modules',
  'dist',
  'test',
  'generated',
  'reports',
  '.stryker-tmp',
]);

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const buildable = readJson('package.json').workspaces.filter(
  (name) => readJson(join(name, 'package.json')).scripts?.build,
);

function listFiles(folder, isIncluded = () => true) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!isIncluded(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path, isIncluded) : [path];
  });
}

function digest(paths, describe) {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths.sort()) hash.update(`${path}\n`).update(describe(path));
  return hash.digest('hex');
}

function digestSources(workspace) {
  const shared = readdirSync('.').filter((name) => /\.(json|mjs)$/.test(name));
  const own = [...new Set([FIRST, workspace])].flatMap((name) =>
    listFiles(name, (part) => !NO_SOURCES.has(part)),
  );
  return digest([...shared, ...own], (path) => readFileSync(path));
}

/** By size and time, so that it differs after any other build. */
function digestBuild(workspace) {
  const folder = join(workspace, 'dist');
  return digest(existsSync(folder) ? listFiles(folder) : [], (path) => {
    const { size, mtimeMs } = statSync(path);
    return `${size} ${mtimeMs}\n`;
  });
}

/** Resolves to whether its build is up to date. */
async function build(workspace) {
  const stamp = join(STAMPS, workspace);
  const sources = digestSources(workspace);
  const state = () => `${sources} ${digestBuild(workspace)}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state()) return true;
  rmSync(stamp, { force: true });
  const args = ['run', 'build', '--silent', '--workspace', workspace];
  const [code] = await once(spawn('npm', args, { stdio: 'inherit' }), 'exit');
  if (code !== 0) {
    console.error(`Building ${workspace} failed.`);
    return false;
  }
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stamp, state());
  return true;
}

const names = process.argv.length > 2 ? process.argv.slice(2) : buildable;
const isFirstBuilt = await build(FIRST);
const others = names.filter((name) => name !== FIRST);
const outcomes = isFirstBuilt ? await Promise.all(others.map(build)) : [false];
if (outcomes.includes(false)) process.exit(1);
