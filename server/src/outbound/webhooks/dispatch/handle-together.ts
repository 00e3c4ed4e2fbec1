/**
 * Handles items together once the event loop has read everything that has arrived, each step of the work for
 * all of them before the next step. One by one, a delivery took the worker half as much again.
 */
export function handleTogether<T>(handle: (items: readonly T[]) => void): (item: T) => void {
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
