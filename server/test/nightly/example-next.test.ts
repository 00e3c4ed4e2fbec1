import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { makeDataFolder } from '../embedded/shop.ts';
import { ROOT, readGuide } from '../guides/blocks.ts';
import { makeWorkplace, runBlocks } from '../guides/session.ts';
import { killAll, type Program, startProgram } from '../process.ts';

/** An install, a build and a few calls; mostly the first two, which a slow registry or machine prolongs. */
const LIMIT_MS = 300_000;
const NEXT = 'docs/quickstart-next.md';

/** How npm finds its registry and its cache here; the guides have a home of their own. */
function npmSettings(): Record<string, string> {
  const settings = /^(npm_config_|https?_proxy$|no_proxy$|node_extra_ca_certs$)/i;
  const given = Object.entries(process.env).filter(([name]) => settings.test(name));
  return {
    npm_config_cache: join(homedir(), '.npm'),
    npm_config_userconfig: join(homedir(), '.npmrc'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_ignore_scripts: 'true',
    npm_config_prefer_offline: 'true',
    NEXT_TELEMETRY_DISABLED: '1',
    ...(Object.fromEntries(given) as Record<string, string>),
  };
}

/** Why the example cannot be installed here; null if it can. */
function findObstacle(): string | null {
  const { dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'examples/next/package.json'), 'utf8'),
  );
  const args = ['view', `next@${dependencies.next}`, 'version', '--fetch-retries=0'];
  try {
    execFileSync('npm', args, { timeout: 15_000, stdio: 'pipe' });
    return null;
  } catch {
    return 'The npm registry cannot be reached, and Next is not part of this repository.';
  }
}

const obstacle = findObstacle();
if (obstacle !== null) console.warn(`Skipped: ${NEXT}. ${obstacle}`);

describe('the Next example', () => {
  const root = mkdtempSync(join(tmpdir(), 'goodword-next-'));
  const dataDir = join(root, 'data');
  let program: Program;
  beforeAll(async () => {
    if (obstacle !== null) return;
    makeDataFolder(dataDir);
    program = await startProgram({
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    });
  });
  afterAll(async () => {
    await killAll();
    rmSync(root, { recursive: true, force: true });
  });

  const name = `is installed and built, and runs as ${NEXT} says`;
  test(name, { timeout: LIMIT_MS + 10_000 }, async ({ skip }) => {
    if (obstacle !== null) skip(obstacle);
    const place = makeWorkplace(join(root, 'place'), { url: program.url, dataDir });
    const blocks = readGuide(NEXT).blocks.map((block) => ({ ...block, notRun: false }));
    await runBlocks(blocks, { ...place, env: npmSettings() }, LIMIT_MS);
  });
});
