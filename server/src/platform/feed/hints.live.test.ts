import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/database.ts';
import { newHead, noteHandler, readNotes, requestFor } from '../../../test/write-notes.ts';
import { createFeedHints, type FeedHint, packPayloads, unpackPayload } from './hints.ts';
import { createProjectWriter } from './writer/writer.ts';

test('whoever subscribes in the same process hears of a commit once it can be read, and not of what was refused', async () => {
  const database = await openTestDatabase();
  const hints = createFeedHints(database);
  const writer = createProjectWriter({
    database,
    clock: { nowMs: () => 0 },
    newId: (prefix) => `${prefix}_${Math.random()}`,
    queueMax: 10,
    fanOut: async (_, entries) => entries.length,
    onAppend: hints.notify,
  });
  await newHead(database, 'prj_a');
  const heard: FeedHint[] = [];
  const read: Promise<number>[] = [];
  const leave = hints.subscribe((hint) => {
    // The other process's connection starts with its own null.
    if (hint === null) return;
    heard.push(hint);
    read.push(readNotes(database, hint.projectId).then((notes) => notes.length));
  });
  const write = (fault?: 'refused') =>
    writer
      .submit(noteHandler, requestFor('prj_a'), { text: 'x', ...(fault ? { fault } : {}) })
      .catch(() => undefined);
  await write();
  await write('refused');
  await write();
  leave();
  await write();
  const told = { projectId: 'prj_a', hasDeliveries: true };
  expect(heard).toEqual([told, told]);
  expect(await read[0]).toBeGreaterThanOrEqual(1);
  expect(await read[1]).toBeGreaterThanOrEqual(2);
  await hints.close();
  await database.close();
});

test('payloads hold every Project once, and each is short enough for PostgreSQL', () => {
  const ids = fc.uniqueArray(fc.string({ unit: 'grapheme-ascii', maxLength: 128 }).map(toId), {
    maxLength: 600,
    size: 'max',
  });
  fc.assert(
    fc.property(ids, fc.nat(), (projectIds, seed) => {
      const hints = projectIds.map((projectId, n) => ({
        projectId,
        hasDeliveries: (seed + n) % 3 === 0,
      }));
      const payloads = packPayloads(
        'sender',
        new Map(hints.map(({ projectId, hasDeliveries }) => [projectId, hasDeliveries])),
      );
      const unpacked = payloads.map(unpackPayload);
      expect(unpacked.flatMap((one) => one.hints)).toEqual(hints);
      expect(new Set(unpacked.map(({ sender }) => sender))).toEqual(new Set(['sender']));
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
      const bytes = projectIds.join('  ').length;
      expect(payloads.length).toBeLessThanOrEqual(1 + Math.ceil(bytes / 7_700));
    }),
  );
});

const toId = (text: string) => `prj_${text.replaceAll(/[ +]/g, '_')}`;
