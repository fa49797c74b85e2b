/** Required value of a field. */
export type ExpectedValue =
  | "object"
  | "text"
  | "list"
  | "true-or-false"
  | "number-above-0"
  | "text-or-list-of-texts"
  | "text-or-content-parts"
  | "text-or-content-blocks"
  | "web-or-data-address"
  | "tool-choice"
  /** Where the upstream has no built-in tools that could be chosen. */
  | "client-tool-choice";

/** Content of a request besides text. */
export type MediaKind = "images" | "documents" | "images-and-files" | "documents-and-sound" | "sound";

/**
 * Fault of a request. Its sentence is in the server's catalogue (`request-faults.json` in the folder of each language);
 * the other fields are the values that the sentence names. Values from the client may be of any length, and are cut
 * where the sentence is made.
 */
export type RequestFault =
  | { code: "body-not-object" }
  /** Fields that are missing, or hold an invalid value. */
  | { code: "missing"; field: string }
  /** The contract (section 2.2) has it in these words. */
  | { code: "field-missing"; field: string }
  | { code: "file-missing"; field: string }
  | { code: "list-missing"; field: string }
  | { code: "text-or-list-missing"; field: string }
  | { code: "missing-while"; field: string; other: string; value: string }
  | { code: "missing-without"; field: string; other: string }
  | { code: "wrong-type"; field: string; expected: ExpectedValue }
  | { code: "empty"; field: string }
  | { code: "no-whole-number-within"; field: string; min: number; max: number }
  | { code: "no-number-within"; field: string; min: number; max: number }
  | { code: "too-long"; field: string; max: number }
  | { code: "not-one-of"; field: string; allowed: readonly string[] }
  | { code: "unknown-value"; field: string; value: string; allowed: readonly string[] }
  /** Features that the upstream does not support. */
  | { code: "unsupported-field"; field: string }
  | { code: "unsupported-value"; field: string; value: string }
  | { code: "unsupported-value-instead"; field: string; value: string; instead: readonly string[] }
  | { code: "unsupported-tool"; tool: string; instead: string }
  | { code: "unsupported-part"; part: string }
  | { code: "unsupported-file-type"; type: string }
  | { code: "unsupported-media"; media: MediaKind }
  | { code: "file-too-large"; field: string; maxMib: number }
  | { code: "images-unsupported" }
  | { code: "tools-unsupported" }
  | { code: "search-unsupported" }
  | { code: "compaction-unsupported" }
  | { code: "templates-unsupported"; field: string }
  | { code: "several-answers"; field: string }
  | { code: "other-answers-than-text" }
  | { code: "too-many-pictures"; max: number }
  | { code: "no-such-ratio"; field: string; allowed: readonly string[] }
  | { code: "texts-only"; field: string }
  | { code: "media-as-data-only"; media: MediaKind }
  /** Content in a wrong place, or without something that it needs beside it. */
  | { code: "text-parts-only"; holder: string }
  | { code: "tool-result-parts" }
  | { code: "nothing-to-send" }
  | { code: "no-question" }
  | { code: "result-without-call"; id: string }
  | { code: "call-without-result"; id: string }
  | { code: "function-message-without-call" }
  | { code: "model-not-in-address"; address: string }
  | { code: "model-differs-from-address" }
  /** Content that is kept elsewhere, or would have to be kept here. */
  | { code: "foreign-file-id" }
  | { code: "foreign-file-address" }
  | { code: "responses-not-stored"; field: string }
  | { code: "background-not-stored"; field: string }
  | { code: "items-not-stored" }
  /** Images and documents that are fetched for the upstream; the path behind the host may be a secret of the client. */
  | { code: "too-many-media-addresses"; max: number }
  | { code: "media-of-unknown-type"; host: string }
  | { code: "media-too-late"; host: string }
  | { code: "media-out-of-reach"; host: string }
  | { code: "media-refused"; host: string; status: number }
  | { code: "media-too-large"; host: string; maxMib: number }
  /** Features that are billed apart from tokens and have no price. */
  | { code: "tier-without-price"; field: string; value: string }
  | { code: "tool-without-price"; tool: string }
  /** Forms that cannot be read, or can be read in two ways. */
  | { code: "not-a-form" }
  | { code: "form-incomplete" }
  | { code: "form-boundary-unnamed" }
  | { code: "form-boundary-absent" }
  | { code: "form-boundary-misplaced" }
  | { code: "form-header-unreadable" }
  | { code: "form-header-twice"; name: string }
  | { code: "form-part-unnamed" }
  | { code: "form-part-encoded" }
  | { code: "form-part-nested" }
  | { code: "form-field-twice"; name: string }
  | { code: "form-field-not-utf8"; name: string }
  | { code: "form-field-misnamed"; name: string; other: string }
  | { code: "form-field-is-file"; name: string }
  | { code: "form-name-not-ascii" }
  | { code: "form-too-many-parts"; max: number }
  | { code: "form-fields-too-large"; max: number };

export type RequestFaultCode = RequestFault["code"];
