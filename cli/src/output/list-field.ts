import { contentOf, type Operation } from '../calls/document.ts';

const FIELDS = ['data', 'events', 'endpoints'];

/**
 * The field of an answer that contains the rows of a list; null if the answer is a single object.
 */
export function listFieldOf(operation: Operation): string | null {
  const schema = contentOf(operation)['application/json']?.schema;
  const found = Object.entries(schema?.properties ?? {}).find(
    ([name, { type }]) => type === 'array' && FIELDS.includes(name),
  );
  return found?.[0] ?? null;
}
