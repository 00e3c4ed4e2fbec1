import { build } from 'esbuild';

await build({
  entryPoints: ['src/landing.ts'],
  outfile: 'dist/v1.js',
  bundle: true,
  format: 'iife',
  minify: true,
  // What the browsers of the last years understand, without helpers.
  target: 'es2019',
  charset: 'utf8',
});
