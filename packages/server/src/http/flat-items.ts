const code = { quote: 0x22, openArray: 0x5b, backslash: 0x5c, openObject: 0x7b, closeObject: 0x7d } as const;

// The white space of JSON, which is less than that of \s.
const head = /^[ \t\n\r]*\{[ \t\n\r]*"data"[ \t\n\r]*:[ \t\n\r]*\[[ \t\n\r]*(?=\{)/;
const separator = /[ \t\n\r]*,[ \t\n\r]*(?=\{)/y;
const tail = /[ \t\n\r]*\][ \t\n\r]*\}[ \t\n\r]*$/y;

/**
 * Gives the items of a JSON text of the form `{"data": [item, …]}`, whose items are objects of scalars, to `take`, one text at a time in order.
 *
 * False when the text has another form, or `take` says that it needs no more. What is an item here is one for JSON.parse of the whole text as
 * well, provided that each item is valid JSON, which `take` has to see to; so the two cannot disagree.
 */
export function takeFlatItems(text: string, take: (item: string) => boolean): boolean {
  const begin = head.exec(text);
  if (begin === null) return false;
  let from = begin[0].length;
  for (;;) {
    const end = endOfFlatObject(text, from);
    if (end === -1 || !take(text.slice(from, end))) return false;
    // Nearly always there is a comma and nothing else.
    if (text.charCodeAt(end) === 0x2c && text.charCodeAt(end + 1) === code.openObject) from = end + 1;
    else {
      separator.lastIndex = end;
      if (!separator.test(text)) {
        tail.lastIndex = end;
        return tail.test(text);
      }
      from = separator.lastIndex;
    }
  }
}

/** Where the object ends that begins at a place; -1 when it has an object or array within, or no end. */
function endOfFlatObject(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case code.quote:
        at = endOfString(text, at);
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
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === code.backslash) before--;
  return (at - before) % 2 === 1;
}
