import type { Queryable } from '../../platform/db/driver.ts';
import type { Role } from '../../platform/http/access/permissions.ts';
import { findMember, listMembers } from './store.ts';

export interface TeamMember {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

const TEAM_MAX = 500;

/** The members of a Workspace, at most five hundred. */
export async function findTeam(db: Queryable, workspaceId: string): Promise<TeamMember[]> {
  return listMembers(db, workspaceId, { limit: TEAM_MAX - 1, beforeId: null });
}

/** Undefined for somebody who is not a member. */
export function findTeamMember(
  db: Queryable,
  workspaceId: string,
  userId: string,
): Promise<TeamMember | undefined> {
  return findMember(db, workspaceId, userId);
}
