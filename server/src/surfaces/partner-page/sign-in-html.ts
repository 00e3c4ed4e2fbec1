import type { SignedInPartner } from '../../domain/partners/sign-in/session.ts';
import { LINK_MINUTES } from '../../domain/partners/sign-in/sign-in-link.ts';
import { html } from '../../platform/http/server/html.ts';
import { hidden, narrowPage } from './layout.ts';

/** Asks for the address. `wrong` is the invalid input. */
export function askPage(root: string, formToken: string, wrong: string | null): string {
  const error =
    wrong === null
      ? ''
      : html`<p class="error" id="email-error">This is not an e-mail address such as ada@example.com.</p>`;
  return narrowPage(
    'Your partner page',
    html`<p>Enter the e-mail address that you joined the program with. We will send you a link to sign in.</p>
<form class="fields" method="post" action="${root}/link" novalidate>
${hidden(formToken)}
<div class="field">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${wrong ?? ''}"${wrong === null ? null : html` aria-invalid="true" aria-describedby="email-error"`}>
${error}
</div>
<button type="submit">Send me a link</button>
</form>`,
  );
}

/** The same for every address, whether a partner has it or not. */
export function sentPage(root: string): string {
  return narrowPage(
    'Check your mailbox',
    html`<p>If a partner has this address, we have sent a sign-in link to it. The link works once and expires after ${LINK_MINUTES} minutes.</p>
<p class="soft">No mail? Check your spam folder, or <a href="${root}">try again</a> with the address that you joined with.</p>`,
  );
}

export function linkPage(root: string, formToken: string, token: string, email: string): string {
  return narrowPage(
    'Sign in',
    html`<p>You are signing in as <strong>${email}</strong>.</p>
<form method="post" action="${root}/sign-in">
${hidden(formToken)}
<input type="hidden" name="token" value="${token}">
<button type="submit">Go to my partner page</button>
</form>
<p class="soft">If somebody else sent you this link, close this page.</p>`,
  );
}

/** For a link that is invalid or has been used. */
export function deadLinkPage(root: string, isSpent: boolean): string {
  return narrowPage(
    isSpent ? 'This link was already used' : 'This link does not work',
    html`<p>${
      isSpent
        ? 'A sign-in link works only once.'
        : `The link is incomplete, or it is older than ${LINK_MINUTES} minutes.`
    }</p>
<p><a class="button" href="${root}">Ask for a new link</a></p>`,
  );
}

/** One mailbox may belong to partners of several workspaces. */
export function choicePage(
  root: string,
  formToken: string,
  partners: readonly (SignedInPartner & { readonly workspaceName: string })[],
): string {
  const buttons = partners.map(
    ({ id, name, environment, workspaceName }) =>
      html`<button class="quiet" type="submit" name="partner" value="${id}">${workspaceName}${environment === 'sandbox' ? ' (test)' : ''}<span class="soft">${name}</span></button>`,
  );
  return narrowPage(
    'Choose a partner page',
    html`<p>Your address belongs to several partner pages. Choose one. You can switch later.</p>
<form class="choices" method="post" action="${root}/choose">
${hidden(formToken)}
${buttons}
</form>
<form method="post" action="${root}/sign-out">${hidden(formToken)}<button class="quiet" type="submit">Sign out</button></form>`,
  );
}

/** For every error that leaves people without a form. */
export function troublePage(title: string, text: string, root: string | null): string {
  const back =
    root === null ? '' : html`<p><a class="button" href="${root}">Go to the partner page</a></p>`;
  return narrowPage(title, html`<p>${text}</p>\n${back}`);
}
