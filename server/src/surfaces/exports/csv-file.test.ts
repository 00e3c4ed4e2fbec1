import { expect, test } from 'vitest';
import { type Columns, openCsv, walkPages } from './csv-file.ts';

interface Row {
  readonly name: string | null;
  readonly amount: number;
}
const COLUMNS: Columns<Row> = { name: ({ name }) => name, amount: ({ amount }) => amount };

async function read(pages: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of pages) texts.push(text);
  return texts;
}

test('a head, then a line for each row, page by page; what is empty is empty', async () => {
  async function* pages() {
    yield [
      { name: 'Ada', amount: -250 },
      { name: null, amount: 0 },
    ];
    yield [{ name: '=1+1', amount: 7 }];
  }
  const file = await openCsv('people.csv', COLUMNS, pages());
  expect(file.fileName).toBe('people.csv');
  expect(await read(file.pages)).toEqual([
    '"name","amount"\r\n"Ada","-250"\r\n"","0"\r\n',
    `"'=1+1","7"\r\n`,
  ]);
});

test('of nothing there is the head', async () => {
  const none = walkPages<Row>(async () => ({ rows: [], next: null }));
  const file = await openCsv('x', COLUMNS, none);
  expect((await read(file.pages)).slice(0, 1)).toEqual(['"name","amount"\r\n']);
});

test('the first page is read at once, each other one only when it is asked for, and none after the end', async () => {
  const steps: string[] = [];
  async function* pages() {
    try {
      for (let n = 1; n <= 5; n += 1) {
        steps.push(`page ${n}`);
        yield [{ name: 'x', amount: n }];
      }
    } finally {
      steps.push('end');
    }
  }
  const file = await openCsv('x', COLUMNS, pages());
  expect(steps).toEqual(['page 1']);
  const reader = file.pages[Symbol.asyncIterator]();
  await reader.next();
  expect(steps).toEqual(['page 1']);
  await reader.next();
  expect(steps).toEqual(['page 1', 'page 2']);
  await reader.return?.();
  expect(steps).toEqual(['page 1', 'page 2', 'end']);
});

test('what is refused is refused before there is a file', async () => {
  const pages = walkPages<Row>(() => Promise.reject(new Error('no such list')));
  await expect(openCsv('x', COLUMNS, pages)).rejects.toThrow('no such list');
});

test('a list goes on by what each page tells, also past an empty one', async () => {
  const seen: (string | undefined)[] = [];
  const answers = [
    { rows: [1], next: 'a' },
    { rows: [], next: 'b' },
    { rows: [2], next: null },
  ];
  const walk = walkPages(async (cursor) => {
    seen.push(cursor);
    return answers[seen.length - 1] as (typeof answers)[number];
  });
  const rows: number[] = [];
  for await (const page of walk) rows.push(...page);
  expect([rows, seen]).toEqual([
    [1, 2],
    [undefined, 'a', 'b'],
  ]);
});
