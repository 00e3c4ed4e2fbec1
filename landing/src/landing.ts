/**
 * Runs on a company's landing page. Reports a followed link to the service and saves the returned
 * handle in a cookie of the page's own origin; the company's backend sends it with a signup. It
 * runs on other people's pages: it has no dependencies, throws nothing, and does nothing on pages
 * that were not reached by a link.
 */

interface ServiceReferral {
  /** `true` starts it if consent is required; `false` deletes the cookie. */
  consent(granted: boolean): void;
}

declare global {
  interface Window {
    ServiceReferral?: ServiceReferral;
  }
  interface Navigator {
    readonly globalPrivacyControl?: boolean;
  }
  interface Document {
    readonly prerendering?: boolean;
  }
}

const COOKIE = 'service_handle';
const CLICK = 'service_click';
const LOOPBACK = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/;
/** The service accepts no longer addresses; the end that is cut off matters least. */
const URL_CHARS_MAX = 4096;

function start(script: HTMLScriptElement): void {
  const { project, cookieDomain, consent } = script.dataset;
  const parameters = new URLSearchParams(location.search);
  const click = parameters.get(CLICK);
  const ref = parameters.get('ref');
  let isAllowed = false;
  let hasRun = false;

  function writeCookie(value: string, maxAgeSeconds: number): void {
    const isPlain = location.protocol === 'http:' && LOOPBACK.test(location.hostname);
    const domain = cookieDomain ? `; Domain=${cookieDomain}` : '';
    const secure = isPlain ? '' : '; Secure';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not there on every page
    document.cookie = `${COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${domain}${secure}`;
  }

  /** Prevents it from being shared or bookmarked; the rest of the address stays as it is. */
  function hideClick(): void {
    const url = new URL(location.href);
    const kept = url.search
      .slice(1)
      .split('&')
      .filter((pair) => !pair.startsWith(`${CLICK}=`))
      .join('&');
    url.search = kept && `?${kept}`;
    history.replaceState(history.state, '', url.href);
  }

  async function run(): Promise<void> {
    if (!isAllowed || hasRun || !(click || ref)) return;
    hasRun = true;
    if (click !== null) hideClick();
    const body = JSON.stringify({
      projectKey: project,
      click,
      ref,
      handle: new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(document.cookie)?.[1],
      url: location.href.slice(0, URL_CHARS_MAX),
      referrer: document.referrer.slice(0, URL_CHARS_MAX),
    });
    const answer = await fetch(new URL('../v1/clicks', script.src).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      body,
    });
    const { handle, maxAgeSeconds } = await answer.json();
    // Consent may have been withdrawn meanwhile.
    if (handle && isAllowed) writeCookie(handle, maxAgeSeconds ?? 7776000);
  }

  /** A page that a browser prerenders has no visitor yet. */
  function begin(): void {
    const attempt = () => void run().catch(() => undefined);
    if (document.prerendering) {
      document.addEventListener('prerenderingchange', attempt, { once: true });
    } else attempt();
  }

  window.ServiceReferral = {
    consent(granted) {
      isAllowed = granted && !(consent === 'required' && navigator.globalPrivacyControl);
      if (isAllowed) return begin();
      hasRun = false;
      writeCookie('', 0);
    },
  };
  if (consent !== 'required') window.ServiceReferral.consent(true);
}

const script = document.currentScript ?? document.querySelector('script[data-project]');
if (script instanceof HTMLScriptElement && !window.ServiceReferral) start(script);

export {};
