import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeSecret, signatureHeaders } from '../../src/outbound/webhooks/sender/sign.ts';
import { toInstant } from '../../src/platform/kit/instant.ts';
import { readGuide } from '../guides/blocks.ts';
import { isInstalled, type Received, VERIFIERS, verifyWith } from '../guides/verifiers.ts';

const SECRET = makeSecret(randomBytes(32));
const OTHER = makeSecret(randomBytes(32));
const BODY = Buffer.from('{"id":"wev_1","data":{"name":"Žofie ✓"}}\n');
const NO_TEXT = Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80]);

interface Signing {
  readonly secrets?: readonly string[];
  readonly body?: Uint8Array;
  readonly ageSeconds?: number;
}

/** A request that the service signed, as the receiver gets it. */
function sign({ secrets = [SECRET], body = BODY, ageSeconds = 0 }: Signing = {}): Received {
  const signedAt = toInstant(Date.now() - ageSeconds * 1_000);
  const headers = signatureHeaders({ id: 'wev_1', signedAt, body, secrets });
  return { secret: SECRET, headers, body };
}

const signed = sign();
const signature = signed.headers['webhook-signature'] ?? '';
const withHeader = (name: string, value: string): Received => ({
  ...signed,
  headers: { ...signed.headers, [`webhook-${name}`]: value },
});
const without = (name: string): Received => ({
  ...signed,
  headers: Object.fromEntries(
    Object.entries(signed.headers).filter(([one]) => one !== `webhook-${name}`),
  ),
});

/** Signed like a request of the service, with any key and any text as its time. */
function forge(key: string, timestamp: string): Received['headers'] {
  const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(`wev_1.${timestamp}.`);
  return {
    'webhook-id': 'wev_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac.update(BODY).digest('base64')}`,
  };
}
const key = SECRET.slice('whsec_'.length);
const nowSeconds = String(Math.floor(Date.now() / 1_000));

const VALID: Readonly<Record<string, Received>> = {
  'as it was sent': signed,
  'with an empty body': sign({ body: new Uint8Array() }),
  'with a body that is no text': sign({ body: NO_TEXT }),
  'nearly five minutes old': sign({ ageSeconds: 240 }),
  'of a clock that is ahead': sign({ ageSeconds: -240 }),
  'to a receiver that has the old secret still': sign({ secrets: [OTHER, SECRET] }),
  'to a receiver that has the new secret already': sign({ secrets: [SECRET, OTHER] }),
  'with a signature of a later version before it': withHeader('signature', `v2,abc ${signature}`),
};

const INVALID: Readonly<Record<string, Received>> = {
  'signed with another secret': sign({ secrets: [OTHER] }),
  'signed only with secrets that replaced the receiver’s': sign({ secrets: [OTHER, OTHER] }),
  'with another body': { ...signed, body: Buffer.from('{"id":"wev_2"}') },
  'with a body that was parsed and written again': {
    ...signed,
    body: Buffer.from(JSON.stringify(JSON.parse(BODY.toString()))),
  },
  'with another id': withHeader('id', 'wev_2'),
  'six minutes old': sign({ ageSeconds: 360 }),
  'of a clock six minutes ahead': sign({ ageSeconds: -360 }),
  'with another time than was signed': withHeader('timestamp', String(Number(nowSeconds) + 1)),
  'with no time': without('timestamp'),
  'with no signature': without('signature'),
  'with no id': without('id'),
  'with no header at all': { ...signed, headers: {} },
  'with an empty signature': withHeader('signature', ''),
  'with a signature without its version': withHeader('signature', signature.slice(3)),
  'with a signature of another version': withHeader('signature', signature.replace('v1', 'v2')),
  'with the version alone': withHeader('signature', 'v1,'),
  'with a part of the signature': withHeader('signature', signature.slice(0, 20)),
  'with more than the signature': withHeader('signature', `${signature}AAAA`),
  'with signatures between commas': withHeader('signature', `v1,AAAA,${signature}`),
  'with letters that are not of base64': withHeader('signature', 'v1,é✓'),
  'with a time that is a word': { ...signed, headers: forge(key, 'now') },
  'with a time that is not a number': { ...signed, headers: forge(key, 'NaN') },
  'with a time that never comes': { ...signed, headers: forge(key, '9'.repeat(30)) },
  'with a time long ago': { ...signed, headers: forge(key, '0') },
  'with a negative time': { ...signed, headers: forge(key, `-${nowSeconds}`) },
  'to a receiver without a secret': { ...signed, secret: '', headers: forge('', nowSeconds) },
  'to a receiver with half a secret': {
    ...signed,
    secret: 'whsec_',
    headers: forge('', nowSeconds),
  },
};

const root = mkdtempSync(join(tmpdir(), 'goodword-verifiers-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const { blocks } = readGuide('docs/webhooks.md');
const expected = [
  ...Object.keys(VALID).map((name) => [name, true]),
  ...Object.keys(INVALID).map((name) => [name, false]),
];

describe('docs/webhooks.md tells requests of the service from others in', () => {
  for (const verifier of VERIFIERS) {
    const { title, debian, language } = verifier;
    const isMissing = !isInstalled(verifier);
    const name = isMissing ? `${title} (not installed: apt-get install ${debian})` : title;
    test.skipIf(isMissing)(name, () => {
      const own = blocks.filter(
        (block) => block.language === language && block.anchors.includes(title.toLowerCase()),
      );
      expect(own).toHaveLength(1);
      const given = { code: own[0]?.text ?? '', folder: join(root, language) };
      const results = verifyWith(verifier, given, [
        ...Object.values(VALID),
        ...Object.values(INVALID),
      ]) as boolean[];
      expect(expected.map(([one], at) => [one, results[at]])).toEqual(expected);
      expect(results).toHaveLength(expected.length);
    });
  }
});
