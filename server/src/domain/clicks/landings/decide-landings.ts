import { addMs, type Instant, laterOf } from '../../../platform/kit/instant.ts';
import { SAME_TOUCH_MS } from '../handle.ts';
import type { Click } from '../links/click-token.ts';
import type { Target } from '../queries.ts';
import type { Visit } from '../read-visit.ts';
import type { ClickAnswer, Touch } from '../schema.ts';

/** A browser that landed on a page through a link or a code that counts. */
export interface Landing extends Visit {
  readonly projectId: string;
  readonly now: Instant;
  /** How long the browser keeps its handle from now on. */
  readonly lifeMs: number;
  /** The token of the followed link, if it is valid and its target counts. */
  readonly click: (Click & { readonly target: Target }) | null;
  /** The target of the code in the address, if it counts. */
  readonly named: Target | null;
  /** The browser's own handle. */
  readonly handle: string | null;
  readonly networkHash: string | null;
}

/** What the store knows about the landings of a Project, while it holds the locks of their handles. */
export interface Known {
  /** Ids of tokens that were not spent before. */
  readonly unspent: ReadonlySet<string>;
  /** When the handles expire that are not identified. */
  readonly open: ReadonlyMap<string, Instant>;
  /** When each handle last touched each code, by `touchKey`. */
  readonly touched: ReadonlyMap<string, Instant>;
}

export interface NewHandle {
  readonly id: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export interface HandleExtension {
  readonly id: string;
  readonly expiresAt: Instant;
}

/** A touch of a browser; its handle identifies the person. */
export interface NewTouch
  extends Omit<
    Touch,
    | 'projectId'
    | 'createdAt'
    | 'updatedAt'
    | 'handleId'
    | 'identifiedParticipantId'
    | 'identifiedAt'
  > {
  readonly handleId: string;
  readonly networkHash: string | null;
}

export interface Decided {
  /** In the order of the landings. */
  readonly answers: readonly ClickAnswer[];
  readonly handles: readonly NewHandle[];
  readonly extensions: readonly HandleExtension[];
  readonly touches: readonly NewTouch[];
}

export const NOTHING: ClickAnswer = { handle: null, expiresAt: null, maxAgeSeconds: null };

export function touchKey(handleId: string, refCodeId: string): string {
  return `${handleId} ${refCodeId}`;
}

/** What landings of one Project lead to, as if one came after the other. */
export function decideLandings(
  landings: readonly Landing[],
  known: Known,
  make: { handle(): string; touchId(): string },
): Decided {
  const unspent = new Set(known.unspent);
  const touched = new Map(known.touched);
  const extended = new Map<string, Instant>();
  const handles: NewHandle[] = [];
  const touches: NewTouch[] = [];

  const decide = (landing: Landing): ClickAnswer => {
    const { now, lifeMs, click, named } = landing;
    const isFollowed = click !== null && unspent.delete(click.id);
    const target = isFollowed ? click.target : named;
    if (!target) return NOTHING;
    const expiresAt = addMs(now, lifeMs);
    const own = ownHandle(landing, known.open);
    const handle = own ?? make.handle();
    if (own === null) handles.push({ id: handle, createdAt: now, expiresAt });
    else extended.set(own, laterOf(expiresAt, extended.get(own) ?? expiresAt));
    const key = touchKey(handle, target.refCodeId);
    const before = touched.get(key);
    if (before === undefined || before <= addMs(now, -SAME_TOUCH_MS)) {
      touched.set(key, now);
      touches.push({
        id: make.touchId(),
        programId: target.programId,
        handleId: handle,
        refCodeId: target.refCodeId,
        linkId: target.linkId,
        referrerParticipantId: target.referrerParticipantId,
        source: isFollowed ? 'link' : 'landing_param',
        occurredAt: now,
        expiresAt,
        landingUrl: landing.landingUrl,
        referrerOrigin: landing.referrerOrigin,
        utm: landing.utm,
        networkHash: landing.networkHash,
      });
    }
    return { handle, expiresAt, maxAgeSeconds: lifeMs / 1_000 };
  };

  const answers = landings.map(decide);
  const extensions = [...extended].map(([id, expiresAt]) => ({ id, expiresAt }));
  return { answers, handles, extensions, touches };
}

/** Earlier touches do not matter to any of these landings. */
export function earliestTouch(landings: readonly Landing[]): Instant {
  const times = landings.map(({ now }) => now).toSorted();
  return addMs(times[0] as Instant, -SAME_TOUCH_MS);
}

/** The browser's own handle, if it is not identified and has not expired. */
function ownHandle({ handle, now }: Landing, open: Known['open']): string | null {
  const expiresAt = handle === null ? undefined : open.get(handle);
  return expiresAt !== undefined && expiresAt > now ? handle : null;
}
