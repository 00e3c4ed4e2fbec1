import { PayoutDetailsIn } from '../../outbound/payouts/details/details-schema.ts';
import { compileCheck } from '../../platform/http/routes/validate.ts';
import { AppError, type Issue } from '../../platform/kit/errors.ts';

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

export const LABELS: Readonly<Record<DetailsField, string>> = {
  email: 'E-mail address of the account',
  holderName: 'Name of the account holder',
  country: 'Country of the bank',
  currency: 'Currency of the account',
  iban: 'IBAN',
  bic: 'BIC',
  accountNumber: 'Account number',
  routingCode: 'Routing code',
};

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
export function toFormErrors(kind: FormKind, error: unknown): FormErrors | undefined {
  if (!(error instanceof AppError) || error.code !== 'INVALID_REQUEST' || !error.details) {
    return undefined;
  }
  const errors = new Map<DetailsField | '', string>();
  const add = (field: DetailsField | '', sentence: string) => {
    if (!errors.has(field)) errors.set(field, sentence);
  };
  for (const issue of error.details) {
    const path = issue.path.replace(/^details\./, '');
    const field = FIELDS[kind].find((one) => one === path) ?? '';
    if (kind === 'account' && path === 'iban') addIbanIssue(issue, add);
    else add(field, toSentence(field, issue));
  }
  return errors;
}

/** The API accepts an IBAN instead of a number; users of this form chose not to enter one. */
function addIbanIssue(
  { issue }: Issue,
  add: (field: DetailsField, sentence: string) => void,
): void {
  if (issue.startsWith('is required:')) {
    add('country', 'Accounts in this country are paid by IBAN: choose “Bank account with IBAN”.');
    return;
  }
  add('accountNumber', 'Please fill this in.');
  add('routingCode', 'Please fill this in.');
}

function toSentence(field: DetailsField | '', { issue }: Issue): string {
  if (field === '') return 'These details cannot be used. Please check them.';
  const isChosen = field === 'country' || field === 'currency';
  if (issue.startsWith('is required')) {
    return isChosen ? 'Please choose one.' : 'Please fill this in.';
  }
  if (isChosen && issue.startsWith('must be a')) return 'Please choose one.';
  if (issue.startsWith('must be an e-mail address')) {
    return 'This is not an e-mail address such as ada@example.com.';
  }
  return `${LABELS[field]} ${issue}.`;
}
