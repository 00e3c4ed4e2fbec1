import { fetch } from './natives.ts';

/**
 * A file of the service: that of exactly this version, or if another version of the service answers, its
 * current one. Null if neither could be loaded.
 */
export async function loadFile<T>(
  serviceUrl: string,
  pinned: string | undefined,
  current: string,
  signal: AbortSignal,
): Promise<T | null> {
  for (const file of [pinned, current]) {
    try {
      const answer = await fetch(`${serviceUrl}widget/${file}`, { credentials: 'omit', signal });
      if (answer.ok) return await answer.json();
    } catch {
      // The other file may still load.
    }
  }
  return null;
}
