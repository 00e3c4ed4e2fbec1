import type { SignedInPartner } from '../../domain/partners/sign-in/session.ts';
import { LINK_MINUTES } from '../../domain/partners/sign-in/sign-in-link.ts';
import { html } from '../../platform/http/server/html.ts';
import { hidden, narrowPage, type Page, type Shell } from './layout.ts';
import { fill, fillHtml } from './texts/fill.ts';

/** Asks for the address. `wrong` is the invalid input. */
export function askPage(shell: Shell, formToken: string, wrong: string | null): Page {
  const { texts } = shell.reader;
  const error = wrong === null ? '' : html`<p class="error" id="email-error">${texts.notEmail}</p>`;
  return narrowPage(
    shell,
    texts.pageTitle,
    html`<p>${texts.askText}</p>
<form class="fields" method="post" action="${shell.root}/link" novalidate>
${hidden(formToken)}
<div class="field">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" dir="ltr" autocomplete="email" required value="${wrong ?? ''}"${wrong === null ? null : html` aria-invalid="true" aria-describedby="email-error"`}>
${error}
</div>
<button type="submit">${texts.askButton}</button>
</form>`,
  );
}

/** The same for every address, whether a partner has it or not. */
export function sentPage(shell: Shell): Page {
  const { texts, formats } = shell.reader;
  const retry = html`<a href="${shell.root}">${texts.sentRetry}</a>`;
  return narrowPage(
    shell,
    texts.sentTitle,
    html`<p>${fill(texts.sentText, { minutes: formats.span(LINK_MINUTES, 'minute') })}</p>
<p class="soft">${fillHtml(texts.sentHelp, { retry })}</p>`,
  );
}

export function linkPage(shell: Shell, formToken: string, token: string, email: string): Page {
  const { texts } = shell.reader;
  return narrowPage(
    shell,
    texts.signIn,
    html`<p>${fillHtml(texts.signingInAs, { email: html`<strong><bdi>${email}</bdi></strong>` })}</p>
<form method="post" action="${shell.root}/sign-in">
${hidden(formToken)}
<input type="hidden" name="token" value="${token}">
<button type="submit">${texts.signInButton}</button>
</form>
<p class="soft">${texts.signInWarning}</p>`,
  );
}

/** For a link that is invalid or has been used. */
export function deadLinkPage(shell: Shell, isSpent: boolean): Page {
  const { texts, formats } = shell.reader;
  const minutes = formats.span(LINK_MINUTES, 'minute');
  return narrowPage(
    shell,
    isSpent ? texts.linkUsedTitle : texts.linkDeadTitle,
    html`<p>${isSpent ? texts.linkUsedText : fill(texts.linkDeadText, { minutes })}</p>
<p><a class="button" href="${shell.root}">${texts.linkAgain}</a></p>`,
  );
}

/** One mailbox may belong to partners of several workspaces. */
export function choicePage(
  shell: Shell,
  formToken: string,
  partners: readonly (SignedInPartner & { readonly workspaceName: string })[],
): Page {
  const { root } = shell;
  const { texts } = shell.reader;
  const buttons = partners.map(({ id, name, environment, workspaceName }) => {
    const place =
      environment === 'sandbox' ? fill(texts.test, { name: workspaceName }) : workspaceName;
    return html`<button class="quiet" type="submit" name="partner" value="${id}">${place}<span class="soft">${name}</span></button>`;
  });
  return narrowPage(
    shell,
    texts.chooseTitle,
    html`<p>${texts.chooseText}</p>
<form class="choices" method="post" action="${root}/choose">
${hidden(formToken)}
${buttons}
</form>
<form method="post" action="${root}/sign-out">${hidden(formToken)}<button class="quiet" type="submit">${texts.signOut}</button></form>`,
  );
}

/** For every error that leaves people without a form. */
export function troublePage(shell: Shell, title: string, text: string, leadsBack = true): Page {
  const back = leadsBack
    ? html`<p><a class="button" href="${shell.root}">${shell.reader.texts.toPartnerPage}</a></p>`
    : '';
  return narrowPage(shell, title, html`<p>${text}</p>\n${back}`);
}
