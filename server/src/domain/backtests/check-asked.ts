import type { Issue } from '../../platform/kit/errors.ts';
import { type Instant, parseInstant } from '../../platform/kit/instant.ts';
import type { ProgramDefinition } from '../programs/definition/definition-schema.ts';
import type { CreateBacktest } from './schema.ts';

type Asked = Pick<CreateBacktest, 'from' | 'to' | 'prune'> & {
  readonly definition: ProgramDefinition | null;
};

/** The time of a back-test, and what cannot be meant. With issues, the time means nothing. */
export function checkAsked(
  { from: fromText, to: toText, definition, prune }: Asked,
  now: Instant,
): { readonly from: Instant; readonly to: Instant; readonly issues: Issue[] } {
  const issues: Issue[] = [];
  const [from, to] = [parseInstant(fromText), parseInstant(toText)];
  if (from === undefined) issues.push({ path: 'from', issue: 'must be a time' });
  if (to === undefined) issues.push({ path: 'to', issue: 'must be a time' });
  if (from !== undefined && to !== undefined && to <= from) {
    issues.push({ path: 'to', issue: 'must be after from' });
  }
  if (from !== undefined && from >= now) {
    issues.push({ path: 'from', issue: 'must be in the past' });
  }
  if (prune && definition === null) {
    issues.push({ path: 'prune', issue: 'needs a definition, which says which rules are left' });
  } else if (prune && !definition?.rules) {
    const issue = 'needs `rules` in the definition: without them, every rule would end';
    issues.push({ path: 'prune', issue });
  }
  return { from: from ?? now, to: to ?? now, issues };
}
