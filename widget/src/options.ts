/** What the page passes to `ServiceWidget.init`. */
export interface WidgetOptions {
  readonly projectId: string;
  readonly programId?: string;
  /** Asks the page's backend for a Widget token of whoever is logged in. Called again once it expired. */
  readonly getToken: () => string | Promise<string>;
  /** Where the service is; where the script came from if it is left out. */
  readonly baseUrl?: string;
  /** Shows the panel in it, or in the first element that the selector finds; else a trigger floats. */
  readonly container?: Element | string;
  /** A language tag such as `de-AT`; the browser's own if it is left out. */
  readonly locale?: string;
  readonly on?: WidgetListeners;
}

export interface WidgetListeners {
  readonly open?: () => void;
  readonly share?: (event: { readonly platform: string }) => void;
  readonly copy?: (event: { readonly what: 'link' | 'code' }) => void;
}

export interface WidgetHandle {
  open(): void;
  close(): void;
  /** Takes everything off the page and stops what is under way. */
  destroy(): void;
}
