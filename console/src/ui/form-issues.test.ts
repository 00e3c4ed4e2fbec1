import { describe, expect, test } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { readIssues } from './form-issues.ts';

const refusal = (details: unknown) =>
  new ApiError('Invalid request.', { status: 400, code: 'INVALID_REQUEST', details });

describe('what the service refuses', () => {
  test('stands beside the field that it names, entries of lists too', () => {
    const error = refusal([
      { path: 'url', issue: 'must be https' },
      { path: 'eventTypes.2', issue: 'is unknown' },
    ]);
    const issues = readIssues(error, ['url', 'eventTypes']);
    expect(issues.of('url')).toBe('must be https');
    expect(issues.of('eventTypes')).toBe('is unknown');
    expect(issues.rest).toBeNull();
  });

  test('is shown as a whole when the form has no such field, or no field is named', () => {
    const other = refusal([{ path: 'urls', issue: 'is unknown' }]);
    expect(readIssues(other, ['url'])).toMatchObject({ rest: other });
    expect(readIssues(other, ['url']).of('url')).toBeUndefined();
    const conflict = refusal(null);
    expect(readIssues(conflict, ['url']).rest).toBe(conflict);
  });

  test('is nothing before anything was refused', () => {
    expect(readIssues(null, ['url']).rest).toBeNull();
  });

  test('is said once: what stands beside a field is not repeated in the banner', () => {
    const error = refusal([
      { path: 'url', issue: 'must be https' },
      { path: 'apiVersion', issue: 'is unknown' },
    ]);
    const issues = readIssues(error, ['url']);
    expect(issues.of('url')).toBe('must be https');
    expect(issues.rest).toBeInstanceOf(ApiError);
    expect((issues.rest as ApiError).issues).toEqual([{ path: 'apiVersion', issue: 'is unknown' }]);
  });

  test('of one field all is said, the first once', () => {
    const error = refusal([
      { path: 'url', issue: 'must be https' },
      { path: 'url', issue: 'must be https' },
      { path: 'url.host', issue: 'is private' },
    ]);
    expect(readIssues(error, ['url']).of('url')).toBe('must be https; is private');
  });
});
