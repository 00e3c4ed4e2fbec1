import { expect, test } from 'vitest';
import { firstAnswer } from './check-fact.ts';
import { sourceKey } from './fact-keys.ts';

const REF = { sourceNamespaceId: 'src', sourceEventId: 'order' };
const answerTo = (stored: string, sent: string) => {
  const known = { factsHash: stored, answer: { success: true } };
  return firstAnswer({ keys: new Map([[sourceKey(REF), known]]) }, { ...REF, factsHash: sent });
};
const refusal = (message: RegExp) => ({
  refused: { reason: 'event_facts_differ', message: expect.stringMatching(message) },
});

test('a fact whose id came before gets the first answer, or hears why not', () => {
  expect(answerTo('a', 'a')).toEqual({ answer: { success: true } });
  expect(answerTo('a', 'b')).toMatchObject(refusal(/came before, with other facts\. /));
  expect(answerTo('', 'a')).toMatchObject(refusal(/about a participant who was erased; /));
});
