import type { SignedInPartner } from '../../domain/partners/sign-in/session.ts';
import { type Html, html, raw } from '../../platform/http/server/html.ts';
import { pageHeaders, pagePolicy } from '../../platform/http/server/page-html.ts';
import { type Brand, brandStyle, imageSource } from './brand.ts';
import type { Reader } from './reader.ts';
import { STYLE } from './style.ts';
import { fill } from './texts/fill.ts';
import { LANGUAGE_CODES, LANGUAGES, type LanguageCode } from './texts/languages.ts';

/** What every page knows of its reader. */
export interface Shell {
  /** The base address of the pages, without a trailing slash. */
  readonly root: string;
  readonly reader: Reader;
  /** The address of the same page in another language. */
  readonly addressIn: (code: LanguageCode) => string;
}

/** The parts of every page of a signed-in partner. */
export interface Frame extends Shell {
  /** The token of every form. */
  readonly formToken: string;
  readonly partner: SignedInPartner;
  readonly workspaceName: string;
  /** Of the partner's only program; of several, the workspace's name alone. */
  readonly brand: Brand;
  /** Whether the mailbox belongs to another partner to switch to. */
  readonly hasOthers: boolean;
}

/** A page, and the policy that allows what is on it and nothing else. */
export interface Page {
  readonly text: string;
  readonly policy: string;
}

/** The content of a page, which is markup, and what it needs besides the style of all pages. */
interface Sheet {
  readonly title: string;
  readonly content: Html;
  readonly brands?: readonly (readonly [selector: string, brand: Brand])[];
  readonly script?: string;
  /** Whether the script loads parts of our own pages. */
  readonly fetches?: boolean;
}

function document({ reader, addressIn }: Shell, kind: string, sheet: Sheet): Page {
  const { title, content, brands = [], script, fetches = false } = sheet;
  const branding = brands.map(([selector, brand]) => brandStyle(selector, brand)).join('');
  const styles = branding === '' ? [STYLE] : [STYLE, branding];
  const languages = LANGUAGE_CODES.map(
    (code) =>
      html`<li class="language"><a href="${addressIn(code)}" lang="${code}" hreflang="${code}"${code === reader.code ? html` aria-current="true"` : null}>${LANGUAGES[code].name}</a></li>`,
  );
  const { text } = html`<!doctype html>
<html lang="${reader.code}" dir="${reader.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${styles.map((style) => html`<style>${raw(style)}</style>`)}
</head>
<body class="${kind}">
${content}
<nav class="languages" aria-label="${reader.texts.language}"><ul>${languages}</ul></nav>
${script === undefined ? null : html`<script>${raw(script)}</script>`}
</body>
</html>
`;
  const images = brands.flatMap(([, { logoUrl }]) =>
    logoUrl === null ? [] : imageSource(logoUrl),
  );
  const scripts = script === undefined ? [] : [script];
  return { text, policy: pagePolicy({ styles, scripts, images: [...new Set(images)], fetches }) };
}

/** For visitors who are not signed in: one card. `content` is markup. */
export function narrowPage(shell: Shell, title: string, content: Html, brand?: Brand): Page {
  return document(shell, 'narrow', {
    title,
    content: html`<main class="card">
${brand ? logoOf(brand) : null}
<h1>${title}</h1>
${content}
</main>`,
    brands: brand ? [[':root', brand]] : [],
  });
}

interface BrandedSheet {
  readonly title: string;
  readonly brand: Brand;
  /** Below the title. */
  readonly lead?: string;
  readonly content: Html;
}

/** For visitors who are not signed in: the brand above the content. */
export function brandedPage(shell: Shell, { title, brand, lead, content }: BrandedSheet): Page {
  return document(shell, 'branded', {
    title: `${title} · ${brand.name}`,
    content: html`<header class="hero"><div>
<p class="who">${markOf(brand)}<strong>${brand.name}</strong></p>
<h1>${title}</h1>
${lead === undefined ? null : html`<p>${lead}</p>`}
</div></header>
<main>
${content}
</main>`,
    brands: [[':root', brand]],
  });
}

/** The logo, or what stands in for it; beside the name. */
const markOf = (brand: Brand): Html => logoOf(brand) ?? monogramOf(brand);

function monogramOf({ name }: Brand): Html {
  const [letter = ''] = /[\p{L}\p{N}]/u.exec(name) ?? [];
  return html`<span class="logo monogram" aria-hidden="true">${letter.toUpperCase()}</span>`;
}

/** For signed-in partners. */
export function widePage(frame: Frame, sheet: Sheet, isSlim = false): Page {
  const { root, partner, brand, hasOthers } = frame;
  const { texts } = frame.reader;
  const place =
    partner.environment === 'sandbox' ? fill(texts.test, { name: brand.name }) : brand.name;
  return document(frame, isSlim ? 'wide slim' : 'wide', {
    ...sheet,
    title: `${sheet.title} · ${brand.name}`,
    content: html`<header class="bar"><div>
<p class="who">${markOf(brand)}<span><strong>${place}</strong><span class="soft"><bdi>${partner.name}</bdi>, <bdi>${partner.email}</bdi></span></span></p>
<nav aria-label="${texts.account}">
${hasOthers ? html`<a class="button quiet" href="${root}/choose">${texts.change}</a>` : null}
<form method="post" action="${root}/sign-out">${hidden(frame.formToken)}<button class="quiet" type="submit">${texts.signOut}</button></form>
</nav>
</div></header>
<main>
${sheet.content}
</main>`,
    brands: [[':root', brand], ...(sheet.brands ?? [])],
  });
}

/** Beside the name, so it needs no words of its own. */
export function logoOf({ logoUrl }: Brand): Html | null {
  if (logoUrl === null) return null;
  return html`<img class="logo" src="${logoUrl}" alt="" width="40" height="40" referrerpolicy="no-referrer">`;
}

export function hidden(formToken: string): Html {
  return html`<input type="hidden" name="form" value="${formToken}">`;
}

/**
 * The browser sends the origin of a form to our own pages and nothing to other sites. With
 * `no-referrer` it would not even show that the form is ours.
 */
export const HEADERS = pageHeaders(STYLE, 'same-origin');
