import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeOffline } from './describe-offline.ts';
import { describeReference } from './describe-reference.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'docs/reference');
writeFileSync(join(root, 'openapi.json'), describeOffline());
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(describeReference())) {
  writeFileSync(join(folder, name), text);
}
process.stdout.write('openapi.json and docs/reference written\n');
