import type { FastifyRequest } from 'fastify';
import type { Offer } from './make-server.ts';

/** The protocol's code is loaded with the first call: most services have no agents. */
export async function answerMessage(request: FastifyRequest, offer: Offer): Promise<Response> {
  const [{ WebStandardStreamableHTTPServerTransport: Transport }, { makeServer }] =
    await Promise.all([
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      import('./make-server.ts'),
    ]);
  const transport = new Transport({ enableJsonResponse: true });
  const server = makeServer(offer);
  await server.connect(transport);
  try {
    const { accept = '', 'content-type': type = '', ...headers } = request.headers;
    const version = headers['mcp-protocol-version'];
    return await transport.handleRequest(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          accept,
          'content-type': type,
          ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
        },
      }),
      { parsedBody: request.body ?? null },
    );
  } finally {
    await server.close();
  }
}
