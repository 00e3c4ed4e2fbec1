const HANDLE = /^hdl_[0-9a-z]{26}$/;

/** Whether a text has the form of a handle; any other names no browser. */
export function isHandle(text: string): boolean {
  return HANDLE.test(text);
}
