import { createKeyring } from '../src/kit/keyring.ts';
import { secretContext } from '../src/webhooks/endpoint.ts';
import { makeSecret } from '../src/webhooks/sign.ts';
import { ROOT_KEY, type TestProject, type TestService } from './harness.ts';
import { type Receiver, receiveHttp } from './receiver.ts';

export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly event: any;
}

export interface Listener extends Receiver {
  readonly url: string;
  /** Every request so far, in order. */
  readonly received: Received[];
  /** What it answers to each; 200 unless told otherwise. */
  answer: (event: Received['event'], count: number) => number | Promise<number>;
}

/** A receiver that remembers what it got. */
export async function listen(): Promise<Listener> {
  const received: Received[] = [];
  const receiver = await receiveHttp((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      const event = JSON.parse(body);
      received.push({ headers: request.headers as Record<string, string>, body, event });
      response.statusCode = await listener.answer(event, received.length);
      response.end('thanks');
    });
  });
  const listener: Listener = {
    ...receiver,
    url: `http://127.0.0.1:${receiver.port}/hooks`,
    received,
    answer: () => 200,
  };
  return listener;
}

let made = 0;

export async function addEndpoint(
  service: TestService,
  { projectId }: TestProject,
  options: { url: string; fulfillmentMode?: string; eventTypes?: string[] },
): Promise<{ id: string; secret: string }> {
  made += 1;
  const id = `whe_${made}`;
  const secret = makeSecret(Buffer.alloc(32, made));
  const sealed = createKeyring(ROOT_KEY).seal(
    'endpoint-secret',
    secret,
    secretContext(projectId, id),
  );
  await service.database.transaction(async (tx) => {
    await tx.query(
      `insert into webhook_endpoints (project_id, id, url, event_types, api_version,
         fulfillment_mode, queue_id, secrets, created_at, updated_at)
       values ($1, $2, $3, $4::text[], '2026-10-04', $5, $6, $7::jsonb, $8, $8)`,
      [
        projectId,
        id,
        options.url,
        options.eventTypes ?? null,
        options.fulfillmentMode ?? 'on_delivery',
        `whq_${made}`,
        JSON.stringify([{ sealed, rotatedAt: null }]),
        service.clock.now,
      ],
    );
    await tx.query(
      'update project_heads set config_number = config_number + 1 where project_id = $1',
      [projectId],
    );
  });
  return { id, secret };
}
