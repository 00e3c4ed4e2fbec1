import { run } from './run.js';

await run('verify-main.js');
