import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { type Html, html } from '../../../platform/http/server/html.ts';
import type { Part } from './contents.ts';
import { codeBlock, highlight } from './highlight.ts';

/** How the links and pictures of a page are resolved. */
export interface PageContext {
  /** Where a link leads on the site; null for what is only in the repository. */
  readonly resolveLink: (href: string) => string | null;
  readonly drawFigure: (href: string, alt: string, caption: string | null) => Html;
}

/**
 * A Markdown text in parts, one for each heading. The library only reads the text; the markup is
 * made by `html`, so that nothing written in a page can become markup of its own.
 */
export function renderMarkdown(text: string, context: PageContext): Part[] {
  const newId = makeHeadingIds();
  const writer = new Writer(context);
  const parts: { heading: Tokens.Heading; blocks: Token[] }[] = [];
  for (const token of lexer(text)) {
    if (token.type === 'heading') {
      parts.push({ heading: token as Tokens.Heading, blocks: [] });
    } else if (token.type !== 'space') {
      const current = parts.at(-1);
      if (!current) throw new Error(`A page begins with its title, not with: ${token.raw}`);
      current.blocks.push(token);
    }
  }
  return parts.map(({ heading, blocks }) => {
    const title = plainText(heading.tokens);
    return {
      id: newId(title),
      depth: heading.depth,
      title,
      heading: writer.inline(heading.tokens),
      // Colouring code takes longest, and most pages are never asked for.
      get body() {
        return writer.blocks(blocks);
      },
      get text() {
        return proseFirst(blocks);
      },
    };
  });
}

class Writer {
  readonly #context: PageContext;

  constructor(context: PageContext) {
    this.#context = context;
  }

  blocks(tokens: readonly Token[]): Html {
    return html`${tokens.map((token) => this.#block(token as MarkedToken))}`;
  }

  inline(tokens: readonly Token[]): Html {
    return html`${tokens.map((token) => this.#inline(token as MarkedToken))}`;
  }

  #block(token: MarkedToken): Html {
    switch (token.type) {
      case 'paragraph':
        return this.#paragraph(token);
      case 'text':
        return token.tokens ? this.inline(token.tokens) : html`${token.text}`;
      case 'code':
        return renderCode(token);
      case 'list':
        return this.#list(token);
      case 'table':
        return this.#table(token);
      case 'blockquote':
        return html`<aside class="note">${this.blocks(token.tokens)}</aside>`;
      case 'hr':
        return html`<hr>`;
      case 'html':
        // A comment is for whoever reads the source.
        return token.text.trimStart().startsWith('<!--') ? html`` : html`<p>${token.text}</p>`;
      default:
        return this.#inline(token);
    }
  }

  #paragraph({ tokens }: Tokens.Paragraph): Html {
    const [only] = tokens;
    if (tokens.length === 1 && only?.type === 'image') {
      const { href, text, title } = only as Tokens.Image;
      return this.#context.drawFigure(href, text, title);
    }
    return html`<p>${this.inline(tokens)}</p>`;
  }

  #list({ ordered, start, items }: Tokens.List): Html {
    const lines = items.map((item) => html`<li>${this.blocks(item.tokens)}</li>`);
    if (!ordered) return html`<ul>${lines}</ul>`;
    return start === 1 ? html`<ol>${lines}</ol>` : html`<ol start="${start}">${lines}</ol>`;
  }

  /** Its own frame scrolls when it is too wide; the page's script lets keyboards reach it then. */
  #table({ header, rows }: Tokens.Table): Html {
    const name = header.map((cell) => plainText(cell.tokens)).join(', ');
    const cell = ({ tokens, align }: Tokens.TableCell, tag: 'th' | 'td') => {
      const kind = align === 'right' ? html` class="number"` : null;
      const content = html`${tokens.map((token) => this.#inCell(token as MarkedToken))}`;
      return tag === 'th'
        ? html`<th scope="col"${kind}>${content}</th>`
        : html`<td${kind}>${content}</td>`;
    };
    const columns = header.length > 4 ? 'many' : header.length;
    return html`<div class="wide" data-label="${`Table: ${name}`}"><table class="prose columns-${columns}"><thead><tr>${header.map(
      (one) => cell(one, 'th'),
    )}</tr></thead><tbody>${rows.map(
      (row) => html`<tr>${row.map((one) => cell(one, 'td'))}</tr>`,
    )}</tbody></table></div>`;
  }

  /** Long names break where a reader would break them, so that columns can be narrow. */
  #inCell(token: MarkedToken): Html {
    if (token.type !== 'codespan') return this.#inline(token);
    const pieces = token.text.split(/(?<=[/_.])(?=[\w{])/);
    return html`<code>${pieces.map((piece, at) => (at === 0 ? piece : html`<wbr>${piece}`))}</code>`;
  }

  #inline(token: MarkedToken): Html {
    switch (token.type) {
      case 'strong':
        return html`<strong>${this.inline(token.tokens)}</strong>`;
      case 'em':
        return html`<em>${this.inline(token.tokens)}</em>`;
      case 'del':
        return html`<del>${this.inline(token.tokens)}</del>`;
      case 'codespan':
        return html`<code>${token.text}</code>`;
      case 'br':
        return html`<br>`;
      case 'checkbox':
        return html`<span class="tick" aria-hidden="true"></span>`;
      case 'link':
        return this.#link(token);
      case 'text':
        return token.tokens ? this.inline(token.tokens) : html`${token.text}`;
      case 'escape':
        return html`${token.text}`;
      default:
        return html`${token.raw}`;
    }
  }

  #link({ href, tokens }: Tokens.Link): Html {
    const target = this.#context.resolveLink(href);
    const text = this.inline(tokens);
    return target === null
      ? html`<span class="in-repository" title="In the repository">${text}</span>`
      : html`<a href="${target}">${text}</a>`;
  }
}

