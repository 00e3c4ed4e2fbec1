import { PayoutDetailsIn } from '../../outbound/payouts/details/details-schema.ts';
import { compileCheck } from '../../platform/http/routes/validate.ts';
import { AppError } from '../../platform/kit/errors.ts';
import { fill } from './texts/fill.ts';
import type { TextName, Texts } from './texts/texts.ts';

/** The payout methods of the form; a bank account has two variants. */
export const FORM_KINDS = ['iban', 'account', 'paypal', 'wise'] as const;
export type FormKind = (typeof FORM_KINDS)[number];

export type DetailsField = Exclude<keyof PayoutDetailsIn, 'type'>;

export const FIELDS: Readonly<Record<FormKind, readonly DetailsField[]>> = {
  iban: ['holderName', 'country', 'currency', 'iban', 'bic'],
  account: ['holderName', 'country', 'currency', 'accountNumber', 'routingCode'],
  paypal: ['email'],
  wise: ['email'],
};

/** IBAN and BIC are called so in every language. */
const LABELS: Readonly<Record<Exclude<DetailsField, 'iban' | 'bic'>, TextName>> = {
  email: 'accountEmail',
  holderName: 'holderName',
  country: 'bankCountry',
  currency: 'bankCurrency',
  accountNumber: 'accountNumber',
  routingCode: 'routingCode',
};

export function labelOf(field: DetailsField, texts: Texts): string {
  return field === 'iban' || field === 'bic' ? field.toUpperCase() : texts[LABELS[field]];
}

export type FormValues = Readonly<Partial<Record<DetailsField, string>>>;
/** Errors by field; '' for errors that concern no single field. */
export type FormErrors = ReadonlyMap<DetailsField | '', string>;

export function toFormKind(text: string | null | undefined): FormKind {
  return FORM_KINDS.find((kind) => kind === text) ?? 'iban';
}

/** The input of the fields that belong to the kind, trimmed. */
export function readFormValues(kind: FormKind, form: URLSearchParams): FormValues {
  return Object.fromEntries(
    FIELDS[kind].flatMap((field): [DetailsField, string][] => {
      const value = form.get(field)?.trim() ?? '';
      return value === '' ? [] : [[field, value]];
    }),
  );
}

const check = compileCheck(PayoutDetailsIn, 'body');

/** The input in the API's form. Fails with INVALID_REQUEST. */
export function toDetailsInput(kind: FormKind, values: FormValues): PayoutDetailsIn {
  const type = kind === 'iban' || kind === 'account' ? 'bank' : kind;
  const input: PayoutDetailsIn = { type, ...values };
  check(input);
  return input;
}

/** A refusal's message for each field; undefined for a refusal that is not about the form. */
export function toFormErrors(kind: FormKind, error: unknown, texts: Texts): FormErrors | undefined {
  if (!(error instanceof AppError) || error.code !== 'INVALID_REQUEST' || !error.details) {
    return undefined;
  }
  const errors = new Map<DetailsField | '', string>();
  const add = (field: DetailsField | '', sentence: string) => {
    if (!errors.has(field)) errors.set(field, sentence);
  };
  for (const { path: whole, issue } of error.details) {
    const path = whole.replace(/^details\./, '');
    const field = FIELDS[kind].find((one) => one === path) ?? '';
    if (kind !== 'account' || path !== 'iban') {
      add(field, toSentence(field, issue, texts));
    } else if (issue.startsWith('is required:')) {
      add('country', texts.needsIban);
    } else {
      // The API accepts an IBAN instead of a number; users of this form chose not to enter one.
      add('accountNumber', texts.fillIn);
      add('routingCode', texts.fillIn);
    }
  }
  return errors;
}

/** What the checks of payout details say, by the beginning of it. */
const SENTENCES: readonly (readonly [field: DetailsField, start: string, name: TextName])[] = [
  ['iban', 'must begin with', 'ibanCountry'],
  ['iban', 'does not have the length', 'ibanLength'],
  ['iban', 'is a QR-IBAN', 'ibanQr'],
  ['iban', 'is mistyped', 'ibanMistyped'],
  ['iban', 'is not an IBAN', 'ibanWrong'],
  ['bic', 'must be a BIC', 'bicWrong'],
  ['accountNumber', 'must have', 'accountNumberWrong'],
  ['routingCode', 'must', 'routingCodeWrong'],
];

function toSentence(field: DetailsField | '', issue: string, texts: Texts): string {
  if (field === '') return texts.detailsUnusable;
  const isChosen = field === 'country' || field === 'currency';
  if (issue.startsWith('is required')) return isChosen ? texts.chooseOne : texts.fillIn;
  if (isChosen && issue.startsWith('must be a')) return texts.chooseOne;
  if (issue.startsWith('must be an e-mail address')) return texts.notEmail;
  const [, count] = /^must have at most (\d+) characters/.exec(issue) ?? [];
  if (count !== undefined) return fill(texts.tooLong, { field: labelOf(field, texts), count });
  const known = SENTENCES.find(([of, start]) => of === field && issue.startsWith(start));
  return texts[known?.[2] ?? 'checkField'];
}
