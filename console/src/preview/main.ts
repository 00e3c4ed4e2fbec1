import './preview.css';
import { answerExample } from './example-answers.ts';
import { isPreviewState, type PreviewState } from './message.ts';

/**
 * The real panel in a page of its own, for the console's frame. It gets its settings from the
 * console and made-up responses from here: only requests for the panel's script and texts are sent.
 */

interface Panel {
  destroy(): void;
}

declare global {
  interface Window {
    ServiceWidget?: { init(options: object): Panel };
  }
}

const { origin } = window.location;
const reach = window.fetch.bind(window);
let state: PreviewState | null = null;
let shown: { readonly panel: Panel; readonly place: HTMLElement } | null = null;

window.fetch = async (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  const url = new URL(address, origin);
  const answer =
    state === null || url.origin !== origin
      ? ([404, null] as const)
      : answerExample(url.pathname, state, origin, Date.now());
  if (answer === null) return reach(input, init);
  const [status, body] = answer;
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });
};

const loaded = new Promise<void>((resolve, reject) => {
  const script = document.createElement('script');
  script.src = '/widget/v1.js';
  script.onload = () => resolve();
  script.onerror = () => reject(new Error('The panel cannot be loaded.'));
  document.head.append(script);
});

/** The new panel is rendered out of sight and replaces the old one when it is complete. */
async function show(next: PreviewState): Promise<void> {
  state = next;
  await loaded;
  if (state !== next || !window.ServiceWidget) return;
  const stage = document.getElementById('stage');
  if (!stage) return;
  document.documentElement.dataset.scheme = next.scheme;
  document.documentElement.dataset.view = next.view;
  const place = document.createElement('div');
  place.className = 'place';
  place.hidden = shown !== null && next.view === 'panel';
  stage.append(place);
  const isPanel = next.view === 'panel';
  const panel = window.ServiceWidget.init({
    projectId: 'prj_example',
    programId: 'prg_example',
    getToken: () => 'example',
    ...(isPanel ? { container: place } : {}),
  });
  const shadow = (isPanel ? place : document.body).lastElementChild?.shadowRoot ?? null;
  if (shadow) forceScheme(shadow, next.scheme);
  await untilDrawn(shadow, isPanel ? '.rewards .figures, .rewards .state' : '.trigger');
  shown?.panel.destroy();
  shown?.place.remove();
  place.hidden = false;
  shown = { panel, place };
}

/** The panel follows the system's colour scheme; here it follows the switch above the preview. */
function forceScheme(shadow: ShadowRoot, scheme: 'light' | 'dark'): void {
  for (const sheet of shadow.adoptedStyleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSMediaRule && rule.conditionText.includes('prefers-color-scheme')) {
        rule.media.mediaText = scheme === 'dark' ? 'all' : 'not all';
      }
    }
  }
}

async function untilDrawn(shadow: ShadowRoot | null, part: string): Promise<void> {
  for (let tries = 0; tries < 50 && !shadow?.querySelector(part); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 16));
  }
}

let last = Promise.resolve();
window.addEventListener('message', ({ origin: from, source, data }) => {
  if (from !== origin || source !== window.parent || !isPreviewState(data)) return;
  // One after the other, or there could be two panels.
  state = data;
  last = last.then(() => (state === data ? show(data) : undefined)).catch(console.error);
});

// Sharing would lead away from the example.
document.addEventListener(
  'click',
  (event) => {
    const isLink = event.composedPath().some((one) => one instanceof HTMLAnchorElement);
    if (isLink) event.preventDefault();
  },
  { capture: true },
);
