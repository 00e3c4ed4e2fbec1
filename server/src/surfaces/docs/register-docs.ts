import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FOR_EVER, registerStaticFile, takesGzip } from '../../platform/http/server/static-file.ts';
import { shippedFile } from '../../platform/kit/root.ts';
import type { MarkdownPage } from './markdown/markdown-pages.ts';
import { CONTENTS, LLMS_ADDRESS } from './pages/contents.ts';
import { assertPagesThere, DOCS_FOLDER } from './pages/docs-folder.ts';
import type { Assets } from './site/shell.ts';
import type { Served, Site } from './site/site.ts';

/**
 * Lets pages run the site's own style and script, and fetch the index of the search, and nothing
 * else. They cannot be framed, and text that slipped through the escaping could still not run.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'cache-control': 'public, max-age=300',
  vary: 'accept-encoding',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/**
 * Serves the site below /docs, and its index for programs. Its code is loaded and it is made at the first request, and
 * then kept; its files must be there. Returns its pages as Markdown.
 */
export function registerDocs(
  app: FastifyInstance,
  describeApi: () => object,
  baseUrl: string,
): () => Promise<readonly MarkdownPage[]> {
  assertPagesThere(CONTENTS, DOCS_FOLDER);
  const files = readSiteFiles();
  for (const { address, content } of Object.values(files)) {
    registerStaticFile(app, address, () => content, { 'cache-control': FOR_EVER });
  }
  let made: Site | undefined;
  const openSite = async () => {
    const { makeSite } = await import('./site/site.ts');
    made ??= makeSite({ openapi: describeApi(), baseUrl, assets: addressesOf(files) });
    return made;
  };
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const site = await openSite();
    const served = site.find(path);
    if (served) return send(served, request, reply);
    const withoutSlash = path.replace(/\/+$/, '');
    if (withoutSlash !== path && site.find(withoutSlash)) return reply.redirect(withoutSlash, 301);
    return send(site.nowhere(), request, reply.code(404));
  };
  app.get('/docs', show);
  app.get('/docs/*', show);
  app.get(LLMS_ADDRESS, show);
  return async () => (await openSite()).markdown;
}

function send(served: Served, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ ...HEADERS, etag: served.etag });
  // A proxy that compresses the page marks the tag as weak; it still names the same page.
  if (request.headers['if-none-match']?.includes(served.etag)) return reply.code(304).send();
  reply.type(served.type);
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(served.plain);
  return reply.header('content-encoding', 'gzip').send(served.packed);
}

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
