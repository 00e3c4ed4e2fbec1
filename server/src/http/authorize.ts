import { AppError } from '../kit/errors.ts';
import type { Permission } from './permissions.ts';
import { isAllowed, type Principal } from './principal.ts';
import type { Access } from './route.ts';

/** Ends with FORBIDDEN for a credential that is good, but not for this. */
export function assertAllowed(access: Access, principal: Principal): void {
  if (access.by === 'operator' && principal.type !== 'operator') {
    throw new AppError('FORBIDDEN', 'Only the operator may do this, with the admin token.');
  }
  const missing = missingPermissions(access, principal);
  if (missing.length > 0) {
    throw new AppError('FORBIDDEN', `This key lacks the permission ${missing.join(' and ')}.`);
  }
}

export function missingPermissions(access: Access, principal: Principal): Permission[] {
  if (access.by !== 'key') return [];
  return access.permissions.filter((permission) => !isAllowed(principal, permission));
}
