import { build } from 'esbuild';

await build({
  entryPoints: { site: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  format: 'iife',
  minify: true,
  // What the browsers of the last years understand, without helpers.
  target: 'es2022',
  charset: 'utf8',
});

await build({
  entryPoints: { site: 'src/styles/site.css' },
  outdir: 'dist',
  bundle: true,
  minify: true,
  charset: 'utf8',
});
