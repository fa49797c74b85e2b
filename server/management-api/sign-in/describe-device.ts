import Bowser from "bowser";

/** Maximum length of the name of an unknown program. */
const MAX_LENGTH = 60;

/** Shortens a version as people use it: "10.15.7" is "10.15", "141.0.0.0" is "141". */
const shortVersion = (version: string | undefined): string =>
  (version ?? "").replace(/^(\d+(?:\.[1-9]\d*)?).*$/, "$1");

const named = (name: string | undefined, version: string | undefined): string =>
  [name ?? "", shortVersion(version)].filter((part) => part !== "").join(" ");

/**
 * Names a device as its owner knows it.
 * @param userAgent the header as a program sent it, which may claim anything.
 * @returns such as "Chrome 141 · Windows 10"; the begin of the header for an unknown program, "" for none.
 */
export const describeDevice = (userAgent: string): string => {
  if (userAgent === "") return "";
  const { browser, os } = Bowser.parse(userAgent);
  const parts = [named(browser.name, browser.version), named(os.name, os.versionName ?? os.version)];
  const described = parts.filter((part) => part !== "").join(" · ");
  return os.name === undefined || described === "" ? userAgent.slice(0, MAX_LENGTH) : described;
};
