import { code, MADE, textTable } from './text-table.ts';

/** A setting as the program's own table has it. */
interface DescribedSetting {
  readonly kind: 'whole' | 'word' | 'text';
  readonly fallback: string | number | null;
  readonly shownFallback?: string | null;
  readonly words?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly about: string;
  readonly isSecret?: true;
}

export type DescribedSettings = Readonly<
  Record<string, Readonly<Record<string, DescribedSetting>>>
>;

/** Docs/reference/settings.md: every setting, from the table that the program reads them by. */
export function describeSettings(groups: DescribedSettings): string {
  return `# Settings

${MADE}

Settings are environment variables. If a setting is not valid, the service does not start and prints the reason.
An empty setting counts as not set. If others can see the environment, you can pass secrets as files:
${secretsOf(groups)} can each be read from the file that \`…_FILE\` names, such as \`ROOT_KEY_FILE\`.
The command line has [settings of its own](../cli.md#calling-it).

${Object.entries(groups)
  .map(
    ([title, settings]) => `## ${title}

${textTable(
  ['Setting', 'Default', 'Values', 'Meaning'],
  Object.entries(settings).map(([name, setting]) => [
    code(name),
    describeDefault(setting),
    describeValues(setting),
    setting.about,
  ]),
)}`,
  )
  .join('\n\n')}
`;
}

function secretsOf(groups: DescribedSettings): string {
  const all = Object.values(groups).flatMap((settings) => Object.entries(settings));
  return all.flatMap(([name, { isSecret }]) => (isSecret ? [code(name)] : [])).join(', ');
}

function describeDefault({ fallback, shownFallback }: DescribedSetting): string {
  return fallback === null ? (shownFallback ?? '') : code(String(fallback));
}

const digits = new Intl.NumberFormat('en-US', { useGrouping: 'min2' });

function describeValues({ words, min, max }: DescribedSetting): string {
  if (words) return words.map(code).join(', ');
  if (min === undefined || max === undefined) return '';
  return `${digits.format(min)} to ${digits.format(max)}`;
}
