import { systemClock } from '../../platform/kit/clock.ts';
import { runVerify } from './verify-command.ts';

process.exitCode = await runVerify(process.argv.slice(2), process.env, systemClock, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
