import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FILE_NAME } from '../../src/surfaces/docs/pages/render-markdown.ts';
import { findFreePort } from '../free-port.ts';
import { type Block, ROOT } from './blocks.ts';

/** A folder in which commands work as in the root of the repository, and its service. */
export interface Workplace {
  readonly folder: string;
  readonly url: string;
  /** Beside those that every session has. */
  readonly env?: Readonly<Record<string, string>>;
}

export function makeWorkplace(
  folder: string,
  service: { url: string; dataDir: string },
): Workplace {
  mkdirSync(folder);
  symlinkSync(service.dataDir, join(folder, 'data'));
  for (const name of ['node_modules', 'examples', 'server', 'sdk', 'cli', 'openapi.json', 'docs']) {
    symlinkSync(join(ROOT, name), join(folder, name));
  }
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  return { folder, url: service.url };
}

/**
 * A refused call fails its block, wherever its answer goes: curl alone would not tell, and in the
 * middle of a line the shell would not hear of it. A stream is listened to for a moment, since it
 * has no end of its own.
 */
const PRELUDE = `set -eu
refused=$PWD/.refused
curl() {
  local seconds=30 status
  case " $* " in *' -N '*) seconds=0.5 ;; esac
  command curl --fail-with-body --max-time $seconds "$@" | tee "$refused.answer"
  status=\${PIPESTATUS[0]}
  if [ $status -eq 28 ] && [ $seconds = 0.5 ]; then status=0; fi
  if [ $status -eq 22 ]; then { echo "Refused: curl $*"; cat "$refused.answer"; echo; } >> "$refused"; fi
  return $status
}
`;

/** A block that says what to do when something fails may have something refused. */
const CHECK = '[ ! -s "$refused" ] || { cat "$refused"; exit 22; }';

const MARK = '\u001e';

export const isFile = ({ text, language }: Block): boolean =>
  ['js', 'jsx', 'ts', 'tsx', 'html', 'json', 'python'].includes(language) && FILE_NAME.test(text);

/**
 * Runs blocks in one shell, one after the other; fails with which of them failed, and how. Within a
 * test, since that ends what it left running.
 */
export async function runBlocks(
  blocks: readonly Block[],
  place: Workplace,
  limitMs: number,
): Promise<void> {
  const ran = blocks.filter((block) => !block.notRun && (block.language === 'sh' || isFile(block)));
  const script = ran.map((block, at) => `printf '${MARK}${at}${MARK}\\n'\n${toShell(block)}\n`);
  const child = spawn('bash', ['-c', PRELUDE + (await withFreePorts(script.join(''), place.url))], {
    cwd: place.folder,
    // A group of its own, so that what it leaves running in the background ends with it.
    detached: true,
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: place.folder, BASE_URL: place.url },
      ...place.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => endGroup(child.pid as number);
  const timer = setTimeout(end, limitMs);
  onTestFinished(() => {
    clearTimeout(timer);
    end();
  });
  let output = '';
  const listen = (chunk: string) => {
    output += chunk;
  };
  child.stdout.setEncoding('utf8').on('data', listen);
  child.stderr.setEncoding('utf8').on('data', listen);
  const [code, signal] = await once(child, 'exit');
  if (code === 0) return;
  const parts = output.split(new RegExp(`${MARK}(\\d+)${MARK}\\n`));
  const failed = ran[Number(parts.at(-2) ?? 0)];
  throw new Error(
    [
      `${failed?.page}:${failed?.line} ended with ${code ?? signal}; the page has ${limitMs} ms`,
      failed?.text,
      `It printed:\n${parts.at(-1)}`,
      describeNewestFile(place.folder),
    ].join('\n\n'),
  );
}

/** Where pages say that things listen, put where nothing else does. */
async function withFreePorts(script: string, url: string): Promise<string> {
  const ports: Record<string, number> = { 3000: await findFreePort(), 4000: await findFreePort() };
  return script
    .replaceAll('http://127.0.0.1:8080', url)
    .replaceAll(
      /(localhost:|127\.0\.0\.1:|\bPORT=)(3000|4000)\b/g,
      (_all, before: string, port: string) => `${before}${ports[port]}`,
    );
}

/** Where a command wrote its answer to, a refusal is there. */
function describeNewestFile(folder: string): string {
  const [newest] = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  if (newest === undefined) return '';
  const text = readFileSync(join(folder, newest.name), 'utf8');
  return `The newest file is ${newest.name}:\n${text.slice(0, 2_000)}`;
}

function toShell(block: Block): string {
  if (block.language === 'sh') {
    return `${block.text}\n${/\|\| /.test(block.text) ? ': > "$refused"' : CHECK}`;
  }
  const name = FILE_NAME.exec(block.text)?.[1] ?? '';
  return `mkdir -p "$(dirname ${name})"\ncat > ${name} <<'END_OF_FILE'\n${block.text}\nEND_OF_FILE`;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
