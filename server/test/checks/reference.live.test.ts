import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { sampleData } from '../../src/outbound/webhooks/sample-data.ts';
import { ALL_SETTINGS } from '../../src/platform/config/settings.ts';
import { EVENT_TYPES } from '../../src/platform/feed/writer/project-write.ts';
import { CONFLICT_REASONS, STATUS_BY_CODE } from '../../src/platform/kit/errors.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { describeReference } from '../../src/programs/openapi/describe-offline.ts';
import { EVENT_DATA } from '../../src/surfaces/views/event-data.ts';
import { closeObjects } from '../harness.ts';

const FOLDER = fileURLToPath(new URL('../../../docs/reference', import.meta.url));
const pages = describeReference();

test('the committed pages of docs/reference are what the code says (npm run openapi writes them)', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(pages).toSorted());
  for (const [name, text] of Object.entries(pages)) {
    expect(readFileSync(join(FOLDER, name), 'utf8'), name).toBe(text);
  }
});

test('nothing is left out: every event, code, conflict and setting has its line', () => {
  const missing = (page: string, names: readonly string[]) =>
    names.filter((name) => !pages[page]?.includes(`\`${name}\``));
  expect(missing('events.md', EVENT_TYPES)).toEqual([]);
  expect(missing('errors.md', Object.keys(STATUS_BY_CODE))).toEqual([]);
  expect(missing('errors.md', CONFLICT_REASONS)).toEqual([]);
  expect(missing('settings.md', Object.keys(ALL_SETTINGS))).toEqual([]);
});

test('the sample of each event has exactly the fields that its schema says', () => {
  const frame = {
    projectId: 'prj_x',
    now: '2026-11-15T09:30:00.000Z',
    newId: makeNewId(() => 0),
  };
  for (const type of EVENT_TYPES) {
    const schema = Compile(closeObjects(EVENT_DATA[type]));
    expect([type, schema.Errors(sampleData(type, frame))]).toEqual([type, []]);
  }
});
