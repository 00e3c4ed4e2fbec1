import { listBreaches, STORED_RULES } from '../stores/rule-store.ts';
import type { Look } from './look.ts';

/** Counts and flags agree with the rows they speak of, and rows that stand for one fact with each other. */
export async function checkRules(look: Look): Promise<void> {
  for (const [index, rule] of STORED_RULES.entries()) {
    look.report(await listBreaches(look.tx, look.projectId, rule));
    look.progress('counts and flags', index + 1, STORED_RULES.length);
  }
}
