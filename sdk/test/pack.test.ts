import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** A program that has the packed package installed, and nothing else. */
const folder = mkdtempSync(join(tmpdir(), 'goodword-sdk-'));
const installed = join(folder, 'node_modules/@goodword/sdk');
let tarball: Buffer;
let files: string[];

const run = (...args: string[]) =>
  execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: at('..'),
    encoding: 'utf8',
  });
  const [made] = JSON.parse(packed);
  files = made.files.map(({ path }: { path: string }) => path);
  const file = join(folder, made.filename);
  tarball = readFileSync(file);
  execFileSync('mkdir', ['-p', installed]);
  execFileSync('tar', ['-xzf', file, '-C', installed, '--strip-components=1']);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the package', () => {
  test('passes publint', async () => {
    const { messages } = await publint({ pkgDir: installed, strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  test('has types that are right for whoever imports or requires it', async () => {
    const bytes = new Uint8Array(tarball);
    const { problems } = (await checkPackage(createPackageFromTarballData(bytes))) as {
      problems: unknown[];
    };
    expect(problems).toEqual([]);
  });

  test('needs nothing else, and brings nothing but itself', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    );
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
    const others = files.filter((file) => !/^dist\/lib\/.*\.c?[jt]s$/.test(file));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(tarball.length).toBeLessThan(150_000);
  });

  test('has a README that leads nowhere outside of it', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    expect(readme.match(/\]\((?!https:|#)[^)]*\)/g)).toBe(null);
  });

  const USE = `
    const secret = 'wsec_' + 'k'.repeat(43);
    const participant = { kind: 'individual', externalId: 'ada' };
    widgetToken({ projectId: 'prj_1', participant, secret, nowMs: 1.8e12 })
      .then((token) => console.log(typeof Goodword, token.length));`;
  const SAID = 'function 329';

  test('is imported, and required', () => {
    writeFileSync(
      join(folder, 'a.mjs'),
      `import { Goodword, widgetToken } from '@goodword/sdk';${USE}`,
    );
    writeFileSync(
      join(folder, 'a.cjs'),
      `const { Goodword, widgetToken } = require('@goodword/sdk');${USE}`,
    );
    expect([run('a.mjs'), run('a.cjs')]).toEqual([SAID, SAID]);
  });

  test('works where Node has no global crypto, as Node 18', () => {
    const flag = '--no-experimental-global-webcrypto';
    expect([run(flag, 'a.mjs'), run(flag, 'a.cjs')]).toEqual([SAID, SAID]);
  });

  test('knows its errors, whichever of its two copies threw them', () => {
    writeFileSync(
      join(folder, 'both.mjs'),
      `import { createRequire } from 'node:module';
       import { isGoodwordError } from '@goodword/sdk';
       const { GoodwordError } = createRequire(import.meta.url)('@goodword/sdk');
       const error = new GoodwordError({ code: 'NOT_FOUND', message: 'x' });
       console.log(isGoodwordError(error, 'NOT_FOUND'));`,
    );
    expect(run('both.mjs')).toBe('true');
  });

  test('is bundled for the edge, and runs on the globals of the Web alone', async () => {
    writeFileSync(
      join(folder, 'edge.js'),
      `import { Goodword, readHandle, verifyWebhook, widgetToken } from '@goodword/sdk';
       const client = new Goodword({ url: 'https://x.test', apiKey: 'k', projectId: 'prj_1', sourceNamespaceId: 'src_1' });
       const request = new Request('https://shop.test', { headers: { cookie: 'service_handle=hdl_1' } });
       const participant = { kind: 'individual', externalId: 'ada' };
       globalThis.result = Promise.all([
         client.track.signup({ participant, handle: readHandle(request) }),
         widgetToken({ projectId: 'prj_1', participant, secret: 'wsec_' + 'k'.repeat(43), nowMs: 1.8e12 }),
         verifyWebhook('{}', new Headers(), 'whsec_AAAA').catch((error) => error.reason),
       ]);`,
    );
    for (const platform of ['neutral', 'browser'] as const) {
      const { outputFiles } = await build({
        entryPoints: [join(folder, 'edge.js')],
        bundle: true,
        write: false,
        format: 'iife',
        platform,
        logLevel: 'silent',
      });
      const sent: string[] = [];
      const fetch = async (url: string, init: { body: string }) => {
        sent.push(`${url} ${init.body}`);
        return Response.json({ success: true, eventId: 'evt_1' });
      };
      const context = vm.createContext({
        ...{ fetch, Request, Response, Headers, URL, URLSearchParams, TextEncoder, TextDecoder },
        ...{ crypto, AbortController, atob, btoa, setTimeout, clearTimeout, Uint8Array },
      });
      const code = outputFiles[0]?.text ?? '';
      expect(code).not.toMatch(/node:|require\(|process\./);
      vm.runInContext(code, context);
      const [answer, token, reason] = await context.result;
      expect(answer).toMatchObject({ eventId: 'evt_1' });
      expect(token).toHaveLength(329);
      expect(reason).toBe('headers_missing');
      expect(sent).toEqual([expect.stringContaining('"identify":{"handle":"hdl_1"}')]);
    }
  });

  test('compiles for a program in strict TypeScript, as a module and as CommonJS', () => {
    const source = `import { Goodword, isGoodwordError, verifyWebhook, type ReasonOf, type RowOf } from '@goodword/sdk';
      export async function use(client: Goodword, body: string, headers: Record<string, string>) {
        const { data } = await client.request('GET /v1/payouts', { query: { status: 'failed' } });
        const first: RowOf<'GET /v1/payouts'> | undefined = data[0];
        for await (const { fulfillmentStatus } of client.rewards.list({ eventId: 'e' })) void fulfillmentStatus;
        const event = await verifyWebhook(body, headers, 'whsec_');
        if (event.type === 'reward.earned') console.log(event.data.reward.money?.netAmountMinor, first?.id);
        try {
          await client.links.create({ programId: 'p', slug: 's', participant: { kind: 'group', externalId: 'g' } });
        } catch (error) {
          if (isGoodwordError(error, 'CONFLICT', 'slug_taken')) console.log(error.issues.length);
        }
        // @ts-expect-error No such operation.
        await client.request('GET /v1/nothing');
        // @ts-expect-error A path needs its parts.
        await client.request('GET /v1/rewards/{rewardId}');
        // @ts-expect-error No such status.
        await client.request('GET /v1/payouts', { query: { status: 'gone' } });
        // @ts-expect-error No such list.
        client.list('POST /v1/programs');
        // @ts-expect-error A purchase needs its id.
        await client.track.purchase({ participant: { kind: 'individual', externalId: 'ada' } });
        // @ts-expect-error Not a field of a participant.
        if (event.type === 'participant.created') console.log(event.data.reward);
      }
      export const known: ReasonOf<'CONFLICT'>[] = ['slug_taken', 'handle_already_identified'];
      // @ts-expect-error No such reason.
      export const unknown: ReasonOf<'CONFLICT'> = 'too_late';
      // @ts-expect-error A key or a token.
      new Goodword({ url: 'https://x.test' });`;
    for (const name of ['use.mts', 'use.cts']) writeFileSync(join(folder, name), source);
    // Newer settings let CommonJS require a module, and so do not tell whether it is led to one.
    const options = {
      skipLibCheck: false,
      ...{ module: 'Node16', target: 'ES2022', lib: ['ES2022'], types: ['node'] },
      ...{ typeRoots: [at('../../node_modules/@types')], strict: true, noEmit: true },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    };
    const project = { compilerOptions: options, files: ['use.mts', 'use.cts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    expect(run(at('../../node_modules/typescript/bin/tsc'), '-p', folder)).toBe('');
  });
});
