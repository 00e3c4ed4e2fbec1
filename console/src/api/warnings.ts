/** The warnings in a successful response: sentences to show. */
export function readWarnings(answer: unknown): string[] {
  const list = (answer as { warnings?: unknown } | null | undefined)?.warnings;
  return Array.isArray(list) ? list.map(sentenceOf) : [];
}

function sentenceOf(warning: unknown): string {
  if (typeof warning === 'string') return warning;
  const { message, code } = (warning ?? {}) as { message?: unknown; code?: unknown };
  return String(message ?? code ?? 'The service returned a warning without a text.');
}
