import { expect, test } from 'vitest';
import type { Client } from '../calls/client.ts';
import { readDocument } from '../calls/document.ts';
import { listCommands } from '../commands/commands.ts';
import { parseCommand } from '../parse-command.ts';
import { type ApiKey, checkKey } from './check-key.ts';
import { checkProject } from './check-projects.ts';
import { describeAttention } from './describe-attention.ts';
import { describeFindings } from './describe-findings.ts';
import { compareClocks, ok, problem, warning } from './finding.ts';

test('every finding is a line, with what to do below it, and they are counted', () => {
  const findings = [
    ok('disk', 'enough'),
    warning('mail', 'none\u001b[2J', 'Set it.'),
    problem('root key', 'gone', 'Put it back.'),
  ];
  expect(describeFindings(findings, false)).toBe(`ok       disk: enough
warning  mail: none�[2J
         → Set it.
problem  root key: gone
         → Put it back.

1 problem, 1 warning.
`);
  expect(describeFindings([ok('disk', 'enough')], true)).toContain('\u001b[32mok     \u001b[0m');
});

test.each([
  [0, 'ok'],
  [2_500, 'ok'],
  [3_500, 'warning'],
  [-3_500, 'warning'],
  [-120_000, 'problem'],
] as const)('a clock that is %i ms ahead is %s, with a second of doubt', (aheadMs, level) => {
  expect(compareClocks('clock', aheadMs, 1_000)).toMatchObject({ level });
});

const KEY = 'gw_sandbox_abcdefgh1234';
const known: ApiKey = {
  id: 'key_1',
  workspaceId: 'ws_1',
  environment: 'sandbox',
  name: 'Backend',
  permissions: ['track:write'],
  prefix: 'gw_sandbox_abcd',
  last4: '1234',
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};
const NOW = Date.parse('2026-11-15T00:00:00.000Z');

test.each([
  [{}, 'ok', 'may track:write'],
  [{ last4: '9999' }, 'problem', 'is not a key of this service'],
  [{ revokedAt: '2026-11-02T00:00:00.000Z' }, 'problem', 'was revoked'],
  [{ expiresAt: '2026-11-15T00:00:00.000Z' }, 'problem', 'expired at'],
  [{ expiresAt: '2026-11-20T00:00:00.000Z' }, 'warning', 'expires at'],
  [{ expiresAt: '2027-11-20T00:00:00.000Z' }, 'ok', 'Backend'],
])('a key with %j: %s', (change, level, words) => {
  const found = checkKey(KEY, [{ ...known, ...change }], NOW);
  expect(found).toMatchObject({ level, message: expect.stringContaining(words) });
  expect(JSON.stringify(found)).not.toContain(KEY);
});

test('only what went wrong is told of what waits', () => {
  const waiting = { count: 2, isMore: true, endpoint: null };
  expect(describeAttention('prj_1', { ...waiting, kind: 'rewards_to_grant' })).toEqual([]);
  expect(describeAttention('prj_1', { ...waiting, kind: 'events_failed' })).toMatchObject([
    { level: 'problem', message: '2 or more events could not be processed' },
  ]);
  const endpoint = { id: 'whe_1', url: 'https://a.test/' };
  expect(
    describeAttention('prj_1', {
      kind: 'webhook_deliveries_failed',
      count: 1,
      isMore: false,
      endpoint,
    }),
  ).toMatchObject([{ level: 'warning', message: '1 deliveries failed (whe_1, https://a.test/)' }]);
});

test('the lines that it advises for a project are understood, and name the project', async () => {
  const endpoint = { id: 'whe_1', url: 'https://a.test/', enabled: false };
  const kinds = readDocument().components.schemas.Attention?.properties?.kind?.enum ?? [];
  const answers: Record<string, object> = {
    'GET /v1/webhook-endpoints': { endpoints: [endpoint] },
    'GET /v1/attention': {
      data: kinds.map((kind) => ({ kind, count: 1, isMore: false, endpoint })),
    },
    'GET /v1/rewards': { data: [{ availableAt: '2026-01-01', delivery: { reason: null } }] },
  };
  const call = async ({ operation }: { operation: string }) => answers[operation];
  const client = { call } as unknown as Pick<Client, 'call'>;
  const advice = (await checkProject(client, 'prj_1')).map((finding) => finding.advice ?? '');
  const lines = advice.flatMap((one) => one.match(/goodword [^,]+/g) ?? []);
  expect(lines).toHaveLength(11);
  const commands = listCommands();
  for (const line of lines) {
    const parsed = parseCommand(commands, line.split(' ').slice(1), 'goodword');
    expect(parsed, line).toMatchObject({ kind: 'run', values: { project: 'prj_1' } });
  }
  expect(lines).toContain('goodword deliveries list whe_1 --status pending --project prj_1');
});
