import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedFile } from '../../platform/kit/root.ts';
import { describeOffline, describeReference } from './describe-offline.ts';

const folder = shippedFile('docs/reference');
writeFileSync(shippedFile('openapi.json'), describeOffline());
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(describeReference())) {
  writeFileSync(join(folder, name), text);
}
process.stdout.write('openapi.json and docs/reference written\n');
