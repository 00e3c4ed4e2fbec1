import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, openService, type TestProject, type TestService } from '../harness.ts';
import { type Ended, killAll, launchCli, runCli } from '../process.ts';

let service: TestService;
let project: TestProject;
let programId: string;
let sourceId: string;
const folder = mkdtempSync(join(tmpdir(), 'goodword-cli-'));

const bin = join(folder, 'bin');

beforeAll(async () => {
  mkdirSync(bin);
  const program = fileURLToPath(new URL('../../../cli/bin/goodword.js', import.meta.url));
  const shim = join(bin, 'goodword');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(shim, 0o755);
  service = await openService();
  project = await service.newProject();
  const made = await json(
    'programs create --kind referral --name Invite --config.brand-config.landing-page-url https://shop.test/',
  );
  programId = made.data.id;
  await json(`programs set-status ${programId} active`);
  await json(
    `rules create --program ${programId} --event-type signup --beneficiary-role referrer --name Credit --terms.benefit-kind credit --terms.fixed-amount-minor 1000 --terms.currency USD --terms.currency-exponent 2`,
  );
  await json(`links create --program ${programId} --participant 42 --slug ada`);
  sourceId = (await json('sources create')).sourceNamespaceId;
});
afterAll(async () => {
  await killAll();
  await service.close();
  rmSync(folder, { recursive: true });
});

const settings = (env: Record<string, string> = {}) => ({
  GOODWORD_URL: service.url,
  ADMIN_TOKEN,
  DATA_DIR: folder,
  GOODWORD_PROJECT: project.projectId,
  ...env,
});

function cli(line: string, env: Record<string, string> = {}): Promise<Ended> {
  service.clock.advance(1);
  return runCli(line.split(' '), settings(env));
}

async function json(line: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await cli(`${line} --json`, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const signUp = (externalId: string) =>
  json(`track event --source ${sourceId} --type signup --participant ${externalId} --ref-code ada`);

/** Runs a script in which `goodword` is the built command line. */
async function bash(script: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    ['--noprofile', '--norc', '-uc', script],
    { env: { PATH: `${bin}:${process.env.PATH}`, ...settings() } },
  );
  expect(stderr).toBe('');
  return stdout;
}

test('the project is the one named, the setting’s, or the only one there is', async () => {
  const named = { GOODWORD_PROJECT: '' };
  expect((await json('programs list', named)).data).toHaveLength(1);
  const other = await service.newProject();
  expect((await json(`programs list --project ${other.projectId}`)).data).toEqual([]);
  const both = await cli('programs list', named);
  expect(both).toMatchObject({ code: 2, stdout: '' });
  expect(both.stderr).toContain('Say which project: --project <id>, or set GOODWORD_PROJECT.');
  expect(both.stderr).toContain(`  ${other.projectId}  `);
});

test('an API key does what it may, and is told what it may not', async () => {
  const asKey = { ADMIN_TOKEN: '', GOODWORD_KEY: project.key };
  expect((await json('programs list', asKey)).data).toHaveLength(1);
  const operators = await cli('workspaces list', asKey);
  expect(operators.code).toBe(1);
  expect(operators.stderr).toContain('An API key cannot do this');
  expect(operators.stderr).not.toContain(project.key);
});

test('a reward is found, explained by its event, refused without --yes, and voided', async () => {
  const { eventId } = await signUp('43');
  const { data } = await json(`rewards list --event ${eventId}`);
  expect(data).toMatchObject([{ fulfillmentStatus: 'pending' }]);
  const rewardId = data[0].id;
  const table = await cli(`rewards list --event ${eventId}`);
  expect(table.stdout).toMatch(
    new RegExp(`^${rewardId} +42 +referrer +10\\.00 USD +pending `, 'm'),
  );

  for (const id of [eventId, rewardId]) {
    const { stdout } = await cli(`explain ${id}`);
    expect(stdout).toContain(`${eventId}: signup of 43 at `);
    expect(stdout).toMatch(/^ {2}- 42, in “Invite”, \S+: credited\.$/m);
    expect(stdout).toContain(
      `  - “Credit”, for the referrer: 10.00 USD, a fixed amount, by version 1 of its terms (${rewardId}).`,
    );
  }
  expect((await json(`explain ${eventId}`)).data.explanation.rules).toHaveLength(1);

  const line = `rewards void ${rewardId} --reason-code fraud`;
  const refused = await cli(line);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect((await json(`rewards show ${rewardId}`)).void).toBeNull();
  expect((await json(`${line} --yes`)).void).toMatchObject({ reasonCode: 'fraud' });
});

test('a program is copied beside itself and to live, and refused where the caller may not', async () => {
  const shown = await cli(`programs copy --program ${programId}`);
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toContain('Copy of Invite');
  const again = await json(`programs copy --program ${programId}`);
  expect(again.data).toMatchObject({ name: 'Copy of Invite 2', status: 'draft' });
  const named = await json(`programs duplicate --program ${programId} --name Spring`);
  expect(named.data.name).toBe('Spring');

  const live = await json(
    `projects create --workspace ${project.workspaceId} --environment live --name Live`,
  );
  const toLive = `programs copy --project ${live.data.id} --from-project ${project.projectId} --program ${programId}`;
  const copied = await json(toLive);
  expect(copied).toMatchObject({
    data: { projectId: live.data.id, name: 'Invite', status: 'draft' },
    warnings: [],
  });
  const twice = await Promise.all([json(toLive), json(toLive)]);
  expect(twice.map(({ data }) => data.name).toSorted()).toEqual(['Invite 2', 'Invite 3']);

  const asKey = { ADMIN_TOKEN: '', GOODWORD_KEY: project.key };
  const refused = await cli(toLive, asKey);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/live/);
  const { key } = await json(
    `keys create --workspace ${project.workspaceId} --name R --environment sandbox --permissions read_only`,
  );
  const reader = await cli(`programs copy --program ${programId}`, {
    ADMIN_TOKEN: '',
    GOODWORD_KEY: key,
  });
  expect(reader.code).toBe(1);
  expect(reader.stderr).toContain('programs:write');
});

