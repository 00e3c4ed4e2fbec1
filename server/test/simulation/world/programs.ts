import type { Policy, Terms } from '../model/facts.ts';
import type { Answer } from '../process/service-process.ts';
import type { Api } from './api.ts';
import { externalIdOf } from './names.ts';
import type { Operation, ProgramSpec, RuleSpec, StartSpec } from './operations.ts';
import type { Reader, Wire } from './reader.ts';
import { toWire } from './to-wire.ts';

interface MadeRule {
  readonly id: string;
  readonly spec: RuleSpec;
  readonly versions: { readonly effectiveAt: string; readonly terms: Terms }[];
}

export interface MadeProgram {
  readonly id: string;
  readonly spec: ProgramSpec;
  readonly rules: MadeRule[];
  readonly statuses: { readonly from: string; readonly status: string }[];
  readonly policies: { readonly effectiveAt: string; readonly policy: Policy }[];
}

/** How much of its history was acknowledged. */
export interface KnownHistory {
  readonly statuses: number;
  readonly policies: number;
  readonly versions: readonly number[];
}

type Change = Operation & { readonly kind: 'terms' | 'status' | 'policy' };

/** The programs of a world, and what operators change about them. */
export class Programs {
  readonly made: MadeProgram[] = [];
  readonly #api: Api;
  readonly #reader: Reader;

  constructor(api: Api, reader: Reader) {
    this.#api = api;
    this.#reader = reader;
  }

  idOf(program: number): string {
    return this.made[program]?.id ?? '';
  }

  async make(spec: ProgramSpec): Promise<void> {
    const api = this.#api;
    const isLoyalty = spec.kind === 'loyalty';
    const { data } = await api.ok('POST', '/v1/programs', {
      kind: spec.kind ?? 'referral',
      name: spec.key,
      // Nobody comes to loyalty by a link.
      ...(isLoyalty ? {} : { config: configOf(spec) }),
    });
    const settings = { holdDays: spec.holdDays, ...spec.methods };
    await api.ok('PUT', `/v1/programs/${data.id}/delivery-settings`, settings);
    const rules: MadeRule[] = [];
    for (const rule of spec.rules) rules.push(await this.#makeRule(data.id, rule));
    if (spec.bindsBy)
      await api.ok('POST', `/v1/programs/${data.id}/attribution-policies`, {
        model: 'last_touch',
        windowDays: 90,
        bindingTrigger: spec.bindsBy,
      });
    if (spec.risk)
      await api.ok('POST', `/v1/programs/${data.id}/risk-policies`, {
        mode: 'review',
        ...spec.risk,
      });
    const active = await api.ok('POST', `/v1/programs/${data.id}/status`, { status: 'active' });
    const policies = isLoyalty
      ? { data: [] }
      : await this.#reader.read(`/v1/programs/${data.id}/attribution-policies`);
    this.made.push({
      policies: policies.data.map(({ effectiveAt, model, windowDays, bindingTrigger }: Wire) => ({
        effectiveAt,
        policy: { model, windowDays, bindingTrigger },
      })),
      id: data.id,
      spec,
      rules,
      statuses: [{ from: active.data.updatedAt, status: 'active' }],
    });
  }

  /** What people had brought before. Receivers are there by then: they are told of everybody who is new. */
  async importStarts(): Promise<void> {
    for (const { id, spec } of this.made)
      if (spec.starts?.length) await this.#importOf(id, spec.starts);
  }

  async #importOf(programId: string, starts: readonly StartSpec[]): Promise<void> {
    const rows = starts.map(({ person, referrals, purchases, revenueMinor }) => ({
      externalId: externalIdOf(person),
      startingMeasures: {
        referrals,
        purchases,
        revenue: [{ currency: 'USD', amountMinor: revenueMinor }],
      },
    }));
    const { data } = await this.#api.ok('POST', '/v1/imports/rows', { programId, rows });
    if (data.counts.invalid > 0) throw new Error(`A file is invalid: ${JSON.stringify(data)}`);
  }

  async #makeRule(programId: string, spec: RuleSpec): Promise<MadeRule> {
    const { eventType, role: beneficiaryRole, purpose, key: name, terms } = spec;
    const { data } = await this.#api.ok('POST', '/v1/benefit-rules', {
      programId,
      eventType,
      beneficiaryRole,
      purpose,
      name,
      terms: toWire(terms),
    });
    return { id: data.id, spec, versions: [{ effectiveAt: data.initialEffectiveAt, terms }] };
  }

  async change(change: Change): Promise<Answer | null> {
    const program = this.made[change.program];
    if (!program) return null;
    const path = `/v1/programs/${program.id}`;
    switch (change.kind) {
      case 'terms': {
        const { terms, id } = change;
        const rule = program.rules[change.rule];
        if (!rule) return null;
        const body = { terms: toWire(terms) };
        const answer = await this.#api.postOnce(`/v1/benefit-rules/${rule.id}/terms`, body, id);
        if (answer.status === 200)
          rule.versions.push({ effectiveAt: answer.body.data.effectiveAt, terms });
        return answer;
      }
      case 'status': {
        const { status, id } = change;
        const answer = await this.#api.postOnce(`${path}/status`, { status }, id);
        if (answer.status === 200)
          program.statuses.push({ from: answer.body.data.updatedAt, status });
        return answer;
      }
      default: {
        const { policy, id } = change;
        const answer = await this.#api.postOnce(`${path}/attribution-policies`, policy, id);
        if (answer.status === 200)
          program.policies.push({ effectiveAt: answer.body.data.effectiveAt, policy });
        return answer;
      }
    }
  }

  remember(): KnownHistory[] {
    return this.made.map(({ statuses, policies, rules }) => ({
      statuses: statuses.length,
      policies: policies.length,
      versions: rules.map(({ versions }) => versions.length),
    }));
  }

  /** Forgets what was changed since. */
  goBack(known: readonly KnownHistory[]): void {
    for (const [at, { statuses, policies, rules }] of this.made.entries()) {
      const before = known[at];
      statuses.length = before?.statuses ?? 0;
      policies.length = before?.policies ?? 0;
      for (const [rule, { versions }] of rules.entries())
        versions.length = before?.versions[rule] ?? 0;
    }
  }
}

const configOf = ({ kind }: ProgramSpec) => ({
  brandConfig: { landingPageUrl: 'https://example.com' },
  ...(kind === 'affiliate' ? { partnerApplicationsOpen: true } : {}),
});
