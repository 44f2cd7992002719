const code = {
  tab: 0x09,
  lineFeed: 0x0a,
  quote: 0x22,
  comma: 0x2c,
  openArray: 0x5b,
  backslash: 0x5c,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

// The white space of JSON, which is less than that of \s.
const head = /^[ \t\n\r]*\{[ \t\n\r]*"data"[ \t\n\r]*:[ \t\n\r]*\[$/;
const tail = /^[ \t\n\r]*\][ \t\n\r]*\}[ \t\n\r]*$/;
// No body that a program writes has a longer head or tail; what people write by hand is read as a whole.
const longest = 1024;

/** Takes the item whose JSON begins at a place; answers the place behind it, or -1 when it needs no more. */
export type TakeItem = (body: Buffer, from: number) => number;

/**
 * Gives the items of a JSON body of the form `{"data": [item, …]}`, whose items are objects, to `take`, one at a time in order.
 *
 * False when the body has another form, or `take` says so. What is read here is read by JSON.parse of the whole body as well, provided that each
 * item is valid JSON, which `take` has to see to; so the two cannot disagree.
 */
export function takeFlatItems(body: Buffer, take: TakeItem): boolean {
  const open = body.subarray(0, longest).indexOf(code.openArray);
  if (open === -1 || !head.test(body.toString('latin1', 0, open + 1))) return false;
  for (let at = open; ;) {
    // Behind the bracket, and then behind each comma.
    const from = skipSpaces(body, at + 1);
    if (body[from] !== code.openObject) return false;
    const end = take(body, from);
    if (end === -1) return false;
    at = skipSpaces(body, end);
    if (body[at] !== code.comma) return body.length - at <= longest && tail.test(body.toString('latin1', at));
  }
}

/**
 * Gives the objects of a body with one a line to `take`, in order; lines that are blank are left out. False when a line has something else, or
 * `take` says so.
 */
export function takeLines(body: Buffer, take: TakeItem): boolean {
  for (let from = 0; from < body.length;) {
    const lineFeed = body.indexOf(code.lineFeed, from);
    const end = lineFeed === -1 ? body.length : lineFeed;
    const begin = skipSpaces(body, from);
    if (begin < end) {
      if (body[begin] !== code.openObject) return false;
      const behind = take(body, begin);
      if (behind === -1 || behind > end || skipSpaces(body, behind) < end) return false;
    }
    from = end + 1;
  }
  return true;
}

/** The first place from a place on that is no white space of JSON. */
export function skipSpaces(body: Buffer, from: number): number {
  let at = from;
  // Nearly always there is none.
  for (
    let byte = body[at];
    byte === 0x20 || byte === code.lineFeed || byte === 0x0d || byte === code.tab;
    byte = body[at]
  )
    at++;
  return at;
}

/** Where the object ends that begins at a place; -1 when it has an object or array within, or no end. */
export function endOfFlatObject(body: Buffer, start: number): number {
  for (let at = start + 1; at < body.length; at++) {
    switch (body[at]) {
      case code.quote:
        at = endOfString(body, at);
        if (at === -1) return -1;
        break;
      case code.closeObject:
        return at + 1;
      case code.openObject:
      case code.openArray:
        return -1;
      default:
    }
  }
  return -1;
}

/** The place of the quote that ends the string which begins at `start`; -1 when there is none. */
function endOfString(body: Buffer, start: number): number {
  for (let at = start + 1; at < body.length; at++) {
    if (body[at] === code.quote) return at;
    // Whatever it stands before is part of the string.
    if (body[at] === code.backslash) at++;
  }
  return -1;
}
