import { defaultAccountSettings, type AccountSettings, type UpdateAccountBody } from '@roster/contract';

/** The settings of an account with the defaults of those that are not set. */
export function effectiveSettings(settings: AccountSettings): Required<AccountSettings> {
  return { ...defaultAccountSettings, ...settings };
}

/** Settings with changes applied: a value sets one, null returns it to its default, absent ones stay. */
export function mergeSettings(settings: AccountSettings, changes: UpdateAccountBody['settings'] = {}): AccountSettings {
  const merged = Object.entries({ ...settings, ...changes });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}
