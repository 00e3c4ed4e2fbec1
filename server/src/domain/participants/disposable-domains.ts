import { readFileSync } from 'node:fs';
import { shippedFile } from '../../platform/kit/root.ts';

/** One domain a line; the first line is a comment with the date of the list. */
export const DISPOSABLE_FILE = shippedFile('server/data/disposable-domains.txt');

let domains: ReadonlySet<string> | undefined;

/** Whether a domain, or one above it, is of a provider of disposable addresses. Reads the list once. */
export function isDisposable(domain: string): boolean {
  domains ??= new Set(readDomains(readFileSync(DISPOSABLE_FILE, 'utf8')));
  const labels = domain.split('.');
  return labels.some((_, index) => domains?.has(labels.slice(index).join('.')));
}

/** The domains of a list, without comments and empty lines, in lower case. */
export function readDomains(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().toLowerCase())
    .filter((line) => line !== '');
}
