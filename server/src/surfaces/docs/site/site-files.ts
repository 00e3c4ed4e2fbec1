import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { shippedFile } from '../../../platform/kit/root.ts';
import type { Assets } from './shell.ts';

/** A file that every page loads. Its address is named after its content. */
interface SiteFile {
  readonly address: string;
  readonly content: Buffer;
}

export interface SiteFiles {
  readonly style: SiteFile;
  readonly script: SiteFile;
}

/** Reads what the build of the workspace `docs-site/` made. */
export function readSiteFiles(): SiteFiles {
  return { style: readSiteFile('site', 'css'), script: readSiteFile('site', 'js') };
}

export function addressesOf({ style, script }: SiteFiles): Assets {
  return { style: style.address, script: script.address };
}

function readSiteFile(stem: string, ending: string): SiteFile {
  const content = readFileSync(shippedFile(`docs-site/dist/${stem}.${ending}`));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { address: `/docs/assets/${stem}-${hash}.${ending}`, content };
}
