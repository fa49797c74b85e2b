/**
 * The id of an answer in the format of the client's protocol: "msg_01X" becomes "chatcmpl-01X" and back.
 * @param id the upstream's id, "" when it is missing.
 * @param fallback used when the upstream's id is missing.
 * @param prefix prefix of ids in the client's protocol.
 */
export const answerId = (id: string, fallback: string, prefix: string): string => {
  if (id === "") return fallback;
  return id.startsWith(prefix) ? id : prefix + id.replace(/^(?:chatcmpl-|msg_|resp_)/, "");
};
