import { AppError } from '../../../platform/kit/errors.ts';
import type { Failure } from '../dispatch/failure.ts';
import { type Reach, resolveHost } from '../sender/resolve-host.ts';
import { type EndpointUrl, readEndpointUrl } from './endpoint-url.ts';

/**
 * Fails with INVALID_REQUEST for a URL that may not be called, or whose host has no address. Later
 * addresses of the name are checked on every connection.
 */
export async function vetUrl(text: string, reach: Reach): Promise<EndpointUrl> {
  const read = readEndpointUrl(text);
  if (!read.ok) throw refusal({ reason: 'invalid_url', message: read.issue });
  const resolved = await resolveHost(read.url.host, read.url.scheme, reach);
  if (!resolved.ok) throw refusal(resolved.failure);
  return read.url;
}

function refusal({ reason, message }: Failure): AppError {
  return new AppError('INVALID_REQUEST', `Invalid request: url cannot be used. ${message}`, {
    reason,
    details: [{ path: 'url', issue: message }],
  });
}
