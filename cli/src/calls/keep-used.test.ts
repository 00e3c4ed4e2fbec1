import { expect, test } from 'vitest';
import { NAMES } from '../names.ts';
import { type Document, readDocument } from './document.ts';
import { operationCommand } from './operation-command.ts';

const { keepUsed } = await import(new URL('../../keep-used.mjs', import.meta.url).href);
const whole = readDocument();
const kept: Document = keepUsed(whole);

function describeCommands(document: Document) {
  return Object.entries(NAMES).map(([route, naming]) => {
    const [method = '', path = ''] = route.split(' ');
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`${route} is not in the document.`);
    const named = typeof naming === 'string' ? { words: naming } : naming;
    const { run: _, ...command } = operationCommand(document, route, operation, named);
    return command;
  });
}

test('the part of openapi.json that the build keeps gives the commands of the whole', () => {
  expect(describeCommands(kept)).toEqual(describeCommands(whole));
  expect(Object.keys(kept.webhooks)).toEqual(Object.keys(whole.webhooks));
});

test('it is less than half', () => {
  expect(JSON.stringify(kept).length).toBeLessThan(JSON.stringify(whole).length / 2);
});
