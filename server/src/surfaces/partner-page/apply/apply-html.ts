import { COUNTRIES } from '../../../domain/partners/applications/countries.ts';
import { type Html, html } from '../../../platform/http/server/html.ts';
import type { Brand } from '../brand.ts';
import { fieldHtml, nameCodes, selectHtml } from '../form-html.ts';
import { brandedPage, hidden, type Page, type Shell } from '../layout.ts';
import type { TermsWords } from '../program/terms-words.ts';
import { termsHtml } from '../program-html.ts';
import type { Reader } from '../reader.ts';
import { fill, fillHtml } from '../texts/fill.ts';
import type { TextName } from '../texts/texts.ts';
import {
  APPLY_FIELDS,
  APPLY_LABELS,
  type ApplyErrors,
  type ApplyField,
  type ApplyValues,
} from './apply-form.ts';

const REQUIRED: readonly ApplyField[] = ['name', 'email', 'profileType'];

const HINTS: Readonly<Partial<Record<ApplyField, TextName>>> = {
  companyName: 'applyCompanyHint',
  country: 'optional',
  website: 'applyWebsiteHint',
  message: 'applyMessageHint',
};

export interface Application {
  readonly brand: Brand;
  readonly programName: string;
  readonly terms: TermsWords;
  /** Where the form is sent. */
  readonly action: string;
  readonly formToken: string;
  readonly values: ApplyValues;
  readonly errors: ApplyErrors;
}

export function applyPage(shell: Shell, application: Application): Page {
  const { reader, root } = shell;
  const { texts } = reader;
  const { brand, programName, terms, action, formToken, errors } = application;
  const fields = APPLY_FIELDS.map((field) => applyField(field, application, reader));
  const signIn = html`<a href="${root}">${texts.signIn}</a>`;
  return brandedPage(shell, {
    title: fill(texts.applyTitle, { name: brand.name }),
    brand,
    lead: programName,
    content: html`<div class="columns">
<div><section class="card"><h2>${texts.terms}</h2>${termsHtml(terms, reader)}</section>
<p class="soft">${fillHtml(texts.applySignIn, { signIn })}</p></div>
<div><section class="card">
<p>${texts.applyText}</p>
${errors.size === 0 ? '' : html`<p class="error" role="alert">${texts.applyNotSent}</p>`}
<form class="fields" method="post" action="${action}" novalidate>
${hidden(formToken)}
${fields}
<button type="submit">${texts.applyButton}</button>
</form>
</section></div>
</div>`,
  });
}

function applyField(field: ApplyField, { values, errors }: Application, reader: Reader): Html {
  const { texts } = reader;
  const hint = HINTS[field];
  return fieldHtml({
    name: field,
    label: texts[APPLY_LABELS[field]],
    hint: hint === undefined ? null : texts[hint],
    error: errors.get(field) ?? null,
    isRequired: REQUIRED.includes(field),
    control: (attributes) => controlOf(field, values[field] ?? '', attributes, reader),
  });
}

function controlOf(field: ApplyField, value: string, attributes: Html, reader: Reader): Html {
  const { texts, formats } = reader;
  switch (field) {
    case 'profileType': {
      const choices = [
        { value: 'individual', name: texts.applyIndividual },
        { value: 'company', name: texts.applyCompany },
      ];
      return selectHtml(choices, value, texts.choose, attributes);
    }
    case 'country':
      return selectHtml(
        nameCodes([...COUNTRIES], formats.country),
        value,
        texts.choose,
        attributes,
      );
    case 'message':
      return html`<textarea dir="auto" rows="4" ${attributes}>${value}</textarea>`;
    case 'email':
      return html`<input type="email" dir="ltr" autocomplete="email" ${attributes} value="${value}">`;
    case 'website':
      return html`<input type="url" dir="ltr" autocomplete="url" ${attributes} value="${value}">`;
    default: {
      const complete = field === 'name' ? 'name' : 'organization';
      return html`<input type="text" dir="auto" autocomplete="${complete}" ${attributes} value="${value}">`;
    }
  }
}

/** The same for every address. Without mail the operator passes the link on. */
export function appliedPage(shell: Shell, brand: Brand, sendsMail: boolean): Page {
  const { texts } = shell.reader;
  return sendsMail
    ? brandedPage(shell, {
        title: texts.sentTitle,
        brand,
        content: noteOf(
          html`<p>${texts.applySentText}</p>\n<p class="soft">${texts.applySentHelp}</p>`,
        ),
      })
    : brandedPage(shell, {
        title: texts.applyReceivedTitle,
        brand,
        content: noteOf(html`<p>${texts.applyReceivedText}</p>`),
      });
}

export function applyClosedPage(shell: Shell, brand: Brand): Page {
  const { texts } = shell.reader;
  const signIn = html`<a href="${shell.root}">${texts.signIn}</a>`;
  return brandedPage(shell, {
    title: texts.applyClosedTitle,
    brand,
    content: noteOf(html`<p>${fill(texts.applyClosedText, { name: brand.name })}</p>
<p class="soft">${fillHtml(texts.applySignIn, { signIn })}</p>`),
  });
}

const noteOf = (content: Html): Html => html`<section class="card alone">${content}</section>`;
