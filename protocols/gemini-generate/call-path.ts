/** The path of a model. */
export const modelPath = (model: string): string => {
  const name = model
    .replace(/^models\//, "")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  const resource = name.startsWith("tunedModels/") ? name : `models/${name}`;
  return `/v1beta/${resource}`;
};

/**
 * The path of a call, which contains the model and the kind of answer. Without `alt=sse`, a stream would be one growing
 * JSON array instead of server-sent events.
 */
export const callPath = (model: string, isStream: boolean): string =>
  `${modelPath(model)}:${isStream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
