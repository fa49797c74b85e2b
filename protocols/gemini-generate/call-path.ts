/** Where a model stands in an address. */
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
 * The path of a call: the model and the kind of answer stand in the address. A stream is asked for as server-sent
 * events; without `alt=sse` it would be one growing JSON array.
 */
export const callPath = (model: string, isStream: boolean): string =>
  `${modelPath(model)}:${isStream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
