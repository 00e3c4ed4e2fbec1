import { expect, test } from 'vitest';
import { ApiError, adviceOn, subjectOf } from './errors.ts';

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

test('who mistyped a code or password is told to try again, not to sign in again', () => {
  const advise = (code: string) => adviceOn(new ApiError('Refused', { status: 401, code }));
  expect(advise('INVALID_CODE')).toMatch(/^Enter the code that the app shows now/);
  expect(advise('INVALID_EMAIL_OR_PASSWORD')).toBe('Check both and try again.');
  expect(advise('INVALID_BACKUP_CODE')).toMatch(/try another/);
  expect(advise('UNAUTHENTICATED')).toBe('Sign in again.');
});