test('people are shown with their names, to a key that may read them', async () => {
  const { eventId, participantId } = await signUp('55');
  await json('participants save --participant 55 --name Grace');
  const events = await cli('events list --limit 1');
  expect(events.stdout).toMatch(new RegExp(`^${eventId} +signup +${participantId} +Grace `, 'm'));
  expect((await cli(`events show ${eventId}`)).stdout).toMatch(/^Participant name +Grace$/m);
  expect((await cli('referrals list --limit 1')).stdout).toMatch(/ 42 +55 \(Grace\) /);
  expect((await cli('search grac')).stdout).toMatch(/^participant +\S+ +55 +Grace$/m);
  expect((await cli(`explain ${eventId}`)).stdout).toContain('signup of 55 (Grace) at ');
  // With --json, the answer is the service's own.
  expect((await json('events list --limit 1')).data[0]).not.toHaveProperty('participantName');

  const { key } = await json(
    `keys create --workspace ${project.workspaceId} --name K --environment sandbox --permissions referrals:read`,
  );
  const asKey = { ADMIN_TOKEN: '', GOODWORD_KEY: key };
  const seen = await cli('events list --limit 1', asKey);
  expect(seen).toMatchObject({ code: 0, stderr: '' });
  expect(seen.stdout).toMatch(new RegExp(`^${eventId} +signup +${participantId} +- `, 'm'));
});

test('a refusal names its code, and with --json is the service’s own body', async () => {
  const wrong = 'endpoints create http://10.0.0.1/ --description x';
  const told = await cli(wrong);
  expect(told).toMatchObject({ code: 1, stdout: '' });
  expect(told.stderr).toMatch(/^INVALID_REQUEST\S*: .*\n {2}url .*\nRequest id: req_\w+\n$/);
  const body = await cli(`${wrong} --json`);
  expect(JSON.parse(body.stderr)).toMatchObject({
    success: false,
    error: { details: [{ path: 'url' }] },
  });
});

test('a list goes on as far as is asked, and with --all gives a row a line', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    externalId: `imported-${index}`,
  }));
  const file = join(folder, 'rows.json');
  writeFileSync(file, JSON.stringify({ rows }));
  await json(`import --program ${programId} --data @${file}`);
  const some = await cli('participants list --limit 3');
  expect(some.stdout.split('\n')).toHaveLength(6);
  expect(some.stdout).toContain('There are more: use a higher --limit, or --all.');
  const all = await cli('participants list --all --json');
  const ids = all.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).externalId);
  expect(ids.filter((id) => id?.startsWith('imported-'))).toHaveLength(60);
  const csv = await cli('exports participants');
  expect(csv.stdout.split('\n').length).toBeGreaterThan(60);
});

test('a secret is read from a file or a setting, and refused on the line', async () => {
  const connect = 'stripe connect --restricted-key';
  const onLine = await cli(`${connect} rk_test_hush`);
  expect(onLine).toMatchObject({ code: 2, stdout: '' });
  expect(onLine.stderr).toContain('--restricted-key is a secret');
  expect(onLine.stderr).not.toContain('hush');
  const unset = await cli(`${connect} env:NOWHERE`);
  expect(unset.stderr).toBe('--restricted-key: NOWHERE is not set.\n');
  // What is not a key at all is refused by the service, which shows that it got there.
  const sent = await cli(`${connect} env:SOME_KEY`, { SOME_KEY: 'not-a-key' });
  expect(sent.stderr).toContain('restrictedKey');
  expect(sent.stderr + service.log.join('')).not.toContain('not-a-key');
});

