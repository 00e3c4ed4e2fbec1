import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PERMISSIONS } from '../http/permissions.ts';
import { COMMANDS } from './commands.ts';
import { parseCommand } from './parse-command.ts';

const parse = (line: string) => parseCommand(COMMANDS, line === '' ? [] : line.split(' '));

describe('a line that is understood', () => {
  test('gives what was said, and what is left out its default', () => {
    expect(parse('init --name Globex --json')).toMatchObject({
      kind: 'run',
      command: { words: ['init'] },
      values: { name: 'Globex', project: 'Shop', environment: 'sandbox', permissions: 'full' },
      asJson: true,
    });
    const line = 'project create --workspace ws_1 --name=Shop --environment live';
    expect(parse(line)).toMatchObject({ values: { 'allowed-origin': [] }, asJson: false });
    expect(
      parse(`${line} --allowed-origin https://a.test --allowed-origin=https://b.test`),
    ).toMatchObject({
      values: { environment: 'live', 'allowed-origin': ['https://a.test', 'https://b.test'] },
    });
  });

  test('gives every value back as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.boolean(), (name, inline) => {
        fc.pre(inline || !name.startsWith('-'));
        const option = inline ? [`--name=${name}`] : ['--name', name];
        expect(parseCommand(COMMANDS, ['workspace', 'create', ...option])).toMatchObject({
          kind: 'run',
          values: { name },
        });
      }),
    );
  });

  test('takes permissions as a preset or as a list', () => {
    const create = 'key create --workspace ws_1 --environment live --name x --permissions';
    for (const permissions of ['full', 'read_only', PERMISSIONS.join(','), 'track:write']) {
      expect(parse(`${create} ${permissions}`).kind).toBe('run');
    }
  });
});

describe('help', () => {
  test('stands at each level: all, a group, a command', () => {
    for (const line of ['', '--help', '-h']) {
      const all = parse(line);
      expect(all.kind).toBe('help');
      for (const { words, summary } of COMMANDS) {
        expect(all).toMatchObject({ text: expect.stringContaining(`  ${words.join(' ')} `) });
        expect(all).toMatchObject({ text: expect.stringContaining(summary) });
      }
    }
    const group = parse('key --help');
    expect(group).toMatchObject({ kind: 'help', text: expect.stringContaining('key rotate') });
    expect(group).not.toMatchObject({ text: expect.stringContaining('workspace create') });
  });

  test.each(COMMANDS.map((command) => [command.words.join(' '), command] as const))(
    'of %s names each of its options, even beside mistakes',
    (name, command) => {
      const help = parse(`${name} --nonsense --help`);
      expect(help.kind).toBe('help');
      for (const option of [...Object.keys(command.options), 'json', 'help']) {
        expect(help).toMatchObject({ text: expect.stringContaining(`  --${option}`) });
      }
    },
  );
});

test.each([
  ['frobnicate', 'There is no command "frobnicate". There are: init, workspace, project, key,'],
  ['--json key list', 'Name a command before --json.'],
  ['workspace', 'Say what to do with "workspace": create, list.'],
  ['key destroy', 'There is no command "key destroy". There are: create, list, rotate, revoke.'],
  ['workspace create', '"workspace create" needs --name.'],
  ['project create --name x', '"project create" needs --workspace and --environment.'],
  ['workspace create Acme', '"workspace create" takes options only, and "Acme" is none.'],
  ['workspace create --name x -- y', '"workspace create" takes options only, and "y" is none.'],
  ['workspace create --title x', '"workspace create" has no option --title. It has: --name,'],
  ['workspace create --constructor=1', '"workspace create" has no option --constructor.'],
  ['workspace create --toString=x', '"workspace create" has no option --toString.'],
  ['workspace create --__proto__=x', '"workspace create" has no option --__proto__.'],
  ['workspace create -n x', '"workspace create" has no option -n.'],
  ['workspace create --name', '--name needs a value: --name <name>'],
  ['workspace create --name=', '--name needs a value: --name <name>'],
  ['workspace create --name --json', '--name needs a value: --name <name>'],
  ['workspace create --name a --name b', '--name is given twice.'],
  ['workspace list --json=yes', '--json takes no value.'],
  ['workspace list --limit 0', '--limit must be a whole number from 1 to 10000, not "0".'],
  ['init --environment prod', '--environment must be one of sandbox, live, not "prod".'],
  ['init --permissions track:write,all', '--permissions knows no "all". Give one of full,'],
])('"%s" is not understood, and the answer says why and where help is', (line, sentence) => {
  const parsed = parse(line);
  expect(parsed).toMatchObject({ kind: 'mistake', text: expect.stringContaining(sentence) });
  const help =
    parsed.kind === 'mistake' ? /^For help: npm run goodword -- (.*)$/m.exec(parsed.text) : null;
  expect(parse(help?.[1] ?? 'nowhere').kind).toBe('help');
});
