// Logs one line when it is spoken to, and ends.
import { createLogger } from '../../src/platform/telemetry/log.ts';

process.stdin.once('data', () => {
  createLogger('info').info('the last word');
  process.stdin.destroy();
});
