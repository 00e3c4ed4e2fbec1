import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

const committed = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');

const problemsOf = async (source: string) => {
  const config = await createConfig({ extends: ['spec'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`);
};

test('openapi.json is valid OpenAPI 3.1', async () => {
  expect(await problemsOf(committed)).toEqual([]);
  const { info, ...rest } = JSON.parse(committed);
  expect(await problemsOf(JSON.stringify(rest))).toHaveLength(1);
});
