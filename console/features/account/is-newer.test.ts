import { expect, it } from "vitest";
import { isNewer } from "./is-newer";

/** From the oldest to the newest. */
const VERSIONS = [
  "v0.5.8",
  "v0.5.9-alpha",
  "v0.5.9-alpha.2",
  "v0.5.9-alpha.10",
  "v0.5.9-beta",
  "v0.5.9-rc1",
  "v0.5.9",
  "v0.5.10-alpha",
  "0.5.10",
  "v0.6",
  "v0.6.0.1",
  "v1.0.0",
];

it("T10: calls a release new only when it comes after the version", () => {
  for (const [at, release] of VERSIONS.entries()) {
    for (const [than, version] of VERSIONS.entries()) {
      expect([release, version, isNewer(release, version)]).toEqual([release, version, at > than]);
    }
  }
});

it("takes another name that is no version number for newer", () => {
  expect(isNewer("nightly", "v0.5.9-alpha")).toBe(true);
  expect(isNewer("nightly", "nightly")).toBe(false);
});
