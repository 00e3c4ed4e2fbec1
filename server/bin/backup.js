import { run } from './run.js';

await run('backup-main.js');
