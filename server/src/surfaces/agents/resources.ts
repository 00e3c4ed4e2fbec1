import type { Permission } from '../../platform/http/access/permissions.ts';
import type { MarkdownPage } from '../docs/markdown/markdown-pages.ts';
import type { ListedResource, ListedTemplate } from './protocol/make-server.ts';
import { toText } from './protocol/to-text.ts';
import type { CallRoute, Json } from './tools/call-route.ts';
import type { makeReadProgram } from './tools/compound-tools.ts';

const DOCS = 'goodword://docs/';
const PROGRAM = /^goodword:\/\/projects\/([^/]+)\/programs\/([^/]+)$/;
const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';

export interface ResourceDeps {
  readonly listPages: () => Promise<readonly MarkdownPage[]>;
  readonly programs: ReturnType<typeof makeReadProgram>;
  readonly listPrograms: (projectId: string) => Promise<readonly Json[]>;
  /** The Project of the connection. */
  readonly findProject: () => Promise<string | undefined>;
  readonly may: (permission: Permission) => boolean;
  readonly call: CallRoute;
}

/** The programs of the connection's Project, if it has one and the key may read them, and the documentation. */
export async function listResources(deps: ResourceDeps): Promise<ListedResource[]> {
  const pages = (await deps.listPages()).map(
    ({ slug, title, lead }): ListedResource => ({
      uri: `${DOCS}${slug}`,
      name: `docs/${slug}`,
      title,
      description: lead,
      mimeType: MARKDOWN,
    }),
  );
  if (!deps.programs.permissions.every(deps.may)) return pages;
  const projectId = await deps.findProject();
  if (projectId === undefined) return pages;
  const programs = (await deps.listPrograms(projectId)).map(
    ({ id, name }): ListedResource => ({
      uri: `goodword://projects/${projectId}/programs/${String(id)}`,
      name: String(id),
      title: String(name),
      mimeType: JSON_TYPE,
    }),
  );
  return [...programs, ...pages];
}

export function listTemplates({ programs, may }: ResourceDeps): ListedTemplate[] {
  const docs = {
    uriTemplate: `${DOCS}{+page}`,
    name: 'docs',
    title: 'A page of the documentation',
    description: 'A page of the documentation as Markdown, such as goodword://docs/concepts',
    mimeType: MARKDOWN,
  };
  if (!programs.permissions.every(may)) return [docs];
  return [
    {
      uriTemplate: 'goodword://projects/{projectId}/programs/{programId}',
      name: 'program',
      title: 'The definition of a program',
      description: 'A program with its rules, terms, delivery settings and attribution policies',
      mimeType: JSON_TYPE,
    },
    docs,
  ];
}

/** Undefined for an unknown address. Fails as the routes that it reads do. */
export async function readResource(
  deps: ResourceDeps,
  uri: string,
): Promise<{ mimeType: string; text: string } | undefined> {
  if (uri.startsWith(DOCS)) {
    const slug = uri.slice(DOCS.length);
    const page = (await deps.listPages()).find((one) => one.slug === slug);
    return page && { mimeType: MARKDOWN, text: page.readText() };
  }
  const [, projectId, programId] = PROGRAM.exec(uri) ?? [];
  if (projectId === undefined || programId === undefined) return undefined;
  const program = await deps.programs.read(deps.call, projectId, programId);
  return { mimeType: JSON_TYPE, text: toText(program) };
}
