/*
 * A vendor seals the reasoning of its models and requires the seal back unchanged; every other vendor refuses it. The
 * canonical request therefore marks the owner of a seal: Anthropic's is unchanged, the others' have their owner's name
 * as a prefix. In a client's conversation a foreign seal is wrapped, in the field where the client keeps its own.
 */

/** The owner of a seal other than Anthropic's. */
export type SealOwner = "gemini" | "openai";

/** The content of a client's field for seals. */
export type Sealed = { signature: string } | { redactedData: string };

const WRAP = "tollgate:";
/** Nine bytes are exactly twelve characters of base64, so the prefix alone identifies a wrapped seal. */
const WRAPPED = Buffer.from(WRAP).toString("base64");

/** The canonical signature for a vendor's own seal. */
export const markSeal = (owner: SealOwner, seal: string): string => `${owner}.${seal}`;

/** The vendor's own seal in a canonical signature; undefined when another person made it. */
export const ownSeal = (owner: SealOwner, signature: string): string | undefined =>
  signature.startsWith(`${owner}.`) ? signature.slice(owner.length + 1) : undefined;

/** Whether a canonical signature is Anthropic's own. */
export const isAnthropicSeal = (signature: string): boolean => !/^(?:gemini|openai)\./.test(signature);

/** A canonical signature for a client of `owner`'s protocol: its vendor's seal as it is, any other wrapped in base64. */
export const encodeSeal = (owner: SealOwner, signature: string): string =>
  ownSeal(owner, signature) ?? wrap(`seal:${signature}`);

/** Reasoning that only its vendor can read, for a client whose protocol cannot express it. */
export const encodeRedacted = (data: string): string => wrap(`redacted:${data}`);

/** @see encodeSeal and encodeRedacted */
export const decodeSeal = (owner: SealOwner, slot: string): Sealed => {
  if (!slot.startsWith(WRAPPED)) return { signature: markSeal(owner, slot) };
  const text = Buffer.from(slot, "base64").toString("utf8").slice(WRAP.length);
  return text.startsWith("redacted:")
    ? { redactedData: text.slice("redacted:".length) }
    : { signature: text.slice("seal:".length) };
};

/** Whether the content of a client's field for seals belongs to another vendor than that of the client's protocol. */
export const isForeignSlot = (slot: unknown): boolean => typeof slot === "string" && slot.startsWith(WRAPPED);

const wrap = (text: string): string => Buffer.from(WRAP + text).toString("base64");
