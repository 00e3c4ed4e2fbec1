import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askService, type ControlSocket, openControlSocket } from './control-socket.ts';

let folder: string;
let control: ControlSocket | null;
const onLeave = vi.fn(async () => undefined);
beforeEach(async () => {
  onLeave.mockClear();
  folder = mkdtempSync(join(tmpdir(), 'goodword-control-'));
  control = await openControlSocket(folder, {
    copy: async () => ({ response: { folder: 'a' }, onLeave }),
    fail: () => Promise.reject(new Error('The disk is full.')),
  });
});
afterEach(async () => {
  await control?.close();
  rmSync(folder, { recursive: true });
});

test('a response is valid until the client disconnects', async () => {
  const { response, isConnected, disconnect } = await askService(folder, 'copy');
  expect(response).toEqual({ folder: 'a' });
  expect([isConnected(), onLeave.mock.calls.length]).toEqual([true, 0]);
  await disconnect();
  expect(onLeave).toHaveBeenCalledTimes(1);
});

test('a service that stops does what is left to do, and whoever asked knows that it is gone', async () => {
  const { isConnected, disconnect } = await askService(folder, 'copy');
  await control?.close();
  expect(onLeave).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(isConnected()).toBe(false), 10_000);
  await disconnect();
});

test('an error and an unknown request are reported to the client', async () => {
  await expect(askService(folder, 'fail')).rejects.toThrow('The disk is full.');
  await expect(askService(folder, 'move')).rejects.toThrow('Unknown request.');
  await control?.close();
  control = null;
  await expect(askService(folder, 'copy')).rejects.toThrow(/ENOENT|ECONNREFUSED/);
  expect(onLeave).not.toHaveBeenCalled();
});
