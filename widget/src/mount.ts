import { h, render } from 'preact';
import { createClient } from './client.ts';
import { readableOn, textUpon } from './colour.ts';
import { loadLanguage } from './load-language.ts';
import { Model } from './model.ts';
import type { WidgetHandle, WidgetOptions } from './options.ts';
import { Panel } from './panel.tsx';

/** Put in by the build: panel.css. */
declare const PANEL_STYLE: string;

/** Of the surfaces of panel.css, which colours must be readable on, those with less contrast. */
const LIGHT = '#f5f6f8';
const DARK = '#22252d';

const KEYS = ['keydown', 'keypress', 'keyup'];

/** Puts the panel onto the page, in a tree of its own that the page's styles do not reach. */
export function mount(serviceUrl: string, options: WidgetOptions): WidgetHandle {
  const place = findPlace(options.container);
  const element = document.createElement('div');
  const shadow = element.attachShadow({ mode: 'open' });
  const root = document.createElement('div');
  root.className = 'root';
  if (place) element.dataset.inline = '';
  dress(shadow);
  shadow.append(root);
  // What is typed here is none of the page's shortcuts.
  for (const key of KEYS) root.addEventListener(key, (event) => event.stopPropagation());

  const stop = new AbortController();
  const { signal } = stop;
  const client = createClient(serviceUrl, options.projectId, options.getToken, signal);
  let hasLanguage = false;
  let isColoured = false;
  const show = () => {
    if (signal.aborted || !hasLanguage) return;
    if (model.start.value && !isColoured) {
      isColoured = true;
      colour(root, model.start.value.config);
    }
    render(h(Panel, { model }), root);
  };
  const { programId, on = {} } = options;
  const model = new Model(client, { isInline: place !== null, on, programId }, show);
  window.addEventListener('online', () => model.resume(), { signal });
  (place ?? document.body).append(element);
  void model.load();
  const wanted = [options.locale ?? '', ...navigator.languages];
  void loadLanguage(serviceUrl, wanted, signal).then((language) => {
    model.language = language;
    root.lang = language.locale;
    root.dir = language.dir;
    hasLanguage = true;
    show();
  });

  return {
    open: () => {
      if (!signal.aborted) model.open();
    },
    close: () => root.querySelector('dialog')?.close(),
    destroy() {
      root.querySelector('dialog')?.close();
      stop.abort();
      model.destroy();
      render(null, root);
      element.remove();
    },
  };
}

function findPlace(container: Element | string | undefined): Element | null {
  if (container === undefined) return null;
  const place = typeof container === 'string' ? document.querySelector(container) : container;
  if (!place) throw new TypeError(`ServiceWidget: there is no container ${container}`);
  return place;
}

/** As a sheet object, which needs no leave of the page's Content-Security-Policy. */
function dress(shadow: ShadowRoot): void {
  // Once: the build writes it out wherever it is named.
  const css = PANEL_STYLE;
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    shadow.adoptedStyleSheets = [sheet];
  } catch {
    // Browsers before 2023.
    const style = document.createElement('style');
    style.textContent = css;
    shadow.append(style);
  }
}

interface Colours {
  readonly brandConfig: { readonly primaryColor: string };
  readonly widgetConfig: { readonly cssVariables: Readonly<Record<string, string>> };
}

/** Values go in one by one as values: nothing is parsed that could end a rule and begin another. */
function colour(root: HTMLElement, { brandConfig, widgetConfig }: Colours): void {
  const { primaryColor } = brandConfig;
  const { style } = root;
  style.setProperty('--accent', primaryColor);
  style.setProperty('--accent-text', textUpon(primaryColor));
  style.setProperty('--accent-on-light', readableOn(LIGHT, primaryColor));
  style.setProperty('--accent-on-dark', readableOn(DARK, primaryColor));
  const { cssVariables } = widgetConfig;
  for (const name of Object.keys(cssVariables)) {
    if (name.startsWith('--')) style.setProperty(name, cssVariables[name] ?? '');
  }
}
