import { rmSync } from 'node:fs';

const children = new Set();
const folders = new Set();

/** Whatever ends a benchmark, its processes and folders go with it. */
export function cleanUpAtExit({ child, folder }) {
  if (child) {
    children.add(child);
    child.once('exit', () => children.delete(child));
  }
  if (folder) folders.add(folder);
}

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
