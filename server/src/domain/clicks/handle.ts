import { DAY_MS, MINUTE_MS } from '../../platform/kit/instant.ts';

const HANDLE = /^hdl_[0-9a-z]{26}$/;

/** Whether a text has the form of a handle; any other names no browser. */
export function isHandle(text: string): boolean {
  return HANDLE.test(text);
}

/** A browser keeps its handle at least this long after its last click. */
export const HANDLE_MS = 90 * DAY_MS;
/** Browsers keep no cookie longer. */
export const HANDLE_MAX_MS = 400 * DAY_MS;

/** How long a browser keeps its handle after a click, where the longest window is `windowDays`. */
export function handleMs(windowDays: number): number {
  return Math.min(Math.max(windowDays * DAY_MS, HANDLE_MS), HANDLE_MAX_MS);
}

/** Clicks of one handle on one code within this time are one touch. */
export const SAME_TOUCH_MS = 60 * MINUTE_MS;
/** From following a link to the landing page's call, by the real time. */
export const CLICK_TOKEN_MS = 10 * MINUTE_MS;
/** How long after its end a handle can still be identified. */
export const ENDED_HANDLE_MS = 30 * DAY_MS;
export const NETWORK_HASH_MS = 30 * DAY_MS;
