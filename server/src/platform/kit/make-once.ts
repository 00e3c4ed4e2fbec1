/** So many texts are kept: those of all rules and currencies of a busy service. */
const KEPT_MAX = 20_000;

/**
 * Makes the text of a key once, and returns the same one after that. A text that was just joined is hashed anew wherever it
 * is the key of a map.
 */
export function makeOnce(make: (key: string) => string): (key: string) => string {
  const known = new Map<string, string>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= KEPT_MAX) known.clear();
    const text = make(key);
    known.set(key, text);
    return text;
  };
}
