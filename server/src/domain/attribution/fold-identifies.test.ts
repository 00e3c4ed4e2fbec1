import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../test/rounds.ts';
import { type Maker, type ParticipantSlice, refKey } from '../participants/participant-slice.ts';
import type { Participant, ParticipantRef } from '../participants/schema.ts';
import type { Handle, IdentifyCommand, IdentitySlice, Reference } from './decide-identify.ts';
import { type FoldedIdentifies, foldIdentifies } from './fold-identifies.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const ERASED: ParticipantRef = { kind: 'individual', externalId: 'erased' };

type Command = IdentifyCommand<ParticipantRef>;

function countingMaker(): Maker {
  let made = 0;
  return {
    projectId: 'prj_1',
    now: NOW,
    newId: (prefix) => {
      made += 1;
      return `${prefix}_${made}`;
    },
  };
}

/** In-memory stand-in for the database's rows. */
class Rows {
  readonly people = new Map<string, Participant>();
  readonly handles = new Map<string, Handle>();
  readonly references = new Map<string, Reference>();

  constructor(handleIds: readonly string[]) {
    for (const id of handleIds)
      this.handles.set(id, { id, participantId: null, identifiedAt: null });
  }

  load(commands: readonly Command[]): [ParticipantSlice, IdentitySlice] {
    const refs = new Set(commands.flatMap((one) => ('person' in one ? refKey(one.person) : [])));
    const keys = new Set(commands.flatMap((one) => ('key' in one ? one.key : [])));
    const references = [...this.references].filter(([key]) => keys.has(key));
    const handleIds = new Set([
      ...commands.flatMap((one) => ('handle' in one ? one.handle : [])),
      ...references.map(([, { handleId }]) => handleId),
    ]);
    const carried = [...this.references.values()];
    return [
      {
        byRef: new Map([...this.people].filter(([key]) => refs.has(key))),
        billingHolders: new Map(),
        erased: new Set([refKey(ERASED)]),
      },
      {
        handles: new Map([...this.handles].filter(([id]) => handleIds.has(id))),
        references: new Map(references),
        keyCounts: new Map(
          [...handleIds].map((id) => [id, carried.filter((one) => one.handleId === id).length]),
        ),
        changed: { handles: new Set(), references: new Set() },
      },
    ];
  }

  save({ created }: FoldedIdentifies, { handles, references, changed }: IdentitySlice): void {
    for (const person of created) {
      const key = refKey({ kind: person.kind, externalId: person.externalId ?? '' });
      assert.ok(!this.people.has(key), 'nobody is made twice');
      this.people.set(key, person);
    }
    for (const id of changed.handles) this.handles.set(id, handles.get(id) as Handle);
    for (const key of changed.references)
      this.references.set(key, references.get(key) as Reference);
  }

  run(commands: readonly Command[], maker: Maker): FoldedIdentifies {
    const [people, identities] = this.load(commands);
    const folded = foldIdentifies(people, identities, commands, maker);
    this.save(folded, identities);
    return folded;
  }
}

const person = fc.constantFrom<ParticipantRef>(
  { kind: 'individual', externalId: 'a' },
  { kind: 'individual', externalId: 'b' },
  { kind: 'group', externalId: 'a' },
  ERASED,
);
const handle = fc.constantFrom('h1', 'h2', 'h3', 'nothing');
const key = fc.constantFrom('k1', 'k2', 'k3');
const command = fc.oneof(
  fc.record({ shape: fc.constant('handle_person' as const), handle, person }),
  fc.record({
    shape: fc.constant('handle_key' as const),
    handle,
    key,
    expiresAt: fc.constantFrom(null, NOW),
  }),
  fc.record({ shape: fc.constant('key_person' as const), key, person }),
);

test('a batch of N leaves exactly what N batches of one leave, however it is split', () => {
  fc.assert(
    fc.property(
      fc.array(command, { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 20, maxLength: 20 }),
      (commands, sizes) => {
        const together = new Rows(['h1', 'h2', 'h3']);
        const batch = together.run(commands, countingMaker());

        const apart = new Rows(['h1', 'h2', 'h3']);
        const maker = countingMaker();
        const parts: FoldedIdentifies[] = [];
        for (let at = 0; at < commands.length; ) {
          const size = sizes[parts.length] as number;
          parts.push(apart.run(commands.slice(at, at + size), maker));
          at += size;
        }

        assert.deepEqual(
          batch.outcomes,
          parts.flatMap(({ outcomes }) => outcomes),
        );
        assert.deepEqual(
          batch.created,
          parts.flatMap(({ created }) => created),
        );
        assert.deepEqual(together, apart);
      },
    ),
    { numRuns: rounds(500, 2_000) },
  );
});

const ada: ParticipantRef = { kind: 'individual', externalId: 'a' };

test('a refused command makes nobody (D-PART-2); the next one that is taken does', () => {
  const { outcomes, created } = new Rows(['h1']).run(
    [
      { shape: 'handle_person', handle: 'nothing', person: ada },
      { shape: 'key_person', key: 'k1', person: ada },
      { shape: 'handle_person', handle: 'h1', person: ada },
      { shape: 'handle_person', handle: 'h1', person: { kind: 'group', externalId: 'a' } },
      { shape: 'handle_person', handle: 'h1', person: ada },
    ],
    countingMaker(),
  );
  expect(outcomes.map((one) => ('refused' in one ? one.refused : 'taken'))).toEqual([
    'not_a_handle',
    'unknown_reference',
    'taken',
    'handle_already_identified',
    'taken',
  ]);
  expect(created).toMatchObject([{ kind: 'individual', externalId: 'a' }]);
});

test('somebody who was erased is not made again, and gets no handle', () => {
  const rows = new Rows(['h1']);
  const { outcomes, created } = rows.run(
    [{ shape: 'handle_person', handle: 'h1', person: ERASED }],
    countingMaker(),
  );
  expect(outcomes).toEqual([{ refused: 'participant_deleted' }]);
  expect(created).toEqual([]);
  expect(rows.handles.get('h1')?.identifiedAt).toBeNull();
});
