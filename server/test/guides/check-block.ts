import { spawnSync } from 'node:child_process';
import { transform } from 'esbuild';
import type { Block } from './blocks.ts';

/** Not code, or code that nothing here can read. */
const UNCHECKED = new Set([
  'text',
  'http',
  'mermaid',
  'php',
  'ruby',
  'go',
  'nginx',
  'ini',
  'yaml',
  'sql',
  'promql',
  'dockerfile',
  'toml',
]);
const SCRIPTS = new Set(['js', 'jsx', 'ts', 'tsx']);

/** Whether a block that is not run is at least what it says it is; null, or what is wrong with it. */
export async function checkBlock({ language, text }: Block): Promise<string | null> {
  if (language === 'sh' || language === 'bash') return checkBy('bash', ['-n'], text);
  if (language === 'json') return checkJson(text);
  if (SCRIPTS.has(language)) return checkScript(text, language as 'js');
  if (language === 'python') {
    return checkBy('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], text);
  }
  if (language === 'html') {
    const scripts = [...text.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)].map(([, one]) => one);
    const faults = await Promise.all(scripts.map((script) => checkScript(script ?? '', 'js')));
    return faults.find((fault) => fault !== null) ?? null;
  }
  if (UNCHECKED.has(language)) return null;
  return language === ''
    ? 'does not say what it is, such as text'
    : `is of no known kind: ${language}`;
}

function checkJson(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return String(error);
  }
}

async function checkScript(
  text: string,
  loader: 'js' | 'jsx' | 'ts' | 'tsx',
): Promise<string | null> {
  try {
    await transform(text, { loader, format: 'esm', logLevel: 'silent' });
    return null;
  } catch (error) {
    return String(error);
  }
}

function checkBy(program: string, args: readonly string[], input: string): string | null {
  const { error, status, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  if (error) return `cannot be checked: ${error.message}`;
  return status === 0 ? null : stderr;
}
