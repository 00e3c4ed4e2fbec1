import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeIgnore, readCopy, readDockerfile, type Stage } from '../dockerfile.ts';

/**
 * Carries out the Dockerfile without Docker: each stage is a folder, COPY copies (from the
 * repository as .dockerignore leaves it), RUN runs npm. What the whole repository has installed
 * stands in for the first `npm ci`, which is the slow one and what every checkout begins with.
 */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');
const stages = readDockerfile(read('deploy/Dockerfile'));
const final = stages.at(-1) as Stage;
const valuesOf = (stage: Stage, name: string) =>
  stage.instructions.filter((one) => one.name === name).map(({ rest }) => rest);
const root = mkdtempSync(join(tmpdir(), 'goodword-image-'));
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', root]);
  rmSync(root, { recursive: true, force: true });
});

const folders = new Map<string, string>();
const ran: string[] = [];

function build(stage: Stage): void {
  const folder = join(root, stage.name);
  folders.set(stage.name, folder);
  mkdirSync(folder);
  const base = folders.get(stage.from);
  // What `npm ci` would remove first need not be there.
  if (base)
    for (const name of readdirSync(base))
      if (name !== 'node_modules') linkTree(join(base, name), join(folder, name));
  for (const { name, rest } of stage.instructions) {
    if (name === 'COPY') copy(folder, rest);
    if (name === 'RUN') run(folder, rest);
  }
}

/** Copies a folder whose files nobody changes in place: as links, where the file system is the same. */
function linkTree(from: string, to: string): void {
  execFileSync('sh', ['-c', 'cp -alT "$0" "$1" 2>/dev/null || cp -aT "$0" "$1"', from, to]);
}

/**
 * What the repository has built. `npm run build` keeps it if the context has every source that it was made of,
 * and builds again, or fails, if one is missing or differs: to build all of it a second time would prove no more.
 */
function bringBuilds(folder: string): void {
  for (const workspace of JSON.parse(read('package.json')).workspaces as string[]) {
    for (const built of [join(workspace, 'dist'), join(workspace, 'src/generated')]) {
      const from = join(REPOSITORY, built);
      if (existsSync(from)) execFileSync('cp', ['-aT', from, join(folder, built)]);
    }
  }
}

const inApp = (path: string) => path.replace(/^\/app\//, '');

function copy(folder: string, rest: string): void {
  const { from, sources, target } = readCopy(rest);
  const isIgnored = makeIgnore(read('.dockerignore'));
  for (const source of sources) {
    const origin = from === undefined ? REPOSITORY : (folders.get(from) as string);
    const path = join(origin, inApp(source));
    const intoFolder = target.endsWith('/') && source !== '.';
    const place = join(folder, target, intoFolder ? (source.split('/').at(-1) as string) : '');
    if (from !== undefined) {
      // Whole folders: no links, because the files of the image become read-only, and those of the repository must not.
      mkdirSync(dirname(place), { recursive: true });
      execFileSync('cp', ['-aT', path, place]);
      continue;
    }
    cpSync(path, place, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (one) => !isIgnored(relative(REPOSITORY, one)),
    });
  }
}

function run(folder: string, command: string): void {
  ran.push(command);
  if (command === 'npm ci --ignore-scripts --no-audit --no-fund') {
    const installed = ['.', ...(JSON.parse(read('package.json')).workspaces as string[])];
    for (const workspace of installed) {
      const modules = join(REPOSITORY, workspace, 'node_modules');
      const place = join(folder, workspace, 'node_modules');
      if (existsSync(modules)) linkTree(modules, place);
    }
    bringBuilds(folder);
  } else if (command.startsWith('npm ')) {
    // A test may not depend on the registry more than the installation before it did.
    const env = { ...process.env, npm_config_prefer_offline: 'true' };
    execFileSync('sh', ['-c', command], { cwd: folder, env, stdio: 'pipe' });
  } else {
    expect(command).toBe('mkdir -m 0700 /data && chown 1000:1000 /data');
  }
}

let image: string;
beforeAll(() => {
  stages.forEach(build);
  image = folders.get(final.name) as string;
});

