import type { SignedInPartner } from '../../domain/partners/sign-in/session.ts';
import { type Html, html, raw } from '../../platform/http/server/html.ts';
import { COLOURS, pageHeaders } from '../../platform/http/server/page-html.ts';

/** The parts of every page of a signed-in partner. */
export interface Frame {
  /** The base address of the pages, without a trailing slash. */
  readonly root: string;
  /** The token of every form. */
  readonly formToken: string;
  readonly partner: SignedInPartner;
  readonly workspaceName: string;
  /** Whether the mailbox belongs to another partner to switch to. */
  readonly hasOthers: boolean;
}

function document(title: string, kind: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body class="${kind}">
${content}
</body>
</html>
`.text;
}

/** For visitors who are not signed in: one card. `content` is markup. */
export function narrowPage(title: string, content: Html): string {
  return document(
    title,
    'narrow',
    html`<main class="card">
<h1>${title}</h1>
${content}
</main>`,
  );
}

/** For signed-in partners. `content` is markup. */
export function widePage(frame: Frame, title: string, content: Html, isSlim = false): string {
  const { root, partner, workspaceName, hasOthers } = frame;
  const place = partner.environment === 'sandbox' ? `${workspaceName} (test)` : workspaceName;
  return document(
    `${title} · ${workspaceName}`,
    isSlim ? 'wide slim' : 'wide',
    html`<header class="bar"><div>
<p><strong>${place}</strong><span class="soft">${partner.name}, ${partner.email}</span></p>
<nav aria-label="Your account">
${hasOthers ? html`<a class="button quiet" href="${root}/choose">Change</a>` : null}
<form method="post" action="${root}/sign-out">${hidden(frame.formToken)}<button class="quiet" type="submit">Sign out</button></form>
</nav>
</div></header>
<main>
${content}
</main>`,
  );
}

export function hidden(formToken: string): Html {
  return html`<input type="hidden" name="form" value="${formToken}">`;
}

const STYLE = `${COLOURS}
:root { --well: #eef2ef; --good: #1c6b45; --bad: #a02c1c; }
@media (prefers-color-scheme: dark) { :root { --well: #111815; --good: #7fd3a0; --bad: #ff9d8a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100svh; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
a { color: var(--accent); text-underline-offset: .2em; }
a:focus-visible, button:focus-visible, code:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; line-height: 1.3; }
h3 { font-size: 1rem; line-height: 1.4; overflow-wrap: anywhere; }
p { overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: .9375rem; }
button, .button { display: inline-block; min-height: 3rem; padding: .6875rem 1.25rem; border: 0; border-radius: .625rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { filter: brightness(1.08); }
.quiet { background: none; color: var(--accent); border: 1px solid var(--line); min-height: 2.75rem; padding: .5rem 1rem; }
@media (forced-colors: active) { button, .button { border: 1px solid ButtonText; } }
.note { padding: .75rem 1rem; border: 1px solid var(--warn); border-radius: .625rem; color: var(--warn); }
.note.good { border-color: var(--good); color: var(--good); }
.card { display: grid; gap: 1rem; align-content: start; min-width: 0; padding: clamp(1rem, 4vw, 1.5rem); background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
.narrow { display: grid; place-items: center; padding: 1rem; }
.narrow main { width: 100%; max-width: 30rem; padding: clamp(1.25rem, 6vw, 2.5rem); }
.narrow button { width: 100%; }
.bar { border-bottom: 1px solid var(--line); background: var(--card); }
.bar > div { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; max-width: 64rem; margin: 0 auto; padding: .75rem 1rem; }
.bar p { min-width: 0; flex: 1 1 10rem; line-height: 1.4; }
.bar strong { display: block; }
.bar nav { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.wide main { display: grid; gap: 1rem; max-width: 64rem; margin: 0 auto; padding: clamp(1rem, 4vw, 2rem) 1rem 3rem; }
.slim main { max-width: 40rem; }
.columns { display: grid; gap: 1rem; }
.columns > div { display: grid; gap: 1rem; align-content: start; min-width: 0; }
@media (min-width: 54rem) { .columns { grid-template-columns: 3fr 2fr; } }
.totals { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); }
.totals > div { padding: .75rem 1rem; border-radius: .75rem; background: var(--well); }
.totals dt { color: var(--soft); font-size: .875rem; }
.totals dd { font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.rows { list-style: none; }
.rows > li { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .75rem 0; border-top: 1px solid var(--line); }
.rows > li:first-child { border-top: 0; padding-top: 0; }
.rows > li:last-child { padding-bottom: 0; }
.rows strong { font-variant-numeric: tabular-nums; }
.rows .soft { grid-column: 1 / -1; overflow-wrap: anywhere; min-width: 0; }
@media (min-width: 40rem) { .rows .when:not(:last-child) { grid-column: 1; } .rows .when + .soft { grid-column: 2; text-align: right; max-width: 20rem; } }
.state { font-weight: 600; text-align: right; }
.state.good { color: var(--good); }
.state.bad { color: var(--bad); }
.state.off { color: var(--soft); }
.programs { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); }
.program { display: grid; gap: .625rem; align-content: start; min-width: 0; }
.share { display: grid; gap: .25rem; }
.share dt { color: var(--soft); font-size: .875rem; }
.share dd + dt { margin-top: .375rem; }
code { display: block; padding: .5rem .75rem; border-radius: .5rem; background: var(--well); font: .9375rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; user-select: all; -webkit-user-select: all; }
dd + dd { margin-top: .375rem; }
.between { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem 1rem; }
form.fields { display: grid; gap: 1rem; }
.field { display: grid; gap: .25rem; }
label { font-weight: 600; }
input, select { width: 100%; min-height: 3rem; padding: .625rem .75rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: var(--text); font: inherit; }
input:focus-visible, select:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
[aria-invalid] { border: 2px solid var(--bad); }
.error { color: var(--bad); font-weight: 600; }
.tabs { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; }
.tabs a { display: block; padding: .5rem .875rem; border: 1px solid var(--line); border-radius: 2rem; text-decoration: none; }
.tabs a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
.choices { display: grid; gap: .75rem; }
.choices button { width: 100%; text-align: left; }
.choices span { display: block; font-weight: 400; font-size: .9375rem; }
`;

/**
 * The browser sends the origin of a form to our own pages and nothing to other sites. With
 * `no-referrer` it would not even show that the form is ours.
 */
export const HEADERS = pageHeaders(STYLE, 'same-origin');
