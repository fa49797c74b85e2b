import type { RequestFault } from "@tollgate/contract/relay/request-fault";
import type { Catalogue } from "./catalogue";
import { fillText } from "./fill-text";

/** Maximum length of a client's text in a message, in UTF-16 units. */
const MAX_SHOWN_CHARACTERS = 200;

/** A text of the client's, cut where it is long. */
export const cutText = (text: string): string =>
  text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;

const formatValue = (value: unknown): string =>
  Array.isArray(value) ? value.join(", ") : cutText(String(value));

/** Describes a fault in a request, in one language. */
export const formatRequestFault = (
  { requestFaults, expectedValues, mediaKinds }: Catalogue,
  { code, ...values }: RequestFault,
): string => {
  const said: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) said[name] = formatValue(value);
  if ("expected" in values) said.expected = expectedValues[values.expected];
  if ("media" in values) said.media = mediaKinds[values.media];
  return fillText(requestFaults[code], said);
};
