export interface Fields {
  readonly [name: string]: string | Fields | undefined;
}

/** Old libraries add `toJSON` to strings and arrays, which JSON.stringify would call. */
export function toJson(fields: Fields): string {
  let json = '';
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === undefined) continue;
    const text = typeof value === 'string' ? quote(value) : toJson(value);
    json += `${json && ','}${quote(name)}:${text}`;
  }
  return `{${json}}`;
}

function quote(text: string): string {
  const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not take them as they are
  return `"${text.replace(/[\u0000-\u001f"\\\ud800-\udfff]/g, toEscape)}"`;
}
