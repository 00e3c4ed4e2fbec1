import { createHash } from 'node:crypto';
import type { ApplicantFacts } from './applicant.ts';

/** Detects whether the applicant confirms what they were shown. */
export function digestFacts(facts: ApplicantFacts, programName: string): string {
  const { name, email, profileType, companyName, country, website, message } = facts;
  const all = [name, email, profileType, companyName, country, website, message, programName];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url');
}
