import { expect, it, vi } from "vitest";
import { askJson } from "./guarded-fetch";

/** What the guard is asked about, which it remembers. */
const asked: string[] = [];

vi.mock("./blocked-origin", () => ({
  isOriginBlocked: (origin: string) => {
    asked.push(origin);
    return true;
  },
}));

it("shows the guard an address without the part behind its host: some take keys there", async () => {
  const url = "https://upstream.test:8443/user/status?api_key=sk-secret";
  expect(await askJson(url, {})).toEqual({ kind: "unreachable" });
  expect(asked).toEqual(["https://upstream.test:8443"]);
});
