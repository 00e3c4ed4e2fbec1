import { expect, test } from 'vitest';
import { makeSnippets, signupCall } from './snippets.ts';

const facts = {
  baseUrl: 'https://refer.example.com',
  projectId: 'prj_1',
  projectKey: 'k7m2p9xw4c',
  programId: 'prg_1',
  sourceNamespaceId: 'src_1',
};
const codeOf = (key: string, given = facts) =>
  makeSnippets(given).find((one) => one.key === key)?.code ?? '';

test('snippets have the project’s own names and the service’s own address', () => {
  expect(codeOf('landing')).toBe(
    '<script async src="https://refer.example.com/landing/v1.js" data-project="k7m2p9xw4c"></script>',
  );
  expect(codeOf('widget')).toContain("programId: 'prg_1'");
  expect(codeOf('token')).toContain(".setIssuer('prj_1')");
});

test('what curl sends is the very body that the API takes', () => {
  for (const key of ['signup', 'purchase']) {
    const body = /-d '([^']*)'$/.exec(codeOf(key))?.[1] ?? '';
    expect(JSON.parse(body)).toMatchObject({
      projectId: 'prj_1',
      sourceNamespaceId: 'src_1',
      type: key,
    });
  }
});

test('a signup can be tried with the code of a link, by somebody else than its owner', () => {
  const body = /-d '([^']*)'$/.exec(signupCall(facts, 'ada'))?.[1] ?? '';
  expect(JSON.parse(body)).toEqual({
    projectId: 'prj_1',
    sourceNamespaceId: 'src_1',
    type: 'signup',
    participant: { kind: 'individual', externalId: 'friend-1' },
    refCode: 'ada',
  });
});

test('what is not there yet has a placeholder that shows its form', () => {
  const bare = { ...facts, programId: null, sourceNamespaceId: null };
  expect(makeSnippets(bare).find(({ key }) => key === 'widget')?.code).toContain("'prg_…'");
  expect(makeSnippets(bare).find(({ key }) => key === 'signup')?.code).toContain('"src_…"');
});
