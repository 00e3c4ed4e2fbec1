import { ADMIN_TOKEN, type Call } from '../process/service-process.ts';
import type { Caller } from './caller.ts';
import type { Wire } from './reader.ts';

/** The body of an answer to an operator that nothing may keep from coming. */
export async function operate(
  caller: Caller,
  method: Call['method'],
  path: string,
  body?: object,
): Promise<Wire> {
  const answer = await caller.call({
    method,
    path,
    bearer: ADMIN_TOKEN,
    ...(body ? { body } : {}),
  });
  if (answer.status !== 200)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
