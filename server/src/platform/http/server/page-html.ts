import { createHash } from 'node:crypto';
import { type Html, html, raw } from './html.ts';

/** The colours of every page, in light and dark. */
export const COLOURS = `
:root { color-scheme: light dark; --ground: #f4f6f4; --card: #ffffff; --line: #d9dfda; --text: #17211c; --soft: #51605a; --accent: #1f5f4a; --on-accent: #ffffff; --warn: #8a3b12; }
@media (prefers-color-scheme: dark) { :root { --ground: #101513; --card: #19211d; --line: #2d3934; --text: #eaf1ed; --soft: #a7b5ae; --accent: #7fd3b0; --on-accent: #0c1f17; --warn: #f0a47c; } }
`;

const STYLE = `${COLOURS}* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 1rem; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
main { width: 100%; max-width: 30rem; padding: clamp(1.25rem, 6vw, 2.5rem); background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
.mark { display: grid; place-items: center; width: 3rem; height: 3rem; margin-bottom: 1.25rem; border-radius: 50%; border: 2px solid var(--accent); color: var(--accent); }
.mark.warn { border-color: var(--warn); color: var(--warn); }
.mark svg { width: 1.5rem; height: 1.5rem; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
p:last-child { margin-bottom: 0; }
.soft { color: var(--soft); font-size: .9375rem; }
strong { font-weight: 600; }
dl { margin: 0 0 1.25rem; padding: 1rem 0; border-block: 1px solid var(--line); display: grid; gap: .75rem; }
dt { color: var(--soft); font-size: .875rem; line-height: 1.4; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.note { padding: .75rem 1rem; border: 1px solid var(--warn); border-radius: .625rem; color: var(--warn); }
button { width: 100%; min-height: 3rem; margin: .5rem 0 1.25rem; padding: .625rem 1.25rem; border: 0; border-radius: .625rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button.second { background: transparent; color: inherit; border: 1px solid var(--soft); }
button:hover { filter: brightness(1.08); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
@media (forced-colors: active) { button { border: 1px solid ButtonText; } }
`;

/**
 * Only this style sheet is loaded, nothing is run, and the page cannot be framed. The address may
 * contain a token: it must neither be cached nor sent to another site.
 */
export function pageHeaders(
  style: string,
  referrerPolicy: 'no-referrer' | 'same-origin',
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy({ styles: [style] }),
    'referrer-policy': referrerPolicy,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  };
}

/** All that a page loads and runs. */
export interface PageParts {
  readonly styles: readonly string[];
  readonly scripts?: readonly string[];
  /** Addresses as the policy names them. */
  readonly images?: readonly string[];
  /** Whether the scripts may load from our own address. */
  readonly fetches?: boolean;
}

/** Allows exactly these parts: styles and scripts by their hash, images by their address. */
export function pagePolicy({
  styles,
  scripts = [],
  images = [],
  fetches = false,
}: PageParts): string {
  const allow = (what: string, sources: readonly string[]) =>
    sources.length === 0 ? [] : [`${what} ${sources.join(' ')}`];
  return [
    "default-src 'none'",
    ...allow('style-src', styles.map(hashOf)),
    ...allow('script-src', scripts.map(hashOf)),
    ...(fetches ? ["connect-src 'self'"] : []),
    ...allow('img-src', images),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

export const PAGE_HEADERS = pageHeaders(STYLE, 'no-referrer');

const ICONS = {
  mail: html`<rect x="3" y="5" width="18" height="14" rx="2"/><path d="m3.5 7 8.5 6 8.5-6"/>`,
  done: html`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,
  warn: html`<path d="M12 6.5v7"/><path d="M12 17.4v.1"/>`,
};

/** For pages without an action. */
export function messagePage(title: string, text: string): string {
  return framePage('warn', title, html`<p>${text}</p>`);
}

/** A page for people; `content` is markup. */
export function framePage(
  icon: keyof typeof ICONS,
  title: string,
  content: Html,
  lang = 'en',
): string {
  return html`<!doctype html>
<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<div class="mark${icon === 'warn' ? ' warn' : ''}" aria-hidden="true"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${ICONS[icon]}</svg></div>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}
