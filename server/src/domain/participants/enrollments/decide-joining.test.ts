import { expect, test } from 'vitest';
import {
  CODES_MAX,
  decideCode,
  decideEnrollment,
  decideLink,
  LINKS_MAX,
  type Membership,
} from './decide-joining.ts';

const made = { createdAt: 't', updatedAt: 't', projectId: 'prj' };
const active = {
  ...made,
  id: 'enr',
  participantId: 'par',
  programId: 'prg',
  startsAt: 't',
  endsAt: null,
};
const ended = { ...active, endsAt: 't' };
const code = (n: number) => ({
  ...made,
  id: `cod${n}`,
  code: `code-${n}`,
  participantId: 'par',
  programId: 'prg',
  position: n,
});
const link = (n: number, codeNumber = 1) => ({
  ...made,
  id: `lnk${n}`,
  slug: `slug-${n}`,
  refCodeId: `cod${codeNumber}`,
  position: n,
});
const offer = (name: string) => ({ name, moved: null });
const several = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index + 1));

const nothing: Membership = { isOpen: true, enrollment: null, codes: [], links: [] };
const member: Membership = { ...nothing, enrollment: active, codes: [code(1)], links: [link(1)] };

const reasonOf = (decision: object) =>
  'refused' in decision ? (decision.refused as { reason: string }).reason : decision;

test('an active enrollment is given, an ended one is followed by a new one (D-ENR-1)', () => {
  expect(decideEnrollment(member)).toEqual({ give: active });
  expect(decideEnrollment({ ...nothing, enrollment: ended })).toEqual({ make: { enroll: true } });
  expect(decideEnrollment(nothing)).toEqual({ make: { enroll: true } });
});

test('in a Program that is not open, what exists is given and nothing new is made', () => {
  const closed = { ...member, isOpen: false };
  expect(decideEnrollment(closed)).toEqual({ give: active });
  expect(decideCode(closed, null, null)).toEqual({ give: code(1) });
  expect(decideLink(closed, 'slug-1', null)).toEqual({ give: link(1) });
  expect(reasonOf(decideEnrollment({ ...nothing, isOpen: false }))).toBe('program_not_open');
  expect(reasonOf(decideCode(closed, 'other', offer('other')))).toBe('program_not_open');
  expect(reasonOf(decideLink(closed, 'other', offer('other')))).toBe('program_not_open');
});

test('who left a Program gets no code and no link, not even those they had (D-CODE-1)', () => {
  for (const isOpen of [true, false]) {
    const left = { ...member, enrollment: ended, isOpen };
    expect(reasonOf(decideCode(left, null, null))).toBe('enrollment_ended');
    expect(reasonOf(decideCode(left, 'code-1', null))).toBe('enrollment_ended');
    expect(reasonOf(decideCode(left, 'other', offer('other')))).toBe('enrollment_ended');
    expect(reasonOf(decideLink(left, 'slug-1', null))).toBe('enrollment_ended');
    expect(reasonOf(decideLink(left, 'other', offer('other')))).toBe('enrollment_ended');
  }
});

test('a code enrolls who was never enrolled, and nobody else', () => {
  expect(decideCode(nothing, null, offer('abc'))).toEqual({
    make: { code: 'abc', position: 1, moved: null, enroll: true },
  });
  expect(decideCode(member, 'abc', offer('abc'))).toEqual({
    make: { code: 'abc', position: 2, moved: null, enroll: false },
  });
});

test('without a wish the oldest code is given, with one that very code', () => {
  const many = { ...member, codes: several(3, code) };
  expect(decideCode(many, null, null)).toEqual({ give: code(1) });
  expect(decideCode(many, 'code-3', null)).toEqual({ give: code(3) });
  expect(reasonOf(decideCode(many, 'code-of-another', null))).toBe('code_taken');
});

test('there are at most 5 codes and 20 links', () => {
  const codes = several(CODES_MAX, code);
  expect(decideCode({ ...member, codes: codes.slice(1) }, 'new', offer('new'))).toHaveProperty(
    'make',
  );
  expect(reasonOf(decideCode({ ...member, codes }, 'new', offer('new')))).toBe('limit_reached');
  expect(decideCode({ ...member, codes }, 'code-5', null)).toEqual({ give: code(5) });

  const links = several(LINKS_MAX, (n) => link(n));
  expect(decideLink({ ...member, links: links.slice(1) }, 'new', offer('new'))).toHaveProperty(
    'make',
  );
  expect(reasonOf(decideLink({ ...member, links }, 'new', offer('new')))).toBe('limit_reached');
  expect(decideLink({ ...member, links }, 'slug-20', null)).toEqual({ give: link(20) });
});

test('a link hangs on the oldest code, or on one to be made', () => {
  const two = { ...member, codes: [code(1), code(2)], links: [link(1), link(2, 2)] };
  expect(decideLink(two, 'new', offer('new'))).toEqual({
    make: { on: code(1), position: 2, moved: null, enroll: false },
  });
  expect(decideLink(nothing, 'new', offer('new'))).toEqual({
    make: { on: null, position: 1, moved: null, enroll: true },
  });
  expect(reasonOf(decideLink(two, 'of-another', null))).toBe('slug_taken');
});

test('what is made goes behind the newest, also when others were moved away (D-AM-4)', () => {
  const left = { ...member, codes: [code(2), code(5)], links: [link(3, 2), link(21, 2)] };
  expect(decideCode(left, 'new', offer('new'))).toMatchObject({ make: { position: 6 } });
  expect(decideLink(left, 'new', offer('new'))).toMatchObject({ make: { position: 22 } });
});

test('a name that comes from a Program that is over says from where, and enrolls its owner', () => {
  const moved = {
    refCodeId: 'old',
    linkId: null,
    participantId: 'par',
    programStatus: 'ended',
  } as const;
  expect(decideCode(nothing, 'old', { name: 'old', moved })).toEqual({
    make: { code: 'old', position: 1, moved, enroll: true },
  });
  expect(decideLink(member, 'old', { name: 'old', moved: { ...moved, linkId: 'lnk9' } })).toEqual({
    make: { on: code(1), position: 2, moved: { ...moved, linkId: 'lnk9' }, enroll: false },
  });
});
