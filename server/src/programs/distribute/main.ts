import { runDistribute } from './distribute-command.ts';

process.exitCode = await runDistribute(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
