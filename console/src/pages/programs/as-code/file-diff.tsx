import { diffLines, foldSame } from './diff-lines.ts';
import { YamlLine } from './yaml-code.tsx';

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
const WORDS = { same: '', added: 'Added: ', removed: 'Removed: ' } as const;

/** What differs between the program in force and the program after a plan. */
export function FileDiff({ before, after }: { before: string; after: string }) {
  const hunks = foldSame(diffLines(before, after));
  return (
    <section className="snippet yaml diff" data-tall aria-label="Difference to what is in force">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>
        <code>
          {hunks.map(({ skipped, start, lines }) => (
            <span key={start}>
              {skipped > 0 && <span className="diff-skipped">… {skipped} lines</span>}
              {lines.map(({ kind, text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is where it is
                <span key={index} className="diff-line" data-kind={kind}>
                  <span className="diff-sign" aria-hidden>
                    {SIGNS[kind]}
                  </span>
                  {kind !== 'same' && <span className="visually-hidden">{WORDS[kind]}</span>}
                  <YamlLine text={text} />
                </span>
              ))}
            </span>
          ))}
        </code>
      </pre>
    </section>
  );
}
