import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

export const PATH = '/webhooks';
/** Events are far smaller. */
const BODY_BYTES_MAX = 262_144;
/** A request has to be here by then: Goodword hangs up after 10 seconds. */
const REQUEST_MS = 10_000;

/** @typedef {import('./handle-event.js').Event} Event */
/** @typedef {import('./handle-event.js').Answer} Answer */

/** What is wrong with a request, and how to say so. */
class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(status, message, options) {
    super(message, options);
    this.status = status;
  }
}

/**
 * An HTTP server that takes Goodword's webhooks.
 * @param {object} options
 * @param {string} options.secret Of the endpoint, `whsec_…`.
 * @param {(event: Event) => Promise<Answer>} options.handle
 * @param {(line: string) => void} options.log
 */
export function createReceiver({ secret, handle, log }) {
  const webhook = new Webhook(secret);

  /**
   * @param {import('node:http').IncomingMessage} request
   * @returns {Promise<Answer>}
   */
  async function receive(request) {
    if (request.url !== PATH) throw new Refusal(404, 'Nothing is here.');
    if (request.method !== 'POST') throw new Refusal(405, 'Only POST.');
    const body = await readBody(request);
    assertSigned(webhook, body, request.headers);
    const event = parse(body);
    const answer = await handle(event);
    log(`${event.type} ${event.id}: ${answer.status} ${answer.text}`);
    return answer;
  }

  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    receive(request)
      .catch((error) => {
        if (error instanceof Refusal) return { status: error.status, text: error.message };
        log(`failed: ${error.stack}`);
        return { status: 500, text: 'Something went wrong here.' };
      })
      .then(({ status, text }) => {
        // When it is time to stop, nothing more is to come on this connection.
        if (!server.listening) response.setHeader('connection', 'close');
        response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
      });
  });
  return server;
}

/**
 * The very bytes that were signed: parsing and writing them again would give others.
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<Buffer>}
 */
function readBody(request) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    const chunks = [];
    let size = 0;
    request.on('data', (/** @type {Buffer} */ chunk) => {
      size += chunk.length;
      // The rest is read all the same, for the answer to arrive, but not kept.
      if (size <= BODY_BYTES_MAX) chunks.push(chunk);
    });
    request.on('end', () => {
      if (size <= BODY_BYTES_MAX) resolve(Buffer.concat(chunks));
      else reject(new Refusal(413, 'Too large.'));
    });
    request.on('error', (cause) => reject(new Refusal(400, 'It broke off.', { cause })));
  });
}

/**
 * Refuses whatever was not signed with the secret within the last five minutes, before anything of
 * it is looked at.
 * @param {Webhook} webhook
 * @param {Buffer} body
 * @param {import('node:http').IncomingHttpHeaders} headers
 */
function assertSigned(webhook, body, headers) {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]));
  try {
    webhook.verify(body, signed, { jsonParse: false });
  } catch (cause) {
    throw new Refusal(401, 'The signature is missing, wrong or old.', { cause });
  }
}

/**
 * @param {Buffer} body
 * @returns {Event}
 */
function parse(body) {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new Refusal(400, 'Not JSON.', { cause });
  }
}
