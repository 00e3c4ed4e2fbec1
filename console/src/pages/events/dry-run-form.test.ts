import { describe, expect, it } from 'vitest';
import { type DryRunForm, EMPTY_FORM, readDryRun } from './dry-run-form.ts';

const read = (changes: Partial<DryRunForm>) =>
  readDryRun(
    'prj_1',
    { ...EMPTY_FORM, externalId: 'ada', sourceNamespaceId: 'src_1', ...changes },
    'dry-run-1',
  );
const bodyOf = (changes: Partial<DryRunForm>) => {
  const answer = read(changes);
  if ('faults' in answer) throw new Error(JSON.stringify(answer.faults));
  return answer.body;
};
const faultsOf = (changes: Partial<DryRunForm>) => {
  const answer = read(changes);
  return 'faults' in answer ? Object.keys(answer.faults) : [];
};

describe('what a dry run sends', () => {
  it('is a signup with code and handle only where they are given', () => {
    const bare = { projectId: 'prj_1', sourceNamespaceId: 'src_1', type: 'signup' };
    const participant = { kind: 'individual', externalId: 'ada' };
    expect(bodyOf({})).toEqual({ ...bare, participant });
    expect(bodyOf({ refCode: 'bob', handle: 'hdl_1' })).toEqual({
      ...bare,
      participant,
      refCode: 'bob',
      identify: { handle: 'hdl_1' },
    });
  });

  it('is a purchase in minor units, and carries no browser data', () => {
    const body = bodyOf({ type: 'purchase', amount: '27,30', currency: 'EUR', refCode: 'bob' });
    expect(body).toMatchObject({
      type: 'purchase',
      sourceEventId: 'dry-run-1',
      purchase: { amountMinor: '2730', currency: 'EUR', currencyExponent: 2 },
    });
    expect(body).not.toHaveProperty('refCode');
  });

  it('leaves the purchase out where no amount is known', () => {
    expect(bodyOf({ type: 'purchase' })).not.toHaveProperty('purchase');
  });

  it('names who created a group, and nobody for a person', () => {
    expect(bodyOf({ kind: 'group', actorExternalId: 'bob' }).actor).toEqual({
      kind: 'individual',
      externalId: 'bob',
    });
    expect(bodyOf({ kind: 'individual', actorExternalId: 'bob' })).not.toHaveProperty('actor');
  });

  it('puts custom_ before a type of your own', () => {
    expect(bodyOf({ type: 'custom', customType: 'review_written' }).type).toBe(
      'custom_review_written',
    );
  });
});

describe('what a dry run refuses before it is sent', () => {
  it.each([
    [{ externalId: '  ' }, ['externalId']],
    [{ type: 'custom' as const, customType: 'Review!' }, ['customType']],
    [{ type: 'purchase' as const, amount: '1.234', currency: 'EUR' }, ['amount']],
    [{ type: 'purchase' as const, amount: '1.5', currency: 'JPY' }, ['amount']],
    [{ type: 'purchase' as const, amount: '1', currency: 'XXX' }, ['currency']],
    [{ sourceNamespaceId: '' }, ['sourceNamespaceId']],
  ])('%j', (changes, fields) => {
    expect(faultsOf(changes)).toEqual(fields);
  });
});
