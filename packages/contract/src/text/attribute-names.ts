/** Form of the name of an attribute, in upper case. */
export const attributeNamePattern = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * Names that no attribute may have: the config and audience fields of a search, in upper case. An attribute of the same
 * name would make a search ambiguous.
 */
export const reservedAttributeNames = [
  'IDENTITY',
  'CONTACT_ID',
  'CONTACT_TYPE',
  'CREATED_AT',
  'UPDATED_AT',
  'EMAIL',
  'MOBILE',
  'EMAIL_OPTED_OUT',
  'SMS_OPTED_OUT',
  'WHATSAPP_OPTED_OUT',
  'LIST_ID',
  'SEGMENT_ID',
] as const;

/** The attributes that every account has from the start: a custom attribute can be mapped to one of them. */
export const systemAttributeNames = [
  'FIRST_NAME',
  'LAST_NAME',
  'GENDER',
  'BIRTH_DATE',
  'CITY',
  'STATE',
  'COUNTRY',
  'POSTAL_CODE',
  'LANGUAGE',
  'TIME_ZONE',
] as const;

/** True for a name, in upper case, that a custom attribute can have. */
export function isAttributeName(name: string): boolean {
  return attributeNamePattern.test(name) && !(reservedAttributeNames as readonly string[]).includes(name);
}

/**
 * A name in the upper case in which names of attributes are stored. Only letters of ASCII are raised, so that no other one becomes one of
 * them: `straße` does not mean `STRASSE`, nor `cıty` `CITY`.
 */
export function raisedName(name: string): string {
  // Nearly all names are of ASCII.
  return /^[ -~]*$/.test(name) ? name.toUpperCase() : name.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}
