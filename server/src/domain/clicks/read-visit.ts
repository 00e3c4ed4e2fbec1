import { parseUrl } from '../../platform/kit/parse-url.ts';
import type { Utm } from './schema.ts';

const URL_CHARS_MAX = 2_048;
const UTM_CHARS_MAX = 255;

/** What is stored about the landing page and the referring page. */
export interface Visit {
  readonly landingUrl: string | null;
  readonly referrerOrigin: string | null;
  readonly utm: Utm;
}

/**
 * Queries and fragments often contain personal data, so only the named campaign fields are stored.
 * An unreadable address must not lose a click.
 */
export function readVisit(url: string | null, referrer: string | null): Visit {
  const page = parseWebAddress(url);
  const read = (name: string) => cleanText(page?.searchParams.get(`utm_${name}`) ?? '');
  return {
    landingUrl: page ? (page.origin + page.pathname).slice(0, URL_CHARS_MAX) : null,
    referrerOrigin: parseWebAddress(referrer)?.origin ?? null,
    utm: {
      source: read('source'),
      medium: read('medium'),
      campaign: read('campaign'),
      term: read('term'),
      content: read('content'),
    },
  };
}

function parseWebAddress(text: string | null): URL | undefined {
  const url = text === null ? undefined : parseUrl(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/** Removes control characters, which a percent-encoded value can contain; null when nothing is left. */
function cleanText(text: string): string | null {
  const shown = [...text.replace(/\p{Cc}/gu, '').trim()].slice(0, UTM_CHARS_MAX).join('');
  return shown === '' ? null : shown;
}
