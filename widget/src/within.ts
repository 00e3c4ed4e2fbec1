/** Rejects if the work takes longer than this. */
export function within<T>(ms: number, work: T | Promise<T>): Promise<T> {
  return Promise.race([work, new Promise<never>((_, reject) => setTimeout(reject, ms))]);
}
