import type { Route } from '../../../platform/http/routes/route.ts';
import type { Schema } from '../api/api-document.ts';
import { unwrapNull } from '../api/describe-schema.ts';
import { count, LIMITS } from './limits.ts';
import { code, MADE, textTable } from './text-table.ts';

/** Docs/reference/limits.md: every number that a caller can run into, from where it is kept. */
export function describeLimits(routes: readonly Route[]): string {
  return `# Limits

${MADE}

These limits apply to callers. Rate limits, queue lengths and retention times can be changed: see
[Settings](settings.md).

${Object.entries(LIMITS)
  .map(([title, rows]) => `## ${title}\n\n${textTable(['What', 'Limit'], rows)}`)
  .join('\n\n')}

## Items per call

${textTable(['Call', 'Field', 'Maximum'], listArrays(routes))}

## Pages

The page size of lists is set by \`limit\`:

${textTable(['Default', 'Maximum', 'Lists'], listPageSizes(routes))}
`;
}

function listArrays(routes: readonly Route[]): string[][] {
  return routes.flatMap(({ method, path, body }) =>
    Object.entries((body as Schema | undefined)?.properties ?? {}).flatMap(([name, field]) => {
      const { maxItems } = unwrapNull(field).schema;
      return maxItems === undefined
        ? []
        : [[code(`${method} ${path}`), code(name), count(maxItems)]];
    }),
  );
}

function listPageSizes(routes: readonly Route[]): string[][] {
  const lists = new Map<string, { sizes: [number, number]; paths: string[] }>();
  for (const { path, query } of routes) {
    const { limit } = (query as Schema | undefined)?.properties ?? {};
    if (limit?.maximum === undefined) continue;
    const sizes: [number, number] = [Number(limit.default), limit.maximum];
    const list = lists.get(sizes.join()) ?? { sizes, paths: [] };
    list.paths.push(code(path));
    lists.set(sizes.join(), list);
  }
  return [...lists.values()]
    .sort((one, other) => one.sizes[1] - other.sizes[1] || one.sizes[0] - other.sizes[0])
    .map(({ sizes, paths }) => [...sizes.map(count), paths.join(', ')]);
}
