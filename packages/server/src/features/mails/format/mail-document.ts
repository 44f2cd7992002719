/** One block of a mail. Its texts are plain: they are escaped, and kept to one line, when the mail is rendered. */
export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Names and values; rows without a value are left out. */
  | { readonly kind: 'facts'; readonly facts: readonly MailFact[] }
  /** Something to open: in HTML a link that reads `label`, in plain text the address. Only `http:` and `https:` become links. */
  | { readonly kind: 'link'; readonly label: string; readonly url: string };

/** A name and its value. */
export type MailFact = readonly [name: string, value: string | undefined];

/** What a template makes of its data: a mail without its form. One description gives both the plain text and the HTML. */
export interface MailDocument {
  /** Subject and heading, such as `The export of the list “Newsletter” is ready`. */
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  /** Why the reader gets this mail. */
  readonly footer: string;
}

/** A mail as it is stored and sent. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
