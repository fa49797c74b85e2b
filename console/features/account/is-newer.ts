/** "v0.5.9-alpha" → [[0, 5, 9], "alpha"]. */
const parse = (version: string): { numbers: number[]; stage: string } | undefined => {
  const [, numbers, stage = ""] = /^v?(\d+(?:\.\d+)*)(?:[-+.]?([a-z].*))?$/i.exec(version.trim()) ?? [];
  return numbers === undefined ? undefined : { numbers: numbers.split(".").map(Number), stage };
};

/** Whether a release is newer than a version. A name that is not a version number is newer than any different one. */
export const isNewer = (release: string, version: string): boolean => {
  const [one, other] = [parse(release), parse(version)];
  if (!one || !other) return release !== version;
  for (let at = 0; at < Math.max(one.numbers.length, other.numbers.length); at += 1) {
    const difference = (one.numbers[at] ?? 0) - (other.numbers[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  // A pre-release precedes its release: 1.0-beta before 1.0.
  if (one.stage === "" || other.stage === "") return one.stage === "" && other.stage !== "";
  return one.stage.localeCompare(other.stage, "en", { numeric: true }) > 0;
};
