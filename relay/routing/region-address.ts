/** Regions are parts of host names: "us-central1", "global". */
const REGION = /^[a-z][a-z\d-]*$/;

/** Whether a text can be a region of Google's. */
export const isRegion = (text: string): boolean => REGION.test(text);

/**
 * A base address with its region. Google's global one has none in its name, and those of continents have hosts of their
 * own (https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations).
 * @param base with "{region}" in it, or without.
 */
export const fillRegion = (base: string, region: string): string => {
  if (region === "global") return base.replace("{region}-", "");
  if (region === "us" || region === "eu")
    return base.replace("{region}-aiplatform", `aiplatform.${region}.rep`);
  return base.replace("{region}", region);
};
