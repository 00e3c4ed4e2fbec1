import { type ApiDocument, listOperations } from '../api/api-document.ts';

/** The reference of the API in short: fields are in the description of the API itself. */
export function renderApiMarkdown(document: ApiDocument, baseUrl: string): string {
  const byTag = new Map<string, string[]>();
  for (const operation of listOperations(document)) {
    const { method, path, summary, description, tags } = operation;
    const permissions = operation['x-permissions'];
    const tag = tags?.[0] ?? 'Other';
    const needs =
      permissions.length === 0
        ? ''
        : ` Needs ${permissions.map((one) => `\`${one}\``).join(', ')}.`;
    const more = description === undefined ? '' : `\n\n${description}`;
    const callers = operation['x-callers'].join(', ');
    const text = `### ${method} ${path}\n\n${summary}. Callers: ${callers}.${needs}${more}\n`;
    byTag.set(tag, [...(byTag.get(tag) ?? []), text]);
  }
  const sections = [...byTag].map(([tag, texts]) => `## ${tag}\n\n${texts.join('\n')}`);
  return `# API reference\n\nEvery call of the API. Fields, refusals and examples are in the OpenAPI 3.1 document: ${baseUrl}/openapi.json\n\n${sections.join('\n')}`;
}
