import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { killAll, startProgram } from '../process.ts';
import { makeDataFolder, openShop, readFeed, type Shop, toParticipant } from './shop.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'goodword-stop-'));
beforeAll(() => makeDataFolder(DATA_DIR));
afterEach(killAll);
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));

const CONNECTIONS = 24;
const ANSWERS_BEFORE_SIGNAL = 300;

/** One call, and how far it has come. */
interface Sent {
  readonly externalId: string;
  /** Its last byte was handed to the kernel, so the program has it. */
  isOut: boolean;
  hasAnswerBegun: boolean;
  outcome: number | string | undefined;
}

function put(url: string, shop: Shop, agent: Agent, sent: Sent): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (outcome: number | string) => {
      sent.outcome = outcome;
      resolve(outcome === 200);
    };
    const call = request(`${url}/v1/participants`, {
      method: 'PUT',
      agent,
      headers: { 'x-api-key': shop.key, 'content-type': 'application/json' },
    });
    call.on('finish', () => {
      sent.isOut = true;
    });
    call.on('response', (answer) => {
      sent.hasAnswerBegun = true;
      answer.resume();
      answer.on('end', () => end(answer.statusCode ?? 0));
      answer.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    });
    call.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    call.end(toParticipant(shop, sent.externalId));
  });
}

test.each([
  ['go on calling', true],
  ['keep their connections open and call no more', false],
])(
  'SIGTERM loses nothing while callers %s: what was read is answered, what is answered is kept',
  async (_, goOn) => {
    const program = await startProgram({ DATA_DIR });
    const shop = await openShop(program.url, DATA_DIR);
    const all: Sent[] = [];
    let underWay: Sent[] | undefined;

    const agents = Array.from(
      { length: CONNECTIONS },
      () => new Agent({ keepAlive: true, maxSockets: 1 }),
    );
    const callers = agents.map(async (agent, caller) => {
      for (let turn = 0; goOn || !underWay; turn += 1) {
        const sent: Sent = {
          externalId: `caller ${caller} turn ${turn}`,
          isOut: false,
          hasAnswerBegun: false,
          outcome: undefined,
        };
        all.push(sent);
        if (!(await put(program.url, shop, agent, sent))) return;
        if (!underWay && all.length > ANSWERS_BEFORE_SIGNAL) {
          underWay = all.filter((one) => one.isOut && one.outcome === undefined);
          program.signal('SIGTERM');
        }
      }
    });
    await Promise.all(callers);
    const { code, stdout, stderr } = await program.ended;
    for (const agent of agents) agent.destroy();

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('"msg":"stopped"');
    expect(underWay?.length).toBeGreaterThan(0);
    expect(underWay?.filter((one) => one.outcome !== 200)).toEqual([]);
    const unanswered = all.filter((one) => one.outcome !== 200);
    expect(unanswered.filter((one) => one.hasAnswerBegun)).toEqual([]);
    for (const one of unanswered) expect(one.outcome).toMatch(/^(ECONNREFUSED|ECONNRESET|EPIPE)$/);

    const again = await startProgram({ DATA_DIR });
    const { externalIds } = await readFeed(again.url, shop);
    const answered = all.filter((one) => one.outcome === 200).map((one) => one.externalId);
    expect(externalIds.sort()).toEqual(answered.sort());
  },
);

/** What a caller may have sent when it stops calling. */
const UNFINISHED = {
  nothing: '',
  'half a request': 'GET /healthz HTTP/1.1\r\nHost: ',
  'half a body':
    'POST /v1/partner-applications HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
};

test(`connections that have sent ${Object.keys(UNFINISHED).join(', ')} do not hold up the end`, async () => {
  const program = await startProgram({ DATA_DIR });
  const { hostname, port } = new URL(program.url);
  const sockets = Object.values(UNFINISHED).map((bytes) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    return { socket, sent: new Promise<void>((resolve) => socket.write(bytes, () => resolve())) };
  });
  await Promise.all(sockets.map(({ sent }) => sent));
  // Answered on a later connection, so those before have been accepted.
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
  const from = performance.now();
  const { code } = await program.kill('SIGTERM');
  expect(code).toBe(0);
  expect(performance.now() - from).toBeLessThan(20_000);
  for (const { socket } of sockets) socket.destroy();
});
