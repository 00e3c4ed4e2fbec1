import { type Html, html } from '../site/html.ts';

/** Classes: k names, s texts, n numbers, w words of the language, c comments. */
type Kind = 'k' | 's' | 'n' | 'w' | 'c';

/** In the order in which they are tried; the first that matches at a place wins. */
type Grammar = readonly (readonly [Kind, RegExp])[];

const NUMBER = ['n', /-?\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b/] as const;
const DOUBLE = ['s', /"(?:\\.|[^"\\])*"/] as const;
const SINGLE = ['s', /'(?:\\.|[^'\\\n])*'/] as const;

const JSON_GRAMMAR: Grammar = [
  ['k', /"(?:\\.|[^"\\])*"(?=\s*:)/],
  DOUBLE,
  ['w', /\b(?:true|false|null)\b/],
  NUMBER,
];

const SHELL: Grammar = [
  ['c', /(?<=^|\s)#[^\n]*/],
  ['s', /'[^']*'/],
  DOUBLE,
  ['k', /\$\{[^}]*\}|\$\w+/],
  ['k', /(?<=\s)--?[A-Za-z][\w-]*/],
  [
    'w',
    /(?<=^|[|&;(]\s*|\n\s*|\bsudo\s+|\bexec\s+)(?:apt-get|cat|cd|chmod|chown|cp|createdb|curl|diff|docker|echo|exit|export|for|git|grep|if|install|jq|kill|kubectl|mkdir|mv|node|npm|npx|openssl|pg_dump|pg_restore|psql|python3|rm|sed|set|sudo|sync|systemctl|tar|test|until|wait|while)\b/,
  ],
];

const SCRIPT: Grammar = [
  ['c', /\/\/[^\n]*|\/\*[\s\S]*?\*\//],
  ['s', /`(?:\\.|[^`\\])*`/],
  DOUBLE,
  SINGLE,
  [
    'w',
    /(?<![.\w])(?:as|async|await|break|case|catch|class|const|continue|default|else|export|extends|false|finally|for|from|function|if|import|in|instanceof|interface|let|new|null|of|return|satisfies|switch|throw|true|try|type|typeof|undefined|while)\b/,
  ],
  ['k', /\b[\w$]+(?=\()/],
  NUMBER,
];

const MARKUP: Grammar = [
  ['c', /<!--[\s\S]*?-->/],
  ['w', /<\/?[a-zA-Z][\w-]*|\/?>/],
  DOUBLE,
  SINGLE,
  ['k', /\b[\w-]+(?==)/],
];

const PYTHON: Grammar = [
  ['c', /#[^\n]*/],
  ['s', /[bfr]?"(?:\\.|[^"\\])*"|[bfr]?'(?:\\.|[^'\\])*'/],
  [
    'w',
    /\b(?:and|as|def|else|False|for|from|if|import|in|is|lambda|None|not|or|raise|return|True|try|except|with)\b/,
  ],
  ['k', /\b\w+(?=\()/],
  NUMBER,
];

const SETTINGS: Grammar = [
  ['c', /(?<=^|\s)[#;][^\n]*/],
  ['k', /(?<=^|\n)[ \t-]*[\w.\-/]+(?=\s*[:=])/],
  DOUBLE,
  SINGLE,
  ['w', /\b(?:true|false|null)\b/],
  NUMBER,
];

const SQL: Grammar = [
  ['c', /--[^\n]*/],
  SINGLE,
  [
    'w',
    /\b(?:select|from|where|insert|into|values|update|set|delete|create|alter|table|index|on|and|or|not|null|order|by|limit|grant|role|user|database|with|password)\b/,
  ],
  NUMBER,
];

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  json: JSON_GRAMMAR,
  sh: SHELL,
  bash: SHELL,
  js: SCRIPT,
  jsx: SCRIPT,
  ts: SCRIPT,
  tsx: SCRIPT,
  html: MARKUP,
  python: PYTHON,
  yaml: SETTINGS,
  ini: SETTINGS,
  sql: SQL,
};

/** Colours code. What it does not know stays plain, so nothing is ever lost. */
export function highlight(text: string, language: string): Html {
  const grammar = GRAMMARS[language];
  return grammar ? colour(text, grammar) : html`${text}`;
}

export function highlightJson(text: string): Html {
  return colour(text, JSON_GRAMMAR);
}

function colour(text: string, grammar: Grammar): Html {
  const token = new RegExp(grammar.map(([, { source }]) => `(${source})`).join('|'), 'g');
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, ...groups] = match;
    const kind = grammar[groups.findIndex((group) => group !== undefined)]?.[0];
    parts.push(text.slice(end, match.index));
    parts.push(kind ? html`<span class="${kind}">${whole}</span>` : whole);
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return html`${parts}`;
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
  return codeBlock(title, highlightJson(JSON.stringify(value, null, 2)));
}
