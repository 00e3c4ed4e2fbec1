import { compileCheck } from '../../platform/http/routes/validate.ts';
import { AppError, type Issue } from '../../platform/kit/errors.ts';
import { ImportRow } from './schema.ts';

const check = compileCheck(ImportRow, 'body');

/** A valid row, or what is wrong with it. */
export function readRow(value: unknown): { row: ImportRow } | { issues: readonly Issue[] } {
  try {
    check(value);
  } catch (error) {
    return { issues: issuesOf(error) };
  }
  const row = value as ImportRow;
  if ((row.referredByExternalId ?? null) !== null && (row.referredByCode ?? null) !== null) {
    return { issues: [{ path: 'referredByCode', issue: 'goes not with referredByExternalId' }] };
  }
  return { row };
}

/** The field that a refusal concerns, if the refusal does not say. */
const PATHS: Readonly<Record<string, string>> = {
  billing_id_taken: 'billingId',
  code_taken: 'code',
  slug_taken: 'slug',
  participant_deleted: 'externalId',
};

/** Converts a refusal into issues of a row; rethrows any other error. */
export function issuesOf(error: unknown): Issue[] {
  if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
  if (error.details) return [...error.details];
  return [{ path: PATHS[error.reason ?? ''] ?? '', issue: error.message }];
}
