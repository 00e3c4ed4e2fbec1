import type { TargetedSubmitEvent } from 'preact';
import type { Start } from './api-types.ts';
import { listChoices } from './codes.ts';
import type { Model } from './model.ts';
import { FIELDS, type FieldName, type Kind, kindsOf, LABELS } from './payout-form.ts';

export const KIND_NAMES = { paypal: 'PayPal', wise: 'Wise', stripe_connect: 'Stripe' } as const;

/** Autofill hints for the fields. */
const HELP: Readonly<Partial<Record<FieldName, object>>> = {
  email: { type: 'email', autocomplete: 'email', dir: 'ltr' },
  holderName: { autocomplete: 'name', dir: 'auto' },
};
const CODE = { autocomplete: 'off', spellcheck: false, autocapitalize: 'characters', dir: 'ltr' };

export function PayoutFields(props: { model: Model; start: Start; isChange: boolean }) {
  const { model, start } = props;
  const { texts } = model.language;
  const kinds = kindsOf(start.payout.types);
  const kind = model.kind ?? kinds[0] ?? 'paypal';
  const radios = [];
  for (const one of kinds) {
    radios.push(
      <label key={one} class="kind">
        <input
          type="radio"
          name="kind"
          value={one}
          checked={one === kind}
          onChange={() => model.choose(one)}
        />
        <span>{nameOf(one, model)}</span>
      </label>,
    );
  }
  const fields = [];
  for (const name of FIELDS[kind]) fields.push(<Field key={name} model={model} name={name} />);
  return (
    <form noValidate onSubmit={(event) => submit(event, model)}>
      <fieldset>
        <legend>{texts.method}</legend>
        {radios}
      </fieldset>
      {fields}
      {kind === 'stripe_connect' && <p>{texts.stripe}</p>}
      {model.errors[''] && <p class="error">{model.errors['']}</p>}
      {props.isChange && <p>{texts.wait}</p>}
      <button type="submit" class="button" aria-disabled={model.isSaving}>
        {model.isSaving ? texts.saving : texts.save}
      </button>
    </form>
  );
}

function submit(event: TargetedSubmitEvent<HTMLFormElement>, model: Model): void {
  event.preventDefault();
  void model.savePayout(event.currentTarget);
}

function nameOf(kind: Kind, { language }: Model): string {
  return kind === 'iban' || kind === 'account' ? language.texts[kind] : KIND_NAMES[kind];
}

function Field({ model, name }: { model: Model; name: FieldName }) {
  const { texts } = model.language;
  const error = model.errors[name];
  const common = {
    id: name,
    name,
    required: true,
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${name}-error`,
  };
  return (
    <div class="field">
      <label for={name}>{texts[LABELS[name]]}</label>
      {name === 'country' ? (
        <Select common={common} model={model} codes={model.codes?.countries} type="region" />
      ) : name === 'currency' ? (
        <Select common={common} model={model} codes={model.codes?.currencies} type={name} />
      ) : (
        <input {...common} {...(HELP[name] ?? CODE)} />
      )}
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

function Select(props: {
  common: object;
  model: Model;
  codes: readonly string[] | undefined;
  type: 'region' | 'currency';
}) {
  const { texts, locale } = props.model.language;
  const options = [];
  for (const { code, name } of listChoices(props.codes ?? [], props.type, locale)) {
    options.push(
      <option key={code} value={code}>
        {name} ({code})
      </option>,
    );
  }
  return (
    <select {...props.common}>
      <option value="">{texts.choose}</option>
      {options}
    </select>
  );
}
