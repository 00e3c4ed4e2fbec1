import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SHIPPED = fileURLToPath(new URL('../data/disposable-domains.txt', import.meta.url));
const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** A list with the date, from a text with one domain a line. Throws for a text that is none. */
export function makeList(text, date) {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase());
  const domains = [...new Set(lines.filter((line) => line !== ''))].sort();
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  if (wrong !== undefined) throw new Error(`"${wrong}" is not a domain.`);
  if (domains.length === 0) throw new Error('The file has no domains.');
  return `# Providers of disposable e-mail addresses, ${date}\n${domains.join('\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file] = process.argv.slice(2);
  if (file === undefined) {
    console.error('Name a file with one domain a line: npm run disposable-domains -- list.txt');
    process.exit(2);
  }
  try {
    const list = makeList(readFileSync(file, 'utf8'), new Date().toISOString().slice(0, 10));
    writeFileSync(SHIPPED, list);
    console.log(`${list.split('\n').length - 2} domains. Restart all processes to use them.`);
  } catch (error) {
    console.error(`The list was not changed: ${error.message}`);
    process.exit(1);
  }
}
