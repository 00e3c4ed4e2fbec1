import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Membership } from '../enrollments/decide-joining.ts';
import { decidePartnerLink, PARTNER_LINKS_MAX } from './decide-partner-link.ts';

const made = { createdAt: 't', updatedAt: 't', projectId: 'prj' };
const place = { participantId: 'par', programId: 'prg' };
const enrollment = { ...made, ...place, id: 'enr', startsAt: 't', endsAt: null };
const code = { ...made, ...place, id: 'cod', code: 'code', position: 1 };
const link = (n: number) => ({
  ...made,
  id: `lnk${n}`,
  slug: `s-${n}`,
  refCodeId: 'cod',
  position: n,
});
const member = (links: number, change: Partial<Membership> = {}): Membership => ({
  isOpen: true,
  enrollment,
  codes: [code],
  links: Array.from({ length: links }, (_, n) => link(n + 1)),
  ...change,
});
const free = { name: 'ada-blog', moved: null };
const reasonOf = (decision: ReturnType<typeof decidePartnerLink>) =>
  'refused' in decision ? decision.refused.reason : decision;

test('a Partner who takes part gets a link of that name on the oldest code', () => {
  expect(decidePartnerLink(member(1), false, 'ada-blog', free)).toEqual({
    make: { on: code, position: 2, moved: null, enroll: false },
  });
});

test('a suspended Partner, one who left and one who never joined get none', () => {
  const left = member(1, { enrollment: { ...enrollment, endsAt: 't' } });
  expect(reasonOf(decidePartnerLink(member(1), true, 'ada-blog', free))).toBe('invalid_transition');
  expect(reasonOf(decidePartnerLink(left, false, 'ada-blog', free))).toBe('enrollment_ended');
  const stranger = member(0, { enrollment: null });
  expect(reasonOf(decidePartnerLink(stranger, false, 'ada-blog', free))).toBe('enrollment_ended');
});

test('a Program that is over gives none, and says so also beyond the limit', () => {
  for (const links of [1, PARTNER_LINKS_MAX]) {
    const over = member(links, { isOpen: false });
    expect(reasonOf(decidePartnerLink(over, false, 'ada-blog', free))).toBe('program_not_open');
  }
});

test('a taken name is refused', () => {
  expect(reasonOf(decidePartnerLink(member(1), false, 'taken', null))).toBe('slug_taken');
});

test('there are never more links than allowed, and an own one is returned however many there are', () => {
  fc.assert(
    fc.property(fc.nat({ max: 20 }), fc.boolean(), (links, isOpen) => {
      const membership = member(links, { isOpen });
      const decision = decidePartnerLink(membership, false, 'ada-blog', free);
      expect('make' in decision).toBe(isOpen && links < PARTNER_LINKS_MAX);
      for (const own of membership.links) {
        expect(decidePartnerLink(membership, false, own.slug, null)).toEqual({ give: own });
      }
    }),
  );
});
