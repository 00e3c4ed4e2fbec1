/** A metric as an expression asks for it: its name, and the labels that it selects or groups by. */
export interface Asked {
  readonly name: string;
  readonly labels: readonly string[];
}

const WORDS = new Set(['by', 'without', 'and', 'or', 'unless', 'on', 'ignoring', 'offset', 'bool']);
const FUNCTIONS = new Set([
  'absent',
  'count',
  'histogram_quantile',
  'increase',
  'label_values',
  'max',
  'min',
  'rate',
  'sum',
  'time',
  'topk',
]);

/**
 * What an expression of Prometheus asks for. It is no parser: it knows the functions that we use,
 * and throws on any other, and on brackets that do not match. Labels that are grouped by count for
 * every metric in the expression.
 */
export function askedBy(expression: string): Asked[] {
  assertBalanced(expression);
  const grouped: string[] = [];
  const text = expression.replace(/\bby\s*\(([^)]*)\)/g, (_all, list: string) => {
    grouped.push(...list.split(',').map((label) => label.trim()));
    return ' ';
  });
  const asked: Asked[] = [];
  const names = /([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?\s*(\()?/g;
  for (const [, name = '', matchers = '', call] of withoutDurations(text).matchAll(names)) {
    if (call) {
      if (!FUNCTIONS.has(name)) throw new Error(`${name} is no function that is known: ${text}`);
    } else if (!WORDS.has(name)) {
      const selected = [...matchers.matchAll(/([\w]+)\s*(?:=~|!~|!=|=)\s*"/g)].map(
        ([, label = '']) => label,
      );
      asked.push({ name, labels: [...selected, ...grouped] });
    }
  }
  return asked;
}

/** What an expression selects by: `a="b|c"` as one for each of its alternatives. */
export function selectedBy(expression: string): { name: string; label: string; value: string }[] {
  const selected: { name: string; label: string; value: string }[] = [];
  for (const [, name = '', matchers = ''] of expression.matchAll(/([\w:]+)\{([^}]*)\}/g)) {
    const pairs = matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g);
    for (const [, label = '', operator = '', value = ''] of pairs) {
      const values = operator.endsWith('~') ? value.split('|') : [value];
      selected.push(...values.map((one) => ({ name, label, value: one })));
    }
  }
  return selected;
}

/** Their units, and the exponents of numbers, would look like names. */
function withoutDurations(text: string): string {
  return text.replace(/\[[^\]]*\]/g, ' ').replace(/\b\d[\d.]*(e\d+)?\b/g, ' ');
}

function assertBalanced(text: string): void {
  const open: string[] = [];
  for (const char of text.replace(/"[^"]*"/g, '')) {
    if ('([{'.includes(char)) open.push(char);
    const pair = ')]}'.indexOf(char);
    if (pair >= 0 && open.pop() !== '([{'[pair]) throw new Error(`Brackets differ: ${text}`);
  }
  if (open.length > 0) throw new Error(`Brackets differ: ${text}`);
}

/** The metrics of a text as Prometheus scrapes it, with the labels that each has. */
export function metricsOf(exposition: string): Map<string, Set<string>> {
  const metrics = new Map<string, Set<string>>();
  for (const line of exposition.split('\n')) {
    const [, name, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const known = metrics.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    metrics.set(name, known);
  }
  return metrics;
}
