import { expect, test } from 'vitest';
import { layRecord, layTable } from './layout.ts';

const rows = [
  ['ws_10', 'A', '5'],
  ['ws_2', 'Acme', '1200'],
];

test('values and cells stand under each other, without blanks at the ends of lines', () => {
  expect(
    layRecord([
      ['Id', 'ws_1'],
      ['Project key', 'k7'],
    ]),
  ).toBe('Id           ws_1\nProject key  k7\n');
  const sheet = { width: null, hasColour: false, isNumber: [false, false, true] };
  expect(layTable(['ID', 'NAME', 'COUNT'], rows, 'None.', sheet)).toBe(
    'ID     NAME  COUNT\nws_10  A         5\nws_2   Acme   1200\n',
  );
  expect(layTable(['ID'], [], 'None.')).toBe('None.\n');
});

test('lines end where the terminal does', () => {
  const narrow = { width: 10, hasColour: false };
  expect(layTable(['ID', 'NAME', 'COUNT'], rows, '', narrow)).toBe(
    'ID     NA…\nws_10  A …\nws_2   Ac…\n',
  );
});

test('only the titles have colour, and only where there is any', () => {
  const coloured = layTable(['ID'], [['x']], '', { width: null, hasColour: true });
  expect(coloured).toBe('\u001b[1mID\u001b[0m\nx\n');
});

test('what others have named cannot steer the terminal', () => {
  expect(layTable(['NAME'], [['\u001b[2Jbad\nname\u202e']], '')).toBe('NAME\n�[2Jbad�name�\n');
});
