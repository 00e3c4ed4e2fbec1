import { mayManage, type Role } from '../../../platform/http/access/permissions.ts';
import { type Principal, roleIn } from '../../../platform/http/access/principal.ts';
import { AppError } from '../../../platform/kit/errors.ts';

/** Fails with FORBIDDEN for a caller who may not invite, change or remove somebody of that role. */
export function assertManages(principal: Principal, workspaceId: string, other: Role): void {
  if (principal.type === 'operator') return;
  const role = principal.type === 'user' ? roleIn(principal, workspaceId) : undefined;
  if (role !== undefined && mayManage(role, other)) return;
  throw new AppError('FORBIDDEN', `Only owners may do this with the role ${other}.`);
}
