import { type Html, html } from '../../platform/http/server/html.ts';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint: string | null;
  readonly error: string | null;
  readonly isRequired: boolean;
  /** The control itself, with its name and what describes it. */
  readonly control: (attributes: Html) => Html;
}

/** A label, a control, and beside it what is wrong with its value. */
export function fieldHtml({ name, label, hint, error, isRequired, control }: Field): Html {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  const attributes = html`id="${name}" name="${name}"${isRequired ? html` required` : null}${described === '' ? null : html` aria-describedby="${described}"`}${error === null ? null : html` aria-invalid="true"`}`;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint === null ? '' : html`<span class="soft" id="${name}-hint">${hint}</span>`}
${control(attributes)}
${error === null ? '' : html`<span class="error" id="${name}-error">${error}</span>`}
</div>`;
}

interface Choice {
  readonly value: string;
  readonly name: string;
}

export function selectHtml(
  choices: readonly Choice[],
  chosen: string,
  empty: string,
  attributes: Html,
): Html {
  const options = choices.map(
    ({ value, name }) =>
      html`<option value="${value}"${value === chosen ? ' selected' : ''}>${name}</option>`,
  );
  return html`<select ${attributes}><option value="">${empty}</option>${options}</select>`;
}

/** Codes with their names, in the order of the names. */
export function nameCodes(
  codes: readonly string[],
  nameOf: (code: string) => string,
): readonly Choice[] {
  return codes
    .map((code) => ({ value: code, name: nameOf(code) }))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ value, name }) => ({ value, name: name === value ? value : `${name} (${value})` }));
}
