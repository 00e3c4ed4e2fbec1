import { h, render } from 'preact';
import { createClient } from './client.ts';
import { readableOn, textUpon } from './colour.ts';
import { loadLanguage } from './load-language.ts';
import { Model } from './model.ts';
import type { WidgetHandle, WidgetOptions } from './options.ts';
import { Panel } from './panel.tsx';
import { ENGLISH, type Language } from './texts.ts';

/** Inserted by the build: panel.css. */
declare const PANEL_STYLE: string;

/**
 * Of the surfaces in panel.css, those with the least contrast; colours must be readable on them.
 */
const LIGHT = '#f5f6f8';
const DARK = '#22252d';

/** How long to wait for a language other than English before anything is shown. */
const LANGUAGE_MS = 2_000;

const KEYS = ['keydown', 'keypress', 'keyup'];

/** Mounts the panel on the page, in a shadow tree that the page's styles do not reach. */
export function mount(serviceUrl: string, options: WidgetOptions): WidgetHandle {
  const place = findPlace(options.container);
  const element = document.createElement('div');
  const shadow = element.attachShadow({ mode: 'open' });
  const root = document.createElement('div');
  root.className = 'root';
  if (place) element.dataset.inline = '';
  dress(shadow);
  shadow.append(root);
  // Typing here must not trigger the page's shortcuts.
  for (const key of KEYS) root.addEventListener(key, (event) => event.stopPropagation());

  const stop = new AbortController();
  const { signal } = stop;
  const client = createClient(serviceUrl, options, signal, () => model.restart());
  let hasLanguage = false;
  let isColoured = false;
  const show = () => {
    if (signal.aborted || !hasLanguage) return;
    if (model.start.value && !isColoured) {
      isColoured = true;
      colour(root, model.start.value.config);
    }
    const { activeElement } = shadow;
    render(h(Panel, { model }), root);
    // The focused element may be gone.
    if (model.isTurned || (activeElement && !shadow.activeElement)) placeFocus(root, model);
    model.isTurned = false;
  };
  const { programId, on = {} } = options;
  const model = new Model(client, { isInline: place !== null, on, programId }, show);
  const attach = () => (place ?? document.body).append(element);
  if (place ?? document.body) attach();
  else document.addEventListener('DOMContentLoaded', attach, { signal });
  void model.load();
  const locales = [options.locale ?? '', ...navigator.languages];
  const speak = (language: Language) => {
    model.language = language;
    root.lang = language.locale;
    root.dir = language.dir;
    hasLanguage = true;
    show();
  };
  let isLost = false;
  const learn = async () => {
    const language = await loadLanguage(serviceUrl, locales, signal);
    isLost = !language;
    speak(language ?? ENGLISH);
  };
  void learn();
  setTimeout(() => {
    if (!hasLanguage) speak(ENGLISH);
  }, LANGUAGE_MS);
  window.addEventListener(
    'online',
    () => {
      model.resume();
      if (isLost) void learn();
    },
    { signal },
  );
  const close = () => {
    root.querySelector('dialog')?.close();
    model.closed();
  };

  return {
    open: () => {
      if (signal.aborted) return;
      // The page may have replaced its body.
      if (!element.isConnected) attach();
      model.open();
    },
    close,
    destroy() {
      close();
      stop.abort();
      model.destroy();
      render(null, root);
      element.remove();
    },
  };
}

/**
 * Moves the focus when the focused button is gone: to the requested content, otherwise to its
 * title.
 */
function placeFocus(root: HTMLElement, { isEditing, screen, isTurned, isPaging }: Model): void {
  const ofPayout = isEditing ? ':checked' : '.current a';
  const ofHome = isPaging && !isTurned ? '.rows li:last-child' : '.payout';
  const selector = screen === 'home' ? ofHome : ofPayout;
  const target =
    root.querySelector<HTMLElement>(selector) ?? root.querySelector<HTMLElement>('h2,.skeleton');
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus();
}

function findPlace(container: Element | string | undefined): Element | null {
  if (container === undefined) return null;
  const place = typeof container === 'string' ? document.querySelector(container) : container;
  if (!place?.append) throw new TypeError(`ServiceWidget: there is no container ${container}`);
  return place;
}

/** As a stylesheet object, which the page's Content-Security-Policy does not block. */
function dress(shadow: ShadowRoot): void {
  // Named once, because the build inlines it at every use.
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

/** Set one by one as values: nothing is parsed that could end a rule and start another. */
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
