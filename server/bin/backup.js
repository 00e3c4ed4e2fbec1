import { run } from './run.js';

await run('backup.js');
