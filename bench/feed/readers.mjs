import { Agent, request } from 'node:http';
import pg from 'pg';

/** Reads pages with the SELECT alone: what the database and its driver take for the same rows. */
export async function openBareReader(cluster, projectId, limit) {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  let after = 0;
  return {
    async readPage() {
      const { rows } = await client.query({
        name: 'page',
        text: `select position, id, type, occurred_at, data from feed_events
               where project_id = $1 and position > $2 order by position limit $3`,
        values: [projectId, after, limit],
      });
      after = Number(rows.at(-1)?.position ?? after);
      return rows.length;
    },
    close: () => client.end(),
  };
}

/**
 * Reads pages over HTTP on one connection, as a consumer would, but looks at nothing in an answer
 * except where to go on.
 */
export function openHttpReader(service, { projectId, key }, limit) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let after = null;
  return {
    get after() {
      return after;
    },
    goTo(cursor) {
      after = cursor;
    },
    async readPage() {
      const search = new URLSearchParams({
        projectId,
        limit,
        ...(after === null ? {} : { after }),
      });
      const body = await get(agent, `${service.url}/v1/webhook-events?${search}`, key);
      after = /"next":"([\w-]+)"}$/.exec(body.subarray(-200).toString('latin1'))[1];
      return body;
    },
    close: () => agent.destroy(),
  };
}

function get(agent, url, key) {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers: { 'x-api-key': key } }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const body = Buffer.concat(chunks);
        if (answer.statusCode === 200) resolve(body);
        else reject(new Error(`The feed answered ${answer.statusCode}: ${body}`));
      });
    });
    call.on('error', reject);
    call.end();
  });
}
