import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyDefinition, circumstances, inForceOf } from '../../../../test/definition-arbitrary.ts';
import { type ProgramInForce, toDefinition } from '../definition/defined-program.ts';
import type { ProgramDefinition } from '../definition/definition-schema.ts';
import { PROGRAM_KINDS } from '../program-status.ts';
import { planChanges } from './decide-plan.ts';
import { digestOf, stateDigest } from './plan-digest.ts';

const anyKind = fc.constantFrom(...PROGRAM_KINDS);
const anyPair = anyKind.chain((kind) => fc.tuple(anyDefinition(kind), anyDefinition(kind)));
const create = (definition: ProgramDefinition) =>
  inForceOf(planChanges(null, definition, circumstances()).program);

/** The Program after a plan: what was planned, with the versions that were published. */
function applied(before: ProgramInForce, definition: ProgramDefinition, prune: boolean) {
  const { program } = planChanges(before, definition, circumstances({ prune }));
  return inForceOf(program);
}

describe('a plan', () => {
  test('of what is in force is empty, pruning or not', () => {
    fc.assert(
      fc.property(anyKind.chain(anyDefinition), fc.boolean(), (definition, prune) => {
        const inForce = create(definition);
        const { isEmpty, changes, steps } = planChanges(
          inForce,
          toDefinition(inForce),
          circumstances({ prune }),
        );
        expect({ isEmpty, changes }).toEqual({ isEmpty: true, changes: [] });
        expect(steps).toEqual({
          createsProgram: false,
          changesProgram: false,
          delivery: null,
          attribution: null,
          risk: null,
          newRules: [],
          renamed: [],
          published: [],
        });
      }),
    );
  });

  test('that was applied leaves nothing to plan', () => {
    fc.assert(
      fc.property(anyPair, fc.boolean(), ([first, second], prune) => {
        const after = applied(create(first), second, prune);
        expect(planChanges(after, second, circumstances({ prune })).isEmpty).toBe(true);
      }),
    );
  });

  test('is empty exactly if it has nothing to write, and each change has a path, a sentence and two values', () => {
    fc.assert(
      fc.property(anyPair, fc.boolean(), ([first, second], prune) => {
        const { changes, isEmpty, steps } = planChanges(
          create(first),
          second,
          circumstances({ prune }),
        );
        const { createsProgram, newRules, renamed, published, ...rest } = steps;
        const writes = [newRules, renamed, published].some((list) => list.length > 0);
        expect(isEmpty).toBe(!writes && !createsProgram && !Object.values(rest).some(Boolean));
        expect(new Set(changes.map(({ path }) => path)).size).toBe(changes.length);
        for (const { action, from, to, sentence } of changes) {
          expect(sentence).toMatch(/^[A-Z].*\.$/);
          if (action !== 'none') expect(from).not.toEqual(to);
        }
      }),
    );
  });

  test('ends a rule only if it prunes, and only one that the file lacks', () => {
    fc.assert(
      fc.property(anyPair, fc.boolean(), ([first, second], prune) => {
        const inForce = create(first);
        const { changes, program } = planChanges(inForce, second, circumstances({ prune }));
        for (const { key, terms } of inForce.rules) {
          const isKept = Object.hasOwn(second.rules ?? {}, key) || !terms?.enabled;
          const change = changes.find(({ path }) => path === `rules.${key}`);
          if (isKept) continue;
          expect(change?.action).toBe(prune ? 'end' : 'none');
          const after = program.rules.find((rule) => rule.key === key);
          expect(after?.terms?.enabled).toBe(!prune);
        }
      }),
    );
  });

  test('of a new Program says what is made of the file', () => {
    const { changes } = planChanges(
      null,
      {
        apiVersion: 'goodword/v1',
        kind: 'Program',
        key: 'invite',
        programKind: 'referral',
        name: 'Invite a friend',
        deliverySettings: { holdDays: 14 },
        attributionPolicy: { windowDays: 30 },
        rules: {
          thanks: {
            name: 'Thanks',
            eventType: 'purchase',
            beneficiaryRole: 'referrer',
            terms: { benefitKind: 'cash', fixedAmountMinor: '1000', currency: 'USD' },
          },
        },
      },
      circumstances(),
    );
    expect(changes.map(({ action, path, sentence }) => [action, path, sentence])).toEqual([
      [
        'create',
        '',
        'Creates the referral program “Invite a friend” as a draft, with the key invite.',
      ],
      [
        'change',
        'deliverySettings.holdDays',
        'Changes deliverySettings.holdDays from 0 to 14, for rewards earned from now on.',
      ],
      [
        'publish',
        'attributionPolicy',
        'Publishes version 1 of the attribution policy: windowDays 90 → 30. It applies from now on.',
      ],
      [
        'create',
        'rules.thanks',
        'Creates the rule thanks: USD 10.00 in cash for the referrer of each purchase.',
      ],
    ]);
  });
});

