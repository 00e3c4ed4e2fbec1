import { parseArgs } from 'node:util';
import type { AnyValues, Command } from './command.ts';
import { CALL, helpForAll, helpForCommand, helpForGroup } from './help.ts';

type Parsed =
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly values: AnyValues;
      readonly asJson: boolean;
    }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'mistake'; readonly text: string };

/** What a command line asks for. Pure: nothing is printed, called or read. */
export function parseCommand(commands: readonly Command[], args: readonly string[]): Parsed {
  const split = args.findIndex((arg) => arg.startsWith('-'));
  const words = split < 0 ? args : args.slice(0, split);
  const rest = split < 0 ? [] : args.slice(split);
  const asksHelp = rest.includes('--help') || rest.includes('-h');

  if (words.length === 0) {
    if (rest.length === 0 || asksHelp) return { kind: 'help', text: helpForAll(commands) };
    return mistake(`Name a command before ${rest[0]}.`, []);
  }
  const command = commands.find((one) => one.words.every((word, index) => word === words[index]));
  if (command) {
    if (asksHelp) return { kind: 'help', text: helpForCommand(command) };
    const extra = words[command.words.length];
    return parseOptions(command, extra === undefined ? rest : [extra, ...rest]);
  }
  const group = commands.filter((one) => one.words.length > 1 && one.words[0] === words[0]);
  if (group.length === 0) {
    const names = [...new Set(commands.map((one) => one.words[0]))].join(', ');
    return mistake(`There is no command "${words[0]}". There are: ${names}.`, []);
  }
  if (asksHelp && words.length === 1) return { kind: 'help', text: helpForGroup(group) };
  const verbs = group.map((one) => one.words[1]).join(', ');
  const said =
    words[1] === undefined
      ? `Say what to do with "${words[0]}": ${verbs}.`
      : `There is no command "${words[0]} ${words[1]}". There are: ${verbs}.`;
  return mistake(said, words.slice(0, 1));
}

function parseOptions(command: Command, args: readonly string[]): Parsed {
  const name = command.words.join(' ');
  const given = new Map<string, string[]>();
  let asJson = false;
  const known = Object.keys(command.options);
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: {
      json: { type: 'boolean' },
      ...Object.fromEntries(known.map((option) => [option, { type: 'string' as const }])),
    },
  });
  const problem = (sentence: string) => mistake(sentence, command.words);

  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      return problem(`"${name}" takes options only, and "${token.value}" is none.`);
    }
    // Every object inherits names such as "constructor", which are no options.
    const isKnown = Object.hasOwn(command.options, token.name);
    const spec = isKnown ? command.options[token.name] : undefined;
    if (token.name === 'json') {
      if (token.value !== undefined) return problem('--json takes no value.');
      asJson = true;
    } else if (!spec || !token.rawName.startsWith('--')) {
      const names = [...known, 'json', 'help'].map((option) => `--${option}`).join(', ');
      return problem(`"${name}" has no option ${token.rawName}. It has: ${names}.`);
    } else if (
      token.value === undefined ||
      token.value === '' ||
      (!token.inlineValue && token.value.startsWith('-'))
    ) {
      return problem(`--${token.name} needs a value: --${token.name} ${spec.value}`);
    } else {
      const before = given.get(token.name) ?? [];
      if (before.length > 0 && spec.needed !== 'repeatable') {
        return problem(`--${token.name} is given twice.`);
      }
      const issue = spec.check?.(token.value);
      if (issue !== undefined) return problem(`--${token.name} ${issue}.`);
      given.set(token.name, [...before, token.value]);
    }
  }

  const missing = known.filter(
    (option) => command.options[option]?.needed === 'always' && !given.has(option),
  );
  if (missing.length > 0) {
    return problem(`"${name}" needs ${missing.map((option) => `--${option}`).join(' and ')}.`);
  }
  const values = Object.fromEntries(
    Object.entries(command.options).map(([option, spec]) => {
      const texts = given.get(option) ?? [];
      return [option, spec.needed === 'repeatable' ? texts : (texts[0] ?? spec.fallback)];
    }),
  );
  return { kind: 'run', command, values, asJson };
}

function mistake(sentence: string, words: readonly string[]): Parsed {
  const help = [CALL, ...words, '--help'].join(' ');
  return {
    kind: 'mistake',
    text: `${sentence}
For help: ${help}
`,
  };
}
