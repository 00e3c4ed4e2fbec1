import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing, openChromium } from '../browser/chromium.ts';
import { findFreePort } from '../free-port.ts';
import { ROOT, readGuide } from '../guides/blocks.ts';

/** Where the page says that things listen, and where they do here. */
const ports = new Map<string, number>();
const shells: ChildProcess[] = [];
let root: string;
let folder: string;
let output = '';
let browser: Browser;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  if (isMissing) return;
  root = await mkdtemp(join(tmpdir(), 'goodword-stranger-'));
  folder = join(root, 'goodword');
  for (const port of ['8080', '3000', '4000']) ports.set(port, await findFreePort());
  browser = await openChromium();
});
afterAll(async () => {
  if (isMissing) return;
  for (const context of contexts) await context.close();
  for (const { pid, exitCode } of shells)
    if (pid && exitCode === null) process.kill(-pid, 'SIGKILL');
  await rm(root, { recursive: true, force: true });
});

/** As on a machine of theirs: how it reaches packages, and nothing of what runs this test. */
const OWN_ENV = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|LANG|TMPDIR|\w+_proxy|npm_config_\w+|NODE_EXTRA_CA_CERTS)$/i.test(name),
  ),
);

const address = (port: string) => `http://localhost:${ports.get(port)}`;

/** A terminal of its own, whose programs end with it. */
function type(script: string, cwd: string): ChildProcess {
  const text = script.replaceAll(
    /(localhost:|127\.0\.0\.1:|\bPORT=)(8080|3000|4000)\b/g,
    (_all, before: string, port: string) => `${before}${ports.get(port)}`,
  );
  const shell = spawn('bash', ['-ec', text], {
    cwd,
    detached: true,
    env: { ...OWN_ENV, PORT: String(ports.get('8080')) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  shells.push(shell);
  const listen = (chunk: Buffer) => {
    output += chunk;
  };
  shell.stdout?.on('data', listen);
  shell.stderr?.on('data', listen);
  return shell;
}

/** Until `is` holds; fails with what was printed if the terminal ends before. */
async function until(shell: ChildProcess, is: () => Promise<boolean> | boolean): Promise<void> {
  const ended = once(shell, 'exit').then(([code]) => {
    throw new Error(`It ended with ${code}:\n${output.slice(-4_000)}`);
  });
  const reached = async () => {
    while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 200));
  };
  await Promise.race([reached(), ended]);
  ended.catch(() => {});
}

const isServed = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

describe.skipIf(isMissing).sequential('a stranger', { timeout: 300_000 }, () => {
  const { blocks } = readGuide('docs/start.md');

  test('clones it, and has it running with two commands', async () => {
    const [first] = blocks;
    expect(first?.text).toContain('npm install\n');
    const commands = first?.text.replace('<the address of this repository>', ROOT) ?? '';
    expect(commands).not.toBe(first?.text);
    await until(type(commands, root), () => isServed(`${address('8080')}/readyz`));
    expect(await isServed(`${address('8080')}/docs/start`)).toBe(true);
  });

  test('copies the five-minute start block by block, and a webhook arrives', async () => {
    const copied = blocks.filter(({ language, notRun }) => language === 'sh' && !notRun);
    // What runs in the background goes on until the terminal is closed.
    const script = `${copied.map(({ text }) => text).join('\n')}\ntouch done.txt\nread\n`;
    await until(type(script, folder), () => existsSync(join(folder, 'done.txt')));
    expect(await readFile(join(folder, 'receiver.log'), 'utf8')).toContain('200 Granted.');
  });

  test('sees the widget, and what bringing a friend earned', async () => {
    const alice = await visit(address('3000'), 'Alice');
    await alice.locator('.trigger').click();
    const link = await alice.getByLabel('Your link', { exact: true }).inputValue();
    await visit(link, 'Bob');
    await alice.reload();
    await alice.locator('.trigger').click();
    await alice.locator('dialog .rows li').first().waitFor();
    expect(await alice.locator('dialog .figures').textContent()).toContain('Earned$10.00');
  });
});

/** Somebody with a browser of their own signs up. */
async function visit(url: string, name: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US' });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  await page.getByText(`Signed in as ${name}`).waitFor();
  return page;
}