test('what was run is what the file says, and no test tool or source is in the image', () => {
  expect(ran).toHaveLength(4);
  expect(readdirSync(image).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'cli',
    'console',
    'docs',
    'docs-site',
    'landing',
    'node_modules',
    'openapi.json',
    'package.json',
    'server',
    'widget',
  ]);
  expect(readdirSync(join(image, 'server')).toSorted()).toEqual([
    'bin',
    'data',
    'dist',
    'migrations',
    'node_modules',
    'package.json',
  ]);
  expect(readdirSync(join(image, 'cli')).toSorted()).toEqual(['bin', 'dist', 'package.json']);
  expect(readdirSync(join(image, 'docs-site'))).toEqual(['dist']);
  for (const name of ['typescript', 'vitest', 'vite', 'esbuild', 'react-dom', 'playwright-core']) {
    expect(existsSync(join(image, 'node_modules', name)), name).toBe(false);
  }
});

test('the context has nothing of this machine', () => {
  const isIgnored = makeIgnore(read('.dockerignore'));
  for (const path of [
    '.git/config',
    'data/root-key',
    'goodword.json',
    'live-key.json',
    'server/dist/main.js',
    '.env',
    'server/.env.local',
  ]) {
    expect(isIgnored(path), path).toBe(true);
  }
  for (const path of ['server/src/main.ts', 'build.js', 'docs/webhooks.md', 'package-lock.json']) {
    expect(isIgnored(path), path).toBe(false);
  }
});

test('it runs as somebody who is not root, on files that nobody can write, and serves', async () => {
  expect(valuesOf(final, 'USER')).toEqual(['1000:1000']);
  const dataDir = join(root, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  chmodSync(root, 0o755);
  execFileSync('chmod', ['-R', 'a-w,a+rX', image]);
  const asRoot = userInfo().uid === 0;
  if (asRoot) chownSync(dataDir, 1000, 1000);
  const [program = '', ...args] = JSON.parse(valuesOf(final, 'CMD')[0] as string) as string[];
  expect(program).toBe('node');
  const settings = Object.fromEntries(
    (valuesOf(final, 'ENV')[0] as string)
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
  const child = spawn(process.execPath, args, {
    cwd: image,
    ...(asRoot ? { uid: 1000, gid: 1000 } : {}),
    env: { ...settings, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  try {
    const url = await addressOf(child);
    for (const path of [
      '/readyz',
      '/docs',
      '/console',
      '/landing/v1.js',
      '/widget/v1.js',
      '/metrics',
    ]) {
      expect((await fetch(url + path)).status, path).toBe(200);
    }
    const docs = await (await fetch(`${url}/docs`)).text();
    for (const [path] of docs.matchAll(/\/docs\/assets\/site-[0-9a-f]{16}\.(?:css|js)/g)) {
      expect((await fetch(url + path)).status, path).toBe(200);
    }
    const [, command = ''] =
      /CMD (\[.*\])$/.exec(valuesOf(final, 'HEALTHCHECK')[0] as string) ?? [];
    const [, ...check] = JSON.parse(command) as string[];
    const env = { PORT: new URL(url).port };
    execFileSync(process.execPath, check, { env });
    expect(() => execFileSync(process.execPath, check, { env: { PORT: '1' } })).toThrow();
    const hashes = `import('@node-rs/argon2').then(({ hash }) => hash('x'))`;
    execFileSync(process.execPath, ['-e', hashes], { cwd: image });
    const goodword = (...line: string[]) =>
      execFileSync('npx', ['goodword', ...line], {
        cwd: image,
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, GOODWORD_URL: url },
        encoding: 'utf8',
      });
    expect(JSON.parse(goodword('init', '--json'))).toHaveProperty('project.id');
    // Its checks of settings, folder and database are the server's: it finds that beside it.
    expect(goodword('doctor')).toMatch(/^ok +data folder: .*\n[\s\S]*^ok +service: answers at /m);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
});

function addressOf(child: ReturnType<typeof spawn>): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [, address] = /^ +Address +(\S+)$/m.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('close', () => reject(new Error(`It ended before it was ready.\n${output}`)));
  });
}
