import type { PayoutType } from './api-types.ts';
import { Failure } from './failure.ts';
import type { TextName, Texts } from './texts.ts';
import type { Fields } from './to-json.ts';

/** A bank account has two forms, everything else one. */
export type Kind = 'iban' | 'account' | Exclude<PayoutType, 'bank'>;

export type FieldName =
  | 'email'
  | 'holderName'
  | 'iban'
  | 'country'
  | 'currency'
  | 'accountNumber'
  | 'routingCode';

export const FIELDS: Readonly<Record<Kind, readonly FieldName[]>> = {
  iban: ['holderName', 'iban', 'currency'],
  account: ['holderName', 'country', 'currency', 'accountNumber', 'routingCode'],
  paypal: ['email'],
  wise: ['email'],
  stripe_connect: [],
};

export const LABELS: Readonly<Record<FieldName, TextName>> = {
  email: 'accountEmail',
  holderName: 'holderName',
  iban: 'ibanNumber',
  country: 'country',
  currency: 'currency',
  accountNumber: 'accountNumber',
  routingCode: 'routingCode',
};

/** In the order in which they are offered. */
export function kindsOf(types: readonly PayoutType[]): Kind[] {
  const kinds: Kind[] = [];
  for (const type of types) if (type === 'bank') kinds.push('iban', 'account');
  for (const type of types) if (type !== 'bank') kinds.push(type);
  return kinds;
}

type Errors = Record<string, string>;

interface Reading {
  readonly isComplete: boolean;
  readonly details: Fields;
  readonly errors: Errors;
  /** The messages for a refusal by the service, by field. */
  explain(error: unknown): Errors;
}

/** Without a form it is Stripe, which needs no input here. */
export function readForm(form: HTMLFormElement | null, texts: Texts, locale: string): Reading {
  const data = new FormData(form ?? undefined);
  const kind = String(data.get('kind') ?? 'stripe_connect') as Kind;
  const isBank = kind === 'iban' || kind === 'account';
  const details: Record<string, string> = { type: isBank ? 'bank' : kind };
  const errors: Errors = {};
  for (const field of FIELDS[kind]) {
    const value = String(data.get(field) ?? '').trim();
    if (value === '') errors[field] = texts.required;
    details[field] = value;
  }
  // It begins with the country code.
  if (kind === 'iban') details.country = (details.iban ?? '').slice(0, 2).toUpperCase();
  const isComplete = Object.keys(errors).length === 0;
  return {
    isComplete,
    details,
    errors,
    explain: (error) => explain(error, kind, texts, locale),
  };
}

/** The service explains errors in English; in other languages only the field is marked. */
export function explain(error: unknown, kind: Kind, texts: Texts, locale: string): Errors {
  if (!(error instanceof Failure)) return { '': texts.errorHint };
  if (error.kind === 'forbidden') return { '': texts.forbidden };
  if (error.kind === 'offline') return { '': texts.offline };
  const errors: Errors = {};
  for (const { path, issue } of error.issues) {
    const name = path.slice(path.lastIndexOf('.') + 1);
    const isDerived = kind === 'iban' && name === 'country';
    const isPlain = !isDerived && /^en\b/i.test(locale);
    for (const field of FIELDS[kind]) {
      if (field !== (isDerived ? 'iban' : name)) continue;
      errors[field] ??= isPlain ? `${texts[LABELS[field]]} ${issue}.` : texts.invalid;
    }
  }
  return Object.keys(errors).length > 0 ? errors : { '': texts.errorHint };
}
