import { expect, test } from 'vitest';
import { ApiError, subjectOf } from './errors.ts';

const refuse = (message: string) =>
  new ApiError(message, { status: 400, code: 'INVALID_REQUEST', details: [] });

test('an issue of a whole file has the subject of the message', () => {
  const error = refuse('Invalid request: the definition is not valid YAML in line 3.');
  const subject = subjectOf(error, { path: '', issue: 'is not valid YAML in line 3' });
  expect(subject).toBe('The definition');
});

test('an issue that the message does not repeat is about the request', () => {
  const error = refuse('Invalid request: the body must be an object (and 1 more).');
  expect(subjectOf(error, { path: '', issue: 'is too long' })).toBe('The request');
});
