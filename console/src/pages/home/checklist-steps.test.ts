import { expect, test } from 'vitest';
import { codeOf, STEPS, type StepName } from './checklist-steps.ts';

const FACTS = {
  baseUrl: 'https://refer.example.com',
  projectId: 'prj_1',
  projectKey: 'k7m2p9xw4c',
  programId: null,
  sourceNamespaceId: 'src_1',
};

test('every snippet that a step names is there, with the names of the project', () => {
  for (const [step, { snippets }] of Object.entries(STEPS)) {
    const code = codeOf(step as StepName, FACTS);
    expect([step, code.length]).toEqual([step, snippets?.length ?? 0]);
  }
  expect(codeOf('landing_script', FACTS)[0]?.code).toContain('data-project="k7m2p9xw4c"');
  expect(codeOf('first_event', FACTS)[0]?.code).toContain('"sourceNamespaceId": "src_1"');
});

test('the first call needs a key and the project, and changes nothing', () => {
  expect(codeOf('api_key', FACTS)).toEqual([
    {
      label: 'a first call',
      code: `curl -s 'https://refer.example.com/v1/programs?projectId=prj_1' \\
  -H "X-Api-Key: $GOODWORD_KEY"`,
    },
  ]);
});
