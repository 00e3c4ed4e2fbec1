/** The first to come: what is waited for, or the end of the time, which is a failure. */
export function within<T>(ms: number, work: T | Promise<T>): Promise<T> {
  return Promise.race([work, new Promise<never>((_, reject) => setTimeout(reject, ms))]);
}
