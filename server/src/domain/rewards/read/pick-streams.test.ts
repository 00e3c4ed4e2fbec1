import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aProgram, aRule, customTerms, someTerms } from '../../../../test/program-book.ts';
import { DELIVERY_METHODS, FULFILLMENT_STATUSES } from '../decide/states.ts';
import { pickStreams, type RewardFilter } from './pick-streams.ts';

const any: RewardFilter = {
  programId: null,
  beneficiaryParticipantId: null,
  beneficiaryRole: null,
  benefitKind: null,
  deliveryMethod: null,
  fulfillmentStatus: null,
  eventId: null,
};
const changed = [someTerms(), customTerms({ version: 2 })];
const programs = [
  aProgram({ id: 'cash', rules: [aRule([someTerms()])] }),
  aProgram({ id: 'changed', rules: [aRule(changed, { beneficiaryRole: 'referee' })] }),
  aProgram({
    id: 'loyal',
    kind: 'loyalty',
    rules: [aRule([customTerms()], { beneficiaryRole: 'subject' })],
  }),
  aProgram({ id: 'empty' }),
];
const book = { programs: new Map(programs.map((program) => [program.id, program])) };
const pick = (filter: Partial<RewardFilter>) => pickStreams({ ...any, ...filter }, book);

test('without a filter, and for one Event, there is one stream', () => {
  expect(pick({})).toEqual({});
  expect(pick({ eventId: 'evt', programId: 'cash', fulfillmentStatus: 'pending' })).toEqual({});
});

test('a person’s Rewards are read Program by Program', () => {
  expect(pick({ beneficiaryParticipantId: 'par' })).toEqual({
    programId: ['cash', 'changed', 'loyal'],
  });
  expect(pick({ beneficiaryParticipantId: 'par', programId: 'loyal' })).toEqual({
    programId: ['loyal'],
  });
});

test('a role or a kind is looked for only where a rule gives it or once gave it', () => {
  expect(pick({ benefitKind: 'custom' })).toEqual({ programId: ['changed', 'loyal'] });
  expect(pick({ benefitKind: 'cash' })).toEqual({ programId: ['cash', 'changed'] });
  expect(pick({ beneficiaryRole: 'subject' })).toEqual({ programId: ['loyal'] });
  expect(pick({ beneficiaryRole: 'subject', benefitKind: 'cash' })).toEqual({ programId: [] });
});

test('what is not granted yet is read by status and method', () => {
  expect(pick({ fulfillmentStatus: 'pending', deliveryMethod: 'operator' })).toEqual({
    fulfillmentStatus: ['pending'],
    deliveryMethod: ['operator'],
  });
  expect(pick({ fulfillmentStatus: 'failed', programId: 'cash' })).toEqual({
    fulfillmentStatus: ['failed'],
    deliveryMethod: DELIVERY_METHODS,
  });
  expect(pick({ deliveryMethod: 'payout' })).toEqual({
    fulfillmentStatus: FULFILLMENT_STATUSES,
    deliveryMethod: ['payout'],
  });
});

test('no stream leaves out a Reward that a rule can have given', () => {
  const rewards = programs.flatMap((program) =>
    program.rules.flatMap((rule) =>
      rule.terms.flatMap((terms) =>
        FULFILLMENT_STATUSES.map((fulfillmentStatus) => ({
          programId: program.id,
          beneficiaryParticipantId: 'par',
          beneficiaryRole: rule.beneficiaryRole,
          benefitKind: terms.benefitKind,
          deliveryMethod: 'payout' as const,
          fulfillmentStatus,
          eventId: 'evt',
        })),
      ),
    ),
  );
  const names = Object.keys(any) as (keyof RewardFilter)[];
  fc.assert(
    fc.property(fc.constantFrom(...rewards), fc.subarray(names), (reward, asked) => {
      const filter = { ...any, ...Object.fromEntries(asked.map((name) => [name, reward[name]])) };
      for (const [name, values] of Object.entries(pickStreams(filter, book))) {
        expect(values).toContain(reward[name as keyof RewardFilter]);
      }
    }),
  );
});
