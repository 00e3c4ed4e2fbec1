import { findApplicantIssues } from '../../../domain/partners/applications/applicant.ts';
import { Apply } from '../../../domain/partners/schema.ts';
import { assertText } from '../../../platform/http/routes/parse-json.ts';
import { compileCheck, invalidRequest } from '../../../platform/http/routes/validate.ts';
import { AppError, type Issue } from '../../../platform/kit/errors.ts';
import { fill } from '../texts/fill.ts';
import type { TextName, Texts } from '../texts/texts.ts';

export const APPLY_FIELDS = [
  'name',
  'email',
  'profileType',
  'companyName',
  'country',
  'website',
  'message',
] as const;
export type ApplyField = (typeof APPLY_FIELDS)[number];

export const APPLY_LABELS: Readonly<Record<ApplyField, TextName>> = {
  name: 'applyName',
  email: 'email',
  profileType: 'applyType',
  companyName: 'applyCompanyName',
  country: 'applyCountry',
  website: 'applyWebsite',
  message: 'applyMessage',
};

export type ApplyValues = Readonly<Partial<Record<ApplyField, string>>>;
export type ApplyErrors = ReadonlyMap<ApplyField, string>;

/** The input, trimmed; an individual has no company. */
export function readApplyValues(form: URLSearchParams): ApplyValues {
  const isCompany = form.get('profileType') === 'company';
  return Object.fromEntries(
    APPLY_FIELDS.flatMap((field): [ApplyField, string][] => {
      const value = form.get(field)?.trim() ?? '';
      return value === '' || (field === 'companyName' && !isCompany) ? [] : [[field, value]];
    }),
  );
}

const check = compileCheck(Apply, 'body');

/** The application in the API's form, checked as the API does. Fails with INVALID_REQUEST. */
export function toApplication(programId: string, values: ApplyValues): Apply {
  for (const [field, value] of Object.entries(values)) assertText(value, field);
  const { website } = values;
  const hasScheme = website === undefined || /^[a-z][a-z0-9+.-]*:/i.test(website);
  const input = {
    programId,
    ...values,
    // People leave out what their browser adds.
    ...(hasScheme ? {} : { website: `https://${website}` }),
  };
  const found = [
    ...listIssues(() => check(input)),
    ...findApplicantIssues(input as Partial<Apply>),
  ];
  if (found.length > 0) throw invalidRequest(found, 'body');
  return input as Apply;
}

/** All that is wrong is shown at once. */
function listIssues(work: () => void): readonly Issue[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !error.details) throw error;
    return error.details;
  }
}

/** A refusal's message for each field; undefined for a refusal that is not about the form. */
export function toApplyErrors(error: unknown, texts: Texts): ApplyErrors | undefined {
  if (!(error instanceof AppError) || error.code !== 'INVALID_REQUEST') return undefined;
  const errors = new Map<ApplyField, string>();
  for (const { path, issue } of error.details ?? []) {
    const field = APPLY_FIELDS.find((one) => one === path);
    if (field && !errors.has(field)) errors.set(field, toSentence(field, issue, texts));
  }
  return errors.size === 0 ? undefined : errors;
}

function toSentence(field: ApplyField, issue: string, texts: Texts): string {
  const isChosen = field === 'country' || field === 'profileType';
  if (isChosen) return texts.chooseOne;
  if (issue.startsWith('is required')) return texts.fillIn;
  const [, count] = /^must have at most (\d+) characters/.exec(issue) ?? [];
  if (count !== undefined) return fill(texts.tooLong, { field: texts[APPLY_LABELS[field]], count });
  if (field === 'email') return texts.notEmail;
  return field === 'website' ? texts.applyWebsiteWrong : texts.checkField;
}
