import { createHash } from 'node:crypto';
import { invalid } from '../../../platform/kit/errors.ts';
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
  if (input.profileType === 'company' && !input.companyName) {
    throw invalid('companyName', 'is required for a company');
  }
  const country = input.country?.toUpperCase() ?? null;
  if (country !== null && !isCountry(country)) {
    throw invalid('country', 'must be a country code of ISO 3166-1 such as DE');
  }
  const website = input.website ?? null;
  if (website !== null && !isWebAddress(website)) {
    throw invalid('website', 'must be an address such as https://example.com');
  }
  return {
    name: input.name,
    email: input.email,
    profileType: input.profileType,
    companyName: input.companyName ?? null,
    country,
    website,
    message: input.message ?? null,
  };
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
