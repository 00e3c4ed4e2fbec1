import {
  type AnswerOf,
  type CallOf,
  type FeedEvent,
  type FollowOptions,
  Goodword,
  type ListCall,
  type ListPage,
  type Operation,
} from '@goodword/sdk';
import type { FindCredential } from '../credentials.ts';
import { describeBrokenTable, describeError, notGoodword, TIMEOUT_MS } from './describe-error.ts';

/** An operation of openapi.json by name, with the values of the command line. */
export interface Request {
  /** Such as `POST /v1/rewards/{rewardId}/void`. */
  readonly operation: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** An API key is sufficient; otherwise the operator's token is needed. */
  readonly takesKey: boolean;
}

/** A call that a command makes itself, with the types of the SDK. */
type RequestOf<O extends Operation> = CallOf<O> & Pick<Request, 'takesKey'> & { operation: O };

type Answer = Readonly<Record<string, unknown>>;
type ListOptions = Pick<ListCall, 'field' | 'most' | 'pageMax'>;

/** The SDK's client with the credential that a call needs. Failures are CliErrors. */
export interface Client {
  readonly baseUrl: string;
  call<O extends Operation>(request: RequestOf<O>): Promise<AnswerOf<O>>;
  /** The body of a success. */
  send(request: Request): Promise<Answer>;
  /** The pages of a list. */
  pages(request: Request, options?: ListOptions): AsyncIterable<ListPage>;
  /** A table, in pieces as they arrive. */
  table(request: Request): AsyncIterable<string>;
  /** The feed, as events happen. Ends by throwing the reason of its signal. */
  follow(options: FollowOptions): AsyncIterable<FeedEvent>;
}

export function createClient(baseUrl: string, findCredential: FindCredential): Client {
  const connect = async (takesKey: boolean): Promise<Goodword> =>
    new Goodword({
      url: baseUrl,
      ...(await findCredential(takesKey)),
      // The user sees a failure at once, and decides.
      retries: 0,
      timeoutMs: TIMEOUT_MS,
      attemptTimeoutMs: TIMEOUT_MS,
    });
  const send = async ({ operation, takesKey, ...call }: Request): Promise<Answer> => {
    const goodword = await connect(takesKey);
    const answer = (await goodword.send(operation, call).catch((error: unknown) => {
      throw describeError(baseUrl, error);
    })) as Answer | null;
    if (answer?.success !== true) throw notGoodword(baseUrl, 200);
    return answer;
  };
  return {
    baseUrl,
    send,
    call: <O extends Operation>(request: RequestOf<O>) =>
      send(request as Request) as Promise<unknown> as Promise<AnswerOf<O>>,
    async *pages({ operation, takesKey, ...call }, options = {}) {
      const goodword = await connect(takesKey);
      try {
        yield* goodword.pages(operation, { ...call, ...options });
      } catch (error) {
        throw describeError(baseUrl, error);
      }
    },
    async *table({ operation, takesKey, ...call }) {
      const goodword = await connect(takesKey);
      let hasBegun = false;
      try {
        for await (const piece of goodword.table(operation, call)) {
          hasBegun = true;
          yield piece;
        }
      } catch (error) {
        throw describeBrokenTable(baseUrl, error, hasBegun);
      }
    },
    async *follow(options) {
      const goodword = await connect(true);
      try {
        yield* goodword.feed.follow(options);
      } catch (error) {
        throw describeError(baseUrl, error);
      }
    },
  };
}
