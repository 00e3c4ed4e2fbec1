import { expect, test } from 'vitest';
import { layRecord, layTable } from './layout.ts';

test('values and cells stand under each other, without blanks at the ends of lines', () => {
  expect(
    layRecord([
      ['Id', 'ws_1'],
      ['Project key', 'k7'],
    ]),
  ).toBe('Id           ws_1\nProject key  k7\n');
  expect(
    layTable(
      ['ID', 'NAME'],
      [
        ['ws_10', 'A'],
        ['ws_2', 'Acme'],
      ],
      'None.',
    ),
  ).toBe('ID     NAME\nws_10  A\nws_2   Acme\n');
  expect(layTable(['ID'], [], 'None.')).toBe('None.\n');
});

test('what others have named cannot steer the terminal', () => {
  expect(layTable(['NAME'], [['\u001b[2Jbad\nname\u202e']], '')).toBe('NAME\n�[2Jbad�name�\n');
});
