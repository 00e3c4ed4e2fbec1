/** Runs up to this many at once in this process and refuses more instead of queueing them. */
export function atMost(
  count: number,
  refusal: () => Error,
): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  return async (work) => {
    if (running >= count) throw refusal();
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
    }
  };
}
