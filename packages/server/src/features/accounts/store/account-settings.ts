import { defaultAccountSettings, type AccountSettings, type UpdateAccountBody } from '@roster/contract';

/** Returns all settings of an account, with defaults for those that are not set. */
export function effectiveSettings(settings: AccountSettings): Required<AccountSettings> {
  return { ...defaultAccountSettings, ...settings };
}

/** Applies changes to settings. Null resets a setting to its default. Absent settings stay. */
export function mergeSettings(settings: AccountSettings, changes: UpdateAccountBody['settings'] = {}): AccountSettings {
  const merged = Object.entries({ ...settings, ...changes });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}
