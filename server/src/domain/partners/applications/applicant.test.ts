import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../platform/kit/keyring.ts';
import { Apply } from '../schema.ts';
import {
  type ApplicantFacts,
  digestFacts,
  hashApplicant,
  makeApplicationId,
  readApplicant,
} from './applicant.ts';

const keyring = createKeyring(new Uint8Array(32).fill(1));
const valid: Apply = {
  programId: 'prg_1',
  name: 'Ada',
  email: 'Ada@Example.com',
  profileType: 'individual',
};

describe('what an applicant says', () => {
  test('a company must be named, a person need not be', () => {
    expect(() => readApplicant({ ...valid, profileType: 'company' })).toThrow(/companyName/);
    expect(
      readApplicant({ ...valid, profileType: 'company', companyName: 'Ltd' }).companyName,
    ).toBe('Ltd');
    expect(readApplicant(valid).companyName).toBeNull();
  });

  test('an address is kept as it was sent', () => {
    expect(readApplicant(valid).email).toBe('Ada@Example.com');
  });

  test('a country is one of ISO 3166-1, in either case', () => {
    expect(readApplicant({ ...valid, country: 'de' }).country).toBe('DE');
    for (const country of ['XX', 'EU', 'UK', 'AA']) {
      expect(() => readApplicant({ ...valid, country })).toThrow(/country/);
    }
  });

  test('a website is http or https and nothing that a browser would run', () => {
    expect(readApplicant({ ...valid, website: 'https://a.example/x?y' }).website).toBe(
      'https://a.example/x?y',
    );
    for (const website of ['javascript:alert(1)', 'data:text/html,x', 'example.com', 'ftp://a.b']) {
      expect(() => readApplicant({ ...valid, website })).toThrow(/website/);
    }
  });

  test('an e-mail address cannot smuggle in a second one, or a header', () => {
    const validator = Compile(Apply);
    for (const email of ['a@b.example', "o'neil+shop@sub.b.example", 'x@xn--bcher-kva.example']) {
      expect(validator.Check({ ...valid, email }), email).toBe(true);
    }
    for (const email of [
      'a@b',
      '@b.example',
      'a@b.example, c@d.example',
      'a@b.example\nBcc: c@d.example',
      'a b@c.example',
      '<a@b.example>',
      '"a"@b.example',
      'a@b..example',
      'a@-b.example',
      'a@b.example\n',
      `${'a'.repeat(65)}@b.example`,
    ]) {
      expect(validator.Check({ ...valid, email }), email).toBe(false);
    }
  });
});

describe('the id of an application', () => {
  const idOf = (project: string, program: string, email: string, generation: number) =>
    makeApplicationId(keyring, hashApplicant(keyring, project, email), program, generation);
  const emails = fc.emailAddress();

  test('is the same however the address was written, and has the form of every id', () => {
    fc.assert(
      fc.property(emails, (email) => {
        const id = idOf('prj', 'prg', email, 0);
        expect(id).toBe(idOf('prj', 'prg', email.toUpperCase(), 0));
        expect(id).toMatch(/^preq_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      }),
    );
  });

  test('is the same whatever tag the address has: one mailbox is one applicant', () => {
    const locals = fc.stringMatching(/^[a-z0-9.]{1,20}$/);
    const tags = fc.stringMatching(/^[a-z0-9+._-]{0,20}$/);
    fc.assert(
      fc.property(locals, tags, (local, tag) => {
        const plain = idOf('prj', 'prg', `${local}@example.com`, 0);
        expect(idOf('prj', 'prg', `${local}+${tag}@Example.com`, 0)).toBe(plain);
        expect(idOf('prj', 'prg', `${local}-${tag}@example.com`, 0)).not.toBe(plain);
      }),
    );
    expect(idOf('prj', 'prg', '+a@example.com', 0)).not.toBe(
      idOf('prj', 'prg', '+b@example.com', 0),
    );
  });

  test('differs by project, program, mailbox and generation', () => {
    const mailbox = (email: string) => email.toLowerCase().replace(/(.)\+.*@/, '$1@');
    fc.assert(
      fc.property(emails, emails, (email, other) => {
        fc.pre(mailbox(email) !== mailbox(other));
        const ids = [
          idOf('prj', 'prg', email, 0),
          idOf('prj2', 'prg', email, 0),
          idOf('prj', 'prg2', email, 0),
          idOf('prj', 'prg', other, 0),
          idOf('prj', 'prg', email, 1),
        ];
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test('cannot be computed without the key', () => {
    const foreign = createKeyring(new Uint8Array(32).fill(2));
    const hash = hashApplicant(foreign, 'prj', valid.email);
    expect(makeApplicationId(foreign, hash, 'prg', 0)).not.toBe(idOf('prj', 'prg', valid.email, 0));
  });
});

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
