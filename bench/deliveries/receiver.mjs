// A process of its own that takes webhooks on several ports and remembers when each event came.
// Says where it listens, then answers each line on stdin with a line of JSON.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const ports = Number(process.argv[2]);
/** Arrivals since the last report: at what time, and how long after the event was saved. */
let arrivals = [];
let bodies = [];
let keepsBodies = false;
const SLOW_MS = 4_000;
const DRIP_EVERY_MS = 500;
/** What becomes of a request by the beginning of its path; any other is answered at once. */
const BEHAVIOURS = {
  '/slow': (_, response) => setTimeout(() => response.end(), SLOW_MS),
  '/hang': () => undefined,
  '/fail': (_, response) => response.writeHead(500).end(),
  '/reset': (request) => request.socket.resetAndDestroy(),
  '/drip': (request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), DRIP_EVERY_MS);
    request.socket.once('close', () => clearInterval(timer));
  },
};

function take(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const now = Date.now();
    const behaviour = BEHAVIOURS[/^\/[a-z]+/.exec(request.url)?.[0]];
    if (behaviour) {
      behaviour(request, response);
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const from = body.indexOf('"occurredAt":"') + 14;
    arrivals.push([now, now - Date.parse(body.slice(from, from + 24))]);
    if (keepsBodies) bodies.push(body);
    response.end();
  });
}

const listening = await Promise.all(
  Array.from({ length: ports }, async () => {
    const server = createServer({ keepAliveTimeout: 30_000 }, take).listen(0, '127.0.0.1');
    server.on('connection', (socket) => socket.on('error', () => undefined));
    await new Promise((resolve) => server.once('listening', resolve));
    return server.address().port;
  }),
);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
say(listening);
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'count') say(arrivals.length);
  else if (line === 'keep') {
    keepsBodies = true;
    say(true);
  } else if (line === 'report') {
    const { user, system } = process.cpuUsage();
    say({ arrivals, bodies, cpuSeconds: (user + system) / 1e6 });
    arrivals = [];
    bodies = [];
    keepsBodies = false;
  }
}
