import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApplicantFacts } from './applicant.ts';
import { digestFacts } from './facts-digest.ts';

const texts = fc.option(fc.string({ maxLength: 5 }));
const facts = fc.record<ApplicantFacts>({
  name: fc.string({ maxLength: 5 }),
  email: fc.string({ maxLength: 5 }),
  profileType: fc.constantFrom('individual', 'company'),
  companyName: texts,
  country: texts,
  website: texts,
  message: texts,
});

test('the digest changes with any fact or the program’s name, and with nothing else', () => {
  fc.assert(
    fc.property(facts, facts, fc.string(), fc.string(), (one, other, name, otherName) => {
      const digest = digestFacts(one, name);
      expect(digestFacts({ ...one }, name)).toBe(digest);
      if (otherName !== name) expect(digestFacts(one, otherName)).not.toBe(digest);
      for (const [field, value] of Object.entries(other)) {
        const isSame = one[field as keyof ApplicantFacts] === value;
        expect(digestFacts({ ...one, [field]: value }, name) === digest).toBe(isSame);
      }
    }),
  );
});
