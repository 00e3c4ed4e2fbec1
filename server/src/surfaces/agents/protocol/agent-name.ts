const PART_MAX = 64;
const UNKNOWN = 'unknown';

/** How a program introduced itself. It is only a label: nothing is allowed or refused because of it. */
export interface AgentName {
  readonly name: string;
  readonly version: string;
}

/**
 * The session id that repeats the agent's name with every call, so that each process knows it
 * without storing sessions.
 */
export function toSessionId({ name, version }: AgentName): string {
  return Buffer.from(JSON.stringify([clean(name), clean(version)])).toString('base64url');
}

/** Undefined for a session id that `toSessionId` did not make. */
export function readSessionId(sessionId: string): AgentName | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(sessionId, 'base64url').toString('utf8'));
    if (!Array.isArray(parts) || parts.length !== 2) return undefined;
    const [name, version] = parts;
    if (typeof name !== 'string' || typeof version !== 'string') return undefined;
    return toSessionId({ name, version }) === sessionId ? { name, version } : undefined;
  } catch {
    return undefined;
  }
}

/** For a client without a session: the first product of its User-Agent. */
export function readUserAgent(header: string | undefined): AgentName {
  const [, name, version = ''] = /^([^\s/()]+)(?:\/([^\s()]+))?/.exec(header ?? '') ?? [];
  return { name: clean(name ?? UNKNOWN), version: clean(version) };
}

/** As the audit log shows it. */
export function showAgent({ name, version }: AgentName): string {
  return version === '' ? name : `${name} ${version}`;
}

/** One visible line: it is stored and shown. */
function clean(text: string): string {
  const visible = text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return Array.from(visible).slice(0, PART_MAX).join('').trim();
}
