import type { HLJSApi, Language, LanguageFn } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { type Html, html, raw } from '../../../platform/http/server/html.ts';

/** The first word of a line, unless the line before ends in a backslash; of a pipe, a list or a substitution. */
const COMMAND = /(?<=(?<!\\\n[ \t]*)^[ \t]*|[|&;({][ \t]*|\b(?:sudo|exec) )[a-z][\w-]*(?=\s|$)/;
const OPTION = /(?<=\s)--?[A-Za-z][\w-]*/;

/** Shell. The library colours a fixed list of commands wherever they occur; we colour any command by its place. */
function shell(api: HLJSApi): Language {
  const language = bash(api);
  const { built_in: _, ...keywords } = language.keywords;
  const added = [
    { scope: 'built_in', match: COMMAND },
    { scope: 'attr', match: OPTION },
  ];
  return { ...language, keywords, contains: [...language.contains, ...added] };
}

/** JSON without a mark around every bracket and comma: the reference has tens of thousands. */
function plainJson(api: HLJSApi): Language {
  const language = json(api);
  const contains = language.contains.filter(({ className }) => className !== 'punctuation');
  return { ...language, contains };
}

/** The languages of the docs. Each registers its aliases, such as `sh`, `js` and `html`. */
const LANGUAGES: Readonly<Record<string, LanguageFn>> = {
  bash: shell,
  go,
  ini,
  javascript,
  json: plainJson,
  php,
  python,
  ruby,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Colours code. A language that it does not know stays plain. */
export function highlight(text: string, language: string): Html {
  if (!hljs.getLanguage(language)) return html`${text}`;
  // The library escapes the text. Code with mistakes loses colours, and no text.
  return raw(hljs.highlight(text, { language, ignoreIllegals: true }).value);
}

/**
 * A titled block of code. The page's script adds the button that copies it. Lines of code keep
 * their shape and are scrolled when they are long; commands and answers are wrapped.
 */
export function codeBlock(title: string, code: Html, lines: 'wrap' | 'scroll' = 'wrap'): Html {
  if (lines === 'scroll') {
    return html`<figure class="code scrolls"><figcaption>${title}</figcaption><pre data-label="${`Code: ${title}`}"><code>${code}</code></pre></figure>`;
  }
  return html`<figure class="code"><figcaption>${title}</figcaption><pre><code>${code}</code></pre></figure>`;
}

export function jsonBlock(title: string, value: unknown): Html {
  return codeBlock(title, highlight(JSON.stringify(value, null, 2), 'json'));
}
