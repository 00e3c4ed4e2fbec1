import { run } from './run.js';

await run('distribute.js');
