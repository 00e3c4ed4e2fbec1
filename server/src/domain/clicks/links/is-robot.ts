import { isbot } from 'isbot';

/** Whether a visit declares itself as automated. Browsers always send a user agent. */
export function isRobot(userAgent: string | undefined): boolean {
  return userAgent === undefined || userAgent.trim() === '' || isbot(userAgent);
}
