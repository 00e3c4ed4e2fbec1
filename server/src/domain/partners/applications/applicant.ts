import { createHash } from 'node:crypto';
import { type Issue, invalid } from '../../../platform/kit/errors.ts';
import { encodeBase32 } from '../../../platform/kit/ids.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { parseUrl } from '../../../platform/kit/parse-url.ts';
import type { Apply } from '../schema.ts';
import { isCountry } from './countries.ts';

export interface ApplicantFacts {
  readonly name: string;
  readonly email: string;
  readonly profileType: Apply['profileType'];
  readonly companyName: string | null;
  readonly country: string | null;
  readonly website: string | null;
  readonly message: string | null;
}

/** Validates what the schema cannot express. Fails with INVALID_REQUEST. */
export function readApplicant(input: Apply): ApplicantFacts {
  const [issue] = findApplicantIssues(input);
  if (issue) throw invalid(issue.path, issue.issue);
  const { name, email, profileType } = input;
  return {
    name,
    email,
    profileType,
    companyName: input.companyName ?? null,
    country: input.country?.toUpperCase() ?? null,
    website: input.website ?? null,
    message: input.message ?? null,
  };
}

/** What is wrong, as far as the schema cannot express it; it may be wrong in other ways as well. */
export function findApplicantIssues({
  profileType,
  companyName,
  country,
  website,
}: Partial<Apply>): Issue[] {
  const issues: Issue[] = [];
  if (profileType === 'company' && !companyName)
    issues.push({ path: 'companyName', issue: 'is required for a company' });
  if (country !== undefined && country !== null && !isCountry(country.toUpperCase()))
    issues.push({ path: 'country', issue: 'must be a country code of ISO 3166-1 such as DE' });
  if (website !== undefined && website !== null && !isWebAddress(website))
    issues.push({ path: 'website', issue: 'must be an address such as https://example.com' });
  return issues;
}

/** Operators open the address from their console: only schemes that open a web page are allowed. */
function isWebAddress(text: string): boolean {
  return ['http:', 'https:'].includes(parseUrl(text)?.protocol ?? '');
}

/** Normalizes an address. A Partner is identified by exactly the address it proved. */
export function toEmailKey(email: string): string {
  return email.toLowerCase();
}

/**
 * Probably the same mailbox: nearly every mail server delivers `ada+shop@` to `ada@`. Good enough
 * to count applicants, not to prove an address.
 */
function toMailbox(email: string): string {
  return toEmailKey(email).replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

/** Recognises an applicant in a Project by the mailbox, without storing it in clear text. */
export function hashApplicant(keyring: Keyring, projectId: string, email: string): string {
  return keyring
    .hmac('application-id', ['applicant', projectId, toMailbox(email)].join('\n'))
    .toString('base64url');
}

/**
 * The same for every repeat until the application is decided. Without the key nobody can find out
 * from it whether the address applied before.
 */
export function makeApplicationId(
  keyring: Keyring,
  applicantHash: string,
  programId: string,
  generation: number,
): string {
  const text = ['id', applicantHash, programId, generation].join('\n');
  return `preq_${encodeBase32(keyring.hmac('application-id', text).subarray(0, 16))}`;
}

/** Detects whether the applicant confirms what they were shown. */
export function digestFacts(facts: ApplicantFacts, programName: string): string {
  const { name, email, profileType, companyName, country, website, message } = facts;
  const all = [name, email, profileType, companyName, country, website, message, programName];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url');
}
