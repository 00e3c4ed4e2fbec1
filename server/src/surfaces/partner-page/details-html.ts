import { COUNTRIES } from '../../domain/partners/applications/countries.ts';
import type { PayoutDetails } from '../../outbound/payouts/details/details-schema.ts';
import { type Html, html } from '../../platform/http/server/html.ts';
import { CURRENCY_EXPONENTS } from '../../platform/kit/currencies.ts';
import {
  type DetailsField,
  FIELDS,
  FORM_KINDS,
  type FormErrors,
  type FormKind,
  type FormValues,
  labelOf,
} from './details-form.ts';
import { fieldHtml, nameCodes, selectHtml } from './form-html.ts';
import { type Frame, hidden, type Page, widePage } from './layout.ts';
import { describeDetails, suspendedNotice } from './overview-html.ts';
import type { Reader } from './reader.ts';
import type { TextName, Texts } from './texts/texts.ts';

const KINDS: Readonly<Record<Exclude<FormKind, 'paypal' | 'wise'>, TextName>> = {
  iban: 'kindIban',
  account: 'kindAccount',
};

function nameKind(kind: FormKind, texts: Texts): string {
  if (kind === 'paypal') return 'PayPal';
  return kind === 'wise' ? 'Wise' : texts[KINDS[kind]];
}

const HINTS: Readonly<Partial<Record<DetailsField, TextName>>> = {
  holderName: 'holderNameHint',
  bic: 'optional',
  routingCode: 'routingCodeHint',
};

const OPTIONAL: readonly DetailsField[] = ['bic'];

export interface DetailsForm {
  readonly kind: FormKind;
  readonly values: FormValues;
  readonly errors: FormErrors;
}

export function detailsPage(frame: Frame, details: PayoutDetails, form: DetailsForm): Page {
  const { root, reader } = frame;
  const { texts } = reader;
  const tabs = FORM_KINDS.map(
    (kind) =>
      html`<li><a href="${root}/details?kind=${kind}"${kind === form.kind ? html` aria-current="page"` : null}>${nameKind(kind, texts)}</a></li>`,
  );
  const general = form.errors.get('');
  const fields = FIELDS[form.kind].map((field) => fieldOf(field, form, reader));
  const notes = [...(details.configured ? [texts.detailsDelay] : []), texts.detailsEncrypted];
  const content = html`<p><a href="${root}">${texts.back}</a></p>
<h1>${texts.details}</h1>
${suspendedNotice(frame)}
${
  details.configured
    ? html`<section class="card" aria-labelledby="saved">
<h2 id="saved">${texts.detailsCurrent}</h2>
${describeDetails(details, reader)}
</section>`
    : ''
}
<section class="card" aria-labelledby="new">
<h2 id="new">${details.configured ? texts.detailsChange : texts.detailsNew}</h2>
<nav aria-label="${texts.detailsWays}"><ul class="tabs">${tabs}</ul></nav>
${form.errors.size === 0 ? '' : html`<p class="error" role="alert">${general ?? texts.nothingSaved}</p>`}
<form class="fields" method="post" action="${root}/details" novalidate autocomplete="off">
${hidden(frame.formToken)}
<input type="hidden" name="kind" value="${form.kind}">
${fields}
<button type="submit">${texts.save}</button>
</form>
<p class="soft">${notes.join(' ')}</p>
</section>`;
  return widePage(frame, { title: texts.details, content }, true);
}

function fieldOf(field: DetailsField, form: DetailsForm, { texts, formats }: Reader): Html {
  const hint = HINTS[field];
  return fieldHtml({
    name: field,
    label: labelOf(field, texts),
    hint: hint === undefined ? null : texts[hint],
    error: form.errors.get(field) ?? null,
    isRequired: !OPTIONAL.includes(field),
    control: (attributes) =>
      controlOf(field, form.values[field] ?? '', attributes, { texts, formats }),
  });
}

function controlOf(
  field: DetailsField,
  value: string,
  attributes: Html,
  { texts, formats }: Pick<Reader, 'texts' | 'formats'>,
): Html {
  const select = (codes: readonly string[], nameOf: (code: string) => string) =>
    selectHtml(nameCodes(codes, nameOf), value, texts.choose, attributes);
  // Kosovo has IBANs but no official ISO code.
  if (field === 'country') return select([...COUNTRIES, 'XK'], formats.country);
  if (field === 'currency') return select([...CURRENCY_EXPONENTS.keys()], formats.currency);
  const type = field === 'email' ? 'email' : 'text';
  const dir = field === 'holderName' ? 'auto' : 'ltr';
  return html`<input type="${type}" dir="${dir}" ${attributes} spellcheck="false" autocapitalize="off" value="${value}">`;
}
