import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS, toInstant } from '../../../platform/kit/instant.ts';
import { FIRST_USES, UsageLog } from './usage-log.ts';

const START_MS = Date.parse('2026-11-15T09:30:00.000Z');

function startLog() {
  const clock = { ms: START_MS, nowMs: () => clock.ms };
  return { clock, log: new UsageLog(clock) };
}

test('a key’s last use is recorded at once, and then at most once an hour', () => {
  const { clock, log } = startLog();
  log.noteKey('key_1');
  expect([...log.take().keys]).toEqual([['key_1', toInstant(START_MS)]]);
  clock.ms += HOUR_MS - 1;
  log.noteKey('key_1');
  log.noteKey('key_2');
  expect([...log.take().keys.keys()]).toEqual(['key_2']);
  clock.ms += 1;
  log.noteKey('key_1');
  expect([...log.take().keys]).toEqual([['key_1', toInstant(START_MS + HOUR_MS)]]);
});

test('a first use is recorded once for each Project, with its time', () => {
  const { clock, log } = startLog();
  log.noteFirst('prj_1', 'widget');
  clock.ms += 5;
  log.noteFirst('prj_1', 'widget');
  log.noteFirst('prj_1', 'api_key');
  log.noteFirst('prj_2', 'widget');
  expect(log.take().projects).toEqual(
    new Map([
      ['prj_1', { widget: toInstant(START_MS), api_key: toInstant(START_MS + 5) }],
      ['prj_2', { widget: toInstant(START_MS + 5) }],
    ]),
  );
  log.noteFirst('prj_1', 'widget');
  expect(log.take().projects.size).toBe(0);
  expect(log.usesOf('prj_1')).toEqual(['api_key', 'widget']);
  expect(log.usesOf('prj_3')).toEqual([]);
});

test('what could not be saved is saved later, with what was noted meanwhile', () => {
  const { clock, log } = startLog();
  log.noteKey('key_1');
  log.noteFirst('prj_1', 'widget');
  const failed = log.take();
  clock.ms += HOUR_MS;
  log.noteKey('key_1');
  log.noteFirst('prj_1', 'api_key');
  log.giveBack(failed);
  const { keys, projects } = log.take();
  expect([...keys]).toEqual([['key_1', toInstant(START_MS + HOUR_MS)]]);
  expect(projects.get('prj_1')).toEqual({
    widget: toInstant(START_MS),
    api_key: toInstant(START_MS + HOUR_MS),
  });
});

test('whatever is noted, taken and given back, each use is saved exactly once', () => {
  const note = fc.record({
    projectId: fc.constantFrom('prj_1', 'prj_2'),
    use: fc.constantFrom(...FIRST_USES),
    next: fc.constantFrom('save', 'fail', 'wait'),
  });
  fc.assert(
    fc.property(fc.array(note, { maxLength: 30 }), (notes) => {
      const { log } = startLog();
      const saved: string[] = [];
      const save = () => {
        for (const [id, uses] of log.take().projects) {
          saved.push(...Object.keys(uses).map((use) => `${id} ${use}`));
        }
      };
      for (const { projectId, use, next } of notes) {
        log.noteFirst(projectId, use);
        if (next === 'save') save();
        if (next === 'fail') log.giveBack(log.take());
      }
      save();
      const noted = new Set(notes.map(({ projectId, use }) => `${projectId} ${use}`));
      expect(saved.toSorted()).toEqual([...noted].toSorted());
    }),
  );
});

test('what it remembers is limited', () => {
  const { log } = startLog();
  for (let n = 0; n <= 20_000; n += 1) log.noteFirst(`prj_${n}`, 'widget');
  expect(log.usesOf('prj_0')).toEqual([]);
  expect(log.usesOf('prj_20000')).toEqual(['widget']);
  expect(log.take().projects.size).toBe(20_001);
});
