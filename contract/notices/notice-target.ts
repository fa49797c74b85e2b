/** A field of a target to tell people something. */
export interface TargetField {
  /**
   * "url" is shown to the person who set it; "secret" and "secret-url" (an address that is itself the credential) are stored sealed and
   * never sent back.
   */
  type: "text" | "url" | "secret" | "secret-url";
  /** May be left empty. */
  isOptional?: true;
  /** Used in place of an empty value. */
  default?: string;
  /** Required form: a value in an address or a header must not lead elsewhere. */
  pattern?: RegExp;
}

/** A target to tell people something: all that the browser may know of it. */
export interface NoticeTargetOf<Name extends string, Fields extends Readonly<Record<string, TargetField>>> {
  /** Small letters: stored, and part of the names of its texts. */
  name: Name;
  /** Title; languages with another name have their own text. */
  title: string;
  /** In the order of the form. */
  fields: Fields;
}

export const defineNoticeTarget = <
  const Name extends string,
  const Fields extends Readonly<Record<string, TargetField>>,
>(
  target: NoticeTargetOf<Name, Fields>,
): NoticeTargetOf<Name, Fields> => target;

/** Characters safe in a header: letters, digits and signs of ASCII, without blanks. */
export const HEADER_SAFE = /^[\x21-\x7e]+$/;
