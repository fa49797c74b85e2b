import { describe, expect, it } from "vitest";
import { PARTS, readSettings } from "./settings";

describe("the command line of the bench", () => {
  it("asks for every part unless some are named", () => {
    expect(readSettings(["--quick"])).toMatchObject({ parts: PARTS, isQuick: true, isStrict: false });
    expect(readSettings(["query", "cpu"]).parts).toEqual(["cpu", "query"]);
  });

  it("takes values behind its options", () => {
    expect(readSettings(["logs", "--rows", "1000", "--folder", "kept"])).toMatchObject({
      parts: ["logs"],
      rows: 1000,
      folder: "kept",
      queryFolder: undefined,
    });
  });

  it("takes any number of other versions of Node", () => {
    expect(readSettings(["memory"]).nodes).toEqual([]);
    expect(readSettings(["memory", "--node", "/a/node", "--node", "/b/node"]).nodes).toEqual([
      "/a/node",
      "/b/node",
    ]);
  });

  it.each([["wide"], ["--wide"], ["--rows"], ["--rows", "many"], ["--folder"], ["--node"]])(
    "refuses %s %s",
    (...words) => {
      expect(() => readSettings(words)).toThrow("npm run bench --");
    },
  );
});
