/** Markup that is safe to send. Only `html` and `raw` make it, so text cannot become markup. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | null | readonly Part[];

/** Fills a template: text is escaped, markup goes in as it is, null is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings.map((text, index) => text + (index < parts.length ? write(parts[index]) : '')).join(''),
  );
}

/** Only for markup and styles that are constants of the program. */
export function raw(text: string): Html {
  return new Html(text);
}

export function join(parts: readonly Part[], separator: string): Html {
  return new Html(parts.map(write).join(escapeHtml(separator)));
}

function write(part: Part | undefined): string {
  if (part === null || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(write).join('');
  return escapeHtml(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
