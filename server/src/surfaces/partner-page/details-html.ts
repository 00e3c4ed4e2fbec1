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
  LABELS,
} from './details-form.ts';
import type { Formats } from './formats.ts';
import { type Frame, hidden, widePage } from './layout.ts';
import { describeDetails, suspendedNotice } from './overview-html.ts';

const KINDS: Readonly<Record<FormKind, string>> = {
  iban: 'Bank account with IBAN',
  account: 'Other bank account',
  paypal: 'PayPal',
  wise: 'Wise',
};

const HINTS: Readonly<Partial<Record<DetailsField, string>>> = {
  holderName: 'As registered with the bank.',
  bic: 'Optional.',
  routingCode: 'Routing number, sort code, BSB, IFSC, or the bank code used in that country.',
};

const OPTIONAL: readonly DetailsField[] = ['bic'];

export interface DetailsForm {
  readonly kind: FormKind;
  readonly values: FormValues;
  readonly errors: FormErrors;
}

export function detailsPage(
  frame: Frame,
  details: PayoutDetails,
  form: DetailsForm,
  formats: Formats,
): string {
  const { root } = frame;
  const tabs = FORM_KINDS.map(
    (kind) =>
      html`<li><a href="${root}/details?kind=${kind}"${kind === form.kind ? html` aria-current="page"` : null}>${KINDS[kind]}</a></li>`,
  );
  const general = form.errors.get('');
  const fields = FIELDS[form.kind].map((field) => fieldOf(field, form, formats));
  return widePage(
    frame,
    'Payout details',
    html`<p><a href="${root}">Back to the overview</a></p>
<h1>Payout details</h1>
${suspendedNotice(frame.partner.status)}
${
  details.configured
    ? html`<section class="card" aria-labelledby="saved">
<h2 id="saved">Current details</h2>
${describeDetails(details, formats)}
</section>`
    : ''
}
<section class="card" aria-labelledby="new">
<h2 id="new">${details.configured ? 'Change your details' : 'Where to pay you'}</h2>
<nav aria-label="Ways to be paid"><ul class="tabs">${tabs}</ul></nav>
${form.errors.size === 0 ? '' : html`<p class="error" role="alert">${general ?? 'Nothing was saved. Please check the fields marked below.'}</p>`}
<form class="fields" method="post" action="${root}/details" novalidate autocomplete="off">
${hidden(frame.formToken)}
<input type="hidden" name="kind" value="${form.kind}">
${fields}
<button type="submit">Save</button>
</form>
<p class="soft">${details.configured ? 'For your safety, a change takes effect 24 hours after you save it. ' : ''}Your details are stored encrypted. Only the last characters are ever shown.</p>
</section>`,
    true,
  );
}

function fieldOf(field: DetailsField, form: DetailsForm, formats: Formats): Html {
  const error = form.errors.get(field);
  const hint = HINTS[field];
  const described = [hint && `${field}-hint`, error && `${field}-error`].filter(Boolean).join(' ');
  const attributes = html`id="${field}" name="${field}"${OPTIONAL.includes(field) ? null : html` required`}${described === '' ? null : html` aria-describedby="${described}"`}${error === undefined ? null : html` aria-invalid="true"`}`;
  return html`<div class="field">
<label for="${field}">${LABELS[field]}</label>
${hint === undefined ? '' : html`<span class="soft" id="${field}-hint">${hint}</span>`}
${controlOf(field, form.values[field] ?? '', attributes, formats)}
${error === undefined ? '' : html`<span class="error" id="${field}-error">${error}</span>`}
</div>`;
}

function controlOf(field: DetailsField, value: string, attributes: Html, formats: Formats): Html {
  if (field === 'country') {
    // Kosovo has IBANs but no official ISO code.
    return selectOf([...COUNTRIES, 'XK'], formats.country, value, attributes);
  }
  if (field === 'currency') {
    return selectOf([...CURRENCY_EXPONENTS.keys()], formats.currency, value, attributes);
  }
  const type = field === 'email' ? 'email' : 'text';
  return html`<input type="${type}" ${attributes} spellcheck="false" autocapitalize="off" value="${value}">`;
}

function selectOf(
  codes: readonly string[],
  nameOf: (code: string) => string,
  chosen: string,
  attributes: Html,
): Html {
  const options = codes
    .map((code) => ({ code, name: nameOf(code) }))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(
      ({ code, name }) =>
        html`<option value="${code}"${code === chosen ? ' selected' : ''}>${name === code ? code : `${name} (${code})`}</option>`,
    );
  return html`<select ${attributes}><option value="">Choose…</option>${options}</select>`;
}