describe('tail', () => {
  test('tells what happens as it happens, through a broken connection, until Ctrl-C', async () => {
    const streams: Socket[] = [];
    service.app.server.on('request', ({ url, socket }) => {
      if (url?.includes('/stream')) streams.push(socket);
    });
    const tail = launchCli(['tail', '--type', 'reward.*,participant.created'], settings());
    await expect.poll(() => streams.length, { timeout: 20_000 }).toBe(1);
    await signUp('50');
    const has = (text: string) =>
      expect.poll(() => tail.output.stdout, { timeout: 20_000 }).toContain(text);
    await has('reward.earned        10.00 USD credit for 42 (referrer), rwd_');
    streams[0]?.destroy();
    await signUp('51');
    await has('participant.created  51');
    const { code, stdout } = await tail.kill('SIGINT');
    expect(code).toBe(0);
    expect(stdout).not.toContain('event.recorded');
    expect(stdout.match(/participant\.created {2}50\n/g)).toHaveLength(1);
  });

  test('begins with the newest, or at a time, and as JSON is an event a line', async () => {
    const tail = launchCli(['tail', '--last', '2', '--json'], settings());
    await expect.poll(() => tail.output.stdout.split('\n').length, { timeout: 20_000 }).toBe(3);
    await tail.kill('SIGINT');
    const events = tail.output.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect((await json('feed list --last 2')).events).toEqual(events);
    const since = launchCli(['tail', '--since', events[0].occurredAt, '--json'], settings());
    await expect.poll(() => since.output.stdout).toContain(events[1].id);
    expect((await since.kill('SIGINT')).stdout).not.toContain('"externalId":"43"');
  });

  test('ends in silence when nobody reads on', async () => {
    const output = await bash('goodword feed list --all --json | head -1; echo $PIPESTATUS');
    expect(output).toMatch(/^\{"id":"wev_.*\n0\n$/);
  });
});

test('bash offers at the Tab key what may come next', async () => {
  const output = await bash(`
    source <(goodword completion bash)
    offer() { # The line, and the pieces that bash makes of it.
      COMP_LINE=$1; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
      _goodword; echo "\${COMPREPLY[*]}"
    }
    complete -p goodword
    offer 'goodword rew' goodword rew
    offer 'goodword rewards vo' goodword rewards vo
    offer 'goodword rewards void rwd_1 --reason-code fr' goodword rewards void rwd_1 --reason-code fr
    offer 'goodword programs set-status prg_1 a' goodword programs set-status prg_1 a
    offer 'goodword keys create --permissions track:w' goodword keys create --permissions track : w
    offer 'goodword keys create --permissions track:' goodword keys create --permissions track :
    offer 'goodword rewards list --fulfillment-status=can' goodword rewards list --fulfillment-status = can
    offer 'goodword endpoints update x --enabled=' goodword endpoints update x --enabled =
    offer 'goodword completion ' goodword completion ''
  `);
  expect(output.trim().split('\n')).toEqual([
    'complete -o default -F _goodword goodword',
    'rewards',
    'void',
    'fraud',
    'active archived',
    'write',
    'write',
    'cancelled',
    'true false',
    'bash zsh fish',
  ]);
});

describe('doctor', () => {
  test('says ok of what is well, and what to do about the rest', async () => {
    const { code, stdout } = await cli('doctor');
    expect(code).toBe(1);
    expect(stdout).toContain(
      `ok       service: answers at ${service.url}, and its database is migrated`,
    );
    expect(stdout).toMatch(/^problem {2}root key: is missing\n +→ Restore root-key/m);
    expect(stdout).toMatch(new RegExp(`^ok +${project.projectId}: nothing waits$`, 'm'));
    expect(stdout).toMatch(/\n1 problem, \d warnings?\.\n$/);
    expect(stdout).not.toContain(ADMIN_TOKEN);
  });

  test('looks at the data folder, the key and disabled endpoints, and is JSON for scripts', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o755 });
    writeFileSync(join(data, 'root-key'), Buffer.alloc(32, 7).toString('base64'));
    const made = await json('endpoints create https://receiver.test/hook');
    await json(`endpoints update ${made.endpoint.id} --enabled=false`);
    const { code, stdout } = await cli('doctor --json', {
      DATA_DIR: data,
      GOODWORD_KEY: project.key,
    });
    const report = JSON.parse(stdout);
    const of = (check: string) =>
      report.findings.filter((finding: { check: string }) => finding.check === check);
    expect(code).toBe(1);
    expect(report.problems).toBe(2);
    expect(of('data folder')).toMatchObject([
      { level: 'problem', advice: `chmod 700 ${data}` },
      { level: 'problem', advice: `chmod 600 ${join(data, 'root-key')}` },
    ]);
    expect(of('root key')).toMatchObject([{ level: 'ok' }]);
    expect(of('GOODWORD_KEY')).toMatchObject([{ level: 'ok' }]);
    expect(of(project.projectId)).toMatchObject([
      { level: 'warning', message: 'The endpoint https://receiver.test/hook is disabled' },
    ]);
    expect(stdout).not.toContain(project.key);
  });

  test('a service that is not there is a problem, not a stack', async () => {
    const { code, stdout, stderr } = await cli('doctor', { GOODWORD_URL: 'http://127.0.0.1:2' });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain(
      'problem  service: does not answer at http://127.0.0.1:2 (ECONNREFUSED)',
    );
  });
});
