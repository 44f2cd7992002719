/**
 * One block of a mail. Its texts are plain text: rendering escapes them and makes each one line.
 */
export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Names and values. Facts without a value are left out. */
  | { readonly kind: 'facts'; readonly facts: readonly MailFact[] }
  /**
   * A link. The plain text shows the label and the URL. Only `http:` and `https:` become HTML
   * links.
   */
  | { readonly kind: 'link'; readonly label: string; readonly url: string };

/** A name and its value. */
export type MailFact = readonly [name: string, value: string | undefined];

/** The content of a mail, from which both the plain text and the HTML are rendered. */
export interface MailDocument {
  /** Subject and heading, such as `The export of the list “Newsletter” is ready`. */
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  /** Says why the reader gets this mail. */
  readonly footer: string;
}

/** A mail as it is stored and sent. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
