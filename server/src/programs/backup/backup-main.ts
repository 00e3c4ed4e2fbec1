import { systemClock } from '../../platform/kit/clock.ts';
import { runBackup } from './backup-command.ts';

process.exitCode = await runBackup('backup', process.argv.slice(2), {
  env: process.env,
  clock: systemClock,
  printer: {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  },
});
