/**
 * Handles items together once the event loop has read everything that has arrived. Each step of the
 * work is then done for all of them before the next step, which keeps its code in the processor's
 * cache: one by one, signing alone takes several times as long.
 */
export function gather<T>(handle: (items: readonly T[]) => void): (item: T) => void {
  let items: T[] = [];
  const handleAll = () => {
    const all = items;
    items = [];
    handle(all);
  };
  return (item) => {
    items.push(item);
    if (items.length === 1) setImmediate(handleAll);
  };
}
