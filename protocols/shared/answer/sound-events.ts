import type { ToldTokens } from "@tollgate/contract/relay/operation";

/* Sound in events of OpenAI's shape: https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event */

/** Sound in one event: a number of bytes that base64 needs no padding for. */
const EVENT_BYTES = 48 * 1024;

const writeEvent = (event: Readonly<Record<string, unknown>>): string => `data: ${JSON.stringify(event)}\n\n`;

/** The events of some sound. */
export const writeSoundDelta = (sound: Uint8Array): string => {
  const bytes = Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength);
  let events = "";
  for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
    const audio = bytes.toString("base64", at, at + EVENT_BYTES);
    events += writeEvent({ type: "speech.audio.delta", audio });
  }
  return events;
};

/** The last event. @param tokens what is charged; undefined where that is no tokens. */
export const writeSoundDone = (tokens: ToldTokens | undefined): string => {
  const usage = tokens && {
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    total_tokens: tokens.input + tokens.output,
  };
  return writeEvent({ type: "speech.audio.done", ...(usage && { usage }) });
};
