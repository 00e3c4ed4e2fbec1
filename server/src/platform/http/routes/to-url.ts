/** A route's path as Fastify writes it. */
export function toUrl(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
