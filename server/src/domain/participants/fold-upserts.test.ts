import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../test/rounds.ts';
import { type FoldedUpserts, foldUpserts, type Upserted } from './fold-upserts.ts';
import { type Maker, type ParticipantSlice, refKey } from './participant-slice.ts';
import type { Participant, ParticipantRef, UpsertParticipant } from './schema.ts';

const EARLIER = '2026-11-15T09:00:00.000Z';
const NOW = '2026-11-15T09:30:00.000Z';

function countingMaker(): Maker {
  let made = 0;
  return {
    projectId: 'prj_1',
    now: NOW,
    newId: (prefix) => {
      made += 1;
      return `${prefix}_new${made}`;
    },
  };
}

const refOf = (one: Participant): ParticipantRef => ({
  kind: one.kind,
  externalId: one.externalId ?? '',
});

/** In-memory stand-in for the database's rows, with unique billing ids. */
class Rows {
  readonly byId = new Map<string, Participant>();
  readonly #erased: ReadonlySet<string>;

  constructor(rows: readonly Participant[], erased: ReadonlySet<string>) {
    for (const row of rows) this.byId.set(row.id, row);
    this.#erased = erased;
  }

  load(inputs: readonly UpsertParticipant[]): ParticipantSlice {
    const refs = new Set(inputs.map(({ participant }) => refKey(participant)));
    const billingIds = new Set(inputs.map(({ billingId }) => billingId));
    const rows = [...this.byId.values()];
    return {
      byRef: new Map(
        rows.map((row) => [refKey(refOf(row)), row] as const).filter(([key]) => refs.has(key)),
      ),
      billingHolders: new Map(
        rows
          .filter(({ billingId }) => billingId !== null && billingIds.has(billingId))
          .map((row) => [row.billingId ?? '', row.id]),
      ),
      erased: new Set([...this.#erased].filter((key) => refs.has(key))),
    };
  }

  save({ releasing, created, changed }: FoldedUpserts): void {
    for (const id of releasing) this.#put({ ...this.#row(id), billingId: null });
    for (const row of created) this.#put(row);
    for (const row of changed) this.#put(row);
  }

  #row(id: string): Participant {
    const row = this.byId.get(id);
    if (!row) throw new Error(`no row ${id}`);
    return row;
  }

  #put(row: Participant): void {
    this.byId.set(row.id, row);
    const held = [...this.byId.values()].flatMap(({ billingId }) => billingId ?? []);
    assert.equal(new Set(held).size, held.length, 'a billing id is one participant’s only');
  }
}

const describeOutcome = (outcome: Upserted) =>
  'refused' in outcome ? { refused: outcome.refused.reason } : outcome;

const kind = fc.constantFrom('individual' as const, 'group' as const);
const ref = fc.record({ kind, externalId: fc.constantFrom('a', 'b', 'c') });
const billing = fc.constantFrom(null, 'cus_1', 'cus_2', 'cus_3');
const input = fc.record(
  {
    participant: ref,
    name: fc.constantFrom(null, 'Ada', 'Bo'),
    email: fc.constantFrom(null, 'a@example.com'),
    billingId: billing,
  },
  { requiredKeys: ['participant'] },
);
const stored = fc
  .uniqueArray(fc.record({ ref, billingId: billing }), {
    maxLength: 4,
    selector: ({ ref }) => refKey(ref),
  })
  .map((rows) =>
    rows.map(({ ref, billingId }, index): Participant => {
      const isFirst = rows.findIndex((row) => row.billingId === billingId) === index;
      return {
        id: `par_${index}`,
        createdAt: EARLIER,
        updatedAt: EARLIER,
        projectId: 'prj_1',
        kind: ref.kind,
        externalId: ref.externalId,
        billingId: isFirst ? billingId : null,
        name: null,
        email: null,
        partnerId: null,
        deletedAt: null,
        readmittedAt: null,
      };
    }),
  );

test('a batch of upserts leaves exactly what one upsert after another leaves', () => {
  fc.assert(
    fc.property(
      stored,
      fc.array(ref, { maxLength: 2 }),
      fc.array(input, { maxLength: 12 }),
      (rows, erasedRefs, inputs) => {
        const known = new Set(rows.map((row) => refKey(refOf(row))));
        const erased = new Set(erasedRefs.map(refKey).filter((key) => !known.has(key)));

        const together = new Rows(rows, erased);
        const batch = foldUpserts(together.load(inputs), inputs, countingMaker());
        together.save(batch);

        const apart = new Rows(rows, erased);
        const maker = countingMaker();
        const singles = inputs.map((one) => {
          const single = foldUpserts(apart.load([one]), [one], maker);
          apart.save(single);
          return single;
        });

        assert.deepEqual(together.byId, apart.byId);
        assert.deepEqual(
          batch.outcomes.map(describeOutcome),
          singles.flatMap(({ outcomes }) => outcomes.map(describeOutcome)),
        );
        assert.deepEqual(
          batch.created.map(({ id }) => id),
          singles.flatMap(({ created }) => created.map(({ id }) => id)),
        );
      },
    ),
    { numRuns: rounds(500, 2_000) },
  );
});

const upsert = (externalId: string, fields: Partial<UpsertParticipant> = {}) => ({
  participant: { kind: 'individual' as const, externalId },
  ...fields,
});

