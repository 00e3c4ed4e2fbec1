import { type Html, html } from '../../../platform/http/server/html.ts';
import { breakable, markdown } from '../pages/markup.ts';
import type { Schema } from './api-document.ts';
import { describeType, describeValue, optionsOf, unwrapNull } from './describe-schema.ts';

/** A line of a table: a field, or the heading over one option of a union. */
type Row =
  | {
      readonly is: 'field';
      readonly parents: string;
      readonly name: string;
      readonly schema: Schema;
      readonly required: boolean;
      readonly depth: number;
    }
  | { readonly is: 'option'; readonly label: string; readonly depth: number };

/** In a request it matters what must be sent; in an answer, what may be missing. */
export type Direction = 'request' | 'answer';

const DEPTH_SHOWN_MAX = 4;

/** A schema's fields, those of nested objects below their parent; named components are links. */
export function fieldTable(schema: Schema, direction: Direction): Html {
  const rows = listRows(schema, '', 0);
  if (rows.length === 0) return html`<p class="type">${describeType(schema)}</p>`;
  return table(rows.map((row) => renderRow(row, direction)));
}

export interface NamedSchema {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** The same table for what has no common schema, such as query parameters. */
export function parameterTable(parameters: readonly NamedSchema[]): Html {
  return table(
    parameters.map((parameter) =>
      renderRow({ is: 'field', parents: '', depth: 0, ...parameter }, 'request'),
    ),
  );
}

function table(rows: readonly Html[]): Html {
  return html`<table class="fields"><thead><tr><th scope="col">Name</th><th scope="col">Type and meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function listRows(schema: Schema, parents: string, depth: number): Row[] {
  const { schema: inner } = unwrapNull(schema);
  if (inner.$ref !== undefined) return [];
  if (inner.items) return listRows(inner.items, `${parents}[]`, depth);
  if (inner.allOf) return inner.allOf.flatMap((part) => listRows(part, parents, depth));
  const options = optionsOf(inner);
  if (options.length > 1) return listOptions(options, parents, depth);
  const [only = inner] = options;
  const prefix = parents === '' ? '' : `${parents}.`;
  return Object.entries(only.properties ?? {}).flatMap(([name, property]) => [
    {
      is: 'field' as const,
      parents: prefix,
      name,
      schema: property,
      required: only.required?.includes(name) === true,
      depth,
    },
    ...listRows(property, prefix + name, depth + 1),
  ]);
}

function listOptions(options: readonly Schema[], parents: string, depth: number): Row[] {
  const groups = options
    .map((option) => ({ option, rows: listRows(option, parents, depth) }))
    .filter(({ rows }) => rows.length > 0);
  if (groups.length === 1) return groups.flatMap(({ rows }) => rows);
  return groups.flatMap(({ option, rows }, index) => [
    { is: 'option' as const, label: labelOption(option, index), depth },
    ...rows,
  ]);
}

/** By the field that tells the options apart, if there is one. */
function labelOption(option: Schema, index: number): string {
  const mark = Object.entries(option.properties ?? {}).find(
    ([, property]) => property.const !== undefined,
  );
  const lead = index === 0 ? 'Either' : 'Or';
  return mark ? `${lead}, with ${mark[0]} ${JSON.stringify(mark[1].const)}` : lead;
}

function renderRow(row: Row, direction: Direction): Html {
  const indent = `depth-${Math.min(row.depth, DEPTH_SHOWN_MAX)}`;
  if (row.is === 'option') {
    return html`<tr class="option ${indent}"><th scope="colgroup" colspan="2">${row.label}</th></tr>`;
  }
  const { schema, parents, name } = row;
  const description = schema.description ?? unwrapNull(schema).schema.description;
  return html`<tr class="${indent}"><th scope="row"><code>${
    parents === '' ? null : html`<span class="parents">${parents}</span>`
  }${breakable(name)}</code>${presence(row.required, direction)}</th><td>${describeValue(schema)}${description === undefined ? null : markdown(description)}</td></tr>`;
}

function presence(required: boolean, direction: Direction): Html | null {
  if (direction === 'answer')
    return required ? null : html` <span class="may">may be absent</span>`;
  return required
    ? html` <span class="must">required</span>`
    : html` <span class="may">optional</span>`;
}