const NAMES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  bash: 'Shell',
  js: 'JavaScript',
  jsx: 'JavaScript',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  html: 'HTML',
  json: 'JSON',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  go: 'Go',
  sql: 'SQL',
  yaml: 'YAML',
  http: 'HTTP',
  nginx: 'nginx',
  ini: 'Settings',
  promql: 'PromQL',
};

/** Lines of a command may be broken anywhere. */
const WRAPPED = new Set(['sh', 'bash', 'text', 'http', '']);

/** A first line that is only a comment with a file's name is the block's title. */
export const FILE_NAME = /^(?:\/\/|#|<!--)\s*([\w./-]+\.\w+)\s*(?:-->)?\n/;

function renderCode({ lang = '', text }: Tokens.Code): Html {
  const [language = ''] = lang.split(/\s/);
  const file = FILE_NAME.exec(text);
  const title = file?.[1] ?? NAMES[language] ?? 'Text';
  const shown = highlight(file ? text.slice(file[0].length) : text, language);
  return codeBlock(title, shown, WRAPPED.has(language) ? 'wrap' : 'scroll');
}

/** The search shows the first place of a word: a sentence says more than a line of code. */
function proseFirst(blocks: readonly Token[]): string {
  const isCode = ({ type }: Token) => type === 'code';
  return [blocks.filter((block) => !isCode(block)), blocks.filter(isCode)]
    .map(plainText)
    .join('\n\n')
    .trim();
}

/** The words of a text without its marks. */
export function plainText(tokens: readonly Token[]): string {
  const words = tokens.map((token): string => {
    switch (token.type) {
      case 'table': {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((row) => row.map(cellText).join(' ')).join('\n');
      }
      case 'list':
        return (token as Tokens.List).items
          .map(({ tokens: inside }) => plainText(inside))
          .join('\n');
      case 'html':
        return '';
      case 'paragraph':
      case 'blockquote':
      case 'heading':
        return `${plainText(token.tokens ?? [])}\n\n`;
      case 'code':
        return `${(token as Tokens.Code).text}\n`;
      case 'checkbox':
        return '';
      default:
        return innerText(token as { tokens?: Token[]; text?: string });
    }
  });
  return words.join('').trim();
}

const innerText = ({ tokens, text }: { tokens?: Token[]; text?: string }): string =>
  tokens ? plainText(tokens) : (text ?? '');
const cellText = ({ tokens }: Tokens.TableCell): string => plainText(tokens);

/**
 * Ids of headings as code hosts make them, so that a link such as `webhooks.md#retries` leads to
 * the same place there and here.
 */
export function makeHeadingIds(): (title: string) => string {
  const taken = new Map<string, number>();
  return (title) => {
    const plain = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const before = taken.get(plain) ?? 0;
    taken.set(plain, before + 1);
    return before === 0 ? plain : `${plain}-${before}`;
  };
}
