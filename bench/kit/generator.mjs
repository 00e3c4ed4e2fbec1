// A process of its own that sends requests over raw keep-alive sockets, so that making the
// load costs little of the machine that bears it. Takes a job as JSON on stdin, prints what
// it measured as JSON.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const job = JSON.parse(await text(process.stdin));
const { urls, requests, status: expected, connections, warmUpMs, measureMs, eachOnce } = job;
const { isInOrder = eachOnce } = job;

let sent = 0;
function nextRequest() {
  const at = isInOrder ? sent : Math.floor(Math.random() * requests.length);
  const { before, after } = requests[at % requests.length];
  const person = sent.toString(36).padStart(8, '0');
  sent += 1;
  return after === undefined ? before : before + person + after;
}

const startedAt = performance.now();
const measureFrom = startedAt + warmUpMs;
const measureTo = eachOnce ? Number.POSITIVE_INFINITY : measureFrom + measureMs;
const latencies = [];
const failures = new Map();

function drive(address) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address.hostname, port: Number(address.port), noDelay: true });
    let sentAt = 0;
    let received = '';
    const send = () => {
      sentAt = performance.now();
      socket.write(nextRequest());
    };
    socket.setEncoding('latin1');
    socket.once('connect', send);
    socket.on('data', (chunk) => {
      received = received === '' ? chunk : received + chunk;
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const at = received.indexOf('content-length: ');
      const length = Number.parseInt(received.slice(at + 16, at + 26), 10);
      if (received.length < end + 4 + length) return;
      const now = performance.now();
      const status = received.slice(9, 12);
      if (status !== expected) {
        const told = `${status} ${received.slice(end + 4)}`.slice(0, 300);
        failures.set(status, { count: (failures.get(status)?.count ?? 0) + 1, told });
      } else if (now >= measureFrom && now < measureTo) {
        latencies.push(now - sentAt);
      }
      received = '';
      if (now >= measureTo || (eachOnce && sent >= requests.length)) socket.end(resolve);
      else send();
    });
    socket.once('error', reject);
    socket.once('close', resolve);
  });
}

const addresses = urls.map((url) => new URL(url));
const driving = Array.from({ length: connections }, (_, n) =>
  drive(addresses[n % addresses.length]),
);
// Two marks tell the parent when to read the counters of the others.
if (!eachOnce) {
  setTimeout(() => process.stdout.write('measuring\n'), warmUpMs);
  setTimeout(() => process.stdout.write('measured\n'), warmUpMs + measureMs);
}
await Promise.all(driving);

latencies.sort((a, b) => a - b);
const at = (share) =>
  latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))];
const { user, system } = process.cpuUsage();
process.stdout.write(
  `${JSON.stringify({
    perSecond: (latencies.length / measureMs) * 1_000,
    count: latencies.length,
    sent,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    failures: [...failures.values()],
    cpuSeconds: (user + system) / 1e6,
  })}\n`,
);
