import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { authority } from './current.ts';
import type { Owner, VirtualTime } from './virtual-time.ts';

/** Serves a connection. */
type Accept = (socket: VirtualSocket) => void;

const ONE_WAY_MS = 20;

/** What is on its way arrives, whatever becomes of the process that has sent it. */
const WIRE: Owner = { name: 'network', state: 'running' };

/** Who listens in a world, by host and port. */
const places = new WeakMap<VirtualTime, Map<string, Accept>>();

export function listenAt(time: VirtualTime, place: string, accept: Accept): void {
  const known = places.get(time) ?? new Map<string, Accept>();
  places.set(time, known.set(place, accept));
}

/** One end of a connection in this process, over which bytes take virtual time. There is no TLS on it. */
class VirtualSocket extends Duplex {
  connecting = false;
  readonly encrypted = true;
  readonly authorized = true;
  readonly remoteAddress = '192.0.2.1';
  readonly #time: VirtualTime;
  /** Whose code reads at this end. A process that is dead learns nothing, and a frozen one learns it late. */
  readonly #owner: Owner;
  readonly #coming: (() => void)[] = [];
  #peer: VirtualSocket | null = null;
  #idle: { readonly ms: number; timer: number } | null = null;

  constructor(time: VirtualTime, owner: Owner) {
    super({ allowHalfOpen: false });
    this.#time = time;
    this.#owner = owner;
  }

  /** Opens a connection to a place where somebody may listen. */
  static open(time: VirtualTime, place: string): VirtualSocket {
    const near = new VirtualSocket(time, time.owner);
    near.connecting = true;
    const accept = places.get(time)?.get(place);
    near.#after(() => {
      near.connecting = false;
      if (!accept) {
        near.destroy(Object.assign(new Error(`Nobody listens at ${place}.`), REFUSED));
        return;
      }
      const far = new VirtualSocket(time, WIRE);
      far.#peer = near;
      near.#peer = far;
      near.emit('connect');
      near.emit('secureConnect');
      time.as(WIRE, () => accept(far));
    });
    return near;
  }

  override _read(): void {}

  override _write(chunk: Buffer, encoding: BufferEncoding, done: () => void): void {
    if (this.connecting) {
      this.once('connect', () => this._write(chunk, encoding, done));
      return;
    }
    this.#stir();
    const bytes = Buffer.from(chunk);
    const peer = this.#peer;
    if (peer)
      peer.#after(() => {
        peer.#stir();
        peer.push(bytes);
      });
    done();
  }

  override _final(done: () => void): void {
    const peer = this.#peer;
    if (peer) peer.#after(() => peer.push(null));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.setTimeout(0);
    const peer = this.#peer;
    if (peer)
      peer.#after(() => {
        if (!peer.readableEnded) peer.push(null);
      });
    done(error);
  }

  /** What reaches this end does so in the order in which it was sent. */
  #after(run: () => void): void {
    this.#coming.push(run);
    this.#time.as(this.#owner, () =>
      this.#time.addTimer(() => {
        const next = this.#coming.shift();
        if (!this.destroyed) next?.();
      }, ONE_WAY_MS),
    );
  }

  setTimeout(ms: number, onTimeout?: () => void): this {
    if (this.#idle) this.#time.removeTimer(this.#idle.timer);
    this.#idle = ms > 0 ? { ms, timer: 0 } : null;
    if (onTimeout && ms > 0) this.once('timeout', onTimeout);
    this.#stir();
    return this;
  }

  /** Something has happened at this end: it is not idle. */
  #stir(): void {
    const idle = this.#idle;
    if (!idle) return;
    this.#time.removeTimer(idle.timer);
    this.#time.as(this.#owner, () => {
      idle.timer = this.#time.addTimer(() => this.emit('timeout'), idle.ms);
    });
  }

  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  setKeepAlive = (): this => this;
  setNoDelay = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
}

const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };

interface Place {
  readonly host?: string;
  readonly port?: number | string;
}

/** Replaces the connections of this process: in a world, they lead to those who listen in it. */
export function installSockets(): void {
  const replace = (owner: object, name: 'connect' | 'createConnection') => {
    const known = owner as Record<string, (...given: unknown[]) => unknown>;
    const really = known[name] as (...given: unknown[]) => unknown;
    known[name] = function connect(this: unknown, ...given: unknown[]) {
      const current = authority();
      if (!current) return really.apply(this, given);
      const { host = 'localhost', port } = given[0] as Place;
      const socket = VirtualSocket.open(current.time, `${host}:${port}`);
      const onConnect = given.at(-1);
      // An agent's own callback is given the socket that is returned.
      if (typeof onConnect === 'function' && owner === net)
        socket.once('connect', onConnect as never);
      return socket;
    };
  };
  replace(net, 'connect');
  replace(net, 'createConnection');
  replace(http.Agent.prototype, 'createConnection');
  replace(https.Agent.prototype, 'createConnection');
  syncBuiltinESMExports();
}
