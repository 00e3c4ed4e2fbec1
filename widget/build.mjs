import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build, transform } from 'esbuild';

/** Beside English, which is in the script. */
const LANGUAGES = ['ar', 'de', 'es', 'fr', 'ja'];

/**
 * Names of the panel's own, which no page, browser or service knows: they may be short. None that is
 * also a name of the DOM or of JavaScript, of an answer or of the options.
 */
const OWN_NAMES =
  /^(model|texts|isInline|isOpen|isEditing|isSaving|isQuiet|isLoading|isComplete|isPaging|isTurned|isEditable|failure|notice|showPayout|showHome|loadMore|loadRewards|loadDetails|savePayout|shareByCopy|explain|codes)$/;

const hash = (content) => createHash('sha256').update(content).digest('hex').slice(0, 16);

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');

/** Under the name for everybody, and under one that always has the same bytes. */
function write(name, extension, content, pinnedContent = content) {
  const pinned = `${name}-${hash(pinnedContent)}.${extension}`;
  writeFileSync(`dist/${name}.${extension}`, content);
  writeFileSync(`dist/${pinned}`, pinnedContent);
  return pinned;
}

const read = (language) => JSON.parse(readFileSync(`src/texts/${language}.json`, 'utf8'));
const names = Object.keys(read('en'));
for (const name of names) if (OWN_NAMES.test(name)) throw new Error(`${name} is a text.`);
const files = {};
for (const language of LANGUAGES) {
  const texts = read(language);
  // The script of the same build knows the names and their order by its English.
  const values = names.map((name) => texts[name]);
  files[language] = write(language, 'json', JSON.stringify(texts), JSON.stringify(values));
}
const codes = JSON.stringify(JSON.parse(readFileSync('src/codes.json', 'utf8')));
const codesFile = write('codes', 'json', codes);
const style = await transform(readFileSync('src/panel.css', 'utf8'), {
  loader: 'css',
  minify: true,
});
const { outputFiles } = await build({
  entryPoints: ['src/main.ts'],
  bundle: true,
  write: false,
  format: 'iife',
  minify: true,
  // What the browsers of the last years understand, without helpers.
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  mangleProps: OWN_NAMES,
  inject: ['src/jsx.ts'],
  tsconfigRaw: {
    compilerOptions: { jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment' },
  },
  define: {
    PANEL_STYLE: JSON.stringify(style.code.trim()),
    TEXT_FILES: JSON.stringify(files),
    CODES_FILE: JSON.stringify(codesFile),
  },
});
write('v1', 'js', outputFiles[0].contents);
