import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeOffline } from './describe-offline.ts';

const file = fileURLToPath(new URL('../../openapi.json', import.meta.url));
writeFileSync(file, describeOffline());
process.stdout.write('openapi.json written\n');
