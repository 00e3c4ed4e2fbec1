let isForced = false;

/** Whether the browser may ask before it leaves the page. */
export const mayAsk = (): boolean => !isForced;

/** Loads the page again at once, whatever was typed there. */
export function reloadAtOnce(): void {
  isForced = true;
  window.location.reload();
}
