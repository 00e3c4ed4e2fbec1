import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { keepUsed } from './keep-used.mjs';

const at = (path) => join(import.meta.dirname, path);

rmSync(at('dist'), { recursive: true, force: true });
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: { goodword: 'src/main.ts' },
  outdir: 'dist',
  // The SDK included: it needs nothing beside it. What one command needs is read by that command alone.
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  plugins: [{ name: 'openapi', setup: bringOpenapi }],
});

/** As text: V8 reads JSON several times as fast as an object written out in a program. */
function bringOpenapi(plugin) {
  plugin.onLoad({ filter: /[/\\]openapi-text\.ts$/ }, () => {
    const document = JSON.parse(readFileSync(at('../openapi.json'), 'utf8'));
    const text = JSON.stringify(JSON.stringify(keepUsed(document)));
    return { contents: `export const OPENAPI_TEXT = ${text};` };
  });
}
