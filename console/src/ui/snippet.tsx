import { CopyAction } from './id-text.tsx';

interface SnippetProps {
  /** The name of the code: "the landing script". */
  readonly label: string;
  readonly code: string;
  /** Long ones scroll inside. */
  readonly isTall?: boolean;
}

/** Code to copy. */
export function Snippet({ label, code, isTall = false }: SnippetProps) {
  return (
    <section className="snippet" data-tall={isTall || undefined} aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <div className="snippet-copy">
        <CopyAction value={code} label={`Copy ${label}`} />
      </div>
    </section>
  );
}
