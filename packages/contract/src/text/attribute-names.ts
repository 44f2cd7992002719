/** Form of the name of an attribute, after conversion to upper case. */
export const attributeNamePattern = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * Names that an attribute must not have: the config and audience fields of a search, in upper case.
 * An attribute with such a name would make a search ambiguous.
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

/** The attributes that every account has. A custom attribute can be mapped to one of them. */
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

/** Returns whether a custom attribute can have a name. The name is in upper case. */
export function isAttributeName(name: string): boolean {
  return attributeNamePattern.test(name) && !(reservedAttributeNames as readonly string[]).includes(name);
}

/**
 * Converts the name of an attribute to upper case, which is how names are stored.
 *
 * Only the letters a to z change, so that two different names stay different: `straße` must not
 * become `STRASSE`, and `cıty` must not become `CITY`.
 */
export function upperCaseName(name: string): string {
  // The fast path for ASCII, which nearly all names are.
  return /^[ -~]*$/.test(name) ? name.toUpperCase() : name.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}
