// The floor: one bare Fastify route that gives the answer it was told to, with a log line for each
// request, in groups as the service writes them. See ../README.md.
import Fastify from 'fastify';
import { pino } from 'pino';

const { method, url, status, headers, body } = JSON.parse(process.env.ANSWER);
const lines = pino.destination({ dest: 1, sync: true, minLength: 4_096 });
const logger = pino({ base: null }, lines);

const app = Fastify({ logger: false });
app.addHook('onResponse', async (request, reply) => {
  logger.info(
    {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: reply.elapsedTime,
    },
    'request',
  );
});
app.route({
  method,
  url,
  handler: async (_request, reply) => reply.code(status).headers(headers).send(body),
});
app.get('/metrics', async () => {
  const { user, system } = process.cpuUsage();
  return `process_cpu_seconds_total ${(user + system) / 1e6}\n`;
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`  Address  ${address}\n`);
process.once('SIGTERM', () => process.exit(0));
