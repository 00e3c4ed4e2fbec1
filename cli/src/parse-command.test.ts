import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../server/test/any-text.ts';
import { readDocument } from './calls/document.ts';
import { listCommands } from './commands/commands.ts';
import { parseCommand } from './parse-command.ts';

const commands = listCommands();
const { ApiKey } = readDocument().components.schemas;
const PERMISSIONS = ApiKey?.properties?.permissions?.items?.enum ?? [];
const parse = (line: string) =>
  parseCommand(commands, line === '' ? [] : line.split(' '), 'goodword');

describe('a line that is understood', () => {
  test.each([
    ['init --name Globex --json', { values: { name: 'Globex' }, asJson: true }],
    ['rewards void rwd_1 --reason-code fraud --yes', { isConfirmed: true }],
    ['rewards void --reward rwd_1 --reason-code=fraud', { values: { reward: 'rwd_1' } }],
    ['programs set-status prg_1 active', { values: { program: 'prg_1', status: 'active' } }],
    ['endpoints update whe_1 --enabled', { values: { enabled: true } }],
    ['endpoints update whe_1 --no-enabled', { values: { enabled: false } }],
    ['endpoints update whe_1 --enabled=false', { values: { enabled: false } }],
    ['endpoints update whe_1 --enabled false', { values: { enabled: false } }],
    ['participants erase par_1 --force', { values: { id: 'par_1', force: true } }],
    [
      'keys rotate key_1 --old-key-ends-after-hours 0',
      { values: { 'old-key-ends-after-hours': 0 } },
    ],
    [
      'codes create --program prg_1 --participant 42',
      {
        values: { participant: { kind: 'individual', externalId: '42' } },
      },
    ],
    [
      'codes create --program prg_1 --participant group:acme:1',
      {
        values: { participant: { kind: 'group', externalId: 'acme:1' } },
      },
    ],
    [
      'endpoints create https://a.test --event-type reward.earned --event-types payout.paid,payout.failed',
      {
        values: { 'event-types': ['reward.earned', 'payout.paid', 'payout.failed'] },
      },
    ],
    [
      'delivery-settings update prg_1 --plan-upgrades {"a":1} --plan-upgrades [{"b":2}]',
      {
        values: { 'plan-upgrades': [{ a: 1 }, { b: 2 }] },
      },
    ],
    ['endpoints create https://a.test --event-types=', { values: { 'event-types': [] } }],
    ['search -- -odd', { values: { q: '-odd' } }],
    ['import --data - --program prg_1', { values: { data: '-', program: 'prg_1' } }],
  ])('%s', (line, expected) => {
    expect(parse(line)).toMatchObject({ kind: 'run', ...expected });
  });

  test.each([
    ['reward list', 'rewards list'],
    ['policy list prg_1', 'policies list'],
    ['batch show pob_1', 'batches show'],
    ['delivery list whe_1', 'deliveries list'],
    ['api-key list', 'keys list'],
    ['webhook-endpoint list', 'endpoints list'],
    ['audit', 'audit list'],
    ['project change --name x', 'projects update'],
    ['rewards fulfill rwd_1 --external-reference x', 'rewards fulfil'],
    ['users list', 'team list'],
  ])('%s is %s', (line, words) => {
    expect(parse(line)).toMatchObject({ kind: 'run', command: { words: words.split(' ') } });
  });

  test('gives every value back as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(anyText({ minLength: 1 }), fc.boolean(), (name, inline) => {
        fc.pre(inline || !name.startsWith('-'));
        const option = inline ? [`--name=${name}`] : ['--name', name];
        expect(parseCommand(commands, ['workspaces', 'create', ...option], '')).toMatchObject({
          kind: 'run',
          values: { name },
        });
      }),
    );
  });

  test('takes permissions as a preset or as a list', () => {
    const create = 'keys create --environment live --name x --permissions';
    expect(PERMISSIONS.length).toBeGreaterThan(10);
    expect(parse(`${create} full`)).toMatchObject({ values: { permissions: 'full' } });
    expect(parse(`${create} ${PERMISSIONS.join(',')}`)).toMatchObject({
      values: { permissions: PERMISSIONS },
    });
  });

  test('leaves the body’s needs to a body that is given whole', () => {
    expect(parse('rewards void rwd_1 --data @void.json').kind).toBe('run');
    expect(parse('rewards void --data @void.json').kind).toBe('mistake');
  });
});

test('help stands at each level: all, a group, a command, even beside mistakes', () => {
  for (const line of ['', '--help', '-h']) {
    const all = parse(line);
    for (const { words } of commands) {
      expect(all).toMatchObject({ kind: 'help', text: expect.stringContaining(words[1] ?? '') });
    }
  }
  const group = parse('key --help');
  expect(group).toMatchObject({ kind: 'help', text: expect.stringContaining('keys rotate') });
  expect(group).not.toMatchObject({ text: expect.stringContaining('workspaces create') });
  expect(parse('keys rotate --nonsense --help')).toMatchObject({ kind: 'help' });
});

test.each([
  ['frobnicate', 'There is no command "frobnicate". Commands: init, tail, explain,'],
  ['--json keys list', 'Enter a command before --json.'],
  ['workspace', 'Choose what to do with "workspace": create, list.'],
  ['key destroy', 'There is no command "key destroy". Commands: create, list, revoke, rotate.'],
  ['workspaces create', '"workspaces create" needs --name.'],
  ['projects create --name x', '"projects create" needs --environment (sandbox, live).'],
  ['workspaces create Acme', '"workspaces create" takes options only, not "Acme".'],
  ['keys revoke key_1 key_2', '"keys revoke" takes <key> and options, not "key_2".'],
  ['workspaces create --name x -- y', '"workspaces create" takes options only, not "y".'],
  ['workspaces create --title x', '"workspaces create" has no option --title. Options: --name,'],
  ['workspaces create --constructor=1', '"workspaces create" has no option --constructor.'],
  ['workspaces create --__proto__=x', '"workspaces create" has no option --__proto__.'],
  ['workspaces create -n x', '"workspaces create" has no option -n.'],
  ['workspaces create --no-name', '"workspaces create" has no option --no-name.'],
  ['workspaces create --name', '--name needs a value: --name <text>'],
  ['workspaces create --name=', '--name needs a value: --name <text>'],
  ['workspaces create --name --json', '--name needs a value: --name <text>'],
  ['workspaces create --name a --name b', '--name is given twice.'],
  ['workspaces list --json=yes', '--json takes no value.'],
  ['workspaces list --yes', '"workspaces list" has no option --yes.'],
  ['workspaces list --limit 0', '--limit must be a whole number from 1 to 100000, not "0".'],
  ['exports rewards --json', '"exports rewards" has no option --json.'],
  ['init --environment prod', '--environment must be one of sandbox, live, not "prod".'],
  ['init --permissions track:write,all', '--permissions must be one of full, backend,'],
  ['endpoints update whe_1 --enabled=maybe', '--enabled must be true or false, not "maybe".'],
  ['delivery-settings update prg_1 --plan-upgrades {', '--plan-upgrades must be JSON.'],
  ['codes create --program prg_1 --participant group:', '--participant must be an id of your'],
  ['explain', '"explain" needs --id.'],
])('"%s" is not understood, and the answer says why and where help is', (line, sentence) => {
  const parsed = parse(line);
  expect(parsed).toMatchObject({ kind: 'mistake', text: expect.stringContaining(sentence) });
  const help = parsed.kind === 'mistake' ? /^For help: goodword (.*)$/m.exec(parsed.text) : null;
  expect(parse(help?.[1] ?? 'nowhere').kind).toBe('help');
});
