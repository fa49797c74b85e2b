/** The API version is a header: https://cloud.tencent.com/document/product/1729/105701. */
export const actionHeaders = (action: "ChatCompletions" | "GetEmbedding"): Record<string, string> => ({
  "content-type": "application/json; charset=utf-8",
  "x-tc-action": action,
  "x-tc-version": "2023-09-01",
});
