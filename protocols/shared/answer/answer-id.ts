/**
 * The id of an answer in the spelling of the client's protocol: "msg_01X" becomes "chatcmpl-01X" and back.
 * @param id the upstream's id, "" when it gave none.
 * @param fallback used when the upstream gave none.
 * @param prefix what ids of the client's protocol start with.
 */
export const answerId = (id: string, fallback: string, prefix: string): string => {
  if (id === "") return fallback;
  return id.startsWith(prefix) ? id : prefix + id.replace(/^(?:chatcmpl-|msg_|resp_)/, "");
};
