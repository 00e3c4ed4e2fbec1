import { hasRow } from '../../platform/db/statements.ts';

export const hasMailTo = hasRow<[projectId: string, recipientId: string]>(
  'select 1 from mails where project_id = $1 and recipient_id = $2 limit 1',
);
