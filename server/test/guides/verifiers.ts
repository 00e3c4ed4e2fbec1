import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request as a receiver gets it, and the secret that it has. */
export interface Received {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A language in which docs/webhooks.md shows how to verify requests. */
export interface Verifier {
  readonly language: string;
  readonly title: string;
  /** The Debian package of the program that runs it. */
  readonly debian: string;
  readonly version: readonly string[];
  /** The files of a program that has the guide's code and reads requests from its input. */
  readonly files: (code: string) => Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

const GO_MAIN = `package main

import (
	"encoding/json"
	"net/http"
	"os"

	"example.com/receiver/webhooks"
)

func main() {
	var requests []struct {
		Secret  string
		Headers map[string]string
		Body    []byte
	}
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, request := range requests {
		headers := http.Header{}
		for name, value := range request.Headers {
			headers.Set(name, value)
		}
		results = append(results, webhooks.IsFromGoodword(request.Secret, headers, request.Body))
	}
	json.NewEncoder(os.Stdout).Encode(results)
}
`;

export const VERIFIERS: readonly Verifier[] = [
  {
    language: 'js',
    title: 'JavaScript',
    debian: 'nodejs',
    version: ['node', '--version'],
    files: (code) => ({
      'main.mjs': `${code}
import { text } from 'node:stream/consumers';
const requests = JSON.parse(await text(process.stdin));
const results = requests.map(({ secret, headers, body }) =>
  isFromGoodword(secret, headers, Buffer.from(body, 'base64')));
console.log(JSON.stringify(results));`,
    }),
    command: ['node', 'main.mjs'],
  },
  {
    language: 'python',
    title: 'Python',
    debian: 'python3',
    version: ['python3', '--version'],
    files: (code) => ({
      'main.py': `${code}

import json, sys
print(json.dumps([
    is_from_goodword(one['secret'], one['headers'], base64.b64decode(one['body']))
    for one in json.load(sys.stdin)
]))`,
    }),
    command: ['python3', 'main.py'],
  },
  {
    language: 'php',
    title: 'PHP',
    debian: 'php-cli',
    version: ['php', '--version'],
    files: (code) => ({
      'main.php': `<?php
${code}
$requests = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(
    fn ($one) => is_from_goodword($one['secret'], $one['headers'], base64_decode($one['body'])),
    $requests,
));`,
    }),
    command: ['php', '-d', 'display_errors=stderr', 'main.php'],
  },
  {
    language: 'ruby',
    title: 'Ruby',
    debian: 'ruby',
    version: ['ruby', '--version'],
    files: (code) => ({
      'main.rb': `${code}
require 'json'
requests = JSON.parse($stdin.read)
results = requests.map { |one| from_goodword?(one['secret'], one['headers'], one['body'].unpack1('m')) }
puts JSON.generate(results)`,
    }),
    command: ['ruby', '-w', 'main.rb'],
  },
  {
    language: 'go',
    title: 'Go',
    debian: 'golang-go',
    version: ['go', 'version'],
    files: (code) => ({
      'go.mod': 'module example.com/receiver\n\ngo 1.19\n',
      'main.go': GO_MAIN,
      'webhooks/verify.go': code,
    }),
    command: ['go', 'run', '.'],
  },
];

export function isInstalled({ version: [program = '', ...args] }: Verifier): boolean {
  return spawnSync(program, args).status === 0;
}

/** What the guide's code says of each request. Anything that it prints besides is a fault. */
export function verifyWith(
  verifier: Verifier,
  given: { readonly code: string; readonly folder: string },
  requests: readonly Received[],
): unknown {
  for (const [name, text] of Object.entries(verifier.files(given.code))) {
    mkdirSync(join(given.folder, name, '..'), { recursive: true });
    writeFileSync(join(given.folder, name), text);
  }
  const input = JSON.stringify(
    requests.map((one) => ({ ...one, body: Buffer.from(one.body).toString('base64') })),
  );
  const [program = '', ...args] = verifier.command;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: given.folder,
    encoding: 'utf8',
    // Go keeps what it compiled below its home.
    env: { PATH: process.env.PATH ?? '', HOME: given.folder, GOFLAGS: '-modcacherw' },
    input,
  });
  if (status !== 0 || stderr !== '') {
    throw new Error(`${verifier.title} ended with ${status}:\n${stderr}${stdout}`);
  }
  return JSON.parse(stdout);
}