describe('the words of a change of terms', () => {
  const terms = { benefitKind: 'cash', calculation: 'percentage', rateBps: 2000 } as const;
  const inForce = create({
    apiVersion: 'goodword/v1',
    kind: 'Program',
    key: 'invite',
    programKind: 'referral',
    name: 'Invite',
    rules: {
      thanks: { name: 'Thanks', eventType: 'purchase', beneficiaryRole: 'referrer', terms },
    },
  });
  const sentenceOf = (changed: object) => {
    const rules = { thanks: { terms: { ...terms, ...changed } } };
    const definition = { apiVersion: 'goodword/v1', kind: 'Program', rules } as const;
    return planChanges(inForce, definition, circumstances()).changes[0]?.sentence;
  };

  test.each([
    [{ rateBps: 2550 }, '20% of the amount in cash → 25.5% of the amount in cash'],
    [{ maxRewardsPerBeneficiary: 3 }, 'rewards per person at most none → 3'],
    [{ durationMode: 'forever' }, 'duration once → forever'],
    [
      { roundingPolicy: 'down', refundPolicy: 'full' },
      'rounding half_up → down, refunds proportional → full',
    ],
  ])('%o', (changed, words) => {
    expect(sentenceOf(changed)).toBe(
      `Publishes version 2 of the terms of the rule thanks: ${words}. It applies to events from now on.`,
    );
  });

  test('of one that is disabled', () => {
    expect(sentenceOf({ enabled: false })).toBe(
      'Ends the rule thanks: version 2 of its terms is disabled, so that it gives nothing for events from now on.',
    );
  });
});

describe('a Program that is over', () => {
  const over = (): ProgramInForce => {
    const inForce = create({
      apiVersion: 'goodword/v1',
      kind: 'Program',
      key: 'k',
      programKind: 'referral',
      name: 'x',
    });
    return { ...inForce, facts: { ...inForce.facts, status: 'archived' } };
  };
  const head = { apiVersion: 'goodword/v1', kind: 'Program' } as const;

  test('takes no versions and no dates', () => {
    const plan = (said: object) => () => planChanges(over(), { ...head, ...said }, circumstances());
    expect(plan({ attributionPolicy: { windowDays: 1 } })).toThrow('The program is archived.');
    expect(plan({ endDate: '2027-01-01T00:00:00Z' })).toThrow('cannot be changed');
    expect(plan({})().isEmpty).toBe(true);
  });
});

test('the digest of a definition is that of its contents, the digest of a state that of everything a plan rests on', () => {
  const definition = { apiVersion: 'goodword/v1', kind: 'Program', name: 'a' } as const;
  expect(digestOf(definition)).toBe(
    digestOf({ name: 'a', kind: 'Program', apiVersion: 'goodword/v1' }),
  );
  expect(digestOf({ ...definition, $schema: 'x' })).toBe(digestOf(definition));
  expect(digestOf(definition)).not.toBe(digestOf({ ...definition, name: 'b' }));
  fc.assert(
    fc.property(anyPair, ([first, second]) => {
      const [a, b] = [create(first), create(second)];
      const isSame = JSON.stringify(toDefinition(a)) === JSON.stringify(toDefinition(b));
      if (isSame) expect(stateDigest(a)).toBe(stateDigest(b));
      expect(stateDigest(a)).not.toBe(stateDigest(null));
      const published = { ...a, lastVersions: { ...a.lastVersions, attribution: 2 } };
      expect(stateDigest(published)).not.toBe(stateDigest(a));
    }),
  );
});
