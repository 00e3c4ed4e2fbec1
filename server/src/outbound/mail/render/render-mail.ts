import type { Language, MailData, PersonKind } from '../kinds.ts';
import { formatBenefit, formatDay } from './format-benefit.ts';
import { type MailFrame, writeMailHtml } from './mail-html.ts';
import { fillText, type KindTexts, type MailTexts, type OwnTexts } from './mail-texts.ts';
import { ar } from './texts/ar.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { ja } from './texts/ja.ts';

export const TEXTS: Readonly<Record<Language, MailTexts>> = { ar, de, en, es, fr, ja };

/** The brand of a Program, as its mails show it. */
export interface MailBrand {
  readonly programName: string;
  readonly productName: string;
  readonly logoUrl: string | null;
  readonly colour: string;
  /** Where the product is; null if the Program has no page yet. */
  readonly pageUrl: string | null;
}

export interface PersonMail {
  readonly kind: PersonKind;
  readonly language: Language;
  readonly brand: MailBrand;
  /** Null if unknown. */
  readonly name: string | null;
  readonly data: MailData;
  readonly ownTexts: OwnTexts;
  readonly unsubscribeUrl: string | null;
  /** Set before the subject. */
  readonly mark?: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function renderMail(mail: PersonMail): RenderedMail {
  const { kind, language, brand, name, data } = mail;
  const texts = TEXTS[language];
  const chosen: KindTexts = mail.ownTexts[language]?.[kind] ?? texts.kinds[kind];
  const availability = data.availableAt
    ? fillText(texts.available, { date: formatDay(language, data.availableAt) })
    : '';
  const values = {
    program: isolate(language, brand.programName),
    product: isolate(language, brand.productName),
    reward: isolate(language, formatBenefit(language, texts, data)),
    availability,
  };
  const subject = toLine((mail.mark ?? '') + fillText(chosen.subject, values));
  const url = mail.unsubscribeUrl;
  return writeMail({
    lang: language,
    brandName: brand.productName,
    logoUrl: brand.logoUrl,
    colour: brand.colour,
    subject,
    hello: name === null ? texts.helloAnyone : fillText(texts.hello, { name }),
    paragraphs: toParagraphs(fillText(chosen.body, values)),
    button: brand.pageUrl === null ? null : { label: buttonOf(kind, texts), url: brand.pageUrl },
    why: fillText(texts.why, { program: values.program }),
    stop: url === null ? null : { label: texts.stop, url },
  });
}

/** A mail in both forms. */
export function writeMail(frame: MailFrame): RenderedMail {
  const { subject, hello, paragraphs, button, why, stop } = frame;
  const text = [
    hello,
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    `-- \n${why}${stop ? `\n${stop.label}: ${stop.url}` : ''}`,
  ];
  return { subject, text: `${text.join('\n\n')}\n`, html: writeMailHtml(frame) };
}

function buttonOf(kind: PersonKind, texts: MailTexts): string {
  if (kind === 'payout_details_missing') return texts.addDetails;
  return kind === 'partner_welcome' ? texts.openPage : texts.seeRewards;
}

function toParagraphs(body: string): string[] {
  return body
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Names and amounts keep their own direction in a text from right to left. */
function isolate(language: Language, value: string): string {
  return language === 'ar' && value !== '' ? `\u2068${value}\u2069` : value;
}

/** A subject is one line: a name in it may contain others. */
function toLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
