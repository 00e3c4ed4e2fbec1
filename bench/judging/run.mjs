// The processor time of a signup that is judged for risk, and of one that is not. See ../README.md.
import { parseArgs } from 'node:util';
import { startCluster } from '../kit/cluster.mjs';
import { drive, warmUp } from '../kit/drive.mjs';
import { makeTemplate } from '../kit/projects.mjs';
import { callService, onPostgres, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';

/** 95 of 100 intervals of so many standard errors contain the true mean. */
const STANDARD_ERRORS = 1.96;

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '20' },
  },
});

const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** The geometric mean of ratios, with its 95% interval. */
function summarize(ratios) {
  const logs = ratios.map(Math.log);
  const middle = mean(logs);
  const variance =
    logs.reduce((sum, one) => sum + (one - middle) ** 2, 0) / Math.max(1, logs.length - 1);
  const error = STANDARD_ERRORS * Math.sqrt(variance / logs.length);
  const [low, value, high] = [middle - error, middle, middle + error].map((log) =>
    Math.exp(log).toFixed(3),
  );
  return { ratio: value, 'lowest of 95%': low, highest: high };
}

async function makeTarget(service, side) {
  const target = await makeTemplate(service);
  const { programId, projectId, key } = target;
  if (side === 'unjudged') {
    const body = { projectId, mode: 'off' };
    await callService(service, 'POST', `/v1/programs/${programId}/risk-policies`, { body, key });
  }
  return target;
}

const cluster = await startCluster();
let service;
try {
  service = await startService(onPostgres(cluster));
  // Rows of the last Project are cheaper to insert, because they end the indexes: each side has a first and a second one,
  // and the last belongs to neither.
  const targets = { judged: [], unjudged: [] };
  for (const side of ['judged', 'unjudged', 'unjudged', 'judged']) {
    targets[side].push(await makeTarget(service, side));
  }
  const last = await makeTarget(service, 'judged');
  await warmUp([service], [...targets.judged, ...targets.unjudged, last]);
  const load = {
    services: [service],
    cluster,
    connections: Number(options.connections),
    seconds: Number(options.seconds),
  };
  const rounds = [];
  // The first round warms up. What a burst leaves behind slows the next, so each side begins every other round.
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    const sides = round % 2 === 0 ? ['judged', 'unjudged'] : ['unjudged', 'judged'];
    const pair = Math.floor(round / 2) % 2;
    const measured = {};
    for (const side of sides) {
      measured[side] = await drive({ ...load, targets: [targets[side][pair]] });
    }
    if (round > 0) rounds.push(measured);
  }
  const cpuOf = {
    service: ({ serviceCpuMs }) => serviceCpuMs,
    database: ({ databaseCpuMs }) => databaseCpuMs,
    both: ({ serviceCpuMs, databaseCpuMs }) => serviceCpuMs + databaseCpuMs,
  };
  const batchOf = (side) => mean(rounds.map((round) => round[side].batchSize)).toFixed(1);
  console.log(`${options.connections} connections, ${rounds.length} rounds; CPU ms per signup`);
  console.log(`Signups in a batch: ${batchOf('judged')} and ${batchOf('unjudged')}.`);
  printTable(
    Object.entries(cpuOf).map(([name, cpu]) => ({
      process: name,
      judged: mean(rounds.map((round) => cpu(round.judged))).toFixed(3),
      'not judged': mean(rounds.map((round) => cpu(round.unjudged))).toFixed(3),
      ...summarize(rounds.map((round) => cpu(round.judged) / cpu(round.unjudged))),
    })),
  );
} finally {
  await service?.stop();
  await cluster.stop();
}
