/** What the page passes to `ServiceWidget.init`. */
export interface WidgetOptions {
  readonly projectId: string;
  readonly programId?: string;
  /**
   * Requests a widget token for the logged-in user from the page's backend. Called again once it
   * has expired.
   */
  readonly getToken: () => string | Promise<string>;
  /** The address of the service. Default: the origin of the script. */
  readonly baseUrl?: string;
  /**
   * Shows the panel in this element, or in the first match of the selector; otherwise a floating
   * trigger.
   */
  readonly container?: Element | string;
  /** A language tag such as `de-AT`. Default: the browser's. */
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
  /** Removes everything from the page and aborts pending calls. */
  destroy(): void;
}
