import { DAY_MS, MINUTE_MS } from '../../platform/kit/instant.ts';

const HANDLE = /^hdl_[0-9a-z]{26}$/;

/** Whether a text has the format of a handle. */
export function isHandle(text: string): boolean {
  return HANDLE.test(text);
}

/** Minimum time that a browser keeps its handle after its last click. */
export const HANDLE_MS = 90 * DAY_MS;
/** Browsers limit cookies to this lifetime. */
export const HANDLE_MAX_MS = 400 * DAY_MS;

/** How long a browser keeps its handle after a click, if the longest attribution window is `windowDays`. */
export function handleMs(windowDays: number): number {
  return Math.min(Math.max(windowDays * DAY_MS, HANDLE_MS), HANDLE_MAX_MS);
}

/** Clicks of one handle on one code within this time are one touch. */
export const SAME_TOUCH_MS = 60 * MINUTE_MS;
/** Lifetime from following a link to the landing page's call, in real time. */
export const CLICK_TOKEN_MS = 10 * MINUTE_MS;
/** How long a handle can still be identified after it expired. */
export const ENDED_HANDLE_MS = 30 * DAY_MS;
export const NETWORK_HASH_MS = 30 * DAY_MS;
