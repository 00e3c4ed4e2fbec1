import { CliError, EXIT } from './cli-error.ts';
import { listCommands } from './commands/commands.ts';
import { createFindCredential } from './credentials.ts';
import type { Io } from './output/io.ts';
import { toVisible } from './output/layout.ts';
import { parseCommand } from './parse-command.ts';
import { type Environment, readSettings } from './settings.ts';
import { VERSION } from './version.ts';

/** Runs one command line; returns the exit code. */
export async function run(args: readonly string[], env: Environment, io: Io): Promise<number> {
  const commands = listCommands();
  const call = env.npm_lifecycle_event === 'goodword' ? 'npm run goodword --' : 'goodword';
  if (args[0] === '__complete') {
    const { complete } = await import('./commands/complete.ts');
    await io.out(
      complete(commands, args.slice(1))
        .map((word) => `${word}\n`)
        .join(''),
    );
    return EXIT.done;
  }
  if (args.length === 1 && args[0] === '--version') {
    await io.out(`${VERSION}\n`);
    return EXIT.done;
  }
  const parsed = parseCommand(commands, args, call);
  if (parsed.kind === 'help') {
    await io.out(parsed.text);
    return EXIT.done;
  }
  if (parsed.kind === 'mistake') {
    io.err(parsed.text);
    return parsed.exitCode;
  }
  const { command, values, asJson, isConfirmed } = parsed;
  try {
    const config = readSettings(env);
    const { createClient } = await import('./calls/client.ts');
    const client = createClient(config.baseUrl, createFindCredential(config));
    const context = { config, env, io, client, call, asJson, isConfirmed };
    return (await command.run(context, values)) ?? EXIT.done;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { body, message, exitCode } = error;
    io.err(asJson && body ? `${JSON.stringify(body, null, 2)}\n` : `${showLines(message)}\n`);
    return exitCode;
  }
}

/** A message may repeat text from others. */
const showLines = (text: string): string => text.split('\n').map(toVisible).join('\n');
