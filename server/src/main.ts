import { readConfig, StartError } from './platform/config/config.ts';

try {
  const config = readConfig(process.env);
  // Loaded only now, so that a wrong setting is reported at once.
  const { startService } = await import('./start-service.ts');
  await startService(config);
} catch (error) {
  const isExpected = error instanceof StartError;
  const text = isExpected ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`Goodword cannot start.\n${text}\n`);
  process.exit(1);
}
