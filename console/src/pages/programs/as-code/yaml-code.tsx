import { highlightLine } from './highlight-yaml.ts';

/** A line of YAML in colours. */
export function YamlLine({ text }: { text: string }) {
  return highlightLine(text).map(({ text: piece, kind }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
    <span key={index} className={kind ? `yaml-${kind}` : undefined}>
      {piece}
    </span>
  ));
}

/** A file, which scrolls inside. */
export function YamlCode({ label, file }: { label: string; file: string }) {
  return (
    <section className="snippet yaml" data-tall aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>
        <code>
          {file.split('\n').map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is where it is
            <span key={index}>
              <YamlLine text={line} />
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </section>
  );
}