function fold(...inputs: UpsertParticipant[]) {
  return foldUpserts(new Rows([], new Set()).load(inputs), inputs, countingMaker());
}

test('what is left out is kept, and null clears (D-PART-3)', () => {
  const { created } = fold(
    upsert('a', { name: 'Ada', email: 'ada@example.com', billingId: 'cus_1' }),
    upsert('a', { name: null }),
  );
  expect(created).toMatchObject([{ name: null, email: 'ada@example.com', billingId: 'cus_1' }]);
});

test.each([
  [{ name: 'Ada' }, { name: 'Ada', email: null, billingId: null }],
  [{ email: 'ada@example.com' }, { name: null, email: 'ada@example.com', billingId: null }],
  [{ billingId: 'cus_1' }, { name: null, email: null, billingId: 'cus_1' }],
])('%j alone is a change, and leaves the rest', (fields, expected) => {
  const { outcomes } = fold(upsert('a'), upsert('a', fields));
  expect(outcomes).toMatchObject([{ change: 'created' }, { change: 'changed' }]);
  expect(outcomes[1]).toMatchObject({ participant: { ...expected, updatedAt: NOW } });
});

describe('of those who were there before the batch', () => {
  const already = (externalId: string, billingId: string | null): Participant => ({
    id: `par_${externalId}`,
    createdAt: EARLIER,
    updatedAt: EARLIER,
    projectId: 'prj_1',
    kind: 'individual',
    externalId,
    billingId,
    name: 'Ada',
    email: null,
    partnerId: null,
    deletedAt: null,
    readmittedAt: null,
  });
  const known = [already('a', 'cus_1'), already('b', 'cus_2'), already('c', null)];
  const foldKnown = (...inputs: UpsertParticipant[]) =>
    foldUpserts(new Rows(known, new Set()).load(inputs), inputs, countingMaker());
  const ids = (rows: readonly Participant[]) => rows.map(({ id }) => id);

  test('nothing is written for one that stays as it was', () => {
    expect(foldKnown(upsert('a', { name: 'Ada', billingId: 'cus_1' }))).toEqual({
      outcomes: [{ participant: already('a', 'cus_1'), change: 'none' }],
      created: [],
      changed: [],
      renamed: [],
      releasing: [],
      billed: [],
    });
  });

  test('those who change are told from those who are made', () => {
    const folded = foldKnown(upsert('a', { name: 'Bo' }), upsert('new', { name: 'Bo' }));
    expect(folded.created.map(({ externalId }) => externalId)).toEqual(['new']);
    expect(folded.changed).toEqual([{ ...already('a', 'cus_1'), name: 'Bo', updatedAt: NOW }]);
    expect([folded.releasing, folded.billed]).toEqual([[], []]);
  });

  test('renamed are those who were known by another name or address', () => {
    const { renamed } = foldKnown(
      upsert('a', { billingId: 'cus_8' }),
      upsert('b', { name: 'Bo' }),
      upsert('c', { email: 'c@example.com' }),
      upsert('new', { name: 'Bo' }),
    );
    expect(ids(renamed)).toEqual(['par_b', 'par_c']);
  });

  test('a name that is changed and changed back is not another one', () => {
    const { renamed } = foldKnown(upsert('a', { name: 'Bo' }), upsert('a', { name: 'Ada' }));
    expect(renamed).toEqual([]);
  });

  test('only a billing id that is given up or replaced is released first', () => {
    const { releasing } = foldKnown(
      upsert('a', { billingId: null }),
      upsert('b', { billingId: 'cus_9' }),
      upsert('c', { billingId: 'cus_1' }),
    );
    expect(releasing).toEqual(['par_a', 'par_b']);
  });

  test('billed are those, known or new, who have a billing id that they did not have', () => {
    const { billed } = foldKnown(
      upsert('a', { billingId: null }),
      upsert('b', { name: 'Bo' }),
      upsert('c', { billingId: 'cus_1' }),
      upsert('new', { billingId: 'cus_5' }),
      upsert('other', { name: 'Bo' }),
    );
    expect(ids(billed)).toEqual(['par_c', expect.stringMatching(/_new1$/)]);
  });
});

test('a billing id can be set to what it is, and taken over once it was let go', () => {
  const { outcomes } = fold(
    upsert('a', { billingId: 'cus_1' }),
    upsert('a', { billingId: 'cus_1' }),
    upsert('b', { billingId: 'cus_1' }),
    upsert('a', { billingId: null }),
    upsert('b', { billingId: 'cus_1' }),
  );
  expect(
    outcomes.map((outcome) => ('refused' in outcome ? outcome.refused.reason : outcome.change)),
  )
    // The refused command created nobody, so the last command creates the participant.
    .toEqual(['created', 'none', 'billing_id_taken', 'changed', 'created']);
});

test('individual 42 and group 42 are two participants (D-PART-1)', () => {
  const { created } = fold(
    { participant: { kind: 'individual', externalId: '42' } },
    { participant: { kind: 'group', externalId: '42' } },
    { participant: { kind: 'individual', externalId: '42' } },
  );
  expect(created.map((one) => one.kind)).toEqual(['individual', 'group']);
});

test('nobody can be made under the name that an erased participant shows', () => {
  const { outcomes, created } = fold(upsert(`deleted_par_${'0'.repeat(26)}`));
  expect(outcomes.map(describeOutcome)).toEqual([{ refused: 'participant_deleted' }]);
  expect(created).toEqual([]);
});
