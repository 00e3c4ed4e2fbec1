/** The state that the console sends to the preview. */
export interface PreviewState {
  readonly type: 'goodword-preview';
  readonly programName: string;
  readonly config: {
    readonly brandConfig: { readonly primaryColor: string };
    readonly widgetConfig: object;
  };
  /** The panel in the page, or the button that opens it. */
  readonly view: 'panel' | 'button';
  readonly scheme: 'light' | 'dark';
}

export function isPreviewState(data: unknown): data is PreviewState {
  return (
    typeof data === 'object' && data !== null && 'type' in data && data.type === 'goodword-preview'
  );
}
