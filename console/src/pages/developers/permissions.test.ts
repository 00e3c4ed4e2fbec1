import { PERMISSION_PRESETS } from '@goodword/sdk';
import { describe, expect, test } from 'vitest';
import {
  PERMISSIONS,
  PRESETS,
  type Preset,
  permissionsIn,
  presetOf,
  stateOfKey,
} from './permissions.ts';

describe('permissions of keys', () => {
  test('every permission and preset is explained', () => {
    expect(Object.keys(PERMISSIONS).sort()).toEqual([...PERMISSION_PRESETS.full].sort());
    expect(Object.keys(PRESETS).sort()).toEqual(Object.keys(PERMISSION_PRESETS).sort());
  });

  test.each(Object.keys(PERMISSION_PRESETS) as Preset[])('%s is known by its list', (preset) => {
    expect(presetOf(permissionsIn(preset).toReversed())).toBe(preset);
  });

  test('one more or one less is no preset', () => {
    expect(presetOf(permissionsIn('backend').slice(1))).toBeNull();
    expect(presetOf([...permissionsIn('fulfillment'), 'payouts:write'])).toBeNull();
  });
});

describe('a key', () => {
  const at = (iso: string) => Date.parse(iso);
  const noon = '2026-11-15T12:00:00.000Z';
  test.each([
    [{ expiresAt: null, revokedAt: null }, 'Active', false],
    [{ expiresAt: '2026-11-15T12:00:00.001Z', revokedAt: null }, 'Ends', false],
    [{ expiresAt: noon, revokedAt: null }, 'Expired', true],
    [{ expiresAt: '2027-01-01T00:00:00.000Z', revokedAt: noon }, 'Revoked', true],
  ])('%j is %s', (key, label, isOver) => {
    expect(stateOfKey(key, at(noon))).toMatchObject({ label, isOver });
  });
});
