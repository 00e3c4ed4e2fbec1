import type { SignedInPartner } from '../../domain/partners/sign-in/session.ts';
import { type Html, html, raw } from '../../platform/http/server/html.ts';
import { STYLE } from './styles.ts';

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
