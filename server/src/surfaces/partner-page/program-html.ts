import { PARTNER_LINKS_MAX } from '../../domain/participants/names/decide-partner-link.ts';
import type { Progress } from '../../domain/rewards/decide/decide-progress.ts';
import { type Html, html } from '../../platform/http/server/html.ts';
import { type Frame, hidden, logoOf } from './layout.ts';
import type { JoinedProgram, OwnLink } from './load-partner.ts';
import type { Leaderboard } from './program/decide-leaderboard.ts';
import { progressPart } from './program/progress-html.ts';
import type { TermsWords } from './program/terms-words.ts';
import { qrSvg } from './qr-code.ts';
import type { Reader } from './reader.ts';
import { fill } from './texts/fill.ts';
import type { TextName } from './texts/texts.ts';

/** A name for a link that was refused. */
export interface LinkAttempt {
  readonly name: string;
  readonly error: TextName;
}

/** A program with what is said about it. */
export interface ShownProgram extends JoinedProgram {
  readonly terms: TermsWords;
  readonly attempt: LinkAttempt | null;
  readonly referrals: number;
  readonly leaderboard: Leaderboard | null;
  /** Where the partner is in terms that grow. */
  readonly progress: readonly Progress[];
}

/** The id of a program's section. */
export function programId(index: number): string {
  return `program-${index}`;
}

const STANDINGS: Readonly<Record<JoinedProgram['standing'], TextName | null>> = {
  open: null,
  paused: 'programPaused',
  over: 'programOver',
};

/** One program: its links and codes, and what they earn. */
export function programCard(frame: Frame, program: ShownProgram, index: number): Html {
  const { texts } = frame.reader;
  const { name, brand, standing, codes, links } = program;
  const note = STANDINGS[standing];
  // The only program's logo is at the top of the page.
  const isWhole = brand === frame.brand;
  return html`<article class="card program" id="${programId(index)}">
<header>${isWhole ? null : logoOf(brand)}<div><h3>${name}</h3>${isWhole ? null : html`<p class="soft">${brand.name}</p>`}</div><p class="count"><span class="soft">${texts.referrals}</span> <strong>${frame.reader.formats.count(program.referrals)}</strong></p></header>
${note === null ? '' : html`<p class="soft">${texts[note]}</p>`}
${
  links.length === 0
    ? ''
    : html`<div class="block"><h4>${links.length === 1 ? texts.yourLink : texts.yourLinks}</h4>
<ul class="links">${links.map((link) => html`<li>${shared(link.url, frame.reader)}${qrPart(frame, link)}</li>`)}</ul></div>`
}
${
  codes.length === 0
    ? ''
    : html`<div class="block"><h4>${codes.length === 1 ? texts.yourCode : texts.yourCodes}</h4>
<ul class="links">${codes.map((code) => html`<li>${shared(code, frame.reader)}</li>`)}</ul></div>`
}
${newLinkPart(frame, program, index)}
${progressPart(program.progress, frame.reader)}
${standing === 'over' ? '' : html`<div class="block"><h4>${texts.terms}</h4>${termsHtml(program.terms, frame.reader)}</div>`}
${program.leaderboard === null ? '' : leaderboardPart(program.leaderboard, frame.reader)}
</article>`;
}

/** A text to select, with a button that copies it where scripts run. */
function shared(text: string, { texts }: Reader): Html {
  return html`<div class="shared"><code dir="ltr" tabindex="0">${text}</code><button class="quiet" type="button" hidden data-copy="${text}" data-done="${texts.copied}" aria-label="${fill(texts.copyOf, { text })}" aria-live="polite">${texts.copy}</button></div>`;
}

function qrPart({ root, reader: { texts } }: Frame, { id, url }: OwnLink): Html {
  return html`<details><summary>${texts.qrCode}</summary><div class="scan">${qrSvg(url, fill(texts.qrOf, { link: url }))}<a href="${root}/links/${id}/qr.svg" download>${texts.qrDownload}</a></div></details>`;
}

/** Only those who can share may name further links. */
function newLinkPart(frame: Frame, program: ShownProgram, index: number): Html | null {
  const { reader, root, partner } = frame;
  const { texts, formats } = reader;
  const { id, standing, links, attempt } = program;
  if (standing !== 'open' || partner.status === 'suspended') return null;
  if (links.length >= PARTNER_LINKS_MAX) {
    const count = formats.count(links.length);
    return html`<p class="soft">${fill(texts.newLinkLimit, { count })}</p>`;
  }
  const field = `link-name-${index}`;
  const error = attempt && texts[attempt.error];
  const described = [`${field}-hint`, error && `${field}-error`].filter(Boolean).join(' ');
  return html`<details${attempt ? html` open` : null}><summary>${texts.newLink}</summary>
<form class="fields" method="post" action="${root}/links" novalidate>
${hidden(frame.formToken)}
<input type="hidden" name="program" value="${id}">
<div class="field">
<label for="${field}">${texts.newLinkName}</label>
<span class="soft" id="${field}-hint">${texts.newLinkHint}</span>
<div class="inline"><input id="${field}" name="name" dir="ltr" required maxlength="50" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="${described}"${error ? html` aria-invalid="true"` : null} value="${attempt?.name ?? ''}"><button type="submit">${texts.newLinkButton}</button></div>
${error ? html`<span class="error" id="${field}-error" role="alert">${error}</span>` : ''}
</div>
</form></details>`;
}

function leaderboardPart({ rows, ownReferrals }: Leaderboard, { texts, formats }: Reader): Html {
  const lines = rows.map(
    ({ rank, name, referrals }) =>
      html`<tr${name === null ? html` class="own"` : null}><td>${formats.count(rank)}</td><td>${name === null ? html`<strong>${texts.you}</strong>` : html`<bdi>${name}</bdi>`}</td><td>${formats.count(referrals)}</td></tr>`,
  );
  const below = ownReferrals !== null && {
    count: formats.count(rows.length),
    referrals: formats.count(ownReferrals),
  };
  return html`<div class="block"><h4>${texts.leaderboard}</h4>
<p class="soft">${texts.leaderboardText}</p>
<table><thead><tr><th scope="col">${texts.rank}</th><th scope="col">${texts.partner}</th><th scope="col">${texts.referrals}</th></tr></thead><tbody>${lines}</tbody></table>
${below ? html`<p class="soft">${fill(texts.leaderboardBelow, below)}</p>` : ''}</div>`;
}

/** Terms as a list of sentences. */
export function termsHtml({ rules, general }: TermsWords, { texts }: Reader): Html {
  if (rules.length === 0) return html`<p class="soft">${texts.termsNone}</p>`;
  const items = rules.map(
    ({ main, conditions }) =>
      html`<li><strong>${main}</strong>${conditions.length === 0 ? '' : html`<span class="soft">${conditions.join(' ')}</span>`}</li>`,
  );
  return html`<ul class="terms">${items}</ul>${general.length === 0 ? '' : html`<p class="soft">${general.join(' ')}</p>`}`;
}
