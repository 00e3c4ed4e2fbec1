import type { ErrorCode, YAMLParseError } from 'yaml';

type Fault = Pick<YAMLParseError, 'code' | 'message'>;

/** What is wrong with a text, in words of this service: those of the parser are for its programmers. */
export function describeFault({ code, message }: Fault, line: number): string {
  if (code === 'MULTIPLE_DOCS') {
    return `has a second document in line ${line}: a file describes one program`;
  }
  return `is not valid YAML in line ${line}: ${findMissing(message) ?? REASONS[code] ?? OTHERWISE}`;
}

const OTHERWISE = 'something is not where it belongs';

const REASONS: Partial<Readonly<Record<ErrorCode, string>>> = {
  BAD_ALIAS: 'the name after * or & is missing',
  BAD_DIRECTIVE: 'a line that begins with % is not understood',
  BAD_DQ_ESCAPE: 'the text has an unknown escape after \\',
  BAD_INDENT: 'the indentation does not fit the lines above it',
  BAD_SCALAR_START: 'text that begins with a special character needs quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a field has a second colon or an unexpected indentation; text with a colon and a space needs quotes',
  BLOCK_IN_FLOW: 'what is inside of brackets cannot continue as an indented list or map',
  KEY_OVER_1024_CHARS: 'the name of a field is too long',
  MISSING_CHAR: 'a sign such as : or a comma is missing',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing, or text of several lines needs quotes',
  TAB_AS_INDENT: 'lines are indented with spaces, not with tabs',
};

/** A quote or bracket that is opened and not closed. */
function findMissing(message: string): string | undefined {
  const [, quote] = /^Missing closing (["'])/.exec(message) ?? [];
  if (quote !== undefined) return `a closing ${quote} is missing`;
  const [, bracket] = / end with a ([\]}])/.exec(message) ?? [];
  return bracket && `a closing ${bracket} is missing`;
}
