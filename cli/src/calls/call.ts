import type { Command } from '../commands/command.ts';
import type { Flag } from '../flag.ts';
import type { GraveIf } from '../names.ts';
import type { Operation } from './document.ts';

/** The data that a command needs for its call. */
export interface Call {
  /** The name of the operation, such as `GET /v1/rewards/{rewardId}`. */
  readonly route: string;
  readonly operation: Operation;
  readonly flags: readonly Flag[];
  readonly hasBody: boolean;
  /** An API key is sufficient. */
  readonly takesKey: boolean;
  readonly answers: Command['answers'];
  readonly isGrave: boolean;
  readonly graveIf: GraveIf;
}

/** Looked up if they are left out. */
export const FOUND = new Set(['project', 'workspace']);
