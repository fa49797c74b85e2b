import { describe, expect, it } from "vitest";
import { boundArenas } from "./bound-arenas";

const setUp = (more: object = {}) => {
  const calls: unknown[] = [];
  const replaceable = {
    platform: "linux" as const,
    env: { DATA_DIR: "/data" },
    execPath: "/bin/node",
    execArgv: ["--inspect"],
    execve: (...call: unknown[]) => {
      calls.push(call);
    },
    ...more,
  };
  boundArenas("/product/main.js", ["--more"], replaceable);
  return calls;
};

describe("one arena for all threads (P4)", () => {
  it("is set by one restart, with all arguments and variables of the program", () => {
    const [call] = setUp();
    const env = { DATA_DIR: "/data", MALLOC_ARENA_MAX: "1" };
    expect(call).toEqual(["/bin/node", ["/bin/node", "--inspect", "/product/main.js", "--more"], env]);
    expect(setUp({ env })).toEqual([]);
  });

  it("is left out when the operator has another setting, and on systems and versions that do not support it", () => {
    expect(setUp({ env: { MALLOC_ARENA_MAX: "4" } })).toEqual([]);
    expect(setUp({ env: { GLIBC_TUNABLES: "glibc.malloc.arena_max=2" } })).toEqual([]);
    expect(setUp({ platform: "darwin" })).toEqual([]);
    expect(setUp({ execve: undefined })).toEqual([]);
  });
});
