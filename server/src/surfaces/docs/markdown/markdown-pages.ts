import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiDocument } from '../api/api-document.ts';
import { API_SLUG, addressOf, type DocPage, type Section } from '../pages/contents.ts';
import { makeResolveLink } from '../pages/read-pages.ts';
import { renderApiMarkdown } from './render-api.ts';
import { rewriteLinks } from './rewrite-links.ts';

/** A page of the site as Markdown, for programs. */
export interface MarkdownPage {
  readonly slug: string;
  readonly section: string;
  readonly title: string;
  readonly lead: string;
  readonly readText: () => string;
}

export interface MarkdownSource {
  readonly openapi: object;
  readonly baseUrl: string;
  readonly contents: readonly Section[];
  readonly folder: string;
}

export const markdownAddressOf = (slug: string): string => `${addressOf(slug)}.md`;

/** Each is written when it is asked for. */
export function makeMarkdownPages(
  sections: readonly { readonly title: string; readonly pages: readonly DocPage[] }[],
  { openapi, baseUrl, contents, folder }: MarkdownSource,
): MarkdownPage[] {
  const pages = sections.flatMap(({ title: section, pages: inside }) =>
    inside.map(({ slug, file, label, lead }): MarkdownPage => {
      const resolveLink = makeResolveLink(file, contents);
      const readText = () =>
        rewriteLinks(readFileSync(join(folder, file), 'utf8'), (href) =>
          toMarkdownLink(resolveLink(href), baseUrl),
        );
      return { slug, section, title: label, lead, readText };
    }),
  );
  const api: MarkdownPage = {
    slug: API_SLUG,
    section: 'Reference',
    title: 'API reference',
    lead: 'Every call, with who may make it.',
    readText: () => renderApiMarkdown(openapi as ApiDocument, baseUrl),
  };
  return [...pages, api];
}

function toMarkdownLink(address: string | null, baseUrl: string): string | null {
  if (address === null || !address.startsWith('/')) return address;
  const [path = '', anchor] = address.split('#');
  const target = path.startsWith('/docs/') ? `${path}.md` : path;
  return `${baseUrl}${target}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The index of the pages for programs, in the form of llmstxt.org. */
export function renderLlmsText(pages: readonly MarkdownPage[], baseUrl: string): string {
  const sections = [...new Set(pages.map(({ section }) => section))].map((section) => {
    const lines = pages
      .filter((page) => page.section === section)
      .map(
        ({ slug, title, lead }) => `- [${title}](${baseUrl}${markdownAddressOf(slug)}): ${lead}`,
      );
    return `## ${section}\n\n${lines.join('\n')}\n`;
  });
  return `# Goodword

> A self-hosted referral and rewards service. It ties signups and purchases to the referral that caused them, computes rewards and delivers them.

The API is described at ${baseUrl}/openapi.json (OpenAPI 3.1). Agents can use this service over the Model Context Protocol at ${baseUrl}/mcp with an API key.

${sections.join('\n')}`;
}
