import { Temporal } from 'temporal-polyfill';
import { nearestName, unknownName } from '../text/nearest-name.ts';

// Current IANA names of zones that the runtime lists under older names.
const renamedZones = [
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Yangon',
  'Asia/Ho_Chi_Minh',
  'Europe/Kyiv',
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Africa/Asmara',
];

/**
 * Returns whether a text is the IANA name of a time zone in its canonical spelling: `UTC`, or an
 * area and a place such as `Asia/Kolkata`.
 *
 * Older IANA names such as `Asia/Calcutta` are accepted, because accounts use them. Abbreviations
 * are refused: `IST` is used in India, Israel and Ireland.
 */
export function isTimeZone(name: string): boolean {
  return (name === 'UTC' || name.includes('/')) && canonicalSpelling(name) === name;
}

/** Makes the message for an unknown time zone. It suggests the zone that was probably meant. */
export function unknownTimeZone(name: string): string {
  const spelled = name.includes('/') ? canonicalSpelling(name) : undefined;
  const known = [
    ...(spelled === undefined ? [] : [spelled]),
    'UTC',
    ...renamedZones,
    ...Intl.supportedValuesOf('timeZone'),
  ];
  // The letters of an abbreviation do not resemble the name of its zone, so a suggestion would be
  // wrong.
  const candidates = nearestName(name, known) === undefined || /^[A-Z0-9]{2,8}$/.test(name) ? [] : known;
  const advice = 'Use the IANA name of a zone, an area and a place, such as Asia/Kolkata or Europe/Berlin, or UTC.';
  return unknownName(name, 'a time zone', candidates, advice);
}

function canonicalSpelling(name: string): string | undefined {
  // Offsets such as +05:30 are not names.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}
