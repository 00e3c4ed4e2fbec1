import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

await refreshTypes();
const FORMATS = { esm: 'js', cjs: 'cjs' };
/** By far the largest file: modules take its declarations from the other format. */
const GENERATED = join('generated', 'api.d.ts');
for (const [format, extension] of Object.entries(FORMATS)) {
  await build({
    absWorkingDir: at('.'),
    entryPoints: ['src/index.ts', 'src/webcrypto.ts', 'src/webcrypto-node.js'],
    outdir: 'dist/lib',
    outExtension: { '.js': `.${extension}` },
    bundle: true,
    format,
    platform: 'neutral',
    external: ['node:crypto'],
    target: 'es2022',
    charset: 'utf8',
    plugins: [{ name: 'webcrypto', setup: leaveChoice }],
  });
}
// The TypeScript of the project: the one that this package itself has is for the generator alone.
const tsc = at('../node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', at('tsconfig.build.json')], { stdio: 'inherit' });
for (const file of readdirSync(at('dist/types'), { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue;
  const text = readFileSync(at(`dist/types/${file}`), 'utf8');
  mkdirSync(dirname(at(`dist/lib/${file}`)), { recursive: true });
  for (const extension of Object.values(FORMATS)) {
    const target = at(`dist/lib/${file}`).replace(/ts$/, extension.replace('js', 'ts'));
    // Both `from './a.ts'` and `import("./a.ts").A`, which the compiler writes where nothing is imported.
    const paths = /((?:from |import\()(['"])\.[^'"]*)\.ts(?=\2)/g;
    const isRepeat = file === GENERATED && extension === 'js';
    writeFileSync(
      target,
      isRepeat ? `export * from './api.cjs';\n` : text.replace(paths, `$1.${extension}`),
    );
  }
}

/** Generating takes longer than all the rest, and is needed only when its sources have changed. */
async function refreshTypes() {
  const target = at('src/generated/api.ts');
  const source = readFileSync(at('../openapi.json'), 'utf8');
  const digest = createHash('sha256')
    .update(source)
    .update(readFileSync(at('generate.mjs')))
    .digest('hex');
  const stamp = `// ${digest}\n`;
  if (existsSync(target) && readFileSync(target, 'utf8').startsWith(stamp)) return;
  const { generate } = await import('./generate.mjs');
  mkdirSync(at('src/generated'), { recursive: true });
  writeFileSync(target, stamp + (await generate(JSON.parse(source))));
}

/** Which of the two it is, is decided where the package is used: see `imports` in package.json. */
function leaveChoice(plugin) {
  plugin.onResolve({ filter: /^\.\/webcrypto\.ts$/ }, () => ({
    path: '#webcrypto',
    external: true,
  }));
}
