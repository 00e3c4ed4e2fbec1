/** A value of a form in Stripe's notation: `a[b]=1&c[0][d]=2`. Every leaf is text. */
export type Params = { [name: string]: string | Params };

export function parseForm(text: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.split(/[[\]]+/).filter((part) => part !== '');
    let at = params;
    let last = first;
    for (const part of rest) {
      const next = at[last];
      const inner: Params = typeof next === 'object' ? next : {};
      at[last] = inner;
      at = inner;
      last = part;
    }
    at[last] = value;
  }
  return params;
}

export function textOf(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' ? value : undefined;
}

export function mapOf(params: Params, name: string): Params | undefined {
  const value = params[name];
  return typeof value === 'object' ? value : undefined;
}

/** The values of a list, which a form numbers from 0. */
export function listOf(params: Params, name: string): (string | Params)[] | undefined {
  const value = params[name];
  if (value === '') return [];
  return typeof value === 'object' ? Object.values(value) : undefined;
}

/** What `metadata` is after an update: an empty value removes a name, an empty map all of them. */
export function mergeMetadata(
  before: Readonly<Record<string, string>>,
  params: Params,
): Record<string, string> {
  if (params.metadata === '') return {};
  const merged = { ...before };
  for (const [name, value] of Object.entries(mapOf(params, 'metadata') ?? {})) {
    if (value === '') delete merged[name];
    else merged[name] = String(value);
  }
  return merged;
}
