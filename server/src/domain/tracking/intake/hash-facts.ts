import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/kit/canonical-json.ts';

/** By which a repeat is told from other facts under the same id. */
export function hashFacts(facts: object): string {
  return createHash('sha256').update(canonicalJson(facts)).digest('hex');
}
